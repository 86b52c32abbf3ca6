// Device management and error names of the CUDA runtime API, for the emulated device.
#include "base/grouped.h"
#include "host/runtime/runtime.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <vector>

using namespace lanescope::host;

namespace {

int current_device = 0;
unsigned int device_flags = 0;
std::map<cudaLimit, std::size_t>& limits() {
    const DeviceFacts& device = Runtime::get().device();
    static std::map<cudaLimit, std::size_t> all{{cudaLimitStackSize, device.stack_bytes_per_thread},
                                                {cudaLimitPrintfFifoSize, device.printf_bytes},
                                                {cudaLimitMallocHeapSize, device.heap_bytes}};
    return all;
}

/// Whether the program has set the stack of device threads.
bool stack_set = false;

bool is_device(int device) { return device == 0; }

cudaError_t no_device(const char* function) {
    return Runtime::get().fail(cudaErrorInvalidDevice, function, one_device);
}

struct ErrorText {
    int error;
    const char *name, *text;
};
constexpr ErrorText errors[] = {
#include "host/runtime/errors.inc"
};

const ErrorText* find(cudaError_t error) {
    for (const ErrorText& known : errors)
        if (known.error == error) return &known;
    return nullptr;
}

/// Limits of textures and surfaces that all devices of compute capability 5.0 to 9.0 have (CUDA C++ Programming Guide,
/// "Technical Specifications"), and what an H200 says of itself.
struct FixedAttribute {
    cudaDeviceAttr attribute;
    int value;
};
constexpr FixedAttribute fixed_attributes[] = {
    {cudaDevAttrMaxTexture1DWidth, 131072},
    {cudaDevAttrMaxTexture2DWidth, 131072},
    {cudaDevAttrMaxTexture2DHeight, 65536},
    {cudaDevAttrMaxTexture3DWidth, 16384},
    {cudaDevAttrMaxTexture3DHeight, 16384},
    {cudaDevAttrMaxTexture3DDepth, 16384},
    {cudaDevAttrMaxTexture2DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture2DLayeredHeight, 32768},
    {cudaDevAttrMaxTexture2DLayeredLayers, 2048},
    {cudaDevAttrMaxTexture1DLayeredWidth, 32768},
    {cudaDevAttrMaxTexture1DLayeredLayers, 2048},
    {cudaDevAttrMaxTexture2DGatherWidth, 32768},
    {cudaDevAttrMaxTexture2DGatherHeight, 32768},
    {cudaDevAttrMaxTexture3DWidthAlt, 8192},
    {cudaDevAttrMaxTexture3DHeightAlt, 8192},
    {cudaDevAttrMaxTexture3DDepthAlt, 32768},
    {cudaDevAttrMaxTextureCubemapWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxTextureCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxSurface1DWidth, 32768},
    {cudaDevAttrMaxSurface2DWidth, 131072},
    {cudaDevAttrMaxSurface2DHeight, 65536},
    {cudaDevAttrMaxSurface3DWidth, 16384},
    {cudaDevAttrMaxSurface3DHeight, 16384},
    {cudaDevAttrMaxSurface3DDepth, 16384},
    {cudaDevAttrMaxSurface1DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface1DLayeredLayers, 2048},
    {cudaDevAttrMaxSurface2DLayeredWidth, 32768},
    {cudaDevAttrMaxSurface2DLayeredHeight, 32768},
    {cudaDevAttrMaxSurface2DLayeredLayers, 2048},
    {cudaDevAttrMaxSurfaceCubemapWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredWidth, 32768},
    {cudaDevAttrMaxSurfaceCubemapLayeredLayers, 2046},
    {cudaDevAttrMaxTexture1DLinearWidth, 268435456},
    {cudaDevAttrMaxTexture2DLinearWidth, 131072},
    {cudaDevAttrMaxTexture2DLinearHeight, 65000},
    {cudaDevAttrMaxTexture2DLinearPitch, 2097120},
    {cudaDevAttrMaxTexture2DMipmappedWidth, 32768},
    {cudaDevAttrMaxTexture2DMipmappedHeight, 32768},
    {cudaDevAttrMaxTexture1DMipmappedWidth, 32768},
    {cudaDevAttrSurfaceAlignment, 512},
    {cudaDevAttrTexturePitchAlignment, 32},
    {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
    {cudaDevAttrGpuOverlap, 1},
    {cudaDevAttrHostRegisterSupported, 1},
    {cudaDevAttrMaxAccessPolicyWindowSize, 134217728},
    {cudaDevAttrMaxPitch, 2147483647},
    {cudaDevAttrTextureAlignment, 512},
    {cudaDevAttrAsyncEngineCount, 3},
};

const FixedAttribute* find(cudaDeviceAttr attribute) {
    for (const FixedAttribute& known : fixed_attributes)
        if (known.attribute == attribute) return &known;
    return nullptr;
}

/// The value of an attribute of the table.
int fixed(cudaDeviceAttr attribute) { return find(attribute)->value; }

/// Features that the emulated device lacks: clusters, handles for other processes, sparse arrays, mapping by other
/// libraries.
constexpr cudaDeviceAttr not_offered[] = {
    cudaDevAttrMultiGpuBoardGroupID,
    cudaDevAttrCanUseHostPointerForRegisteredMem,
    cudaDevAttrCanFlushRemoteWrites,
    cudaDevAttrDirectManagedMemAccessFromHost,
    cudaDevAttrMaxPersistingL2CacheSize,
    cudaDevAttrSparseCudaArraySupported,
    cudaDevAttrHostRegisterReadOnlySupported,
    cudaDevAttrTimelineSemaphoreInteropSupported,
    cudaDevAttrGPUDirectRDMASupported,
    cudaDevAttrGPUDirectRDMAFlushWritesOptions,
    cudaDevAttrGPUDirectRDMAWritesOrdering,
    cudaDevAttrMemoryPoolSupportedHandleTypes,
    cudaDevAttrClusterLaunch,
    cudaDevAttrDeferredMappingCudaArraySupported,
    cudaDevAttrIpcEventSupport,
    cudaDevAttrMemSyncDomainCount,
    cudaDevAttrNumaConfig,
    cudaDevAttrNumaId,
    cudaDevAttrMpsEnabled,
    cudaDevAttrHostNumaId,
};

/// False if the emulated device has no value for the attribute.
bool attribute_of(const DeviceFacts& device, cudaDeviceAttr attribute, int& out) {
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: out = device.threads_per_block; return true;
        case cudaDevAttrMaxBlockDimX: out = static_cast<int>(device.most_block[0]); return true;
        case cudaDevAttrMaxBlockDimY: out = static_cast<int>(device.most_block[1]); return true;
        case cudaDevAttrMaxBlockDimZ: out = static_cast<int>(device.most_block[2]); return true;
        case cudaDevAttrMaxGridDimX: out = static_cast<int>(device.most_grid[0]); return true;
        case cudaDevAttrMaxGridDimY: out = static_cast<int>(device.most_grid[1]); return true;
        case cudaDevAttrMaxGridDimZ: out = static_cast<int>(device.most_grid[2]); return true;
        case cudaDevAttrMaxSharedMemoryPerBlock: out = static_cast<int>(device.shared_per_block); return true;
        case cudaDevAttrMaxSharedMemoryPerBlockOptin:
            out = static_cast<int>(device.shared_per_block_optin);
            return true;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            out = static_cast<int>(device.shared_per_multiprocessor);
            return true;
        case cudaDevAttrReservedSharedMemoryPerBlock: out = static_cast<int>(device.shared_reserved); return true;
        case cudaDevAttrTotalConstantMemory: out = static_cast<int>(device.constant_bytes); return true;
        case cudaDevAttrWarpSize: out = device.warp_size; return true;
        case cudaDevAttrMaxRegistersPerBlock: out = device.registers_per_block; return true;
        case cudaDevAttrMaxRegistersPerMultiprocessor: out = device.registers_per_multiprocessor; return true;
        case cudaDevAttrClockRate: out = device.clock_khz; return true;
        case cudaDevAttrMemoryClockRate: out = device.memory_clock_khz; return true;
        case cudaDevAttrGlobalMemoryBusWidth: out = device.memory_bus_bits; return true;
        case cudaDevAttrL2CacheSize: out = static_cast<int>(device.l2_bytes); return true;
        case cudaDevAttrMultiProcessorCount: out = device.multiprocessors; return true;
        case cudaDevAttrMaxThreadsPerMultiProcessor: out = device.threads_per_multiprocessor; return true;
        case cudaDevAttrMaxBlocksPerMultiprocessor: out = device.blocks_per_multiprocessor; return true;
        case cudaDevAttrComputeCapabilityMajor: out = device.major; return true;
        case cudaDevAttrComputeCapabilityMinor: out = device.minor; return true;
        case cudaDevAttrConcurrentKernels:
        case cudaDevAttrCanMapHostMemory:
        case cudaDevAttrUnifiedAddressing:
        case cudaDevAttrManagedMemory:
        case cudaDevAttrCooperativeLaunch:
        case cudaDevAttrMemoryPoolsSupported:
        case cudaDevAttrStreamPrioritiesSupported:
        case cudaDevAttrGlobalL1CacheSupported:
        case cudaDevAttrLocalL1CacheSupported:
        case cudaDevAttrComputePreemptionSupported:
        case cudaDevAttrEccEnabled: out = 1; return true;
        case cudaDevAttrConcurrentManagedAccess:
        case cudaDevAttrPageableMemoryAccess:
        case cudaDevAttrPageableMemoryAccessUsesHostPageTables:
        case cudaDevAttrHostNativeAtomicSupported:
        case cudaDevAttrIntegrated:
        case cudaDevAttrKernelExecTimeout:
        case cudaDevAttrComputeMode:
        case cudaDevAttrIsMultiGpuBoard:
        case cudaDevAttrPciBusId:
        case cudaDevAttrPciDeviceId:
        case cudaDevAttrPciDomainId:
        case cudaDevAttrTccDriver: out = 0; return true;
        default: break;
    }
    if (const FixedAttribute* known = find(attribute)) {
        out = known->value;
        return true;
    }
    out = 0;
    return std::find(std::begin(not_offered), std::end(not_offered), attribute) != std::end(not_offered);
}

}  // namespace

