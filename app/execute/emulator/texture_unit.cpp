#include "execute/emulator/texture_unit.h"

#include "execute/emulator/lane_values.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope::execute {

namespace {

std::optional<TextureObject> object_at(LaunchState& launch, std::uint64_t handle, std::uint64_t magic) {
    const Region* const region = launch.find(handle);
    TextureObject object;
    if (region == nullptr || region->data() == nullptr || handle - region->base() > region->bytes() - sizeof object ||
        region->bytes() < sizeof object)
        return std::nullopt;
    std::memcpy(&object, region->data() + (handle - region->base()), sizeof object);
    // A program may have overwritten the object with anything.
    constexpr std::uint64_t most = std::uint64_t{1} << 32U;
    const bool sound = object.magic == magic && object.width <= most && object.height <= most && object.depth <= most &&
                       object.channels >= 1 && object.channels <= 4 &&
                       (object.channel_bytes == 1 || object.channel_bytes == 2 || object.channel_bytes == 4);
    return sound ? std::optional(object) : std::nullopt;
}

template <class T>
std::array<T, 3> coordinates_of(const Warp& warp, const TexelAccess& texels, unsigned lane) {
    std::array<T, 3> coordinates{};
    for (unsigned i = 0; i < texels.dimensions; ++i)
        coordinates[i] = std::bit_cast<T>(warp.narrow(texels.coordinates[i].slot)[lane]);
    return coordinates;
}

/// The micro of the access itself, which the checks take for a plain load or store.
Micro part_of(const WarpStep& step, Kind kind) {
    Micro part = step.micro;
    part.kind = kind;
    return part;
}

}  // namespace

template <class Level>
template <class Visit>
void TextureUnit<Level>::for_each_object(const WarpStep& step, std::uint64_t magic, Visit visit) {
    const std::uint64_t* const handles = step.warp.wide(code_.texels[step.micro.texels].handle.slot);
    for (LaneMask rest = step.executed; rest.any();) {
        const std::uint64_t handle = handles[rest.lowest()];
        LaneMask same;
        for (const unsigned lane : rest)
            if (handles[lane] == handle) same |= LaneMask::only(lane);
        rest &= ~same;
        if (const std::optional<TextureObject> object = object_at(launch_, handle, magic)) {
            visit(*object, same);
        } else {
            launch_.faults.bad_handle(step, same.lowest(), handle);
            launch_.stopped = true;
        }
    }
}

template <class Level>
void TextureUnit<Level>::fetch(const WarpStep& step) {
    Results results;
    for_each_object(step, TextureObject::texture_magic,
                    [&](const TextureObject& texture, LaneMask lanes) { fetch_from(step, texture, lanes, results); });
    write(step, results);
}

/// One load for the first texel of every lane, one for the second, and so on.
template <class Level>
void TextureUnit<Level>::fetch_from(const WarpStep& step, const TextureObject& texture, LaneMask lanes,
                                    Results& results) {
    const TexelAccess& fetch = code_.texels[step.micro.texels];
    std::array<Footprint, warp_size> footprints;
    unsigned most = 0;
    for (const unsigned lane : lanes) {
        footprints[lane] =
            fetch.real_coordinates
                ? footprint_at(texture, fetch.dimensions, coordinates_of<float>(step.warp, fetch, lane))
                : footprint_at(texture, fetch.dimensions, coordinates_of<std::int32_t>(step.warp, fetch, lane));
        most = std::max(most, footprints[lane].count);
    }
    MemoryAccess access = code_.accesses[step.micro.access];
    access.bytes = static_cast<std::uint8_t>(texture.channel_bytes);
    access.elements = static_cast<std::uint8_t>(texture.channels);
    const Micro part = part_of(step, Kind::load);
    for (unsigned i = 0; i < most; ++i) {
        LaneMask readers;
        for (const unsigned lane : lanes) {
            if (i >= footprints[lane].count || !footprints[lane].texels[i].offset) continue;
            step.warp.wide(fetch.address.slot)[lane] = texture.memory + *footprints[lane].texels[i].offset;
            readers |= LaneMask::only(lane);
        }
        memory_.read_nothing(step.warp, access, lanes);
        if (readers.any()) memory_.access_texels({step.block, step.warp, part, readers}, access);
        for (unsigned channel = 0; channel < access.elements; ++channel)
            results.input_dependent |= LaneMask(step.warp.word(access.values[channel].input_dependent)) & readers;
        for (const unsigned lane : lanes) {
            if (i >= footprints[lane].count) continue;
            const Footprint::Texel& texel = footprints[lane].texels[i];
            Channels channels{};
            for (unsigned channel = 0; channel < access.elements; ++channel)
                channels[channel] = step.warp.wide(access.values[channel].slot)[lane];
            const Components read = texel.offset ? components_of(texture, channels) : border_of(texture);
            add_texel(texture, read, texel.weight, results.lane[lane]);
        }
    }
}

