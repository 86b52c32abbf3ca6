#include "execute/emulator/variable_names.h"

#include "base/demangle.h"
#include "trace/element.h"

#include <algorithm>

namespace lanescope::execute {

namespace {

const ptx::SourceArray* described(const ptx::Module& module, const ptx::Variable& variable) {
    for (const ptx::SourceArray& array : module.arrays) {
        const bool of_module = array.function == ptx::SourceArray::everywhere;
        if (!of_module && array.function >= module.functions.size()) continue;
        const auto& owner = of_module ? module.variables : module.functions[array.function].variables;
        const bool local = array.space == ptx::Space::local;  // several share one variable of the PTX
        if (!local && array.variable < owner.size() && &owner[array.variable] == &variable) return &array;
    }
    return nullptr;
}

}  // namespace

std::string source_name(const ptx::Module& module, const ptx::Variable& variable) {
    if (const ptx::SourceArray* array = described(module, variable)) return variable_name_of(array->name);
    return variable_name_of(variable.name);
}

std::optional<trace::Element> element_of(const ptx::Module& module, const ptx::Variable& variable) {
    if (const ptx::SourceArray* array = described(module, variable)) {
        if (const auto element = element_of(*array)) return element;
    }
    return trace::element_of(variable.type);
}

std::optional<trace::Element> element_of(const ptx::SourceArray& array) {
    const std::optional<trace::Element> named = trace::element_named(array.element_type);
    return named ? named : trace::element_of(array.element);
}

std::vector<trace::SharedArray> shared_arrays(const ptx::Module& module, const ptx::Function& kernel,
                                              const std::vector<const ptx::Variable*>& variables,
                                              std::uint64_t dynamic_bytes) {
    std::vector<trace::SharedArray> arrays;
    for (const ptx::Variable* variable : variables) {
        trace::SharedArray array;
        array.name = source_name(module, *variable);
        array.offset = variable->dynamic() ? kernel.dynamic_shared_offset : variable->offset;
        array.bytes = variable->dynamic() ? dynamic_bytes : variable->bytes;
        array.element = element_of(module, *variable);
        arrays.push_back(std::move(array));
    }
    std::ranges::stable_sort(arrays, {}, &trace::SharedArray::offset);
    return arrays;
}

}  // namespace lanescope::execute
