// Operands of PTX -> values in the register file, addresses in memory, destinations.
#pragma once

#include "execute/emulator/decode/state.h"

#include <optional>
#include <vector>

namespace lanescope::execute {

/// The row of a register that holds so many bytes.
[[nodiscard]] constexpr Row row_of_bytes(unsigned bytes) { return bytes == 8 ? Row::wide : Row::narrow; }

class Operands {
  public:
    explicit Operands(DecodeState& state) : state_(state) {}

    /// Operands from `first` to before `last`; vectors become their elements.
    [[nodiscard]] std::vector<ptx::Operand> flat(const ptx::Instruction& instruction, unsigned first,
                                                 unsigned last) const;
    /// The row that the offsets of a variable are relative to: the start of a reentrant function's frame.
    [[nodiscard]] std::optional<Value> base_of(const ptx::Operand& operand) const;
    /// The address of a variable in its own space; for a function's .param variables the offset in the frame.
    std::uint64_t address_of(const ptx::Operand& operand);
    /// A source of that row; nothing if the operand is not a value.
    std::optional<Value> source(const ptx::Operand& operand, Row row);
    /// Appends to the code's destinations; false if the operand is not a register.
    bool add_destination(Micro& micro, const ptx::Operand& operand);

  private:
    DecodeState& state_;
};

}  // namespace lanescope::execute
