#include "session/described_variables.h"

#include "base/demangle.h"
#include "base/number_type.h"
#include "compile/probe.h"
#include "session/compiled_types.h"
#include "session/element_types.h"
#include "session/launched_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

namespace lanescope::session {

namespace {

const std::vector<ptx::Variable>& owner_of(const ptx::Module& module, const ptx::SourceArray& array) {
    const bool of_module = array.function == ptx::SourceArray::everywhere;
    return of_module ? module.variables : module.functions[array.function].variables;
}

/// 0: of unknown size.
std::uint64_t bytes_of(const ptx::SourceArray& array) {
    return std::accumulate(array.extents.begin(), array.extents.end(), std::uint64_t{array.element_bytes},
                           std::multiplies<>());
}

bool same_type(const ptx::SourceArray& one, const ptx::SourceArray& other) {
    return one.element_type == other.element_type && one.element_bytes == other.element_bytes &&
           one.extents == other.extents;
}

/// The descriptions of a module's variables, by their names in PTX. A variable of a function stands there twice: as the
/// compiler calls a static one, "_ZZ6reducePKiE4tile" (Itanium C++ ABI, 5.1.4.6), and by its own name, "tile", for
/// variables of functions that are inlined.
class Descriptions {
  public:
    explicit Descriptions(const ptx::Module& module) {
        for (const ptx::SourceArray& array : module.arrays) {
            if (array.element_bytes == 0 || array.variable >= owner_of(module, array).size()) continue;
            const std::string& variable = owner_of(module, array)[array.variable].name;
            if (array.space == ptx::Space::local) {
                add_local(module.functions[array.function].name, array);
            } else {
                named_.emplace(variable, array);
                own_.emplace(variable_name_of(variable), array);
            }
        }
        for (const ptx::Function& function : module.functions) {
            for (const ptx::SourceVariable& variable : function.source_variables) {
                if (variable.parameter || variable.bytes == 0) continue;
                ptx::SourceArray array;
                array.name = variable.name;
                array.element_type = variable.type;
                array.kind = variable.kind;
                array.element = variable.value;
                array.element_bytes = variable.bytes;
                add_local(function.name, array);
            }
        }
    }

    /// Nothing where several variables of that name differ in type.
    [[nodiscard]] const ptx::SourceArray* find(const ptx::Variable& variable) const {
        std::string_view name = variable.name;
        if (const ptx::SourceArray* exact = only(named_, name, variable.bytes)) return exact;
        // Where a function has several variables of one name, all but the first have a number: "_ZZ1kPiE4tile_0".
        const std::size_t number = name.find_last_not_of("0123456789");
        if (name.starts_with("_ZZ") && number != std::string_view::npos && name[number] == '_')
            if (const ptx::SourceArray* one = only(named_, name.substr(0, number), variable.bytes)) return one;
        return only(own_, variable_name_of(variable.name), variable.bytes);
    }

  private:
    using ByName = std::multimap<std::string, ptx::SourceArray, std::less<>>;

    void add_local(const std::string& function, const ptx::SourceArray& array) {
        const std::string encoding =
            function.starts_with("_Z") ? function.substr(2) : fmt::format("{}{}", function.size(), function);
        named_.emplace(fmt::format("_ZZ{}E{}{}", encoding, array.name.size(), array.name), array);
        own_.emplace(array.name, array);
    }

    static const ptx::SourceArray* only(const ByName& all, std::string_view name, std::uint64_t bytes) {
        const ptx::SourceArray* found = nullptr;
        const auto [first, past_last] = all.equal_range(name);
        for (auto at = first; at != past_last; ++at) {
            if (bytes_of(at->second) != bytes) continue;
            if (found != nullptr && !same_type(*found, at->second)) return nullptr;
            found = &at->second;
        }
        return found;
    }

