#include "trace/residency.h"

#include "base/text.h"
#include "base/whole_number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>

namespace lanescope::trace {

namespace {

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t end = text.find(at);
        if (const std::string_view part = trimmed(text.substr(0, end)); !part.empty()) parts.push_back(part);
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

/// splitmix64, because it gives the same order on every machine.
std::uint64_t next_random(std::uint64_t& state) {
    std::uint64_t mixed = state += 0x9E37'79B9'7F4A'7C15U;
    mixed = (mixed ^ (mixed >> 30U)) * 0xBF58'476D'1CE4'E5B9U;
    mixed = (mixed ^ (mixed >> 27U)) * 0x94D0'49BB'1331'11EBU;
    return mixed ^ (mixed >> 31U);
}

std::unexpected<Problem> cannot_read(std::string_view text) {
    return fail(fmt::format("the order of blocks cannot be \"{}\"", text), {},
                "Expected ascending, descending or shuffled SEED; late BLOCK ...; stall BLOCK ...; or several of them "
                "joined by commas, such as \"descending, stall 3\".");
}

}  // namespace

std::vector<std::uint32_t> blocks_in_order(const BlockOrder& order, std::uint64_t count) {
    std::vector<std::uint32_t> blocks(count);
    std::iota(blocks.begin(), blocks.end(), 0U);
    if (order.kind == BlockOrder::Kind::descending) std::ranges::reverse(blocks);
    if (order.kind == BlockOrder::Kind::shuffled) {
        std::uint64_t state = order.seed;
        for (std::size_t left = blocks.size(); left > 1; --left)
            std::swap(blocks[left - 1], blocks[next_random(state) % left]);
    }
    const auto is_late = [&](std::uint32_t block) { return std::ranges::find(order.late, block) != order.late.end(); };
    if (order.late.empty()) return blocks;
    std::erase_if(blocks, is_late);
    for (const std::uint32_t block : order.late)
        if (block < count) blocks.push_back(block);
    return blocks;
}

std::string text_of(const BlockOrder& order) {
    std::vector<std::string> parts;
    if (order.kind == BlockOrder::Kind::descending) parts.emplace_back("descending");
    if (order.kind == BlockOrder::Kind::shuffled) parts.push_back(fmt::format("shuffled {}", order.seed));
    if (!order.late.empty()) parts.push_back(fmt::format("late {}", fmt::join(order.late, " ")));
    if (!order.stalled.empty()) parts.push_back(fmt::format("stall {}", fmt::join(order.stalled, " ")));
    return parts.empty() ? "ascending" : fmt::format("{}", fmt::join(parts, ", "));
}

Result<BlockOrder> read_block_order(std::string_view text) {
    BlockOrder order;
    bool kind_given = false;
    const std::vector<std::string_view> parts = split(text, ',');
    if (parts.empty()) return cannot_read(text);
    for (const std::string_view part : parts) {
        const std::vector<std::string_view> words = split(part, ' ');
        const std::string_view name = words.front();
        if (name == "ascending" || name == "descending" || name == "shuffled") {
            const bool shuffled = name == "shuffled";
            if (std::exchange(kind_given, true) || words.size() != (shuffled ? 2 : 1)) return cannot_read(text);
            order.kind = shuffled              ? BlockOrder::Kind::shuffled
                         : name == "ascending" ? BlockOrder::Kind::ascending
                                               : BlockOrder::Kind::descending;
            if (!shuffled) continue;
            const auto seed = whole_number<std::uint64_t>(words[1]);
            if (!seed) return cannot_read(text);
            order.seed = *seed;
            continue;
        }
        if ((name != "late" && name != "stall") || words.size() < 2) return cannot_read(text);
        std::vector<std::uint32_t>& blocks = name == "late" ? order.late : order.stalled;
        for (std::size_t i = 1; i < words.size(); ++i) {
            const auto block = whole_number<std::uint32_t>(words[i]);
            if (!block || std::ranges::find(blocks, *block) != blocks.end()) return cannot_read(text);
            blocks.push_back(*block);
        }
    }
    return order;
}

}  // namespace lanescope::trace
