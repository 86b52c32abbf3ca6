#include "execute/emulator/shadow.h"

#include "execute/simt/lanes.h"

#include <algorithm>
#include <cstring>

namespace lanescope::execute {

namespace {

constexpr std::size_t least_room = std::size_t{1} << 16;
constexpr std::size_t most_room = std::size_t{1} << 27;  // that a ref can index

using Ref = Shadow::Ref;

/// All ones or all zeros, without branches, so that the loops below are vectorized.
[[gnu::always_inline]] inline std::uint32_t mask_if(bool holds) { return holds ? ~0U : 0U; }

/// Whether a ref is unknown. Known refs are 0, those in [begin, begin + span), and `alike`.
[[gnu::always_inline]] inline std::uint32_t unknown(Ref ref, Ref begin, Ref span, Ref alike) {
    return mask_if(ref != 0) & mask_if(ref - begin >= span) & mask_if(ref != alike);
}

/// The ref that lane 0 would have in a row that `own`'s warp accessed as a whole, if the ref of the lowest lane is from
/// that warp; otherwise 0.
[[gnu::always_inline]] inline Ref first_of_same_warp(const WarpRecord* log, Ref own, const Ref* row, unsigned lowest) {
    const WarpRecord& earlier = log[row[lowest] / warp_size];
    const WarpRecord& now = log[own / warp_size];
    // If another lane accessed the lowest lane's word, the row is shifted: no lane accessed its own word.
    const bool own_lanes = row[lowest] % warp_size == lowest;
    return own_lanes && earlier.block == now.block && earlier.warp == now.warp && !earlier.copies ? row[lowest] - lowest
                                                                                                  : 0;
}

/// The disjunction of any(lane), which is all ones or all zeros, over `lanes`.
template <class Of>
[[gnu::always_inline]] inline bool any_lane(LaneMask lanes, const Of& of) {
    std::uint32_t any = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) any |= of(lane) & (1U << lane);
    return (any & lanes.bits()) != 0;
}

[[gnu::always_inline]] inline void write_refs(Ref* refs, LaneMask lanes, Ref own) {
    write_lanes(
        refs, lanes, [&](unsigned lane) __attribute__((always_inline)) { return own + lane; });
}
[[gnu::always_inline]] inline void write_none(Ref* refs, LaneMask lanes) {
    write_lanes(
        refs, lanes, [](unsigned) __attribute__((always_inline)) { return Ref{0}; });
}

// The rows begin at lane 0's word. False: nothing is done, because a ref is unknown.

/// The usual state after a barrier, in memory of one block: all refs are in [0, end), those of writes at least `least`.
LANESCOPE_FOR_EACH_PROCESSOR bool keep_reads_of_settled(const Ref* writes, Ref* reads, Ref least, Ref end,
                                                        const Shadow::Words& words) {
    const bool doubtful = any_lane(
        words.lanes, [&](unsigned lane) __attribute__((always_inline)) {
            return mask_if(writes[lane] - least >= end - least) | mask_if(reads[lane] >= end);
        });
    if (doubtful) return false;
    write_refs(reads, words.lanes, words.own);
    return true;
}

/// The same, where the same lanes may just have read the words.
LANESCOPE_FOR_EACH_PROCESSOR bool keep_writes_of_settled(Ref* writes, Ref* reads, Ref* other_reads,
                                                         const WarpRecord* log, Ref end, const Shadow::Words& words) {
    const Ref read = first_of_same_warp(log, words.own, reads, words.lanes.lowest());
    const bool doubtful = any_lane(
        words.lanes, [&](unsigned lane) __attribute__((always_inline)) {
            return mask_if(writes[lane] >= end) | (mask_if(reads[lane] >= end) & mask_if(reads[lane] != read + lane)) |
                   mask_if(other_reads[lane] >= end);
        });
    if (doubtful) return false;
    write_refs(writes, words.lanes, words.own);
    write_none(reads, words.lanes);
    write_none(other_reads, words.lanes);
    return true;
}

LANESCOPE_FOR_EACH_PROCESSOR bool keep_reads(const Ref* writes, Ref* reads, const WarpRecord* log, Ref begin, Ref span,
                                             const Shadow::Words& words) {
    const Ref own = words.own;
    const std::uint32_t must = mask_if(words.must_be_written);
    const Ref written = first_of_same_warp(log, own, writes, words.lanes.lowest());
    const Ref read = first_of_same_warp(log, own, reads, words.lanes.lowest());
    const bool doubtful = any_lane(
        words.lanes, [&](unsigned lane) __attribute__((always_inline)) {
            return (must & mask_if(writes[lane] == 0)) | unknown(writes[lane], begin, span, written + lane) |
                   unknown(reads[lane], begin, span, read + lane);
        });
    if (doubtful) return false;
    write_refs(reads, words.lanes, own);
    return true;
}

/// All lanes' words were read by one other warp as a whole, `by_another` being its lane 0's ref, and by no other.
LANESCOPE_FOR_EACH_PROCESSOR bool keep_other_reads(const Ref* writes, const Ref* reads, Ref* other_reads,
                                                   const WarpRecord* log, Ref begin, Ref span, Ref by_another,
                                                   const Shadow::Words& words) {
    const Ref own = words.own;
    const std::uint32_t must = mask_if(words.must_be_written);
    const Ref written = first_of_same_warp(log, own, writes, words.lanes.lowest());
    const bool doubtful = any_lane(
        words.lanes, [&](unsigned lane) __attribute__((always_inline)) {
            return (must & mask_if(writes[lane] == 0)) | unknown(writes[lane], begin, span, written + lane) |
                   mask_if(reads[lane] != by_another + lane);
        });
    if (doubtful) return false;
    write_refs(other_reads, words.lanes, own);
    return true;
}

LANESCOPE_FOR_EACH_PROCESSOR bool keep_writes(Ref* writes, Ref* reads, Ref* other_reads, const WarpRecord* log,
                                              Ref begin, Ref span, const Shadow::Words& words) {
    const unsigned lowest = words.lanes.lowest();
    const Ref own = words.own;
    const Ref written = first_of_same_warp(log, own, writes, lowest);
    const Ref read = first_of_same_warp(log, own, reads, lowest);
    const Ref other_read = first_of_same_warp(log, own, other_reads, lowest);
    const bool doubtful = any_lane(
        words.lanes, [&](unsigned lane) __attribute__((always_inline)) {
            return unknown(writes[lane], begin, span, written + lane) | unknown(reads[lane], begin, span, read + lane) |
                   unknown(other_reads[lane], begin, span, other_read + lane);
        });
    if (doubtful) return false;
    write_refs(writes, words.lanes, own);
    write_none(reads, words.lanes);
    write_none(other_reads, words.lanes);
    return true;
}

}  // namespace

