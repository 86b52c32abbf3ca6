// Registration of fat binaries and kernels, as nvcc's generated code calls it, and the launch API of the CUDA runtime.
#include "base/grouped.h"
#include "host/runtime/runtime.h"
#include "model/launch_limits.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>

using namespace lanescope::host;

namespace lanescope::host {

namespace {

// Embedded by nvcc: a wrapper that points to a container of entries, PTX among them (fatbinary_section.h of the toolkit
// names the wrapper; the container's layout is what --no-compress writes).
struct FatWrapper {
    std::int32_t magic, version;
    const std::byte* data;
    void* unused;
};
struct FatHeader {
    std::uint32_t magic;
    std::uint16_t version, header_bytes;
    std::uint64_t bytes;
};
struct FatEntry {
    std::uint16_t kind, version;
    std::uint32_t header_bytes;
    std::uint64_t bytes;
};
constexpr std::uint32_t fat_magic = 0xBA55ED50;
constexpr std::int32_t wrapper_magic = 0x466243B1;
constexpr std::uint16_t ptx_kind = 1;

std::uint32_t magic_at(const void* bytes) {
    std::uint32_t magic = 0;
    std::memcpy(&magic, bytes, sizeof magic);
    return magic;
}

/// The number of modules sent, and the first module of each fat binary by its handle.
struct Sent {
    std::uint32_t count = 0;
    std::map<const void*, std::uint32_t> first;
};
Sent& sent() {
    static Sent* const all = new Sent;
    return *all;
}

}  // namespace

bool is_fat_binary(const void* bytes) {
    return magic_at(bytes) == fat_magic || magic_at(bytes) == std::uint32_t(wrapper_magic);
}

std::vector<std::string> ptx_in(const void* binary) {
    const auto* at = static_cast<const std::byte*>(binary);
    if (magic_at(at) == std::uint32_t(wrapper_magic)) at = static_cast<const FatWrapper*>(binary)->data;
    std::vector<std::string> found;
    FatHeader header;
    std::memcpy(&header, at, sizeof header);
    if (header.magic != fat_magic) return found;
    at += header.header_bytes;
    const std::byte* const end = at + header.bytes;
    while (at + sizeof(FatEntry) <= end) {
        FatEntry entry;
        std::memcpy(&entry, at, sizeof entry);
        const std::byte* const payload = at + entry.header_bytes;
        if (entry.kind == ptx_kind) {
            std::size_t bytes = entry.bytes;
            while (bytes > 0 && payload[bytes - 1] == std::byte{0}) --bytes;
            found.emplace_back(reinterpret_cast<const char*>(payload), bytes);
        }
        at = payload + entry.bytes;
    }
    return found;
}

std::optional<std::uint32_t> send_ptx_texts(const std::vector<std::string>& texts) {
    const std::uint32_t first = sent().count;
    bool loaded = true;
    for (const std::string& text : texts) {
        Header question;
        question.call = Call::module;
        loaded = Runtime::get().ask(question, text.data(), text.size()).error == 0 && loaded;
        ++sent().count;
    }
    return loaded ? std::optional(first) : std::nullopt;
}

namespace {

void send_ptx(const void* wrapper) {
    const std::uint32_t first = sent().count;
    send_ptx_texts(ptx_in(wrapper));
    sent().first[wrapper] = first;
}

struct Configuration {
    dim3 grid, block;
    std::size_t dynamic_shared = 0;
    cudaStream_t stream = nullptr;
};
thread_local std::vector<Configuration> configurations;

template <class Value>
void append(std::vector<std::byte>& bytes, const Value* value, std::size_t count) {
    const auto* from = reinterpret_cast<const std::byte*>(value);
    bytes.insert(bytes.end(), from, from + count);
}

/// The most threads per block of the kernel: what the device allows, unless the kernel's launch bounds allow less.
unsigned most_threads(const Kernel& kernel) {
    return kernel.facts.max_threads > 0 ? kernel.facts.max_threads
                                        : unsigned(Runtime::get().device().threads_per_block);
}

using lanescope::model::Extent;
Extent sides(const std::uint32_t (&extent)[3]) { return {extent[0], extent[1], extent[2]}; }

/// Resident blocks of the kernel per multiprocessor, ignoring registers: only ptxas knows how many it takes.
std::uint64_t resident_blocks(const Kernel& kernel, unsigned threads, std::size_t dynamic_shared) {
    const DeviceFacts& device = Runtime::get().device();
    lanescope::model::MultiprocessorLimits limits;
    limits.blocks = std::uint64_t(device.blocks_per_multiprocessor);
    const auto warp = static_cast<unsigned>(device.warp_size);
    limits.warps = static_cast<unsigned>(device.threads_per_multiprocessor) / warp;
    limits.shared_bytes = device.shared_per_multiprocessor;
    limits.reserved_shared_bytes = device.shared_reserved;
    lanescope::model::BlockNeeds needs;
    needs.warps = (threads + warp - 1) / warp;
    needs.shared_bytes = kernel.facts.static_shared + dynamic_shared;
    const bool fits = threads <= most_threads(kernel) && needs.shared_bytes <= device.shared_per_block_optin;
    return fits ? lanescope::model::resident_blocks(limits, needs) : 0;
}

struct PreparedLaunch {
    std::vector<std::byte> payload;
};

cudaError_t prepare(const void* host_function, dim3 grid, dim3 block, void** arguments, std::size_t dynamic_shared,
                    bool cooperative, const char* function, PreparedLaunch& prepared) {
    Runtime& runtime = Runtime::get();
    Kernel* kernel = runtime.kernel_of(host_function);
    if (kernel == nullptr) return runtime.fail(cudaErrorInvalidDeviceFunction, function, not_a_kernel);
    const DeviceFacts& device = runtime.device();
    const auto refuse = [&](cudaError_t error, const lanescope::model::LaunchExcess& excess, const std::string& more) {
        return runtime.fail(error, function, kernel->name + ": " + excess.what + "; " + excess.limit + more);
    };
    const Extent extent{block.x, block.y, block.z};
    if (const auto excess =
            lanescope::model::block_excess(extent, std::uint64_t(device.threads_per_block), sides(device.most_block)))
        return refuse(cudaErrorInvalidConfiguration, *excess, "");
    const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
    if (const auto excess = lanescope::model::launch_bounds_excess(threads, most_threads(*kernel)))
        return refuse(cudaErrorLaunchOutOfResources, *excess, "");
    if (const auto excess = lanescope::model::grid_excess({grid.x, grid.y, grid.z}, sides(device.most_grid)))
        return refuse(cudaErrorInvalidConfiguration, *excess, "");
    const std::uint64_t usual = device.shared_per_block, most = device.shared_per_block_optin;
    const std::uint64_t asked =
        kernel->dynamic_shared_limit < 0
            ? usual
            : std::max(usual, kernel->facts.static_shared + std::uint64_t(kernel->dynamic_shared_limit));
    const std::uint64_t limit = std::min(asked, most);
    if (const auto excess = lanescope::model::shared_memory_excess(kernel->facts.static_shared, dynamic_shared, limit))
        return refuse(cudaErrorInvalidValue, *excess,
                      kernel->facts.static_shared > usual
                          ? std::string("; a larger array is dynamic: extern __shared__")
                      : limit == most ? std::string()
                                      : "; cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize) raises "
                                        "the limit to at most " +
                                            lanescope::grouped(most));

    const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    const std::uint64_t places =
        std::uint64_t(device.multiprocessors) * resident_blocks(*kernel, threads, dynamic_shared);
    if (cooperative && blocks > places)
        return runtime.fail(cudaErrorCooperativeLaunchTooLarge, function,
                            kernel->name + " is launched with " + counted(blocks, "block") + "; at most " +
                                lanescope::grouped(places) + " can be resident at once");

    LaunchFacts facts;
    facts.function = kernel->name.size();
    facts.grid[0] = grid.x, facts.grid[1] = grid.y, facts.grid[2] = grid.z;
    facts.block[0] = block.x, facts.block[1] = block.y, facts.block[2] = block.z;
    facts.dynamic_shared = dynamic_shared;
    facts.cooperative = cooperative ? 1 : 0;
    facts.stack_bytes = stack_bytes_of_threads();
    facts.wants_accesses = Runtime::get().order.has_lanes() || Runtime::get().has_pinned_memory() ? 1 : 0;
    facts.may_overlap = Runtime::get().order.has_concurrent_lanes() ? 1 : 0;
    append(prepared.payload, &facts, sizeof facts);
    append(prepared.payload, kernel->name.data(), kernel->name.size());
    std::uint32_t end = 0;
    for (const ParameterFacts& parameter : kernel->parameters) end = std::max(end, parameter.offset + parameter.bytes);
    std::vector<std::byte> values(end);
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i)
        std::memcpy(values.data() + kernel->parameters[i].offset, arguments[i], kernel->parameters[i].bytes);
    append(prepared.payload, values.data(), values.size());
    return cudaSuccess;
}

/// The fields of a line of /proc/self/maps (proc(5)).
struct Mapping {
    std::uint64_t begin = 0, end = 0;
    bool readable = false;
    std::string path;
};
bool read_mapping(const std::string& line, Mapping& mapping) {
    char rights[5] = {};
    int path = 0;
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s %*s %*s %*s %n", &mapping.begin, &mapping.end, rights,
                    &path) != 3)
        return false;
    mapping.readable = rights[0] == 'r';
    mapping.path = path > 0 ? line.substr(std::size_t(path)) : std::string();
    return true;
}

