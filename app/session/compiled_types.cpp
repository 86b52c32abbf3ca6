#include "session/compiled_types.h"

#include "base/number_type.h"
#include "compile/probe.h"
#include "session/launched_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::session {

namespace {

using Types = std::map<std::string, CompiledType, std::less<>>;

/// "course::transpose" -> "course"
std::string scope_of(const std::string& kernel) {
    const std::size_t colons = kernel.rfind("::");
    return colons == std::string::npos ? "" : kernel.substr(0, colons);
}

/// Nothing where one of them is no type, or where the source does not compile.
std::optional<Types> ask(const Program& program, const std::vector<std::string>& names) {
    const std::string scope = scope_of(program.recipe.kernel);
    const auto output = compile::compile(compile::with_types(compile_request(program.source), scope, names));
    if (!output) return std::nullopt;
    const auto entry =
        output->names.find(scope.empty() ? compile::types_kernel : fmt::format("{}::{}", scope, compile::types_kernel));
    if (entry == output->names.end()) return std::nullopt;
    const auto module = launched_module(output->ptx, "types.ptx", {entry->second}, program.source.name);
    const ptx::Function* const kernel = module ? module->find(entry->second) : nullptr;
    if (kernel == nullptr || kernel->source_parameters.size() != names.size()) return std::nullopt;
    Types types;
    for (std::size_t i = 0; i < names.size(); ++i) {
        const ptx::SourceVariable& parameter = kernel->source_parameters[i];
        CompiledType& type = types[names[i]];
        type.number = parameter.target;
        const auto structure =
            std::ranges::find(module->structures, bare_type(parameter.type), &ptx::SourceStructure::name);
        const bool is_structure = parameter.target_kind == ptx::TypeKind::structure && !type.number;
        if (!is_structure || structure == module->structures.end()) continue;
        type.structure = *structure;
        type.structure->name = names[i];
    }
    return types;
}

/// Type names of the kernel's parameters that no table knows.
std::vector<std::string> unknown_types(const Program& program) {
    std::vector<std::string> names;
    const compile::KernelDeclaration* kernel = declaration_of(program.source.scan, program.recipe.kernel);
    if (kernel == nullptr || !kernel->template_parameters.empty()) return names;
    for (const compile::Parameter& parameter : kernel->parameters) {
        const std::string& spelled = parameter.pointer ? parameter.element : parameter.type;
        const std::string name(bare_type(spelled));
        if (!name.empty() && !spelled.ends_with('*') && name != "void" && !number_type(name) &&
            std::ranges::find(names, name) == names.end())
            names.push_back(name);
    }
    return names;
}

/// A library's types have members that mean nothing to its users, and its headers take seconds to compile.
bool is_of_a_library(std::string_view type) {
    constexpr std::array<std::string_view, 5> libraries{"cuda::", "cub::", "cooperative_groups::", "std::", "thrust::"};
    return std::ranges::any_of(libraries, [&](std::string_view library) { return type.starts_with(library); });
}

}  // namespace

CompiledType compiled_type(const Program& program, std::string_view type) {
    static std::mutex mutex;
    static std::map<std::pair<std::string, std::string>, Types> known;
    if (type.ends_with('*')) return {};
    const std::string name(bare_type(type));
    if (program.source.text.empty() || name.empty() || name == "void" || is_of_a_library(name)) return {};
    const std::scoped_lock lock(mutex);
    Types& types = known[{compile::state_of(compile_request(program.source)), program.recipe.kernel}];
    if (const auto found = types.find(name); found != types.end()) return found->second;
    std::vector<std::string> names = unknown_types(program);
    if (std::ranges::find(names, name) == names.end()) names = {name};
    std::optional<Types> answer = ask(program, names);
    if (!answer && names.size() > 1) answer = ask(program, {name});
    if (answer) types.merge(*answer);
    return types[name];  // what the compiler does not know, it is not asked again
}

}  // namespace lanescope::session
