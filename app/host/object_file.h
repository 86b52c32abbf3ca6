// An object file -> the names that it defines and those that it lacks, of host and device code.
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
/// The symbols of an ELF file of this machine's kind; nothing where it is none.
[[nodiscard]] ObjectSymbols read_symbols(const std::filesystem::path& object);

struct FunctionPlace {
    std::uint64_t address = 0, bytes = 0;
    bool internal = false;  ///< of internal linkage: a static one
    bool several = false;   ///< other files of the program have one of this name, too
};
/// The functions of a linked program, by name; of several of internal linkage the first.
[[nodiscard]] std::map<std::string, FunctionPlace> read_functions(const std::filesystem::path& program);

/// The translation units of PTX in data or in nvcc's text: each from `.version` on, without the comments before it.
[[nodiscard]] std::string ptx_units_in(std::string_view data);
/// The PTX in an object or a program, one translation unit after the other.
[[nodiscard]] std::string read_device_code(const std::filesystem::path& object);

}  // namespace lanescope::host
