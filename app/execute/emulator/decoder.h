// Module -> Code: every operand becomes an offset in the register file, every label a number, every variable an
// address.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/frames.h"
#include "execute/emulator/register_file.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::execute {

/// Turns a kernel, and every function that it reaches, into one Code: a Micro for each instruction and one for each
/// function's end, function after function, the kernel first. Larger parts are in the Code's other lists.
class Decoder {
  public:
    /// `frames`: of the functions reached, the kernel's first. The module must outlive the code.
    Decoder(const ptx::Module& module, const ptx::Function& kernel, const VariableAddresses& addresses, Frames frames);

    /// Call once. Refuses an instruction that the emulator does not support: by name, with its place in the PTX.
    [[nodiscard]] Result<Code> run();

  private:
    // functions and their instructions (decode.cpp)
    void describe_callees();
    void add_builtin(const Frame& frame);
    /// Decodes the instruction into the next Micro. False: the instruction or an operand is refused; so below as well.
    bool decode_one(const ptx::Instruction& instruction);
    bool dispatch(Micro& micro, const ptx::Instruction& instruction);
    bool refuse(const ptx::Instruction& instruction, const std::string& why);
    /// Finds the shared array that each access through a register means: the only one that its address is based on.
    void find_arrays_meant();
    void find_local_arrays_meant();
    void name_local_arrays();

    // operands and computations (decode_operands.cpp)
    static Row row_of_bytes(unsigned bytes);
    /// Operands from `first` to before `last`; vectors become their elements.
    std::vector<ptx::Operand> flat(const ptx::Instruction& instruction, unsigned first, unsigned last) const;
    /// The row that the offsets of a variable are relative to: the begin of a reentrant function's frame.
    std::optional<Value> base_of(const ptx::Operand& operand) const;
    /// The address of a variable in its own space; for a function's .param variables the offset in the frame.
    std::uint64_t address_of(const ptx::Operand& operand);
    /// A source of that row; nothing where the operand is not a value.
    std::optional<Value> source(const ptx::Operand& operand, Row row);
    /// Appends to the code's destinations; false where the operand is not a register.
    bool add_destination(Micro& micro, const ptx::Operand& operand);
    bool compute(Micro& micro, const ptx::Instruction& instruction);
    /// mov of the address of a variable in a reentrant function's frame: adds the frame's begin and an offset.
    bool address_in_frame(Micro& micro, const ptx::Instruction& instruction);
    bool destinations(Micro& micro, const ptx::Instruction& instruction, const Operation& operation,
                      const std::vector<ptx::Operand>& written);
    bool sources(Micro& micro, const ptx::Instruction& instruction, const Operation& operation,
                 const std::vector<ptx::Operand>& read);

    // memory (decode_memory.cpp)
    /// The function's use of its loads: the bits of its registers that it uses, and how many instructions write
    /// each register.
    void find_uses();
    /// Fills used_bytes and keeps_uninitialized of one element of a load.
    void note_use(MemoryAccess& load, unsigned element, RegisterId reg) const;
    bool memory(Micro& micro, const ptx::Instruction& instruction, Kind kind);
    /// Fills space, base and offset from the memory operand.
    bool place(MemoryAccess& access, const ptx::Instruction& instruction, const ptx::Operand& operand);
    /// The memory semantics of the access for other threads (PTX ISA 8.4, 9.7.13.5): an atomic without .sem is relaxed.
    void order(MemoryAccess& access, const ptx::Instruction& instruction);
    /// Its index in Code::accesses.
    std::uint32_t add(MemoryAccess access);
    bool atomic(Micro& micro, const ptx::Instruction& instruction);
    /// cp.async {dst}, {src}, bytes {, bytes read}: uses rows that belong to no register.
    bool copy(Micro& micro, const ptx::Instruction& instruction);
    bool barrier_object(Micro& micro, const ptx::Instruction& instruction);

    // control and cross-lane instructions (decode_control.cpp)
    Kind kind_of_return() const;
    Pc reconvergence_of(const ptx::Instruction& instruction) const;
    bool branch_indexed(Micro& micro, const ptx::Instruction& instruction);
    bool call(Micro& micro, const ptx::Instruction& instruction);
    bool barrier(Micro& micro, const ptx::Instruction& instruction);
    bool across_lanes(Micro& micro, const ptx::Instruction& instruction, Kind kind);

    // source lines (source_lines.cpp)
    /// The file of the kernel's first line.
    std::uint32_t file_of(const ptx::Function& kernel) const;

    const ptx::Module& module_;
    const VariableAddresses& addresses_;
    Frames frames_;
    RegisterFile file_;
    Code code_;
    std::vector<Pc> begins_;    ///< of each function reached
    std::uint32_t number_ = 0;  ///< of the function being decoded, among those reached
    const ptx::Function* function_ = nullptr;
    std::vector<std::uint64_t> used_;         ///< used_bits() of it
    std::vector<std::uint32_t> definitions_;  ///< by its registers
    bool knows_workspace_ = false;            ///< reads %envreg1 or %envreg2
    bool arrives_at_grid_ = false;  ///< has an atomic that releases beyond the block, as an arrival at a grid barrier
    Problem problem_;               ///< why the last instruction was refused
};

// Marks over a whole Code, once it is decoded (decode_marks.cpp).

/// Sets Micro::tracks of every operation whose result may derive from input data (app/README.md, Terms). Index
/// arithmetic and loop counters never do, so that nothing need be kept for them.
void mark_input_dependence(Code& code);

/// Sets Micro::straight: how many computations and accesses without a guard follow one another from there, none but the
/// first of them at a reconvergence point. A warp executes them with the same lanes, so what they count is known before
/// they execute.
void mark_straight_runs(Code& code);

}  // namespace lanescope::execute
