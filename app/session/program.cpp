#include "session/program.h"

#include "session/compiled_kernel.h"
#include "session/launch_guess.h"
#include "session/whole_program.h"

#include "compile/declarations.h"
#include "compile/lexer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

namespace lanescope::session {

namespace {

using compile::Directive;
using compile::KernelDeclaration;

constexpr std::array<std::string_view, 2> section_keys{"kernel", "program"};

std::string known_keys() {
    std::vector<std::string> keys = lesson_keys();
    keys.insert(keys.end(), section_keys.begin(), section_keys.end());
    std::ranges::move(recipe_keys(), std::back_inserter(keys));
    return fmt::format("the keys are {}", fmt::join(keys, ", "));
}

/// When a line is read: expressions may name template parameters; arguments and constants need the compiler.
enum class Stage : std::uint8_t { template_arguments, texts_and_sizes, compiled };

Stage stage_of(const Directive& line) {
    if (line.key == "arg" || line.key == "constant") return Stage::compiled;
    const bool of_template = line.key == "template" || line.key == "timed template";
    return of_template ? Stage::template_arguments : Stage::texts_and_sizes;
}

/// The lines for the chosen kernel that are read at this stage, added to the recipe and the lesson.
Result<void> read_description(Program& program, Stage stage) {
    bool ours = true;
    for (const Directive& line : program.source.description.lines) {
        if (line.value_column == 0)
            return fail("a lanescope line reads `key = value`", key_place(program, line), known_keys());
        if (std::ranges::find(section_keys, line.key) != section_keys.end()) {
            const KernelDeclaration* named = declaration_of(program.source.scan, line.value);
            if (named == nullptr)
                return fail(fmt::format("the file has no {} named \"{}\"",
                                        line.key == "kernel" ? "kernel" : "host function", line.value),
                            value_place(program, line));
            ours = named->name == program.recipe.kernel;
            continue;
        }
        if (!is_recipe_key(line.key) && !is_lesson_key(line.key))
            return fail(fmt::format("\"{}\" is not a key of a lanescope line", line.key), key_place(program, line),
                        known_keys());
        if (!ours || stage_of(line) != stage) continue;
        Result<void> read = is_recipe_key(line.key) ? read_recipe_line(program, line) : read_lesson_line(program, line);
        if (!read) return read;
    }
    return {};
}

/// The program with the parts that depend on the kernel.
Result<Program> as_kernel(Program program, const std::string& kernel, std::vector<std::string> template_arguments) {
    program.recipe.kernel = kernel;
    program.recipe.host = is_host(program.source.scan, kernel);
    program.recipe.template_arguments = std::move(template_arguments);
    program.recipe.instance_named = !program.recipe.template_arguments.empty();
    for (const Stage stage : {Stage::template_arguments, Stage::texts_and_sizes})
        if (Result<void> read = read_description(program, stage); !read) return std::unexpected(read.error());
    guess_template_arguments(program);
    resolve_parameters(program);
    if (Result<void> read = read_description(program, Stage::compiled); !read) return std::unexpected(read.error());
    read_lesson_text(program);
    if (Result<void> checked = check_recipe(program); !checked) return std::unexpected(checked.error());
    guess_launch(program);
    guess_arguments(program);
    if (program.lesson.title.empty()) program.lesson.title = kernel;
    if (program.lesson.family.empty()) program.lesson.family = "file";
    return program;
}

/// The default kernel: the description's, otherwise the first that the file launches, otherwise its first.
const KernelDeclaration* default_kernel(const SourceFile& source) {
    const compile::SourceScan& scan = source.scan;
    for (const Directive& directive : source.description.lines) {
        if (directive.key != "kernel" && directive.key != "program") continue;
        if (const KernelDeclaration* named = declaration_of(scan, directive.value)) return named;
    }
    for (const compile::NamedLaunch& launch : scan.launches) {
        if (const KernelDeclaration* launched = declaration_of(scan, launch.kernel)) return launched;
    }
    return scan.kernels.empty() ? nullptr : &scan.kernels.front();
}

/// Where a CUDA source seems to define main, in whatever branch of an #if or as a macro: the compiler says whether it
/// does, and without a main the kernel runs alone.
std::optional<std::uint32_t> line_of_main(const SourceFile& source) {
    if (source.text.find("main") == std::string::npos) return std::nullopt;
    std::vector<compile::Token> code = compile::tokenize(source.text);
    std::erase_if(code, [](const compile::Token& token) { return token.kind == compile::TokenKind::comment; });
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (code[i].kind == compile::TokenKind::directive) {
            const compile::DirectiveText directive = compile::directive_text(code[i].text);
            if (directive.name != "define") continue;
            const std::vector<compile::Token> macro = compile::tokenize(directive.rest);
            for (std::size_t j = 1; j + 1 < macro.size(); ++j)
                if (macro[j].is("main") && macro[j + 1].is("(")) return code[i].line;
        } else if (i > 0 && i + 1 < code.size() && code[i].is("main") && code[i + 1].is("(") &&
                   code[i - 1].kind == compile::TokenKind::identifier && !code[i - 1].is("return")) {
            return code[i].line;
        }
    }
    return std::nullopt;
}

/// Whether main launches more than once, as far as the text shows.
bool launches_several(const compile::SourceScan& scan) {
    return is_host(scan, "main") &&
           (scan.launches.size() > 1 || (scan.launches.size() == 1 && scan.launches.front().repeated));
}

/// The first line of the description about the launch, its data, or the kernel to launch; null: there is none.
const Directive* line_on_launch(const SourceFile& source) {
    constexpr std::array<std::string_view, 8> of_the_file{
        "arch", "block reason", "n reason", "elements", "element reason", "fault", "fault when", "fault reason"};
    const auto found = std::ranges::find_if(source.description.lines, [&](const Directive& line) {
        return !is_lesson_key(line.key) && std::ranges::find(of_the_file, line.key) == of_the_file.end();
    });
    return found == source.description.lines.end() ? nullptr : &*found;
}

}  // namespace

