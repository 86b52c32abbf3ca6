#include "execute/emulator/happens_before.h"

#include <algorithm>
#include <bit>

namespace lanescope::execute {

/// Times by block, and in it by subject: a thread, a warp or the whole block. A tree over the bits of the blocks'
/// numbers (Okasaki and Gill, Fast Mergeable Integer Maps, 1998): what two of them have in common is one part of both,
/// so that a join takes only as long as they differ. In a chain of blocks each knows of all before it.
class Knowledge {
  public:
    /// Subject and time, ascending; of one block.
    using Entry = std::pair<std::uint32_t, Time>;

    static std::uint32_t of_thread(unsigned thread) { return key(Subject::thread, thread); }
    static std::uint32_t of_warp(unsigned warp) { return key(Subject::warp, warp); }
    static std::uint32_t of_block() { return key(Subject::block, 0); }
    /// The operations of the thread on mbarriers, and nothing else that it does.
    static std::uint32_t of_operations(unsigned thread) { return key(Subject::operations, thread); }

    Knowledge(BlockId block, std::vector<Entry> entries) : prefix_(block.value), entries_(std::move(entries)) {}
    Knowledge(std::uint32_t prefix, std::uint32_t bit, KnowledgePtr zero, KnowledgePtr one)
        : prefix_(prefix), bit_(bit), zero_(std::move(zero)), one_(std::move(one)) {}

    [[nodiscard]] bool covers(BlockId block, unsigned thread, Time time) const {
        const Knowledge* const node = of_only(block);
        return node != nullptr && (node->of(of_block()) >= time || node->of(of_warp(thread / warp_size)) >= time ||
                                   node->of(of_thread(thread)) >= time);
    }
    [[nodiscard]] bool covers_operation(BlockId block, unsigned thread, Time time) const {
        const Knowledge* const node = of_only(block);
        return node != nullptr && node->of(of_operations(thread)) >= time;
    }

    /// Returns one of the two itself if it has all of the other.
    static KnowledgePtr join(const KnowledgePtr& a, const KnowledgePtr& b) {
        if (a == nullptr || a == b) return b;
        if (b == nullptr) return a;
        if (a->bit_ == b->bit_ && a->prefix_ == b->prefix_)
            return a->bit_ == 0 ? of_one_block(a, b) : of_one_range(a, b);
        if (a->bit_ > b->bit_ && a->has(b->prefix_)) return with(a, b);
        if (b->bit_ > a->bit_ && b->has(a->prefix_)) return with(b, a);
        const std::uint32_t bit = std::bit_floor(a->prefix_ ^ b->prefix_);
        const bool first = (a->prefix_ & bit) == 0;
        return std::make_shared<const Knowledge>(a->prefix_ & ~(bit | (bit - 1)), bit, first ? a : b, first ? b : a);
    }

    static KnowledgePtr join(const std::vector<KnowledgePtr>& all) {
        KnowledgePtr joined;
        for (const KnowledgePtr& each : all) joined = join(joined, each);
        return joined;
    }

  private:
    enum class Subject : std::uint8_t { thread, warp, block, operations };
    /// From the highest bit: 2 of the subject, 30 of its number, whatever a device allows of a block.
    static std::uint32_t key(Subject subject, unsigned number) {
        return static_cast<std::uint32_t>(subject) << 30U | number;
    }

    /// Null: nothing is known of that block.
    [[nodiscard]] const Knowledge* of_only(BlockId block) const {
        const Knowledge* node = this;
        while (node->bit_ != 0) node = node->side_of(block.value).get();
        return node->prefix_ == block.value ? node : nullptr;
    }

    [[nodiscard]] Time of(std::uint32_t subject) const {
        const auto found = std::ranges::lower_bound(entries_, subject, {}, &Entry::first);
        return found != entries_.end() && found->first == subject ? found->second : 0;
    }

