// The properties of each instruction that data flow needs, decoded once from the module and found by line of PTX.
#pragma once

#include "base/ids.h"
#include "model/model.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

/// How an instruction's result depends on its operands.
enum class Flow : std::uint8_t {
    compute,  ///< from all its data operands: arithmetic, copies, conversions
    select,   ///< from one of two data operands, selected by the steering operand (selp, slct)
    load,     ///< from the memory read
    store,    ///< memory takes the data operands, one an element
    copy,     ///< memory takes what the instruction reads from memory: cp.async
    atomic,   ///< memory takes old value and operand; the register takes the old value
    shuffle,  ///< from another lane's data operand
    reduce,   ///< from the data operands of all executing lanes: redux
    vote,     ///< a condition over all executing lanes, without data: vote, match, bar.red
    control,  ///< no value: branches, barriers, fences, exit
};

/// One instruction as data flow sees it. Operands that are not registers are invalid ids, so that positions stay the
/// same.
struct InstructionInfo {
    const ptx::Function* function = nullptr;
    const ptx::Instruction* instruction = nullptr;
    Flow flow = Flow::control;
    bool operator_like = false;  ///< combines values; two of them from input data make an operation
    std::uint8_t data_count = 0;
    std::uint8_t steering_count = 0;
    std::uint32_t first_read = 0;                  ///< in InstructionTable's pool: data operands, then steering ones
    std::uint32_t first_register = 0;              ///< of the function's registers in Trace::registers
    RegisterId guard;                              ///< invalid: unguarded
    model::Access atomic = model::Access::atomic;  ///< of atomics: how the memory unit carries them out
    std::uint32_t passed = none;  ///< ld.param and st.param around calls: the byte of the parameter memory
    static constexpr std::uint32_t none = ~0U;
};

/// The first register of a function in Trace::registers: the first kernel's come first, all others are named "f:%r1".
[[nodiscard]] std::uint32_t first_register_of(const ptx::Function& function,
                                              std::span<const trace::RegisterName> registers);

/// The instructions of a module by line. Registers are named as in the trace: a function's own number, plus its first
/// register in Trace::registers. Keeps pointers into the module, which must outlive it.
class InstructionTable {
  public:
    InstructionTable(const ptx::Module& module, std::span<const trace::RegisterName> registers);

    /// The instruction at that line, or nullptr.
    [[nodiscard]] const InstructionInfo* at(PtxLine line) const {
        if (line.index() >= by_line_.size() || by_line_[line.index()] == 0) return nullptr;
        return &lines_[by_line_[line.index()] - 1];
    }
    /// Registers whose values the result is computed from, in the order of the text.
    [[nodiscard]] std::span<const RegisterId> data(const InstructionInfo& line) const {
        return std::span(reads_).subspan(line.first_read, line.data_count);
    }
    /// Registers that only select the value: addresses, the predicate of a select, the lane of a shuffle.
    [[nodiscard]] std::span<const RegisterId> steering(const InstructionInfo& line) const {
        return std::span(reads_).subspan(line.first_read + line.data_count, line.steering_count);
    }

    /// Parameters and results of calls go through memory that each thread has for itself. We choose its layout: the
    /// callee reads the arguments where the caller stored them, because only the call is in between (PTX ISA 7.1). All
    /// calls of a recursive function in a thread share one frame.
    [[nodiscard]] std::uint32_t parameter_bytes() const { return parameter_bytes_; }

  private:
    /// The offsets of a function's parameters and results.
    struct Frame {
        std::uint32_t parameters = 0, results = 0;
    };
    void lay_out_parameters(const ptx::Module& module);
    [[nodiscard]] std::uint32_t passed_at(const ptx::Module& module, const ptx::Function& function,
                                          const ptx::Operand& memory) const;
    void add(const ptx::Module& module, const ptx::Function& function, const ptx::Instruction& instruction,
             std::uint32_t first_register);

    std::vector<std::uint32_t> by_line_;  ///< 1 + index in lines_, 0: no instruction there
    std::vector<InstructionInfo> lines_;
    std::vector<RegisterId> reads_;
    std::vector<Frame> frames_;  ///< as Module::functions
    /// By function, then by its variable: the callee whose memory the variable belongs to.
    std::vector<std::vector<std::uint32_t>> passes_;
    std::uint32_t parameter_bytes_ = 0;
};

}  // namespace lanescope::analysis
