#include "execute/emulator/shadow.h"

#include "execute/simt/lanes.h"

#include <algorithm>
#include <cstring>

namespace lanescope::execute {

namespace {

constexpr std::size_t least_room = std::size_t{1} << 16;
constexpr std::size_t most_room = std::size_t{1} << 27;  // that a ref can number

using Ref = Shadow::Ref;

/// Refs of a row, as far as nothing is to be asked about them: settled, none, or `alike` + the lane.
struct Known {
    Shadow::Settled settled;
    Ref alike = 0;

    [[gnu::always_inline]] std::uint32_t lacks(Ref ref, unsigned lane) const {
        const bool old = ref == 0 || ref - settled.begin < settled.end - settled.begin;
        return old || ref == alike + lane ? 0U : 1U;
    }
};

/// Whether all refs of `lanes` are known. The row begins where lane 0's word would be.
LANESCOPE_FOR_EACH_PROCESSOR bool are_known(const Ref* row, LaneMask lanes, Known known, bool there) {
    const std::uint32_t bits = lanes.bits();
    std::uint32_t unknown = 0;
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const std::uint32_t absent = there && row[lane] == 0 ? 1U : 0U;
        unknown |= ((bits >> lane) & 1U) != 0 ? absent | known.lacks(row[lane], lane) : 0U;
    }
    return unknown == 0;
}

LANESCOPE_FOR_EACH_PROCESSOR void fill(Ref* row, LaneMask lanes, Ref own) {
    write_lanes(
        row, lanes, [&](unsigned lane) __attribute__((always_inline)) { return own + lane; });
}
LANESCOPE_FOR_EACH_PROCESSOR void clear_lanes(Ref* row, LaneMask lanes) {
    write_lanes(
        row, lanes, [](unsigned) __attribute__((always_inline)) { return Ref{0}; });
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
      log_(1),
      room_(least_room) {}

void Shadow::clear() {
    for (Row* row : {&writes_, &reads_, &other_reads_}) std::memset(row->first(), 0, words_ * sizeof(Ref));
    if (divided_) {
        for (std::unique_ptr<BytePage>& page : pages_) page.reset();
    }
    divided_ = false;
    log_.resize(1);
    run_ = settled_ = 1;
}

Ref Shadow::add(const WarpRecord& record, Time known) {
    if (log_.size() == room_) drop_unused();
    if (log_.size() > 1 && log_.back().block != record.block) {
        run_ = settled_ = static_cast<std::uint32_t>(log_.size());
    }
    while (settled_ < log_.size() && log_[settled_].time <= known) ++settled_;
    log_.push_back(record);
    return static_cast<Ref>(log_.size() - 1) << lane_bits;
}

Shadow::By Shadow::accessed_by(Ref ref, Ref own) const {
    const WarpRecord& earlier = record(ref);
    const WarpRecord& now = record(own);
    if (earlier.block != now.block) return By::unknown;
    return earlier.warp == now.warp ? By::same_warp : By::other_warp;
}

/// What the thread itself did is ordered. Reads do not race; beside one by another warp the new one is kept, too.
bool Shadow::read_words(const Words& words) {
    if (divided_ || words.first % word_bytes != 0) return false;
    const unsigned lowest = words.lanes.lowest();
    const std::uint64_t begin = words.first / word_bytes + warp_size - lowest;
    const Ref* const writes = writes_.begin() + begin;
    Ref* const reads = reads_.begin() + begin;
    const auto known = [&](const Ref* row, By by) {
        const Ref alike = row[lowest] - lowest;
        return Known{.settled = settled(), .alike = accessed_by(row[lowest], words.own) == by ? alike : 0};
    };
    if (!are_known(writes, words.lanes, known(writes, By::same_warp), words.must_be_written)) return false;
    if (are_known(reads, words.lanes, known(reads, By::same_warp), false)) {
        fill(reads, words.lanes, words.own);
        return true;
    }
    const Known by_another{.settled = {}, .alike = known(reads, By::other_warp).alike};
    if (!words.only_barriers || !are_known(reads, words.lanes, by_another, true)) return false;
    if (settled().has(reads[lowest])) return false;
    fill(other_reads_.begin() + begin, words.lanes, words.own);
    return true;
}

bool Shadow::write_words(const Words& words) {
    if (divided_ || words.first % word_bytes != 0) return false;
    const unsigned lowest = words.lanes.lowest();
    const std::uint64_t begin = words.first / word_bytes + warp_size - lowest;
    const std::array<Ref*, 3> rows = {writes_.begin() + begin, reads_.begin() + begin, other_reads_.begin() + begin};
    for (const Ref* row : rows) {
        const bool own = accessed_by(row[lowest], words.own) == By::same_warp;
        const Known known{.settled = settled(), .alike = own ? row[lowest] - lowest : 0};
        if (!are_known(row, words.lanes, known, false)) return false;
    }
    fill(rows[0], words.lanes, words.own);
    clear_lanes(rows[1], words.lanes);
    clear_lanes(rows[2], words.lanes);
    return true;
}

/// As if the lanes came one after the other: the last one stays, and beside it the second; beside another warp, the last one.
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

/// What held for a word holds for each of its bytes.
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
}

/// Entries that no word names any more make room for others.
void Shadow::drop_unused() {
    std::vector<std::uint32_t> number(log_.size());  // its new one; 0: unused
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
    log_.resize(kept);
    for_each_ref([&](Ref& ref) {
        ref = number[ref >> lane_bits] << lane_bits | (ref & (warp_size - 1U));
        if (ref >> lane_bits == 0) ref = 0;
    });
    room_ = std::clamp(2 * std::size_t{kept}, least_room, most_room);
    // As many words as that would take more memory than there is.
    if (kept == most_room) clear();
}

}  // namespace lanescope::execute
