// The values of a trace's effects <-> three streams of bytes. A lane's value is seldom news: a register holds before a
// write what the last write left, values and addresses mostly step evenly from lane to lane, and a load's register
// receives what the load read. Only the rest is written out.
#pragma once

#include "trace/bytes.h"
#include "trace/trace.h"

#include <array>
#include <unordered_map>

namespace lanescope::trace {

/// One value a lane, indexed by lane.
using LaneValues = std::array<std::uint64_t, warp_size>;

/// What a reader of the trace so far expects the registers to hold. The same on both sides, so that it can be relied on.
class RegisterMemory {
  public:
    void begin_step(const Step& step);
    /// The register of the step's warp; zeros at first. Beyond a bounded number of registers: nothing is remembered.
    [[nodiscard]] LaneValues* find(std::uint32_t reg);

  private:
    struct Warp {
        std::uint32_t launch = 0;
        BlockId block;
        WarpId warp;
        friend bool operator==(const Warp&, const Warp&) = default;
    };
    struct Hash {
        std::size_t operator()(const Warp& warp) const;
    };
    std::unordered_map<Warp, std::uint32_t, Hash> warps_;  ///< -> dense number
    Warp current_;
    std::uint32_t current_number_ = 0;
    std::unordered_map<std::uint64_t, LaneValues> registers_;  ///< warp number and register
};

class ValueEncoder {
  public:
    explicit ValueEncoder(const Trace& trace) : trace_(trace) {}
    void step(const Step& step);

    ByteWriter codes, numbers, raw;  ///< the three streams

  private:
    const Trace& trace_;
    RegisterMemory registers_;
    LaneValues last_{};
    LaneMask last_lanes_;

    void effect(const Effect& effect);
    void values(LaneMask lanes, unsigned width, const LaneValues& values, const LaneValues* predicted);
};

/// Where the decoder puts the values: the pools of Trace.
struct ValuePools {
    std::vector<std::uint32_t> narrow;
    std::vector<std::uint64_t> wide;
    std::vector<std::uint64_t> addresses;
};

class ValueDecoder {
  public:
    ValueDecoder(ByteReader codes, ByteReader numbers, ByteReader raw, ValuePools& pools)
        : codes_(codes), numbers_(numbers), raw_(raw), pools_(pools) {}
    /// `effects` are the step's own, with shape and lanes already checked.
    void step(const Step& step, std::span<const Effect> effects);

    [[nodiscard]] bool failed() const { return failed_ || codes_.failed() || numbers_.failed() || raw_.failed(); }
    /// All read, nothing left over.
    [[nodiscard]] bool done() const { return !failed_ && codes_.done() && numbers_.done() && raw_.done(); }

  private:
    ByteReader codes_, numbers_, raw_;
    ValuePools& pools_;
    RegisterMemory registers_;
    LaneValues last_{};
    LaneMask last_lanes_;
    bool failed_ = false;

    void effect(const Effect& effect);
    LaneValues values(LaneMask lanes, unsigned width, const LaneValues* predicted);
    void keep(const Effect& effect, const LaneValues& values);
};

}  // namespace lanescope::trace
