// Memory of the CUDA runtime API: allocations of every kind, copies, fills, symbols, pools.
#include "base/grouped.h"
#include "host/runtime/heap.h"
#include "host/runtime/runtime.h"
#include "host/runtime/sizes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

using namespace lanescope::host;

namespace lanescope::host {

namespace {

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// One side of a copy: its address for the host, and whether it is device memory.
struct Side {
    std::byte* bytes = nullptr;
    bool device = false;
};

/// Checks that `bytes` at a device pointer lie in one live allocation; a host pointer must not be null.
cudaError_t side_of(const void* pointer, std::size_t bytes, const char* which, const char* function, Side& side) {
    Runtime& runtime = Runtime::get();
    if (!Runtime::is_device_address(pointer)) {
        if (pointer == nullptr && bytes > 0)
            return runtime.fail(cudaErrorInvalidValue, function, std::string("the ") + which + " is a null pointer");
        side.bytes = static_cast<std::byte*>(const_cast<void*>(pointer));
        return cudaSuccess;
    }
    const Allocation* allocation = runtime.find(pointer);
    if (allocation == nullptr) {
        runtime.fault(FaultKind::copy_past_end, address_of(pointer), bytes,
                      std::string("the ") + which + " of the copy is outside all allocations");
        return runtime.fail(cudaErrorInvalidValue, function,
                            std::string("the ") + which + " is outside all allocations");
    }
    if (allocation->freed) {
        runtime.fault(FaultKind::use_after_free, address_of(pointer), bytes,
                      std::string("the ") + which + " of the copy has been freed");
        return runtime.fail(cudaErrorInvalidValue, function, std::string("the ") + which + " has been freed");
    }
    const std::uint64_t left = allocation->address + allocation->bytes - address_of(pointer);
    if (bytes > left) {
        runtime.fault(
            FaultKind::copy_past_end, address_of(pointer), bytes,
            std::string("the copy reaches ") + counted(bytes - left, "byte") + " past the end of its " + which);
        return runtime.fail(cudaErrorInvalidValue, function,
                            std::string("the copy reaches past the end of its ") + which);
    }
    side.device = !allocation->host_may_access();
    side.bytes = runtime.window(pointer);
    return cudaSuccess;
}

const char* name_of(cudaMemcpyKind kind) {
    switch (kind) {
        case cudaMemcpyHostToHost: return "cudaMemcpyHostToHost";
        case cudaMemcpyHostToDevice: return "cudaMemcpyHostToDevice";
        case cudaMemcpyDeviceToHost: return "cudaMemcpyDeviceToHost";
        case cudaMemcpyDeviceToDevice: return "cudaMemcpyDeviceToDevice";
        case cudaMemcpyDefault: return "cudaMemcpyDefault";
    }
    return "an invalid cudaMemcpyKind";
}

/// Whether the cudaMemcpyKind matches both sides; managed and pinned memory matches every kind.
bool fits(cudaMemcpyKind kind, const void* to, const Side& target, const void* from, const Side& source) {
    const bool to_either = Runtime::is_device_address(to) && !target.device;
    const bool from_either = Runtime::is_device_address(from) && !source.device;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind == cudaMemcpyDefault) return true;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return false;
    return (to_either || target.device == to_device) && (from_either || source.device == from_device);
}

/// Announces a host write: Lanescope saves the old bytes, to step back over it.
void report_overwrite(const void* to, std::size_t bytes) {
    if (!Runtime::is_device_address(to)) return;
    Header header;
    header.call = Call::overwrite;
    header.a = address_of(to);
    header.b = bytes;
    Runtime::get().ask(header);
}

/// Reports a write or read, with its rows if it is pitched. Returns the number of its step.
std::uint64_t ask_of_rows(Header header, const Rows& rows) {
    const bool from_gaps = rows.from_pitch != 0 && rows.from_pitch != rows.width;
    const bool gaps = rows.height > 1 && (rows.pitch != rows.width || from_gaps);
    return Runtime::get().ask(header, gaps ? &rows : nullptr, gaps ? sizeof rows : 0).step;
}

void add_rows(std::vector<AccessedSpan>& spans, const void* at, const Rows& rows, std::uint64_t uses) {
    if (!Runtime::is_device_address(at)) return;
    const bool whole = rows.height == 1 || rows.pitch == rows.width;
    const std::uint64_t count = whole ? 1 : rows.height;
    for (std::uint64_t row = 0; row < count; ++row)
        spans.push_back({address_of(at) + row * rows.pitch, whole ? rows.width * rows.height : rows.width, uses});
}

/// Reports a copy of `height` rows of `width` bytes. Returns the number of its step; 0 if both sides are host memory.
std::uint64_t report_copy(const void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                          std::size_t width, std::size_t height) {
    const bool from_device = Runtime::is_device_address(from);
    if (!Runtime::is_device_address(to) && !from_device) return 0;
    Header header;
    if (!Runtime::is_device_address(to)) {
        header.call = Call::read;
        header.a = address_of(from);
        header.b = bytes_of_rows(from_pitch, width, height);
        return ask_of_rows(header, {from_pitch, width, height, 0});
    }
    header.call = Call::write;
    header.a = address_of(to);
    header.b = bytes_of_rows(to_pitch, width, height);
    header.c = static_cast<std::uint64_t>(from_device ? WriteKind::from_device : WriteKind::from_host);
    header.d = address_of(from);
    return ask_of_rows(header, {to_pitch, width, height, from_device ? from_pitch : 0});
}

/// How many of the bytes at `pointer` a copy may access; fewer than `bytes` if it would write past the end of a heap
/// block, which is reported.
std::size_t within_heap_block(const void* pointer, std::size_t bytes, bool copy_writes) {
    constexpr std::size_t most_slots = std::size_t{1} << 16U;  // searched in 0.1 ms
    if (Runtime::is_device_address(pointer)) return bytes;
    const HeapBlock block = heap_block_around(address_of(pointer), most_slots);
    const std::uint64_t offset = address_of(pointer) - block.address;
    if (block.bytes == 0 || bytes <= block.bytes - offset) return bytes;
    const std::uint64_t past = bytes - (block.bytes - offset);
    Runtime::get().fault(FaultKind::copy_past_end, address_of(pointer), bytes,
                         std::string("the copy ") + (copy_writes ? "writes " : "reads ") + counted(bytes, "byte") +
                             (offset == 0 ? "" : ", from byte " + lanescope::grouped(offset) + " on,") +
                             (copy_writes ? " to" : " from") + " a block of the host's heap, which has " +
                             counted(block.bytes, "byte") + ": " + counted(past, "byte") + " past its end" +
                             (copy_writes ? ". They are not written here" : ""));
    return copy_writes ? bytes - past : bytes;
}

}  // namespace

