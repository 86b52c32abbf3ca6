// The CUDA driver API as course files use it: PTX modules, kernels by name, memory, streams and events. There is one
// context; functions and objects are those of the runtime API.
#include "host/runtime/driver.h"

#include "base/grouped.h"
#include "host/runtime/stream.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace lanescope::host;

struct CUmod_st {
    std::vector<std::string> ptx;
    std::uint32_t first = 0;  ///< its number among the modules sent
};

struct CUlinkState_st {
    std::vector<std::string> ptx;
};

namespace {

bool initialized = false;
/// The stack of current contexts, the current one last. All handles denote the same context.
std::vector<CUcontext> current_contexts;
CUcontext primary_context() { return reinterpret_cast<CUcontext>(&initialized); }
/// Results of cuLinkComplete by their addresses, which cuModuleLoadData accepts.
std::map<const void*, std::vector<std::string>>& linked_images() {
    static auto* const all = new std::map<const void*, std::vector<std::string>>;
    return *all;
}
std::map<CUfunction, CUmodule>& module_of_function() {
    static auto* const all = new std::map<CUfunction, CUmodule>;
    return *all;
}

struct ResultName {
    CUresult result;
    const char* name;
};
#define LANESCOPE_RESULT(name) \
    { name, #name }
constexpr ResultName results[] = {
    LANESCOPE_RESULT(CUDA_SUCCESS),
    LANESCOPE_RESULT(CUDA_ERROR_INVALID_VALUE),
    LANESCOPE_RESULT(CUDA_ERROR_OUT_OF_MEMORY),
    LANESCOPE_RESULT(CUDA_ERROR_NOT_INITIALIZED),
    LANESCOPE_RESULT(CUDA_ERROR_DEINITIALIZED),
    LANESCOPE_RESULT(CUDA_ERROR_NO_DEVICE),
    LANESCOPE_RESULT(CUDA_ERROR_INVALID_DEVICE),
    LANESCOPE_RESULT(CUDA_ERROR_INVALID_IMAGE),
    LANESCOPE_RESULT(CUDA_ERROR_INVALID_CONTEXT),
    LANESCOPE_RESULT(CUDA_ERROR_NO_BINARY_FOR_GPU),
    LANESCOPE_RESULT(CUDA_ERROR_INVALID_PTX),
    LANESCOPE_RESULT(CUDA_ERROR_INVALID_SOURCE),
    LANESCOPE_RESULT(CUDA_ERROR_FILE_NOT_FOUND),
    LANESCOPE_RESULT(CUDA_ERROR_INVALID_HANDLE),
    LANESCOPE_RESULT(CUDA_ERROR_ILLEGAL_STATE),
    LANESCOPE_RESULT(CUDA_ERROR_NOT_FOUND),
    LANESCOPE_RESULT(CUDA_ERROR_NOT_READY),
    LANESCOPE_RESULT(CUDA_ERROR_ILLEGAL_ADDRESS),
    LANESCOPE_RESULT(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    LANESCOPE_RESULT(CUDA_ERROR_LAUNCH_TIMEOUT),
    LANESCOPE_RESULT(CUDA_ERROR_ASSERT),
    LANESCOPE_RESULT(CUDA_ERROR_ILLEGAL_INSTRUCTION),
    LANESCOPE_RESULT(CUDA_ERROR_MISALIGNED_ADDRESS),
    LANESCOPE_RESULT(CUDA_ERROR_LAUNCH_FAILED),
    LANESCOPE_RESULT(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE),
    LANESCOPE_RESULT(CUDA_ERROR_NOT_SUPPORTED),
    LANESCOPE_RESULT(CUDA_ERROR_UNKNOWN),
};
#undef LANESCOPE_RESULT

const ResultName* find(CUresult result) {
    for (const ResultName& known : results)
        if (known.result == result) return &known;
    return nullptr;
}

bool read_file(const char* path, std::string& bytes) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return false;
    bytes.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    return true;
}

/// PTX is text that ends with a zero; its first directive is .version (PTX ISA, "PTX Module Directives").
bool is_ptx(const std::string& text) { return text.find(".version") != std::string::npos; }

/// The PTX of what a module is loaded from: PTX, a fat binary, or what cuLinkComplete gave.
std::vector<std::string> ptx_of(const void* image) {
    const auto linked = linked_images().find(image);
    if (linked != linked_images().end()) return linked->second;
    if (is_fat_binary(image)) return ptx_in(image);
    const char* const text = static_cast<const char*>(image);
    const char elf[] = {0x7F, 'E', 'L', 'F'};
    if (std::memcmp(text, elf, sizeof elf) == 0) return {};
    std::string all(text);
    return is_ptx(all) ? std::vector{std::move(all)} : std::vector<std::string>{};
}

CUresult load(CUmodule* out, std::vector<std::string> ptx, const char* function) {
    if (ptx.empty())
        return fail(CUDA_ERROR_INVALID_IMAGE, function,
                    "the module has no PTX, which the emulator executes; compile it with nvcc -ptx or -fatbin");
    const std::optional<std::uint32_t> first = send_ptx_texts(ptx);
    if (!first)
        return fail(CUDA_ERROR_NO_BINARY_FOR_GPU, function,
                    "a module is loaded after the first launch; the emulator accepts modules only before it");
    auto* module = new CUmod_st;
    module->first = *first;
    module->ptx = std::move(ptx);
    *out = module;
    return CUDA_SUCCESS;
}

/// Whether a directive declares the name: ".entry add(", ".global .align 4 .f32 total;"
bool declares(const std::vector<std::string>& ptx, const char* directive, const std::string& name) {
    for (const std::string& text : ptx)
        for (std::size_t at = text.find(directive); at != std::string::npos; at = text.find(directive, at + 1)) {
            const std::string line = text.substr(at, text.find_first_of("{;=", at) - at);
            for (std::size_t word = line.find(name); word != std::string::npos; word = line.find(name, word + 1)) {
                const auto of_name = [](char c) {
                    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
                };
                const std::size_t end = word + name.size();
                if (!of_name(line[word - 1]) && (end == line.size() || !of_name(line[end]))) return true;
            }
        }
    return false;
}

CUresult device_copy(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream, const char* function) {
    return result_of(enqueue(stream, function,
                             copy_operation(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault, function)));
}

CUresult fill_of(CUdeviceptr to, std::size_t pitch, unsigned value, unsigned element, std::size_t width,
                 std::size_t height, CUstream stream, const char* function) {
    cudaMemsetParams parameters = {};
    parameters.dst = pointer_of(to);
    parameters.pitch = pitch;
    parameters.value = value;
    parameters.elementSize = element;
    parameters.width = width;
    parameters.height = height;
    return result_of(enqueue(stream, function, fill_operation(parameters, function)));
}

}  // namespace

namespace lanescope::host {

CUresult result_of(cudaError_t error) {
    switch (error) {
        case cudaErrorInvalidConfiguration:
        case cudaErrorInvalidPitchValue:
        case cudaErrorInvalidMemcpyDirection:
        case cudaErrorInvalidChannelDescriptor:
        case cudaErrorInvalidFilterSetting:
        case cudaErrorInvalidNormSetting:
        case cudaErrorInvalidDevicePointer: return CUDA_ERROR_INVALID_VALUE;
        case cudaErrorInvalidSymbol:
        case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_NOT_FOUND;
        default: return static_cast<CUresult>(error);
    }
}

CUresult fail(CUresult error, const char* function, const std::string& why) {
    Runtime::get().fail(static_cast<cudaError_t>(error), function, why);
    return error;
}

bool driver_initialized() { return initialized; }

}  // namespace lanescope::host

extern "C" {

// --- Initialization, devices, contexts -------------------------------------------------------------------------------

CUresult cuInit(unsigned int flags) {
    if (flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, __func__, "the flags must be 0");
    initialized = true;
    return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* out) { return result_of(cudaDriverGetVersion(out)); }

CUresult cuGetErrorName(CUresult result, const char** out) {
    const ResultName* known = find(result);
    *out = known != nullptr ? known->name : nullptr;
    return known != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult result, const char** out) {
    const ResultName* known = find(result);
    // Error numbers are the same in both APIs.
    *out = known != nullptr ? cudaGetErrorString(static_cast<cudaError_t>(result)) : nullptr;
    return known != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetCount(int* out) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaGetDeviceCount(out));
}
CUresult cuDeviceGet(CUdevice* out, int number) {
    LANESCOPE_DRIVER_ENTRY;
    if (number != 0) return fail(CUDA_ERROR_INVALID_DEVICE, __func__, one_device);
    *out = 0;
    return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* out, int length, CUdevice) {
    LANESCOPE_DRIVER_ENTRY;
    std::snprintf(out, static_cast<std::size_t>(length), "%s", runtime.device().name);
    return CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(size_t* out, CUdevice) {
    LANESCOPE_DRIVER_ENTRY;
    *out = runtime.device().global_bytes;
    return CUDA_SUCCESS;
}
// Attributes have the same numbers in both APIs.
CUresult cuDeviceGetAttribute(int* out, CUdevice_attribute attribute, CUdevice device) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaDeviceGetAttribute(out, static_cast<cudaDeviceAttr>(attribute), device));
}
CUresult cuDeviceGetPCIBusId(char* out, int length, CUdevice device) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaDeviceGetPCIBusId(out, length, device));
}
CUresult cuDeviceCanAccessPeer(int* out, CUdevice, CUdevice) {
    LANESCOPE_DRIVER_ENTRY;
    *out = 0;
    return CUDA_SUCCESS;
}

