// Texture and surface objects, for both APIs: a handle is the address of the object in device memory.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace lanescope::host {

/// 32-bit integers to be read as normalized floats: the runtime API refuses them, the driver API reads them as integers
/// (cuTexObjectCreate, CU_TRSF_READ_AS_INTEGER).
enum class Words { refused, kept };

cudaError_t create_texture(std::uint64_t* out, const cudaResourceDesc& resource, const cudaTextureDesc& texture,
                           Words words, const char* function);
cudaError_t create_surface(std::uint64_t* out, const cudaResourceDesc& resource, const char* function);
/// Destroys a texture or surface object; `out` may be null, which is an error of `function`.
cudaError_t destroy_object(std::uint64_t handle, bool surface, const char* function);
cudaError_t resource_of(cudaResourceDesc* out, std::uint64_t handle, bool surface, const char* function);
cudaError_t sampling_of(cudaTextureDesc* out, std::uint64_t handle, const char* function);

}  // namespace lanescope::host
