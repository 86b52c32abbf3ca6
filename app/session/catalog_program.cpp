// A source and its `lanescope` lines -> Program: the lines checked one by one, the rest guessed.

#include "session/catalog_parts.h"
#include "session/input.h"
#include "session/main_code.h"
#include "session/oracle.h"
#include "session/structure.h"

#include "compile/declarations.h"
#include "compile/lexer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>

namespace lanescope::session {

namespace {

using compile::Directive;
using compile::KernelDeclaration;

/// Reads the lines that hold for one kernel into a Program.
class Reader {
  public:
    explicit Reader(Program& program) : program_(program), named_(!program.template_arguments.empty()) {}

    Result<void> run() {
        bool ours = true;
        for (const Directive& directive : program_.scan.directives) {
            if (directive.value_column == 0)
                return fail("a lanescope line reads `key = value`", key_place(directive), keys_remedy());
            if (directive.key == "kernel" || directive.key == "program") {
                const KernelDeclaration* named = declaration_of(program_.scan, directive.value);
                if (named == nullptr)
                    return fail(fmt::format("the file has no {} named '{}'",
                                            directive.key == "kernel" ? "kernel" : "host function", directive.value),
                                value_place(directive));
                ours = named->name == program_.kernel;
                continue;
            }
            const auto key = std::ranges::find(keys(), directive.key, &Key::name);
            if (key == keys().end())
                return fail(fmt::format("'{}' is no key of a lanescope line", directive.key), key_place(directive),
                            keys_remedy());
            if (!ours) continue;
            if (Result<void> read = key->read(*this, directive); !read) return read;
        }
        return check_output();
    }

  private:
    struct Key {
        std::string_view name;
        Result<void> (*read)(Reader&, const Directive&);
    };

    template <std::string Program::*field>
    static Result<void> text(Reader& self, const Directive& directive) {
        self.program_.*field = directive.value;
        return {};
    }

    template <std::vector<std::string> Program::*field>
    static Result<void> paragraph(Reader& self, const Directive& directive) {
        (self.program_.*field).push_back(directive.value);
        return {};
    }

    template <std::string Program::*field>
    static Result<void> expression(Reader& self, const Directive& directive) {
        self.program_.*field = with_constants(directive.value, self.program_.scan);
        if (const auto value = evaluate(self.program_.*field, trial); !value)
            return self.placed(value.error(), directive);
        return {};
    }

    template <std::string Program::*field>
    static Result<void> extent(Reader& self, const Directive& directive) {
        self.program_.*field = with_constants(directive.value, self.program_.scan);
        if (const auto value = evaluate_extent(self.program_.*field, trial); !value)
            return self.placed(value.error(), directive);
        return {};
    }

    static Result<void> input(Reader& self, const Directive& directive) {
        self.program_.default_input = directive.value;
        // Whether the values fit depends on each buffer's type; numbers of any kind do here.
        if (const auto made = make_input(directive.value, trace::Element::f64, 0); !made)
            return self.placed(made.error(), directive);
        return {};
    }

    static Result<void> block_rule(Reader& self, const Directive& directive) {
        self.program_.block_rule = directive.value;
        const Result<void> checked = check_block(self.program_, 1);
        const bool refused = !checked && checked.error().remedy.starts_with("rules are");
        if (refused) return self.placed(checked.error(), directive);
        return {};
    }

    static Result<void> fault(Reader& self, const Directive& directive) {
        self.program_.fault = directive.value;
        const auto& known = fault_names();
        if (std::ranges::find(known, directive.value) != known.end()) return {};
        return fail(fmt::format("'{}' is no fault", directive.value), self.value_place(directive),
                    fmt::format("faults are {}", fmt::join(known, ", ")));
    }

    template <std::vector<std::string> Program::*field>
    static Result<void> template_arguments(Reader& self, const Directive& directive) {
        if (self.named_) return {};  // asked for by name, which is more than the file says
        const std::vector<compile::Token> code =
            compile::code_of(compile::tokenize(directive.value), compile::Branch::first);
        for (const compile::TokenRange& part : compile::split_commas(code, {0, code.size()}, true))
            (self.program_.*field).push_back(compile::as_written(code, part));
        return {};
    }

