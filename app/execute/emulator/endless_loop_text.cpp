#include "execute/emulator/endless_loop_text.h"

#include "base/grouped.h"
#include "execute/emulator/writers.h"
#include "execute/simt/atomics.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanescope::execute {

namespace {

/// A compare-and-swap counts as a write only if it has swapped.
bool swaps(const Micro& micro) { return micro.instruction->modifiers.atomic == ptx::Atomic::cas; }

/// ", an mbarrier with 64 of 65 arrivals", or ", which stays 0".
std::string state_of(const LoopPeriod::Read& read, std::uint64_t value, const std::string& text) {
    if (!read.barrier_object) return fmt::format(", which stays {}", text);
    const std::uint32_t expected = expected_arrivals(value);
    return fmt::format(", an mbarrier with {} of {} arrivals", expected - pending_arrivals(value), expected);
}

/// How many of the grid's blocks the barrier of grid.sync() has, by its counter: each block adds 1, but one of them
/// 2^31 less the number of the others, so that the top bit changes when the last one comes.
std::uint64_t blocks_at_grid_barrier(std::uint64_t counter, std::uint64_t blocks) {
    constexpr std::uint64_t half = 1ULL << 31U;
    const std::uint64_t low = counter % half;
    return low < half / 2 ? low : blocks - std::min(blocks, half - low);
}

/// "block 3", "blocks 0 to 3", "blocks 0, 1 and 4 to 6", "312 blocks". The numbers ascend.
std::string blocks_named(const std::vector<std::uint32_t>& blocks) {
    constexpr std::size_t most = 4;
    std::vector<std::string> runs;
    for (std::size_t i = 0; i < blocks.size() && runs.size() <= most;) {
        std::size_t past = i + 1;
        while (past < blocks.size() && blocks[past] == blocks[past - 1] + 1) ++past;
        if (past - i == 2) past = i + 1;
        runs.push_back(past - i == 1 ? grouped(blocks[i])
                                     : fmt::format("{} to {}", grouped(blocks[i]), grouped(blocks[past - 1])));
        i = past;
    }
    if (runs.size() > most) return counted(blocks.size(), "block");
    const std::string last = runs.back();
    runs.pop_back();
    const std::string word = noun(blocks.size(), "block");
    if (runs.empty()) return fmt::format("{} {}", word, last);
    return fmt::format("{} {} and {}", word, fmt::join(runs, ", "), last);
}

/// "; blocks 4 to 7 never start: blocks 0 to 3 fill 2 multiprocessors and cannot end; launch at most 4 blocks"
std::string no_place_left(const EndlessLoop& found) {
    return fmt::format("; {} never {}: {} {} {} and cannot end; launch at most {}", blocks_named(found.blocks_to_come),
                       verb(found.blocks_to_come.size(), "start"), blocks_named(found.resident_blocks),
                       verb(found.resident_blocks.size(), "fill"), counted(found.multiprocessors, "multiprocessor"),
                       counted(found.resident_blocks.size(), "block"));
}

/// The names of a loop's parts.
struct LoopNames {
    const EndlessLoop& found;
    const Code& code;
    const Wording& wording;

