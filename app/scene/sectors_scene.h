// analysis::SectorPicture -> shapes: the Sectors panel. For a load or store, a row is a cache line (for narrow
// elements, a part of one) with its 32-byte sectors, a cell is an element with its lane, and the bytes of a sector that
// no lane accesses are hatched. For an atomic, a row is an address and the cells are the lanes that meet there, in the
// order served.
#pragma once

#include "analysis/panels/sector_picture.h"
#include "scene/access_picture.h"

#include <cstddef>
#include <string>

namespace lanescope::scene {

/// References: lane (`row` = index in pieces, column = its lowest lane, for an atomic the cell's lane), bank (column =
/// number of a request: bytes of its sector that no lane accesses), wavefront (column = number of a request; the button
/// "all" has span 0), heading (`row` = index in pieces of the first after a gap), step: over the sentence where it is
/// cut off.
[[nodiscard]] Scene sectors_scene(const analysis::SectorPicture& picture, const AccessOptions& options);
/// The access and its sectors in one sentence.
[[nodiscard]] std::string sector_sentence(const analysis::SectorPicture& picture);
/// The largest useful `first_row`: the number of rows that do not fit.
[[nodiscard]] std::size_t sectors_rows_beyond(const analysis::SectorPicture& picture, const AccessOptions& options);

}  // namespace lanescope::scene
