// What a kernel does wrong, in words: findings with names and numbers, so many of each kind and the rest counted.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/machine.h"
#include "trace/trace.h"
#include "trace/writer.h"

#include <array>
#include <string>
#include <vector>

namespace lanescope::execute {

class Faults {
  public:
    /// Findings go to the writer, at most `limit` of each kind.
    Faults(trace::Writer& writer, const GlobalMemory& memory, std::uint64_t limit)
        : writer_(writer), memory_(memory), limit_(limit) {}

    /// What names things in the launch that runs now.
    void begin_launch(std::uint32_t number, const Code& code, const trace::Launch& launch,
                      const std::vector<trace::SharedArray>& arrays);
    /// Says how many findings were not listed.
    void finish();

    /// `lane` touched `bytes` at an address (of the access's own space) where nothing is, or which is misaligned.
    void access(const Block& block, const Warp& warp, unsigned lane, const Micro& micro, ptx::Space space,
                std::uint64_t address, unsigned bytes, bool misaligned);
    void trap(const Block& block, const Warp& warp, LaneMask lanes, const Micro& micro);
    void shuffle_from_inactive(const Block& block, const Warp& warp, unsigned lane, unsigned source,
                               const Micro& micro);
    /// No thread of the block can go on.
    void deadlock(const Block& block);
    void divergent_barrier(const Block& block, const Warp& warp);
    void budget_spent(const Block& block, const Warp& warp, std::uint64_t budget);

  private:
    [[nodiscard]] std::string thread(const Block& block, const Warp& warp, unsigned lane) const;
    [[nodiscard]] std::string block_name(const Block& block) const;
    [[nodiscard]] std::string line_of(const Micro& micro) const;
    [[nodiscard]] std::string place_of(ptx::Space space, std::uint64_t address, unsigned bytes) const;
    [[nodiscard]] std::string global_place(std::uint64_t address) const;
    [[nodiscard]] std::string shared_place(std::uint64_t address) const;
    [[nodiscard]] std::string threads_in(const Warp& warp, LaneMask lanes) const;
    void report(trace::Finding::Kind kind, const Block& block, WarpId warp, LaneId lane, const Micro& micro,
                std::optional<std::uint64_t> address, std::string message);

    trace::Writer& writer_;
    const GlobalMemory& memory_;
    std::uint64_t limit_;
    std::array<std::uint64_t, 16> found_{};  ///< by kind
    std::uint32_t launch_number_ = 0;
    const Code* code_ = nullptr;
    trace::Launch launch_;
    std::vector<trace::SharedArray> arrays_;
};

}  // namespace lanescope::execute
