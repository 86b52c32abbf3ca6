#include "analysis/passes_picture/passes_between.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::analysis {
namespace {

using trace::Space;

/// The name of the array or the buffer there; empty where it has none.
std::string name_at(const BlockView& block, const Columns& columns, Space space, std::uint64_t address) {
    if (const auto place = columns.place_of(space, address)) return columns.groups()[place->group].name;
    const trace::Buffer* const buffer = space == Space::global ? block.trace.buffer_at(address) : nullptr;
    return buffer != nullptr ? block.trace.buffer_name(block.passes.launch, *buffer) : std::string();
}

void add(std::vector<std::string>& names, std::string name) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

/// "As and Bs"; of many, the first two: "a, b and 3 more".
std::string list_of(const std::vector<std::string>& names) {
    constexpr std::size_t most = 3;
    if (names.size() > most) return fmt::format("{}, {} and {} more", names[0], names[1], names.size() - 2);
    return listed(names);
}

}  // namespace

PassesBetween passes_between(const BlockView& block, const Columns& columns, PassId first, PassId last) {
    PassesBetween between{.first = first, .last = last, .label = {}, .reads = {}, .writes = {}};
    for (std::size_t number = first.index(); number <= last.index(); ++number) {
        const Pass& pass = block.passes.passes[number];
        for (std::size_t i = pass.first; i < pass.past_last; ++i) {
            const ValueRange written = block.provenance.values_of(block.passes.steps[i]);
            for (std::uint32_t value = written.first; value < written.past_last; ++value) {
                const TracedValue& of = block.provenance[ValueId(value)];
                const bool operation =
                    (of.operations > 0 && of.reaches_output) || block.provenance.is_address_operation(ValueId(value));
                // A comparison leaves no result, but decides which values stay.
                between.computes = between.computes || (operation && of.bytes > 0);
            }
            for (const trace::Effect& effect : block.trace.effects(block.trace.step(block.passes.steps[i]))) {
                const bool in_array = effect.space == Space::shared || effect.space == Space::global;
                if (!in_array || !trace::is_access(effect.kind)) continue;
                between.stores = between.stores || trace::is_write(effect.kind);
                for (const unsigned lane : effect.lanes) {
                    std::string name = name_at(block, columns, effect.space, block.trace.address(effect, lane));
                    if (trace::is_write(effect.kind)) add(between.writes, name);
                    if (trace::is_read(effect.kind)) add(between.reads, std::move(name));
                }
            }
        }
    }
    const Pass& only = block.passes.passes[first.index()];
    if (first == last && only.label != title_of(between)) between.label = only.label;
    return between;
}

std::string title_of(const PassesBetween& between) {
    if (between.first == between.last) return fmt::format("pass {}", between.first.value);
    return fmt::format("passes {} to {}", between.first.value, between.last.value);
}

std::string activity_of(const PassesBetween& between, bool brief) {
    const bool one = between.first == between.last;
    std::string text;
    const auto say = [&](std::string_view verb, std::string_view what) {
        text += fmt::format("{}{}{} {}", text.empty() ? "" : ", ", verb, one ? "s" : "", what);
    };
    if (!between.reads.empty()) say("read", list_of(between.reads));
    if (!between.writes.empty()) say("write", list_of(between.writes));
    if (brief && !text.empty()) return text;
    if (between.stores) {
        if (between.writes.empty()) say("write", "other memory");
    } else if (between.computes) {
        say("keep", "the results in registers");
    } else {
        say("store", "nothing");
    }
    return text;
}

}  // namespace lanescope::analysis
