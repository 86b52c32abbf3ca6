#include "compile/compile.h"

#include "base/embedded.h"
#include "base/whole_number.h"
#include "compile/cache.h"
#include "compile/compiler_options.h"
#include "compile/diagnostics.h"
#include "compile/given_headers.h"
#include "compile/nvrtc.h"
#include "compile/nvrtc_ptx.h"
#include "compile/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string_view>

namespace lanescope::compile {

namespace {

/// The last component of the request's name, without characters that quotes in PTX do not allow.
std::string file_name(const std::string& name) {
    std::string result = std::filesystem::path(name).filename().string();
    for (char& c : result) {
        if (std::iscntrl(static_cast<unsigned char>(c)) != 0 || c == '"' || c == '\\') c = '_';
    }
    return result.empty() ? "kernel.cu" : result;
}

/// The include folder as an absolute path, because NVRTC runs in another directory.
std::filesystem::path absolute_folder(const std::filesystem::path& folder) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(folder.empty() ? "." : folder, error);
    return error ? folder : (whole / "").lexically_normal().parent_path();
}

std::vector<std::string> options_of(const CompileRequest& request, const Compiler& compiler, unsigned arch) {
    std::vector<std::string> options{
        fmt::format("--gpu-architecture=compute_{}", arch), request.view == View::compiled ? "-lineinfo" : "-G",
        "--device-int128",
        // Lets device code call member and constexpr functions that have no execution space specifier.
        "--device-as-default-execution-space", fmt::format("--pre-include={}{}", virtual_folder, prelude_name),
        // 47: a macro of the prelude is redefined; 177: a constant is unused because its host code is masked.
        "--diag-suppress=47,177"};
    if (std::ranges::none_of(request.options, states_standard)) options.emplace_back("--std=c++17");
    // Options that nvcc alone knows, for extended lambdas, relaxed constexpr or relocatable code, are not needed here.
    std::ranges::copy_if(request.options, std::back_inserter(options), is_known_to_nvrtc);
    for (const auto& [name, value] : request.defines) options.push_back(fmt::format("-D{}={}", name, value));
    for (const std::filesystem::path& path : request.include) options.push_back("-I" + absolute_folder(path).string());
    for (const std::filesystem::path& path : compiler.include) options.push_back("-I" + path.string());
    return options;
}

/// A text of everything that determines the compiler's output.
std::string cache_key(const CompileRequest& request, const Compiler& compiler, const std::string& device_text) {
    std::string key = fmt::format("lanescope {}\nNVRTC {}.{}\n{}\n", LANESCOPE_VERSION, compiler.major, compiler.minor,
                                  file_name(request.name));
    for (const std::string& option : options_of(request, compiler, request.arch)) key += option + '\n';
    for (const std::string& expression : request.instantiate) key += "instantiate " + expression + '\n';
    key += prelude();
    return key + '\0' + device_text;
}

/// Whether the source includes the user's own headers. They may change without the source, so it is not cached.
bool includes_own_headers(const CompileRequest& request, const std::string& device_text, bool in_angle_brackets) {
    return !request.include.empty() && (in_angle_brackets || device_text.find("#include \"") != std::string::npos);
}

/// Restores includes in <> of headers that lie in a folder of the request; the other headers are for host code.
void keep_own_headers(const CompileRequest& request, SourceScan& scan) {
    std::erase_if(scan.blanked_includes, [&](const auto& include) {
        return std::ranges::none_of(request.include, [&](const std::filesystem::path& folder) {
            std::error_code error;
            return std::filesystem::is_regular_file(absolute_folder(folder) / include.first, error);
        });
    });
    for (const auto& [header, range] : scan.blanked_includes)
        scan.device_text.replace(range.begin, range.end - range.begin, request.source, range.begin,
                                 range.end - range.begin);
}

/// "reduce<64u, 4>" -> "reduce<64,4>": instance names in sources and demangled names differ only in spaces and in the
/// suffixes of unsigned numbers.
std::string plain_instance(std::string_view name) {
    std::string plain;
    for (const char c : name) {
        if (c == ' ') continue;
        const bool suffix = c == 'u' || c == 'l';
        const bool after_number = !plain.empty() && std::isdigit(static_cast<unsigned char>(plain.back())) != 0;
        if (suffix && after_number && plain.find('<') != std::string::npos) continue;
        plain += c;
    }
    return plain;
}

/// The `.target sm_75` of a PTX text (PTX ISA 11.1.2).
unsigned target_of(std::string_view ptx) {
    constexpr std::string_view directive = ".target sm_";
    const std::size_t at = ptx.find(directive);
    if (at == std::string_view::npos) return 0;
    ptx.remove_prefix(at + directive.size());
    return take_number<unsigned>(ptx).value_or(0);
}

/// The PTX that was compiled when Lanescope was built, if the source is an unchanged built-in kernel. For a kernel that
/// needs a newer target than requested, this PTX has the newer target, as a compilation would.
std::optional<CompileOutput> kept_beside_kernel(const CompileRequest& request) {
    if (!request.defines.empty() || !request.options.empty()) return std::nullopt;
    for (const EmbeddedFile& file : embedded_files()) {
        if (!file.path.ends_with(".cu") || file.bytes != request.source) continue;
        const std::string stem(file.path.substr(0, file.path.size() - 3));
        const auto ptx = embedded_file(fmt::format("{}{}", stem, kept_suffix(request.view)));
        if (!ptx) return std::nullopt;
        CompileOutput output;
        output.ptx = *ptx;
        output.names = entry_names(output.ptx);
        output.arch = target_of(output.ptx);
        output.kept = true;
        if (output.arch < request.arch) return std::nullopt;
        for (const std::string& expression : request.instantiate) {
            const auto instance = std::ranges::find_if(output.names, [&](const auto& name) {
                return plain_instance(name.first) == plain_instance(expression);
            });
            if (instance == output.names.end()) return std::nullopt;
            output.names.insert_or_assign(expression, std::string(instance->second));
        }
        return output;
    }
    return std::nullopt;
}

/// Compiles one source with NVRTC, repeatedly while omitting more host code or adding headers helps.
class Compilation {
  public:
    Compilation(const Nvrtc& nvrtc, const CompileRequest& request, SourceScan scan)
        : nvrtc_(nvrtc), request_(request), scan_(std::move(scan)), name_(file_name(request.name)) {
        job_.source = scan_.device_text;
        job_.name = virtual_folder + name_;
        job_.headers.emplace_back(fmt::format("{}{}", virtual_folder, prelude_name), prelude());
        if (std::string cub_header = cub_header_for(scan_.device_text); !cub_header.empty())
            job_.headers.emplace_back(cub_header_name, std::move(cub_header));
        // Only templates need instantiation; a name expression for an overloaded function would be an error.
        std::ranges::copy_if(request.instantiate, std::back_inserter(job_.expressions), is_instance);
    }

