// The effect of one arithmetic instruction on a warp: a function over rows of 32 lanes, found once when a kernel is
// decoded and called through a pointer. Operations are pure: they read source rows and write destination rows of the
// given lanes, and know no memory, no warp and no trace.
#pragma once

#include "base/lane_mask.h"
#include "ptx/module.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace lanescope::execute {

/// The layout of a value in a warp's register file, one value a lane. A narrow row holds values of up to 32 bits,
/// shorter ones zero-extended.
enum class Row : std::uint8_t { none, predicate, narrow, wide };
inline constexpr std::uint32_t narrow_row_bytes = 32 * 4;
inline constexpr std::uint32_t wide_row_bytes = 32 * 8;

/// The kind of row for a register or a value of a type.
[[nodiscard]] Row row_of(ptx::Type type);

/// The operands of an operation: byte offsets in the register file. A predicate is a word, a bit a lane.
struct Slots {
    std::array<std::uint32_t, 4> destination{};
    std::array<std::uint32_t, 5> source{};
    std::uint32_t invert = 0;                   ///< xor-ed to a predicate source: ~0 if it is written !%p
    std::uint64_t constant = 0;                 ///< the value of Operation::constant
    const ptx::Modifiers* modifiers = nullptr;  ///< for operations that decide at run time, such as rarer conversions
};

/// Writes the destination rows in `lanes` and leaves the other lanes unchanged.
using LaneFunction = void (*)(std::byte* file, const Slots& slots, LaneMask lanes);

struct Operation {
    LaneFunction function = nullptr;
    std::array<Row, 4> destination{};
    std::array<Row, 5> source{};
    std::uint64_t constant = 0;
};

/// The operation of an arithmetic, logic, comparison, selection, conversion or move instruction of `function`; nothing
/// if there is none. Executors handle memory, control and cross-lane instructions.
[[nodiscard]] std::optional<Operation> find_operation(const ptx::Function& function,
                                                      const ptx::Instruction& instruction);

/// The families; each knows its own opcodes.
using Found = std::optional<Operation>;
[[nodiscard]] Found integer_operation(const ptx::Instruction& instruction);   ///< PTX ISA 9.7.1
[[nodiscard]] Found bit_operation(const ptx::Instruction& instruction);       ///< PTX ISA 9.7.1.14 to 9.7.1.22
[[nodiscard]] Found carry_operation(const ptx::Instruction& instruction);     ///< PTX ISA 9.7.2
[[nodiscard]] Found floating_operation(const ptx::Instruction& instruction);  ///< PTX ISA 9.7.3
[[nodiscard]] Found half_operation(const ptx::Instruction& instruction);      ///< PTX ISA 9.7.4
[[nodiscard]] Found compare_operation(const ptx::Instruction& instruction);   ///< PTX ISA 9.7.6
[[nodiscard]] Found half_comparison(const ptx::Instruction& instruction);     ///< PTX ISA 9.7.7
[[nodiscard]] Found logic_operation(const ptx::Instruction& instruction);     ///< PTX ISA 9.7.8
/// PTX ISA 9.7.9: mov, prmt, cvt; they depend on the registers' widths.
[[nodiscard]] Found move_operation(const ptx::Function& function, const ptx::Instruction& instruction);
[[nodiscard]] Found convert_operation(const ptx::Function& function, const ptx::Instruction& instruction);
[[nodiscard]] Found address_operation(const ptx::Instruction& instruction);  ///< PTX ISA 9.7.9.19, 9.7.9.20

}  // namespace lanescope::execute
