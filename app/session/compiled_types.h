// Types whose names in the source do not say what they are: aliases, enumerations, structures. Their meaning comes from
// the DWARF that the compiler writes.
#pragma once

#include "base/number_type.h"
#include "ptx/module.h"
#include "session/program.h"

#include <optional>
#include <string_view>

namespace lanescope::session {

struct CompiledType {
    std::optional<NumberType> number;               ///< vectors such as float4 included
    std::optional<ptx::SourceStructure> structure;  ///< named as the source does
};

/// The type as the chosen kernel sees it; both members are empty for types of other kinds, and without such a type or a
/// compiler. The compiler is asked for each once in a process, together with the kernel's other parameter types.
[[nodiscard]] CompiledType compiled_type(const Program& program, std::string_view type);

}  // namespace lanescope::session
