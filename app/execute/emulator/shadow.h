// Shadow memory: for each word of memory the last write, and two reads since. The lanes of a warp's access share one
// entry of a log, and a word refers to the entry and the lane. Accesses narrower than a word are kept by the byte, in
// pages that are allocated on demand.
#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"
#include "execute/emulator/happens_before.h"
#include "execute/simt/divergence.h"
#include "trace/pool.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <unordered_map>
#include <vector>

namespace lanescope::execute {

inline constexpr Time never_done = ~Time{0};

/// One access of a warp.
struct WarpRecord {
    Time time = 0;
    BlockId block;
    std::uint16_t warp = 0;
    bool strong : 1 = false;        ///< volatile, relaxed, acquire, release or atomic (PTX ISA 8.4)
    bool within_block : 1 = false;  ///< strong, but not for other blocks
    bool atomic : 1 = false;
    bool copies : 1 =
        false;  ///< cp.async: its time is when all its lanes have waited for it (Copies), until then `never_done`
    Pc pc = no_pc;
    Pc blamed = no_pc;         ///< Code::blamed()
    std::uint32_t serial = 0;  ///< distinguishes accesses; one that the trace has is named by its step
};

class Shadow {
  public:
    /// A lane's part of an access: the number of its WarpRecord << 5 | lane. 0: there was none.
    using Ref = std::uint32_t;

    /// The accesses of one place: the last write, and later reads by different threads, of different warps if there are
    /// any.
    struct Cell {
        Ref& write;
        Ref& read;
        Ref& other_read;
        std::uint64_t offset;  ///< of its first byte
        unsigned bytes;
    };

    /// Accesses of a word that a stronger access replaced: a plain store before an atomic. An atomic access that is
    /// ordered after neither races with the plain one and not with the atomic one.
    struct Weaker {
        Ref write = 0, read = 0;
    };

    /// Refs [begin, end): accesses of the block that uses the memory now, ordered before all its further accesses.
    struct Settled {
        Ref begin = 0, end = 0;
        /// No check is needed: the access is settled, or there was none.
        [[nodiscard]] bool has(Ref ref) const { return ref == 0 || ref - begin < end - begin; }
    };

    explicit Shadow(std::uint64_t bytes = 0);

    [[nodiscard]] std::uint64_t bytes() const { return words_ * word_bytes; }  ///< of the memory, in whole words
    /// Removes all accesses.
    void clear();

    /// All lanes of the copy have waited for it.
    void finish(std::uint32_t serial, Time time);

    /// The ref of lane 0 of a new access. Times never decrease from one access to the next, except those of copies. The
    /// knowledge that all threads of its block share until `known` is settled.
    Ref add(const WarpRecord& record, Time known);
    /// The same, to be filled in place: copying a record stalls until its fields are written.
    WarpRecord& next(BlockId block, Time known);
    [[nodiscard]] Ref last() const { return static_cast<Ref>(log_.size() - 1) << lane_bits; }
    [[nodiscard]] const WarpRecord& record(Ref ref) const { return log_[ref >> lane_bits]; }
    [[nodiscard]] Settled settled() const { return {.begin = run_ << lane_bits, .end = settled_ << lane_bits}; }

    /// The record of a cell that is a whole word; null: there is none.
    [[nodiscard]] const Weaker* weaker(const Cell& cell) const {
        if (weaker_.empty() || cell.bytes != word_bytes) return nullptr;
        const auto found = weaker_.find(cell.offset);
        return found == weaker_.end() ? nullptr : &found->second;
    }
    /// A cell that is kept by the byte has no record.
    void keep_weaker(const Cell& cell, const Weaker& weaker) {
        if (cell.bytes == word_bytes) weaker_.insert_or_assign(cell.offset, weaker);
    }

    /// visit(Cell) for each cell of [offset, offset + bytes), which lies within the memory.
    template <class Visit>
    void for_each_cell(std::uint64_t offset, unsigned bytes, Visit visit) {
        const bool by_byte = bytes % word_bytes != 0 || offset % word_bytes != 0;
        for (std::uint64_t at = offset; at < offset + bytes;) {
            BytePage* page = pages_[at / page_bytes].get();
            if (page == nullptr && by_byte) page = &divide(at / page_bytes);
            if (page != nullptr) {
                const std::uint64_t in_page = at % page_bytes;
                visit(Cell{page->write[in_page], page->read[in_page], page->other_read[in_page], at, 1});
                ++at;
            } else {
                const std::uint64_t word = at / word_bytes;
                visit(Cell{writes_.first()[word], reads_.first()[word], other_reads_.first()[word], at, word_bytes});
                at += word_bytes;
            }
        }
    }

    /// A plain access of words, for which add() has just returned `own`.
    struct Words {
        std::uint64_t first = 0;  ///< byte of the lowest lane's word
        LaneMask lanes;
        Ref own = 0;                   ///< of lane 0
        bool must_be_written = false;  ///< reads
        bool only_barriers = false;    ///< only barriers of the whole block and of warps order its threads
    };
    // Consecutive words, one a lane; or one word that three or more lanes read. True: no check is needed, and the
    // access is kept. False: nothing is done.
    [[nodiscard]] bool read_words(const Words& words);
    [[nodiscard]] bool write_words(const Words& words);
    [[nodiscard]] bool read_one_word(const Words& words);