/// The memory that a kernel cannot access: the program's mappings, except device memory.
std::vector<HostRange> host_ranges() {
    std::vector<HostRange> ranges;
    std::ifstream maps("/proc/self/maps");
    std::string program;  // the first mapping is the program's
    for (std::string line; std::getline(maps, line);) {
        Mapping mapping;
        if (!read_mapping(line, mapping) || !mapping.readable) continue;
        if (mapping.begin >= device_base && mapping.begin < device_base + device_bytes) continue;
        if (program.empty()) program = mapping.path;
        const bool follows = !ranges.empty() && ranges.back().end == mapping.begin;
        HostPlace place = HostPlace::other;
        if (mapping.path == "[heap]")
            place = HostPlace::heap;
        else if (mapping.path == "[stack]")
            place = HostPlace::stack;
        // .bss follows the file's mappings.
        else if (mapping.path == program ||
                 (mapping.path.empty() && follows && ranges.back().place == HostPlace::program))
            place = HostPlace::program;
        if (follows && ranges.back().place == place)
            ranges.back().end = mapping.end;
        else
            ranges.push_back({mapping.begin, mapping.end, place});
    }
    return ranges;
}

/// Sends the program's mappings, so that a kernel's access of a host address is reported as such.
void send_host_ranges() {
    static std::vector<HostRange> sent;
    std::vector<HostRange> now = host_ranges();
    const std::size_t bytes = now.size() * sizeof(HostRange);
    if (now.empty() || (now.size() == sent.size() && std::memcmp(now.data(), sent.data(), bytes) == 0)) return;
    sent = std::move(now);
    Header header;
    header.call = Call::host_ranges;
    Runtime::get().ask(header, sent.data(), bytes);
}

