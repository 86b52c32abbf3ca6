// Texture and surface objects: descriptions of memory that a kernel accesses by coordinates. A handle is the address of
// the object in device memory (base/texture_object.h), which the program itself cannot access.
#include "host/runtime/textures.h"

#include "base/grouped.h"
#include "base/texture_object.h"
#include "host/runtime/arrays.h"
#include "host/runtime/runtime.h"
#include "host/runtime/sizes.h"

#include <cstring>
#include <map>
#include <string>

namespace lanescope::host {

namespace {

struct Description {
    cudaResourceDesc resource = {};
    cudaTextureDesc texture = {};
    bool surface = false;
};
std::map<std::uint64_t, Description> objects;  // by handle, destroyed ones removed

/// Layered and cubemap textures need no check here: their arrays cannot be created.
constexpr const char* no_mipmaps = "mipmapped textures are not implemented";

cudaError_t set_format(TextureObject& object, const cudaChannelFormatDesc& channels, const char* function) {
    Runtime& runtime = Runtime::get();
    const int bits[] = {channels.x, channels.y, channels.z, channels.w};
    unsigned count = 0;
    while (count < 4 && bits[count] != 0) ++count;
    bool sound = count == 1 || count == 2 || count == 4;
    for (unsigned i = 0; i < 4; ++i) sound = sound && bits[i] == (i < count ? bits[0] : 0);
    if (!sound || (bits[0] != 8 && bits[0] != 16 && bits[0] != 32))
        return runtime.fail(cudaErrorInvalidChannelDescriptor, function,
                            "a texel has 1, 2 or 4 channels of 8, 16 or 32 bits, all of one size");
    object.channels = count;
    object.channel_bytes = static_cast<std::uint32_t>(bits[0]) / 8;
    switch (channels.f) {
        case cudaChannelFormatKindSigned: object.format = TextureObject::signed_number; break;
        case cudaChannelFormatKindUnsigned: object.format = TextureObject::unsigned_number; break;
        case cudaChannelFormatKindFloat:
            if (bits[0] == 8)
                return runtime.fail(cudaErrorInvalidChannelDescriptor, function, "a float has 16 or 32 bits");
            object.format = TextureObject::real;
            break;
        default:
            return runtime.fail(cudaErrorNotSupported, function,
                                "only signed, unsigned and float channels are implemented");
    }
    return cudaSuccess;
}

/// Checks that `bytes` from the pointer on lie in the program's device memory, and that the pointer is aligned.
cudaError_t check_memory(const void* pointer, std::uint64_t bytes, std::uint64_t alignment, const char* function) {
    Runtime& runtime = Runtime::get();
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const Allocation* const memory = runtime.find(pointer);
    if (memory == nullptr || memory->freed)
        return runtime.fail(cudaErrorInvalidValue, function, "the resource's pointer is not in live device memory");
    if (address % alignment != 0)
        return runtime.fail(cudaErrorInvalidValue, function,
                            "the resource's pointer is not aligned to " + counted(alignment, "byte"));
    if (bytes > memory->address + memory->bytes - address)
        return runtime.fail(cudaErrorInvalidValue, function, "the resource reaches past the end of its memory");
    return cudaSuccess;
}

cudaError_t set_resource(TextureObject& object, const cudaResourceDesc& resource, const char* function) {
    Runtime& runtime = Runtime::get();
    constexpr std::uint64_t alignment = 512;  // cudaDevAttrTextureAlignment
    switch (resource.resType) {
        case cudaResourceTypeArray: {
            const Array* const array = array_of(resource.res.array.array, function);
            if (array == nullptr) return cudaErrorInvalidResourceHandle;
            object.resource = TextureObject::array;
            object.memory = reinterpret_cast<std::uint64_t>(resource.res.array.array);
            object.width = array->extent.width;
            object.height = array->rows();
            object.depth = array->slices();
            object.pitch = array->extent.width * array->element_bytes();
            object.slice = object.pitch * object.height;
            return set_format(object, array->channels, function);
        }
        case cudaResourceTypeLinear: {
            const auto& linear = resource.res.linear;
            if (const cudaError_t error = set_format(object, linear.desc, function)) return error;
            if (const cudaError_t error = check_memory(linear.devPtr, linear.sizeInBytes, alignment, function))
                return error;
            object.resource = TextureObject::linear;
            object.memory = reinterpret_cast<std::uint64_t>(linear.devPtr);
            object.width = linear.sizeInBytes / (std::uint64_t{object.channels} * object.channel_bytes);
            break;
        }
        case cudaResourceTypePitch2D: {
            const auto& pitched = resource.res.pitch2D;
            if (const cudaError_t error = set_format(object, pitched.desc, function)) return error;
            // cudaDeviceProp::maxTexture2DLinear
            if (pitched.width > 131072 || pitched.height > 65000)
                return runtime.fail(cudaErrorInvalidValue, function,
                                    "a texture of pitched memory has at most 131,072 x 65,000 elements");
            const std::uint64_t row = pitched.width * object.channels * object.channel_bytes;
            if (pitched.height == 0 || pitched.pitchInBytes < row || pitched.pitchInBytes % 32 != 0)
                return runtime.fail(cudaErrorInvalidValue, function,
                                    "the pitch is smaller than a row, or no multiple of 32 bytes");
            if (const cudaError_t error = check_memory(
                    pitched.devPtr, bytes_of_rows(pitched.pitchInBytes, row, pitched.height), alignment, function))
                return error;
            object.resource = TextureObject::pitched;
            object.memory = reinterpret_cast<std::uint64_t>(pitched.devPtr);
            object.width = pitched.width;
            object.height = pitched.height;
            object.pitch = pitched.pitchInBytes;
            break;
        }
        case cudaResourceTypeMipmappedArray: return runtime.fail(cudaErrorNotSupported, function, no_mipmaps);
        default: return runtime.fail(cudaErrorInvalidValue, function, "the type of the resource is unknown");
    }
    if (object.width == 0) return runtime.fail(cudaErrorInvalidValue, function, "the resource has no texel");
    return cudaSuccess;
}

TextureObject::Address address_of(cudaTextureAddressMode mode) {
    switch (mode) {
        case cudaAddressModeWrap: return TextureObject::wrap;
        case cudaAddressModeMirror: return TextureObject::mirror;
        case cudaAddressModeBorder: return TextureObject::border;
        default: return TextureObject::clamp;
    }
}

cudaError_t set_sampling(TextureObject& object, const cudaTextureDesc& texture, Words words, const char* function) {
    Runtime& runtime = Runtime::get();
    for (int i = 0; i < 3; ++i) object.address[i] = address_of(texture.addressMode[i]);
    object.normalized_coordinates = texture.normalizedCoords != 0 ? 1 : 0;
    const bool real = object.format == TextureObject::real;
    const bool kept = words == Words::kept && object.channel_bytes == 4;
    object.normalized_values = texture.readMode == cudaReadModeNormalizedFloat && !real && !kept ? 1 : 0;
    object.interpolates = texture.filterMode == cudaFilterModeLinear ? 1 : 0;
    if (object.normalized_values != 0 && object.channel_bytes == 4)
        return runtime.fail(cudaErrorInvalidNormSetting, function,
                            "32-bit integers cannot be read as normalized floats");
    if (object.interpolates != 0 && !real && object.normalized_values == 0)
        return runtime.fail(cudaErrorInvalidFilterSetting, function,
                            "linear filtering needs floats, or integers read as normalized floats");
    if (texture.sRGB != 0) return runtime.fail(cudaErrorNotSupported, function, "sRGB textures are not implemented");
    bool colored = false;
    for (int i = 0; i < 4; ++i) {
        object.border_color[i] = texture.borderColor[i];
        colored = colored || texture.borderColor[i] != 0;
    }
    if (colored && !real && object.normalized_values == 0)
        return runtime.fail(cudaErrorNotSupported, function,
                            "a border color other than 0 is not implemented for integer textures");
    return cudaSuccess;
}

/// Puts the object into device memory.
cudaError_t create(std::uint64_t* handle, const TextureObject& object, const Description& description,
                   const char* function) {
    Runtime& runtime = Runtime::get();
    // Passes the variable of the handle as that of the pointer, so that the object is named after it.
    if (const cudaError_t error =
            runtime.allocate(reinterpret_cast<void**>(handle), sizeof object, MemoryKind::object, function))
        return error;
    std::memcpy(runtime.window(reinterpret_cast<void*>(*handle)), &object, sizeof object);
    Header header;
    header.call = Call::write;
    header.a = *handle;
    header.b = sizeof object;
    header.c = static_cast<std::uint64_t>(WriteKind::from_host);
    runtime.ask(header);
    objects[*handle] = description;
    runtime.remark(
        "Textures and surfaces have a cache of their own, which is not modeled: their sectors are not counted");
    if (object.interpolates != 0)
        runtime.remark(
            "Linear filtering uses weights with 8 fractional bits, as measured on an H100; the last bits of a result "
            "may differ from a GPU's");
    return cudaSuccess;
}

const Description* object_of(std::uint64_t handle, bool surface, const char* function) {
    const auto found = objects.find(handle);
    if (found != objects.end() && found->second.surface == surface) return &found->second;
    Runtime::get().fail(cudaErrorInvalidValue, function,
                        std::string("the handle is not a live ") + (surface ? "surface" : "texture") + " object");
    return nullptr;
}

}  // namespace

cudaError_t create_texture(std::uint64_t* out, const cudaResourceDesc& resource, const cudaTextureDesc& texture,
                           Words words, const char* function) {
    TextureObject object;
    object.magic = TextureObject::texture_magic;
    if (const cudaError_t error = set_resource(object, resource, function)) return error;
    if (const cudaError_t error = set_sampling(object, texture, words, function)) return error;
    return create(out, object, {resource, texture, false}, function);
}

cudaError_t create_surface(std::uint64_t* out, const cudaResourceDesc& resource, const char* function) {
    Runtime& runtime = Runtime::get();
    if (resource.resType != cudaResourceTypeArray)
        return runtime.fail(cudaErrorInvalidValue, function, "a surface needs a CUDA array");
    TextureObject object;
    object.magic = TextureObject::surface_magic;
    if (const cudaError_t error = set_resource(object, resource, function)) return error;
    if ((array_of(resource.res.array.array, function)->flags & cudaArraySurfaceLoadStore) == 0)
        runtime.remark(
            "A surface object is created on an array without cudaArraySurfaceLoadStore, which CUDA requires");
    return create(out, object, {resource, {}, true}, function);
}

cudaError_t destroy_object(std::uint64_t handle, bool surface, const char* function) {
    if (handle == 0) return cudaSuccess;
    if (object_of(handle, surface, function) == nullptr) return cudaErrorInvalidValue;
    objects.erase(handle);
    return Runtime::get().release(reinterpret_cast<void*>(handle), MemoryKind::object, function);
}

cudaError_t resource_of(cudaResourceDesc* out, std::uint64_t handle, bool surface, const char* function) {
    const Description* const known = object_of(handle, surface, function);
    if (known == nullptr) return cudaErrorInvalidValue;
    if (out == nullptr) return Runtime::get().fail(cudaErrorInvalidValue, function, "the output is null");
    *out = known->resource;
    return cudaSuccess;
}

cudaError_t sampling_of(cudaTextureDesc* out, std::uint64_t handle, const char* function) {
    const Description* const known = object_of(handle, false, function);
    if (known == nullptr) return cudaErrorInvalidValue;
    if (out == nullptr) return Runtime::get().fail(cudaErrorInvalidValue, function, "the output is null");
    *out = known->texture;
    return cudaSuccess;
}

}  // namespace lanescope::host