static CUresult create_context(CUcontext* out) {
    *out = reinterpret_cast<CUcontext>(new char);
    current_contexts.push_back(*out);
    return CUDA_SUCCESS;
}
#if CUDA_VERSION >= 13000
CUresult cuCtxCreate(CUcontext* out, CUctxCreateParams*, unsigned int, CUdevice) {
    LANESCOPE_DRIVER_ENTRY;
    return create_context(out);
}
#undef cuCtxCreate
#endif
// Programs written before CUDA 13 call this one, by host/older/cuda.h.
CUresult cuCtxCreate_v2(CUcontext* out, unsigned int, CUdevice) {
    LANESCOPE_DRIVER_ENTRY;
    return create_context(out);
}
CUresult cuCtxDestroy(CUcontext context) {
    LANESCOPE_DRIVER_ENTRY;
    runtime.wait_for_all();
    current_contexts.erase(std::remove(current_contexts.begin(), current_contexts.end(), context),
                           current_contexts.end());
    // The last context frees its memory. With several, the owner of an allocation is not known.
    return current_contexts.empty() ? result_of(cudaDeviceReset()) : CUDA_SUCCESS;
}
#undef cuCtxDetach
CUresult cuCtxDetach(CUcontext context) { return cuCtxDestroy(context); }
CUresult cuCtxPushCurrent(CUcontext context) {
    LANESCOPE_DRIVER_ENTRY;
    current_contexts.push_back(context);
    return CUDA_SUCCESS;
}
CUresult cuCtxPopCurrent(CUcontext* out) {
    LANESCOPE_DRIVER_ENTRY;
    if (current_contexts.empty()) return fail(CUDA_ERROR_INVALID_CONTEXT, __func__, "there is no current context");
    if (out != nullptr) *out = current_contexts.back();
    current_contexts.pop_back();
    return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) {
    LANESCOPE_DRIVER_ENTRY;
    if (!current_contexts.empty()) current_contexts.pop_back();
    if (context != nullptr) current_contexts.push_back(context);
    return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* out) {
    LANESCOPE_DRIVER_ENTRY;
    *out = current_contexts.empty() ? nullptr : current_contexts.back();
    return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* out) {
    LANESCOPE_DRIVER_ENTRY;
    *out = 0;
    return CUDA_SUCCESS;
}
CUresult cuCtxSynchronize() {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaDeviceSynchronize());
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* out, CUdevice) {
    LANESCOPE_DRIVER_ENTRY;
    *out = primary_context();
    return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRelease(CUdevice) {
    LANESCOPE_DRIVER_ENTRY;
    return CUDA_SUCCESS;
}
CUresult cuCtxSetCacheConfig(CUfunc_cache) {
    LANESCOPE_DRIVER_ENTRY;
    return CUDA_SUCCESS;
}
CUresult cuCtxGetLimit(size_t* out, CUlimit limit) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaDeviceGetLimit(out, static_cast<cudaLimit>(limit)));
}
CUresult cuCtxSetLimit(CUlimit limit, size_t value) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaDeviceSetLimit(static_cast<cudaLimit>(limit), value));
}

