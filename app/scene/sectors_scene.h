// analysis::SectorPicture -> shapes: the Sectors panel. Of a load or store, a row is a cache line (of narrow elements a
// part of one) with its 32-byte sectors, a cell an element with its lane, hatched the bytes of a sector that no lane
// accesses. Of an atomic, a row is an address and the cells are the lanes that meet there, in the order served.
#pragma once

#include "analysis/panels/sector_picture.h"
#include "scene/scene.h"

#include <cstddef>
#include <optional>
#include <string>

namespace lanescope::scene {

struct SectorsOptions {
    float width = 480, height = 320;  ///< points available; height 0: as high as it needs
    std::optional<unsigned> request;  ///< the sector shown, a number in requests; nothing: all at once
    float scale = 1;                  ///< text size
    std::size_t first_row = 0;        ///< scroll position, where not all rows have room
};

/// References: lane (`row` = index in pieces, column = its lowest lane, of an atomic the cell's lane), bank (column =
/// number of a request: bytes of its sector that no lane accesses), wavefront (column = number of a request; the button
/// "all" has span 0), heading (`row` = index in pieces of the first after a gap), step: over the sentence where it is
/// cut off.
[[nodiscard]] Scene sectors_scene(const analysis::SectorPicture& picture, const SectorsOptions& options);
/// The access and its sectors, one sentence.
[[nodiscard]] std::string sector_sentence(const analysis::SectorPicture& picture);
/// The largest useful `first_row`: the number of rows without room.
[[nodiscard]] std::size_t sectors_rows_beyond(const analysis::SectorPicture& picture, const SectorsOptions& options);

/// The same panel without an access; `in_kernel`: there is none in the whole launch.
[[nodiscard]] Scene no_sectors_scene(const SectorsOptions& options, bool in_kernel);

}  // namespace lanescope::scene
