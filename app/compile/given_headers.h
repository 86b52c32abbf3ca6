// Headers that are passed to NVRTC in memory: the prelude of every compilation, and cub/cub.cuh.
#pragma once

#include <string>
#include <string_view>

namespace lanescope::compile {

inline constexpr std::string_view prelude_name = "lanescope_prelude.h";

/// Definitions before the first line of every compilation, as host headers would define it: types of <stdint.h> and
/// <sys/types.h>, limits of <limits.h> and <float.h>, constants of <math.h>, assert, and a namespace std for `using
/// namespace std`. A file may define any of them again. The 64-bit types are those of CUDA's own C++ library under
/// NVRTC, so that a source may include both.
[[nodiscard]] std::string_view prelude();

inline constexpr std::string_view cub_header_name = "cub/cub.cuh";

/// <cub/cub.cuh> for a source that includes it; empty for others. The header also includes CUB's device-wide
/// algorithms, which are host code that NVRTC rejects; this one includes the headers of the Block... and Warp...
/// classes that the source names: <cub/block/block_reduce.cuh> for `BlockReduce`.
[[nodiscard]] std::string cub_header_for(std::string_view device_text);

}  // namespace lanescope::compile
