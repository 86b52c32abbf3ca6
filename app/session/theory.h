// A run -> its theory with what only the program knows: closed forms of the lesson, recorded times, and its work at
// other sizes.
#pragma once

#include "analysis/panels/counts_picture.h"
#include "analysis/panels/theory_picture.h"
#include "session/run.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lanescope::session {

/// The closed forms of work and span by the formulas of the program's lesson, for the whole run; empty without formulas
/// that hold for it.
[[nodiscard]] std::vector<analysis::ClosedForm> closed_forms(const Run& run);

/// The theory without the work at other sizes. `launch`: the shown one. O(operations x log), for each number of
/// processors.
[[nodiscard]] analysis::TheoryPicture theory_of(const Run& run, std::uint32_t launch);

/// The sizes at which the program's work is measured. One block of a run grows with N, so that each thread keeps its
/// number of elements; several keep their size.
struct WorkBySize {
    struct Size {
        std::uint64_t n = 0;
        std::uint32_t block = 0;
        friend bool operator==(const Size&, const Size&) = default;
    };
    Request request;           ///< of the shown run
    std::uint64_t source = 0;  ///< hash of the program's text
    std::vector<Size> sizes;   ///< by increasing n; empty: it has one size only
    std::string note;          ///< how they are launched, or why there are none: a sentence

    /// Equal for runs whose measurements are equal.
    [[nodiscard]] std::string identity() const;
};
[[nodiscard]] WorkBySize work_by_size(const Run& run);

/// Emulates the program at each size with every block recorded, and calls `found` on this thread. Left out are sizes
/// that the kernel refuses, and runs with findings. Ends early where it is cancelled, or where a run grows beyond
/// `most_steps_recorded`.
void measure_work(const WorkBySize& sizes, Progress& progress,
                  const std::function<void(const analysis::WorkAtSize&)>& found);

/// theory_of() with the work at other sizes, which it measures on this thread; without the remaining ones if cancelled.
[[nodiscard]] analysis::TheoryPicture theory_with_sizes(const Run& run, std::uint32_t launch, Progress& progress);

/// The most warp instructions in one recording: a limit by work, so that every machine measures the same sizes.
inline constexpr std::size_t most_steps_recorded = 200'000;

}  // namespace lanescope::session