    /// `block-sum` or `block-sum(2 * block)`.
    static Result<void> oracle(Reader& self, const Directive& directive) {
        const std::size_t open = directive.value.find('(');
        std::string name = directive.value.substr(0, open);
        name.erase(name.find_last_not_of(' ') + 1);
        if (const auto found = find_oracle(name); !found) return self.placed(found.error(), directive);
        self.program_.oracle = name;
        self.program_.slice = "block";
        if (open == std::string::npos) return {};
        if (!directive.value.ends_with(')'))
            return fail("the oracle's bracket does not close", self.value_place(directive));
        const std::string slice = directive.value.substr(open + 1, directive.value.size() - open - 2);
        self.program_.slice = with_constants(slice, self.program_.scan);
        if (const auto value = evaluate(self.program_.slice, trial); !value)
            return self.placed(value.error(), directive, open + 1);
        return {};
    }

    /// `in = input(n)`, the directive's value.
    static Result<void> argument(Reader& self, const Directive& directive) {
        const std::size_t equals = directive.value.find(" = ");
        const std::string name = directive.value.substr(0, equals);
        const std::string plan = equals == std::string::npos ? "" : directive.value.substr(equals + 3);
        const KernelDeclaration* kernel = declaration_of(self.program_.scan, self.program_.kernel);
        const auto parameter = std::ranges::find(kernel->parameters, name, &compile::Parameter::name);
        if (parameter == kernel->parameters.end()) {
            // Of several kernels without sections, the line may be another one's.
            const bool elsewhere = std::ranges::any_of(self.program_.scan.kernels, [&](const KernelDeclaration& other) {
                return std::ranges::find(other.parameters, name, &compile::Parameter::name) != other.parameters.end();
            });
            if (elsewhere) return {};
            return fail(fmt::format("the kernel {} has no parameter named '{}'", kernel->name, name),
                        self.key_place(directive));
        }
        Result<ArgumentPlan> read = parse_plan(self.program_, *parameter, plan, self.value_place(directive));
        if (!read) return std::unexpected(read.error());
        std::erase_if(self.program_.arguments, [&](const ArgumentPlan& other) { return other.parameter == name; });
        self.program_.arguments.push_back(*std::move(read));
        return {};
    }

    /// `coefficients = 1 2 1`, the directive's value.
    static Result<void> constant(Reader& self, const Directive& directive) {
        const std::size_t equals = directive.value.find(" = ");
        const std::string name = directive.value.substr(0, equals);
        const std::string input = equals == std::string::npos ? "" : directive.value.substr(equals + 3);
        const auto variable = self.program_.scan.device_variables.find(name);
        if (variable == self.program_.scan.device_variables.end())
            return fail(fmt::format("the file has no __constant__ or __device__ variable named '{}'", name),
                        self.key_place(directive));
        const auto element = element_type(self.program_, variable->second);
        if (!element)
            return fail(fmt::format("'{}' is of type {}, which is no number", name, variable->second),
                        self.key_place(directive));
        if (const auto made = make_input(input, element->element, 0); !made)
            return self.placed(made.error(), directive);
        self.program_.constants.emplace_back(name, input);
        return {};
    }

    static std::span<const Key> keys() {
        static constexpr std::array<Key, 32> table{
            {{"title", text<&Program::title>},
             {"family", text<&Program::family>},
             {"order", [](Reader&, const Directive&) { return Result<void>(); }},  // catalog.cpp reads it
             {"summary", text<&Program::summary>},
             {"lecture", text<&Program::lecture>},
             {"words", paragraph<&Program::words>},
             {"look", paragraph<&Program::look>},
             {"reading", paragraph<&Program::reading>},
             {"work", expression<&Program::work>},
             {"span", expression<&Program::span>},
             {"kernel", nullptr},  // begins a section, see run()
             {"program", nullptr},
             {"constant", constant},
             {"arg", argument},
             {"template", template_arguments<&Program::template_arguments>},
             {"timed template", template_arguments<&Program::timed_template_arguments>},
             {"shared", expression<&Program::shared>},
             {"grid", extent<&Program::grid>},
             {"timed grid", extent<&Program::timed_grid>},
             {"block", extent<&Program::default_block>},
             {"block rule", block_rule},
             {"block reason", text<&Program::block_reason>},
             {"n limit", expression<&Program::n_limit>},
             {"n reason", text<&Program::n_reason>},
             {"arch", expression<&Program::arch>},
             {"fault", fault},
             {"n", expression<&Program::default_n>},
             {"input", input},
             {"oracle", oracle},
             {"output", text<&Program::output>},
             {"elements", [](Reader&, const Directive&) { return Result<void>(); }},  // catalog_element.cpp reads them
             {"element reason", [](Reader&, const Directive&) { return Result<void>(); }}}};
        return table;
    }

