// cub/cub.cuh for NVRTC. The header that CUB's examples include brings the algorithms of whole devices, too, which are host code and do
// not compile there; of blocks and warps those stand in for it that the source names.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::compile {

inline constexpr std::string_view umbrella_name = "cub/cub.cuh";

/// Its text for a source that includes it; empty for others. `BlockReduce` in the source is <cub/block/block_reduce.cuh>.
[[nodiscard]] std::string umbrella_for(std::string_view device_text);

}  // namespace lanescope::compile
