#include "execute/emulator/schedule.h"

#include "base/lane_mask.h"
#include "base/text.h"
#include "base/whole_number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lanescope::execute {

namespace {

/// By Hold::Kind.
constexpr std::array<std::string_view, 3> kinds{"hold", "delay", "stale"};

std::unexpected<Problem> unreadable_schedule(std::string_view text) {
    return fail(fmt::format("the schedule cannot be \"{}\"", text), {},
                "Expected hold BLOCK:WARP at LINE, hold BLOCK:WARP:LANE at LINE, delay BLOCK:WARP:LANE at LINE, stale "
                "BLOCK:WARP:LANE at LINE, with a line of the PTX and perhaps #TIME; or shuffled SEED; or several of "
                "them joined by commas.");
}

/// Removes the next word from the text and returns it; spaces separate words.
std::string_view take_word(std::string_view& text) {
    text = trimmed(text);
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
}

/// "0:1", "0:1:3"
bool read_threads(std::string_view text, Hold& hold) {
    std::array<std::string_view, 3> parts;
    std::size_t count = 0;
    while (true) {
        if (count == parts.size()) return false;
        const std::size_t colon = text.find(':');
        parts[count++] = text.substr(0, colon);
        if (colon == std::string_view::npos) break;
        text.remove_prefix(colon + 1);
    }
    if (count < 2 || !read_whole_number(parts[0], hold.block.value) || !read_whole_number(parts[1], hold.warp.value))
        return false;
    if (count == 2) return true;
    unsigned lane = 0;
    if (!read_whole_number(parts[2], lane) || lane >= warp_size) return false;
    hold.lane = lane;
    return true;
}

bool read_hold(std::string_view text, Hold& hold) {
    std::string_view word = take_word(text);
    if (word == "launch") {
        std::uint32_t launch = 0;
        if (!read_whole_number(take_word(text), launch)) return false;
        hold.launch = launch;
        word = take_word(text);
    }
    const auto kind = std::ranges::find(kinds, word);
    if (kind == kinds.end()) return false;
    hold.kind = static_cast<Hold::Kind>(kind - kinds.begin());
    std::uint32_t line = 0;
    if (!read_threads(take_word(text), hold) || take_word(text) != "at" || !read_whole_number(take_word(text), line) ||
        line == 0)
        return false;
    hold.line = PtxLine(line);
    word = take_word(text);
    if (word.empty()) return true;
    return word.front() == '#' && read_whole_number(word.substr(1), hold.time) && hold.time > 0 &&
           trimmed(text).empty();
}

}  // namespace

std::string text_of(const Hold& hold) {
    std::string text;
    if (hold.launch) text = fmt::format("launch {} ", *hold.launch);
    text += fmt::format("{} {}:{}", kinds[static_cast<std::size_t>(hold.kind)], hold.block.value, hold.warp.value);
    if (hold.lane) text += fmt::format(":{}", *hold.lane);
    text += fmt::format(" at {}", hold.line.value);
    if (hold.time > 0) text += fmt::format(" #{}", hold.time);
    return text;
}

std::string text_of(const Schedule& schedule) {
    std::vector<std::string> parts;
    parts.reserve(schedule.holds.size());
    for (const Hold& hold : schedule.holds) parts.push_back(text_of(hold));
    if (schedule.seed) parts.push_back(fmt::format("shuffled {}", *schedule.seed));
    return fmt::format("{}", fmt::join(parts, ", "));
}

Result<Schedule> read_schedule(std::string_view text) {
    Schedule schedule;
    for (std::string_view left = text;;) {
        const std::size_t comma = left.find(',');
        std::string_view part = trimmed(left.substr(0, comma));
        constexpr std::string_view shuffled = "shuffled ";
        if (part.starts_with(shuffled)) {
            std::uint64_t seed = 0;
            if (schedule.seed || !read_whole_number(trimmed(part.substr(shuffled.size())), seed))
                return unreadable_schedule(text);
            schedule.seed = seed;
        } else {
            Hold hold;
            if (!read_hold(part, hold)) return unreadable_schedule(text);
            schedule.holds.push_back(hold);
        }
        if (comma == std::string_view::npos) return schedule;
        left.remove_prefix(comma + 1);
    }
}

}  // namespace lanescope::execute
