// The DWARF that NVRTC -G writes as .section text -> the register or memory that each source variable lives in.
#pragma once

#include "ptx/declarations.h"

#include <map>
#include <set>
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

/// A translation unit as its DWARF is read.
struct DwarfUnit {
    const std::vector<SectionText>& sections;
    const std::vector<std::uint32_t>& functions;  ///< that it defines: indices in Module::functions
    const Globals& names;
};
/// Known from earlier units.
struct DwarfKnown {
    std::set<std::string> structures;
    std::set<std::uint32_t> variables;  ///< of Module::variables: two units may both describe one
    std::size_t ranges = 0;
};
/// Fills Function::source_variables, Module::arrays and Module::structures. A label counts as its line of PTX. Damaged
/// and unknown parts are left out silently: names are a help, never a reason to refuse a kernel.
void read_dwarf(Module& module, const DwarfUnit& unit, DwarfKnown& known);

/// Adds the shared variables that Module::arrays lacks, by their names in PTX ("_ZZ4scanE2XY" is XY).
void name_shared_arrays(Module& module);

}  // namespace lanescope::ptx