    /// A plain access of one word a lane, at any addresses.
    struct Scattered {
        const std::uint32_t* offset = nullptr;  ///< by the lane: byte of its word
        LaneMask lanes;
        Ref own = 0;
        bool must_be_written = false;  ///< reads
        Time known_in_block = 0;       ///< accesses of the block's threads until then are ordered
        Time known_in_warp = 0;        ///< likewise of the warp's lanes
    };
    // Only if nothing but barriers of the whole block and of warps orders the threads. Lane after lane;
    // look_closer(lane) checks the lanes that need it, and all later ones once it returns false. False: nothing is
    // done, because memory is kept by the byte.
    template <class LookCloser>
    [[nodiscard]] bool read_scattered(const Scattered& access, LookCloser look_closer);
    template <class LookCloser>
    [[nodiscard]] bool write_scattered(const Scattered& access, LookCloser look_closer);

  private:
    static constexpr unsigned lane_bits = 5;
    static constexpr std::uint64_t page_bytes = 512;
    static constexpr unsigned word_bytes = 4;
    struct BytePage {
        std::array<Ref, page_bytes> write{}, read{}, other_read{};
    };

    /// One ref a word, zeros from the system: parts of large buffers that no thread accesses cost nothing. The padding
    /// before and after lets a warp's row begin and end outside.
    class Row {
      public:
        Row() = default;
        explicit Row(std::uint64_t words);
        [[nodiscard]] Ref* begin() { return refs_.get(); }
        [[nodiscard]] Ref* first() { return refs_.get() + warp_size; }  ///< word 0

      private:
        struct Free {
            void operator()(Ref* refs) const { std::free(refs); }
        };
        std::unique_ptr<Ref[], Free> refs_;
    };

    /// The origin of the refs of a row.
    enum class By : std::uint8_t { unknown, same_warp, other_warp };
    [[nodiscard]] By accessed_by(Ref ref, Ref own) const;
    [[nodiscard]] bool is_own(Ref ref, Ref own) const {
        return ref % warp_size == own % warp_size && of_own_warp(ref, own);
    }
    [[nodiscard]] bool of_own_warp(Ref ref, Ref own) const {
        const WarpRecord& earlier = record(ref);
        const WarpRecord& now = record(own);
        return earlier.block == now.block && earlier.warp == now.warp && !earlier.copies;
    }
    BytePage& divide(std::uint64_t page);
    void drop_unused();
    template <class Visit>
    void for_each_ref(Visit visit);

    std::uint64_t words_ = 0;
    Row writes_, reads_, other_reads_;
    std::vector<std::unique_ptr<BytePage>> pages_;
    bool divided_ = false;                              ///< some page is kept by the byte
    std::unordered_map<std::uint64_t, Weaker> weaker_;  ///< by the byte of the word
    trace::Pool<WarpRecord> log_;
    std::size_t room_;           ///< entries of the log before the unused ones are dropped
    std::uint32_t run_ = 1;      ///< all entries from here on belong to the last block
    std::uint32_t settled_ = 1;  ///< entries from `run_` until here are settled
};

template <class LookCloser>
bool Shadow::read_scattered(const Scattered& access, LookCloser look_closer) {
    if (divided_) return false;
    const Settled known = settled();
    const BlockId block = record(access.own).block;
    bool closer = false;
    for (const unsigned lane : access.lanes) {
        const Ref own = access.own + lane;
        const std::uint32_t word = access.offset[lane] / word_bytes;
        const Ref write = writes_.first()[word];
        if (closer || (write == 0 && access.must_be_written) || (!known.has(write) && !is_own(write, own))) {
            closer = !look_closer(lane);
            continue;
        }
        Ref& read = reads_.first()[word];
        if (known.has(read)) {
            read = own;
            continue;
        }
        const auto ordered = [&](Ref ref) {
            const WarpRecord& earlier = record(ref);
            if (is_own(ref, own) || (of_own_warp(ref, own) && earlier.time <= access.known_in_warp)) return true;
            return earlier.block == block && earlier.time <= access.known_in_block;
        };
        Ref& other_read = other_reads_.first()[word];
        const bool replaces =
            ordered(read) || (!known.has(other_read) && !ordered(other_read) && of_own_warp(read, own));
        (replaces ? read : other_read) = own;
    }
    return true;
}

template <class LookCloser>
bool Shadow::write_scattered(const Scattered& access, LookCloser look_closer) {
    if (divided_) return false;
    const Settled known = settled();
    bool closer = false;
    for (const unsigned lane : access.lanes) {
        const Ref own = access.own + lane;
        const std::uint32_t word = access.offset[lane] / word_bytes;
        Ref& write = writes_.first()[word];
        Ref& read = reads_.first()[word];
        Ref& other_read = other_reads_.first()[word];
        const auto clear = [&](Ref ref) { return known.has(ref) || is_own(ref, own); };
        if (closer || !clear(write) || !clear(read) || !clear(other_read)) {
            closer = !look_closer(lane);
            continue;
        }
        write = own;
        read = 0;
        other_read = 0;
    }
    return true;
}

}  // namespace lanescope::execute
