// CUDA arrays, texture and surface objects and 2D and 3D copies of the driver API: each converts the driver's
// structures and calls the runtime API's implementation.
#include "base/grouped.h"
#include "host/runtime/arrays.h"
#include "host/runtime/driver.h"
#include "host/runtime/sizes.h"
#include "host/runtime/textures.h"

#include <cstddef>
#include <optional>
#include <string>

using namespace lanescope::host;

namespace {

cudaArray_t array_at(CUarray array) { return reinterpret_cast<cudaArray_t>(array); }

/// A channel's kind and bits.
struct Format {
    CUarray_format format;
    cudaChannelFormatKind kind;
    int bits;
};
constexpr Format formats[] = {
    {CU_AD_FORMAT_UNSIGNED_INT8, cudaChannelFormatKindUnsigned, 8},
    {CU_AD_FORMAT_UNSIGNED_INT16, cudaChannelFormatKindUnsigned, 16},
    {CU_AD_FORMAT_UNSIGNED_INT32, cudaChannelFormatKindUnsigned, 32},
    {CU_AD_FORMAT_SIGNED_INT8, cudaChannelFormatKindSigned, 8},
    {CU_AD_FORMAT_SIGNED_INT16, cudaChannelFormatKindSigned, 16},
    {CU_AD_FORMAT_SIGNED_INT32, cudaChannelFormatKindSigned, 32},
    {CU_AD_FORMAT_HALF, cudaChannelFormatKindFloat, 16},
    {CU_AD_FORMAT_FLOAT, cudaChannelFormatKindFloat, 32},
};

CUresult channels_of(CUarray_format format, unsigned count, const char* function, cudaChannelFormatDesc& channels) {
    if (count != 1 && count != 2 && count != 4)
        return fail(CUDA_ERROR_INVALID_VALUE, function, "an element has 1, 2 or 4 channels");
    for (const Format& known : formats) {
        if (known.format != format) continue;
        const auto bits = [&](unsigned channel) { return channel < count ? known.bits : 0; };
        channels = {bits(0), bits(1), bits(2), bits(3), known.kind};
        return CUDA_SUCCESS;
    }
    // Packed, planar, block-compressed and normalized formats, by the numbers that CUDA 13 has.
    const auto number = static_cast<unsigned>(format);
    if (number != 0x50 && (number < 0x91 || number > 0xCB))
        return fail(CUDA_ERROR_INVALID_VALUE, function, "the format is unknown");
    return fail(CUDA_ERROR_NOT_SUPPORTED, function,
                "only channels of 8, 16 or 32 bits are implemented: signed, unsigned and float ones");
}

/// The inverse conversion; all channels of an implemented format have the same size.
void set_format(const cudaChannelFormatDesc& channels, CUarray_format& format, unsigned& count) {
    for (const Format& known : formats)
        if (known.kind == channels.f && known.bits == channels.x) format = known.format;
    count = static_cast<unsigned>((channels.x != 0) + (channels.y != 0) + (channels.z != 0) + (channels.w != 0));
}

CUresult create_array(CUarray* out, CUarray_format format, unsigned channel_count, cudaExtent extent, unsigned flags,
                      const char* function) {
    cudaChannelFormatDesc channels = {};
    if (const CUresult error = channels_of(format, channel_count, function, channels)) return error;
    static_assert(CUDA_ARRAY3D_SURFACE_LDST == cudaArraySurfaceLoadStore, "the flags are those of the runtime API");
    return result_of(allocate_array(reinterpret_cast<cudaArray_t*>(out), &channels, extent, flags, function));
}

CUresult describe(CUarray array, bool has_output, const char* function, CUDA_ARRAY3D_DESCRIPTOR& description) {
    if (!has_output) return fail(CUDA_ERROR_INVALID_VALUE, function, "the output is null");
    const Array* const known = array_of(array_at(array), function);
    if (known == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    description = {};
    description.Width = known->extent.width;
    description.Height = known->extent.height;
    description.Depth = known->extent.depth;
    description.Flags = known->flags;
    set_format(known->channels, description.Format, description.NumChannels);
    return CUDA_SUCCESS;
}

// --- Copies ----------------------------------------------------------------------------------------------------------

/// One side of a copy, from any of the structures; x, pitch and widths in bytes, y and z in rows and slices.
struct Place {
    CUmemorytype type = {};
    void* host = nullptr;
    CUdeviceptr device = 0;
    CUarray array = nullptr;
    std::size_t x = 0, y = 0, z = 0, pitch = 0, height = 0;
    const char* which = "";
};

/// Converts a side to the runtime's parameters: positions in an array are in elements, of a pointer in bytes.
CUresult set_side(const Place& place, const cudaExtent& bytes, const char* function, cudaArray_t& array,
                  cudaPitchedPtr& pointer, cudaPos& position) {
    const std::string side = std::string(" of the ") + place.which;
    if (place.type == CU_MEMORYTYPE_ARRAY) {
        if (place.array == nullptr) return fail(CUDA_ERROR_INVALID_VALUE, function, "the array" + side + " is null");
        const Array* const known = array_of(array_at(place.array), function);
        if (known == nullptr) return CUDA_ERROR_INVALID_HANDLE;
        const std::size_t element = known->element_bytes();
        if (place.x % element != 0 || bytes.width % element != 0)
            return fail(CUDA_ERROR_INVALID_VALUE, function,
                        "the offset and the width in bytes must be multiples of an element" + side + ", which has " +
                            lanescope::counted(element, "byte"));
        array = array_at(place.array);
        position = {place.x / element, place.y, place.z};
        return CUDA_SUCCESS;
    }
    if (place.type != CU_MEMORYTYPE_HOST && place.type != CU_MEMORYTYPE_DEVICE && place.type != CU_MEMORYTYPE_UNIFIED)
        return fail(CUDA_ERROR_INVALID_VALUE, function, "the memory type" + side + " is unknown");
    if (place.pitch != 0 && place.pitch < sum(place.x, bytes.width))
        return fail(CUDA_ERROR_INVALID_VALUE, function, "the pitch" + side + " is smaller than offset and width");
    // As measured on an H100: a slice height of 0 means the height of the copy.
    if (place.height != 0 && place.height < sum(place.y, bytes.height))
        return fail(CUDA_ERROR_INVALID_VALUE, function,
                    "the height of a slice" + side + " is smaller than offset and height of the copy");
    void* const begin = place.type == CU_MEMORYTYPE_HOST ? place.host : pointer_of(place.device);
    const std::size_t pitch = place.pitch != 0 ? place.pitch : bytes.width;
    pointer = {begin, pitch, pitch, place.height != 0 ? place.height : bytes.height};
    position = {place.x, place.y, place.z};
    return CUDA_SUCCESS;
}

CUresult parameters_of(const Place& to, const Place& from, cudaExtent bytes, cudaMemcpyKind kind, const char* function,
                       cudaMemcpy3DParms& parameters) {
    parameters = {};
    if (const CUresult error =
            set_side(from, bytes, function, parameters.srcArray, parameters.srcPtr, parameters.srcPos))
        return error;
    if (const CUresult error = set_side(to, bytes, function, parameters.dstArray, parameters.dstPtr, parameters.dstPos))
        return error;
    parameters.kind = kind;
    parameters.extent = bytes;
    cudaArray* const any = parameters.dstArray != nullptr ? parameters.dstArray : parameters.srcArray;
    if (any != nullptr) parameters.extent.width /= array_of(any, function)->element_bytes();
    return CUDA_SUCCESS;
}

CUresult parameters_of(const CUDA_MEMCPY2D* p, const char* function, cudaMemcpy3DParms& parameters) {
    if (p == nullptr) return fail(CUDA_ERROR_INVALID_VALUE, function, "the parameters are null");
    Place to, from;
    to = {p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray, p->dstXInBytes,
          p->dstY,          0,          p->dstPitch,  0,           "destination"};
    from = {p->srcMemoryType,
            const_cast<void*>(p->srcHost),
            p->srcDevice,
            p->srcArray,
            p->srcXInBytes,
            p->srcY,
            0,
            p->srcPitch,
            0,
            "source"};
    return parameters_of(to, from, {p->WidthInBytes, p->Height, 1}, cudaMemcpyDefault, function, parameters);
}

CUresult parameters_of(const CUDA_MEMCPY3D* p, const char* function, cudaMemcpy3DParms& parameters) {
    if (p == nullptr) return fail(CUDA_ERROR_INVALID_VALUE, function, "the parameters are null");
    if (p->srcLOD != 0 || p->dstLOD != 0)
        return fail(CUDA_ERROR_INVALID_VALUE, function, "srcLOD and dstLOD must be 0");
    Place to, from;
    to = {p->dstMemoryType, p->dstHost, p->dstDevice, p->dstArray,  p->dstXInBytes,
          p->dstY,          p->dstZ,    p->dstPitch,  p->dstHeight, "destination"};
    from = {p->srcMemoryType, const_cast<void*>(p->srcHost),
            p->srcDevice,     p->srcArray,
            p->srcXInBytes,   p->srcY,
            p->srcZ,          p->srcPitch,
            p->srcHeight,     "source"};
    return parameters_of(to, from, {p->WidthInBytes, p->Height, p->Depth}, cudaMemcpyDefault, function, parameters);
}

/// One side of a copy of bytes in one row. As measured on an H100, the bytes need not be whole elements and do not
/// continue in the array's next row.
struct Run {
    bool is_array = false;
    CUarray array = nullptr;
    std::size_t offset = 0;        ///< in bytes
    const void* memory = nullptr;  ///< where the side is no array
};
Run in_array(CUarray array, std::size_t offset) { return {true, array, offset, nullptr}; }
Run in_memory(const void* memory) { return {false, nullptr, 0, memory}; }

CUresult check_run(const Run& run, const char* function) {
    if (!run.is_array) return CUDA_SUCCESS;
    if (run.array == nullptr) return fail(CUDA_ERROR_INVALID_VALUE, function, "the array is null");
    return array_of(array_at(run.array), function) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

cudaError_t copy_run(const Run& to, const Run& from, std::size_t bytes, cudaMemcpyKind kind, const char* function) {
    const void* const memory = to.is_array ? from.memory : to.memory;
    return copy_2d(array_at(to.array), to.offset, 0, array_at(from.array), from.offset, 0,
                   {const_cast<void*>(memory), bytes, bytes, 0}, bytes, 1, kind, function);
}

CUresult check_and_copy(const Run& to, const Run& from, std::size_t bytes, cudaMemcpyKind kind, const char* function) {
    if (const CUresult error = check_run(to, function)) return error;
    if (const CUresult error = check_run(from, function)) return error;
    return result_of(copy_run(to, from, bytes, kind, function));
}

CUresult check_and_enqueue(const Run& to, const Run& from, std::size_t bytes, cudaMemcpyKind kind, CUstream stream,
                           const char* function) {
    if (const CUresult error = check_run(to, function)) return error;
    if (const CUresult error = check_run(from, function)) return error;
    return result_of(
        enqueue(stream, function, operation_of([=] { return copy_run(to, from, bytes, kind, function); }, kind)));
}

CUresult enqueue_copy(const cudaMemcpy3DParms& parameters, CUstream stream, const char* function) {
    return result_of(enqueue(stream, function, copy_operation(parameters, function)));
}

// --- Descriptions of textures and surfaces ---------------------------------------------------------------------------

CUresult resource_from(const CUDA_RESOURCE_DESC& given, const char* function, cudaResourceDesc& resource) {
    if (given.flags != 0) return fail(CUDA_ERROR_INVALID_VALUE, function, "the flags of the resource must be 0");
    resource = {};
    switch (given.resType) {
        case CU_RESOURCE_TYPE_ARRAY:
            if (given.res.array.hArray == nullptr)
                return fail(CUDA_ERROR_INVALID_VALUE, function, "the array of the resource is null");
            resource.resType = cudaResourceTypeArray;
            resource.res.array.array = array_at(given.res.array.hArray);
            return CUDA_SUCCESS;
        case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY: resource.resType = cudaResourceTypeMipmappedArray; return CUDA_SUCCESS;
        case CU_RESOURCE_TYPE_LINEAR: {
            const auto& linear = given.res.linear;
            resource.resType = cudaResourceTypeLinear;
            resource.res.linear.devPtr = pointer_of(linear.devPtr);
            resource.res.linear.sizeInBytes = linear.sizeInBytes;
            return channels_of(linear.format, linear.numChannels, function, resource.res.linear.desc);
        }
        case CU_RESOURCE_TYPE_PITCH2D: {
            const auto& pitched = given.res.pitch2D;
            resource.resType = cudaResourceTypePitch2D;
            resource.res.pitch2D.devPtr = pointer_of(pitched.devPtr);
            resource.res.pitch2D.width = pitched.width;
            resource.res.pitch2D.height = pitched.height;
            resource.res.pitch2D.pitchInBytes = pitched.pitchInBytes;
            return channels_of(pitched.format, pitched.numChannels, function, resource.res.pitch2D.desc);
        }
        default: return fail(CUDA_ERROR_INVALID_VALUE, function, "the type of the resource is unknown");
    }
}

/// The resource of an object that exists: it is an array, linear or pitched memory.
CUDA_RESOURCE_DESC resource_to(const cudaResourceDesc& resource) {
    CUDA_RESOURCE_DESC out = {};
    if (resource.resType == cudaResourceTypeArray) {
        out.resType = CU_RESOURCE_TYPE_ARRAY;
        out.res.array.hArray = reinterpret_cast<CUarray>(resource.res.array.array);
    } else if (resource.resType == cudaResourceTypeLinear) {
        auto& linear = out.res.linear;
        out.resType = CU_RESOURCE_TYPE_LINEAR;
        linear.devPtr = reinterpret_cast<CUdeviceptr>(resource.res.linear.devPtr);
        linear.sizeInBytes = resource.res.linear.sizeInBytes;
        set_format(resource.res.linear.desc, linear.format, linear.numChannels);
    } else {
        auto& pitched = out.res.pitch2D;
        out.resType = CU_RESOURCE_TYPE_PITCH2D;
        pitched.devPtr = reinterpret_cast<CUdeviceptr>(resource.res.pitch2D.devPtr);
        pitched.width = resource.res.pitch2D.width;
        pitched.height = resource.res.pitch2D.height;
        pitched.pitchInBytes = resource.res.pitch2D.pitchInBytes;
        set_format(resource.res.pitch2D.desc, pitched.format, pitched.numChannels);
    }
    return out;
}

constexpr unsigned no_trilinear_optimization = 0x20, seamless_cubemap = 0x40;  // CU_TRSF_..., of newer toolkits

CUresult texture_from(const CUDA_TEXTURE_DESC& given, const char* function, cudaTextureDesc& texture) {
    constexpr unsigned known =
        CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB | no_trilinear_optimization;
    if (given.flags & seamless_cubemap)
        return fail(CUDA_ERROR_INVALID_VALUE, function, "CU_TRSF_SEAMLESS_CUBEMAP needs a cubemap array");
    if (given.flags & ~known)
        return fail(CUDA_ERROR_INVALID_VALUE, function, "the texture's flags are not a combination of CU_TRSF_...");
    texture = {};
    for (int i = 0; i < 3; ++i) texture.addressMode[i] = static_cast<cudaTextureAddressMode>(given.addressMode[i]);
    for (int i = 0; i < 4; ++i) texture.borderColor[i] = given.borderColor[i];
    texture.filterMode = static_cast<cudaTextureFilterMode>(given.filterMode);
    texture.readMode = given.flags & CU_TRSF_READ_AS_INTEGER ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
    texture.normalizedCoords = (given.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0 ? 1 : 0;
    texture.sRGB = (given.flags & CU_TRSF_SRGB) != 0 ? 1 : 0;
    texture.disableTrilinearOptimization = (given.flags & no_trilinear_optimization) != 0 ? 1 : 0;
    texture.maxAnisotropy = given.maxAnisotropy;
    texture.mipmapFilterMode = static_cast<cudaTextureFilterMode>(given.mipmapFilterMode);
    texture.mipmapLevelBias = given.mipmapLevelBias;
    texture.minMipmapLevelClamp = given.minMipmapLevelClamp;
    texture.maxMipmapLevelClamp = given.maxMipmapLevelClamp;
    return CUDA_SUCCESS;
}

CUDA_TEXTURE_DESC texture_to(const cudaTextureDesc& texture) {
    CUDA_TEXTURE_DESC out = {};
    for (int i = 0; i < 3; ++i) out.addressMode[i] = static_cast<CUaddress_mode>(texture.addressMode[i]);
    for (int i = 0; i < 4; ++i) out.borderColor[i] = texture.borderColor[i];
    out.filterMode = static_cast<CUfilter_mode>(texture.filterMode);
    if (texture.readMode == cudaReadModeElementType) out.flags |= CU_TRSF_READ_AS_INTEGER;
    if (texture.normalizedCoords != 0) out.flags |= CU_TRSF_NORMALIZED_COORDINATES;
    if (texture.disableTrilinearOptimization != 0) out.flags |= no_trilinear_optimization;
    out.maxAnisotropy = texture.maxAnisotropy;
    out.mipmapFilterMode = static_cast<CUfilter_mode>(texture.mipmapFilterMode);
    out.mipmapLevelBias = texture.mipmapLevelBias;
    out.minMipmapLevelClamp = texture.minMipmapLevelClamp;
    out.maxMipmapLevelClamp = texture.maxMipmapLevelClamp;
    return out;
}

CUresult describe_resource(CUDA_RESOURCE_DESC* out, std::uint64_t handle, bool surface, const char* function) {
    cudaResourceDesc resource = {};
    if (const cudaError_t error = resource_of(out != nullptr ? &resource : nullptr, handle, surface, function))
        return result_of(error);
    *out = resource_to(resource);
    return CUDA_SUCCESS;
}

}  // namespace

extern "C" {

// --- CUDA arrays -----------------------------------------------------------------------------------------------------

CUresult cuArrayCreate(CUarray* out, const CUDA_ARRAY_DESCRIPTOR* description) {
    LANESCOPE_DRIVER_ENTRY;
    if (out == nullptr || description == nullptr)
        return fail(CUDA_ERROR_INVALID_VALUE, __func__, "the output or the description is null");
    return create_array(out, description->Format, description->NumChannels,
                        {description->Width, description->Height, 0}, 0, __func__);
}
CUresult cuArray3DCreate(CUarray* out, const CUDA_ARRAY3D_DESCRIPTOR* description) {
    LANESCOPE_DRIVER_ENTRY;
    if (out == nullptr || description == nullptr)
        return fail(CUDA_ERROR_INVALID_VALUE, __func__, "the output or the description is null");
    return create_array(out, description->Format, description->NumChannels,
                        {description->Width, description->Height, description->Depth}, description->Flags, __func__);
}
CUresult cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR* out, CUarray array) {
    LANESCOPE_DRIVER_ENTRY;
    CUDA_ARRAY3D_DESCRIPTOR all;
    if (const CUresult error = describe(array, out != nullptr, __func__, all)) return error;
    *out = {};
    out->Width = all.Width;
    out->Height = all.Height;
    out->Format = all.Format;
    out->NumChannels = all.NumChannels;
    return CUDA_SUCCESS;
}
CUresult cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR* out, CUarray array) {
    LANESCOPE_DRIVER_ENTRY;
    CUDA_ARRAY3D_DESCRIPTOR all;
    if (const CUresult error = describe(array, out != nullptr, __func__, all)) return error;
    *out = all;
    return CUDA_SUCCESS;
}
CUresult cuArrayDestroy(CUarray array) {
    LANESCOPE_DRIVER_ENTRY;
    if (array == nullptr) return fail(CUDA_ERROR_INVALID_HANDLE, __func__, "the array is null");
    return result_of(free_array(array_at(array), cudaErrorInvalidResourceHandle, __func__));
}

// --- Copies ----------------------------------------------------------------------------------------------------------

CUresult cuMemcpyHtoA(CUarray to, size_t offset, const void* from, size_t bytes) {
    LANESCOPE_DRIVER_ENTRY;
    return check_and_copy(in_array(to, offset), in_memory(from), bytes, cudaMemcpyHostToDevice, __func__);
}
CUresult cuMemcpyAtoH(void* to, CUarray from, size_t offset, size_t bytes) {
    LANESCOPE_DRIVER_ENTRY;
    return check_and_copy(in_memory(to), in_array(from, offset), bytes, cudaMemcpyDeviceToHost, __func__);
}
CUresult cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes) {
    LANESCOPE_DRIVER_ENTRY;
    return check_and_copy(in_array(to, offset), in_memory(pointer_of(from)), bytes, cudaMemcpyDeviceToDevice, __func__);
}
CUresult cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes) {
    LANESCOPE_DRIVER_ENTRY;
    return check_and_copy(in_memory(pointer_of(to)), in_array(from, offset), bytes, cudaMemcpyDeviceToDevice, __func__);
}
CUresult cuMemcpyAtoA(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes) {
    LANESCOPE_DRIVER_ENTRY;
    if (const CUresult error = check_run(in_array(to, to_offset), __func__)) return error;
    if (const CUresult error = check_run(in_array(from, from_offset), __func__)) return error;
    const std::size_t element = array_of(array_at(to), __func__)->element_bytes();
    if (array_of(array_at(from), __func__)->element_bytes() != element || bytes % element != 0)
        return fail(CUDA_ERROR_INVALID_VALUE, __func__,
                    "the elements of both arrays must have the same size, and the bytes must be a multiple of it");
    return check_and_copy(in_array(to, to_offset), in_array(from, from_offset), bytes, cudaMemcpyDeviceToDevice,
                          __func__);
}
CUresult cuMemcpyHtoAAsync(CUarray to, size_t offset, const void* from, size_t bytes, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return check_and_enqueue(in_array(to, offset), in_memory(from), bytes, cudaMemcpyHostToDevice, stream, __func__);
}
CUresult cuMemcpyAtoHAsync(void* to, CUarray from, size_t offset, size_t bytes, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    return check_and_enqueue(in_memory(to), in_array(from, offset), bytes, cudaMemcpyDeviceToHost, stream, __func__);
}

