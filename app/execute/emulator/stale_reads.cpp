#include "execute/emulator/stale_reads.h"

#include <algorithm>
#include <cstring>

namespace lanescope::execute {

namespace {

/// Beyond this, older values are not known: loads then return the newest.
constexpr std::size_t most_writes = std::size_t{1} << 20;
constexpr std::size_t most_seen = 64;

}  // namespace

StaleReads::StaleReads(std::vector<Hold> holds, const AccessCheck& check)
    : holds_(std::move(holds)), times_(holds_.size()), comes_(holds_.size()), check_(check) {}

void StaleReads::note_write(const WarpStep& step, const MemoryAccess& access, const Piece& piece) {
    for (const unsigned lane : piece.targets.lanes) {
        const std::uint64_t first = piece.targets.offset[lane];
        for (unsigned element = 0; element < access.elements && !full_; ++element) {
            const std::uint64_t offset = first + std::uint64_t{element} * access.bytes;
            Word& word = words_[piece.region->base() + offset];
            if (word.bytes != 0 && word.bytes != access.bytes) word.writes.clear();
            word.bytes = access.bytes;
            std::uint64_t before = 0;
            std::memcpy(&before, piece.region->data() + offset, access.bytes);
            word.writes.push_back(
                {.by = {step.block.id, step.thread(lane), check_.now()}, .before = before, .seen = {}});
            full_ = ++kept_ == most_writes;
        }
    }
    if (full_) words_.clear();
}

std::size_t StaleReads::unseen(const Block& block, unsigned thread, const Word& word) const {
    const auto knows = [&](const Thread& of) {
        return (of.block == block.id && of.number == thread) ||
               check_.ordered(block, thread, of.block, of.number, of.time);
    };
    std::size_t count = 0;
    for (std::size_t i = word.writes.size(); i-- > 0; ++count) {
        const Write& write = word.writes[i];
        if (write.seen_by_many || knows(write.by) || std::ranges::any_of(write.seen, knows)) break;
    }
    return count;
}

/// A thread that sees a write has seen all before it.
void StaleReads::see(const Block& block, unsigned thread, Word& word) const {
    if (word.writes.empty()) return;
    Write& newest = word.writes.back();
    const auto same = [&](const Thread& of) { return of.block == block.id && of.number == thread; };
    if (newest.seen_by_many || same(newest.by) || std::ranges::any_of(newest.seen, same)) return;
    newest.seen_by_many = newest.seen.size() == most_seen;
    newest.seen.push_back({block.id, thread, check_.now()});
}

void StaleReads::before(const WarpStep& step, const MemoryAccess& access, const Piece& piece) {
    const bool loads = step.micro.kind == Kind::load;
    const LaneMask lanes = piece.targets.lanes;
    LaneMask stale;
    for (std::size_t i = 0; i < holds_.size() && loads; ++i) {
        const Hold& hold = holds_[i];
        if (hold.block != step.block.id || hold.warp != step.warp.id || step.micro.instruction == nullptr ||
            hold.line != step.micro.line)
            continue;
        const LaneMask named = lanes & (hold.lane ? LaneMask::only(*hold.lane) : LaneMask::all());
        if (named.none()) continue;
        ++comes_[i];
        if (hold.time > 0 && comes_[i] != hold.time) continue;
        stale |= named;
        ++times_[i];
    }
    for (const unsigned lane : lanes) {
        for (unsigned element = 0; element < access.elements && reads(step.micro); ++element) {
            const std::uint64_t offset = piece.targets.offset[lane] + std::uint64_t{element} * access.bytes;
            const auto found = words_.find(piece.region->base() + offset);
            if (found == words_.end() || found->second.bytes != access.bytes) continue;
            Word& word = found->second;
            std::size_t old = 0;
            if (stale.has(lane)) {
                old = unseen(step.block, step.thread(lane), word);
                // Lanes that load the same word in this step get the same value.
                for (const unsigned other : lanes)
                    if (piece.targets.offset[other] == piece.targets.offset[lane])
                        old = std::min(old, unseen(step.block, step.thread(other), word));
            }
            if (old > 0) {
                std::byte* const at = piece.region->data() + offset;
                std::uint64_t newest = 0;
                std::memcpy(&newest, at, access.bytes);
                replaced_.push_back({.at = at, .value = newest, .bytes = access.bytes});
                std::memcpy(at, &word.writes[word.writes.size() - old].before, access.bytes);
            }
            // A thread that has got an old value gets the newest one next time: a loop that waits for it must end.
            see(step.block, step.thread(lane), word);
        }
    }
    if (writes(step.micro)) note_write(step, access, piece);
}

/// The first of several values that one place had is the newest.
void StaleReads::after() {
    for (; !replaced_.empty(); replaced_.pop_back())
        std::memcpy(replaced_.back().at, &replaced_.back().value, replaced_.back().bytes);
}

}  // namespace lanescope::execute