Result<Program> program_from_source(std::string source, const std::string& name, std::string lesson,
                                    compile::CompilerOptions options) {
    Result<SourceFile> file = read_source(std::move(source), name, std::move(lesson));
    if (!file) return std::unexpected(file.error());
    file->options = std::move(options);
    Program program{.name = std::filesystem::path(name).filename().string(), .source = *std::move(file)};
    if (const auto line = line_of_main(program.source); line && !is_host(program.source.scan, "main")) {
        // A main that launches through functions of other files contains no CUDA syntax.
        KernelDeclaration& main = program.source.scan.hosts.emplace_back();
        main.name = "main";
        main.line = *line;
    }
    const compile::SourceScan& scan = program.source.scan;
    const KernelDeclaration* kernel = default_kernel(program.source);
    // Without a kernel of its own, main launches those of other files or of a library.
    const bool main_alone = kernel == nullptr && program.source.ptx.empty() && is_host(scan, "main");
    if (kernel == nullptr && !main_alone)
        return fail("the file has no kernel", {name, 0, 0},
                    program.source.ptx.empty() ? "a kernel is a function marked __global__, with its body in the file"
                                               : "a kernel is an .entry with its body; is the file complete?");
    const Directive* const described = line_on_launch(program.source);
    const bool has_main = is_host(scan, "main");
    if (has_main && described != nullptr && kernel != nullptr && kernel->name != "main")
        program.notes.push_back(fmt::format(
            "main() does not run, because the comment in line {} (lanescope: {}) describes the launch of {}",
            described->line, described->key, kernel->name));
    if (has_main && described == nullptr) {
        const auto problem = cannot_run_programs();
        if (!problem) {
            Result<Program> whole = as_kernel(std::move(program), "main", {});
            if (whole) whole->notes.emplace_back("main() runs and launches its kernels");
            return whole;
        }
        if (main_alone) return std::unexpected(*problem);
        program.main_refused = fmt::format("main() cannot run, and one kernel runs alone: {}", problem->message());
        program.notes.push_back(program.main_refused);
    }
    const bool whole_program = is_host(scan, kernel->name);
    if (scan.kernels.size() > 1 && !whole_program) {
        std::string others;
        for (const KernelDeclaration& other : scan.kernels) {
            if (other.name != kernel->name) others += (others.empty() ? "" : ", ") + other.name;
        }
        program.notes.push_back(fmt::format("the kernel {} runs; the file also has {}", kernel->name, others));
    }
    return as_kernel(program, kernel->name, {});
}

