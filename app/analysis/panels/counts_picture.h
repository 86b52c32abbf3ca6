// The passes of a block in numbers, as a table: executed passes, the current one as far as it has been executed, and
// later ones empty.
#pragma once

#include "analysis/analysis.h"
#include "analysis/block_view.h"
#include "analysis/panels/excess_counts.h"
#include "analysis/passes/pass_meter.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::analysis {

/// One quantity that is counted by pass.
struct CountColumn {
    enum class Unit : std::uint8_t { number, percent };
    /// share: of the sums that it consists of; chain: the longest chain through consecutive passes.
    enum class Total : std::uint8_t { sum, largest, share, chain };
    std::string_view heading;  ///< "load wavefronts"
    std::string_view brief;    ///< "load wf", where the heading has no room
    std::string_view name;     ///< "shared load wavefronts"
    std::string_view term;     ///< its term in the glossary
    Unit unit = Unit::number;
    Total total = Total::sum;
    double (*value)(const Pass& pass, unsigned threads) = nullptr;  ///< percent, 0..100; NaN without a whole
    std::uint64_t Excess::*excess = nullptr;                        ///< the quantity's excessive part
};

struct CountRow {
    enum class State : std::uint8_t { done, under_way, ahead };
    State state = State::done;
    Pass pass;                          ///< its executed part
    Pass whole;                         ///< the whole pass, drawn as its ghost
    Excess excess, whole_excess;        ///< of its executed part, of the whole pass
    std::optional<Pass> baseline = {};  ///< the whole corresponding pass of the baseline
};

/// A formula of the lecture, for the whole run, beside the measured value.
struct ClosedForm {
    std::string name;        ///< "work"
    std::string expression;  ///< "n - 1"
    std::uint64_t value = 0;
    std::optional<std::uint64_t> measured;
};

struct CountsPicture {
    std::vector<CountColumn> columns;  ///< the most important first
    std::vector<CountRow> rows;        ///< one a pass
    Pass total;                        ///< of the executed part
    Excess total_excess;               ///< likewise
    bool all_columns = false;          ///< false: only those that matter most
    unsigned threads = 0;              ///< of the block
    std::vector<ClosedForm> forms;     ///< of the program's lecture; the caller fills them in
    /// Percent of the run's estimated time, by row; empty: there is no estimate. The caller fills it in.
    std::vector<std::optional<double>> time_shares = {};
    std::optional<Pass> baseline_total = {};  ///< of all passes of the baseline's block; nothing: there is none

    [[nodiscard]] Excess whole_excess() const;  ///< of all passes, executed or not
};

/// The columns of the table: useful lanes, wavefronts, sectors, instructions, work, or all; with a baseline, those in
/// which two runs are compared.
[[nodiscard]] std::vector<CountColumn> table_columns(const CountsPicture& picture);

/// Fills in the baseline. `counterparts`: by pass of the picture, the pass of `baseline` that corresponds.
void add_baseline(CountsPicture& picture, const BlockPasses& baseline,
                  std::span<const std::optional<std::size_t>> counterparts);

/// The change from the baseline in a row, as delta_text(); empty before the pass is complete and without a counterpart.
[[nodiscard]] std::string change_text(const CountColumn& column, const CountRow& row);

/// Leaves out columns that are 0 in the whole block and in most kernels: atomics, ways.
[[nodiscard]] std::vector<CountColumn> count_columns(const BlockPasses& passes, unsigned banks);

/// `under_way` and `excess` must be of the same block.
[[nodiscard]] CountsPicture counts_picture(const BlockView& block, PassUnderWay& under_way, const ExcessCounts& excess,
                                           std::size_t position);

/// The column's excess in a row, "70", "–"; empty where the column has none.
[[nodiscard]] std::string excess_text(const CountColumn& column, const Excess& excess);
/// Does any pass of the block have an excess in the column? Without one, the table leaves no room for it.
[[nodiscard]] bool has_excess(const CountColumn& column, const CountsPicture& picture);

/// "12", "50 %"; "–" for nothing.
[[nodiscard]] std::string text_of(const CountColumn& column, double value);

/// The largest number in the column during the run, which decides the column's width.
[[nodiscard]] double largest_value(const CountColumn& column, const CountsPicture& picture);

/// The value of the column's last row; nothing where the values of passes cannot be combined.
[[nodiscard]] std::optional<double> total_of(const CountColumn& column, const CountsPicture& picture);

/// The whole block pass by pass, executed or not, as comma-separated values with a line of headings (RFC 4180): every
/// count separately, whole numbers and shares of 1.
[[nodiscard]] std::string counts_csv(const BlockView& block);

}  // namespace lanescope::analysis