    static std::string keys_remedy() {
        std::string list;
        for (const Key& key : keys())
            list += (list.empty() ? "" : ", ") + std::string(key.name) +
                    (key.name == "arg" || key.name == "constant" ? " NAME" : "");
        return "the keys are " + list;
    }

    [[nodiscard]] Place key_place(const Directive& directive) const {
        return {program_.source_name, directive.line, directive.column};
    }
    [[nodiscard]] Place value_place(const Directive& directive) const {
        return {program_.source_name, directive.line, directive.value_column};
    }

    /// A problem with its column in the value (or `offset` bytes behind its begin) -> its place in the file.
    [[nodiscard]] std::unexpected<Problem> placed(Problem problem, const Directive& directive,
                                                  std::size_t offset = 0) const {
        const unsigned column = problem.where.column != 0 ? problem.where.column - 1 : 0;
        problem.where = value_place(directive);
        problem.where.column += column + unsigned(offset);
        return std::unexpected(std::move(problem));
    }

    Result<void> check_output() const {
        if (program_.output.empty()) return {};
        const KernelDeclaration* kernel = declaration_of(program_.scan, program_.kernel);
        const std::string name = program_.output.substr(0, program_.output.find('.'));
        const auto parameter = std::ranges::find(kernel->parameters, name, &compile::Parameter::name);
        const bool of_structure = program_.output.size() > name.size();  // its member: that it is one, the result says
        if (parameter != kernel->parameters.end() && (parameter->pointer || of_structure)) return {};
        const auto line = std::ranges::find(program_.scan.directives, std::string_view("output"), &Directive::key);
        return fail(fmt::format("the kernel {} has no pointer named '{}'", kernel->name, program_.output),
                    line == program_.scan.directives.end() ? Place{program_.source_name, 0, 0} : value_place(*line));
    }

