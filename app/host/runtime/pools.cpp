// Memory pools of the CUDA runtime API, which share the device's memory here, and memory of other processes, which is
// not accessible.
#include "host/runtime/runtime.h"

#include <cstring>
#include <map>

using namespace lanescope::host;

namespace {

/// The attributes that a program can set and query.
struct Pool {
    std::map<cudaMemPoolAttr, std::uint64_t> attributes = {{cudaMemPoolReuseFollowEventDependencies, 1},
                                                           {cudaMemPoolReuseAllowOpportunistic, 1},
                                                           {cudaMemPoolReuseAllowInternalDependencies, 1},
                                                           {cudaMemPoolAttrReleaseThreshold, 0}};
};
Pool usual_pool;
Pool* current_pool = &usual_pool;

cudaMemPool_t handle_of(Pool* pool) { return reinterpret_cast<cudaMemPool_t>(pool); }
Pool* pool_of(cudaMemPool_t handle) { return reinterpret_cast<Pool*>(handle); }

std::uint64_t bytes_in_use(const Runtime& runtime) {
    std::uint64_t used = 0;
    for (const auto& [address, allocation] : runtime.allocations())
        if (!allocation.freed && allocation.kind == MemoryKind::device) used += allocation.bytes;
    return used;
}

bool is_flag(cudaMemPoolAttr attribute) {
    return attribute == cudaMemPoolReuseFollowEventDependencies || attribute == cudaMemPoolReuseAllowOpportunistic ||
           attribute == cudaMemPoolReuseAllowInternalDependencies;
}

}  // namespace

extern "C" {

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int) {
    LANESCOPE_ENTRY;
    *out = handle_of(&usual_pool);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int) {
    LANESCOPE_ENTRY;
    *out = handle_of(current_pool);
    return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t pool) {
    LANESCOPE_ENTRY;
    current_pool = pool_of(pool);
    return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, const cudaMemPoolProps*) {
    LANESCOPE_ENTRY;
    *out = handle_of(new Pool);
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    LANESCOPE_ENTRY;
    if (pool_of(pool) == &usual_pool)
        return runtime.fail(cudaErrorInvalidValue, __func__, "the device's own pool cannot be destroyed");
    if (current_pool == pool_of(pool)) current_pool = &usual_pool;
    delete pool_of(pool);
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    LANESCOPE_ENTRY;
    if (is_flag(attribute)) {
        pool_of(pool)->attributes[attribute] = static_cast<std::uint64_t>(*static_cast<const int*>(value));
    } else if (attribute == cudaMemPoolAttrReleaseThreshold) {
        std::memcpy(&pool_of(pool)->attributes[attribute], value, sizeof(std::uint64_t));
    } else if (attribute != cudaMemPoolAttrUsedMemHigh && attribute != cudaMemPoolAttrReservedMemHigh) {
        return runtime.fail(cudaErrorInvalidValue, __func__, "the attribute cannot be set");
    }
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
    LANESCOPE_ENTRY;
    const auto known = pool_of(pool)->attributes.find(attribute);
    if (known != pool_of(pool)->attributes.end()) {
        if (is_flag(attribute))
            *static_cast<int*>(value) = static_cast<int>(known->second);
        else
            std::memcpy(value, &known->second, sizeof known->second);
        return cudaSuccess;
    }
    runtime.remark("a pool's memory is returned as all device memory in use: pools share the device's memory here");
    const std::uint64_t used = bytes_in_use(runtime);
    std::memcpy(value, &used, sizeof used);
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc*, size_t) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags* out, cudaMemPool_t, cudaMemLocation*) {
    LANESCOPE_ENTRY;
    *out = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}
// Memory cannot be shared with other processes.
cudaError_t cudaMemPoolExportToShareableHandle(void*, cudaMemPool_t, cudaMemAllocationHandleType, unsigned int) {
    LANESCOPE_ENTRY;
    return runtime.refuse(__func__);
}
cudaError_t cudaMemPoolImportFromShareableHandle(cudaMemPool_t*, void*, cudaMemAllocationHandleType, unsigned int) {
    LANESCOPE_ENTRY;
    return runtime.refuse(__func__);
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) {
    LANESCOPE_ENTRY;
    return runtime.refuse(__func__);
}
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned int) {
    LANESCOPE_ENTRY;
    return runtime.refuse(__func__);
}
cudaError_t cudaIpcCloseMemHandle(void*) {
    LANESCOPE_ENTRY;
    return runtime.refuse(__func__);
}
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) {
    LANESCOPE_ENTRY;
    return runtime.refuse(__func__);
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) {
    LANESCOPE_ENTRY;
    return runtime.refuse(__func__);
}

}  // extern "C"