// --- Modules ---------------------------------------------------------------------------------------------------------

CUresult cuModuleLoad(CUmodule* out, const char* path) {
    LANESCOPE_DRIVER_ENTRY;
    std::string bytes;
    if (!read_file(path, bytes))
        return fail(CUDA_ERROR_FILE_NOT_FOUND, __func__, std::string(path) + " cannot be read");
    bytes.resize(bytes.size() + sizeof(std::uint64_t));  // read as text, and as a header
    return load(out, ptx_of(bytes.data()), __func__);
}
CUresult cuModuleLoadData(CUmodule* out, const void* image) {
    LANESCOPE_DRIVER_ENTRY;
    return load(out, ptx_of(image), __func__);
}
CUresult cuModuleLoadFatBinary(CUmodule* out, const void* image) {
    LANESCOPE_DRIVER_ENTRY;
    return load(out, ptx_of(image), __func__);
}
CUresult cuModuleLoadDataEx(CUmodule* out, const void* image, unsigned int count, CUjit_option* options,
                            void** values) {
    LANESCOPE_DRIVER_ENTRY;
    // Nothing is compiled here: the logs are empty.
    for (unsigned i = 0; i < count; ++i)
        if (options[i] == CU_JIT_INFO_LOG_BUFFER || options[i] == CU_JIT_ERROR_LOG_BUFFER)
            if (values[i] != nullptr) *static_cast<char*>(values[i]) = '\0';
    return load(out, ptx_of(image), __func__);
}
CUresult cuModuleUnload(CUmodule) {
    LANESCOPE_DRIVER_ENTRY;
    return CUDA_SUCCESS;
}