cudaError_t run(const PreparedLaunch& prepared, const char* function) {
    Runtime& runtime = Runtime::get();
    runtime.begin_kernel();
    send_host_ranges();
    Header header;
    header.call = Call::launch;
    std::vector<std::byte> accessed;
    const Answer answer = runtime.ask(header, prepared.payload.data(), prepared.payload.size(), &accessed);
    std::vector<AccessedSpan> spans(accessed.size() / sizeof(AccessedSpan));
    if (!spans.empty()) std::memcpy(spans.data(), accessed.data(), spans.size() * sizeof(AccessedSpan));
    for (const AccessedSpan& span : spans)
        guard_pinned(span.address, span.bytes, (span.uses & (AccessedSpan::writes | AccessedSpan::atomic)) != 0);
    runtime.order.accesses(answer.step, std::move(spans));
    runtime.now_ns += static_cast<double>(answer.value);
    if (answer.error == 0) return cudaSuccess;
    const auto error = static_cast<cudaError_t>(answer.error);
    // As on a GPU, a later call returns a kernel's fault; an error of the launch itself is returned here.
    if (error == cudaErrorIllegalAddress || error == cudaErrorMisalignedAddress || error == cudaErrorLaunchFailure ||
        error == cudaErrorAssert || error == cudaErrorIllegalInstruction || error == cudaErrorLaunchTimeout) {
        runtime.set_sticky(error);
        return cudaSuccess;
    }
    return runtime.fail(error, function, lanescope::host::not_executed);
}

}  // namespace

