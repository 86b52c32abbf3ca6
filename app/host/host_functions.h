// A compiled program -> its functions of both host and device, with the places of their arguments: what a call by host
// code needs to be run as a launch of one thread, too. Types and sizes are the compiler's own (DWARF).
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace lanescope::host {

/// A parameter or a result, by the register that carries it (System V ABI for AMD64, 3.2.3).
struct HostValue {
    enum class Kind : std::uint8_t { none, integer, floating, pointer };  ///< none: void. pointer: or a reference
    Kind kind = Kind::none;
    bool is_signed = false;
    std::uint32_t bytes = 0;
    std::string name;      ///< of a parameter
    std::string type;      ///< "int", "const float*"
    bool written = false;  ///< of a pointer: what it points to is not const
};

struct HostFunction {
    std::string name;         ///< as linked
    std::string device_name;  ///< in the PTX: another one where the function has internal linkage
    std::uint64_t address = 0, bytes = 0;
    std::vector<HostValue> parameters;
    HostValue result;
    std::string refused;  ///< why its calls are counted only, "it takes a structure by value"; empty: they are not
};

/// The functions of the program's host code that the PTX has, too, in the order of their addresses; `device_names`: the
/// functions of the PTX. A function of internal linkage is among them where no other file of the program has one of its
/// name. Without libdw their calls are counted only.
[[nodiscard]] std::vector<HostFunction> host_functions(const std::filesystem::path& program,
                                                       const std::vector<std::string>& device_names);

}  // namespace lanescope::host