void guard_pinned(std::uint64_t address, std::uint64_t bytes, bool work_writes) {
    Runtime& runtime = Runtime::get();
    const Allocation* const allocation = runtime.find(reinterpret_cast<const void*>(address));
    if (allocation == nullptr || allocation->kind != MemoryKind::pinned || bytes == 0) return;
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const auto down = [&](std::uint64_t at) { return at / page * page; };
    if (!allocation->registered)
        return runtime.order.guard(down(address), down(address + bytes + page - 1), work_writes);
    const std::uint64_t first = runtime.host_address_of(allocation->address), last = first + allocation->bytes;
    if (first == 0) return;
    // The pages at both ends also hold other data of the program.
    const std::uint64_t from = runtime.host_address_of(address), to = from + bytes;
    const std::uint64_t begin = std::max(down(from), down(first + page - 1)),
                        end = std::min(down(to + page - 1), down(last));
    const auto watch = [&](std::uint64_t at, std::uint64_t until) {
        if (at >= until) return;
        runtime.order.watch(address + (at - from), until - at);
        if (!work_writes) return;
        runtime.not_known(
            "whether host code reads this registered memory before it waits for the work that uses it, "
            "where it shares a page with other memory. Memory of cudaMallocHost is checked throughout");
    };
    if (begin >= end) return watch(from, to);
    runtime.order.guard(begin, end, work_writes);
    watch(from, std::min(begin, to));
    watch(std::max(from, end), to);
}

double transfer_ns(std::size_t bytes, bool over_the_link) {
    constexpr double setup_ns = 4000, link_bytes_a_ns = 50, memory_bytes_a_ns = 2000;
    return setup_ns + static_cast<double>(bytes) / (over_the_link ? link_bytes_a_ns : memory_bytes_a_ns);
}

cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind, const char* function) {
    Runtime& runtime = Runtime::get();
    if (width == 0 || height == 0) return cudaSuccess;
    if (height > 1 && (to_pitch < width || from_pitch < width))
        return runtime.fail(cudaErrorInvalidPitchValue, function, "a pitch is smaller than the width");
    Side target, source;
    const std::size_t to_bytes = bytes_of_rows(to_pitch, width, height);
    const std::size_t from_bytes = bytes_of_rows(from_pitch, width, height);
    if (std::max(to_bytes, from_bytes) >= beyond_memory)
        return runtime.fail(cudaErrorInvalidValue, function, "the copy is larger than any memory");
    // Registered memory is pinned.
    if (void* const registered = runtime.device_pointer_of(to, to_bytes)) to = registered;
    if (void* const registered = runtime.device_pointer_of(from, from_bytes)) from = registered;
    if (const cudaError_t error = side_of(from, from_bytes, "source", function, source)) return error;
    if (const cudaError_t error = side_of(to, to_bytes, "destination", function, target)) return error;
    if (!fits(kind, to, target, from, source)) {
        runtime.fault(FaultKind::wrong_direction, address_of(target.device ? to : from), to_bytes,
                      std::string(name_of(kind)) + ", but the destination is " + (target.device ? "device" : "host") +
                          " memory and the source is " + (source.device ? "device" : "host") + " memory");
        return runtime.fail(cudaErrorInvalidValue, function, "the cudaMemcpyKind does not match the pointers");
    }
    // In a stream a copy waits only where the host's side is not pinned (CUDA Runtime API, "API synchronization
    // behavior").
    const bool pageable = !Runtime::is_device_address(to) || !Runtime::is_device_address(from);
    const bool waits = pageable || !runtime.order.is_working();
    if ((target.device || source.device) && waits) runtime.synchronize();
    within_heap_block(from, from_bytes, false);
    const std::size_t writable = within_heap_block(to, to_bytes, true);
    const WorkOrder::Work work(runtime.order, cudaStreamLegacy);
    report_overwrite(to, to_bytes);
    for (std::size_t row = 0; row < height && row * to_pitch < writable; ++row)
        std::memmove(target.bytes + row * to_pitch, source.bytes + row * from_pitch,
                     std::min(width, writable - row * to_pitch));
    const std::uint64_t step = report_copy(to, to_pitch, from, from_pitch, width, height);
    std::vector<AccessedSpan> spans;
    add_rows(spans, from, {from_pitch, width, height, 0}, AccessedSpan::reads);
    add_rows(spans, to, {to_pitch, width, height, 0}, AccessedSpan::writes);
    runtime.order.accesses(step, std::move(spans));
    if (waits) {
        runtime.order.host_waits_for_work();
    } else {
        guard_pinned(address_of(to), to_bytes, true);
        guard_pinned(address_of(from), from_bytes, false);
    }
    runtime.now_ns += transfer_ns(width * height, target.device != source.device);
    return cudaSuccess;
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* function) {
    return copy_rows(to, bytes, from, bytes, bytes, 1, kind, function);
}

cudaError_t check_slices(const cudaPitchedPtr& memory, std::size_t offset, const cudaExtent& bytes, const char* which,
                         const char* function) {
    Runtime& runtime = Runtime::get();
    if (bytes.depth > 1 && memory.ysize < bytes.height)
        return runtime.fail(cudaErrorInvalidValue, function,
                            std::string("the height of a slice of the ") + which + " is smaller than that of the copy");
    const std::size_t before = product(product(bytes.depth - 1, memory.ysize), memory.pitch);
    const std::size_t all = sum(sum(before, offset), bytes_of_rows(memory.pitch, bytes.width, bytes.height));
    if (all >= beyond_memory)
        return runtime.fail(cudaErrorInvalidValue, function, "the copy is larger than any memory");
    Side side;
    return side_of(memory.ptr, all, which, function, side);
}

