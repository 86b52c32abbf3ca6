// Texts of the panels: why one is empty, a line's and the run's numbers, the tooltips of cells and variables.
#pragma once

#include "analysis/panels/memory_table.h"
#include "base/grouped.h"
#include "ui/workspace.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::ui {

/// Why a run of which no block is recorded is not shown.
[[nodiscard]] Problem unrecorded(const session::Run& run);
/// Why a panel is empty and what to do. `what` is its content: "The counts of each pass".
[[nodiscard]] std::string why_empty(const Workspace& workspace, std::string_view what);

/// The meaning of the signs in a pass's name, each in a line of its own: "↑", "(2)". Empty where it has none.
[[nodiscard]] std::string name_signs(std::string_view label);

/// "blur.cu does not compile, line 12: expected a ";"." Empty if it compiles.
[[nodiscard]] std::string why_refused(const Workspace& workspace);

/// The running work, its progress and its duration: "compiling, 42 %, 3 s". Empty while nothing runs.
[[nodiscard]] std::string progress_text(const Workspace& workspace);

/// Says that the panels still show the previous run; empty until the current one has taken long enough to read it.
[[nodiscard]] std::string why_waiting(const Workspace& workspace);

/// The state of B, C or D while there is nothing to compare, or why there never will be.
[[nodiscard]] std::string why_not_compared(const Workspace& one, const Workspace& other, char letter);

/// "Line 11, this pass: 4 of 16 lanes execute it (an output depends on 2 of them), 2 wavefronts to load."
[[nodiscard]] std::string line_sentence(const Shown& shown, std::size_t pass, std::uint32_t cuda_line);

/// "Whole run: 15 operations in 4 passes; work 15 (formula: 15), span 4."
[[nodiscard]] std::string run_sentence(const Shown& shown);

/// "s = 4", the loop variables of a pass; empty without any.
[[nodiscard]] std::string variables_of(const analysis::Pass& pass);

/// "pass 3 of 4: s = 4".
[[nodiscard]] std::string pass_title(const Shown& shown, std::size_t pass, bool at_end);

/// The cost of a line over the whole run.
[[nodiscard]] std::string heat_sentence(const analysis::LineCost& cost);

/// "Passes 1 and 3 write none of these cells.": the passes before the last row of the Passes picture without one.
/// `named`: except those that the picture names between its rows. Empty: there are none.
[[nodiscard]] std::string passes_without_row(const Shown& shown, bool named = false);

/// "pass 1, t = 0: reads As and Bs, keeps the results in registers. It writes none of these cells."
[[nodiscard]] std::string between_sentence(const analysis::PassesBetween& between);

/// The tooltip of a cell: names and values. The first pair is the headline.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> cell_facts(const Shown& shown, std::uint32_t row,
                                                                          std::uint32_t column);

/// The tooltips of an element of memory and of a variable of a lane.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> element_facts(const Shown& shown,
                                                                             const analysis::MemoryTable& table,
                                                                             std::size_t area, std::uint64_t element);
[[nodiscard]] std::vector<std::pair<std::string, std::string>> variable_facts(const analysis::LaneVariable& variable);

/// "1, 2"; or "5 warps" where there are more than `most`.
[[nodiscard]] std::string warp_list(const std::vector<WarpId>& warps, std::size_t most = warp_size);

}  // namespace lanescope::ui
