// The DWARF that NVRTC -G writes into PTX, as far as it must be understood to change a unit's name and directory.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::compile {

/// Sets DW_AT_name and DW_AT_comp_dir of the compilation unit of `.debug_info`, and moves the references between entries
/// by what the strings grew or shrank. Text that it does not understand comes back as it was.
[[nodiscard]] std::string with_unit_strings(std::string ptx, std::string_view name, std::string_view directory);

}  // namespace lanescope::compile
