#include "trace/value_code.h"

#include "trace/rows.h"

#include <algorithm>

namespace lanescope::trace {

namespace {

/// The encoding of one row of lane values.
enum class Encoding : std::uint8_t {
    repeated,  ///< equal to the row before, with the same lanes
    affine,    ///< base + stride x lane: two numbers
    deltas,    ///< the first value, then the differences of neighbors: numbers
    raw,       ///< `width` bytes each
};

constexpr std::uint64_t mask_of(unsigned width) {
    return width == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * width)) - 1;
}

/// The difference as a signed number of the width: -1 and not 2^32 - 1.
std::int64_t difference(std::uint64_t a, std::uint64_t b, unsigned width) {
    const unsigned unused = 64 - 8 * width;
    return static_cast<std::int64_t>((a - b) << unused) >> unused;
}

struct Affine {
    bool fits = false;
    std::uint64_t base = 0;  ///< at lane 0
    std::int64_t stride = 0;
};

Affine affine_of(LaneMask lanes, unsigned width, const LaneValues& values) {
    const unsigned first = lanes.lowest();
    const LaneMask rest = lanes ^ LaneMask::only(first);
    Affine affine{.fits = true, .base = values[first], .stride = 0};
    if (rest.none()) return affine;
    const unsigned second = rest.lowest();
    const std::int64_t rise = difference(values[second], values[first], width);
    const auto run = static_cast<std::int64_t>(second - first);
    if (rise % run != 0) return {};
    affine.stride = rise / run;
    const auto step = static_cast<std::uint64_t>(affine.stride);
    affine.base = (values[first] - step * first) & mask_of(width);
    for (const unsigned lane : rest) {
        if (((affine.base + step * lane) & mask_of(width)) != values[lane]) return {};
    }
    return affine;
}

bool equal(LaneMask lanes, const LaneValues& a, const LaneValues& b) {
    for (const unsigned lane : lanes) {
        if (a[lane] != b[lane]) return false;
    }
    return true;
}

std::size_t number_bytes(std::uint64_t value) { return value == 0 ? 1 : (std::bit_width(value) + 6U) / 7U; }

/// Pointers differ little from lane to lane, doubles in every byte.
bool deltas_are_shorter(LaneMask lanes, unsigned width, const LaneValues& values) {
    std::size_t bytes = 0;
    std::uint64_t last = 0;
    for (const unsigned lane : lanes) {
        bytes += number_bytes(zigzag(difference(values[lane], last, width)));
        last = values[lane];
    }
    return bytes < std::size_t{lanes.count()} * width;
}

bool has_values(const Effect& effect) {
    switch (effect.kind) {
        case EffectKind::register_write:
        case EffectKind::load:
        case EffectKind::store:
        case EffectKind::atomic:
        case EffectKind::shuffle: return effect.lanes.any();
        default: return false;
    }
}

}  // namespace

// --- Trace -> streams ------------------------------------------------------------------------------------------

void ValueEncoder::step(const Step& step) {
    last_lanes_ = LaneMask();
    for (const Effect& effect : trace_.effects(step)) {
        if (has_values(effect)) this->effect(effect);
    }
}

void ValueEncoder::effect(const Effect& effect) {
    LaneValues row{};
    const auto collect = [&](auto value_of) -> const LaneValues& {
        for (const unsigned lane : effect.lanes) row[lane] = value_of(lane);
        return row;
    };
    const auto before = [&](unsigned element) {
        return [&, element](unsigned lane) { return trace_.before(effect, lane, element); };
    };
    const auto after = [&](unsigned element) {
        return [&, element](unsigned lane) { return trace_.after(effect, lane, element); };
    };

    if (effect.kind == EffectKind::register_write) {
        return values(effect.lanes, effect.bytes == 0 ? 1 : effect.bytes, collect(after(0)));
    }
    if (is_access(effect.kind)) {
        values(effect.lanes, 8, collect([&](unsigned lane) { return trace_.address(effect, lane); }));
    }
    const bool two_sided = is_write(effect.kind);
    for (unsigned element = 0; two_sided && element < effect.elements; ++element) {
        values(effect.lanes, effect.bytes, collect(before(element)));
    }
    for (unsigned element = 0; element < effect.elements; ++element) {
        values(effect.lanes, effect.bytes, collect(after(element)));
    }
}

