// The effects of a step, passed to the trace's writer: the recording policies.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/lane_values.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/warp_access.h"
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

    /// Begins a step if the level has steps of its instruction; effects follow. `active`: the lanes of the path.
    void begin(const WarpStep& step, LaneMask active) const {
        if (!has_steps_of(step.micro.kind)) return;
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

    /// A load, after it: what its lanes read. `addresses`: theirs, as the trace names them.
    void load(const Warp& warp, const MemoryAccess& access, const Piece& piece, const LaneAddresses& addresses) const {
        if (!this->records()) return;
        const trace::Space space = trace_space(piece.space);
        const LaneMask lanes = piece.targets.lanes;
        if (access.moves_words()) return writer_.load_words(space, lanes, addresses.lane, words_of(warp, access));
        writer_.load(space, access.bytes, access.elements, lanes, addresses.lane, values_in(piece, access));
    }
    /// Calls `act`, which stores, and records memory before and after.
    template <class Act>
    void store(const Warp& warp, const MemoryAccess& access, const Piece& piece, const LaneAddresses& addresses,
               Act act) const {
        if (!this->records()) return act();
        const trace::Space space = trace_space(piece.space);
        const LaneMask lanes = piece.targets.lanes;
        if (access.moves_words()) {
            const Words before = words_in(piece);
            act();
            return writer_.store_words(space, lanes, addresses.lane, before, words_of(warp, access));
        }
        const Values before = values_in(piece, access);
        act();
        writer_.store(space, access.bytes, access.elements, lanes, addresses.lane, before,
                      values_stored(warp, access, lanes));
    }
    /// The lanes' cells, before and after.
    void atomic(const MemoryAccess& access, const Piece& piece, const LaneAddresses& addresses,
                const std::array<std::uint64_t, warp_size>& before,
                const std::array<std::uint64_t, warp_size>& after) const {
        if (!this->records()) return;
        writer_.atomic(trace_space(piece.space), access.bytes, static_cast<std::uint32_t>(access.atomic),
                       piece.targets.lanes, addresses.lane, before, after);
    }
    /// A load of consecutive words by all lanes of the step, with the register that they went to. `first`: the lowest
    /// lane's address.
    void load_consecutive(const WarpStep& step, ptx::Space space, std::uint64_t first, const std::uint32_t* row) const {
        if (!this->records()) return;
        writer_.load_consecutive(trace_space(space), step.executed, first, row);
        if (this->records_registers())
            writer_.register_loaded(code_.destinations_of(step.micro).front().reg, step.executed);
    }
    void store_consecutive(const WarpStep& step, ptx::Space space, std::uint64_t first, const std::uint32_t* before,
                           const std::uint32_t* after) const {
        if (this->records()) writer_.store_consecutive(trace_space(space), step.executed, first, before, after);
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
    /// Whether instructions of that kind have steps.
    [[nodiscard]] bool has_steps_of(Kind kind) const {
        return this->records_registers() || (this->records() && !only_computes(kind));
    }
    [[nodiscard]] static std::span<const std::uint32_t, warp_size> words_of(const Warp& warp,
                                                                            const MemoryAccess& access) {
        const std::byte* row = warp.file + access.values[0].slot;
        return std::span<const std::uint32_t, warp_size>(reinterpret_cast<const std::uint32_t*>(row), warp_size);
    }
    /// A record of accesses omits these: they neither access nor order memory, nor cross lanes.
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
