#include "session/compiled_kernel.h"

#include "analysis/source/element_type.h"
#include "base/demangle.h"
#include "base/embedded.h"
#include "base/files.h"
#include "base/number_type.h"
#include "compile/probe.h"
#include "ptx/reached.h"
#include "session/launched_module.h"
#include "trace/element.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace lanescope::session {

namespace {

/// The numbers of the recipe's own launch, for template arguments that name them.
Variables usual_launch(const Recipe& recipe) {
    Variables variables = trial;
    if (const auto block = evaluate_extent(recipe.block.empty() ? "32" : recipe.block, trial))
        variables.block = block->count();
    if (const auto n = evaluate(recipe.n.empty() ? "64" : recipe.n, variables)) variables.n = *n;
    return variables;
}

std::shared_ptr<const CompiledKernel> kernel_in(const compile::CompileOutput& output, const std::string& instance,
                                                const std::string& source) {
    const auto linked = output.names.find(instance);
    if (linked == output.names.end()) return nullptr;
    auto module = launched_module(output.ptx, "types.ptx", {linked->second}, source);
    if (!module || module->find(linked->second) == nullptr) return nullptr;
    return std::make_shared<const CompiledKernel>(CompiledKernel{std::move(*module), instance, linked->second});
}

}  // namespace

std::shared_ptr<const CompiledKernel> compiled_kernel(const Program& program) {
    constexpr std::size_t most_kept = 16;  // states of a source that is edited
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<const CompiledKernel>> known;
    if (program.source.text.empty() || program.recipe.host) return nullptr;
    const Result<std::string> instance = instance_of(program, usual_launch(program.recipe));
    if (!instance) return nullptr;
    compile::CompileRequest asked = compile_request(program.source);
    asked.instantiate = {*instance};
    std::string question = fmt::format("{}\n{}\n{}", asked.name, *instance, compile::state_of(asked));
    {
        const std::scoped_lock lock(mutex);
        if (const auto found = known.find(question); found != known.end()) return found->second;
    }
    const auto output = compile::answer_to(asked);
    auto kernel = output == nullptr ? nullptr : kernel_in(*output, *instance, program.source.name);
    const std::scoped_lock lock(mutex);
    if (known.size() >= most_kept) known.clear();
    known.emplace(std::move(question), kernel);
    return kernel;
}

bool is_of_the_catalog(const SourceFile& source) {
    return source.built_in || std::ranges::any_of(embedded_files(), [&](const EmbeddedFile& file) {
               return file.path.ends_with(".cu") && file.bytes == source.text;
           });
}

void resolve_parameters(Program& program) {
    auto& kernels = program.source.scan.kernels;
    const auto declaration = std::ranges::find(kernels, program.recipe.kernel, &compile::KernelDeclaration::name);
    if (declaration == kernels.end() || is_of_the_catalog(program.source)) return;
    const auto compiled = compiled_kernel(program);
    if (compiled == nullptr) return;
    if (auto parameters = described_parameters(compiled->function())) declaration->parameters = *std::move(parameters);
}

std::optional<DynamicShared> dynamic_shared_of(const CompiledKernel& kernel) {
    const ptx::Module& module = kernel.module;
    for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
        const ptx::Variable& variable = module.variables[i];
        if (variable.space != ptx::Space::shared || !variable.dynamic() ||
            !ptx::uses_variable(module, kernel.function(), i))
            continue;
        const auto array = std::ranges::find_if(module.arrays, [&](const ptx::SourceArray& described) {
            return described.function == ptx::SourceArray::everywhere && described.variable == i;
        });
        if (array == module.arrays.end()) return DynamicShared{.name = variable_name_of(variable.name), .type = {}};
        return DynamicShared{variable_name_of(variable.name), array->element_type, array->element_bytes};
    }
    return std::nullopt;
}

std::optional<DeviceVariable> device_variable(const CompiledKernel& kernel, std::string_view name) {
    for (const ptx::SourceArray& array : kernel.module.arrays) {
        if (array.function != ptx::SourceArray::everywhere) continue;
        const ptx::Variable& variable = kernel.module.variables[array.variable];
        if (!variable.in_global_memory() || variable_name_of(variable.name) != name) continue;
        DeviceVariable found{.type = array.element_type, .element = {}};
        if (const auto numbers = number_type(bare_type(array.element_type)))
            found.element = ElementType{trace::element_of(*numbers), numbers->components};
        else if (const auto element = analysis::element_of_number(array.kind, array.element))
            found.element = ElementType{*element, 1};
        return found;
    }
    return std::nullopt;
}

std::string compiling_text(const std::filesystem::path& file, const std::string& text) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> slow{
        {{"<thrust/", "Thrust"},
         {"<cub/", "CUB"},
         {"<cooperative_groups", "cooperative groups"},
         {"<cuda/", "libcu++"}}};
    std::string all = text;
    constexpr std::string_view include = "#include \"";
    for (std::size_t at = text.find(include); at != std::string::npos; at = text.find(include, at + 1)) {
        const std::size_t first = at + include.size(), end = text.find('"', first);
        if (end == std::string::npos) break;
        if (const auto header = read_file(file.parent_path() / text.substr(first, end - first))) all += *header;
    }
    std::vector<std::string_view> used;
    for (const auto& [header, name] : slow)
        if (all.find(header) != std::string::npos) used.push_back(name);
    const std::string what = fmt::format("compiling {}", file.filename().string());
    if (used.empty()) return what;
    return fmt::format("{} with {}, whose headers take seconds the first time", what, fmt::join(used, " and "));
}

}  // namespace lanescope::session
