// Parts of the driver API that older courses use and CUDA 13 has changed: cuCtxCreate with three arguments.
#pragma once

#include_next <cuda.h>

#if defined(__cplusplus) && CUDA_VERSION >= 13000

extern "C" CUresult cuCtxCreate_v2(CUcontext* out, unsigned int flags, CUdevice device);

/// The toolkit's header defines cuCtxCreate as cuCtxCreate_v4; this overload takes three arguments, as before CUDA 13.
inline CUresult cuCtxCreate_v4(CUcontext* out, unsigned int flags, CUdevice device) {
    return cuCtxCreate_v2(out, flags, device);
}

#endif
