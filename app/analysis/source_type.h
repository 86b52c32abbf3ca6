// From a type's name in the CUDA source, as DWARF writes it, to how its bytes are read.
#pragma once

#include "trace/trace.h"

#include <optional>
#include <string_view>

namespace lanescope::analysis {

/// "unsigned int" of 4 bytes -> u32. Nothing for what is not one number: pointers, structs, bool.
[[nodiscard]] std::optional<trace::Element> element_of_type(std::string_view type, std::uint64_t bytes);

}  // namespace lanescope::analysis
