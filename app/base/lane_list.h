// Lanes in words: "0, 2, 4", "0-15, 31".
#pragma once

#include "base/lane_mask.h"

#include <string>

namespace lanescope {

/// The lanes, ascending; three and more in a row as a range. After `most` entries the rest is "...".
[[nodiscard]] inline std::string lane_list(LaneMask lanes, unsigned most = 32) {
    std::string text;
    unsigned entries = 0;
    for (unsigned lane = 0; lane < 32;) {
        if (!lanes.has(lane)) {
            ++lane;
            continue;
        }
        unsigned past = lane;
        while (past < 32 && lanes.has(past)) ++past;
        const bool range = past - lane > 2;
        if (entries++ == most) return text + ", ...";
        text += (text.empty() ? "" : ", ") + std::to_string(lane);
        if (range) text += "-" + std::to_string(past - 1);
        lane = range ? past : lane + 1;
    }
    return text;
}

}  // namespace lanescope