    /// Whether the block is in the range of the node, of which the bits above `bit_` are common.
    [[nodiscard]] bool has(std::uint32_t block) const { return (block & ~(bit_ | (bit_ - 1))) == prefix_; }
    [[nodiscard]] const KnowledgePtr& side_of(std::uint32_t block) const { return (block & bit_) == 0 ? zero_ : one_; }

    static KnowledgePtr branch(const KnowledgePtr& of, KnowledgePtr zero, KnowledgePtr one) {
        return std::make_shared<const Knowledge>(of->prefix_, of->bit_, std::move(zero), std::move(one));
    }

    /// Whether no time in `less` is later than the one of that subject in `more`.
    static bool has_all(const std::vector<Entry>& more, const std::vector<Entry>& less) {
        auto at = more.begin();
        for (const auto& [subject, time] : less) {
            while (at != more.end() && at->first < subject) ++at;
            if (at == more.end() || at->first != subject || at->second < time) return false;
        }
        return true;
    }

    static KnowledgePtr of_one_block(const KnowledgePtr& a, const KnowledgePtr& b) {
        // Nearly always: a thread that polls learns the same again and again.
        if (has_all(b->entries_, a->entries_)) return b;
        if (has_all(a->entries_, b->entries_)) return a;
        std::vector<Entry> entries;
        entries.reserve(a->entries_.size() + b->entries_.size());
        std::ranges::merge(a->entries_, b->entries_, std::back_inserter(entries));
        // The later time of one subject comes last and is kept.
        std::size_t kept = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (i + 1 < entries.size() && entries[i + 1].first == entries[i].first) continue;
            entries[kept++] = entries[i];
        }
        entries.resize(kept);
        return std::make_shared<const Knowledge>(BlockId(a->prefix_), std::move(entries));
    }

    static KnowledgePtr of_one_range(const KnowledgePtr& a, const KnowledgePtr& b) {
        KnowledgePtr zero = join(a->zero_, b->zero_), one = join(a->one_, b->one_);
        if (zero == b->zero_ && one == b->one_) return b;
        if (zero == a->zero_ && one == a->one_) return a;
        return branch(a, std::move(zero), std::move(one));
    }

    /// `less` lies on one side of `more`.
    static KnowledgePtr with(const KnowledgePtr& more, const KnowledgePtr& less) {
        const KnowledgePtr& before = more->side_of(less->prefix_);
        KnowledgePtr joined = join(before, less);
        if (joined == before) return more;
        return before == more->zero_ ? branch(more, std::move(joined), more->one_)
                                     : branch(more, more->zero_, std::move(joined));
    }

    std::uint32_t prefix_ = 0;    ///< the block, or the bits that all blocks of the node have in common
    std::uint32_t bit_ = 0;       ///< the highest bit in which they differ; 0: one block
    KnowledgePtr zero_, one_;     ///< the blocks without and with that bit; null of one block
    std::vector<Entry> entries_;  ///< of one block
};

namespace {

/// A fence: earlier reads of a thread come before its later accesses.
void hear(BlockClock::ThreadClock& thread, Reach reach) {
    const auto learn = [&](KnowledgePtr& heard) {
        if (heard) thread.known = Knowledge::join(thread.known, std::exchange(heard, nullptr));
    };
    learn(thread.heard.block);
    if (reach == Reach::grid) learn(thread.heard.grid);
}

/// From now on each of the lanes knows what any of them did until `now`, and what any of them knew.
void tell_each_other(std::unique_ptr<BlockClock::WarpClock::Lanes>& all, LaneMask lanes, Time now) {
    if (!all) all = std::make_unique<BlockClock::WarpClock::Lanes>();
    std::array<Time, warp_size> known{};
    for (const unsigned lane : lanes) {
        for (unsigned other = 0; other < warp_size; ++other) known[other] = std::max(known[other], (*all)[lane][other]);
    }
    for (const unsigned lane : lanes) known[lane] = now;
    for (const unsigned lane : lanes) (*all)[lane] = known;
}

}  // namespace

