// The device that a program believes to run on, and the errors that CUDA returns, by name.
#include "host/runtime/runtime.h"

#include <cstring>

using namespace lanescope::host;

namespace {

int current_device = 0;
unsigned int device_flags = 0;
std::map<cudaLimit, std::size_t> limits = {
    {cudaLimitStackSize, 1024}, {cudaLimitPrintfFifoSize, 1048576}, {cudaLimitMallocHeapSize, 8388608}};

bool is_device(int device) { return device == 0; }

cudaError_t no_device(const char* function) {
    return Runtime::get().fail(cudaErrorInvalidDevice, function, "there is one device, number 0");
}

struct ErrorText {
    cudaError_t error;
    const char *name, *text;
};
constexpr ErrorText errors[] = {
#define LANESCOPE_ERROR(name, text) {name, #name, text},
    LANESCOPE_ERROR(cudaSuccess, "no error") LANESCOPE_ERROR(cudaErrorInvalidValue, "invalid argument") LANESCOPE_ERROR(
        cudaErrorMemoryAllocation, "out of memory") LANESCOPE_ERROR(cudaErrorInitializationError,
                                                                    "initialization error")
        LANESCOPE_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument") LANESCOPE_ERROR(
            cudaErrorInvalidPitchValue, "invalid pitch argument") LANESCOPE_ERROR(cudaErrorInvalidSymbol,
                                                                                  "invalid device symbol")
            LANESCOPE_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer") LANESCOPE_ERROR(
                cudaErrorInvalidMemcpyDirection,
                "invalid copy direction for memcpy") LANESCOPE_ERROR(cudaErrorMissingConfiguration,
                                                                     "__global__ function call is not configured")
                LANESCOPE_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function") LANESCOPE_ERROR(
                    cudaErrorNoDevice, "no CUDA-capable device is detected") LANESCOPE_ERROR(cudaErrorInvalidDevice,
                                                                                             "invalid device ordinal")
                    LANESCOPE_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle") LANESCOPE_ERROR(
                        cudaErrorNotReady,
                        "device not ready") LANESCOPE_ERROR(cudaErrorIllegalAddress,
                                                            "an illegal memory access was encountered")
                        LANESCOPE_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch")
                            LANESCOPE_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated")
                                LANESCOPE_ERROR(cudaErrorAssert, "device-side assert triggered") LANESCOPE_ERROR(
                                    cudaErrorIllegalInstruction, "an illegal instruction was encountered")
                                    LANESCOPE_ERROR(cudaErrorMisalignedAddress, "misaligned address")
                                        LANESCOPE_ERROR(cudaErrorLaunchFailure, "unspecified launch failure")
                                            LANESCOPE_ERROR(cudaErrorCooperativeLaunchTooLarge,
                                                            "too many blocks in cooperative launch")
                                                LANESCOPE_ERROR(cudaErrorNotSupported, "operation not supported")
                                                    LANESCOPE_ERROR(cudaErrorStreamCaptureUnsupported,
                                                                    "operation not permitted when stream is capturing")
                                                        LANESCOPE_ERROR(
                                                            cudaErrorIllegalState,
                                                            "the operation cannot be performed in the present state")
                                                            LANESCOPE_ERROR(cudaErrorPeerAccessNotEnabled,
                                                                            "peer access has not been enabled")
                                                                LANESCOPE_ERROR(cudaErrorUnknown, "unknown error")
#undef LANESCOPE_ERROR
};

const ErrorText* find(cudaError_t error) {
    for (const ErrorText& known : errors)
        if (known.error == error) return &known;
    return nullptr;
}

/// Nothing where the attribute is none that the emulated device has a fact for.
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
        case cudaDevAttrWarpSize: out = 32; return true;
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
        case cudaDevAttrMaxPitch: out = 2147483647; return true;
        case cudaDevAttrTextureAlignment: out = 512; return true;
        case cudaDevAttrAsyncEngineCount: out = 3; return true;
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
        default: return false;
    }
}

}  // namespace

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
    out->warpSize = 32;
    out->memPitch = 2147483647;
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
    out->textureAlignment = 512;
    out->texturePitchAlignment = 32;
    out->multiProcessorCount = facts.multiprocessors;
    out->canMapHostMemory = out->concurrentKernels = out->ECCEnabled = out->unifiedAddressing = 1;
    out->asyncEngineCount = 3;
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
                   " is given as 0: the emulated device has no fact for it");
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
    runtime.synchronize();
    return runtime.sticky();
}

cudaError_t cudaDeviceReset(void) {
    LANESCOPE_ENTRY;
    runtime.synchronize();
    std::vector<void*> live;
    for (const auto& [address, allocation] : runtime.allocations())
        if (!allocation.freed && !allocation.is_variable) live.push_back(reinterpret_cast<void*>(address));
    for (void* pointer : live) runtime.release(pointer, runtime.find(pointer)->kind, __func__);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t* out, cudaLimit limit) {
    LANESCOPE_ENTRY;
    const auto found = limits.find(limit);
    if (found == limits.end()) return runtime.fail(cudaErrorUnsupportedLimit, __func__, "the limit is not emulated");
    *out = found->second;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
    LANESCOPE_ENTRY;
    const auto found = limits.find(limit);
    if (found == limits.end()) return runtime.fail(cudaErrorUnsupportedLimit, __func__, "the limit is not emulated");
    found->second = value;
    runtime.remark("cudaDeviceSetLimit has no effect: the emulator's stack and heap sizes are fixed");
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
    return runtime.fail(cudaErrorPeerAccessNotEnabled, __func__, "there is one device");
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