template <class Level>
void TextureUnit<Level>::write(const WarpStep& step, const Results& results) {
    const TexelAccess& fetch = code_.texels[step.micro.texels];
    for (unsigned c = 0; c < fetch.results.size(); ++c) {
        const Value& to = fetch.results[c];
        if (to.row == Row::none) continue;
        for (const unsigned lane : step.executed) {
            if (to.row == Row::wide)
                step.warp.wide(to.slot)[lane] = results.lane[lane][c];
            else
                step.warp.narrow(to.slot)[lane] = results.lane[lane][c];
        }
        set_input_dependent(step.warp, to.input_dependent, step.executed, results.input_dependent);
    }
    recorder_.writes(step);
}

template <class Level>
std::optional<std::uint64_t> TextureUnit<Level>::place_in(const WarpStep& step, const TextureObject& surface,
                                                          unsigned lane) {
    const TexelAccess& texels = code_.texels[step.micro.texels];
    const unsigned bytes = bytes_of(code_.accesses[step.micro.access]);
    const auto coordinates = coordinates_of<std::int32_t>(step.warp, texels, lane);
    Faults::SurfacePlace place{.at = {coordinates[0], coordinates[1], coordinates[2]},
                               .extent = {},
                               .dimensions = texels.dimensions,
                               .bytes = bytes};
    const std::uint64_t texel_bytes = std::uint64_t{surface.channels} * surface.channel_bytes;
    place.extent = {static_cast<std::int64_t>(surface.width * texel_bytes),
                    std::max(static_cast<std::int64_t>(surface.height), std::int64_t{1}),
                    std::max(static_cast<std::int64_t>(surface.depth), std::int64_t{1})};
    const std::array<std::int64_t, 3> last{place.extent[0] - std::int64_t{bytes}, place.extent[1] - 1,
                                           place.extent[2] - 1};
    std::array<std::int64_t, 3> at = place.at;
    bool inside = last[0] >= 0;
    for (unsigned i = 0; i < 3; ++i) {
        inside = inside && at[i] >= 0 && at[i] <= last[i];
        at[i] = std::clamp<std::int64_t>(at[i], 0, std::max<std::int64_t>(last[i], 0));
    }
    if (!inside && (texels.outside != ptx::Bound::clamp || last[0] < 0)) {
        if (texels.outside != ptx::Bound::zero) {
            launch_.faults.outside_surface(step, lane, place);
            launch_.stopped = true;
        }
        return std::nullopt;
    }
    return surface.memory + static_cast<std::uint64_t>(at[0]) + static_cast<std::uint64_t>(at[1]) * surface.pitch +
           static_cast<std::uint64_t>(at[2]) * surface.slice;
}

template <class Level>
void TextureUnit<Level>::access_surface(const WarpStep& step) {
    const TexelAccess& texels = code_.texels[step.micro.texels];
    const MemoryAccess& access = code_.accesses[step.micro.access];
    LaneMask inside;
    // The addresses have a row of their own: a load may overwrite its coordinates.
    for_each_object(step, TextureObject::surface_magic, [&](const TextureObject& surface, LaneMask lanes) {
        for (const unsigned lane : lanes) {
            const std::optional<std::uint64_t> place = place_in(step, surface, lane);
            if (!place) continue;
            step.warp.wide(texels.address.slot)[lane] = *place;
            inside |= LaneMask::only(lane);
        }
    });
    const LaneMask outside = step.executed & ~inside;
    if (!texels.stores && outside.any()) memory_.read_nothing(step.warp, access, outside);
    if (inside.any()) {
        const Micro part = part_of(step, texels.stores ? Kind::store : Kind::load);
        memory_.access_texels({step.block, step.warp, part, inside}, access);
    }
    if (!texels.stores) recorder_.writes(step);
}

template class TextureUnit<FixedLevel<RecordLevel::counts>>;
template class TextureUnit<FixedLevel<RecordLevel::accesses>>;
template class TextureUnit<FixedLevel<RecordLevel::registers>>;

}  // namespace lanescope::execute