namespace lanescope::host {

std::uint32_t stack_bytes_of_threads() {
    if (!stack_set) return 0;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(limits().at(cudaLimitStackSize), most_device_stack_bytes));
}

}  // namespace lanescope::host

extern "C" {

// --- Errors ------------------------------------------------------------------------------------------------------

const char* cudaGetErrorName(cudaError_t error) {
    const ErrorText* known = find(error);
    return known != nullptr ? known->name : "unrecognized error code";
}
const char* cudaGetErrorString(cudaError_t error) {
    const ErrorText* known = find(error);
    return known != nullptr ? known->text : "unrecognized error code";
}
cudaError_t cudaGetLastError(void) {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    return runtime.last_error(true);
}
cudaError_t cudaPeekAtLastError(void) {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    return runtime.last_error(false);
}

// --- The device --------------------------------------------------------------------------------------------------

cudaError_t cudaGetDeviceCount(int* out) {
    LANESCOPE_ENTRY;
    *out = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int* out) {
    LANESCOPE_ENTRY;
    *out = current_device;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    LANESCOPE_ENTRY;
    if (!is_device(device)) return no_device(__func__);
    current_device = device;
    return cudaSuccess;
}
cudaError_t cudaInitDevice(int device, unsigned int, unsigned int) {
    LANESCOPE_ENTRY;
    return is_device(device) ? cudaSuccess : no_device(__func__);
}
cudaError_t cudaSetValidDevices(int*, int) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}
cudaError_t cudaChooseDevice(int* out, const cudaDeviceProp*) {
    LANESCOPE_ENTRY;
    *out = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    LANESCOPE_ENTRY;
    device_flags = flags;
    return cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned int* out) {
    LANESCOPE_ENTRY;
    *out = device_flags;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* out, int device) {
    LANESCOPE_ENTRY;
    if (!is_device(device)) return no_device(__func__);
    const DeviceFacts& facts = runtime.device();
    std::memset(out, 0, sizeof *out);
    std::strncpy(out->name, facts.name, sizeof out->name - 1);
    out->totalGlobalMem = facts.global_bytes;
    out->sharedMemPerBlock = facts.shared_per_block;
    out->sharedMemPerBlockOptin = facts.shared_per_block_optin;
    out->sharedMemPerMultiprocessor = facts.shared_per_multiprocessor;
    out->reservedSharedMemPerBlock = facts.shared_reserved;
    out->regsPerBlock = facts.registers_per_block;
    out->regsPerMultiprocessor = facts.registers_per_multiprocessor;
    out->warpSize = facts.warp_size;
    out->memPitch = static_cast<std::size_t>(fixed(cudaDevAttrMaxPitch));
    out->maxThreadsPerBlock = facts.threads_per_block;
    out->maxThreadsPerMultiProcessor = facts.threads_per_multiprocessor;
    out->maxBlocksPerMultiProcessor = facts.blocks_per_multiprocessor;
    for (int i = 0; i < 3; ++i) {
        out->maxThreadsDim[i] = static_cast<int>(facts.most_block[i]);
        out->maxGridSize[i] = static_cast<int>(facts.most_grid[i]);
    }
    out->totalConstMem = facts.constant_bytes;
    out->major = facts.major;
    out->minor = facts.minor;
    out->textureAlignment = fixed(cudaDevAttrTextureAlignment);
    out->texturePitchAlignment = fixed(cudaDevAttrTexturePitchAlignment);
    out->surfaceAlignment = fixed(cudaDevAttrSurfaceAlignment);
    out->maxTexture1D = fixed(cudaDevAttrMaxTexture1DWidth);
    out->maxTexture1DMipmap = fixed(cudaDevAttrMaxTexture1DMipmappedWidth);
    out->maxTexture1DLayered[0] = fixed(cudaDevAttrMaxTexture1DLayeredWidth);
    out->maxTexture1DLayered[1] = fixed(cudaDevAttrMaxTexture1DLayeredLayers);
    out->maxTexture2D[0] = fixed(cudaDevAttrMaxTexture2DWidth);
    out->maxTexture2D[1] = fixed(cudaDevAttrMaxTexture2DHeight);
    out->maxTexture2DLinear[0] = fixed(cudaDevAttrMaxTexture2DLinearWidth);
    out->maxTexture2DLinear[1] = fixed(cudaDevAttrMaxTexture2DLinearHeight);
    out->maxTexture2DLinear[2] = fixed(cudaDevAttrMaxTexture2DLinearPitch);
    out->maxTexture2DLayered[0] = fixed(cudaDevAttrMaxTexture2DLayeredWidth);
    out->maxTexture2DLayered[1] = fixed(cudaDevAttrMaxTexture2DLayeredHeight);
    out->maxTexture2DLayered[2] = fixed(cudaDevAttrMaxTexture2DLayeredLayers);
    out->maxTexture2DMipmap[0] = fixed(cudaDevAttrMaxTexture2DMipmappedWidth);
    out->maxTexture2DMipmap[1] = fixed(cudaDevAttrMaxTexture2DMipmappedHeight);
    out->maxTexture2DGather[0] = fixed(cudaDevAttrMaxTexture2DGatherWidth);
    out->maxTexture2DGather[1] = fixed(cudaDevAttrMaxTexture2DGatherHeight);
    out->maxTexture3D[0] = fixed(cudaDevAttrMaxTexture3DWidth);
    out->maxTexture3D[1] = fixed(cudaDevAttrMaxTexture3DHeight);
    out->maxTexture3D[2] = fixed(cudaDevAttrMaxTexture3DDepth);
    out->maxTextureCubemap = fixed(cudaDevAttrMaxTextureCubemapWidth);
    out->accessPolicyMaxWindowSize = fixed(cudaDevAttrMaxAccessPolicyWindowSize);
    out->hostRegisterSupported = fixed(cudaDevAttrHostRegisterSupported);
    out->multiProcessorCount = facts.multiprocessors;
    out->canMapHostMemory = out->concurrentKernels = out->ECCEnabled = out->unifiedAddressing = 1;
    out->asyncEngineCount = fixed(cudaDevAttrAsyncEngineCount);
    out->memoryBusWidth = facts.memory_bus_bits;
    out->l2CacheSize = static_cast<int>(facts.l2_bytes);
    out->streamPrioritiesSupported = out->globalL1CacheSupported = out->localL1CacheSupported = 1;
    out->managedMemory = out->cooperativeLaunch = out->memoryPoolsSupported = out->computePreemptionSupported = 1;
#if CUDART_VERSION < 13000
    out->clockRate = facts.clock_khz;
    out->memoryClockRate = facts.memory_clock_khz;
    out->deviceOverlap = 1;
#endif
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* out, cudaDeviceAttr attribute, int device) {
    LANESCOPE_ENTRY;
    if (!is_device(device)) return no_device(__func__);
    if (attribute_of(runtime.device(), attribute, *out)) return cudaSuccess;
    *out = 0;
    runtime.remark("device attribute " + std::to_string(int(attribute)) +
                   " is returned as 0: the emulated device has no value for it");
    return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int* out, const char*) {
    LANESCOPE_ENTRY;
    *out = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetP2PAttribute(int* out, cudaDeviceP2PAttr, int from, int to) {
    LANESCOPE_ENTRY;
    *out = 0;
    return runtime.fail(cudaErrorInvalidDevice, __func__,
                        is_device(from) && is_device(to) ? "a device is not its own peer" : one_device);
}
cudaError_t cudaCtxResetPersistingL2Cache(void) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetPCIBusId(char* out, int length, int device) {
    LANESCOPE_ENTRY;
    if (!is_device(device)) return no_device(__func__);
    std::strncpy(out, "0000:00:00.0", static_cast<std::size_t>(length));
    return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void) {
    LANESCOPE_ENTRY;
    runtime.wait_for_all();
    return runtime.sticky();
}

cudaError_t cudaDeviceReset(void) {
    LANESCOPE_ENTRY;
    runtime.wait_for_all();
    std::vector<void*> live;
    for (const auto& [address, allocation] : runtime.allocations())
        if (!allocation.freed && !allocation.is_variable) live.push_back(reinterpret_cast<void*>(address));
    for (void* pointer : live) runtime.release(pointer, runtime.find(pointer)->kind, __func__);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* out, cudaLimit limit) {
    LANESCOPE_ENTRY;
    const auto found = limits().find(limit);
    if (found == limits().end()) return runtime.fail(cudaErrorUnsupportedLimit, __func__, "the limit is not emulated");
    *out = found->second;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    LANESCOPE_ENTRY;
    const auto found = limits().find(limit);
    if (found == limits().end()) return runtime.fail(cudaErrorUnsupportedLimit, __func__, "the limit is not emulated");
    if (limit == cudaLimitStackSize && value > most_device_stack_bytes)
        runtime.remark("cudaDeviceSetLimit: a thread's stack has at most " +
                       lanescope::counted(most_device_stack_bytes, "byte") + " in the emulator, not " +
                       lanescope::counted(value, "byte"));
    found->second = value;
    stack_set = stack_set || limit == cudaLimitStackSize;
    if (limit != cudaLimitStackSize)
        runtime.remark(
            "cudaDeviceSetLimit has no effect on the emulator's heap and printf buffer: their sizes are fixed");
    return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    LANESCOPE_ENTRY;
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* out) {
    LANESCOPE_ENTRY;
    *out = cudaFuncCachePreferNone;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* out) {
    LANESCOPE_ENTRY;
    *out = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* out, int, int) {
    LANESCOPE_ENTRY;
    *out = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) {
    LANESCOPE_ENTRY;
    return no_device(__func__);
}
cudaError_t cudaDeviceDisablePeerAccess(int) {
    LANESCOPE_ENTRY;
    return runtime.fail(cudaErrorPeerAccessNotEnabled, __func__, one_device);
}

cudaError_t cudaDriverGetVersion(int* out) {
    *out = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* out) {
    *out = CUDART_VERSION;
    return cudaSuccess;
}

cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

}  // extern "C"
