// Memory instructions -> a Micro and its MemoryAccess: loads, stores, atomics, copies, barrier objects (PTX ISA 9.7.9,
// 9.7.13).
#pragma once

#include "execute/emulator/decode/operands.h"

#include <cstdint>
#include <vector>

namespace lanescope::execute {

class MemoryDecoder {
  public:
    MemoryDecoder(DecodeState& state, Operands& operands) : state_(state), operands_(operands) {}

    /// Analyzes the state's function: the bits of its registers that it uses, and how many instructions write each.
    void enter_function();

    // False: the instruction or an operand is refused.
    bool memory(Micro& micro, const ptx::Instruction& instruction, Kind kind);
    bool atomic(Micro& micro, const ptx::Instruction& instruction);
    /// cp.async {dst}, {src}, bytes {, bytes read}: uses rows that belong to no register.
    bool copy(Micro& micro, const ptx::Instruction& instruction);
    bool barrier_object(Micro& micro, const ptx::Instruction& instruction);
    bool texture(Micro& micro, const ptx::Instruction& instruction);
    bool surface(Micro& micro, const ptx::Instruction& instruction, bool stores);

  private:
    /// Fills used_bytes and keeps_uninitialized of one element of a load.
    void note_use(MemoryAccess& load, unsigned element, RegisterId reg) const;
    /// The handle and the coordinates, and the row that the addresses of texels will be in.
    std::optional<TexelAccess> texels(const ptx::Instruction& instruction, const ptx::Operand& operand);
    /// Appends the destination, and returns where it is; Row::none for a sink.
    std::optional<Value> destination(Micro& micro, const ptx::Operand& operand);
    /// Fills space, base and offset from the memory operand.
    bool place(MemoryAccess& access, const ptx::Instruction& instruction, const ptx::Operand& operand);
    /// The memory semantics of the access for other threads (PTX ISA 8.4, 9.7.13.5): an atomic without .sem is relaxed.
    void order(MemoryAccess& access, const ptx::Instruction& instruction);
    /// Adds the access, and returns its index in Code::accesses.
    std::uint32_t add(MemoryAccess access);

    DecodeState& state_;
    Operands& operands_;
    std::vector<std::uint64_t> used_;         ///< used_bits() of the function
    std::vector<std::uint32_t> definitions_;  ///< by its registers
};

}  // namespace lanescope::execute
