#include "analysis/passes/block_alignment.h"

#include <algorithm>
#include <optional>

namespace lanescope::analysis {
namespace {

constexpr std::size_t most_cells = 1U << 20U;  // of the table below; more passes are aligned by their numbers

/// The share of the lines of either pass that both have.
double similarity(const std::vector<std::uint32_t>& one, const std::vector<std::uint32_t>& other) {
    std::size_t common = 0;
    for (auto a = one.begin(), b = other.begin(); a != one.end() && b != other.end();) {
        if (*a == *b) ++common;
        const bool first = *a <= *b, second = *b <= *a;
        if (first) ++a;
        if (second) ++b;
    }
    const std::size_t all = one.size() + other.size() - common;
    return all == 0 ? 0 : static_cast<double>(common) / static_cast<double>(all);
}

/// The gain of pairing two passes; 0: they do not correspond.
double gain(double similar, const Pass& one, const Pass& other) {
    constexpr double least = 0.5;
    if (similar < least) return 0;
    // Among repetitions of one loop, those with the same value of its variable, then those between the same barriers.
    const bool same_variable = !one.variables.empty() && one.label == other.label;
    const bool same_epoch = one.first_epoch == other.first_epoch && one.last_epoch == other.last_epoch;
    constexpr double for_variable = 0.5, for_epoch = 0.05;
    return similar + (same_variable ? for_variable : 0) + (same_epoch ? for_epoch : 0);
}

}  // namespace

BlockAligner::BlockAligner(const trace::Trace& trace, const BlockPasses& with) : trace_(trace), with_(with) {
    for (const Pass& pass : with.passes) lines_.push_back(lines_of(with, pass));
}

BlockAligner::Lines BlockAligner::lines_of(const BlockPasses& block, const Pass& pass) const {
    Lines lines;
    for (std::size_t i = pass.first; i < pass.past_last; ++i) lines.push_back(trace_.step(block.steps[i]).line.value);
    std::ranges::sort(lines);
    const auto repeated = std::ranges::unique(lines);
    lines.erase(repeated.begin(), repeated.end());
    return lines;
}

AlignedBlock BlockAligner::align(const BlockPasses& block) const {
    const std::size_t rows = block.passes.size(), columns = with_.passes.size();
    std::vector<std::optional<std::size_t>> found(rows);
    if (columns == 0) return {};
    if (rows > most_cells / columns) {
        for (std::size_t i = 0; i < std::min(rows, columns); ++i) found[i] = i;
    } else {
        std::vector<std::vector<double>> gains(rows, std::vector<double>(columns));
        for (std::size_t i = 0; i < rows; ++i) {
            const Lines lines = lines_of(block, block.passes[i]);
            for (std::size_t j = 0; j < columns; ++j)
                gains[i][j] = gain(similarity(lines, lines_[j]), block.passes[i], with_.passes[j]);
        }
        // best[i][j]: the largest gain of the block's passes from i on and the other's from j on.
        std::vector<std::vector<double>> best(rows + 1, std::vector<double>(columns + 1));
        for (std::size_t i = rows; i-- > 0;) {
            for (std::size_t j = columns; j-- > 0;) {
                best[i][j] = std::max(best[i + 1][j], best[i][j + 1]);
                if (gains[i][j] > 0) best[i][j] = std::max(best[i][j], best[i + 1][j + 1] + gains[i][j]);
            }
        }
        for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
            if (gains[i][j] > 0 && best[i][j] == best[i + 1][j + 1] + gains[i][j]) {
                found[i++] = j++;
            } else if (best[i][j] == best[i + 1][j]) {
                ++i;
            } else {
                ++j;
            }
        }
    }
    AlignedBlock aligned;
    const auto first = std::ranges::find_if(found, [](const auto& each) { return each.has_value(); });
    std::size_t last = first == found.end() ? 0 : **first;
    for (const std::optional<std::size_t>& each : found) {
        if (!each) ++aligned.unmatched;
        last = each.value_or(last);
        aligned.counterparts.push_back(last);
    }
    return aligned;
}

}  // namespace lanescope::analysis
