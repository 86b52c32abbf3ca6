// CUDA arrays: opaque memory of elements with one to four channels, which a program fills and reads by copies. Here an
// array is row-major device memory and its handle is the address; kernels access it by textures and surfaces
// (textures.cpp).
#include "host/runtime/arrays.h"
#include "base/grouped.h"

#include "host/runtime/runtime.h"
#include "host/runtime/sizes.h"

#include <algorithm>
#include <map>
#include <string>

namespace lanescope::host {

namespace {

std::map<cudaArray_const_t, Array> arrays;  // of the program, freed ones removed

/// By its first channel.
ChannelType type_of(const cudaChannelFormatDesc& channels) {
    const auto pick = [&](ChannelType of_8, ChannelType of_16, ChannelType of_32) {
        return channels.x == 8 ? of_8 : channels.x == 16 ? of_16 : channels.x == 32 ? of_32 : ChannelType::unknown;
    };
    switch (channels.f) {
        case cudaChannelFormatKindSigned: return pick(ChannelType::s8, ChannelType::s16, ChannelType::s32);
        case cudaChannelFormatKindUnsigned: return pick(ChannelType::u8, ChannelType::u16, ChannelType::u32);
        case cudaChannelFormatKindFloat: return pick(ChannelType::unknown, ChannelType::f16, ChannelType::f32);
        default: return ChannelType::unknown;
    }
}

/// One side of a copy in bytes, whether it is an array or a pointer.
struct Place {
    cudaPitchedPtr memory = {};
    std::size_t x = 0, y = 0, z = 0;