void HappensBefore::begin(BlockClock& clock, BlockId block, std::size_t warps) const {
    std::vector<BlockClock::ThreadClock> threads = std::move(clock.threads);  // hundreds, nearly always untouched
    if (clock.has_acquired || clock.has_released || threads.size() != warps * warp_size) {
        threads.clear();
        threads.resize(warps * warp_size);
    }
    clock = {};
    clock.id = block;
    clock.warps.resize(warps);
    clock.threads = std::move(threads);
}

bool HappensBefore::ordered(const BlockClock& clock, unsigned thread, BlockId other_block, unsigned other,
                            Time time) const {
    if (other_block == clock.id) {
        if (other == thread || clock.all >= time) return true;
        const unsigned warp = thread / warp_size;
        const unsigned other_warp = other / warp_size;
        if (warp == other_warp) {
            const BlockClock::WarpClock& in_warp = clock.warps[warp];
            if (in_warp.all >= time) return true;
            if (in_warp.lanes && (*in_warp.lanes)[thread % warp_size][other % warp_size] >= time) return true;
        }
        if (!clock.between.empty() && clock.between[warp * clock.warps.size() + other_warp] >= time) return true;
    }
    if (clock.known && clock.known->covers(other_block, other, time)) return true;
    const KnowledgePtr& known = clock.threads[thread].known;
    return known && known->covers(other_block, other, time);
}

bool HappensBefore::operation_ordered(const BlockClock& clock, unsigned thread, BlockId other_block, unsigned other,
                                      Time time) const {
    if (ordered(clock, thread, other_block, other, time)) return true;
    const unsigned warp = thread / warp_size;
    const auto& exchanged = clock.warps[warp].exchanged;
    const bool own_warp = other_block == clock.id && other / warp_size == warp;
    if (own_warp && exchanged && (*exchanged)[thread % warp_size][other % warp_size] >= time) return true;
    if (clock.known && clock.known->covers_operation(other_block, other, time)) return true;
    const KnowledgePtr& known = clock.threads[thread].known;
    return known && known->covers_operation(other_block, other, time);
}

bool HappensBefore::covers(const KnowledgePtr& carried, BlockId block, unsigned thread, Time time) {
    return carried && carried->covers(block, thread, time);
}

// Barriers ------------------------------------------------------------------------------------------------------

void HappensBefore::arrive(BlockClock& clock, WarpId warp, LaneMask lanes, Meeting& meeting) const {
    const std::size_t warps = clock.warps.size();
    meeting.warps.resize(warps);
    Time& arrived = meeting.warps[warp.index()];
    arrived = std::max(arrived, now_);
    if (!clock.between.empty()) {
        for (std::size_t other = 0; other < warps; ++other) {
            meeting.warps[other] = std::max(meeting.warps[other], clock.between[warp.index() * warps + other]);
        }
    }
    if (clock.has_released) {
        for (const unsigned lane : lanes) {
            const KnowledgePtr& fenced = clock.threads[warp.index() * warp_size + lane].fenced;
            if (fenced) meeting.fenced.push_back(fenced);
        }
    }
    if (!clock.has_acquired) return;
    for (const unsigned lane : lanes) {
        BlockClock::ThreadClock& thread = clock.threads[warp.index() * warp_size + lane];
        // A barrier is also the fence of the threads that read before it, for writes of other blocks, too: the "last
        // block" sum of the programming guide relies on that ("Memory Fence Functions").
        hear(thread, Reach::grid);
        if (thread.known) meeting.known = Knowledge::join(meeting.known, thread.known);
        meeting.heard_fenced = Knowledge::join(meeting.heard_fenced, thread.heard_fenced);
    }
}

