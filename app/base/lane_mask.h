// A set of lanes of one warp, as the hardware keeps it: bit i is lane i.
#pragma once

#include <bit>
#include <cstdint>

namespace lanescope {

class LaneMask {
  public:
    constexpr LaneMask() = default;
    constexpr explicit LaneMask(std::uint32_t bits) : bits_(bits) {}

    static constexpr LaneMask all() { return LaneMask(~0U); }
    /// Lanes 0 .. count-1; count in 0..32.
    static constexpr LaneMask first(unsigned count) { return LaneMask(count >= 32 ? ~0U : (1U << count) - 1U); }
    static constexpr LaneMask only(unsigned lane) { return LaneMask(1U << lane); }

    [[nodiscard]] constexpr std::uint32_t bits() const { return bits_; }
    [[nodiscard]] constexpr bool has(unsigned lane) const { return ((bits_ >> lane) & 1U) != 0; }
    [[nodiscard]] constexpr bool any() const { return bits_ != 0; }
    [[nodiscard]] constexpr bool none() const { return bits_ == 0; }
    [[nodiscard]] constexpr unsigned count() const { return static_cast<unsigned>(std::popcount(bits_)); }
    /// Lowest lane of a non-empty mask.
    [[nodiscard]] constexpr unsigned lowest() const { return static_cast<unsigned>(std::countr_zero(bits_)); }
    /// How many lanes below `lane` are set: the lane's slot in a packed array of the mask's lanes.
    [[nodiscard]] constexpr unsigned rank(unsigned lane) const {
        return static_cast<unsigned>(std::popcount(bits_ & ((1U << lane) - 1U)));
    }

    friend constexpr LaneMask operator&(LaneMask a, LaneMask b) { return LaneMask(a.bits_ & b.bits_); }
    friend constexpr LaneMask operator|(LaneMask a, LaneMask b) { return LaneMask(a.bits_ | b.bits_); }
    friend constexpr LaneMask operator^(LaneMask a, LaneMask b) { return LaneMask(a.bits_ ^ b.bits_); }
    friend constexpr LaneMask operator~(LaneMask a) { return LaneMask(~a.bits_); }
    constexpr LaneMask& operator&=(LaneMask o) {
        bits_ &= o.bits_;
        return *this;
    }
    constexpr LaneMask& operator|=(LaneMask o) {
        bits_ |= o.bits_;
        return *this;
    }
    friend constexpr bool operator==(LaneMask, LaneMask) = default;

    /// Iterates the lanes that are set, lowest first: for (unsigned lane : mask).
    class Iterator {
      public:
        constexpr explicit Iterator(std::uint32_t rest) : rest_(rest) {}
        constexpr unsigned operator*() const { return static_cast<unsigned>(std::countr_zero(rest_)); }
        constexpr Iterator& operator++() {
            rest_ &= rest_ - 1;
            return *this;
        }
        friend constexpr bool operator==(Iterator, Iterator) = default;

      private:
        std::uint32_t rest_;
    };
    [[nodiscard]] constexpr Iterator begin() const { return Iterator(bits_); }
    [[nodiscard]] constexpr Iterator end() const { return Iterator(0); }

  private:
    std::uint32_t bits_ = 0;
};

}  // namespace lanescope