Shadow::Row::Row(std::uint64_t words)
    : refs_(static_cast<Ref*>(std::calloc(words + 2 * std::uint64_t{warp_size}, sizeof(Ref)))) {
    if (!refs_) throw std::bad_alloc();
}

Shadow::Shadow(std::uint64_t bytes)
    : words_((bytes + word_bytes - 1) / word_bytes),
      writes_(words_),
      reads_(words_),
      other_reads_(words_),
      pages_((bytes + page_bytes - 1) / page_bytes),
      room_(least_room) {
    log_.add();
}

void Shadow::clear() {
    for (Row* row : {&writes_, &reads_, &other_reads_}) std::memset(row->first(), 0, words_ * sizeof(Ref));
    if (divided_) {
        for (std::unique_ptr<BytePage>& page : pages_) page.reset();
    }
    divided_ = false;
    weaker_.clear();
    log_.cut(1);
    run_ = settled_ = 1;
}

WarpRecord& Shadow::next(BlockId block, Time known) {
    if (log_.size() == room_) drop_unused();
    if (log_.size() > 1 && log_.back().block != block) run_ = settled_ = static_cast<std::uint32_t>(log_.size());
    while (settled_ < log_.size() && log_[settled_].time <= known) ++settled_;
    return log_.add();
}

/// A pending access is not settled, nor are the accesses after it.
void Shadow::finish(std::uint32_t serial, Time time) {
    for (std::size_t entry = settled_; entry < log_.size(); ++entry) {
        if (log_[entry].copies && log_[entry].serial == serial) log_[entry].time = time;
    }
}

Ref Shadow::add(const WarpRecord& record, Time known) {
    next(record.block, known) = record;
    return last();
}

Shadow::By Shadow::accessed_by(Ref ref, Ref own) const {
    const WarpRecord& earlier = record(ref);
    const WarpRecord& now = record(own);
    if (earlier.block != now.block) return By::unknown;
    return earlier.warp == now.warp ? By::same_warp : By::other_warp;
}

