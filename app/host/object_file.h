// An object file -> the names that it defines and those that it lacks, of host and device code.
#pragma once

#include <filesystem>
#include <set>
#include <string>

namespace lanescope::host {

struct ObjectSymbols {
    std::set<std::string> defined;
    std::set<std::string> undefined;
    std::set<std::string> undefined_on_device;  ///< what its PTX declares .extern, shared memory apart
};
/// Of an ELF file of this machine's kind; nothing where it is none.
[[nodiscard]] ObjectSymbols read_symbols(const std::filesystem::path& object);

/// The PTX in an object or a program, one translation unit after the other.
[[nodiscard]] std::string read_device_code(const std::filesystem::path& object);

}  // namespace lanescope::host
