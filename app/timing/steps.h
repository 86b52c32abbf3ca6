// The lecture's table: seven reductions, each a step better than the one before; the gain of each step, and the
// combined gains of the algorithmic steps and of the code steps.
//
// After Hui Liu, Reduction (after Mark Harris, Optimizing Parallel Reduction in CUDA), "Performance for 4M element
// reduction" and "Optimization types".
#pragma once

#include "timing/measurement.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::timing {

enum class Kind : std::uint8_t { start, algorithmic, code };

struct Stage {
    std::string_view kernel;
    Kind kind;  ///< of the step that led to it
};

/// "Changes to addressing, algorithm cascading" against "loop unrolling".
inline constexpr std::array<Stage, 7> lecture_stages = {{
    {"reduce/interleaved-modulo", Kind::start},
    {"reduce/strided-index", Kind::algorithmic},
    {"reduce/sequential", Kind::algorithmic},
    {"reduce/first-add-during-load", Kind::algorithmic},
    {"reduce/unrolled-last-warp", Kind::code},
    {"reduce/completely-unrolled", Kind::code},
    {"reduce/grid-stride", Kind::algorithmic},
}};

/// "Time (2^22 ints)", "Block size = 128 for all experiments".
inline constexpr std::uint64_t lecture_n = std::uint64_t{1} << 22U;
inline constexpr std::uint32_t lecture_block = 128;

/// The setting of a table of steps.
struct Setting {
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::string element = "int";
    friend bool operator==(const Setting&, const Setting&) = default;
};

struct Step {
    Stage stage;
    std::size_t point = 0;           ///< of Recording::points
    double microseconds = 0;         ///< median
    double bandwidth = 0;            ///< GB/s
    std::optional<double> step;      ///< times as fast as the stage before; nothing where that was not measured
    std::optional<double> together;  ///< times as fast as the first
};

struct Steps {
    std::vector<Step> rows;  ///< those that were measured, in the lecture's order
    /// Products of the steps of a kind; nothing where a stage is missing.
    std::optional<double> algorithmic, code;
};

/// Printed speed-ups are taken as printed.
[[nodiscard]] Steps steps_of(const Recording& recording, const Setting& setting);

/// The setting, of that n and with that block if possible, at which the most stages were measured; among equals the
/// lecture's own, 2^22 elements in blocks of 128, then the larger n, then ints, as in the lecture.
[[nodiscard]] std::optional<Setting> best_setting(const Recording& recording, std::optional<std::uint32_t> block = {},
                                                  std::optional<std::uint64_t> n = {});

/// Which of two points of a kernel at one size represents it: correct results before wrong ones, whole algorithms
/// before first launches, then the faster.
[[nodiscard]] bool stands_before(const Point& one, const Point& other);

/// The element type to show for a kernel: the requested one if it was measured, otherwise the other.
[[nodiscard]] std::string_view element_of(const Recording& recording, std::string_view kernel, std::string_view wanted);

/// The point that represents a kernel, by its element_of; nothing where there is none.
[[nodiscard]] std::optional<std::size_t> point_of(const Recording& recording, std::string_view kernel,
                                                  const Setting& setting);

}  // namespace lanescope::timing
