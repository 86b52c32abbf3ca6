// Memory of the CUDA runtime API: allocations of every kind, copies, fills, symbols, pools.
#include "host/runtime/runtime.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace lanescope::host;

namespace lanescope::host {

namespace {

std::uint64_t address_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// One side of a copy: where the host reads or writes it, and whether it is the device's.
struct Side {
    std::byte* bytes = nullptr;
    bool device = false;
};

/// Checks that `bytes` at `pointer` lie in one live allocation, where it is the device's.
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
                      std::string("the ") + which + " of the copy lies in no allocation");
        return runtime.fail(cudaErrorInvalidValue, function, std::string("the ") + which + " lies in no allocation");
    }
    if (allocation->freed) {
        runtime.fault(FaultKind::use_after_free, address_of(pointer), bytes,
                      std::string("the ") + which + " of the copy was freed before");
        return runtime.fail(cudaErrorInvalidValue, function, std::string("the ") + which + " was freed before");
    }
    const std::uint64_t left = allocation->address + allocation->bytes - address_of(pointer);
    if (bytes > left) {
        runtime.fault(
            FaultKind::copy_past_end, address_of(pointer), bytes,
            std::string("the copy reaches ") + std::to_string(bytes - left) + " bytes past the end of its " + which);
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
    return "a kind that does not exist";
}

/// Memory that both may access fits every kind.
bool fits(cudaMemcpyKind kind, const void* to, const Side& target, const void* from, const Side& source) {
    const bool to_either = Runtime::is_device_address(to) && !target.device;
    const bool from_either = Runtime::is_device_address(from) && !source.device;
    const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
    const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
    if (kind == cudaMemcpyDefault) return true;
    if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault) return false;
    return (to_either || target.device == to_device) && (from_either || source.device == from_device);
}

/// Lanescope keeps what a write of the host is about to overwrite, to step back over it.
void tell_overwrite(const void* to, std::size_t bytes) {
    if (!Runtime::is_device_address(to)) return;
    Header header;
    header.call = Call::overwrite;
    header.a = address_of(to);
    header.b = bytes;
    Runtime::get().ask(header);
}

void tell_write(const void* to, std::size_t bytes, const void* from) {
    if (!Runtime::is_device_address(to) && !Runtime::is_device_address(from)) return;
    Header header;
    header.b = bytes;
    if (Runtime::is_device_address(to)) {
        header.call = Call::write;
        header.a = address_of(to);
        header.c = static_cast<std::uint64_t>(Runtime::is_device_address(from) ? WriteKind::from_device
                                                                               : WriteKind::from_host);
        header.d = address_of(from);
    } else {
        header.call = Call::read;
        header.a = address_of(from);
    }
    Runtime::get().ask(header);
}

}  // namespace

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
    const std::size_t to_bytes = (height - 1) * to_pitch + width, from_bytes = (height - 1) * from_pitch + width;
    if (const cudaError_t error = side_of(from, from_bytes, "source", function, source)) return error;
    if (const cudaError_t error = side_of(to, to_bytes, "destination", function, target)) return error;
    if (!fits(kind, to, target, from, source)) {
        runtime.fault(FaultKind::wrong_direction, address_of(target.device ? to : from), to_bytes,
                      std::string(name_of(kind)) + ", but the destination is " + (target.device ? "device" : "host") +
                          " memory and the source is " + (source.device ? "device" : "host") + " memory");
        return runtime.fail(cudaErrorInvalidValue, function, "the copy's kind does not fit its pointers");
    }
    if (target.device || source.device) runtime.synchronize();
    tell_overwrite(to, to_bytes);
    for (std::size_t row = 0; row < height; ++row)
        std::memmove(target.bytes + row * to_pitch, source.bytes + row * from_pitch, width);
    tell_write(to, to_bytes, from);
    runtime.now_ns += transfer_ns(width * height, target.device != source.device);
    return cudaSuccess;
}

cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* function) {
    return copy_rows(to, bytes, from, bytes, bytes, 1, kind, function);
}

