#include "execute/emulator/happens_before.h"

#include <algorithm>
#include <cassert>

namespace lanescope::execute {

/// Times by subject, ascending: a thread, a warp or a whole block.
class Knowledge {
  public:
    using Entry = std::pair<std::uint64_t, Time>;

    static std::uint64_t of_thread(BlockId block, unsigned thread) { return key(block, Subject::thread, thread); }
    static std::uint64_t of_warp(BlockId block, unsigned warp) { return key(block, Subject::warp, warp); }
    static std::uint64_t of_block(BlockId block) { return key(block, Subject::block, 0); }

    struct Ascending {};

    explicit Knowledge(std::vector<Entry> entries) : entries_(std::move(entries)) { std::ranges::sort(entries_); }
    Knowledge(Ascending, std::vector<Entry> entries) : entries_(std::move(entries)) {}

    [[nodiscard]] Time of(std::uint64_t subject) const {
        const auto found = std::ranges::lower_bound(entries_, subject, {}, &Entry::first);
        return found != entries_.end() && found->first == subject ? found->second : 0;
    }
    [[nodiscard]] bool covers(BlockId block, unsigned thread, Time time) const {
        return of(of_block(block)) >= time || of(of_warp(block, thread / warp_size)) >= time ||
               of(of_thread(block, thread)) >= time;
    }

    static KnowledgePtr join(const KnowledgePtr& a, const KnowledgePtr& b) {
        if (a == nullptr || a == b) return b;
        if (b == nullptr) return a;
        // A thread that polls hears the same again and again: what it knows is kept where it is shared.
        if (b->includes(*a)) return b;
        if (a->includes(*b)) return a;
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
        return std::make_shared<const Knowledge>(Ascending{}, std::move(entries));
    }

    static KnowledgePtr join(const std::vector<KnowledgePtr>& all) {
        if (!all.empty() && std::ranges::all_of(all, [&](const KnowledgePtr& each) { return each == all.front(); }))
            return all.front();
        std::vector<Entry> entries;
        for (const KnowledgePtr& each : all)
            entries.insert(entries.end(), each->entries_.begin(), each->entries_.end());
        if (entries.empty()) return nullptr;
        std::ranges::sort(entries, std::ranges::greater());  // of one subject the latest time first
        const auto rest = std::ranges::unique(entries, {}, &Entry::first);
        entries.erase(rest.begin(), rest.end());
        return std::make_shared<const Knowledge>(std::move(entries));
    }

  private:
    /// Of each of the other's subjects, it knows a time at least as late.
    [[nodiscard]] bool includes(const Knowledge& other) const {
        if (other.entries_.size() > entries_.size()) return false;
        auto at = entries_.begin();
        for (const Entry& entry : other.entries_) {
            while (at != entries_.end() && at->first < entry.first) ++at;
            if (at == entries_.end() || at->first != entry.first || at->second < entry.second) return false;
        }
        return true;
    }

    enum class Subject : std::uint8_t { thread, warp, block };
    /// From the highest bit: 32 of the block, 2 of the subject, 30 of its number, whatever a device allows of a block.
    static std::uint64_t key(BlockId block, Subject subject, unsigned number) {
        return std::uint64_t{block.value} << 32U | std::uint64_t{static_cast<unsigned>(subject)} << 30U | number;
    }

    std::vector<Entry> entries_;
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
    }
}

void HappensBefore::meet(BlockClock& clock, const std::vector<WarpId>& waiting, const Meeting& meeting, bool complete) {
    const KnowledgePtr fenced = Knowledge::join(meeting.fenced);
    if (complete) {
        clock.all = now_;
        clock.known = Knowledge::join(clock.known, meeting.known);
        clock.fenced = Knowledge::join(clock.fenced, fenced);
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
            if (!meeting.known && !fenced) continue;
            for (unsigned lane = 0; lane < warp_size; ++lane) {
                BlockClock::ThreadClock& thread = clock.threads[warp.index() * warp_size + lane];
                thread.known = Knowledge::join(thread.known, meeting.known);
                thread.fenced = Knowledge::join(thread.fenced, fenced);
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
        if (!in_warp.lanes) {
            in_warp.lanes = std::make_unique<std::array<std::array<Time, warp_size>, warp_size>>();
            for (auto& row : *in_warp.lanes) row.fill(0);
        }
        std::array<Time, warp_size> known{};
        for (const unsigned lane : lanes) {
            for (unsigned other = 0; other < warp_size; ++other) {
                known[other] = std::max(known[other], (*in_warp.lanes)[lane][other]);
            }
        }
        for (const unsigned lane : lanes) known[lane] = now_;
        for (const unsigned lane : lanes) (*in_warp.lanes)[lane] = known;
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
    KnowledgePtr known;
    for (const unsigned lane : lanes) {
        hear(threads[lane], Reach::grid);
        if (threads[lane].known) known = Knowledge::join(known, threads[lane].known);
    }
    if (known) {
        for (const unsigned lane : lanes) threads[lane].known = known;
    }
}

// Through memory ------------------------------------------------------------------------------------------------

/// Everything that a release of the thread may carry: what it knows, and its own accesses.
KnowledgePtr HappensBefore::known_by(const BlockClock& clock, unsigned thread) const {
    std::vector<Knowledge::Entry> entries;
    const unsigned warp = thread / warp_size;
    if (clock.all > 0) entries.emplace_back(Knowledge::of_block(clock.id), clock.all);
    for (unsigned other = 0; other < clock.warps.size(); ++other) {
        Time time = clock.between.empty() ? 0 : clock.between[warp * clock.warps.size() + other];
        if (other == warp) time = std::max(time, clock.warps[warp].all);
        if (time > clock.all) entries.emplace_back(Knowledge::of_warp(clock.id, other), time);
    }
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const unsigned other = warp * warp_size + lane;
        const Time time = other == thread           ? now_
                          : clock.warps[warp].lanes ? (*clock.warps[warp].lanes)[thread % warp_size][lane]
                                                    : 0;
        if (time > clock.all) entries.emplace_back(Knowledge::of_thread(clock.id, other), time);
    }
    const auto own = std::make_shared<const Knowledge>(std::move(entries));
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
        if (sequential && thread.heard_fenced)
            thread.known = Knowledge::join(thread.known, std::exchange(thread.heard_fenced, nullptr));
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
        return;
    }
    Released& released = before->second;
    if (!access.updates) released = {};
    released.all = Knowledge::join(released.all, all);
    released.fenced = Knowledge::join(released.fenced, fenced);
    KnowledgePtr& own = released.blocks[clock.id];
    own = Knowledge::join(own, carried.block);
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

}  // namespace lanescope::execute
