// The one recorder: turns an execution, in order, into a Trace. Used by the emulator and by the GPU recorder.
#pragma once

#include "trace/rows.h"
#include "trace/trace.h"

#include <cassert>
#include <limits>
#include <memory>
#include <span>

namespace lanescope::trace {

class Writer {
  public:
    explicit Writer(Origin origin);

    /// The parts of the header, to be set before finish(). `trace()` returns the growing trace for that.
    [[nodiscard]] Trace& trace() { return *trace_; }

    void begin_launch(Launch launch);
    void end_launch();

    /// Begins one warp instruction; the effect calls that follow belong to it.
    void begin_step(BlockId block, WarpId warp, PtxLine line, std::uint32_t epoch, LaneMask active, LaneMask executed) {
        assert(!trace_->launches.empty());
        assert((executed & ~active).none());
        // Built in place: copying just-written fields stalls.
        trace_->steps_.add(size_of(trace_->launches) - 1, block, warp, line, epoch, active, executed,
                           size_of(trace_->effects_), 0U);
    }

    /// One value per lane: 32 values, indexed by lane, of which only those of `lanes` are read.
    void register_write(RegisterId reg, unsigned bytes, LaneMask lanes, std::span<const std::uint32_t, 32> values);
    void register_write(RegisterId reg, unsigned bytes, LaneMask lanes, std::span<const std::uint64_t, 32> values);
    void predicate_write(RegisterId reg, LaneMask lanes, LaneMask values) {
        append(EffectKind::register_write, {.id = reg.value}, lanes);
        trace_->narrow_.add((values & lanes).bits());
    }
    /// The same for registers of 4 and of 8 bytes, the common case: `row[lane]`.
    void word_write(RegisterId reg, LaneMask lanes, const std::uint32_t* row) {
        append_register(trace_->narrow_, reg, lanes, row);
    }
    void word_write(RegisterId reg, LaneMask lanes, const std::uint64_t* row) {
        append_register(trace_->wide_, reg, lanes, row);
    }

    /// `values[element * 32 + lane]`, zero-extended. Loads have no before.
    void load(Space space, unsigned bytes, unsigned elements, LaneMask lanes,
              std::span<const std::uint64_t, 32> addresses, std::span<const std::uint64_t> values);
    void store(Space space, unsigned bytes, unsigned elements, LaneMask lanes,
               std::span<const std::uint64_t, 32> addresses, std::span<const std::uint64_t> before,
               std::span<const std::uint64_t> after);
    /// The same for one element of 4 bytes, the common case.
    void load_words(Space space, LaneMask lanes, std::span<const std::uint64_t, 32> addresses,
                    std::span<const std::uint32_t, 32> values);
    void store_words(Space space, LaneMask lanes, std::span<const std::uint64_t, 32> addresses,
                     std::span<const std::uint32_t, 32> before, std::span<const std::uint32_t, 32> after);
    /// The same for consecutive words; `first` is the lowest lane's address.
    void load_consecutive(Space space, LaneMask lanes, std::uint64_t first, const std::uint32_t* values) {
        append_consecutive(EffectKind::load, space, lanes, first);
        append_packed(trace_->narrow_, lanes, values);
    }
    void store_consecutive(Space space, LaneMask lanes, std::uint64_t first, const std::uint32_t* before,
                           const std::uint32_t* after) {
        append_consecutive(EffectKind::store, space, lanes, first);
        append_packed(trace_->narrow_, lanes, before);
        append_packed(trace_->narrow_, lanes, after);
    }
    /// The load of words just recorded went to this register of 4 bytes.
    void register_loaded(RegisterId reg, LaneMask lanes) {
        assert(trace_->effects_.back().kind == EffectKind::load && trace_->effects_.back().lanes == lanes);
        const std::uint32_t values = trace_->effects_.back().first_value;
        append_at(values, EffectKind::register_write, {.bytes = 4, .id = reg.value}, lanes);
    }
    void atomic(Space space, unsigned bytes, std::uint32_t operation, LaneMask lanes,
                std::span<const std::uint64_t, 32> addresses, std::span<const std::uint64_t> before,
                std::span<const std::uint64_t> after);
    void control(EffectKind kind, LaneMask lanes, std::uint32_t id = 0) {
        assert(kind == EffectKind::branch || kind == EffectKind::barrier || kind == EffectKind::exit ||
               kind == EffectKind::reconverge);
        append(kind, {.elements = 0, .id = id}, lanes);
    }
    void shuffle(LaneMask lanes, std::span<const std::uint32_t, 32> source_lane);

