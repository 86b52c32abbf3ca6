// Floating point as PTX defines it: IEEE 754, with subnormals unless .ftz, canonical NaNs for f32, four rounding modes.
// Sources are built with -ffp-contract=off, so that each operation rounds separately.
#pragma once

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "ptx/module.h"

namespace lanescope::execute {

/// f32 results that are NaN are 0x7fffffff on a GPU; f64 keeps payloads (PTX ISA 9.7.3).
[[gnu::always_inline]] inline float canonical(float value) {
    return value != value ? std::bit_cast<float>(0x7FFFFFFFU) : value;
}
[[gnu::always_inline]] inline double canonical(double value) { return value; }

/// Subnormals become zeros of the same sign.
[[gnu::always_inline]] inline float flush(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return (bits & 0x7F800000U) == 0 ? std::bit_cast<float>(bits & 0x80000000U) : value;
}
[[gnu::always_inline]] inline double flush(double value) { return value; }

/// .sat: into [0, 1]; a NaN becomes +0.
[[gnu::always_inline]] inline float saturate(float value) {
    const float at_least = value > 0.0F ? value : 0.0F;
    return at_least < 1.0F ? at_least : 1.0F;
}
[[gnu::always_inline]] inline double saturate(double value) {
    const double at_least = value > 0.0 ? value : 0.0;
    return at_least < 1.0 ? at_least : 1.0;
}

/// Sets the processor's rounding mode for its lifetime. Arithmetic under it uses volatile values, so that a compiler
/// does not move it elsewhere.
class RoundingScope {
  public:
    explicit RoundingScope(ptx::Rounding rounding) : before_(std::fegetround()) {
        switch (rounding) {
            case ptx::Rounding::rz:
            case ptx::Rounding::rzi: std::fesetround(FE_TOWARDZERO); break;
            case ptx::Rounding::rm:
            case ptx::Rounding::rmi: std::fesetround(FE_DOWNWARD); break;
            case ptx::Rounding::rp:
            case ptx::Rounding::rpi: std::fesetround(FE_UPWARD); break;
            default: std::fesetround(FE_TONEAREST); break;
        }
    }
    ~RoundingScope() { std::fesetround(before_); }
    RoundingScope(const RoundingScope&) = delete;
    RoundingScope& operator=(const RoundingScope&) = delete;

  private:
    int before_;
};

/// To an integer, by .rni .rzi .rmi .rpi (or .rn .rz .rm .rp).
template <class T>
T round_to_integer(T value, ptx::Rounding rounding) {
    switch (rounding) {
        case ptx::Rounding::rz:
        case ptx::Rounding::rzi: return std::trunc(value);
        case ptx::Rounding::rm:
        case ptx::Rounding::rmi: return std::floor(value);
        case ptx::Rounding::rp:
        case ptx::Rounding::rpi: return std::ceil(value);
        default: return std::nearbyint(value);
    }
}

}  // namespace lanescope::execute
