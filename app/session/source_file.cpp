#include "session/source_file.h"

#include "base/demangle.h"
#include "base/number_type.h"
#include "base/text.h"
#include "ptx/module.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

namespace lanescope::session {

namespace {

/// PTX has widths only: 64 bits are most likely an address.
compile::Parameter parameter_of(const ptx::Variable& variable) {
    compile::Parameter parameter;
    parameter.pointer = variable.type == ptx::Type::u64 || variable.type == ptx::Type::b64;
    parameter.element = parameter.pointer ? "int" : "";
    switch (variable.type) {
        case ptx::Type::f32: parameter.type = "float"; break;
        case ptx::Type::f64: parameter.type = "double"; break;
        case ptx::Type::u16:
        case ptx::Type::b16:
        case ptx::Type::s16: parameter.type = "short"; break;
        case ptx::Type::u8:
        case ptx::Type::b8:
        case ptx::Type::s8: parameter.type = "char"; break;
        default: parameter.type = parameter.pointer ? "int*" : "int"; break;
    }
    return parameter;
}

/// "int const*": "const int*", a pointer to int. The demangler writes const and volatile after what they qualify.
compile::Parameter parameter_named(std::string_view type) {
    compile::Parameter parameter{.type = std::string(type), .name = {}};
    parameter.pointer = type.ends_with('*');
    if (!parameter.pointer) return parameter;
    type.remove_suffix(1);
    for (bool found = true; found;) {
        found = false;
        for (const std::string_view word : {std::string_view(" const"), std::string_view(" volatile")}) {
            if (!type.ends_with(word)) continue;
            parameter.read_only = parameter.read_only || word == " const";
            type.remove_suffix(word.size());
            found = true;
        }
    }
    parameter.element = type;
    if (parameter.read_only) parameter.type = fmt::format("const {}*", type);
    return parameter;
}

/// The parameters of a demangled kernel, "reduce(int const*, int)", without names. Empty where it has no list.
std::vector<compile::Parameter> parameters_of(std::string_view signature) {
    std::vector<compile::Parameter> parameters;
    if (!signature.ends_with(')')) return parameters;
    // Its list is the last one in brackets: names may have brackets, too, "(anonymous namespace)::k(int)".
    constexpr std::string_view opening = "(<[{", closing = ")>]}";
    std::size_t depth = 0, open = signature.size();
    while (open-- > 0) {
        if (closing.contains(signature[open])) ++depth;
        if (opening.contains(signature[open]) && --depth == 0) break;
    }
    if (open >= signature.size()) return parameters;
    std::size_t begin = open + 1;
    for (std::size_t i = begin; i < signature.size(); ++i) {
        const bool last = i + 1 == signature.size();
        if (opening.contains(signature[i])) ++depth;
        if (closing.contains(signature[i]) && !last) --depth;
        if (!last && (signature[i] != ',' || depth != 0)) continue;
        const std::string_view type = trimmed(signature.substr(begin, i - begin));
        if (!type.empty()) parameters.push_back(parameter_named(type));
        begin = i + 1;
    }
    return parameters;
}

/// "const size_t" -> "size_t", "const int* const" -> "const int*"
std::string_view without_top_const(std::string_view type) {
    constexpr std::string_view after = " const", before = "const ";
    if (type.ends_with(after)) return type.substr(0, type.size() - after.size());
    return type.starts_with(before) && !type.ends_with('*') ? type.substr(before.size()) : type;
}

/// The linked name of an extern "C" kernel has no types.
compile::Parameter described_parameter(const ptx::SourceVariable& variable) {
    compile::Parameter parameter{.type = std::string(without_top_const(variable.type)), .name = {}};
    parameter.pointer = variable.kind == ptx::TypeKind::pointer;
    if (!parameter.pointer) return parameter;
    const std::string_view pointee = std::string_view(variable.type).substr(0, variable.type.rfind('*'));
    parameter.read_only = pointee.starts_with("const ");
    parameter.element = bare_type(pointee);
    return parameter;
}

/// The kernels and parameters of a PTX text, as if a source had declared them.
Result<compile::SourceScan> scan_ptx(const std::string& ptx, const std::string& name) {
    Result<ptx::Module> module = ptx::parse(ptx, name);
    if (!module) return std::unexpected(module.error());
    compile::SourceScan scan;
    scan.directives = compile::scan_source(ptx).directives;
    for (const ptx::Function* entry : module->entries()) {
        compile::KernelDeclaration kernel;
        kernel.name = entry->name;
        kernel.line = entry->line.value;
        const std::vector<compile::Parameter> known = parameters_of(demangled(entry->name).value_or(""));
        std::optional<std::vector<compile::Parameter>> described = described_parameters(*entry);
        if (described) kernel.parameters = *std::move(described);
        for (std::size_t i = kernel.parameters.size(); i < entry->parameters.size(); ++i) {
            compile::Parameter parameter =
                known.size() == entry->parameters.size() ? known[i] : parameter_of(entry->parameters[i]);
            parameter.name = fmt::format("parameter{}", i + 1);
            kernel.parameters.push_back(std::move(parameter));
        }
        scan.kernels.push_back(std::move(kernel));
    }
    return scan;
}

/// Cuts the next line off `text`, without its end.
std::string_view cut_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

constexpr std::string_view fence = "---";

/// The lines between the fences of a lesson, one after the other.
class FrontMatter {
  public:
    FrontMatter(std::string_view text, const std::string& file) : rest_(text) { description_.file = file; }