    /// `finding.step` need not be set. Call it after the begin_step() of the faulting instruction: if its block is
    /// recorded, `step` is set to that step.
    void finding(Finding finding);
    /// The same for what is no error.
    void remark(Finding finding);
    /// `listed`, a finding or a remark, happens once more, by an access of the instruction at `line` of the warp.
    void again(Finding& listed, BlockId block, WarpId warp, PtxLine line, std::optional<std::uint64_t> address) const;

    /// The block of the current launch is not recorded after all: its steps are removed when the launch ends, and no
    /// more of them may be added.
    void drop(BlockId block) {
        std::erase(trace_->launches.back().recorded, block);
        remove(block, trace_->launches.back().first_step);
    }
    /// The same for the steps of the block from `from` on: Launch::cut.
    void cut(BlockId block, StepId from) {
        trace_->launches.back().cut = block;
        remove(block, from);
    }

    /// The record is expected to grow to `times` its size: reserves the room, unless that is more than `most_bytes`.
    void expect(double times, std::uint64_t most_bytes);

    [[nodiscard]] std::uint64_t bytes() const;  ///< recorded so far, to compare with a stated cap; without dropped
                                                ///< blocks
    [[nodiscard]] StepId next_step() const { return StepId(size_of(trace_->steps_)); }

    [[nodiscard]] std::shared_ptr<const Trace> finish();

  private:
    template <class Values>
    [[nodiscard]] static std::uint32_t size_of(const Values& values) {
        assert(values.size() < std::numeric_limits<std::uint32_t>::max());
        return static_cast<std::uint32_t>(values.size());
    }
    /// An effect and where its values and addresses will be.
    struct Shape {
        Space space = Space::shared;
        unsigned bytes = 0;
        unsigned elements = 1;
        bool even_values = false;
        bool even_addresses = false;
        std::uint32_t id = 0;
    };
    void append_at(std::uint32_t first_value, EffectKind kind, const Shape& shape, LaneMask lanes) {
        assert(!trace_->steps_.empty());
        ++trace_->steps_.back().effect_count;
        trace_->effects_.add(kind, shape.space, static_cast<std::uint8_t>(shape.bytes),
                             static_cast<std::uint8_t>(shape.elements), shape.even_values, shape.even_addresses,
                             shape.id, lanes, first_value, size_of(trace_->addresses_));
    }
    void append(EffectKind kind, const Shape& shape, LaneMask lanes) {
        append_at(shape.bytes == 8 ? size_of(trace_->wide_) : size_of(trace_->narrow_), kind, shape, lanes);
    }
    template <class T>
    void append_register(Pool<T>& pool, RegisterId reg, LaneMask lanes, const T* row) {
        const std::uint32_t first = size_of(pool);
        const bool even = append_row(pool, lanes, row);
        append_at(first, EffectKind::register_write, {.bytes = sizeof(T), .even_values = even, .id = reg.value}, lanes);
    }
    void append_access(EffectKind kind, const Shape& shape, LaneMask lanes,
                       std::span<const std::uint64_t, 32> addresses);
    void append_consecutive(EffectKind kind, Space space, LaneMask lanes, std::uint64_t first) {
        constexpr unsigned word_bytes = 4;
        append(kind, {.space = space, .bytes = word_bytes, .even_addresses = true}, lanes);
        append_even<std::uint64_t>(trace_->addresses_, first - lanes.lowest() * word_bytes, word_bytes);
    }
    void append_values(unsigned bytes, unsigned elements, LaneMask lanes, std::span<const std::uint64_t> values);
    [[nodiscard]] std::uint64_t all_bytes() const;
    void remove(BlockId block, StepId from);
    void remove_dropped();
    /// The warp's last step if it is of the instruction at the line; nothing for a block that is not recorded.
    [[nodiscard]] std::optional<StepId> step_at(std::uint32_t launch, BlockId block, WarpId warp, PtxLine line) const;
    void set_step(Finding& finding) const;

    std::shared_ptr<Trace> trace_;
    struct Dropped {
        BlockId block;
        StepId from;
    };
    std::vector<Dropped> dropped_;  ///< of the current launch
    std::uint64_t dropped_bytes_ = 0;
};

}  // namespace lanescope::trace