    std::expected<CompileOutput, CompileFailure> run() {
        NvrtcAnswer answer = attempt(request_.arch);
        for (int round = 0; !answer.ok && round < most_rounds; ++round) {
            const std::vector<LogMessage> messages = parse_log(answer.log);
            if (first_messages_.empty()) first_messages_ = messages;
            const bool changed = add_missing_header(messages) || drop_host_code(messages);
            if (!changed) break;
            answer = attempt(request_.arch);
        }
        unsigned arch = request_.arch;
        if (!answer.ok && may_need_newer_gpu(answer.log)) {
            for (const unsigned newer : newer_targets) {
                if (newer <= request_.arch) continue;
                NvrtcAnswer second = attempt(newer);
                if (!second.ok) continue;
                answer = std::move(second);
                arch = newer;
                note(Diagnostic::Severity::warning, 0,
                     fmt::format("the kernel needs compute_{}, and is compiled for it", newer));
                break;
            }
        }
        if (!answer.ok) return std::unexpected(failure(answer.log));

        CompileOutput output;
        output.arch = arch;
        output.ptx = without_folders(std::move(answer.ptx), folders());
        output.names = entry_names(output.ptx);
        for (std::size_t i = 0; i < job_.expressions.size(); ++i)
            output.names.insert_or_assign(job_.expressions[i], answer.lowered[i]);
        output.diagnostics = own_notes_;
        std::ranges::stable_sort(output.diagnostics, {}, &Diagnostic::line);
        std::ranges::move(diagnostics_for(parse_log_if_any(answer.log), job_.name),
                          std::back_inserter(output.diagnostics));
        return output;
    }

  private:
    static constexpr int most_rounds = 24;

    static bool is_instance(const std::string& expression) { return expression.find('<') != std::string::npos; }

    NvrtcAnswer attempt(unsigned arch) {
        job_.options = options_of(request_, nvrtc_.compiler(), arch);
        NvrtcAnswer answer = nvrtc_.run(job_);
        // Messages then name the user's headers as the request does.
        for (const std::filesystem::path& folder : request_.include) {
            const std::string whole = (absolute_folder(folder) / "").string();
            const std::string given = folder.empty() ? "" : (folder / "").string();
            if (folder.is_absolute() || whole == "/") continue;
            for (std::size_t at = 0; (at = answer.log.find(whole, at)) != std::string::npos; at += given.size())
                answer.log.replace(at, whole.size(), given);
        }
        return answer;
    }