// The kernel is looked up at its launch, because further modules may be loaded before.
CUresult cuModuleGetFunction(CUfunction* out, CUmodule module, const char* name) {
    LANESCOPE_DRIVER_ENTRY;
    if (!declares(module->ptx, ".entry", name))
        return fail(CUDA_ERROR_NOT_FOUND, __func__, std::string("the module has no kernel ") + name);
    auto* const key = new char;
    Kernel kernel;
    kernel.name = name;
    runtime.kernels[key] = kernel;
    *out = reinterpret_cast<CUfunction>(key);
    module_of_function()[*out] = module;
    return CUDA_SUCCESS;
}

CUresult cuModuleGetGlobal(CUdeviceptr* out, size_t* bytes, CUmodule module, const char* name) {
    LANESCOPE_DRIVER_ENTRY;
    if (!declares(module->ptx, ".global", name) && !declares(module->ptx, ".const", name))
        return fail(CUDA_ERROR_NOT_FOUND, __func__, std::string("the module has no variable ") + name);
    // One key per module and name, so that a second call returns the same handle.
    static auto* const keys = new std::map<std::pair<CUmodule, std::string>, char>;
    const char* const key = &(*keys)[{module, name}];
    if (runtime.symbols.count(key) == 0) {
        Symbol symbol;
        symbol.name = name;
        symbol.module = module->first;
        runtime.symbols[key] = symbol;
    }
    const Symbol* known = runtime.symbol_of(key);
    if (known == nullptr) return fail(CUDA_ERROR_NOT_FOUND, __func__, "no kernel uses a variable of that name");
    if (out != nullptr) *out = known->address;
    if (bytes != nullptr) *bytes = known->bytes;
    return CUDA_SUCCESS;
}

