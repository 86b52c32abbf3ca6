// Which source variable lives in which register or memory, from the DWARF that NVRTC -G writes as .section text.
#pragma once

#include "ptx/module.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ptx {

/// `.section .debug_info { ... }`: its name and the text between the braces.
struct SectionText {
    std::string_view name;
    std::string_view body;
};

/// Label -> string, of .debug_str.
[[nodiscard]] std::map<std::string, std::string, std::less<>> debug_strings(const std::vector<SectionText>& sections);

/// Fills Function::source_variables, Module::arrays and Module::structures. A label counts as its line of PTX. Damaged
/// or unknown entries are skipped silently: names help, and never are a reason to refuse a kernel.
void read_dwarf(Module& module, const std::vector<SectionText>& sections);

/// Adds the shared variables that Module::arrays lacks, by their names in PTX ("_ZZ4scanE2XY" is XY).
void name_shared_arrays(Module& module);

}  // namespace lanescope::ptx
