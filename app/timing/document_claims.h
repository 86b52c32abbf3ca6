// What the documents claim in numbers, beside what a recording says of it, whichever way it falls.
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
    std::string today;   ///< what this recording says, a sentence; where it does not, what is missing
    Outcome outcome = Outcome::not_measured;
};

/// `setting`: where the lecture's steps are compared.
[[nodiscard]] std::vector<Claim> claims(const Recording& recording, const Setting& setting);

}  // namespace lanescope::timing