std::shared_ptr<KernelCall> kernel_call(const cudaKernelNodeParams& parameters, bool cooperative,
                                        const char* function) {
    Runtime& runtime = Runtime::get();
    const Kernel* kernel = runtime.kernel_of(parameters.func);
    if (kernel == nullptr) {
        runtime.fail(cudaErrorInvalidDeviceFunction, function, not_a_kernel);
        return nullptr;
    }
    auto call = std::make_shared<KernelCall>();
    call->parameters = parameters;
    call->cooperative = cooperative;
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
        const auto* from = static_cast<const std::byte*>(parameters.kernelParams[i]);
        call->values.emplace_back(from, from + kernel->parameters[i].bytes);
    }
    for (std::vector<std::byte>& value : call->values) call->pointers.push_back(value.data());
    call->parameters.kernelParams = call->pointers.data();
    return call;
}

Operation kernel_operation(std::shared_ptr<KernelCall> call, const char* function) {
    Operation operation;
    operation.type = cudaGraphNodeTypeKernel;
    operation.run = [call, function]() -> cudaError_t {
        const cudaKernelNodeParams& p = call->parameters;
        PreparedLaunch prepared;
        if (const cudaError_t error = prepare(p.func, p.gridDim, p.blockDim, p.kernelParams, p.sharedMemBytes,
                                              call->cooperative, function, prepared))
            return error;
        return run(prepared, function);
    };
    operation.parameters = std::move(call);
    return operation;
}

cudaError_t launch_on(cudaStream_t stream, const void* host_function, dim3 grid, dim3 block, void** arguments,
                      std::size_t dynamic_shared, bool cooperative, const char* function) {
    PreparedLaunch prepared;
    if (const cudaError_t error =
            prepare(host_function, grid, block, arguments, dynamic_shared, cooperative, function, prepared))
        return error;
    Operation operation;
    if (captures(stream)) {
        cudaKernelNodeParams parameters = {};
        parameters.func = const_cast<void*>(host_function);
        parameters.gridDim = grid;
        parameters.blockDim = block;
        parameters.sharedMemBytes = static_cast<unsigned>(dynamic_shared);
        parameters.kernelParams = arguments;
        operation = kernel_operation(kernel_call(parameters, cooperative, function), function);
    } else {
        operation.run = [&prepared, function] { return run(prepared, function); };
    }
    return enqueue(stream, function, std::move(operation));
}

}  // namespace lanescope::host