namespace {

cudaError_t fill_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      const char* function) {
    Runtime& runtime = Runtime::get();
    if (width == 0 || height == 0) return cudaSuccess;
    if (height > 1 && pitch < width)
        return runtime.fail(cudaErrorInvalidPitchValue, function, "the pitch is smaller than the width");
    Side target;
    const std::size_t bytes = (height - 1) * pitch + width;
    if (!Runtime::is_device_address(to)) {
        runtime.fault(FaultKind::wrong_direction, address_of(to), bytes, "the pointer is host memory");
        return runtime.fail(cudaErrorInvalidValue, function, "the pointer is host memory");
    }
    if (const cudaError_t error = side_of(to, bytes, "destination", function, target)) return error;
    tell_overwrite(to, bytes);
    // Zeros in whole pages are no pages.
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    std::byte* const first_page = target.bytes + (page - address_of(target.bytes) % page) % page;
    std::byte* const past_pages = target.bytes + bytes - address_of(target.bytes + bytes) % page;
    const bool whole = value == 0 && (height == 1 || pitch == width) && first_page < past_pages;
    if (whole && madvise(first_page, static_cast<std::size_t>(past_pages - first_page), MADV_REMOVE) == 0) {
        std::memset(target.bytes, 0, static_cast<std::size_t>(first_page - target.bytes));
        std::memset(past_pages, 0, static_cast<std::size_t>(target.bytes + bytes - past_pages));
    } else {
        for (std::size_t row = 0; row < height; ++row) std::memset(target.bytes + row * pitch, value, width);
    }
    Header header;
    header.call = Call::write;
    header.a = address_of(to);
    header.b = bytes;
    header.c = static_cast<std::uint64_t>(WriteKind::fill);
    runtime.ask(header);
    runtime.now_ns += transfer_ns(bytes, false);
    return cudaSuccess;
}

constexpr std::size_t pitch_alignment = 512;
std::size_t pitched(std::size_t width) { return (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment; }

cudaError_t copy_3d(const cudaMemcpy3DParms& p, const char* function) {
    if (p.srcArray != nullptr || p.dstArray != nullptr) return Runtime::get().refuse(function);
    const auto at = [](const cudaPitchedPtr& pointer, const cudaPos& position, std::size_t z) {
        return static_cast<char*>(pointer.ptr) + ((position.z + z) * pointer.ysize + position.y) * pointer.pitch +
               position.x;
    };
    for (std::size_t z = 0; z < p.extent.depth; ++z) {
        const cudaError_t error = copy_rows(at(p.dstPtr, p.dstPos, z), p.dstPtr.pitch, at(p.srcPtr, p.srcPos, z),
                                            p.srcPtr.pitch, p.extent.width, p.extent.height, p.kind, function);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

cudaError_t symbol_at(const void* symbol, std::size_t offset, std::size_t bytes, const char* function, void*& at) {
    Runtime& runtime = Runtime::get();
    const Symbol* known = runtime.symbol_of(symbol);
    if (known == nullptr)
        return runtime.fail(cudaErrorInvalidSymbol, function, "no kernel uses a variable of that name");
    if (offset + bytes > known->bytes) {
        runtime.fault(FaultKind::copy_past_end, known->address + offset, bytes,
                      "the copy reaches past the end of " + known->name);
        return runtime.fail(cudaErrorInvalidValue, function, "the copy reaches past the end of " + known->name);
    }
    at = reinterpret_cast<void*>(known->address + offset);
    return cudaSuccess;
}

}  // namespace

cudaError_t fill(void* to, int value, std::size_t bytes, const char* function) {
    return fill_rows(to, bytes, value, bytes, 1, function);
}

}  // namespace lanescope::host

extern "C" {

// --- Allocation --------------------------------------------------------------------------------------------------

cudaError_t cudaMalloc(void** out, size_t bytes) {
    LANESCOPE_ENTRY;
    return runtime.allocate(out, bytes, MemoryKind::device, __func__);
}

cudaError_t cudaMallocManaged(void** out, size_t bytes, unsigned int) {
    LANESCOPE_ENTRY;
    if (bytes == 0) return runtime.fail(cudaErrorInvalidValue, __func__, "0 bytes are asked for");
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
    if (pitch == nullptr) return runtime.fail(cudaErrorInvalidValue, __func__, "the place for the pitch is null");
    *pitch = pitched(width);
    return runtime.allocate(out, *pitch * height, MemoryKind::device, __func__);
}

cudaError_t cudaMalloc3D(cudaPitchedPtr* out, cudaExtent extent) {
    LANESCOPE_ENTRY;
    if (out == nullptr) return runtime.fail(cudaErrorInvalidValue, __func__, "the place for the pointer is null");
    out->pitch = pitched(extent.width);
    out->xsize = extent.width;
    out->ysize = extent.height;
    return runtime.allocate(&out->ptr, out->pitch * extent.height * extent.depth, MemoryKind::device, __func__);
}

cudaError_t cudaMallocAsync(void** out, size_t bytes, cudaStream_t) {
    LANESCOPE_ENTRY;
    return runtime.allocate(out, bytes, MemoryKind::device, __func__);
}

cudaError_t cudaMallocFromPoolAsync(void** out, size_t bytes, cudaMemPool_t, cudaStream_t) {
    LANESCOPE_ENTRY;
    return runtime.allocate(out, bytes, MemoryKind::device, __func__);
}

cudaError_t cudaFree(void* pointer) {
    LANESCOPE_ENTRY;
    return runtime.release(pointer, MemoryKind::device, __func__);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t) {
    LANESCOPE_ENTRY;
    return runtime.release(pointer, MemoryKind::device, __func__);
}

cudaError_t cudaFreeHost(void* pointer) {
    LANESCOPE_ENTRY;
    return runtime.release(pointer, MemoryKind::pinned, __func__);
}

cudaError_t cudaHostGetDevicePointer(void** out, void* host, unsigned int) {
    LANESCOPE_ENTRY;
    const Allocation* allocation = runtime.find(host);
    if (allocation == nullptr || allocation->kind != MemoryKind::pinned)
        return runtime.fail(cudaErrorInvalidValue, __func__, "the pointer is not memory of cudaHostAlloc");
    *out = host;
    return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
    LANESCOPE_ENTRY;
    const Allocation* allocation = runtime.find(host);
    if (allocation == nullptr || allocation->kind != MemoryKind::pinned)
        return runtime.fail(cudaErrorInvalidValue, __func__, "the pointer is not memory of cudaHostAlloc");
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}

// Copies from registered memory are right; kernels cannot reach it, for it lies outside device memory.
cudaError_t cudaHostRegister(void*, size_t, unsigned int flags) {
    LANESCOPE_ENTRY;
    if ((flags & cudaHostRegisterMapped) != 0)
        return runtime.fail(cudaErrorNotSupported, __func__,
                            "kernels cannot reach registered host memory here; allocate it with cudaHostAlloc");
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void*) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
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
    return enqueue(stream, __func__, [=] { return copy(to, from, bytes, kind, "cudaMemcpyAsync"); });
}

cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) {
    LANESCOPE_ENTRY;
    return copy(to, from, bytes, cudaMemcpyDeviceToDevice, __func__);
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
                   [=] { return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, "cudaMemcpy2DAsync"); });
}

cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
    LANESCOPE_ENTRY;
    return copy_3d(*parameters, __func__);
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    return enqueue(stream, __func__, [copied = *parameters] { return copy_3d(copied, "cudaMemcpy3DAsync"); });
}

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
    LANESCOPE_ENTRY;
    return fill(to, value, bytes, __func__);
}

cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    return enqueue(stream, __func__, [=] { return fill(to, value, bytes, "cudaMemsetAsync"); });
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
    LANESCOPE_ENTRY;
    return fill_rows(to, pitch, value, width, height, __func__);
}

cudaError_t cudaMemset2DAsync(void* to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    return enqueue(stream, __func__, [=] { return fill_rows(to, pitch, value, width, height, "cudaMemset2DAsync"); });
}

cudaError_t cudaMemset3D(cudaPitchedPtr to, int value, cudaExtent extent) {
    LANESCOPE_ENTRY;
    for (std::size_t z = 0; z < extent.depth; ++z) {
        char* const slice = static_cast<char*>(to.ptr) + z * to.ysize * to.pitch;
        if (const cudaError_t error = fill_rows(slice, to.pitch, value, extent.width, extent.height, __func__))
            return error;
    }
    return cudaSuccess;
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
    return enqueue(stream, __func__, [=] { return copy(at, from, bytes, kind, "cudaMemcpyToSymbolAsync"); });
}

cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
    LANESCOPE_ENTRY;
    void* at = nullptr;
    if (const cudaError_t error = symbol_at(symbol, offset, bytes, __func__, at)) return error;
    return enqueue(stream, __func__, [=] { return copy(to, at, bytes, kind, "cudaMemcpyFromSymbolAsync"); });
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

// --- Pools: there is one, and it is the device's memory ------------------------------------------------------------

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* out, int) {
    LANESCOPE_ENTRY;
    *out = reinterpret_cast<cudaMemPool_t>(&runtime);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* out, int device) { return cudaDeviceGetDefaultMemPool(out, device); }
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* out, const cudaMemPoolProps*) {
    LANESCOPE_ENTRY;
    *out = reinterpret_cast<cudaMemPool_t>(&runtime);
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) {
    LANESCOPE_ENTRY;
    return runtime.refuse(__func__);
}

}  // extern "C"
