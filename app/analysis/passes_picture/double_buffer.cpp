#include "analysis/passes_picture/columns.h"

#include "analysis/costs.h"
#include "analysis/launch_shape.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::Space;

/// The elements of one group that a pass accessed, counted from its first.
struct Reach {
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
    [[nodiscard]] bool any() const { return first <= last; }
    void add(std::uint64_t element) {
        first = std::min(first, element);
        last = std::max(last, element);
    }
};

/// The accesses of one pass to one group.
struct PassUse {
    Reach written;
    Reach read;  ///< elements with values of an earlier pass
};

/// use[group][pass]
using Use = std::vector<std::vector<PassUse>>;

Use use_of(const BlockView& block, const std::vector<ColumnGroup>& groups) {
    Use use(groups.size(), std::vector<PassUse>(block.passes.passes.size()));
    std::vector<std::vector<std::uint32_t>> written(groups.size());  // 1 + the pass that last wrote the element
    for (std::size_t g = 0; g < groups.size(); ++g) written[g].resize(groups[g].count);

    for (const Pass& pass : block.passes.passes) {
        const std::uint32_t number = pass.id.value + 1;
        for (std::size_t i = pass.first; i < pass.past_last; ++i) {
            for (const Effect& effect : block.trace.effects(block.step_at(i))) {
                const bool loads = trace::is_read(effect.kind);
                const bool stores = trace::is_write(effect.kind);
                if ((!loads && !stores) || effect.space != Space::shared) continue;
                for (const unsigned lane : effect.lanes) {
                    const std::uint64_t address = block.trace.address(effect, lane);
                    const auto after = std::ranges::upper_bound(groups, address, {}, &ColumnGroup::address);
                    if (after == groups.begin() || address > most_shared_bytes()) continue;
                    const auto g = static_cast<std::size_t>(after - groups.begin()) - 1;
                    const unsigned size = trace::bytes_of(groups[g].element);
                    const std::uint64_t bytes = bytes_per_lane(effect);
                    const std::uint64_t last = (address + bytes - 1 - groups[g].address) / size;
                    for (std::uint64_t e = (address - groups[g].address) / size; e <= last && e < groups[g].count;
                         ++e) {
                        PassUse& of = use[g][pass.id.index()];
                        if (loads && written[g][e] != number) of.read.add(e);
                        if (stores) {
                            of.written.add(e);
                            written[g][e] = number;
                        }
                    }
                }
            }
        }
    }
    return use;
}

/// Which of two buffers a pass wrote, and from which it read earlier values.
struct Turn {
    bool wrote[2] = {false, false};
    bool read[2] = {false, false};
};

bool in_turn(std::span<const Turn> turns) {
    std::optional<int> before;
    bool handed_over = false;
    for (const Turn& turn : turns) {
        if (turn.wrote[0] && turn.wrote[1]) return false;
        if (!turn.wrote[0] && !turn.wrote[1]) continue;  // only reads
        const int written = turn.wrote[1] ? 1 : 0;
        if (turn.read[written]) return false;
        if (before && *before == written) return false;
        handed_over |= before.has_value() && turn.read[1 - written];
        before = written;
    }
    return handed_over;
}

std::vector<Turn> turns_of_halves(const std::vector<PassUse>& use, std::uint64_t half) {
    std::vector<Turn> turns;
    for (const PassUse& pass : use) {
        Turn& turn = turns.emplace_back();
        turn.wrote[0] = pass.written.any() && pass.written.first < half;
        turn.wrote[1] = pass.written.any() && pass.written.last >= half;
        turn.read[0] = pass.read.any() && pass.read.first < half;
        turn.read[1] = pass.read.any() && pass.read.last >= half;
    }
    return turns;
}

std::vector<Turn> turns_of_pair(const std::vector<PassUse>& one, const std::vector<PassUse>& other) {
    std::vector<Turn> turns(one.size());
    for (std::size_t p = 0; p < one.size(); ++p) {
        turns[p] = {{one[p].written.any(), other[p].written.any()}, {one[p].read.any(), other[p].read.any()}};
    }
    return turns;
}

}  // namespace

void fold_double_buffers(const BlockView& block, std::vector<ColumnGroup>& groups) {
    const Use use = use_of(block, groups);
    std::vector<bool> gone(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g) {
        ColumnGroup& group = groups[g];
        if (group.shape && group.count / 2 % group.shape->width != 0) continue;
        if (group.count % (2 * group.per_element()) != 0 || !in_turn(turns_of_halves(use[g], group.count / 2)))
            continue;
        group.count /= 2;
        group.folded = true;
        group.folded_address = group.address + std::uint64_t{group.count} * trace::bytes_of(group.element);
    }
    for (std::size_t g = 0; g < groups.size(); ++g) {
        for (std::size_t h = g + 1; h < groups.size() && !gone[g]; ++h) {
            if (groups[g].folded || groups[h].folded || gone[h]) continue;
            if (groups[g].count != groups[h].count || groups[g].element != groups[h].element ||
                groups[g].per_element() != groups[h].per_element() || groups[g].shape != groups[h].shape)
                continue;
            // A single variable that is set after another one was read does not make a double buffer with it.
            if (groups[g].count == groups[g].per_element() || !in_turn(turns_of_pair(use[g], use[h]))) continue;
            groups[g].folded = true;
            groups[g].folded_address = groups[h].address;
            groups[g].name += " / " + groups[h].name;
            gone[h] = true;
        }
    }
    std::size_t kept = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        if (gone[g]) continue;
        if (kept != g) groups[kept] = std::move(groups[g]);
        ++kept;
    }
    groups.resize(kept);
}

}  // namespace lanescope::analysis
