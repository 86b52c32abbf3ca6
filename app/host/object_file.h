// An object file -> its defined and its undefined symbols, of host and device code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lanescope::host {

struct ObjectSymbols {
    std::set<std::string> defined;
    std::set<std::string> undefined;
    std::set<std::string> undefined_on_device;  ///< what its PTX declares .extern, shared memory apart
};
/// The symbols of an ELF file for this machine; empty for any other file.
[[nodiscard]] ObjectSymbols read_symbols(const std::filesystem::path& object);

struct FunctionPlace {
    std::uint64_t address = 0, bytes = 0;
    bool internal = false;  ///< of internal linkage: a static one
    bool several = false;   ///< other files of the program have one of this name, too
};
/// The functions of a linked program, by name; the first one where several with internal linkage share a name.
[[nodiscard]] std::map<std::string, FunctionPlace> read_functions(const std::filesystem::path& program);

/// The PTX translation units in binary data or in nvcc's output: each begins at `.version`, without leading comments.
[[nodiscard]] std::string ptx_units_in(std::string_view data);
/// The PTX in an object or a program, one translation unit after the other.
[[nodiscard]] std::string read_device_code(const std::filesystem::path& object);

}  // namespace lanescope::host
