// A compiled program -> its __host__ __device__ functions, with the locations of their arguments: what is needed to run
// a call by host code as a launch of one thread. Types and sizes come from DWARF.
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
    std::string refused;  ///< why calls are only counted, "it takes a structure by value"; empty: calls can be run
};

/// The functions of the program's host code that the PTX also contains, in the order of their addresses;
/// `device_names`: the functions of the PTX. A function with internal linkage is included if no other file of the
/// program defines one of its name. Without libdw their calls are only counted.
[[nodiscard]] std::vector<HostFunction> host_functions(const std::filesystem::path& program,
                                                       const std::vector<std::string>& device_names);

}  // namespace lanescope::host
