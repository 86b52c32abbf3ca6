// A trace -> the elements of each buffer of global memory that a launch reads and writes, each counted once however
// often it is accessed: the lecture's arithmetic, elements x size. Local and shared memory are not counted.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <vector>

namespace lanescope::analysis {

/// The elements of one buffer in one launch, by the recorded blocks.
struct GlobalElements {
    std::uint32_t buffer = 0;             ///< index in Trace::buffers
    std::uint64_t read = 0, written = 0;  ///< elements; an atomic does both
    std::uint64_t element_bytes = 4;
    [[nodiscard]] std::uint64_t bytes() const { return (read + written) * element_bytes; }
};

/// By launch, then in the order of the buffers; buffers without an access are left out.
[[nodiscard]] std::vector<std::vector<GlobalElements>> global_elements(const trace::Trace& trace);

}  // namespace lanescope::analysis