    [[nodiscard]] std::string line(Pc pc) const { return wording.line(code.blamed(found.warp.control, pc)); }
    [[nodiscard]] std::string lines() const;
    [[nodiscard]] std::string condition() const;
    [[nodiscard]] std::string what_writes(const PlaceName& place) const;
};

/// "the loop of lines 7 to 9"
std::string LoopNames::lines() const {
    const Loop& loop = found.loop;
    if (loop.first_line == 0 || loop.back == no_pc) {
        const Pc pc = loop.back != no_pc                   ? loop.back
                      : found.warp.control.loop() != no_pc ? found.warp.control.loop()
                      : found.warp.control.runnable()      ? found.warp.control.pc()
                                                           : 0;
        return "the loop of " + line(pc);
    }
    return loop.first_line == loop.last_line
               ? fmt::format("the loop of line {}", loop.first_line)
               : fmt::format("the loop of lines {} to {}", loop.first_line, loop.last_line);
}

/// "its condition in line 7, while (flag == 0),": of the branch that could leave it.
std::string LoopNames::condition() const {
    const Pc exit = *found.loop.exit;
    const std::uint32_t at = code.source_line(code.micros[code.blamed(found.warp.control, exit)]);
    const std::string text = wording.loop_text(at);
    return text.empty() ? fmt::format("its condition in {}", line(exit))
                        : fmt::format("its condition in line {}, \"{}\",", at, text);
}

/// "; thread 3 wrote it last in line 12", "; line 5 writes flag, but no thread has executed it".
std::string LoopNames::what_writes(const PlaceName& place) const {
    const LoopPeriod::Read& read = *found.loop.waits_for;
    if (read.barrier_object) return {};
    const bool by_the_loop =
        found.last_write && found.period.executed(found.last_write->pc) && !swaps(code.micros[found.last_write->pc]);
    if (found.last_write && !by_the_loop) {
        return fmt::format("; {}{} wrote it last, in {}", found.all_are_checked ? "" : "of the recorded blocks, ",
                           wording.thread(found.last_write->block, found.last_write->thread),
                           wording.line(found.last_write->blamed));
    }
    const Writers writers = writers_of(code, wording, read.space, read.address);
    std::vector<std::string> lines;
    for (const Pc pc : writers.stores) {
        if (found.period.executed(pc)) continue;  // this one runs, and changes nothing
        std::string there = wording.line(pc);
        if (std::ranges::find(lines, there) == lines.end()) lines.push_back(std::move(there));
    }
    if (lines.empty() && writers.all_known)
        return fmt::format("; no other instruction of the kernel writes {}", place.variable);
    // An atomic of the loop itself hides the writes before it.
    const std::string_view none_did = by_the_loop             ? ""
                                      : found.all_are_checked ? "no thread has written it"
                                                              : "no thread of a recorded block has written it";
    if (lines.empty()) return none_did.empty() ? "" : fmt::format("; {}", none_did);
    return fmt::format("; {} {} {}{}{}", fmt::join(lines, " and "), verb(lines.size(), "write"), place.variable,
                       none_did.empty() ? "" : ", but ", none_did);
}

}  // namespace

EndlessLoopText text_of(const EndlessLoop& found, const Code& code, const Wording& wording) {
    const Loop& loop = found.loop;
    const LoopNames names{found, code, wording};
    EndlessLoopText text;
    text.message = fmt::format("{} repeats {} forever",
                               wording.thread(found.block.id, found.warp.id.value * warp_size + found.period.lane()),
                               names.lines());
    if (loop.waits_for) {
        const LoopPeriod::Read& read = *loop.waits_for;
        if (read.space == ptx::Space::global && found.grid_barrier.holds(read.address)) {
            text.message += fmt::format(
                ": it waits at the barrier of the grid, where {} of {} have arrived and no other block will",
                blocks_at_grid_barrier(found.value, found.grid_barrier.blocks),
                counted(found.grid_barrier.blocks, "block"));
            return text;
        }
        PlaceName place = wording.place(read.space, read.address, read.bytes);
        const std::string value = wording.value(read.space, read.address, read.bytes, found.value);
        text.message += fmt::format(": {} waits for {}{}{}", loop.exit ? names.condition() : "it", place.text,
                                    state_of(read, found.value, value), names.what_writes(place));
        text.variable = std::move(place.variable);
    } else if (loop.exit) {
        text.message += fmt::format(": {} always has the same value", names.condition());
    } else {
        text.message += ": no branch leaves it";
    }
    if (found.repeating_warps > 1 && found.blocks_to_come.empty()) {
        text.message += fmt::format(
            "; {}", found.repeating_warps == 2
                        ? std::string("another warp executes the same loop")
                        : fmt::format("{} more warps execute the same loop", grouped(found.repeating_warps - 1)));
    }
    if (!found.blocks_to_come.empty()) text.message += no_place_left(found);
    return text;
}

}  // namespace lanescope::execute
