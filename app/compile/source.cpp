#include "compile/source.h"
#include "base/text.h"

#include "compile/declarations.h"
#include "compile/launches.h"
#include "compile/lexer.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace lanescope::compile {

namespace {

/// Headers that device code may need and NVRTC can read; every other `<...>` is for host code.
bool is_device_header(std::string_view name) {
    constexpr std::array<std::string_view, 13> prefixes{
        "cooperative_groups", "cuda/",         "cub/",           "nv/",    "cuda_fp",     "cuda_bf16", "mma.h",
        "math_constants.h",   "cuda_pipeline", "cuda_awbarrier", "curand", "cuComplex.h", "sm_"};
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// Headers of the toolkit and its samples that sources also include in quotes; other quoted headers are the user's own.
bool is_host_header(std::string_view name) {
    if (name.find('.') == std::string_view::npos) return true;  // "iostream"
    constexpr std::array<std::string_view, 16> names{"cuda_runtime.h",
                                                     "cuda_runtime_api.h",
                                                     "cuda.h",
                                                     "device_launch_parameters.h",
                                                     "cuda_profiler_api.h",
                                                     "stdio.h",
                                                     "stdlib.h",
                                                     "string.h",
                                                     "math.h",
                                                     "time.h",
                                                     "sys/time.h",
                                                     "assert.h",
                                                     "stdint.h",
                                                     "device_functions.h",
                                                     "nvToolsExt.h",
                                                     "cublas_v2.h"};
    return std::ranges::find(names, name) != names.end() || name.starts_with("helper_") || name.starts_with("thrust/");
}

bool is_blanked_include(std::string_view rest) {
    if (rest.size() < 2) return false;
    const char close = rest.front() == '<' ? '>' : rest.front() == '"' ? '"' : '\0';
    const std::size_t end = close == '\0' ? std::string_view::npos : rest.find(close, 1);
    if (end == std::string_view::npos) return false;
    const std::string_view name = rest.substr(1, end - 1);
    return close == '>' ? !is_device_header(name) : is_host_header(name);
}

/// The name in <> of a header that is not a known one of the system or the toolkit; else empty.
std::string own_system_include(std::string_view rest) {
    const std::size_t end = rest.starts_with('<') ? rest.find('>') : std::string_view::npos;
    if (end == std::string_view::npos) return {};
    const std::string_view name = rest.substr(1, end - 1);
    return is_device_header(name) || is_host_header(name) ? std::string() : std::string(name);
}

/// `lanescope: key = value` in one line of a comment; `column` is the line's first.
void add_directive(std::string_view line, unsigned number, unsigned column, std::vector<Directive>& directives) {
    constexpr std::string_view mark = "lanescope:";
    const std::size_t begin = line.find_first_not_of(" \t/*!<");
    if (begin == std::string_view::npos || !line.substr(begin).starts_with(mark)) return;
    const std::size_t after = begin + mark.size();
    const std::size_t equals = line.find('=', after);
    const auto column_of = [&](std::string_view part) { return column + unsigned(part.data() - line.data()); };
    const std::string_view key =
        trimmed(line.substr(after, equals == std::string_view::npos ? equals : equals - after));
    Directive directive{.key = std::string(key), .value = {}, .line = number, .column = column_of(key)};
    if (key.empty()) directive.column = column + unsigned(after);
    if (equals != std::string_view::npos) {
        std::string_view value = trimmed(line.substr(equals + 1));
        directive.value_column = value.empty() ? column + unsigned(equals) + 1 : column_of(value);
        directive.value = value;
    }
    for (const std::string_view named : {"arg", "constant"}) {
        if (!key.starts_with(std::string(named) + " ") || equals == std::string_view::npos) continue;
        const std::string_view name = trimmed(key.substr(named.size()));
        directive.value = std::string(name) + " = " + directive.value;
        directive.key = named;
    }
    directives.push_back(std::move(directive));
}

std::vector<Directive> directives_of(const std::vector<Token>& tokens) {
    std::vector<Directive> directives;
    for (const Token& token : tokens) {
        if (token.kind != TokenKind::comment) continue;
        unsigned line = token.line, column = token.column;
        std::string_view rest = token.text;
        if (rest.starts_with("/*") && rest.ends_with("*/") && rest.size() >= 4) rest.remove_suffix(2);
        while (true) {
            const std::size_t newline = rest.find('\n');
            add_directive(rest.substr(0, newline), line, column, directives);
            if (newline == std::string_view::npos) break;
            rest.remove_prefix(newline + 1);
            ++line;
            column = 1;
        }
    }
    return directives;
}

/// One reading of the file, with one choice of `#if` branches.
struct Reading {
    Reading(const std::vector<Token>& tokens, const Macros& macros, Branch branch)
        : code(code_of(tokens, branch)), declarations(declarations_of(code, macros)) {}

    [[nodiscard]] TextRange text_of(const Declaration& declaration) const {
        return {code[declaration.first].offset, code[declaration.past_last - 1].end()};
    }

    std::vector<Token> code;
    std::vector<Declaration> declarations;
};

/// Whether a compiler error in this declaration means that it is host code.
bool is_droppable(const Reading& reading, const Declaration& declaration) {
    switch (declaration.kind) {
        case Declaration::Kind::kernel: return false;
        case Declaration::Kind::device: return !declaration.mentions_device;
        case Declaration::Kind::host: return declaration.member;
        case Declaration::Kind::type: return true;
        case Declaration::Kind::other:
            return !declaration.mentions_device && !reading.code[declaration.first].is("template");
    }
    return false;
}

template <class Range, class Value, class Key>
bool contains(const Range& range, const Value& value, Key key) {
    return std::ranges::find(range, key(value), key) != range.end();
}

}  // namespace

void blank(std::string& text, TextRange range) {
    range.end = std::min(range.end, text.size());
    if (range.begin >= range.end) return;
    const std::string part = text.substr(range.begin, range.end - range.begin);
    std::vector<TextRange> kept;
    for (const Token& token : tokenize(part)) {
        if (token.kind != TokenKind::directive) continue;
        const std::string_view name = directive_text(token.text).name;
        if (name != "include" && name != "pragma" && name != "error" && name != "warning")
            kept.push_back({range.begin + token.offset, range.begin + token.end()});
    }
    auto keep = kept.begin();
    for (std::size_t i = range.begin; i < range.end; ++i) {
        if (keep != kept.end() && i == keep->begin) {
            i = keep->end - 1;
            ++keep;
        } else if (text[i] != '\n') {
            text[i] = ' ';
        }
    }
}

void blank_static_shared(std::string& text) {
    constexpr std::string_view shared = "__shared__";
    const std::vector<Token> tokens = tokenize(text);
    const auto ends_declaration = [&](std::size_t i) {
        constexpr std::string_view ends = ";{}";
        return tokens[i].kind == TokenKind::directive || ends.find(tokens[i].text) != std::string_view::npos;
    };
    const auto is_extern = [&](std::size_t at) {
        for (std::size_t i = at; i-- > 0 && !ends_declaration(i);)
            if (tokens[i].is("extern")) return true;
        for (std::size_t i = at + 1; i < tokens.size() && !ends_declaration(i); ++i)
            if (tokens[i].is("extern")) return true;
        return false;
    };
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].is(shared) && !is_extern(i)) found.push_back(tokens[i].offset);
        if (tokens[i].kind != TokenKind::directive || tokens[i].text.find("extern") != std::string_view::npos) continue;
        for (std::size_t at = 0; (at = tokens[i].text.find(shared, at)) != std::string_view::npos; at += shared.size())
            found.push_back(tokens[i].offset + at);
    }
    for (const std::size_t at : found) text.replace(at, shared.size(), shared.size(), ' ');
}

