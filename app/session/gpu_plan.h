// A program at a size that the emulator need not run -> the GPU's work, and the expected result.
//
// A small run on the emulator evaluates source and PTX; here only the sizes grow. Inputs repeat after 2^20 elements, so
// that neither they nor the oracle's sums need memory of the host.
#pragma once

#include "execute/emulator/emulator.h"
#include "execute/gpu/program.h"
#include "session/run.h"
#include "timing/measurement.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

inline constexpr std::uint64_t input_period = std::uint64_t{1} << 20;  ///< elements

/// The requested size.
struct GpuSize {
    std::uint64_t n = 0;
    std::optional<std::uint64_t> grid;        ///< blocks; otherwise the program's own rule
    std::optional<std::uint64_t> per_thread;  ///< elements for each thread: another way to state `grid`
    unsigned multiprocessors = 0;             ///< of the device
    std::uint64_t resident_threads = 0;       ///< that it holds at once; a grid of min(NUMBER, ...) fills it
    bool until_one = true;                    ///< a reduction to one value a block is repeated until one is left
};

struct GpuPlan {
    execute::GpuProgram work;
    trace::Element element = trace::Element::s32;  ///< of the output
    std::uint64_t n = 0, grid = 0;                 ///< blocks of the first launch
    std::uint32_t block = 0;
    bool until_one = false;               ///< several launches of one kernel, each on the results of the one before
    std::uint64_t bytes = 0;              ///< that the algorithm must read, and write where it writes as many elements
    std::string oracle;                   ///< what the output is: "sum" where the launches go on until one is left
    std::uint64_t slice = 0;              ///< of the oracle
    std::optional<std::uint32_t> output;  ///< in work.buffers
    std::vector<std::uint32_t> inputs;    ///< in work.buffers; what the oracle reads
};

/// `small`: a run of the same program with the same block, input and multiprocessors. A program whose host code makes
/// the launches is planned as it was run, and `size` must be that run's. Fails where the kernel cannot process that
/// many elements.
[[nodiscard]] Result<GpuPlan> plan_for_gpu(const Run& small, const GpuSize& size);

/// The point of a recording for a run of it, without the measured parts: time, check and counts.
[[nodiscard]] timing::Point untimed_point(const Program& program, const GpuPlan& plan);

/// Whether the program allows a launch of any number of blocks, as a grid-stride loop does.
[[nodiscard]] bool grid_is_free(const Program& program);

/// The same work for the emulator, its inputs in full.
[[nodiscard]] execute::Program emulation_of(const GpuPlan& plan, const Run& small);

/// The same kernel for another element type, "int", "float" or "double": its name with these template arguments, as
/// with_kernel reads it. Nothing where the kernel is not a template over a type and lists no elements, or says by
/// `element reason` why elements of that size do not fit; empty where it has this type already. `timed`: with the other
/// template arguments of its timed launch.
[[nodiscard]] std::optional<std::string> kernel_of_type(const Program& program, std::string_view type,
                                                        bool timed = true);
/// The kernels that the description claims beside its own: of int, float and double, and its `instances`.
[[nodiscard]] std::vector<std::string> claimed_kernels(const Program& program);
/// For a kernel without another type: its line `element reason`, a sentence.
[[nodiscard]] std::string why_no_other_type(const Program& program);

}  // namespace lanescope::session