std::string kernel_alone(const Program& program) {
    const KernelDeclaration* kernel = default_kernel(program.source);
    const bool main =
        program.recipe.host && program.recipe.kernel == "main" && line_on_launch(program.source) == nullptr;
    if (!main || kernel == nullptr || launches_several(program.source.scan)) return {};
    // Only host code knows what structures with pointers, and arrays of structures, hold.
    const Result<Program> alone = with_kernel(program, kernel->name);
    const bool takes_structures = alone && std::ranges::any_of(alone->recipe.arguments, [](const ArgumentPlan& plan) {
                                      return plan.structure.has_value();
                                  });
    return takes_structures ? "" : kernel->name;
}

Result<Program> with_kernel(const Program& program, std::string_view kernel) {
    std::string name(kernel);
    std::vector<std::string> template_arguments;
    if (const std::size_t open = name.find('<'); open != std::string::npos && name.ends_with('>')) {
        template_arguments = argument_list(name.substr(open + 1, name.size() - open - 2));
        name.resize(open);
    }
    const KernelDeclaration* declaration = declaration_of(program.source.scan, name);
    if (declaration == nullptr) {
        std::string known;
        for (const KernelDeclaration& other : program.source.scan.kernels)
            known += (known.empty() ? "" : ", ") + other.name;
        return fail(fmt::format("{} has no kernel named \"{}\"", program.source.name, name),
                    {program.source.name, 0, 0}, "its kernels are " + known);
    }
    Program bare{.name = program.name, .source = program.source};
    const bool of_elements = !template_arguments.empty() && is_element_type(template_arguments.front()) &&
                             !takes_types(*declaration) && !program.recipe.elements.names.empty();
    const std::vector<std::string> of_template(template_arguments.begin() + (of_elements ? 1 : 0),
                                               template_arguments.end());
    const std::string missing = of_template.empty() ? "" : parameter_without_argument(*declaration, of_template);
    if (!missing.empty())
        return fail(fmt::format("{} has no argument for the template parameter \"{}\"", kernel, missing),
                    {program.source.name, 0, 0},
                    fmt::format("It is a template <{}>.", fmt::join(declaration->template_parameters, ", ")));
    if (!of_elements) return as_kernel(std::move(bare), declaration->name, std::move(template_arguments));
    const std::string type = template_arguments.front();
    auto source = with_elements_of(program, type);
    if (!source) return std::unexpected(source.error());
    template_arguments.erase(template_arguments.begin());
    if (*source != program.source.text)
        bare.notes.push_back(fmt::format("The source of {}, with another type for {}: {}", program.name,
                                         fmt::join(program.recipe.elements.names, ", "), type));
    Result<SourceFile> file = read_source(*std::move(source), program.source.name, program.source.lesson);
    if (!file) return std::unexpected(file.error());
    file->built_in = program.source.built_in;
    file->changed = program.source.changed || file->text != program.source.text;
    file->options = program.source.options;
    bare.source = *std::move(file);
    Result<Program> retyped = as_kernel(std::move(bare), name, std::move(template_arguments));
    if (!retyped) return retyped;
    // An element of dynamic shared memory may be longer now.
    const auto before = compiled_kernel(program);
    const auto array = before == nullptr ? std::nullopt : dynamic_shared_of(*before);
    if (!array || std::ranges::find(program.recipe.elements.names, array->name) == program.recipe.elements.names.end())
        return retyped;
    for (std::string* const expression : {&retyped->recipe.shared, &retyped->recipe.timed.shared})
        replace_size_of(*expression, array->type, type);
    return retyped;
}

}  // namespace lanescope::session