void HappensBefore::meet(BlockClock& clock, const std::vector<WarpId>& waiting, const Meeting& meeting, bool complete) {
    const KnowledgePtr fenced = Knowledge::join(meeting.fenced);
    if (complete) {
        clock.all = now_;
        clock.known = Knowledge::join(clock.known, meeting.known);
        clock.fenced = Knowledge::join(clock.fenced, fenced);
        clock.heard_fenced = Knowledge::join(clock.heard_fenced, meeting.heard_fenced);
        if (fenced) {
            for (BlockClock::ThreadClock& thread : clock.threads) thread.fenced = nullptr;  // already the block's
        }
    } else {
        const std::size_t warps = clock.warps.size();
        clock.between.resize(warps * warps);
        for (const WarpId warp : waiting) {
            for (std::size_t other = 0; other < warps; ++other) {
                Time& known = clock.between[warp.index() * warps + other];
                known = std::max(known, meeting.warps[other]);
            }
            if (!meeting.known && !fenced && !meeting.heard_fenced) continue;
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                BlockClock::ThreadClock& thread = clock.threads[warp.index() * warp_size + lane];
                thread.known = Knowledge::join(thread.known, meeting.known);
                thread.fenced = Knowledge::join(thread.fenced, fenced);
                thread.heard_fenced = Knowledge::join(thread.heard_fenced, meeting.heard_fenced);
            }
        }
    }
    ++now_;
}

void HappensBefore::meet_in_warp(BlockClock& clock, WarpId warp, LaneMask lanes, bool complete) {
    BlockClock::WarpClock& in_warp = clock.warps[warp.index()];
    if (complete) {
        in_warp.all = now_;
    } else {
        tell_each_other(in_warp.lanes, lanes, now_);
    }
    ++now_;
    BlockClock::ThreadClock* const threads = clock.threads.data() + warp.index() * warp_size;
    if (clock.has_released) {
        std::vector<KnowledgePtr> fences;
        for (const unsigned lane : lanes) {
            if (threads[lane].fenced) fences.push_back(threads[lane].fenced);
        }
        if (const KnowledgePtr fenced = Knowledge::join(fences)) {
            for (const unsigned lane : lanes) threads[lane].fenced = fenced;
        }
    }
    if (!clock.has_acquired) return;
    KnowledgePtr known, heard_fenced;
    for (const unsigned lane : lanes) {
        hear(threads[lane], Reach::grid);
        if (threads[lane].known) known = Knowledge::join(known, threads[lane].known);
        heard_fenced = Knowledge::join(heard_fenced, threads[lane].heard_fenced);
    }
    for (const unsigned lane : lanes) {
        if (known) threads[lane].known = known;
        if (heard_fenced) threads[lane].heard_fenced = heard_fenced;
    }
}

void HappensBefore::exchange(BlockClock& clock, WarpId warp, LaneMask lanes) {
    tell_each_other(clock.warps[warp.index()].exchanged, lanes, now_);
    ++now_;
}

// Through memory ------------------------------------------------------------------------------------------------

/// Everything that a release of the thread may carry: what it knows, and its own accesses.
KnowledgePtr HappensBefore::known_by(const BlockClock& clock, unsigned thread) const {
    std::vector<Knowledge::Entry> entries;
    const unsigned warp = thread / warp_size;
    if (clock.all > 0) entries.emplace_back(Knowledge::of_block(), clock.all);
    for (unsigned other = 0; other < clock.warps.size(); ++other) {
        Time time = clock.between.empty() ? 0 : clock.between[warp * clock.warps.size() + other];
        if (other == warp) time = std::max(time, clock.warps[warp].all);
        if (time > clock.all) entries.emplace_back(Knowledge::of_warp(other), time);
    }
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const unsigned other = warp * warp_size + lane;
        const Time time = other == thread           ? now_
                          : clock.warps[warp].lanes ? (*clock.warps[warp].lanes)[thread % warp_size][lane]
                                                    : 0;
        if (time > clock.all) entries.emplace_back(Knowledge::of_thread(other), time);
        const auto& exchanged = clock.warps[warp].exchanged;
        const Time operations = exchanged ? (*exchanged)[thread % warp_size][lane] : 0;
        if (operations > clock.all) entries.emplace_back(Knowledge::of_operations(other), operations);
    }
    std::ranges::sort(entries);
    const auto own = std::make_shared<const Knowledge>(clock.id, std::move(entries));
    return Knowledge::join(own, Knowledge::join(clock.known, clock.threads[thread].known));
}