CUresult cuLinkCreate(unsigned int, CUjit_option*, void**, CUlinkState* out) {
    LANESCOPE_DRIVER_ENTRY;
    *out = new CUlinkState_st;
    return CUDA_SUCCESS;
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType, void* data, size_t bytes, const char*, unsigned int,
                       CUjit_option*, void**) {
    LANESCOPE_DRIVER_ENTRY;
    std::vector<char> ended(static_cast<const char*>(data), static_cast<const char*>(data) + bytes);
    ended.resize(bytes + sizeof(std::uint64_t));
    std::vector<std::string> ptx = ptx_of(ended.data());
    if (ptx.empty())
        return fail(CUDA_ERROR_INVALID_IMAGE, __func__, "the input has no PTX, which the emulator executes");
    std::move(ptx.begin(), ptx.end(), std::back_inserter(state->ptx));
    return CUDA_SUCCESS;
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned int, CUjit_option*, void**) {
    LANESCOPE_DRIVER_ENTRY;
    std::string bytes;
    if (!read_file(path, bytes))
        return fail(CUDA_ERROR_FILE_NOT_FOUND, __func__, std::string(path) + " cannot be read");
    return cuLinkAddData(state, type, bytes.data(), bytes.size(), path, 0, nullptr, nullptr);
}
CUresult cuLinkComplete(CUlinkState state, void** image, size_t* bytes) {
    LANESCOPE_DRIVER_ENTRY;
    linked_images()[state] = state->ptx;
    *image = state;
    if (bytes != nullptr) *bytes = sizeof *state;
    return CUDA_SUCCESS;
}
CUresult cuLinkDestroy(CUlinkState) {
    LANESCOPE_DRIVER_ENTRY;
    return CUDA_SUCCESS;
}

// --- Kernels ---------------------------------------------------------------------------------------------------------

static CUresult launch_kernel(CUfunction function, dim3 grid, dim3 block, unsigned int shared, CUstream stream,
                              void** parameters, void** extra, bool cooperative, const char* name) {
    Runtime& runtime = Runtime::get();
    const Kernel* kernel = runtime.kernel_of(function);
    if (kernel == nullptr) return fail(CUDA_ERROR_INVALID_HANDLE, name, "the kernel cannot be executed");
    std::vector<void*> arguments;
    std::vector<char> buffer;
    if (parameters == nullptr && extra != nullptr) {  // one buffer, laid out as the parameter space
        const char* given = nullptr;
        std::size_t bytes = 0, needed = 0;
        for (void** at = extra; *at != CU_LAUNCH_PARAM_END; at += 2) {
            if (*at == CU_LAUNCH_PARAM_BUFFER_POINTER) given = static_cast<const char*>(at[1]);
            if (*at == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<const std::size_t*>(at[1]);
        }
        for (const ParameterFacts& parameter : kernel->parameters)
            needed = std::max<std::size_t>(needed, parameter.offset + parameter.bytes);
        if ((given == nullptr || bytes == 0) && needed > 0)
            return fail(CUDA_ERROR_INVALID_VALUE, name, "`extra` has no buffer of arguments");
        // As measured on an H100 with driver 580: a larger buffer is refused; a smaller one leaves the rest undefined.
        if (bytes > needed)
            return fail(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, name,
                        "the buffer of `extra` has " + lanescope::counted(bytes, "byte") +
                            ", the kernel's parameters have " + std::to_string(needed));
        if (bytes < needed)
            runtime.remark(kernel->name + " is launched with " + std::to_string(bytes) + " of " +
                           lanescope::counted(needed, "byte") +
                           " of arguments; on a GPU the others are undefined, here 0");
        buffer.assign(given, given + bytes);
        buffer.resize(needed);
        for (const ParameterFacts& parameter : kernel->parameters)
            arguments.push_back(buffer.data() + parameter.offset);
        parameters = arguments.data();
    }
    if (parameters == nullptr && !kernel->parameters.empty())
        return fail(CUDA_ERROR_INVALID_VALUE, name, kernel->name + " is launched without its arguments");
    return result_of(launch_on(stream, function, grid, block, parameters, shared, cooperative, name));
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                        unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int shared,
                        CUstream stream, void** parameters, void** extra) {
    LANESCOPE_DRIVER_ENTRY;
    return launch_kernel(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream, parameters,
                         extra, false, __func__);
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                                   unsigned int block_x, unsigned int block_y, unsigned int block_z,
                                   unsigned int shared, CUstream stream, void** parameters) {
    LANESCOPE_DRIVER_ENTRY;
    return launch_kernel(function, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, stream, parameters,
                         nullptr, true, __func__);
}

CUresult cuFuncGetAttribute(int* out, CUfunction_attribute attribute, CUfunction function) {
    LANESCOPE_DRIVER_ENTRY;
    cudaFuncAttributes all = {};
    if (const cudaError_t error = cudaFuncGetAttributes(&all, function)) return result_of(error);
    switch (attribute) {
        case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *out = all.maxThreadsPerBlock; break;
        case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *out = static_cast<int>(all.sharedSizeBytes); break;
        case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *out = static_cast<int>(all.constSizeBytes); break;
        case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *out = static_cast<int>(all.localSizeBytes); break;
        case CU_FUNC_ATTRIBUTE_NUM_REGS: *out = all.numRegs; break;
        case CU_FUNC_ATTRIBUTE_PTX_VERSION: *out = all.ptxVersion; break;
        case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *out = all.binaryVersion; break;
        case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *out = all.maxDynamicSharedSizeBytes; break;
        case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: *out = all.preferredShmemCarveout; break;
        default: return fail(CUDA_ERROR_NOT_SUPPORTED, __func__, "the attribute is not implemented");
    }
    return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaFuncSetAttribute(function, static_cast<cudaFuncAttribute>(attribute), value));
}
CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) {
    LANESCOPE_DRIVER_ENTRY;
    return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* out, CUfunction function, int threads, size_t shared) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaOccupancyMaxActiveBlocksPerMultiprocessor(out, function, threads, shared));
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_of,
                                          size_t shared, int most) {
    LANESCOPE_DRIVER_ENTRY;
    const Kernel* kernel = runtime.kernel_of(function);
    if (kernel == nullptr) return fail(CUDA_ERROR_INVALID_HANDLE, __func__, "the kernel cannot be executed");
    int largest = runtime.device().threads_per_block;
    if (kernel->facts.max_threads > 0) largest = std::min(largest, static_cast<int>(kernel->facts.max_threads));
    if (most > 0) largest = std::min(largest, most);
    int best = 0;
    const int warp = Runtime::get().device().warp_size;
    for (int threads = largest; threads > 0; threads = (threads - 1) / warp * warp) {
        int blocks = 0;
        const std::size_t needed = shared_of != nullptr ? shared_of(threads) : shared;
        if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, needed) != cudaSuccess) break;
        if (blocks * threads <= best) continue;
        best = blocks * threads;
        *block = threads;
        *grid = blocks * runtime.device().multiprocessors;
    }
    return best > 0 ? CUDA_SUCCESS : fail(CUDA_ERROR_INVALID_VALUE, __func__, "no block of the kernel fits the device");
}