namespace {

/// Fills rows with the lowest `element_bytes` bytes of `element`; width and pitch in bytes.
cudaError_t fill_rows(void* to, std::size_t pitch, const void* element, std::size_t element_bytes, std::size_t width,
                      std::size_t height, const char* function) {
    Runtime& runtime = Runtime::get();
    if (width == 0 || height == 0) return cudaSuccess;
    if (height > 1 && pitch < width)
        return runtime.fail(cudaErrorInvalidPitchValue, function, "the pitch is smaller than the width");
    Side target;
    const std::size_t bytes = bytes_of_rows(pitch, width, height);
    if (!Runtime::is_device_address(to)) {
        runtime.fault(FaultKind::wrong_direction, address_of(to), bytes, "the pointer is host memory");
        return runtime.fail(cudaErrorInvalidValue, function, "the pointer is host memory");
    }
    if (const cudaError_t error = side_of(to, bytes, "destination", function, target)) return error;
    const WorkOrder::Work work(runtime.order, cudaStreamLegacy);
    report_overwrite(to, bytes);
    const Rows rows{pitch, width, height, 0};
    // Whole pages of zeros are freed instead of written: an unallocated page reads as zero.
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    std::byte* const first_page = target.bytes + (page - address_of(target.bytes) % page) % page;
    std::byte* const past_pages = target.bytes + bytes - address_of(target.bytes + bytes) % page;
    const auto* const value = static_cast<const unsigned char*>(element);
    const bool zero = std::all_of(value, value + element_bytes, [](unsigned char byte) { return byte == 0; });
    const bool whole = zero && (height == 1 || pitch == width) && width % element_bytes == 0 && first_page < past_pages;
    if (whole && madvise(first_page, static_cast<std::size_t>(past_pages - first_page), MADV_REMOVE) == 0) {
        std::memset(target.bytes, 0, static_cast<std::size_t>(first_page - target.bytes));
        std::memset(past_pages, 0, static_cast<std::size_t>(target.bytes + bytes - past_pages));
        height = 0;  // nothing is left to fill
    }
    for (std::size_t row = 0; row < height; ++row) {
        std::byte* const begin = target.bytes + row * pitch;
        if (element_bytes == 1) std::memset(begin, *static_cast<const unsigned char*>(element), width);
        for (std::size_t x = 0; element_bytes > 1 && x + element_bytes <= width; x += element_bytes)
            std::memcpy(begin + x, element, element_bytes);
    }
    Header header;
    header.call = Call::write;
    header.a = address_of(to);
    header.b = bytes;
    header.c = static_cast<std::uint64_t>(WriteKind::fill);
    const std::uint64_t step = ask_of_rows(header, rows);
    std::vector<AccessedSpan> spans;
    add_rows(spans, to, rows, AccessedSpan::writes);
    runtime.order.accesses(step, std::move(spans));
    runtime.now_ns += transfer_ns(bytes, false);
    return cudaSuccess;
}

constexpr std::size_t pitch_alignment = 512;
std::size_t pitched(std::size_t width) { return sum(width, pitch_alignment - 1) / pitch_alignment * pitch_alignment; }

}  // namespace

cudaError_t symbol_at(const void* symbol, std::size_t offset, std::size_t bytes, const char* function, void*& at) {
    Runtime& runtime = Runtime::get();
    const Symbol* known = runtime.symbol_of(symbol);
    if (known == nullptr)
        return runtime.fail(cudaErrorInvalidSymbol, function, "unknown symbol: no kernel uses this variable");
    if (offset > known->bytes || bytes > known->bytes - offset) {
        runtime.fault(FaultKind::copy_past_end, known->address + offset, bytes,
                      "the copy reaches past the end of " + known->name);
        return runtime.fail(cudaErrorInvalidValue, function, "the copy reaches past the end of " + known->name);
    }
    at = reinterpret_cast<void*>(known->address + offset);
    return cudaSuccess;
}

cudaError_t fill(void* to, int value, std::size_t bytes, const char* function) {
    return fill_rows(to, bytes, &value, 1, bytes, 1, function);
}

cudaError_t fill_elements(const cudaMemsetParams& p, const char* function) {
    if (p.elementSize != 1 && p.elementSize != 2 && p.elementSize != 4)
        return Runtime::get().fail(cudaErrorInvalidValue, function, "an element has 1, 2 or 4 bytes");
    return fill_rows(p.dst, p.pitch, &p.value, p.elementSize, product(p.width, p.elementSize), p.height, function);
}

Operation copy_operation(const cudaMemcpy3DParms& parameters, const char* function) {
    Operation operation;
    operation.type = cudaGraphNodeTypeMemcpy;
    operation.parameters = parameters;
    operation.run = [parameters, function] { return copy_3d(parameters, function); };
    return operation;
}

Operation copy_operation(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* function) {
    Operation operation;
    operation.type = cudaGraphNodeTypeMemcpy;
    cudaMemcpy3DParms parameters = {};
    parameters.dstPtr = {to, bytes, bytes, 1};
    parameters.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
    parameters.extent = {bytes, 1, 1};
    parameters.kind = kind;
    operation.parameters = parameters;
    operation.run = [=] { return copy(to, from, bytes, kind, function); };
    return operation;
}

