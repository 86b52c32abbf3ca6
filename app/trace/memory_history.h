// Shared and global memory of a trace at any position. Steps are applied and undone one by one; long jumps use
// checkpoints, which keep only the pages that changed since the previous one. A jump finds its checkpoint and applies
// the steps from there, fewer than a checkpoint interval; pages are restored on demand.
#pragma once

#include "trace/cursor.h"

#include <array>
#include <deque>
#include <memory>
#include <unordered_map>
#include <vector>

namespace lanescope::trace {

class MemoryHistory {
  public:
    explicit MemoryHistory(const Trace& trace);

    /// Applies step number `position`, and the host's writes after it.
    void apply(std::size_t position);
    void undo(std::size_t position);

    /// Restores memory, now at step `from`, to the last checkpoint at or before `to`, if that is nearer to `to`.
    /// Returns the position that memory is then at.
    std::size_t jump(std::size_t from, std::size_t to);

    /// Steps applied and undone and pages restored so far: the cost, independent of the machine.
    [[nodiscard]] std::uint64_t visited() const { return visited_; }

    [[nodiscard]] const MemoryImage& shared(std::uint32_t launch, BlockId block);
    [[nodiscard]] const MemoryImage& global(std::uint32_t buffer);

  private:
    /// Snapshots are of pages: small, because a warp's scattered stores dirty one page a lane.
    static constexpr std::size_t page_bytes = 128;
    struct Version {
        std::uint32_t checkpoint = 0;  ///< from this one on, until the next version
        std::uint32_t snapshot = 0;    ///< index in snapshots_
    };
    struct Page {
        std::uint32_t region = 0;
        std::uint32_t index = 0;  ///< in the region
        bool dirty = false;
        std::uint32_t jumps = 0;        ///< up to date since this many jumps; before that, as at the checkpoint
        std::vector<Version> versions;  ///< ascending; before the first: as it was at the start
    };
    struct Snapshot {
        std::array<std::byte, page_bytes> bytes{};
        std::array<std::uint32_t, page_bytes> writes{};
    };
    /// One buffer, or the shared memory of one block.
    struct Region {
        std::uint32_t id = 0;  ///< index in regions_
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
        std::span<const std::byte> initial;  ///< shorter than `bytes`: zeros follow
        std::vector<ByteRun> filled;         ///< what of `initial` may be other than zero
        bool made = false;
        MemoryImage image;                  ///< created on first use
        ZeroedArray<std::uint32_t> pages;   ///< index in pages_ + 1, 0: never stored to
        std::vector<std::uint64_t> stored;  ///< the pages that are not 0 in `pages`
    };

    const Trace& trace_;
    std::deque<Region> regions_;  ///< buffers first, in their order; then blocks, as they come
    std::unordered_map<std::uint64_t, std::uint32_t> blocks_;  ///< launch and block -> region
    std::vector<std::uint32_t> by_address_;                    ///< buffers, ascending
    std::vector<Page> pages_;
    std::vector<std::uint32_t> dirty_;
    std::vector<Snapshot> snapshots_;
    std::vector<std::size_t> checkpoints_;  ///< positions, ascending; the first is 0
    std::uint32_t checkpoint_ = 0;          ///< of the last jump
    std::uint32_t jumps_ = 0;               ///< so far
    std::uint64_t visited_ = 0;
    bool laying_ = true;  ///< checkpoints are being created, so stored pages are noted

    MemoryImage& image_of(Region& region);
    Region& block_region(std::uint32_t launch, BlockId block);
    Region* buffer_region(std::uint64_t address);
    Region& add_region(std::uint64_t address, std::uint64_t bytes, std::span<const std::byte> initial);
    void note_store(Region& region, std::uint64_t offset, std::uint64_t bytes);
    void lay_checkpoint(std::size_t position);
    void restore(const Page& page, std::uint32_t checkpoint);
    /// Restores a page when it is next stored to or read; a jump itself changes no page.
    void put_back(const Region& region, std::uint64_t index);
    const MemoryImage& whole(Region& region);

    enum class Direction : std::uint8_t { forward, back };
    /// The host's writes at the position.
    [[nodiscard]] std::span<const HostWrite> host_writes_at(std::size_t position) const;
    void write_by_host(const HostWrite& write, Direction direction);
    void write_lane(const Effect& effect, unsigned lane, Region* block, Direction direction);
};

}  // namespace lanescope::trace