    [[nodiscard]] std::vector<std::filesystem::path> folders() const {
        std::vector<std::filesystem::path> result;
        std::ranges::transform(request_.include, std::back_inserter(result), absolute_folder);
        result.insert(result.end(), nvrtc_.compiler().include.begin(), nvrtc_.compiler().include.end());
        return result;
    }

    /// The messages of a log; none if it has only remarks.
    static std::vector<LogMessage> parse_log_if_any(const std::string& log) {
        std::vector<LogMessage> messages = parse_log(log);
        std::erase_if(messages, [](const LogMessage& message) { return message.file.empty(); });
        return messages;
    }

    void note(Diagnostic::Severity severity, unsigned line, std::string text) {
        own_notes_.push_back({.severity = severity, .line = line, .column = 0, .text = std::move(text)});
    }

    /// `could not open source file "x.h" (...)`: such a header is treated as empty.
    bool add_missing_header(const std::vector<LogMessage>& messages) {
        constexpr std::string_view mark = "open source file \"";
        for (const LogMessage& message : messages) {
            const std::string& text = message.diagnostic.text;
            const std::size_t begin = text.find(mark);
            if (begin == std::string::npos) continue;
            const std::size_t name = begin + mark.size();
            const std::string header = text.substr(name, text.find('"', name) - name);
            const bool known =
                std::ranges::any_of(job_.headers, [&](const auto& entry) { return entry.first == header; });
            if (known || header.empty()) return false;
            job_.headers.emplace_back(header, "");
            note(Diagnostic::Severity::warning, message.file == job_.name ? message.diagnostic.line : 0,
                 fmt::format("the header {} was not found and is treated as empty", header));
            return true;
        }
        return false;
    }

    /// Blanks the innermost droppable declaration around each error.
    bool drop_host_code(const std::vector<LogMessage>& messages) {
        bool changed = false;
        for (const LogMessage& message : messages) {
            if (message.file != job_.name || message.diagnostic.severity != Diagnostic::Severity::error) continue;
            const std::size_t offset = offset_of(message.diagnostic);
            if (is_dropped(offset)) continue;  // a second error in the same declaration
            const std::optional<TextRange> range = droppable_at(offset);
            if (!range) continue;
            blank(job_.source, *range);
            dropped_.push_back(*range);
            note(Diagnostic::Severity::note, message.diagnostic.line,
                 fmt::format("treated as host code and omitted: {}", message.diagnostic.text));
            changed = true;
        }
        return changed;
    }

    [[nodiscard]] bool is_dropped(std::size_t offset) const {
        return std::ranges::any_of(dropped_,
                                   [&](const TextRange& range) { return range.begin <= offset && offset < range.end; });
    }

    [[nodiscard]] std::optional<TextRange> droppable_at(std::size_t offset) const {
        std::optional<TextRange> innermost;
        for (const TextRange& range : scan_.droppable) {
            const bool inside = range.begin <= offset && offset < range.end;
            if (inside && (!innermost || range.end - range.begin < innermost->end - innermost->begin))
                innermost = range;
        }
        return innermost;
    }

    /// The byte offset of a message in the source; without a column, of the line's first word.
    [[nodiscard]] std::size_t offset_of(const Diagnostic& diagnostic) const {
        const std::string& text = request_.source;
        std::size_t at = 0;
        for (unsigned line = 1; line < diagnostic.line; ++line) {
            const std::size_t newline = text.find('\n', at);
            if (newline == std::string::npos) return text.size();
            at = newline + 1;
        }
        return diagnostic.column != 0 ? at + diagnostic.column - 1 : text.find_first_not_of(" \t", at);
    }

