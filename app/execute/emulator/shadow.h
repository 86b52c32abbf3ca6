// Beside a piece of memory, who accessed it last: of each word the last write, and two reads since. Pages of it come into
// being when their memory is first accessed; a page whose accesses are narrower than a word is kept by the byte.
#pragma once

#include "base/ids.h"
#include "execute/emulator/happens_before.h"
#include "execute/simt/paths.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::execute {

/// One access of one thread.
struct AccessRecord {
    Time time = 0;  ///< 0: there was none
    BlockId block;
    std::uint16_t thread = 0;  ///< in its block
    bool strong : 1 = false;   ///< volatile, relaxed, acquire, release or atomic: ordered among its like (PTX ISA 8.4)
    bool within_block : 1 = false;  ///< strong, but not for other blocks
    bool atomic : 1 = false;
    Pc pc = no_pc;
    Pc blamed = no_pc;         ///< Code::blamed()
    std::uint32_t serial = 0;  ///< the warp access that it is part of
};

struct ShadowCell {
    AccessRecord write;
    std::array<AccessRecord, 2>
        reads;  ///< since that write: by different threads, of different warps where there are such
};

class Shadow {
  public:
    explicit Shadow(std::uint64_t bytes = 0) : pages_((bytes + page_bytes - 1) / page_bytes) {}

    /// Forgets everything.
    void clear();

    /// visit(ShadowCell&) for each cell of [offset, offset + bytes), which lies within the memory.
    template <class Visit>
    void for_each_cell(std::uint64_t offset, unsigned bytes, Visit visit) {
        const bool by_byte = bytes % word_bytes != 0 || offset % word_bytes != 0;
        for (std::uint64_t at = offset; at < offset + bytes;) {
            Page& page = page_of(at, by_byte);
            const bool of_bytes = page.granule == 1;
            const std::uint64_t in_page = at % page_bytes;
            visit(page.cells[of_bytes ? in_page : in_page / word_bytes]);  // and no division by what is not known
            at += of_bytes ? 1 : word_bytes;
        }
    }

  private:
    static constexpr std::uint64_t page_bytes = 512;
    static constexpr unsigned word_bytes = 4;
    struct Page {
        unsigned granule = 0;  ///< bytes of a cell
        std::vector<ShadowCell> cells;
    };
    Page& page_of(std::uint64_t offset, bool by_byte) {
        const std::unique_ptr<Page>& page = pages_[offset / page_bytes];
        return page && (!by_byte || page->granule == 1) ? *page : fit_page(offset, by_byte);
    }
    Page& fit_page(std::uint64_t offset, bool by_byte);

    std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace lanescope::execute