    ByName named_, own_;
};

bool in_question(const ptx::Variable& variable) {
    using ptx::Space;
    return variable.space == Space::shared || variable.space == Space::global || variable.space == Space::constant;
}

/// Describes Module::variables (SourceArray::everywhere) or those of a function.
void describe_in(ptx::Module& module, std::uint32_t function, const Descriptions& known) {
    const bool of_module = function == ptx::SourceArray::everywhere;
    const std::vector<ptx::Variable>& variables = of_module ? module.variables : module.functions[function].variables;
    std::map<std::uint32_t, std::size_t> arrays;  ///< variable -> its place in Module::arrays
    for (std::size_t i = 0; i < module.arrays.size(); ++i)
        if (module.arrays[i].function == function && module.arrays[i].space != ptx::Space::local)
            arrays.emplace(module.arrays[i].variable, i);
    for (std::uint32_t i = 0; i < variables.size(); ++i) {
        if (!in_question(variables[i])) continue;
        const auto array = arrays.find(i);
        if (array != arrays.end() && module.arrays[array->second].element_bytes != 0) continue;
        const ptx::SourceArray* const description = known.find(variables[i]);
        if (description == nullptr) continue;
        ptx::SourceArray described = *description;
        described.space = variables[i].space;
        described.function = function;
        described.variable = i;
        described.offset = 0;
        if (array != arrays.end())
            module.arrays[array->second] = std::move(described);
        else
            module.arrays.push_back(std::move(described));
    }
}

void add_structures(ptx::Module& module, const ptx::Module& source) {
    for (const ptx::SourceStructure& structure : source.structures)
        if (std::ranges::find(module.structures, structure.name, &ptx::SourceStructure::name) ==
            module.structures.end())
            module.structures.push_back(structure);
}

/// Adds the structures of the kernels' parameters, by the names that the source gives their types.
void add_parameters_structures(const Program& program, ptx::Module& module) {
    std::set<std::string, std::less<>> types;
    for (const compile::KernelDeclaration& kernel : program.source.scan.kernels)
        for (const compile::Parameter& parameter : kernel.parameters) types.emplace(bare_type(parameter.type));
    for (const std::string& type : types) {
        const bool described = std::ranges::find(module.structures, type, &ptx::SourceStructure::name) !=
                               module.structures.end();  // by DWARF
        if (type.empty() || described || number_type(type)) continue;
        std::optional<ptx::SourceStructure> structure = compiled_type(program, type).structure;
        if (structure) module.structures.push_back(*std::move(structure));
    }
}

}  // namespace

bool has_undescribed(const ptx::Module& module, const std::string& text) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> described;
    for (const ptx::SourceArray& array : module.arrays)
        if (array.element_bytes != 0) described.emplace(array.function, array.variable);
    const auto any_in = [&](std::uint32_t function, const std::vector<ptx::Variable>& variables) {
        for (std::uint32_t i = 0; i < variables.size(); ++i) {
            if (in_question(variables[i]) && !described.contains({function, i}) &&
                text.find(variable_name_of(variables[i].name)) != std::string::npos)
                return true;
        }
        return false;
    };
    if (any_in(ptx::SourceArray::everywhere, module.variables)) return true;
    for (std::uint32_t f = 0; f < module.functions.size(); ++f)
        if (any_in(f, module.functions[f].variables)) return true;
    return false;
}

void describe_variables(ptx::Module& module, const ptx::Module& source) {
    const Descriptions known(source);
    describe_in(module, ptx::SourceArray::everywhere, known);
    for (std::uint32_t f = 0; f < module.functions.size(); ++f) describe_in(module, f, known);
    add_structures(module, source);
}

void describe_variables(const Program& program, const std::vector<std::string>& instances, compile::View view,
                        ptx::Module& module) {
    for (const compile::View other : {compile::View::written, compile::View::types}) {
        if (other == view || program.source.text.empty() || !has_undescribed(module, program.source.text)) continue;
        compile::CompileRequest asked = compile_request(program.source);
        asked.view = other;
        asked.arch = module.target;
        asked.instantiate = instances;
        const auto output = compile::answer_to(asked);
        if (output == nullptr) continue;
        std::vector<std::string> entries;
        for (const auto& [source_name, name] : output->names) entries.push_back(name);
        if (const auto types = launched_module(output->ptx, "types.ptx", entries, program.source.name))
            describe_variables(module, *types);
    }
    add_parameters_structures(program, module);
}

}  // namespace lanescope::session