void ValueEncoder::values(LaneMask lanes, unsigned width, const LaneValues& values) {
    const auto code = [&](Encoding chosen) { codes.u8(static_cast<std::uint8_t>(chosen)); };
    if (lanes == last_lanes_ && equal(lanes, values, last_)) {
        code(Encoding::repeated);
    } else if (const Affine affine = affine_of(lanes, width, values); affine.fits) {
        code(Encoding::affine);
        numbers.number(affine.base);
        numbers.signed_number(affine.stride);
    } else if (width > 1 && deltas_are_shorter(lanes, width, values)) {
        code(Encoding::deltas);
        std::uint64_t last = 0;
        for (const unsigned lane : lanes) {
            numbers.signed_number(difference(values[lane], last, width));
            last = values[lane];
        }
    } else {
        code(Encoding::raw);
        for (const unsigned lane : lanes) raw.fixed(values[lane], width);
    }
    last_ = values;
    last_lanes_ = lanes;
}

// --- Streams -> trace ------------------------------------------------------------------------------------------

void ValueDecoder::step(std::span<Effect> effects) {
    last_lanes_ = LaneMask();
    for (Effect& effect : effects) {
        if (failed()) return;
        effect.first_value = static_cast<std::uint32_t>(effect.bytes == 8 ? pools_.wide.size() : pools_.narrow.size());
        effect.first_address = static_cast<std::uint32_t>(pools_.addresses.size());
        if (has_values(effect)) this->effect(effect);
    }
}

void ValueDecoder::keep(const Effect& effect, const LaneValues& values) {
    for (const unsigned lane : effect.lanes) {
        if (effect.bytes == 8) {
            pools_.wide.add(values[lane]);
        } else {
            pools_.narrow.add(static_cast<std::uint32_t>(values[lane]));
        }
    }
}

void ValueDecoder::effect(Effect& effect) {
    if (effect.kind == EffectKind::register_write) {
        const LaneValues row = values(effect.lanes, effect.bytes == 0 ? 1 : effect.bytes);
        if (effect.bytes == 0) {
            std::uint32_t mask = 0;
            for (const unsigned lane : effect.lanes) {
                if (row[lane] > 1) failed_ = true;  // a predicate is one bit
                mask |= static_cast<std::uint32_t>(row[lane] & 1U) << lane;
            }
            pools_.narrow.add(mask);
        } else if (effect.bytes == 8) {
            effect.even_values = append_row(pools_.wide, effect.lanes, row.data());
        } else if (effect.bytes == 4) {
            std::array<std::uint32_t, warp_size> narrow;
            std::ranges::transform(row, narrow.begin(), [](std::uint64_t v) { return static_cast<std::uint32_t>(v); });
            effect.even_values = append_row(pools_.narrow, effect.lanes, narrow.data());
        } else {
            keep(effect, row);
        }
        return;
    }
    if (is_access(effect.kind)) {
        effect.even_addresses = append_row(pools_.addresses, effect.lanes, values(effect.lanes, 8).data());
    }
    const bool two_sided = is_write(effect.kind);
    const unsigned rows = effect.elements * (two_sided ? 2U : 1U);
    for (unsigned i = 0; i < rows; ++i) {
        const LaneValues row = values(effect.lanes, effect.bytes);
        if (effect.kind == EffectKind::shuffle &&
            std::ranges::any_of(row, [](std::uint64_t source) { return source >= warp_size; })) {
            failed_ = true;
        }
        keep(effect, row);
    }
}

LaneValues ValueDecoder::values(LaneMask lanes, unsigned width) {
    LaneValues row{};
    const std::uint64_t mask = mask_of(width);
    switch (static_cast<Encoding>(codes_.u8())) {
        case Encoding::repeated:
            if (lanes != last_lanes_) failed_ = true;
            for (const unsigned lane : lanes) row[lane] = last_[lane] & mask;
            break;
        case Encoding::affine: {
            const std::uint64_t base = numbers_.number();
            const auto stride = static_cast<std::uint64_t>(numbers_.signed_number());
            for (const unsigned lane : lanes) row[lane] = (base + stride * lane) & mask;
            break;
        }
        case Encoding::deltas: {
            std::uint64_t last = 0;
            for (const unsigned lane : lanes) {
                last = (last + static_cast<std::uint64_t>(numbers_.signed_number())) & mask;
                row[lane] = last;
            }
            break;
        }
        case Encoding::raw:
            for (const unsigned lane : lanes) row[lane] = raw_.fixed(width);
            break;
        default: failed_ = true;
    }
    last_ = row;
    last_lanes_ = lanes;
    return row;
}

}  // namespace lanescope::trace
