// CUDA arrays, as the runtime keeps them: a handle -> its elements, extent and flags.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>

namespace lanescope::host {

struct Array {
    cudaChannelFormatDesc channels = {};
    cudaExtent extent = {};  ///< as the program gave it, zeros included
    unsigned flags = 0;

    [[nodiscard]] std::size_t element_bytes() const {
        return static_cast<std::size_t>(channels.x + channels.y + channels.z + channels.w) / 8;
    }
    [[nodiscard]] std::size_t rows() const { return std::max<std::size_t>(extent.height, 1); }
    [[nodiscard]] std::size_t slices() const { return std::max<std::size_t>(extent.depth, 1); }
};

/// Null, with the error of `function` reported, where the handle is no array that lives. The array's memory is at the
/// handle, row after row.
const Array* array_of(cudaArray_const_t handle, const char* function);

}  // namespace lanescope::host
