// Types that the source names and that are no numbers by their names: aliases, enumerations, structures. Their meaning
// comes from the DWARF that the compiler writes.
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

/// The type as the chosen kernel sees it. Neither where there is no such type or no compiler, and for types of other
/// kinds. Each is asked once in a process, together with the others of the kernel's parameters.
[[nodiscard]] CompiledType compiled_type(const Program& program, std::string_view type);

}  // namespace lanescope::session
