// The layout of a warp's register file: fixed words, predicates, input-dependent lanes, rows of registers, then rows of
// constants and special registers. Registers are contiguous, so that a block starts by clearing one range of bytes.
#pragma once

#include "execute/emulator/code.h"

#include <map>
#include <utility>
#include <vector>

namespace lanescope::execute {

[[nodiscard]] std::uint32_t bytes_of_row(Row row);

class RegisterFile {
  public:
    /// Lays out the registers of these functions, the kernel first.
    explicit RegisterFile(std::vector<const ptx::Function*> functions, bool with_stack);

    /// Number of the function among those reached, and of its first register in Trace::registers.
    [[nodiscard]] std::uint32_t number_of(const ptx::Function& function) const;
    [[nodiscard]] std::uint32_t first_register(std::uint32_t function) const { return first_register_[function]; }

    [[nodiscard]] Destination destination(std::uint32_t function, RegisterId reg) const;
    [[nodiscard]] Value value(std::uint32_t function, RegisterId reg) const;
    /// A value that is not in a register. Equal values share a row.
    [[nodiscard]] Value constant(Row row, std::uint64_t bits);
    [[nodiscard]] Value special(Row row, ptx::Special special);
    /// A 64-bit row for temporary values of an instruction.
    [[nodiscard]] Value temporary(std::uint32_t number);

    /// A 64-bit row for each reentrant function, with the start of its frame; and one row with the bytes of the stack
    /// in use.
    [[nodiscard]] std::uint32_t hidden_row(std::uint32_t function) const { return hidden_rows_[function]; }
    [[nodiscard]] std::uint32_t stack_pointer() const { return hidden_rows_.back(); }

    /// Writes the layout into the code, once all values are known.
    void finish(Code& code) const;

  private:
    std::uint32_t take(std::uint32_t bytes);

    std::vector<const ptx::Function*> functions_;
    std::vector<std::uint32_t> first_register_;
    std::vector<Destination> registers_;      ///< of all functions
    std::vector<std::uint32_t> hidden_rows_;  ///< one a function, then the stack pointer; none without a stack
    std::map<std::pair<Row, std::uint64_t>, std::uint32_t> constants_;
    std::map<std::pair<Row, ptx::Special>, std::uint32_t> specials_;
    std::map<std::uint32_t, std::uint32_t> temporaries_;
    std::uint32_t registers_begin_ = first_free_slot;
    std::uint32_t rows_begin_ = 0;
    std::uint32_t end_ = first_free_slot;
};

}  // namespace lanescope::execute