extern "C" {

// --- What nvcc's generated code calls --------------------------------------------------------------------------------

void** __cudaRegisterFatBinary(void* wrapper) {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    send_ptx(wrapper);
    return reinterpret_cast<void**>(wrapper);
}
void __cudaRegisterFatBinaryEnd(void**) {}

// With -rdc=true, the registration code that host/objects.cpp writes at the link calls this once a translation unit. A
// unit's entities may be defined by another one, so all PTX is sent before the first of them is registered.
void lanescopeRegisterLinked(void (*entities)(void**), void* wrapper, unsigned count) {
    struct Unit {
        void (*entities)(void**);
        void* wrapper;
    };
    static std::vector<Unit>* const units = new std::vector<Unit>;
    units->push_back({entities, wrapper});
    if (units->size() != count) return;
    for (const Unit& unit : *units) __cudaRegisterFatBinary(unit.wrapper);
    for (const Unit& unit : *units) unit.entities(static_cast<void**>(unit.wrapper));
}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }

void __cudaRegisterFunction(void**, const char* host_function, char*, const char* name, int, uint3*, uint3*, dim3*,
                            dim3*, int*) {
    Kernel kernel;
    kernel.name = name;
    Runtime::get().kernels[host_function] = kernel;
}

void __cudaRegisterVar(void** binary, char* host_variable, char*, const char* name, int, size_t bytes, int, int) {
    Symbol symbol;
    symbol.name = name;
    symbol.bytes = bytes;
    symbol.module = sent().first[binary];
    Runtime::get().symbols[host_variable] = symbol;
}

void __cudaRegisterManagedVar(void** binary, void** host_pointer, char*, const char* name, int, size_t bytes, int,
                              int) {
    Runtime& runtime = Runtime::get();
    Symbol symbol;
    symbol.name = name;
    symbol.bytes = bytes;
    symbol.managed = true;
    symbol.module = sent().first[binary];
    runtime.symbols[host_pointer] = symbol;
    if (const Symbol* known = runtime.symbol_of(host_pointer)) *host_pointer = reinterpret_cast<void*>(known->address);
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t dynamic_shared, CUstream_st* stream) {
    configurations.push_back({grid, block, dynamic_shared, stream});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* dynamic_shared, void* stream) {
    if (configurations.empty()) return cudaErrorMissingConfiguration;
    const Configuration configuration = configurations.back();
    configurations.pop_back();
    *grid = configuration.grid;
    *block = configuration.block;
    *dynamic_shared = configuration.dynamic_shared;
    *static_cast<cudaStream_t*>(stream) = configuration.stream;
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* out, const void* host_function) {
    *out = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host_function));
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t dynamic_shared,
                               cudaStream_t stream) {
    LANESCOPE_ENTRY;
    return launch_on(stream, kernel, grid, block, arguments, dynamic_shared, false, launch_name);
}
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t dynamic_shared,
                                    cudaStream_t stream) {
    return __cudaLaunchKernel(kernel, grid, block, arguments, dynamic_shared, stream);
}

// --- The API ---------------------------------------------------------------------------------------------------------

cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t dynamic_shared,
                             cudaStream_t stream) {
    LANESCOPE_ENTRY;
    return launch_on(stream, function, grid, block, arguments, dynamic_shared, false, __func__);
}

cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments,
                                        size_t dynamic_shared, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    return launch_on(stream, function, grid, block, arguments, dynamic_shared, true, __func__);
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
    LANESCOPE_ENTRY;
    bool cooperative = false;
    for (unsigned i = 0; i < config->numAttrs; ++i) {
        const cudaLaunchAttribute& attribute = config->attrs[i];
        if (attribute.id == cudaLaunchAttributeCooperative) {
            cooperative = attribute.val.cooperative != 0;
        } else if (attribute.id == cudaLaunchAttributeClusterDimension) {
            return runtime.fail(cudaErrorNotSupported, __func__, "thread block clusters are not emulated");
        } else {
            runtime.remark("an attribute of cudaLaunchKernelEx has no effect in the emulator");
        }
    }
    return launch_on(config->stream, function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                     cooperative, __func__);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* out, const void* function) {
    LANESCOPE_ENTRY;
    const Kernel* kernel = runtime.kernel_of(function);
    if (kernel == nullptr) return runtime.fail(cudaErrorInvalidDeviceFunction, __func__, not_a_kernel);
    std::memset(out, 0, sizeof *out);
    out->sharedSizeBytes = kernel->facts.static_shared;
    out->constSizeBytes = kernel->facts.constant;
    out->localSizeBytes = kernel->facts.local;
    out->maxThreadsPerBlock = static_cast<int>(most_threads(*kernel));
    out->ptxVersion = static_cast<int>(kernel->facts.ptx_target);
    out->binaryVersion = runtime.device().major * 10 + runtime.device().minor;
    out->maxDynamicSharedSizeBytes =
        kernel->dynamic_shared_limit >= 0
            ? kernel->dynamic_shared_limit
            : static_cast<int>(runtime.device().shared_per_block - kernel->facts.static_shared);
    out->preferredShmemCarveout = kernel->carveout;
    runtime.remark("cudaFuncGetAttributes returns 0 registers: only ptxas knows how many a kernel takes");
    return cudaSuccess;
}

cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute attribute, int value) {
    LANESCOPE_ENTRY;
    Kernel* kernel = runtime.kernel_of(function);
    if (kernel == nullptr) return runtime.fail(cudaErrorInvalidDeviceFunction, __func__, not_a_kernel);
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
        const std::uint64_t most = runtime.device().shared_per_block_optin - kernel->facts.static_shared;
        if (value < 0 || std::uint64_t(value) > most)
            return runtime.fail(
                cudaErrorInvalidValue, __func__,
                "at most " + lanescope::counted(most, "byte") + " of dynamic shared memory can be allowed");
        kernel->dynamic_shared_limit = value;
    } else if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
        kernel->carveout = value;
    }
    return cudaSuccess;
}

cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache config) {
    LANESCOPE_ENTRY;
    if (Kernel* kernel = runtime.kernel_of(function)) kernel->cache = config;
    return cudaSuccess;
}
cudaError_t cudaFuncSetSharedMemConfig(const void*, cudaSharedMemConfig) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}

cudaError_t cudaFuncGetName(const char** out, const void* function) {
    LANESCOPE_ENTRY;
    const Kernel* kernel = runtime.kernel_of(function);
    if (kernel == nullptr) return runtime.fail(cudaErrorInvalidDeviceFunction, __func__, not_a_kernel);
    *out = kernel->name.c_str();
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* out, const void* function, int threads,
                                                                   size_t dynamic_shared, unsigned int) {
    LANESCOPE_ENTRY;
    const Kernel* kernel = runtime.kernel_of(function);
    if (kernel == nullptr) return runtime.fail(cudaErrorInvalidDeviceFunction, __func__, not_a_kernel);
    if (threads <= 0) return runtime.fail(cudaErrorInvalidValue, __func__, "a block has no threads");
    runtime.remark("occupancy is computed without registers: only ptxas knows how many a kernel takes");
    *out = static_cast<int>(resident_blocks(*kernel, unsigned(threads), dynamic_shared));
    return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* out, const void* function, int threads,
                                                          size_t dynamic_shared) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(out, function, threads, dynamic_shared, 0);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* out, const void* function, int blocks, int) {
    LANESCOPE_ENTRY;
    const Kernel* kernel = runtime.kernel_of(function);
    if (kernel == nullptr || blocks <= 0) return runtime.fail(cudaErrorInvalidValue, __func__, not_a_kernel);
    const DeviceFacts& device = runtime.device();
    const std::uint64_t each = device.shared_per_multiprocessor / static_cast<unsigned>(blocks);
    const std::uint64_t taken = kernel->facts.static_shared + device.shared_reserved;
    *out = each > taken ? std::min(each - taken, device.shared_per_block_optin - kernel->facts.static_shared) : 0;
    return cudaSuccess;
}

}  // extern "C"
