// How much of a launch is recorded step by step, in the words that all reports and panels share.
#pragma once

#include "base/result.h"
#include "trace/trace.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::trace {

/// "2 of 8 blocks recorded", "1 of 1 block recorded, block 0 up to step 4,096"; `recorded`: that word, or more.
[[nodiscard]] std::string recorded_text(const Trace& trace, std::uint32_t launch,
                                        std::string_view recorded = "recorded");

/// "Block 0 of launch 2 is recorded up to step 4,096 of 90,000", of a launch with Launch::cut; else empty. The launch
/// is named only where there are several, the number of all steps only where it is known.
[[nodiscard]] std::string cut_text(const Trace& trace, std::uint32_t launch);

/// Why nothing can be drawn of a launch that has no recorded block, and what to do.
[[nodiscard]] Problem nothing_recorded(const Trace& trace, std::uint32_t launch);

/// The same for a block that is not among the launch's recorded ones, of which there are some.
[[nodiscard]] Problem block_not_recorded(const Trace& trace, std::uint32_t launch, std::uint32_t block);

}  // namespace lanescope::trace