    /// The offset of the first byte from the memory's start.
    [[nodiscard]] std::size_t offset() const { return sum(product(sum(product(z, memory.ysize), y), memory.pitch), x); }
    [[nodiscard]] char* at(std::size_t slice) const {
        return static_cast<char*>(memory.ptr) + ((z + slice) * memory.ysize + y) * memory.pitch + x;
    }
};

cudaError_t place_in(cudaArray_const_t handle, std::size_t x, std::size_t y, std::size_t z, cudaExtent bytes,
                     const char* function, Place& place) {
    const Array* const array = array_of(handle, function);
    if (array == nullptr) return cudaErrorInvalidResourceHandle;
    const std::size_t pitch = array->extent.width * array->element_bytes();
    place.memory = {const_cast<cudaArray*>(handle), pitch, pitch, array->rows()};
    place.x = x;
    place.y = y;
    place.z = z;
    const auto fits = [](std::size_t begin, std::size_t count, std::size_t of) {
        return begin <= of && count <= of - begin;
    };
    if (fits(x, bytes.width, pitch) && fits(y, bytes.height, array->rows()) && fits(z, bytes.depth, array->slices()))
        return cudaSuccess;
    Runtime& runtime = Runtime::get();
    const char* const reason = "the copy reaches past the extent of the array";
    runtime.fault(FaultKind::copy_past_end, reinterpret_cast<std::uint64_t>(handle), product(bytes.width, bytes.height),
                  reason);
    return runtime.fail(cudaErrorInvalidValue, function, reason);
}

cudaPitchedPtr plain(const void* pointer, std::size_t pitch) { return {const_cast<void*>(pointer), pitch, pitch, 0}; }

/// The address of a byte of the array. Rows are contiguous, so that a linear copy continues in the next row.
cudaError_t linear(cudaArray_const_t handle, std::size_t x, std::size_t y, const char* function, char*& at) {
    Place place;
    if (const cudaError_t error = place_in(handle, x, y, 0, {0, 0, 1}, function, place)) return error;
    at = place.at(0);
    return cudaSuccess;
}

}  // namespace

const Array* array_of(cudaArray_const_t handle, const char* function) {
    const auto found = arrays.find(handle);
    if (found != arrays.end()) return &found->second;
    Runtime::get().fail(cudaErrorInvalidResourceHandle, function,
                        "the handle is not a CUDA array, or the array is freed");
    return nullptr;
}

cudaError_t allocate_array(cudaArray_t* out, const cudaChannelFormatDesc* channels, cudaExtent extent, unsigned flags,
                           const char* function) {
    Runtime& runtime = Runtime::get();
    if (out == nullptr || channels == nullptr)
        return runtime.fail(cudaErrorInvalidValue, function, "the array or its channel description is null");
    Array array;
    array.channels = *channels;
    array.extent = extent;
    array.flags = flags;
    if (flags & ~unsigned{cudaArraySurfaceLoadStore})
        return runtime.fail(cudaErrorNotSupported, function,
                            "layered, cubemap, gather and sparse arrays are not implemented");
    const int bits[] = {channels->x, channels->y, channels->z, channels->w};
    const bool whole = std::all_of(bits, bits + 4, [](int b) { return b == 0 || b == 8 || b == 16 || b == 32; });
    if (!whole || array.element_bytes() == 0 || extent.width == 0)
        return runtime.fail(cudaErrorInvalidValue, function,
                            "a channel must have 8, 16 or 32 bits, and the width must not be 0");
    if (extent.depth > 0 && extent.height == 0)
        return runtime.fail(cudaErrorInvalidValue, function,
                            "an array with a depth needs a height: layered arrays are not implemented");
    // CUDA C Programming Guide, Technical Specifications: textures of one, two and three dimensions.
    const bool solid = extent.depth > 0, flat = extent.height > 0;
    if (extent.width > (solid ? 16384U : 131072U) || extent.height > (solid ? 16384U : 65536U) || extent.depth > 16384U)
        return runtime.fail(cudaErrorInvalidValue, function,
                            solid  ? "an array has at most 16,384 elements in each of three dimensions"
                            : flat ? "an array has at most 131,072 x 65,536 elements"
                                   : "an array has at most 131,072 elements");
    const std::size_t bytes =
        product(product(array.element_bytes(), extent.width), product(array.rows(), array.slices()));
    const cudaError_t error =
        runtime.allocate(reinterpret_cast<void**>(out), bytes, MemoryKind::array, function, type_of(*channels));
    if (error == cudaSuccess) arrays.insert_or_assign(*out, array);
    return error;
}

cudaError_t free_array(cudaArray_t array, cudaError_t not_live, const char* function) {
    arrays.erase(array);
    return Runtime::get().release(array, MemoryKind::array, function, not_live);
}

cudaError_t copy_2d(cudaArray_const_t to, std::size_t to_x, std::size_t to_y, cudaArray_const_t from,
                    std::size_t from_x, std::size_t from_y, cudaPitchedPtr host, std::size_t width, std::size_t height,
                    cudaMemcpyKind kind, const char* function) {
    const cudaExtent bytes = {width, height, 1};
    Place target, source;
    target.memory = source.memory = host;
    if (to != nullptr)
        if (const cudaError_t error = place_in(to, to_x, to_y, 0, bytes, function, target)) return error;
    if (from != nullptr)
        if (const cudaError_t error = place_in(from, from_x, from_y, 0, bytes, function, source)) return error;
    return copy_rows(target.at(0), target.memory.pitch, source.at(0), source.memory.pitch, width, height, kind,
                     function);
}

Operation operation_of(std::function<cudaError_t()> run, cudaMemcpyKind kind) {
    Operation operation;
    operation.type = cudaGraphNodeTypeMemcpy;
    cudaMemcpy3DParms parameters = {};
    parameters.kind = kind;
    operation.parameters = parameters;
    operation.run = std::move(run);
    return operation;
}

cudaError_t copy_3d(const cudaMemcpy3DParms& p, const char* function) {
    const Array* const to = p.dstArray != nullptr ? array_of(p.dstArray, function) : nullptr;
    const Array* const from = p.srcArray != nullptr ? array_of(p.srcArray, function) : nullptr;
    if ((p.dstArray != nullptr && to == nullptr) || (p.srcArray != nullptr && from == nullptr))
        return cudaErrorInvalidResourceHandle;
    if (to != nullptr && from != nullptr && to->element_bytes() != from->element_bytes())
        return Runtime::get().fail(
            cudaErrorInvalidValue, function,
            "the elements of the two arrays differ in size: " + std::to_string(from->element_bytes()) + " and " +
                lanescope::counted(to->element_bytes(), "byte"));
    // If an array is involved, widths are in its elements; the position of a pointer is in bytes.
    cudaExtent bytes = p.extent;
    if (to != nullptr || from != nullptr)
        bytes.width = product(bytes.width, (to != nullptr ? to : from)->element_bytes());
    Place target, source;
    target = {p.dstPtr, p.dstPos.x, p.dstPos.y, p.dstPos.z};
    source = {p.srcPtr, p.srcPos.x, p.srcPos.y, p.srcPos.z};
    if (to != nullptr)
        if (const cudaError_t error = place_in(p.dstArray, product(p.dstPos.x, to->element_bytes()), p.dstPos.y,
                                               p.dstPos.z, bytes, function, target))
            return error;
    if (from != nullptr)
        if (const cudaError_t error = place_in(p.srcArray, product(p.srcPos.x, from->element_bytes()), p.srcPos.y,
                                               p.srcPos.z, bytes, function, source))
            return error;
    if (bytes.width == 0 || bytes.height == 0 || bytes.depth == 0) return cudaSuccess;
    // Check all slices before copying the first: a later one may lie in another allocation.
    if (to == nullptr)
        if (const cudaError_t error = check_slices(target.memory, target.offset(), bytes, "destination", function))
            return error;
    if (from == nullptr)
        if (const cudaError_t error = check_slices(source.memory, source.offset(), bytes, "source", function))
            return error;
    if (bytes.height == target.memory.ysize && bytes.height == source.memory.ysize) join_slices(bytes);
    for (std::size_t z = 0; z < bytes.depth; ++z) {
        const cudaError_t error = copy_rows(target.at(z), target.memory.pitch, source.at(z), source.memory.pitch,
                                            bytes.width, bytes.height, p.kind, function);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

}  // namespace lanescope::host

using namespace lanescope::host;

extern "C" {

cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t* out, const cudaChannelFormatDesc* channels, size_t width, size_t height,
                            unsigned int flags) {
    LANESCOPE_ENTRY;
    (void)runtime;
    return allocate_array(out, channels, {width, height, 0}, flags, __func__);
}

cudaError_t cudaMalloc3DArray(cudaArray_t* out, const cudaChannelFormatDesc* channels, cudaExtent extent,
                              unsigned int flags) {
    LANESCOPE_ENTRY;
    (void)runtime;
    return allocate_array(out, channels, extent, flags, __func__);
}

cudaError_t cudaFreeArray(cudaArray_t array) {
    LANESCOPE_ENTRY;
    (void)runtime;
    if (array == nullptr) return cudaSuccess;
    return free_array(array, cudaErrorInvalidValue, __func__);
}

cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* channels, cudaExtent* extent, unsigned int* flags,
                             cudaArray_t array) {
    LANESCOPE_ENTRY;
    (void)runtime;
    const Array* const known = array_of(array, __func__);
    if (known == nullptr) return cudaErrorInvalidResourceHandle;
    if (channels != nullptr) *channels = known->channels;
    if (extent != nullptr) *extent = known->extent;
    if (flags != nullptr) *flags = known->flags;
    return cudaSuccess;
}

cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* channels, cudaArray_const_t array) {
    LANESCOPE_ENTRY;
    if (channels == nullptr) return runtime.fail(cudaErrorInvalidValue, __func__, "the output is null");
    const Array* const known = array_of(array, __func__);
    if (known == nullptr) return cudaErrorInvalidResourceHandle;
    *channels = known->channels;
    return cudaSuccess;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    (void)runtime;
    return copy_2d(to, x, y, nullptr, 0, 0, plain(from, pitch), width, height, kind, __func__);
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                     size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    (void)runtime;
    const char* const function = __func__;
    return enqueue(
        stream, function,
        operation_of(
            [=] { return copy_2d(to, x, y, nullptr, 0, 0, plain(from, pitch), width, height, kind, function); }, kind));
}

cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    (void)runtime;
    return copy_2d(nullptr, 0, 0, from, x, y, plain(to, pitch), width, height, kind, __func__);
}

cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                       size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    (void)runtime;
    const char* const function = __func__;
    return enqueue(
        stream, function,
        operation_of(
            [=] { return copy_2d(nullptr, 0, 0, from, x, y, plain(to, pitch), width, height, kind, function); }, kind));
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from, size_t from_x,
                                     size_t from_y, size_t width, size_t height, cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    (void)runtime;
    return copy_2d(to, to_x, to_y, from, from_x, from_y, {}, width, height, kind, __func__);
}

cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    (void)runtime;
    char* at = nullptr;
    if (const cudaError_t error = linear(to, x, y, __func__, at)) return error;
    return copy(at, from, bytes, kind, __func__);
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    (void)runtime;
    return enqueue(stream, __func__,
                   operation_of([=] { return cudaMemcpyToArray(to, x, y, from, bytes, kind); }, kind));
}

cudaError_t cudaMemcpyFromArrayAsync(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    (void)runtime;
    return enqueue(stream, __func__,
                   operation_of([=] { return cudaMemcpyFromArray(to, from, x, y, bytes, kind); }, kind));
}

cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    (void)runtime;
    char* at = nullptr;
    if (const cudaError_t error = linear(from, x, y, __func__, at)) return error;
    return copy(to, at, bytes, kind, __func__);
}

}  // extern "C"