CUresult cuMemcpy2D(const CUDA_MEMCPY2D* p) {
    LANESCOPE_DRIVER_ENTRY;
    cudaMemcpy3DParms parameters;
    if (const CUresult error = parameters_of(p, __func__, parameters)) return error;
    return result_of(copy_3d(parameters, __func__));
}
// Any pitch is supported here, so that this is cuMemcpy2D.
CUresult cuMemcpy2DUnaligned(const CUDA_MEMCPY2D* p) {
    LANESCOPE_DRIVER_ENTRY;
    cudaMemcpy3DParms parameters;
    if (const CUresult error = parameters_of(p, __func__, parameters)) return error;
    return result_of(copy_3d(parameters, __func__));
}
CUresult cuMemcpy2DAsync(const CUDA_MEMCPY2D* p, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    cudaMemcpy3DParms parameters;
    if (const CUresult error = parameters_of(p, __func__, parameters)) return error;
    return enqueue_copy(parameters, stream, __func__);
}
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* p) {
    LANESCOPE_DRIVER_ENTRY;
    cudaMemcpy3DParms parameters;
    if (const CUresult error = parameters_of(p, __func__, parameters)) return error;
    return result_of(copy_3d(parameters, __func__));
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* p, CUstream stream) {
    LANESCOPE_DRIVER_ENTRY;
    cudaMemcpy3DParms parameters;
    if (const CUresult error = parameters_of(p, __func__, parameters)) return error;
    return enqueue_copy(parameters, stream, __func__);
}