    Result<Description> read() {
        cut_line(rest_);  // the opening fence
        while (!rest_.empty()) {
            ++number_;
            const std::string_view line = cut_line(rest_);
            if (line == fence) {
                if (Result<void> finished = finish_entry(); !finished) return std::unexpected(finished.error());
                description_.body = rest_;
                return std::move(description_);
            }
            if (Result<void> taken = read(line); !taken) return std::unexpected(taken.error());
        }
        return wrong("the front matter is not closed", 1, "a line of three hyphens closes it");
    }

  private:
    [[nodiscard]] std::unexpected<Problem> wrong(std::string what, std::size_t column,
                                                 std::string remedy = "its lines read `key: value`") const {
        return fail(std::move(what), {description_.file, number_, unsigned(column)}, std::move(remedy));
    }

    Result<void> read(std::string_view line) {
        const std::size_t indent = line.find_first_not_of(' ');
        if (indent == std::string_view::npos) return {};
        if (indent > 0 && list_.empty()) {
            if (!entry_) return wrong("an indented line must continue a value", indent + 1);
            entry_->value += fmt::format(" {}", line.substr(indent));
            return {};
        }
        if (Result<void> finished = finish_entry(); !finished) return finished;
        if (indent == 0) list_ = {};
        const std::size_t colon = line.find(": ", indent);
        if (colon == std::string_view::npos) {
            if (!line.ends_with(':')) return wrong("this line has no colon", indent + 1);
            const std::string_view name = line.substr(0, line.size() - 1);
            if (name == "arguments") list_ = "arg";
            if (name == "constants") list_ = "constant";
            if (list_.empty() || indent > 0) return wrong(fmt::format("\"{}\" has no value", name), line.size());
            return {};
        }
        const std::size_t begin = std::min(line.find_first_not_of(' ', colon + 1), line.size());
        entry_ = {.key = std::string(line.substr(indent, colon - indent)),
                  .value = std::string(line.substr(begin)),
                  .line = number_,
                  .column = unsigned(indent) + 1,
                  .value_column = unsigned(begin) + 1};
        return {};
    }

    /// The entry is complete: as in a comment line, without quotation marks.
    Result<void> finish_entry() {
        if (!entry_) return {};
        std::string& value = entry_->value;
        if (value.starts_with('"')) {
            if (value.size() < 2 || !value.ends_with('"'))
                return fail("the quotation mark is not closed",
                            {description_.file, entry_->line, entry_->value_column});
            value = value.substr(1, value.size() - 2);
            ++entry_->value_column;
        }
        if (!list_.empty()) {
            value = fmt::format("{} = {}", entry_->key, value);
            entry_->key = list_;
        }
        description_.lines.push_back(*std::move(entry_));
        entry_.reset();
        return {};
    }

