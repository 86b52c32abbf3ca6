// The lecture's table: seven reductions, each one step better than the previous one; the gain of each step, and the
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
    Kind kind;  ///< of the step that leads to this stage
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
    std::optional<double> step;      ///< times as fast as the previous stage; nothing where that was not measured
    std::optional<double> together;  ///< times as fast as the first stage
};

struct Steps {
    std::vector<Step> rows;  ///< the measured stages, in the lecture's order
    /// Products of the steps of a kind; nothing where a stage is missing.
    std::optional<double> algorithmic, code;
};

/// Printed speed-ups are used as they are.
[[nodiscard]] Steps steps_of(const Recording& recording, const Setting& setting);

/// The setting at which the most stages were measured, with that n and that block size if possible. Among equals, the
/// lecture's own, 2^22 elements in blocks of 128, then the larger n, then ints, as in the lecture.
[[nodiscard]] std::optional<Setting> best_setting(const Recording& recording, std::optional<std::uint32_t> block = {},
                                                  std::optional<std::uint64_t> n = {});

/// Does `one` represent the kernel at its size before `other`? Correct results precede wrong ones, whole algorithms
/// precede single launches, then the faster one wins.
[[nodiscard]] bool stands_before(const Point& one, const Point& other);

/// The element type to show for a kernel: the requested one if it was measured, otherwise another one.
[[nodiscard]] std::string_view element_of(const Recording& recording, std::string_view kernel, std::string_view wanted);

/// The point that represents a kernel with its element_of(); nothing where there is none.
[[nodiscard]] std::optional<std::size_t> point_of(const Recording& recording, std::string_view kernel,
                                                  const Setting& setting);

}  // namespace lanescope::timing
