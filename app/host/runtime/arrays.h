// CUDA arrays, as the runtime keeps them: a handle -> its elements, extent and flags.
#pragma once

#include "host/runtime/runtime.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstddef>
#include <functional>

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

/// The array of a handle, whose memory is at the handle, row-major. Null if no such array exists: then the error of
/// `function` is reported.
const Array* array_of(cudaArray_const_t handle, const char* function);

/// Elements of one to four channels in up to three dimensions; `flags`: cudaArraySurfaceLoadStore alone is implemented.
cudaError_t allocate_array(cudaArray_t* out, const cudaChannelFormatDesc* channels, cudaExtent extent, unsigned flags,
                           const char* function);
/// `not_live`: the error to return if the array does not exist or is freed.
cudaError_t free_array(cudaArray_t array, cudaError_t not_live, const char* function);

/// Rows of `width` bytes, from or to an array where it is not null, at `x` in bytes, and `host` on the other side.
cudaError_t copy_2d(cudaArray_const_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                    std::size_t from_x, std::size_t from_y, cudaPitchedPtr host, std::size_t width, std::size_t height,
                    cudaMemcpyKind kind, const char* function);
Operation operation_of(std::function<cudaError_t()> run, cudaMemcpyKind kind);

}  // namespace lanescope::host