    /// The errors of the first attempt outside of dropped declarations; if there are none, all of them.
    [[nodiscard]] CompileFailure failure(const std::string& last_log) const {
        std::vector<LogMessage> messages = parse_log(last_log);
        if (!dropped_.empty()) {
            messages = first_messages_;
            std::erase_if(messages, [&](const LogMessage& message) {
                return message.file == job_.name && is_dropped(offset_of(message.diagnostic));
            });
            if (messages.empty()) messages = first_messages_;
        }
        for (LogMessage& message : messages) {
            if (message.file != "__nv_name_map") continue;  // NVRTC's file of name expressions
            message.diagnostic.text = fmt::format("{} cannot be instantiated: {}", fmt::join(job_.expressions, ", "),
                                                  message.diagnostic.text);
            message.diagnostic.line = message.diagnostic.column = 0;
            message.file = job_.name;
        }
        CompileFailure result;
        result.diagnostics = diagnostics_for(messages, job_.name);
        if (!cub_header_for(scan_.device_text).empty())
            result.diagnostics.insert(
                result.diagnostics.begin(),
                Diagnostic{.severity = Diagnostic::Severity::warning,
                           .line = 0,
                           .column = 0,
                           .text =
                               "cub/cub.cuh stands for the headers of the Block... and Warp... classes that the source "
                               "names, such as cub/block/block_reduce.cuh; include others by their own name"});
        // A missing header explains undeclared names.
        std::ranges::copy_if(own_notes_, std::inserter(result.diagnostics, result.diagnostics.begin()),
                             [](const Diagnostic& note) { return note.severity == Diagnostic::Severity::warning; });
        const auto first = std::ranges::find(result.diagnostics, Diagnostic::Severity::error, &Diagnostic::severity);
        const auto errors = std::ranges::count(result.diagnostics, Diagnostic::Severity::error, &Diagnostic::severity);
        result.problem.where.file = request_.name;
        result.problem.what = "the source does not compile";
        if (first != result.diagnostics.end()) {
            result.problem.what = fmt::format("the source does not compile: {}", first->text);
            result.problem.where.line = first->line;
            result.problem.where.column = first->column;
        }
        if (errors > 1) result.problem.what += fmt::format(" (and {} more)", errors - 1);
        return result;
    }

    const Nvrtc& nvrtc_;
    const CompileRequest& request_;
    SourceScan scan_;
    std::string name_;
    NvrtcJob job_;
    std::vector<LogMessage> first_messages_;
    std::vector<TextRange> dropped_;
    std::vector<Diagnostic> own_notes_;
};

const Result<Nvrtc>& nvrtc() {
    static const Result<Nvrtc> found = Nvrtc::find(NvrtcPlaces::of_environment());
    return found;
}

}  // namespace

std::string_view kept_suffix(View view) {
    switch (view) {
        case View::written: return ".written.ptx";
        case View::compiled: return ".compiled.ptx";
        case View::types: return ".types.ptx";
    }
    return {};
}

std::expected<CompileOutput, CompileFailure> compile_with(const Result<Nvrtc>& nvrtc, const Cache& cache,
                                                          const CompileRequest& request) {
    if (!nvrtc) {
        if (std::optional<CompileOutput> kept = kept_beside_kernel(request)) return *std::move(kept);
        CompileFailure failure{.problem = nvrtc.error(), .diagnostics = {}};
        failure.problem.what = fmt::format("{} cannot be compiled: {}", request.name, failure.problem.what);
        return std::unexpected(std::move(failure));
    }
    if (request.source.find('\0') != std::string::npos)
        return std::unexpected(
            CompileFailure{{"the source contains a zero byte, so it is not text", {request.name}, {}}, {}});

    if (auto unterminated = unterminated_declaration(request.source))
        return std::unexpected(CompileFailure{{fmt::format("the source does not compile: {}", unterminated->text),
                                               {request.name, unterminated->line, unterminated->column},
                                               {}},
                                              {*unterminated}});

    SourceScan scan = scan_source(request.source);
    keep_own_headers(request, scan);
    if (request.view == View::types) blank_static_shared(scan.device_text);
    const bool cacheable = !includes_own_headers(request, scan.device_text, !scan.blanked_includes.empty());
    const std::string key = cacheable ? cache_key(request, nvrtc->compiler(), scan.device_text) : std::string();
    if (cacheable) {
        if (std::optional<CompileOutput> known = cache.find(key)) return *std::move(known);
    }
    std::expected<CompileOutput, CompileFailure> output = Compilation(*nvrtc, request, std::move(scan)).run();
    if (output && cacheable) cache.keep(key, *output);
    return output;
}

const Result<Compiler>& compiler() {
    static const Result<Compiler> found =
        nvrtc() ? Result<Compiler>(nvrtc()->compiler()) : Result<Compiler>(std::unexpected(nvrtc().error()));
    return found;
}

std::expected<CompileOutput, CompileFailure> compile(const CompileRequest& request) {
    static const Cache cache = Cache::of_environment();
    return compile_with(nvrtc(), cache, request);
}

}  // namespace lanescope::compile