Operation fill_operation(const cudaMemsetParams& parameters, const char* function) {
    Operation operation;
    operation.type = cudaGraphNodeTypeMemset;
    operation.parameters = parameters;
    operation.run = [parameters, function] { return fill_elements(parameters, function); };
    return operation;
}

namespace {

Operation copy_rows_operation(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind, const char* function) {
    cudaMemcpy3DParms parameters = {};
    parameters.dstPtr = {to, to_pitch, width, height};
    parameters.srcPtr = {const_cast<void*>(from), from_pitch, width, height};
    parameters.extent = {width, height, 1};
    parameters.kind = kind;
    Operation operation = copy_operation(parameters, function);
    operation.run = [=] { return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, function); };
    return operation;
}

Operation fill_bytes_operation(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                               const char* function) {
    cudaMemsetParams parameters = {};
    parameters.dst = to;
    parameters.pitch = pitch;
    parameters.value = static_cast<unsigned>(value);
    parameters.elementSize = 1;
    parameters.width = width;
    parameters.height = height;
    return fill_operation(parameters, function);
}

cudaError_t fill_3d(cudaPitchedPtr to, int value, cudaExtent extent, const char* function) {
    if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return cudaSuccess;
    if (const cudaError_t error = check_slices(to, 0, extent, "destination", function)) return error;
    if (extent.height == to.ysize) join_slices(extent);
    for (std::size_t z = 0; z < extent.depth; ++z) {
        char* const slice = static_cast<char*>(to.ptr) + z * to.ysize * to.pitch;
        if (const cudaError_t error = fill_rows(slice, to.pitch, &value, 1, extent.width, extent.height, function))
            return error;
    }
    return cudaSuccess;
}

/// Refuses an allocation during capture: the graph would have to allocate at each launch.
cudaError_t refuse_in_capture(const char* function) {
    return Runtime::get().fail(cudaErrorStreamCaptureUnsupported, function,
                               "memory that a graph allocates or frees is not implemented");
}

}  // namespace

}  // namespace lanescope::host

