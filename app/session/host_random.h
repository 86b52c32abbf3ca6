// rand() as the GNU C library has it, and what <random> has, so that a program finds the numbers that it finds on Linux.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <variant>

namespace lanescope::session {

/// The additive feedback generator behind random(3), of 31 words (glibc, stdlib/random_r.c, TYPE_3).
class HostRandom {
  public:
    static constexpr std::int64_t most = 0x7fff'ffff;  ///< RAND_MAX

    explicit HostRandom(std::uint32_t seed = 1) {
        std::int64_t word = seed == 0 ? 1 : std::int32_t(seed);
        for (std::uint32_t& own : words_) {
            own = std::uint32_t(word);
            word = 16807 * word % most;
            if (word < 0) word += most;
        }
        constexpr std::size_t discarded = 310;
        for (std::size_t i = 0; i < discarded; ++i) next();
    }

    /// 0 to `most`.
    std::int64_t next() {
        const std::uint32_t sum = words_[at_] += words_[(at_ + degree - separation) % degree];
        at_ = (at_ + 1) % degree;
        return sum >> 1U;
    }

  private:
    static constexpr std::size_t degree = 31, separation = 3;
    std::array<std::uint32_t, degree> words_{};
    std::size_t at_ = separation;  // of the word that the next one replaces
};

/// An engine or a distribution of <random>.
using HostSource = std::variant<std::mt19937, std::mt19937_64, std::minstd_rand, std::minstd_rand0,
                                std::uniform_int_distribution<int>, std::uniform_int_distribution<unsigned>,
                                std::uniform_int_distribution<long>, std::uniform_int_distribution<unsigned long>,
                                std::uniform_real_distribution<float>, std::uniform_real_distribution<double>,
                                std::normal_distribution<float>, std::normal_distribution<double>>;

}  // namespace lanescope::session
