// The values of a trace's effects <-> three streams of bytes. Values and addresses mostly have a constant stride over
// the lanes, and a load's register receives the loaded value. Only the rest is written out.
#pragma once

#include "trace/bytes.h"
#include "trace/trace.h"

#include <array>

namespace lanescope::trace {

/// One value a lane, indexed by lane.
using LaneValues = std::array<std::uint64_t, warp_size>;

class ValueEncoder {
  public:
    explicit ValueEncoder(const Trace& trace) : trace_(trace) {}
    void step(const Step& step);

    ByteWriter codes, numbers, raw;  ///< the three streams

  private:
    const Trace& trace_;
    LaneValues last_{};
    LaneMask last_lanes_;

    void effect(const Effect& effect);
    void values(LaneMask lanes, unsigned width, const LaneValues& values);
};

/// The destination of the decoded values: the pools of Trace.
struct ValuePools {
    Pool<std::uint32_t> narrow;
    Pool<std::uint64_t> wide;
    Pool<std::uint64_t> addresses;
};

class ValueDecoder {
  public:
    ValueDecoder(ByteReader codes, ByteReader numbers, ByteReader raw, ValuePools& pools)
        : codes_(codes), numbers_(numbers), raw_(raw), pools_(pools) {}
    /// `effects` are the step's own, with shape and lanes already checked. Sets where the values of each effect are.
    void step(std::span<Effect> effects);

    [[nodiscard]] bool failed() const { return failed_ || codes_.failed() || numbers_.failed() || raw_.failed(); }
    /// Whether all is read, and nothing is left over.
    [[nodiscard]] bool done() const { return !failed_ && codes_.done() && numbers_.done() && raw_.done(); }

  private:
    ByteReader codes_, numbers_, raw_;
    ValuePools& pools_;
    LaneValues last_{};
    LaneMask last_lanes_;
    bool failed_ = false;

    void effect(Effect& effect);
    LaneValues values(LaneMask lanes, unsigned width);
    void keep(const Effect& effect, const LaneValues& values);
};

}  // namespace lanescope::trace
