// Which values a value was computed from. A value's provenance is its *data* dependence: through registers, shuffles,
// shared and global memory; an index never appears as a summand, nor does a condition. Computed from the trace and the
// instructions it ran.
#pragma once

#include "base/ids.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lanescope::analysis {

using ValueId = Id<struct ValueTag>;  ///< a lane's result, or an initial value

/// One value: a lane's result in a register or in memory, or the initial contents of a buffer.
struct TracedValue {
    enum class Kind : std::uint8_t {
        input,          ///< initial contents of a global buffer, one of its elements: `address`, no step
        host,           ///< the same for the host's writes between launches: Provenance::host_write
        uninitialized,  ///< read before anything wrote it: `address`, no step
        constant,       ///< a register without input data: immediates, indices, parameters, special registers
        reg,            ///< a register of a lane
        memory,         ///< a shared, local or global cell after a store or atomic
        unchanged,      ///< what a compare-and-swap found and left in a cell, which it has not written
    };
    Kind kind = Kind::constant;
    trace::Space space = trace::Space::global;  ///< of input, uninitialized, memory
    std::uint8_t bytes = 4;
    std::uint8_t lane = 0;
    bool input_dependent = false;  ///< depends on input data
    bool application = false;      ///< an operation made it; of a predicate: it decides which value stays
    bool passed_on = false;        ///< depends on what was stored to shared or global memory, or on another lane
    bool counts = false;  ///< combines two values, each input-dependent or passed on, but no operation: counts, offsets
    std::uint16_t operations = 0;  ///< 1, or k - 1 for a reduction over k lanes or the count of k votes
    bool reaches_output = false;   ///< some output buffer's final contents depend on it, by data; or they may:
    bool use_known = false;        ///< they do. False: only through what a block that is not recorded may have read
    std::uint32_t depth = 0;       ///< operations on the longest chain up to and including this one (span)
    StepId step;
    std::uint64_t address = 0;  ///< of memory kinds: offset in shared or local, virtual address in global
    std::uint64_t bits = 0;     ///< the value, zero-extended

    /// Is it the contents of a buffer before any kernel wrote it?
    [[nodiscard]] bool is_given() const { return kind == Kind::input || kind == Kind::host; }
    /// Was it written where other threads can read it: to shared or global memory?
    [[nodiscard]] bool is_cell() const {
        return kind == Kind::memory && (space == trace::Space::shared || space == trace::Space::global);
    }
};

class InstructionTable;

class Provenance {
  public:
    /// Follows every value of the trace. O(lane results); `module` must outlive it.
    Provenance(std::shared_ptr<const trace::Trace> trace, const ptx::Module& module);

    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] const TracedValue& operator[](ValueId id) const { return values_[id.index()]; }
    /// The values it was computed from, in the order of the instruction's operands.
    [[nodiscard]] std::span<const ValueId> parents(ValueId id) const;
    /// What else its operations wait for, which is no part of its data: of a value that a comparison let stay or move,
    /// the comparison; of that comparison, the two values.
    [[nodiscard]] std::span<const std::pair<ValueId, ValueId>> decided_by(ValueId id) const;
    /// Calls visit(ValueId) for all that it waits for: parents, and decided_by().
    template <class Visit>
    void for_each_need(ValueId id, Visit&& visit) const {
        for (const ValueId parent : parents(id)) visit(parent);
        for (const auto& [of, need] : decided_by(id)) visit(need);
    }
    /// Is it an operation that an output depends on, but not as data? One that an address or a condition needs.
    [[nodiscard]] bool is_address_operation(ValueId id) const;
    /// For each value: is it `id`, or was `id` computed from it? The backward data slice of the value.
    [[nodiscard]] std::vector<bool> backward_slice(ValueId id) const;

    /// A register that was loaded from a buffer's contents before any kernel wrote it: input data.
    [[nodiscard]] bool comes_in(ValueId id) const;
    /// The value that this lane's step wrote (first effect that writes), invalid when it wrote none.
    [[nodiscard]] ValueId written_by(StepId step, unsigned lane) const;
    /// The value that this lane's step wrote to that register, invalid when it did not.
    [[nodiscard]] ValueId written_to(RegisterId reg, StepId step, unsigned lane) const;
    /// The values that the step wrote: [first, past_last), memory before registers, then by effect, lane and element.
    struct Range {
        std::uint32_t first = 0, past_last = 0;
    };
    [[nodiscard]] Range values_of(StepId step) const { return written_[step.index()]; }
    /// The value of that byte of shared or global memory just before `position` (in steps); invalid when no recorded
    /// block had written or read it until then. `block` only matters for shared memory.
    [[nodiscard]] ValueId memory_at(trace::Space space, std::uint32_t launch, BlockId block, std::uint64_t address,
                                    std::size_t position) const;
    /// The host write that this value is an element of; null where it is none.
    [[nodiscard]] const trace::HostWrite* host_write(ValueId id) const;
    /// The first position at which the value exists.
    [[nodiscard]] std::size_t there_from(ValueId id) const;
    /// Lanes of the step whose result an output depends on, by data, by address or by the branches that led to it:
    /// useful; the rest of `executed` is wasted. See usefulness.h for steps without a result.
    [[nodiscard]] LaneMask useful(StepId step) const { return useful_[step.index()]; }
    /// Those of the useful lanes whose use is not known: only blocks that are not recorded may have read the result.
    [[nodiscard]] LaneMask unknown_use(StepId step) const {
        return unknown_.empty() ? LaneMask() : unknown_[step.index()];
    }
    /// Lanes of the step's warp that had exited before it.
    [[nodiscard]] LaneMask exited(StepId step) const { return exited_[step.index()]; }

    /// Operations in the backward data slice of the outputs, and the longest chain of them; with those whose use is not
    /// known.
    [[nodiscard]] std::uint64_t work() const { return work_; }
    [[nodiscard]] std::uint64_t span() const { return span_; }

    /// The instructions by line, as data flow sees them.
    [[nodiscard]] const InstructionTable& instructions() const;
    [[nodiscard]] const ptx::Module& module() const { return *module_; }

  private:
    friend class DataFlow;

    const ptx::Module* module_;
    std::vector<TracedValue> values_;
    std::vector<std::uint32_t> parent_start_;  ///< one more than values_
    std::vector<ValueId> parents_;
    std::vector<std::pair<ValueId, ValueId>> decided_;            ///< ascending: a value, what it waits for
    std::vector<std::pair<ValueId, std::uint32_t>> host_values_;  ///< ascending; index in Trace::host_writes
    std::vector<Range> written_;                                  ///< by step
    std::vector<LaneMask> useful_, exited_;                       ///< by step
    std::vector<LaneMask> unknown_;                               ///< by step; empty: all use is known
    std::uint64_t work_ = 0;
    std::uint64_t span_ = 0;
    struct Index;
    std::shared_ptr<const Index> index_;
};

}  // namespace lanescope::analysis
