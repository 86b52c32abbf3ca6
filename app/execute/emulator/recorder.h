// The effects of a step, passed to the trace's writer: the recording policies.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/machine.h"
#include "trace/writer.h"

#include <array>
#include <cstdint>
#include <span>

namespace lanescope::execute {

/// How much of a block goes into the trace.
enum class RecordLevel : std::uint8_t {
    counts,     ///< only counts
    accesses,   ///< instructions that access or order memory, and cross-lane instructions
    registers,  ///< all instructions, and the registers they write
};

/// A level known at compile time, for the inner loop.
template <RecordLevel fixed>
struct FixedLevel {
    static constexpr RecordLevel level = fixed;
    [[nodiscard]] static constexpr bool records() { return level != RecordLevel::counts; }
    [[nodiscard]] static constexpr bool records_registers() { return level == RecordLevel::registers; }
};
/// A level known when a block starts, for rarely executed code.
struct AnyLevel {
    RecordLevel level = RecordLevel::counts;
    [[nodiscard]] bool records() const { return level != RecordLevel::counts; }
    [[nodiscard]] bool records_registers() const { return level == RecordLevel::registers; }
};

/// Records what the level requires and drops the rest.
template <class Level>
class Recorder : public Level {
  public:
    Recorder(trace::Writer& writer, const Code& code, Level policy = {})
        : Level(policy), writer_(writer), code_(code) {}

    [[nodiscard]] trace::Writer& writer() const { return writer_; }

    /// Whether instructions of that kind have steps.
    [[nodiscard]] bool has_steps_of(Kind kind) const {
        return this->records_registers() || (this->records() && !only_computes(kind));
    }
    /// Begins a step; effects follow. `active`: the lanes of the path.
    void begin(const WarpStep& step, LaneMask active) const {
        Warp& warp = step.warp;
        warp.step = writer_.next_step();
        writer_.begin_step(step.block.id, warp.id, step.micro.line, counted_epoch(warp.epoch), active, step.executed);
    }

    void barrier(LaneMask lanes, std::uint32_t number) const {
        if (this->records()) writer_.control(trace::EffectKind::barrier, lanes, number);
    }
    void exit(LaneMask lanes) const {
        if (this->records()) writer_.control(trace::EffectKind::exit, lanes);
    }
    void branch(LaneMask lanes) const {
        if (this->records_registers()) writer_.control(trace::EffectKind::branch, lanes);
    }
    /// The source lane of each of `lanes`.
    void shuffle(LaneMask lanes, const std::array<std::uint32_t, warp_size>& sources) const {
        if (this->records()) writer_.shuffle(lanes, sources);
    }

    /// All registers that the step's instruction writes, in the lanes that execute it.
    void writes(const WarpStep& step) const {
        if (!this->records_registers() || step.executed.none()) return;
        for (const Destination& destination : code_.destinations_of(step.micro))
            write(step.warp, destination, step.executed);
    }
    /// One register. Registers of 4 and 8 bytes, each in a row of its width, are recorded unchanged.
    void write(const Warp& warp, const Destination& destination, LaneMask lanes) const {
        if (!this->records_registers()) return;
        const std::byte* row = warp.file + destination.slot;
        switch (destination.row) {
            case Row::wide: {
                const auto* values = reinterpret_cast<const std::uint64_t*>(row);
                if (destination.bytes == 8) return writer_.word_write(destination.reg, lanes, values);
                return writer_.register_write(destination.reg, destination.bytes, lanes,
                                              std::span<const std::uint64_t, 32>(values, 32));
            }
            case Row::narrow: {
                const auto* values = reinterpret_cast<const std::uint32_t*>(row);
                if (destination.bytes == 4) return writer_.word_write(destination.reg, lanes, values);
                return writer_.register_write(destination.reg, destination.bytes, lanes,
                                              std::span<const std::uint32_t, 32>(values, 32));
            }
            case Row::predicate:
                return writer_.predicate_write(destination.reg, lanes,
                                               LaneMask(*reinterpret_cast<const std::uint32_t*>(row)));
            case Row::none: break;
        }
    }

  private:
    /// A record of accesses leaves these out: they neither access nor order memory, nor cross lanes.
    [[nodiscard]] static bool only_computes(Kind kind) {
        switch (kind) {
            case Kind::compute:
            case Kind::branch:
            case Kind::branch_indexed:
            case Kind::call:
            case Kind::return_from_call:
            case Kind::clock:
            case Kind::await_copies:
            case Kind::nothing: return true;
            default: return false;
        }
    }

    trace::Writer& writer_;
    const Code& code_;
};

}  // namespace lanescope::execute
