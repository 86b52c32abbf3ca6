// The tools' output -> the machine code (SASS) of a module: `nvdisasm -gp -c` -> instructions and the PTX lines that
// they were made for, `ptxas -v` -> the resources of each function.
//
// Reads the text, because nvdisasm's JSON has no PTX lines (tried with 13.2.51 and 13.5.37).
#pragma once

#include "base/ids.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::sass {

struct Instruction {
    std::uint32_t address = 0;             ///< bytes, in the function's section
    PtxLine line;                          ///< for which ptxas made it; invalid: not stated
    std::string text;                      ///< "@!P1 LDS R2, [R5]"; branches name labels, ".L_x_1"
    std::vector<std::string> labels = {};  ///< of this address
    friend bool operator==(const Instruction&, const Instruction&) = default;
};

/// The resources that ptxas reports for a function; sizes in bytes.
struct Resources {
    std::optional<std::uint64_t> registers;  ///< per thread, including called functions; ptxas states them only for
                                             ///< kernels
    std::uint64_t barriers = 0;
    std::uint64_t static_shared_bytes = 0;                      ///< of a block
    std::uint64_t stack_bytes = 0;                              ///< of a thread, of this function alone
    std::optional<std::uint64_t> cumulative_stack_bytes;        ///< with its calls; nothing: not stated
    std::uint64_t spill_store_bytes = 0, spill_load_bytes = 0;  ///< of a thread, of this function alone
    friend bool operator==(const Resources&, const Resources&) = default;
};

struct Function {
    std::string name;  ///< as in the PTX; also functions that ptxas adds
    std::vector<Instruction> instructions;
    std::uint32_t padding = 0;                ///< NOPs at its end, left out of `instructions`
    std::optional<Resources> resources = {};  ///< nothing: ptxas reports none
};

/// In the order of the text.
[[nodiscard]] std::vector<Function> read_disassembly(std::string_view text);
/// By the function's name in the PTX.
[[nodiscard]] std::map<std::string, Resources> read_resources(std::string_view text);

}  // namespace lanescope::sass
