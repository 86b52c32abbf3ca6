// Where each of many nodes reads all of the same cells (all bodies, a whole vector, a block's weights), their arcs
// would cover the room between two rows. A hub is one place where the arcs from these cells end and the arcs to these
// nodes begin.
#pragma once

#include "analysis/passes_picture/picture.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::scene {

struct Hub {
    std::uint32_t row = 0;               ///< of the cells that are read
    std::vector<std::uint32_t> columns;  ///< the cells' columns, ascending; all of one array
    std::vector<std::uint32_t> readers;  ///< columns of the nodes, ascending

    [[nodiscard]] std::size_t arcs() const { return columns.size() * readers.size(); }
    [[nodiscard]] bool reads(std::uint32_t reader, const analysis::Source& source) const;
};

/// The hubs of one row's nodes, by column. At least four columns must read exactly the same cells of an array, at least
/// four cells, by more arcs than can be told apart.
[[nodiscard]] std::vector<Hub> hubs_of(const analysis::Picture& picture, std::span<const analysis::Node> nodes);

}  // namespace lanescope::scene
