// Short sentences with numbers that the panels set under their pictures, and the words of a cell's tooltip.
#pragma once

#include "analysis/panels/memory_table.h"
#include "ui/workspace.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::ui {

/// Why a panel is empty, and what to do: `what` is what would stand in it, "The counts of each pass".
[[nodiscard]] std::string why_empty(const Workspace& workspace, std::string_view what);

/// "blur.cu does not compile: line 12: expected a ";"." and what stands in the panels meanwhile. Empty where it does.
[[nodiscard]] std::string why_refused(const Workspace& workspace);

/// "Line 11, this pass: 2 of 16 lanes useful, 2 wavefronts to load, 1 to store."
[[nodiscard]] std::string line_sentence(const Shown& shown, std::size_t pass, std::uint32_t cuda_line);

/// "Whole run: 15 operator applications in 4 passes, span 4; the lecture says work 15."
[[nodiscard]] std::string run_sentence(const Shown& shown);

/// "s = 4", the variables of a pass; empty where the view has none.
[[nodiscard]] std::string variables_of(const analysis::Pass& pass);

/// "pass 3 of 4: s = 4".
[[nodiscard]] std::string pass_title(const Shown& shown, std::size_t pass, bool at_end);

/// The heat of a line: what it costs beyond the least, over the whole run.
[[nodiscard]] std::string heat_sentence(const analysis::LineCost& cost);

/// Everything about a cell, name by name. The first pair is the headline.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> cell_facts(const Shown& shown, std::uint32_t row,
                                                                          std::uint32_t column);

/// Everything about an element of memory as it is now, and about a variable of a lane, likewise.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> element_facts(const Shown& shown,
                                                                             const analysis::MemoryTable& table,
                                                                             std::size_t area, std::uint64_t element);
[[nodiscard]] std::vector<std::pair<std::string, std::string>> variable_facts(const analysis::LaneVariable& variable);

/// "1, 2"; where they are more than `most`, "5 warps".
[[nodiscard]] std::string warp_list(const std::vector<WarpId>& warps, std::size_t most = warp_size);

/// "7 lanes", "1 lane", "1 234 567 lanes".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view one, std::string_view many);

}  // namespace lanescope::ui
