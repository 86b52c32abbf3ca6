// A link that reopens a place: a launch and a position in it <-> text.
//
//   lanescope:reduce/sequential?block=128&n=1024&arg.in=iota#launch/0/block/3/step/41/cell/2/5/ptx/9f3ac01b
//
// Before the #: the program, by its name in the catalog or by its path, and the launch fields that are set. After it:
// the launch of the program, the block, the step of the block that executes next, the selected cell of the Passes
// picture, and a checksum of the PTX, which tells whether the steps are still the same. All but the program may be
// absent. Characters that have a meaning in links are written as %20.
#pragma once

#include "base/result.h"
#include "session/launch_values.h"
#include "session/lecture_place.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::session {

struct PlaceLink {
    LaunchValues launch;
    FoundPlace place;
    std::optional<std::uint32_t> ptx;  ///< checksum_of() the PTX that the place belongs to
    bool has_place = false;            ///< false: the launch alone
};

[[nodiscard]] bool is_link(std::string_view text);
[[nodiscard]] std::string text_of(const PlaceLink& link);
[[nodiscard]] Result<PlaceLink> read_link(std::string_view text);
[[nodiscard]] std::uint32_t checksum_of(std::string_view ptx);

}  // namespace lanescope::session