// --- Memory ----------------------------------------------------------------------------------------------------------

CUresult cuMemAlloc(CUdeviceptr* out, size_t bytes) {
    LANESCOPE_DRIVER_ENTRY;
    if (bytes == 0) return fail(CUDA_ERROR_INVALID_VALUE, __func__, "0 bytes are requested");
    return result_of(runtime.allocate(reinterpret_cast<void**>(out), bytes, MemoryKind::device, __func__));
}
CUresult cuMemAllocPitch(CUdeviceptr* out, size_t* pitch, size_t width, size_t height, unsigned int) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaMallocPitch(reinterpret_cast<void**>(out), pitch, width, height));
}
CUresult cuMemAllocManaged(CUdeviceptr* out, size_t bytes, unsigned int) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(runtime.allocate(reinterpret_cast<void**>(out), bytes, MemoryKind::managed, __func__));
}
CUresult cuMemAllocHost(void** out, size_t bytes) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(runtime.allocate(out, bytes, MemoryKind::pinned, __func__));
}
CUresult cuMemHostAlloc(void** out, size_t bytes, unsigned int) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(runtime.allocate(out, bytes, MemoryKind::pinned, __func__));
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* out, void* host, unsigned int flags) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaHostGetDevicePointer(reinterpret_cast<void**>(out), host, flags));
}
CUresult cuMemHostRegister(void* host, size_t bytes, unsigned int) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(runtime.register_host(host, bytes, __func__));
}
CUresult cuMemHostUnregister(void* host) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(runtime.unregister_host(host, __func__));
}
CUresult cuMemFree(CUdeviceptr address) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(runtime.release(pointer_of(address), MemoryKind::device, __func__));
}
CUresult cuMemFreeHost(void* pointer) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(runtime.release(pointer, MemoryKind::pinned, __func__));
}
CUresult cuMemAllocAsync(CUdeviceptr* out, size_t bytes, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaMallocAsync(reinterpret_cast<void**>(out), bytes, stream));
}
CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaFreeAsync(pointer_of(address), stream));
}
CUresult cuMemGetInfo(size_t* free_bytes, size_t* total) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaMemGetInfo(free_bytes, total));
}
CUresult cuMemGetAddressRange(CUdeviceptr* begin, size_t* bytes, CUdeviceptr address) {
    LANESCOPE_DRIVER_ENTRY;
    const Allocation* found = runtime.find(pointer_of(address));
    if (found == nullptr || found->freed)
        return fail(CUDA_ERROR_NOT_FOUND, __func__, "the address is outside all allocations");
    if (begin != nullptr) *begin = found->address;
    if (bytes != nullptr) *bytes = found->bytes;
    return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, size_t bytes) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(copy(pointer_of(to), from, bytes, cudaMemcpyHostToDevice, __func__));
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, size_t bytes) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(copy(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost, __func__));
}
CUresult cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(copy(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDeviceToDevice, __func__));
}
CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(copy(pointer_of(to), pointer_of(from), bytes, cudaMemcpyDefault, __func__));
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return device_copy(to, from, bytes, stream, __func__);
}
CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, size_t bytes, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(
        enqueue(stream, __func__, copy_operation(pointer_of(to), from, bytes, cudaMemcpyHostToDevice, __func__)));
}
CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, size_t bytes, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(
        enqueue(stream, __func__, copy_operation(to, pointer_of(from), bytes, cudaMemcpyDeviceToHost, __func__)));
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return device_copy(to, from, bytes, stream, __func__);
}
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, size_t count) {
    LANESCOPE_DRIVER_ENTRY;
    return fill_of(to, count, value, 1, count, 1, nullptr, __func__);
}
CUresult cuMemsetD16(CUdeviceptr to, unsigned short value, size_t count) {
    LANESCOPE_DRIVER_ENTRY;
    return fill_of(to, count * 2, value, 2, count, 1, nullptr, __func__);
}
CUresult cuMemsetD32(CUdeviceptr to, unsigned int value, size_t count) {
    LANESCOPE_DRIVER_ENTRY;
    return fill_of(to, count * 4, value, 4, count, 1, nullptr, __func__);
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return fill_of(to, count, value, 1, count, 1, stream, __func__);
}
CUresult cuMemsetD32Async(CUdeviceptr to, unsigned int value, size_t count, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return fill_of(to, count * 4, value, 4, count, 1, stream, __func__);
}
CUresult cuMemsetD2D32(CUdeviceptr to, size_t pitch, unsigned int value, size_t width, size_t height) {
    LANESCOPE_DRIVER_ENTRY;
    return fill_of(to, pitch, value, 4, width, height, nullptr, __func__);
}