SourceScan scan_source(const std::string& source) {
    SourceScan scan;
    const std::vector<Token> tokens = tokenize(source);
    const Macros macros = macros_of(tokens);
    scan.device_text = source;
    scan.directives = directives_of(tokens);

    for (const Token& token : tokens) {
        if (token.kind != TokenKind::directive) continue;
        const auto [name, rest] = directive_text(token.text);
        if (const std::string own = name == "include" ? own_system_include(rest) : std::string(); !own.empty())
            scan.blanked_includes.push_back({own, {token.offset, token.end()}});
        if ((name == "include" && is_blanked_include(rest)) || name == "import")
            std::fill(scan.device_text.begin() + std::ptrdiff_t(token.offset),
                      scan.device_text.begin() + std::ptrdiff_t(token.end()), ' ');
    }

    for (const Branch branch : {Branch::first, Branch::last}) {
        const Reading reading(tokens, macros, branch);
        for (const Declaration& declaration : reading.declarations) {
            const TextRange text = reading.text_of(declaration);
            if (declaration.kind == Declaration::Kind::kernel && declaration.has_body() && !declaration.member) {
                KernelDeclaration kernel = kernel_of(reading.code, declaration);
                const bool known = contains(scan.kernels, kernel, [](const KernelDeclaration& k) { return k.name; });
                if (!kernel.name.empty() && !known) scan.kernels.push_back(std::move(kernel));
            }
            if (declaration.kind == Declaration::Kind::host && !declaration.member) {
                blank(scan.device_text, text);
                KernelDeclaration host =
                    declaration.has_body() ? kernel_of(reading.code, declaration) : KernelDeclaration();
                if (host.name == "main") host.parameters.clear();  // the program is run without arguments
                const bool known = contains(scan.hosts, host, [](const KernelDeclaration& k) { return k.name; });
                if (!host.name.empty() && !known) scan.hosts.push_back(std::move(host));
            }
            if (is_droppable(reading, declaration)) scan.droppable.push_back(text);
        }
        for (NamedLaunch& launch : launches_of(reading.code, reading.declarations)) {
            if (!contains(scan.launches, launch,
                          [](const NamedLaunch& other) { return std::tie(other.line, other.kernel); }))
                scan.launches.push_back(std::move(launch));
        }
    }
    std::ranges::sort(scan.droppable, [](const TextRange& a, const TextRange& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    scan.droppable.erase(std::unique(scan.droppable.begin(), scan.droppable.end()), scan.droppable.end());
    std::ranges::stable_sort(scan.kernels, {}, &KernelDeclaration::line);
    std::ranges::stable_sort(scan.launches, {}, &NamedLaunch::line);
    return scan;
}

}  // namespace lanescope::compile
