#include "analysis/comparison/pass_alignment.h"

#include <algorithm>
#include <utility>

namespace lanescope::analysis {
namespace {

/// Passes [first, past_last) of a list.
struct Range {
    std::size_t first = 0, past_last = 0;
    [[nodiscard]] std::size_t size() const { return past_last - first; }
};

using Passes = std::span<const MeasuredPass>;

Range launch_of(Passes passes, std::uint32_t launch) {
    const auto [first, past_last] = std::ranges::equal_range(passes, launch, {}, &MeasuredPass::launch);
    return {static_cast<std::size_t>(first - passes.begin()), static_cast<std::size_t>(past_last - passes.begin())};
}

/// Generic names such as "pass 3" say no more than the order.
bool same_variable(const Pass& one, const Pass& other) { return !one.variables.empty() && one.label == other.label; }

constexpr std::size_t most_cells = 1U << 22U;  // of the table below; more passes are aligned in order

/// The longest sequence of passes in both ranges that have the same value of the loop's variable.
std::vector<PassPair> common_passes(Passes one, Range in_one, Passes other, Range in_other) {
    const std::size_t rows = in_one.size(), columns = in_other.size();
    if (rows > 0 && columns > most_cells / rows) return {};
    // longest[i][j]: the longest such sequence of one run's passes from i on and the other's from j on.
    std::vector<std::vector<std::size_t>> longest(rows + 1, std::vector<std::size_t>(columns + 1));
    const auto same = [&](std::size_t i, std::size_t j) {
        return same_variable(one[in_one.first + i].pass, other[in_other.first + j].pass);
    };
    for (std::size_t i = rows; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;) {
            longest[i][j] = same(i, j) ? longest[i + 1][j + 1] + 1 : std::max(longest[i + 1][j], longest[i][j + 1]);
        }
    }
    std::vector<PassPair> pairs;
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
        if (same(i, j)) {
            pairs.push_back({in_one.first + i++, in_other.first + j++});
        } else if (longest[i + 1][j] >= longest[i][j + 1]) {
            ++i;
        } else {
            ++j;
        }
    }
    return pairs;
}

class Aligner {
  public:
    Aligner(Passes one, Passes other) : one_(one), other_(other) {}

    AlignedPasses align() {
        const std::uint32_t launches = std::max(past_last_launch(one_), past_last_launch(other_));
        for (std::uint32_t launch = 0; launch < launches; ++launch)
            align_launch(launch_of(one_, launch), launch_of(other_, launch));
        if (by_variable_ && anchored_) result_.alignment = Alignment::by_variable;
        return std::move(result_);
    }

  private:
    static std::uint32_t past_last_launch(Passes passes) { return passes.empty() ? 0 : passes.back().launch + 1; }

    [[nodiscard]] static bool begins_with(Passes passes, Range range, Pass::Role role) {
        return range.size() > 0 && passes[range.first].pass.role == role;
    }
    [[nodiscard]] static bool ends_with(Passes passes, Range range, Pass::Role role) {
        return range.size() > 0 && passes[range.past_last - 1].pass.role == role;
    }

    void align_launch(Range in_one, Range in_other) {
        if (in_one.size() == 0 || in_other.size() == 0) return add_in_order(in_one, in_other);
        const bool one_loads = begins_with(one_, in_one, Pass::Role::load);
        const bool other_loads = begins_with(other_, in_other, Pass::Role::load);
        if (one_loads || other_loads) {
            add({one_loads ? std::optional(in_one.first++) : std::nullopt,
                 other_loads ? std::optional(in_other.first++) : std::nullopt});
        }
        const bool one_stores = ends_with(one_, in_one, Pass::Role::store);
        const bool other_stores = ends_with(other_, in_other, Pass::Role::store);
        if (one_stores) --in_one.past_last;
        if (other_stores) --in_other.past_last;
        align_steps(in_one, in_other);
        if (one_stores || other_stores) {
            add({one_stores ? std::optional(in_one.past_last) : std::nullopt,
                 other_stores ? std::optional(in_other.past_last) : std::nullopt});
        }
    }

    void align_steps(Range in_one, Range in_other) {
        std::vector<PassPair> anchors = common_passes(one_, in_one, other_, in_other);
        const std::size_t shorter = std::min(in_one.size(), in_other.size());
        if (2 * anchors.size() < shorter || anchors.empty()) {
            if (shorter > 0) by_variable_ = false;
            return add_in_order(in_one, in_other);
        }
        anchored_ = true;
        for (const PassPair& anchor : anchors) {
            add_in_order({in_one.first, *anchor.one}, {in_other.first, *anchor.other});
            add(anchor);
            in_one.first = *anchor.one + 1;
            in_other.first = *anchor.other + 1;
        }
        add_in_order(in_one, in_other);
    }

    void add_in_order(Range in_one, Range in_other) {
        while (in_one.size() > 0 || in_other.size() > 0) {
            PassPair pair;
            if (in_one.size() > 0) pair.one = in_one.first++;
            if (in_other.size() > 0) pair.other = in_other.first++;
            add(pair);
        }
    }

    void add(const PassPair& pair) { result_.pairs.push_back(pair); }

    Passes one_, other_;
    AlignedPasses result_;
    bool by_variable_ = true;  // in every launch so far
    bool anchored_ = false;    // some computing pass of either run was aligned
};

}  // namespace

std::vector<MeasuredPass> measured_passes(const BlockPasses& block) {
    std::vector<MeasuredPass> measured;
    measured.reserve(block.passes.size());
    for (const Pass& pass : block.passes) measured.push_back({.launch = block.launch, .pass = pass});
    return measured;
}

std::vector<MeasuredPass> measured_passes(std::span<const GridPass> grid) {
    std::vector<MeasuredPass> measured;
    for (const GridPass& of : grid) {
        MeasuredPass& made = measured.emplace_back();
        made.launch = of.launch;
        Pass& pass = made.pass;
        const bool begins = measured.size() == 1 || measured[measured.size() - 2].launch != of.launch;
        pass.id = PassId(begins ? 0 : measured[measured.size() - 2].pass.id.value + 1);
        pass.role = of.role;
        pass.first_epoch = of.first_epoch;
        pass.last_epoch = of.last_epoch;
        pass.label = of.label;
        pass.variables = of.variables;
        pass.counts = of.counts;
        pass.ways = of.ways;
        pass.work = of.work.value_or(0);
        pass.address_work = of.address_work.value_or(0);
        pass.span = of.span.value_or(0);
        pass.useful_lanes = of.useful_lanes.value_or(0);
        // At least one lane's use is unknown, so no share is known.
        pass.unknown_lanes = of.useful_lanes ? 0 : 1;
    }
    return measured;
}

AlignedPasses aligned(std::span<const MeasuredPass> one, std::span<const MeasuredPass> other) {
    return Aligner(one, other).align();
}

}  // namespace lanescope::analysis