    std::string_view rest_;
    unsigned number_ = 1;                      ///< of the line that is read
    std::string_view list_;                    ///< "arg" or "constant": indented lines are its entries
    std::optional<compile::Directive> entry_;  ///< whose value may go on
    Description description_;
};

}  // namespace

bool is_lesson_file(std::string_view text) { return cut_line(text) == fence; }

Result<Description> read_lesson_file(std::string_view text, const std::string& name) {
    if (!is_lesson_file(text))
        return fail("a lesson must begin with its front matter", {name, 1, 1},
                    "a line of three hyphens begins it and ends it");
    return FrontMatter(text, name).read();
}

std::string lesson_beside(const std::string& source) {
    return std::filesystem::path(source).replace_extension(".md").string();
}

Result<SourceFile> read_source(std::string text, const std::string& name, std::string lesson) {
    SourceFile file{.name = name, .lesson = std::move(lesson)};
    if (constexpr std::string_view mark = "\xEF\xBB\xBF"; text.starts_with(mark)) text.erase(0, mark.size());
    if (name.ends_with(".ptx")) {
        Result<compile::SourceScan> scan = scan_ptx(text, name);
        if (!scan) return std::unexpected(scan.error());
        file.scan = *std::move(scan);
        file.ptx = std::move(text);
    } else {
        file.scan = compile::scan_source(text);
        file.text = std::move(text);
    }
    // main runs with no command-line arguments.
    for (compile::KernelDeclaration& function : file.scan.hosts)
        if (function.name == "main") function.parameters.clear();
    file.description = {.lines = file.scan.directives, .file = name, .body = {}};
    if (file.lesson.empty()) return file;
    if (!file.scan.directives.empty()) {
        const compile::Directive& line = file.scan.directives.front();
        return fail("a file with a lesson beside it must not have lanescope lines", {name, line.line, line.column},
                    fmt::format("move the line to {}", lesson_beside(name)));
    }
    Result<Description> description = read_lesson_file(file.lesson, lesson_beside(name));
    if (!description) return std::unexpected(description.error());
    file.description = *std::move(description);
    return file;
}

std::optional<std::vector<compile::Parameter>> described_parameters(const ptx::Function& kernel) {
    const std::vector<ptx::SourceVariable>& described = kernel.source_parameters;
    if (described.size() != kernel.parameters.size()) return std::nullopt;
    std::vector<compile::Parameter> parameters = parameters_of(demangled(kernel.name).value_or(""));
    if (parameters.size() != described.size()) {
        parameters.clear();
        std::ranges::transform(described, std::back_inserter(parameters), described_parameter);
    }
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const ptx::SourceVariable& variable = described[i];
        parameters[i].name = variable.name.empty() ? fmt::format("parameter{}", i + 1) : variable.name;
        // Numbers have the names of the source, such as cudaTextureObject_t; DWARF has no scopes of other types.
        using enum ptx::TypeKind;
        const bool has_numbers = variable.kind == number || variable.kind == boolean || variable.target.has_value();
        if (has_numbers && !variable.type.empty()) parameters[i].type = without_top_const(variable.type);
    }
    return parameters;
}

compile::CompileRequest compile_request(const SourceFile& source) {
    compile::CompileRequest request{.source = source.text, .name = source.name};
    if (!source.built_in) request.include = {std::filesystem::path(source.name).parent_path()};
    request.include.insert(request.include.end(), source.options.include.begin(), source.options.include.end());
    request.defines = source.options.defines;
    request.options = source.options.others;
    return request;
}

bool is_host(const compile::SourceScan& scan, std::string_view name) {
    return std::ranges::find(scan.hosts, name, &compile::KernelDeclaration::name) != scan.hosts.end();
}

const compile::KernelDeclaration* declaration_of(const compile::SourceScan& scan, std::string_view kernel) {
    using compile::KernelDeclaration;
    const auto exact = std::ranges::find(scan.kernels, kernel, &KernelDeclaration::name);
    if (exact != scan.kernels.end()) return &*exact;
    const auto last = std::ranges::find_if(scan.kernels, [&](const KernelDeclaration& declaration) {
        return declaration.name.ends_with(fmt::format("::{}", kernel));
    });
    if (last != scan.kernels.end()) return &*last;
    const auto host = std::ranges::find(scan.hosts, kernel, &KernelDeclaration::name);
    return host == scan.hosts.end() ? nullptr : &*host;
}

}  // namespace lanescope::session