extern "C" {

// --- Allocation --------------------------------------------------------------------------------------------------

cudaError_t cudaMalloc(void** out, size_t bytes) {
    LANESCOPE_ENTRY;
    return runtime.allocate(out, bytes, MemoryKind::device, __func__);
}

cudaError_t cudaMallocManaged(void** out, size_t bytes, unsigned int) {
    LANESCOPE_ENTRY;
    if (bytes == 0) return runtime.fail(cudaErrorInvalidValue, __func__, "the size is 0");
    return runtime.allocate(out, bytes, MemoryKind::managed, __func__);
}

cudaError_t cudaHostAlloc(void** out, size_t bytes, unsigned int) {
    LANESCOPE_ENTRY;
    return runtime.allocate(out, bytes, MemoryKind::pinned, __func__);
}

cudaError_t cudaMallocHost(void** out, size_t bytes) {
    LANESCOPE_ENTRY;
    return runtime.allocate(out, bytes, MemoryKind::pinned, __func__);
}

cudaError_t cudaMallocPitch(void** out, size_t* pitch, size_t width, size_t height) {
    LANESCOPE_ENTRY;
    if (pitch == nullptr) return runtime.fail(cudaErrorInvalidValue, __func__, "the output pitch is null");
    *pitch = pitched(width);
    return runtime.allocate(out, product(*pitch, height), MemoryKind::device, __func__);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent) {
    LANESCOPE_ENTRY;
    if (out == nullptr) return runtime.fail(cudaErrorInvalidValue, __func__, "the output pointer is null");
    out->pitch = pitched(extent.width);
    out->xsize = extent.width;
    out->ysize = extent.height;
    return runtime.allocate(&out->ptr, product(product(out->pitch, extent.height), extent.depth), MemoryKind::device,
                            __func__);
}

cudaError_t cudaMallocAsync(void** out, size_t bytes, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    if (captures(stream)) return refuse_in_capture(__func__);
    return runtime.allocate(out, bytes, MemoryKind::device, __func__);
}

cudaError_t cudaMallocFromPoolAsync(void** out, size_t bytes, cudaMemPool_t, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    if (captures(stream)) return refuse_in_capture(__func__);
    return runtime.allocate(out, bytes, MemoryKind::device, __func__);
}

cudaError_t cudaFree(void* pointer) {
    LANESCOPE_ONE_CALLER;
    if (runtime.has_failed()) return runtime.release_in_vain(pointer, MemoryKind::device);
    // cudaFree waits for all kernels: on an H100 their printf output has appeared when it returns.
    if (pointer != nullptr) runtime.wait_for_all();
    return runtime.release(pointer, MemoryKind::device, __func__);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    LANESCOPE_ONE_CALLER;
    if (runtime.has_failed()) return runtime.release_in_vain(pointer, MemoryKind::device);
    if (captures(stream)) return refuse_in_capture(__func__);
    return runtime.release(pointer, MemoryKind::device, __func__);
}

cudaError_t cudaFreeHost(void* pointer) {
    LANESCOPE_ONE_CALLER;
    if (runtime.has_failed()) return runtime.release_in_vain(pointer, MemoryKind::pinned);
    if (pointer != nullptr) runtime.order.host_waits_for_all();
    return runtime.release(pointer, MemoryKind::pinned, __func__);
}

cudaError_t cudaHostGetDevicePointer(void** out, void* host, unsigned int) {
    LANESCOPE_ENTRY;
    if (void* const device = runtime.device_pointer_of(host)) {
        *out = device;
        return cudaSuccess;
    }
    const Allocation* allocation = runtime.find(host);
    if (allocation == nullptr || allocation->kind != MemoryKind::pinned)
        return runtime.fail(cudaErrorInvalidValue, __func__, "the pointer was not allocated by cudaHostAlloc");
    *out = host;
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
    LANESCOPE_ENTRY;
    const Allocation* allocation = runtime.find(host);
    if (allocation == nullptr || allocation->kind != MemoryKind::pinned)
        return runtime.fail(cudaErrorInvalidValue, __func__, "the pointer was not allocated by cudaHostAlloc");
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void* host, size_t bytes, unsigned int) {
    LANESCOPE_ENTRY;
    return runtime.register_host(host, bytes, __func__);
}

cudaError_t cudaHostUnregister(void* host) {
    LANESCOPE_ENTRY;
    return runtime.unregister_host(host, __func__);
}

cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total) {
    LANESCOPE_ENTRY;
    if (total != nullptr) *total = runtime.device().global_bytes;
    Header header;
    header.call = Call::free_memory;
    if (free_bytes != nullptr) *free_bytes = runtime.ask(header).value;
    return cudaSuccess;
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* out, const void* pointer) {
    LANESCOPE_ENTRY;
    std::memset(out, 0, sizeof *out);
    if (void* const device = runtime.device_pointer_of(pointer)) {
        out->type = cudaMemoryTypeHost;
        out->devicePointer = device;
        out->hostPointer = const_cast<void*>(pointer);
        return cudaSuccess;
    }
    const Allocation* allocation = runtime.find(pointer);
    if (allocation == nullptr || allocation->freed) {
        out->type = cudaMemoryTypeUnregistered;
        out->device = -1;
        out->hostPointer = const_cast<void*>(pointer);
        return cudaSuccess;
    }
    out->type = allocation->kind == MemoryKind::managed  ? cudaMemoryTypeManaged
                : allocation->kind == MemoryKind::pinned ? cudaMemoryTypeHost
                                                         : cudaMemoryTypeDevice;
    out->devicePointer = const_cast<void*>(pointer);
    out->hostPointer = allocation->host_may_access() ? const_cast<void*>(pointer) : nullptr;
    return cudaSuccess;
}

// --- Copies and fills --------------------------------------------------------------------------------------------

cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    return copy(to, from, bytes, kind, __func__);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    return enqueue(stream, __func__, copy_operation(to, from, bytes, kind, __func__));
}

// A peer copy within the only device.
static bool is_only_device(int to, int from) { return to == 0 && from == 0; }

cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
    LANESCOPE_ENTRY;
    if (!is_only_device(to_device, from_device)) return runtime.fail(cudaErrorInvalidDevice, __func__, one_device);
    return copy(to, from, bytes, cudaMemcpyDeviceToDevice, __func__);
}
cudaError_t cudaMemcpyPeerAsync(void* to, int to_device, const void* from, int from_device, size_t bytes,
                                cudaStream_t stream) {
    LANESCOPE_ENTRY;
    if (!is_only_device(to_device, from_device)) return runtime.fail(cudaErrorInvalidDevice, __func__, one_device);
    return enqueue(stream, __func__, copy_operation(to, from, bytes, cudaMemcpyDeviceToDevice, __func__));
}

