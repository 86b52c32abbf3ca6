// Parts of the runtime API that older courses use and CUDA 13 removed, restored for the programs that Lanescope
// compiles. This folder precedes the toolkit's in the include path, so that this file is found first; it includes the
// toolkit's header.
#pragma once

#include_next <cuda_runtime.h>

#if defined(__cplusplus) && CUDART_VERSION >= 13000

/// The properties with the members that CUDA 13 removed (CUDA Toolkit 13.0 release notes, "Deprecated or dropped").
struct LanescopeDeviceProperties : cudaDeviceProp {
    int clockRate = 0, memoryClockRate = 0;  // kHz
    int deviceOverlap = 1, kernelExecTimeoutEnabled = 0, computeMode = 0;
    int singleToDoublePrecisionPerfRatio = 2, cooperativeMultiDeviceLaunch = 0, maxTexture1DLinear = 0;
};

inline cudaError_t cudaGetDeviceProperties(LanescopeDeviceProperties* out, int device) {
    *out = LanescopeDeviceProperties();
    const cudaError_t error = cudaGetDeviceProperties(static_cast<cudaDeviceProp*>(out), device);
    if (error != cudaSuccess) return error;
    cudaDeviceGetAttribute(&out->clockRate, cudaDevAttrClockRate, device);
    cudaDeviceGetAttribute(&out->memoryClockRate, cudaDevAttrMemoryClockRate, device);
    return cudaSuccess;
}
inline cudaError_t cudaChooseDevice(int* out, const LanescopeDeviceProperties* wanted) {
    return cudaChooseDevice(out, static_cast<const cudaDeviceProp*>(wanted));
}
#define cudaDeviceProp LanescopeDeviceProperties

inline cudaError_t cudaThreadSynchronize() { return cudaDeviceSynchronize(); }
inline cudaError_t cudaThreadExit() { return cudaDeviceReset(); }
inline cudaError_t cudaThreadSetLimit(cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
inline cudaError_t cudaThreadGetLimit(size_t* value, cudaLimit limit) { return cudaDeviceGetLimit(value, limit); }
inline cudaError_t cudaThreadSetCacheConfig(cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }

inline cudaMemLocation lanescopeLocation(int device) {
    cudaMemLocation location = {};
    location.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    location.id = device < 0 ? 0 : device;
    return location;
}
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream = 0) {
    return cudaMemPrefetchAsync(pointer, bytes, lanescopeLocation(device), 0, stream);
}
inline cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, cudaMemoryAdvise advice, int device) {
    return cudaMemAdvise(pointer, bytes, advice, lanescopeLocation(device));
}

// Edges of graphs without data of their own.
inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                            size_t count) {
    return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, size_t count) {
    return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
    return cudaGraphGetEdges(graph, from, to, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* out, size_t* count) {
    return cudaGraphNodeGetDependencies(node, out, nullptr, count);
}
inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* out, size_t* count) {
    return cudaGraphNodeGetDependentNodes(node, out, nullptr, count);
}
inline cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                    cudaGraphNodeParams* parameters) {
    return cudaGraphAddNode(out, graph, after, nullptr, count, parameters);
}

#endif