using namespace lanescope;
using namespace lanescope::host;

extern "C" {

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* out, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* texture, const cudaResourceViewDesc* view) {
    LANESCOPE_ENTRY;
    if (out == nullptr || resource == nullptr || texture == nullptr)
        return runtime.fail(cudaErrorInvalidValue, __func__, "the output or a description is null");
    if (view != nullptr && view->format != cudaResViewFormatNone)
        return runtime.fail(cudaErrorNotSupported, __func__, "resource views are not implemented");
    return create_texture(reinterpret_cast<std::uint64_t*>(out), *resource, *texture, Words::refused, __func__);
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture) {
    LANESCOPE_ENTRY;
    (void)runtime;
    return destroy_object(texture, false, __func__);
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* out, cudaTextureObject_t texture) {
    LANESCOPE_ENTRY;
    (void)runtime;
    return resource_of(out, texture, false, __func__);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* out, cudaTextureObject_t texture) {
    LANESCOPE_ENTRY;
    (void)runtime;
    return sampling_of(out, texture, __func__);
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* out, const cudaResourceDesc* resource) {
    LANESCOPE_ENTRY;
    if (out == nullptr || resource == nullptr)
        return runtime.fail(cudaErrorInvalidValue, __func__, "the output or the description is null");
    return create_surface(reinterpret_cast<std::uint64_t*>(out), *resource, __func__);
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t surface) {
    LANESCOPE_ENTRY;
    (void)runtime;
    return destroy_object(surface, true, __func__);
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* out, cudaSurfaceObject_t surface) {
    LANESCOPE_ENTRY;
    (void)runtime;
    return resource_of(out, surface, true, __func__);
}

}  // extern "C"