// --- Texture and surface objects -------------------------------------------------------------------------------------

CUresult cuTexObjectCreate(CUtexObject* out, const CUDA_RESOURCE_DESC* resource, const CUDA_TEXTURE_DESC* texture,
                           const CUDA_RESOURCE_VIEW_DESC* view) {
    LANESCOPE_DRIVER_ENTRY;
    if (out == nullptr || resource == nullptr || texture == nullptr)
        return fail(CUDA_ERROR_INVALID_VALUE, __func__, "the output or a description is null");
    if (view != nullptr && view->format != CU_RES_VIEW_FORMAT_NONE)
        return fail(CUDA_ERROR_NOT_SUPPORTED, __func__, "resource views are not implemented");
    cudaResourceDesc of_resource;
    cudaTextureDesc of_texture;
    if (const CUresult error = resource_from(*resource, __func__, of_resource)) return error;
    if (const CUresult error = texture_from(*texture, __func__, of_texture)) return error;
    return result_of(
        create_texture(reinterpret_cast<std::uint64_t*>(out), of_resource, of_texture, Words::kept, __func__));
}
CUresult cuTexObjectDestroy(CUtexObject texture) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(destroy_object(texture, false, __func__));
}
CUresult cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* out, CUtexObject texture) {
    LANESCOPE_DRIVER_ENTRY;
    return describe_resource(out, texture, false, __func__);
}
CUresult cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* out, CUtexObject texture) {
    LANESCOPE_DRIVER_ENTRY;
    cudaTextureDesc known = {};
    if (const cudaError_t error = sampling_of(out != nullptr ? &known : nullptr, texture, __func__))
        return result_of(error);
    *out = texture_to(known);
    return CUDA_SUCCESS;
}
CUresult cuSurfObjectCreate(CUsurfObject* out, const CUDA_RESOURCE_DESC* resource) {
    LANESCOPE_DRIVER_ENTRY;
    if (out == nullptr || resource == nullptr)
        return fail(CUDA_ERROR_INVALID_VALUE, __func__, "the output or the description is null");
    cudaResourceDesc of_resource;
    if (const CUresult error = resource_from(*resource, __func__, of_resource)) return error;
    return result_of(create_surface(reinterpret_cast<std::uint64_t*>(out), of_resource, __func__));
}
CUresult cuSurfObjectDestroy(CUsurfObject surface) {
    LANESCOPE_DRIVER_ENTRY;
    return result_of(destroy_object(surface, true, __func__));
}
CUresult cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* out, CUsurfObject surface) {
    LANESCOPE_DRIVER_ENTRY;
    return describe_resource(out, surface, true, __func__);
}

}  // extern "C"
