// Measurements of other machines, as printed in the documents that Lanescope teaches from.
#pragma once

#include <array>
#include <string_view>

namespace lanescope::timing {

/// A reduction's bandwidth on a card, GB/s, of the card's own peak.
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

}  // namespace lanescope::timing
