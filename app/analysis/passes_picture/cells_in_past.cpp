#include "analysis/passes_picture/picture.h"

namespace lanescope::analysis {

std::vector<bool> cells_in_past(const Picture& picture, const SelectedPast& past, PassId current) {
    if (past.values.empty()) return {};
    const std::size_t columns = picture.columns;
    std::vector<bool> lit(picture.rows.size() * columns);
    for (std::size_t r = picture.rows.size(); r-- > 0;) {
        const PictureRow& row = picture.rows[r];
        for (std::size_t c = 0; c < columns; ++c) {
            const Cell& cell = row.cells[c];
            // A value that is read later is needed in every row from the one that wrote it to the one that reads it.
            const bool waits = r + 1 < picture.rows.size() && lit[(r + 1) * columns + c] &&
                               picture.rows[r + 1].cells[c].value == cell.value;
            const bool itself = cell.value == past.selected && !row.is_after(current);
            if (past.has(cell.value) && (waits || itself)) lit[r * columns + c] = true;
        }
        for (const Node& node : row.nodes) {
            if (!past.has(node.value)) continue;
            if (row.cells[node.column].value == node.value) lit[r * columns + node.column] = true;
            for (const Source& source : node.sources) lit[source.row * columns + source.column] = true;
        }
    }
    return lit;
}

}  // namespace lanescope::analysis
