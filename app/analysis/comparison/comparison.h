// Two runs side by side: their passes aligned, the counts of both, what changed and by how much.
#pragma once

#include "analysis/comparison/pass_alignment.h"
#include "analysis/panels/counts_picture.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::analysis {

/// A row of a comparison: a pass of each run, or of one run where the other has no counterpart.
struct ComparedPass {
    std::optional<MeasuredPass> one, other;
};

struct Comparison {
    std::vector<CountColumn> columns;  ///< compared_columns(), without those that are unknown in both
    std::vector<ComparedPass> passes;  ///< as AlignedPasses::pairs
    Alignment alignment = Alignment::in_order;
    Pass one_total, other_total;  ///< of all passes
};

/// Compares the passes of two blocks, or of two grids.
[[nodiscard]] Comparison compared(std::span<const MeasuredPass> one, std::span<const MeasuredPass> other);

/// Warp instructions, efficiency, shared wavefronts and sectors. Where a run's useful lanes are unknown, active lanes
/// replace efficiency. `totals`: one for each run; null where not known yet.
[[nodiscard]] std::vector<CountColumn> compared_columns(std::span<const Pass* const> totals);

/// The column's value in a pass: NaN where there is no such pass or nothing to divide by, infinity where the use of a
/// result is unknown.
[[nodiscard]] double value_of(const CountColumn& column, const std::optional<MeasuredPass>& pass);

/// The meaning of a change: less of a cost is better, more of a share is.
enum class Change : std::uint8_t { none, better, worse, unknown };
[[nodiscard]] Change change_of(const CountColumn& column, double before, double after);

/// A value with all digits: "2,313", "0"; shares with one decimal: "38.1 %"; "–" and "?" as text_of().
[[nodiscard]] std::string exact_text(const CountColumn& column, double value);
/// `after` minus `before`: "+12", "−1,106", "+3.4" percentage points, "0"; empty where either is unknown.
[[nodiscard]] std::string delta_text(const CountColumn& column, double before, double after);

/// "1.92 times fewer warp instructions (2,313 to 1,207), efficiency 38.1 % to 52.0 %; unchanged: sectors (33)."
/// `with_unchanged`: names the unchanged counts, too. `most`: names only that many of the largest changes, and counts
/// the others.
[[nodiscard]] std::string change_sentence(const Comparison& comparison, bool with_unchanged = true,
                                          std::size_t most = ~std::size_t{0});

/// The name of a pass, after its launch where there are several launches; "no counterpart" where there is no pass.
[[nodiscard]] std::string label_of(const std::optional<MeasuredPass>& pass, bool several_launches);

/// Sentences that say how the computing passes were paired, how many have no counterpart, and how to read changes:
/// "Passes are aligned by the loop's variable. ..."
[[nodiscard]] std::string alignment_sentence(const Comparison& comparison);

}  // namespace lanescope::analysis