    Program& program_;
    bool named_;  ///< the instance of the template was asked for
};

bool is_host(const compile::SourceScan& scan, std::string_view name) {
    return std::ranges::find(scan.hosts, name, &KernelDeclaration::name) != scan.hosts.end();
}

/// Everything that depends on the kernel.
Result<Program> as_kernel(Program program, const std::string& kernel, std::vector<std::string> template_arguments) {
    program.kernel = kernel;
    program.host = is_host(program.scan, kernel);
    program.template_arguments = std::move(template_arguments);
    if (Result<void> read = Reader(program).run(); !read) return std::unexpected(read.error());
    guess_launch(program);
    guess_arguments(program);
    if (program.title.empty()) program.title = kernel;
    if (program.family.empty()) program.family = "file";
    return program;
}

/// The kernel to run where nobody names one: the comment's, else the first that the file launches, else its first.
const KernelDeclaration* default_kernel(const compile::SourceScan& scan) {
    for (const Directive& directive : scan.directives) {
        if (directive.key != "kernel" && directive.key != "program") continue;
        if (const KernelDeclaration* named = declaration_of(scan, directive.value)) return named;
    }
    for (const compile::LaunchHint& hint : scan.launches) {
        if (const KernelDeclaration* launched = declaration_of(scan, hint.kernel)) return launched;
    }
    return scan.kernels.empty() ? nullptr : &scan.kernels.front();
}

/// Does main launch more than once, as far as can be told without following it?
bool launches_several(const compile::SourceScan& scan) {
    return is_host(scan, "main") &&
           (scan.launches.size() > 1 || (scan.launches.size() == 1 && scan.launches.front().repeated));
}

/// The first line that says how a kernel is launched, on what, or which one it is; null: there are but words about the file.
const Directive* line_on_launch(const compile::SourceScan& scan) {
    constexpr std::array<std::string_view, 14> of_the_file{
        "title",   "family", "order",        "summary",  "lecture",  "words",          "look",
        "reading", "arch",   "block reason", "n reason", "elements", "element reason", "fault"};
    const auto found = std::ranges::find_if(scan.directives, [&](const Directive& directive) {
        return std::ranges::find(of_the_file, directive.key) == of_the_file.end();
    });
    return found == scan.directives.end() ? nullptr : &*found;
}

/// Does the kernel take structures that point somewhere, or arrays of structures? What is in them only host code knows.
bool takes_structures(const Program& program, const KernelDeclaration& kernel) {
    return is_host(program.scan, "main") && !program.scan.launches.empty() &&
           std::ranges::any_of(kernel.parameters, [&](const compile::Parameter& parameter) {
               const std::string& type = parameter.pointer ? parameter.element : parameter.type;
               return !element_type(program, type) && structure_of(program, type);
           });
}

/// The file, before a kernel of it is chosen.
Result<Program> bare_program(std::string source, const std::string& name) {
    Program program;
    program.name = std::filesystem::path(name).filename().string();
    program.source_name = name;
    if (constexpr std::string_view mark = "\xEF\xBB\xBF"; source.starts_with(mark)) source.erase(0, mark.size());
    if (name.ends_with(".ptx")) {
        Result<compile::SourceScan> scan = scan_ptx(source, name);
        if (!scan) return std::unexpected(scan.error());
        program.scan = *std::move(scan);
        program.ptx = std::move(source);
    } else {
        program.scan = compile::scan_source(source);
        program.source = std::move(source);
    }
    // Nobody hands main anything: it is run without words on its command line.
    for (KernelDeclaration& function : program.scan.hosts)
        if (function.name == "main") function.parameters.clear();
    return program;
}

}  // namespace

const KernelDeclaration* declaration_of(const compile::SourceScan& scan, std::string_view kernel) {
    const auto exact = std::ranges::find(scan.kernels, kernel, &KernelDeclaration::name);
    if (exact != scan.kernels.end()) return &*exact;
    const auto last = std::ranges::find_if(scan.kernels, [&](const KernelDeclaration& declaration) {
        return declaration.name.ends_with(fmt::format("::{}", kernel));
    });
    if (last != scan.kernels.end()) return &*last;
    const auto host = std::ranges::find(scan.hosts, kernel, &KernelDeclaration::name);
    return host == scan.hosts.end() ? nullptr : &*host;
}

const std::vector<std::string>& fault_names() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all{"wrong result"};
        for (auto kind = trace::Finding::Kind::out_of_bounds; kind <= trace::Finding::Kind::invalid_launch;
             kind = trace::Finding::Kind(int(kind) + 1))
            all.emplace_back(trace::name_of(kind));
        return all;
    }();
    return names;
}

std::string with_constants(std::string_view expression, const compile::SourceScan& scan) {
    std::string result;
    std::size_t copied = 0;
    const std::vector<compile::Token> code = compile::code_of(compile::tokenize(expression), compile::Branch::first);
    for (std::size_t i = 0; i < code.size(); ++i) {
        const bool ours = code[i].is("n") || code[i].is("block") || code[i].is("grid");
        const bool called = i + 1 < code.size() && code[i + 1].is("(");
        if (code[i].kind != compile::TokenKind::identifier || ours || called) continue;
        const auto constant = scan.constants.find(std::string(code[i].text));
        if (constant == scan.constants.end()) continue;
        result += expression.substr(copied, code[i].offset - copied);
        result += constant->second;
        copied = code[i].end();
    }
    return result + std::string(expression.substr(copied));
}