static cudaMemcpy3DParms of_peers(const cudaMemcpy3DPeerParms& p) {
    cudaMemcpy3DParms same = {};
    same.srcArray = p.srcArray;
    same.srcPos = p.srcPos;
    same.srcPtr = p.srcPtr;
    same.dstArray = p.dstArray;
    same.dstPos = p.dstPos;
    same.dstPtr = p.dstPtr;
    same.extent = p.extent;
    same.kind = cudaMemcpyDeviceToDevice;
    return same;
}
cudaError_t cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* p) {
    LANESCOPE_ENTRY;
    if (!is_only_device(p->dstDevice, p->srcDevice)) return runtime.fail(cudaErrorInvalidDevice, __func__, one_device);
    return copy_3d(of_peers(*p), __func__);
}
cudaError_t cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* p, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    if (!is_only_device(p->dstDevice, p->srcDevice)) return runtime.fail(cudaErrorInvalidDevice, __func__, one_device);
    return enqueue(stream, __func__, copy_operation(of_peers(*p), __func__));
}

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, __func__);
}

cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    return enqueue(stream, __func__,
                   copy_rows_operation(to, to_pitch, from, from_pitch, width, height, kind, __func__));
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
    LANESCOPE_ENTRY;
    return copy_3d(*parameters, __func__);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    return enqueue(stream, __func__, copy_operation(*parameters, __func__));
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    LANESCOPE_ENTRY;
    return fill(to, value, bytes, __func__);
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    return enqueue(stream, __func__, fill_bytes_operation(to, bytes, value, bytes, 1, __func__));
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    LANESCOPE_ENTRY;
    return fill_rows(to, pitch, &value, 1, width, height, __func__);
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    return enqueue(stream, __func__, fill_bytes_operation(to, pitch, value, width, height, __func__));
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    LANESCOPE_ENTRY;
    return fill_3d(to, value, extent, __func__);
}

cudaError_t cudaMemset3DAsync(cudaPitchedPtr to, int value, cudaExtent extent, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    if (captures(stream)) return runtime.refuse("cudaMemset3DAsync in a capturing stream");
    Operation operation;
    operation.run = [=] { return fill_3d(to, value, extent, "cudaMemset3DAsync"); };
    return enqueue(stream, __func__, std::move(operation));
}

// --- Symbols -----------------------------------------------------------------------------------------------------

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    void* at = nullptr;
    if (const cudaError_t error = symbol_at(symbol, offset, bytes, __func__, at)) return error;
    return copy(at, from, bytes, kind, __func__);
}

cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    void* at = nullptr;
    if (const cudaError_t error = symbol_at(symbol, offset, bytes, __func__, at)) return error;
    return copy(to, at, bytes, kind, __func__);
}

cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    void* at = nullptr;
    if (const cudaError_t error = symbol_at(symbol, offset, bytes, __func__, at)) return error;
    return enqueue(stream, __func__, copy_operation(at, from, bytes, kind, __func__));
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
    LANESCOPE_ENTRY;
    void* at = nullptr;
    if (const cudaError_t error = symbol_at(symbol, offset, bytes, __func__, at)) return error;
    return enqueue(stream, __func__, copy_operation(to, at, bytes, kind, __func__));
}

cudaError_t cudaGetSymbolAddress(void** out, const void* symbol) {
    LANESCOPE_ENTRY;
    return symbol_at(symbol, 0, 0, __func__, *out);
}

cudaError_t cudaGetSymbolSize(size_t* out, const void* symbol) {
    LANESCOPE_ENTRY;
    void* at = nullptr;
    if (const cudaError_t error = symbol_at(symbol, 0, 0, __func__, at)) return error;
    *out = runtime.symbol_of(symbol)->bytes;
    return cudaSuccess;
}

// --- Hints, which change no result ---------------------------------------------------------------------------------

#if CUDART_VERSION >= 13000
cudaError_t cudaMemPrefetchAsync(const void*, size_t, cudaMemLocation, unsigned int, cudaStream_t) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, cudaMemLocation) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}
#else
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}
cudaError_t cudaMemAdvise(const void*, size_t, cudaMemoryAdvise, int) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}
#endif

}  // extern "C"
