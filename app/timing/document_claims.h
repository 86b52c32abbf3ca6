// The numbers claimed in documents, beside a recording's, whichever way they fall.
#pragma once

#include "timing/steps.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::timing {

struct Claim {
    enum class Outcome : std::uint8_t { holds, does_not, not_measured };
    std::string says;    ///< "Version 1 of the local scan is at most only 40 % slower than version 2"
    std::string source;  ///< the document
    std::string today;   ///< this recording's result, a sentence; or the missing measurement
    Outcome outcome = Outcome::not_measured;
};

/// `setting`: where the lecture's steps are compared.
[[nodiscard]] std::vector<Claim> claims(const Recording& recording, const Setting& setting);

}  // namespace lanescope::timing