Result<Program> program_from_source(std::string source, const std::string& name) {
    Result<Program> program = bare_program(std::move(source), name);
    if (!program) return program;
    const KernelDeclaration* kernel = default_kernel(program->scan);
    if (kernel == nullptr)
        return fail("the file has no kernel", {name, 0, 0},
                    program->ptx.empty() ? "a kernel is a function marked __global__, with its body in the file"
                                         : "a kernel is an .entry with its body; is the file complete?");
    const bool launches = !program->scan.launches.empty() ||
                          program->source.find("cudaLaunchKernel") != std::string::npos ||
                          program->source.find("cudaLaunchCooperativeKernel") != std::string::npos;
    const Directive* const described = line_on_launch(program->scan);
    const bool has_main = is_host(program->scan, "main") && launches;
    if (has_main && described != nullptr && kernel->name != "main")
        program->notes.push_back(
            fmt::format("main is not followed, for the comment in line {} (lanescope: {}) says how {} is run",
                        described->line, described->key, kernel->name));
    if (has_main && described == nullptr) {
        Result<Program> whole = as_kernel(*program, "main", {});
        const Result<FollowedMain> followed =
            whole ? follow_main(whole->source, whole->source_name) : std::unexpected(whole.error());
        if (followed) {
            whole->notes.emplace_back(
                launches_several(whole->scan)
                    ? "main is followed: all its launches are run, with what it does between them"
                    : "main is followed: its launch is run, with the sizes and the data that it has");
            return whole;
        }
        program->notes.push_back(
            fmt::format("main cannot be followed, and one kernel is shown: {}", followed.error().message()));
    }
    const bool whole_program = is_host(program->scan, kernel->name);
    if (program->scan.kernels.size() > 1 && !whole_program) {
        std::string others;
        for (const KernelDeclaration& other : program->scan.kernels) {
            if (other.name != kernel->name) others += (others.empty() ? "" : ", ") + other.name;
        }
        program->notes.push_back(
            fmt::format("of the file's kernels {} is taken; it also has {}", kernel->name, others));
    }
    return as_kernel(*program, kernel->name, {});
}

std::string kernel_alone(const Program& program) {
    const KernelDeclaration* kernel = default_kernel(program.scan);
    const bool main = program.host && program.kernel == "main" && line_on_launch(program.scan) == nullptr;
    const bool free = main && kernel != nullptr && !launches_several(program.scan);
    return free && !takes_structures(program, *kernel) ? kernel->name : "";
}

Result<Program> with_kernel(const Program& program, std::string_view kernel) {
    std::string name(kernel);
    std::vector<std::string> template_arguments;
    if (const std::size_t open = name.find('<'); open != std::string::npos && name.ends_with('>')) {
        const std::string list = name.substr(open + 1, name.size() - open - 2);
        const std::vector<compile::Token> code = compile::code_of(compile::tokenize(list), compile::Branch::first);
        for (const compile::TokenRange& part : compile::split_commas(code, {0, code.size()}, true))
            template_arguments.push_back(compile::as_written(code, part));
        name.resize(open);
    }
    const KernelDeclaration* declaration = declaration_of(program.scan, name);
    if (declaration == nullptr) {
        std::string known;
        for (const KernelDeclaration& other : program.scan.kernels) known += (known.empty() ? "" : ", ") + other.name;
        return fail(fmt::format("{} has no kernel named '{}'", program.source_name, name), {program.source_name, 0, 0},
                    "its kernels are " + known);
    }
    Program bare;
    bare.name = program.name;
    bare.source = program.source;
    bare.source_name = program.source_name;
    bare.built_in = program.built_in;
    bare.scan = program.scan;
    bare.ptx = program.ptx;
    const bool of_elements = !template_arguments.empty() && is_element_type(template_arguments.front()) &&
                             !takes_types(*declaration) && !elements_of(program).empty();
    if (!of_elements) return as_kernel(std::move(bare), declaration->name, std::move(template_arguments));
    const std::string type = template_arguments.front();
    auto source = with_elements_of(program, type);
    if (!source) return std::unexpected(source.error());
    template_arguments.erase(template_arguments.begin());
    if (*source != program.source)
        bare.notes.push_back(fmt::format("The source is that of {}, but for the type of {}: {}", program.name,
                                         fmt::join(elements_of(program), ", "), type));
    bare.source = *std::move(source);
    bare.scan = compile::scan_source(bare.source);
    return as_kernel(std::move(bare), name, std::move(template_arguments));
}

}  // namespace lanescope::session
