#include "analysis/passes_picture/shown_cells.h"

#include <algorithm>

namespace lanescope::analysis {

std::optional<CellPlace> cell_showing(const Picture& picture, trace::Space space, std::uint64_t address, PassId current,
                                      StepId next) {
    for (const ColumnGroup& group : picture.groups) {
        if (group.lanes || group.space != space) continue;
        const unsigned bytes = trace::bytes_of(group.element);
        for (const std::uint64_t first : {group.address, group.folded_address}) {
            if (address < first || address - first >= std::uint64_t{group.count} * bytes) continue;
            const auto column = static_cast<std::uint32_t>(group.first_column + (address - first) / bytes);
            for (std::size_t row = picture.rows.size(); row-- > 0;) {
                const Cell& cell = picture.rows[row].cells[column];
                const bool past = !cell.writer.valid() || !next.valid() || cell.writer < next;
                const bool begun = picture.rows[row].initial || picture.rows[row].pass <= current;
                if (cell.address == address && past && begun) return CellPlace{static_cast<std::uint32_t>(row), column};
            }
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> row_of_pass(const Picture& picture, PassId current) {
    std::optional<std::size_t> last;
    for (std::size_t row = 0; row < picture.rows.size(); ++row)
        if (picture.rows[row].pass <= current) last = row;
    return last;
}

bool has_useless_stores(const Picture& picture) {
    return std::ranges::any_of(picture.rows, [](const PictureRow& row) {
        return std::ranges::any_of(row.cells, [](const Cell& cell) { return cell.written && !cell.useful; });
    });
}

}  // namespace lanescope::analysis
