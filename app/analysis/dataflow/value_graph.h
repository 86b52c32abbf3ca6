// Values and what each of them was made of, while they are made and afterwards.
#pragma once

#include "base/ids.h"
#include "trace/trace.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
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
    bool reaches_output = false;   ///< an output buffer's final contents depend on it by data, or may (use_known)
    bool use_known = false;        ///< false: only through what an unrecorded block may have read
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

/// The values of a step: [first, past_last), memory before registers, then by effect, lane and element.
struct ValueRange {
    std::uint32_t first = 0, past_last = 0;
};

/// Values in the order in which they were made, so that a value is younger than all that it was made of. What is added
/// to a value's parents and needs belongs to the newest one.
class ValueGraph {
  public:
    /// Makes room for that many results of steps.
    void reserve(std::size_t results);
    [[nodiscard]] std::size_t size() const { return values_.size(); }
    [[nodiscard]] const TracedValue& operator[](ValueId id) const { return values_[id.index()]; }
    [[nodiscard]] TracedValue& operator[](ValueId id) { return values_[id.index()]; }
    [[nodiscard]] std::span<const TracedValue> values() const { return values_; }
    [[nodiscard]] std::span<TracedValue> values() { return values_; }

    /// The values that it was computed from, in the order of the instruction's operands.
    [[nodiscard]] std::span<const ValueId> parents(ValueId id) const {
        const std::uint32_t first = parent_start_[id.index()];
        const std::size_t next = id.index() + 1;
        const std::size_t past = next < parent_start_.size() ? parent_start_[next] : parents_.size();
        return std::span(parents_).subspan(first, past - first);
    }
    /// The other values that it waits for, in pairs {id, need}: of a value that a comparison let stay or move, the
    /// comparison; of that comparison, the two values.
    [[nodiscard]] std::span<const std::pair<ValueId, ValueId>> decided_by(ValueId id) const;
    /// Calls visit(ValueId) for parents and decided_by().
    template <class Visit>
    void for_each_need(ValueId id, Visit&& visit) const {
        for (const ValueId parent : parents(id)) visit(parent);
        for (const auto& [of, need] : decided_by(id)) visit(need);
    }
    /// Index in Trace::host_writes of the write that the value is an element of.
    [[nodiscard]] std::optional<std::uint32_t> host_write(ValueId id) const;

    /// The two values of input data that a comparison compares; a minimum or maximum is one, too. Invalid where there
    /// are fewer.
    [[nodiscard]] std::array<ValueId, 2> compared_by(ValueId test) const;
    /// That comparison decides that a value stays or moves: it is an operation.
    void confirm(ValueId test);

    /// The value has no parents yet.
    ValueId add(const TracedValue& value);
    [[nodiscard]] ValueId newest() const { return ValueId(static_cast<std::uint32_t>(values_.size() - 1)); }
    void add_parent(ValueId parent) { parents_.push_back(parent); }
    void add_need(ValueId need);
    /// Says that the newest value is an element of that write.
    void set_host_write(std::uint32_t number) { host_values_.emplace_back(newest(), number); }

    /// Call it when all values are there. Leaves out the decisions of comparisons that turned out to move none of their
    /// values, and computes every depth again with those that did.
    void finish_operations();

  private:
    std::vector<TracedValue> values_;
    std::vector<std::uint32_t> parent_start_;  ///< as values_; the newest has all that follow
    std::vector<ValueId> parents_;
    std::vector<std::pair<ValueId, ValueId>> decided_;            ///< ascending: a value, what it waits for
    std::vector<std::pair<ValueId, std::uint32_t>> host_values_;  ///< ascending; index in Trace::host_writes
};

}  // namespace lanescope::analysis
