// The missing measurements of a recording, and why, in few sentences.
#pragma once

#include "timing/measurement.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::timing {

/// The omissions of one kernel that have one reason.
struct OmissionGroup {
    std::string kernel;
    std::vector<std::uint64_t> n;      ///< growing, each once
    std::vector<std::uint32_t> block;  ///< likewise
    std::string why;                   ///< the first one's, with its remedy
    std::size_t count = 0;
    bool fault = false;
};

/// In the order of the recording. Omissions of one kernel with one remedy are merged, whatever sizes their sentences
/// name.
[[nodiscard]] std::vector<OmissionGroup> omission_groups(const Recording& recording);

}  // namespace lanescope::timing
