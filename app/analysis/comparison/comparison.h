// Two runs beside each other: their passes aligned, the counts of both, what changed and by how much.
#pragma once

#include "analysis/comparison/pass_alignment.h"
#include "analysis/panels/counts_picture.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::analysis {

/// One pass of each, or of one of them alone.
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

/// Warp instructions, efficiency, shared wavefronts, sectors. Where it is not known of each which lanes are useful, the
/// active ones instead of efficiency. `totals`: of the runs; null: not known yet.
[[nodiscard]] std::vector<CountColumn> compared_columns(std::span<const Pass* const> totals);

/// A value of the column in a pass: not a number where there is no such pass or nothing to divide by, infinite where
/// the use of a result is not known.
[[nodiscard]] double value_of(const CountColumn& column, const std::optional<MeasuredPass>& pass);

/// The meaning of a change: less of a cost is better, more of a share is.
enum class Change : std::uint8_t { none, better, worse, unknown };
[[nodiscard]] Change change_of(const CountColumn& column, double before, double after);

/// A value with all digits: "2,313", "0"; shares with one decimal: "38.1 %"; "–" and "?" as text_of().
[[nodiscard]] std::string exact_text(const CountColumn& column, double value);
/// The other value minus the one: "+12", "−1,106", "+3.4" percentage points, "0"; empty where either is not known.
[[nodiscard]] std::string delta_text(const CountColumn& column, double before, double after);

/// "1.92 times fewer warp instructions (2,313 to 1,207), efficiency 38.1 % to 52.0 %; unchanged: sectors (33)."
/// `with_unchanged`: with what is the same in both. `most`: changes, the largest ones; of the others their number.
[[nodiscard]] std::string change_sentence(const Comparison& comparison, bool with_unchanged = true,
                                          std::size_t most = ~std::size_t{0});

/// The name of a pass, with its launch where there are several; of no pass, "no counterpart".
[[nodiscard]] std::string label_of(const std::optional<MeasuredPass>& pass, bool several_launches);

/// "Passes are aligned by the loop's variable. ...": how the computing passes were paired, with the number of those
/// without a counterpart, and how changes are to be read; sentences.
[[nodiscard]] std::string alignment_sentence(const Comparison& comparison);

}  // namespace lanescope::analysis