/// A thread's own accesses are ordered. Reads do not race; next to a read of another warp the new one is kept, too.
bool Shadow::read_words(const Words& words) {
    if (divided_ || words.first % word_bytes != 0) return false;
    const unsigned lowest = words.lanes.lowest();
    const std::uint64_t at = words.first / word_bytes + warp_size - lowest;
    const Ref* const writes = writes_.begin() + at;
    Ref* const reads = reads_.begin() + at;
    const Settled known = settled();
    const Ref span = known.end - known.begin;
    constexpr Ref first_ref = warp_size;  // lane 0's of the log's first entry
    if (run_ == 1 && keep_reads_of_settled(writes, reads, words.must_be_written ? first_ref : 0, known.end, words)) {
        return true;
    }
    if (keep_reads(writes, reads, log_.data(), known.begin, span, words)) return true;
    if (!words.only_barriers || known.has(reads[lowest]) || accessed_by(reads[lowest], words.own) != By::other_warp) {
        return false;
    }
    const Ref by_another = reads[lowest] - lowest;
    return keep_other_reads(writes, reads, other_reads_.begin() + at, log_.data(), known.begin, span, by_another,
                            words);
}

bool Shadow::write_words(const Words& words) {
    if (divided_ || words.first % word_bytes != 0) return false;
    const std::uint64_t at = words.first / word_bytes + warp_size - words.lanes.lowest();
    const Settled known = settled();
    if (run_ == 1 && keep_writes_of_settled(writes_.begin() + at, reads_.begin() + at, other_reads_.begin() + at,
                                            log_.data(), known.end, words)) {
        return true;
    }
    return keep_writes(writes_.begin() + at, reads_.begin() + at, other_reads_.begin() + at, log_.data(), known.begin,
                       known.end - known.begin, words);
}

/// The result of lane after lane: the last lane is kept, and the second last beside it; next to another warp's access,
/// the last lane.
bool Shadow::read_one_word(const Words& words) {
    const LaneMask others = words.lanes & ~LaneMask::only(words.lanes.lowest());
    if (divided_ || words.first % word_bytes != 0 || others.count() < 2) return false;
    const std::uint64_t word = words.first / word_bytes;
    const Ref write = writes_.first()[word];
    Ref& read = reads_.first()[word];
    Ref& other_read = other_reads_.first()[word];
    const Settled known = settled();
    if ((words.must_be_written && write == 0) || !known.has(write)) return false;
    const Ref last = words.own + (warp_size - 1U - static_cast<unsigned>(std::countl_zero(words.lanes.bits())));
    if (known.has(read) && known.has(other_read)) {
        read = last;
        other_read = words.own + others.lowest();
        return true;
    }
    if (known.has(read) || !words.only_barriers || accessed_by(read, words.own) != By::other_warp) return false;
    other_read = last;
    return true;
}

/// The state of a word holds for each of its bytes.
Shadow::BytePage& Shadow::divide(std::uint64_t page) {
    auto bytes = std::make_unique<BytePage>();
    for (std::uint64_t i = 0; i < page_bytes; ++i) {
        const std::uint64_t word = std::min((page * page_bytes + i) / word_bytes, words_ - 1);
        bytes->write[i] = writes_.first()[word];
        bytes->read[i] = reads_.first()[word];
        bytes->other_read[i] = other_reads_.first()[word];
    }
    divided_ = true;
    pages_[page] = std::move(bytes);
    return *pages_[page];
}

template <class Visit>
void Shadow::for_each_ref(Visit visit) {
    for (Row* row : {&writes_, &reads_, &other_reads_}) std::for_each_n(row->first(), words_, visit);
    for (std::unique_ptr<BytePage>& page : pages_) {
        if (!page) continue;
        for (auto* refs : {&page->write, &page->read, &page->other_read}) std::ranges::for_each(*refs, visit);
    }
    for (auto& [offset, refs] : weaker_) {
        visit(refs.write);
        visit(refs.read);
    }
}

/// Drops log entries that no word refers to, to make room.
void Shadow::drop_unused() {
    std::vector<std::uint32_t> number(log_.size());  // its new number; 0: unused
    for_each_ref([&](Ref ref) { number[ref >> lane_bits] = 1; });
    number[0] = 0;
    std::uint32_t kept = 1;
    std::uint32_t run = 0, settled = 0;
    for (std::uint32_t i = 1; i < log_.size(); ++i) {
        if (i == run_) run = kept;
        if (i == settled_) settled = kept;
        if (number[i] == 0) continue;
        number[i] = kept;
        log_[kept++] = log_[i];
    }
    run_ = run != 0 ? run : kept;
    settled_ = settled != 0 ? settled : kept;
    log_.cut(kept);
    for_each_ref([&](Ref& ref) {
        ref = number[ref >> lane_bits] << lane_bits | (ref & (warp_size - 1U));
        if (ref >> lane_bits == 0) ref = 0;
    });
    room_ = std::clamp(2 * std::size_t{kept}, least_room, most_room);
    // No memory has so many words.
    if (kept == most_room) clear();
}

}  // namespace lanescope::execute