void HappensBefore::release(BlockClock& clock, unsigned thread, Reach reach) const {
    clock.has_released = true;
    BlockClock::Carried& released = clock.threads[thread].released;
    released.block = known_by(clock, thread);
    if (reach == Reach::grid) released.grid = released.block;
}

void HappensBefore::fence(BlockClock& clock, WarpId warp, LaneMask lanes, Fence fence) {
    const bool sequential = fence.sequential && fence.reach == Reach::grid;  // within the block the barrier orders
    for (const unsigned lane : lanes) {
        const unsigned number = warp.value * warp_size + lane;
        BlockClock::ThreadClock& thread = clock.threads[number];
        hear(thread, fence.reach);
        if (sequential) {
            const KnowledgePtr heard = Knowledge::join(clock.heard_fenced, std::exchange(thread.heard_fenced, nullptr));
            thread.known = Knowledge::join(thread.known, heard);
        }
        release(clock, number, fence.reach);
        if (sequential) thread.fenced = Knowledge::join(thread.fenced, thread.released.grid);
    }
    ++now_;
}

void HappensBefore::strong_write(BlockClock& clock, unsigned thread, std::uint64_t place, StrongAccess access) {
    if (access.releases) {
        release(clock, thread, access.reach);
        ++now_;
    }
    const BlockClock::Carried& carried = clock.threads[thread].released;
    const KnowledgePtr all = access.reach == Reach::grid ? carried.grid : nullptr;
    const KnowledgePtr fenced =
        access.reach == Reach::grid ? Knowledge::join(clock.fenced, clock.threads[thread].fenced) : nullptr;
    const auto before = released_.find(place);
    if (before == released_.end()) {
        if (!carried.block && !fenced) return;
        Released& first = released_[place];
        first.all = all;
        first.fenced = fenced;
        if (carried.block) first.blocks.emplace(clock.id, carried.block);
        if (access.completes_phase) first.complete = carried.block;
        return;
    }
    Released& released = before->second;
    if (!access.updates) released = {};
    released.all = Knowledge::join(released.all, all);
    released.fenced = Knowledge::join(released.fenced, fenced);
    KnowledgePtr& own = released.blocks[clock.id];
    own = Knowledge::join(own, carried.block);
    if (access.completes_phase) released.complete = own;
}

void HappensBefore::strong_read(BlockClock& clock, unsigned thread, std::uint64_t place, StrongAccess access) {
    const auto found = released_.find(place);
    if (found == released_.end()) return;
    clock.has_acquired = true;
    const auto own = found->second.blocks.find(clock.id);
    BlockClock::ThreadClock& reader = clock.threads[thread];
    if (own != found->second.blocks.end()) {
        KnowledgePtr& acquired = access.acquires ? reader.known : reader.heard.block;
        acquired = Knowledge::join(acquired, own->second);
    }
    if (access.reach == Reach::grid) {
        KnowledgePtr& acquired = access.acquires ? reader.known : reader.heard.grid;
        acquired = Knowledge::join(acquired, found->second.all);
        reader.heard_fenced = Knowledge::join(reader.heard_fenced, found->second.fenced);
    }
}

void HappensBefore::phase_complete(BlockClock& clock, WarpId warp, LaneMask lanes, std::uint64_t place) {
    const auto found = released_.find(place);
    if (found == released_.end() || !found->second.complete) return;
    clock.has_acquired = true;
    KnowledgePtr before, after;  // of the last lane: nearly always, the lanes know the same
    for (const unsigned lane : lanes) {
        KnowledgePtr& known = clock.threads[warp.index() * warp_size + lane].known;
        if (after == nullptr || known != before) {
            before = known;
            after = Knowledge::join(known, found->second.complete);
        }
        known = after;
    }
}

}  // namespace lanescope::execute
