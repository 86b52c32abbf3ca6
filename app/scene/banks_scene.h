// analysis::BankPicture -> shapes: the Banks panel. Shared memory has as many words a row as there are banks, so that a
// bank is a column, a conflict is a column with several words, and a broadcast is one cell with several lanes.
#pragma once

#include "analysis/panels/bank_heat.h"
#include "analysis/panels/bank_picture.h"
#include "scene/access_picture.h"

#include <optional>
#include <string>

namespace lanescope::scene {

/// References: bank (column), lane (a word's lowest lane, `row` its index in words), wavefront (column = its number;
/// the button "all" has span 0), step: over the sentence where it is cut off. Where lanes of an atomic operation meet,
/// a line for each wavefront shows the lanes that it serves, if all lines have room.
[[nodiscard]] Scene banks_scene(const analysis::BankPicture& picture, const AccessOptions& options);
/// The access and the banks of its words in one sentence.
[[nodiscard]] std::string bank_sentence(const analysis::BankPicture& picture);
/// The largest useful `first_row`: the number of rows that do not fit.
[[nodiscard]] std::size_t banks_rows_beyond(const analysis::BankPicture& picture, const AccessOptions& options);

struct HeatOptions {
    float width = 480, height = 320;    ///< points available; it grows beyond where rows need it
    std::optional<std::size_t> chosen;  ///< the row of the access at the cursor
    float scale = 1;
};
/// A whole pass: a row for each access, a column for each bank, darker the more accesses the bank serves. References:
/// bank (`row` = index in heat.rows, column = bank), row.
[[nodiscard]] Scene bank_heat_scene(const analysis::BankHeat& heat, const HeatOptions& options);

}  // namespace lanescope::scene