// --- Streams and events ----------------------------------------------------------------------------------------------

CUresult cuStreamCreate(CUstream* out, unsigned int flags) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaStreamCreateWithFlags(out, flags));
}
CUresult cuStreamCreateWithPriority(CUstream* out, unsigned int flags, int priority) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaStreamCreateWithPriority(out, flags, priority));
}
CUresult cuStreamDestroy(CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaStreamDestroy(stream));
}
CUresult cuStreamSynchronize(CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaStreamSynchronize(stream));
}
CUresult cuStreamQuery(CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaStreamQuery(stream));
}
CUresult cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaStreamWaitEvent(stream, event, flags));
}
CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void* data, unsigned int) {
    LANESCOPE_DRIVER_ENTRY;
    if (captures(stream)) return result_of(runtime.refuse("cuStreamAddCallback in a capturing stream"));
    Operation operation;
    operation.run = [=] {
        Runtime::get().begin_host_function();
        callback(stream, result_of(Runtime::get().sticky()), data);
        return cudaSuccess;
    };
    return result_of(enqueue(stream, __func__, std::move(operation)));
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaLaunchHostFunc(stream, function, data));
}
CUresult cuEventCreate(CUevent* out, unsigned int flags) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaEventCreateWithFlags(out, flags));
}
CUresult cuEventDestroy(CUevent event) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaEventDestroy(event));
}
CUresult cuEventRecord(CUevent event, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaEventRecord(event, stream));
}
CUresult cuEventSynchronize(CUevent event) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaEventSynchronize(event));
}
CUresult cuEventQuery(CUevent event) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaEventQuery(event));
}
CUresult cuEventElapsedTime(float* out, CUevent start, CUevent stop) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(cudaEventElapsedTime(out, start, stop));
}

}  // extern "C"
