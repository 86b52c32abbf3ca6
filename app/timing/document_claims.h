// Numbers in the documents that Lanescope teaches from, which are of other machines and quoted as printed; and the
// documents' claims, each with the verdict of a recording, whichever way it falls.
#pragma once

#include "timing/steps.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::timing {

/// The bandwidth of a reduction on a card, and the card's own peak, GB/s.
struct StatedCard {
    std::string_view name;
    double reached, peak;
};

/// GPU Programming - Reduce (moderngpu), Benchmark.
inline constexpr std::array<StatedCard, 2> stated_cards = {{{"P40", 312, 347}, {"V100", 728, 898}}};

/// Hui Liu, Reduction, "Optimization goals": the theoretical peak of a card (the table's own is a G80).
inline constexpr std::string_view lecture_card = "GTX 280";
inline constexpr std::string_view lecture_peak_formula = "512/8 x 1.14 GHz x 2";
inline constexpr double lecture_peak = 512.0 / 8 * 1.14 * 2;  // GB/s

struct Claim {
    enum class Outcome : std::uint8_t { holds, does_not, not_measured };
    std::string says;    ///< "Version 1 of the local scan is at most only 40 % slower than version 2"
    std::string source;  ///< the document
    std::string today;   ///< a sentence: this recording's result, or the missing measurement
    Outcome outcome = Outcome::not_measured;
};

/// `setting`: the one at which the lecture's steps are compared.
[[nodiscard]] std::vector<Claim> claims(const Recording& recording, const Setting& setting);

}  // namespace lanescope::timing
