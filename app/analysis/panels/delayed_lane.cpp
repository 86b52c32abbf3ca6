#include "analysis/panels/delayed_lane.h"

#include "analysis/panels/bank_picture.h"
#include "analysis/panels/sector_picture.h"

namespace lanescope::analysis {
namespace {

template <class Picture>
std::optional<unsigned> delayed(const Picture& picture, bool excess) {
    const LaneMask first = picture.turns() > 0 ? picture.lanes_of_turn(0) : LaneMask{};
    for (std::size_t turn = 1; excess && turn < picture.turns(); ++turn)
        if (const LaneMask later = picture.lanes_of_turn(turn) & ~first; later.any()) return later.lowest();
    return picture.lanes.any() ? std::optional(picture.lanes.lowest()) : std::nullopt;
}

}  // namespace

std::optional<unsigned> delayed_lane(const BlockView& block, std::size_t index) {
    if (const auto banks = bank_picture(block, index)) return delayed(*banks, banks->conflict());
    if (const auto sectors = sector_picture(block, index)) return delayed(*sectors, sectors->excess());
    return std::nullopt;
}

}  // namespace lanescope::analysis
