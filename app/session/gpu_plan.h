// A program at a size that the emulator need not run -> what a GPU is to run, and what must come out.
//
// Everything that is read from source and PTX was found by a small run on the emulator; here only the sizes grow.
// Inputs repeat themselves after 2^20 elements, so that neither they nor the oracle's sums need memory of the host.
#pragma once

#include "execute/emulator/emulator.h"
#include "execute/gpu/program.h"
#include "session/session.h"
#include "timing/measurement.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

inline constexpr std::uint64_t most_gpu_elements = std::uint64_t{1} << 30;
inline constexpr std::uint64_t input_period = std::uint64_t{1} << 20;  ///< elements

/// How large it is to be.
struct GpuSize {
    std::uint64_t n = 0;
    std::optional<std::uint64_t> grid;        ///< blocks; otherwise the program's own rule
    std::optional<std::uint64_t> per_thread;  ///< elements for each thread: another way to say `grid`
    unsigned multiprocessors = 0;             ///< of the device
    std::uint64_t resident_threads = 0;       ///< that it holds at once; a grid of min(NUMBER, ...) fills it
    bool until_one = true;                    ///< a reduction to one value a block goes on until one is left
};

struct GpuPlan {
    execute::GpuProgram work;
    trace::Element element = trace::Element::s32;  ///< of the output
    std::uint64_t n = 0, grid = 0;                 ///< blocks of the first launch
    std::uint32_t block = 0;
    bool until_one = false;               ///< several launches of one kernel, each on what the one before has left
    std::uint64_t bytes = 0;              ///< that the algorithm must read, and write where it writes as many elements
    std::string oracle;                   ///< what the output is: "sum" where the launches go on until one is left
    std::uint64_t slice = 0;              ///< of the oracle
    std::optional<std::uint32_t> output;  ///< in work.buffers
    std::vector<std::uint32_t> inputs;    ///< in work.buffers; what the oracle reads
};

/// `small`: the same program with the same block, input and multiprocessors, run. A program whose host code makes the
/// launches is planned as it was run, and `size` has to be that run's. Fails where the kernel cannot take that many
/// elements.
[[nodiscard]] Result<GpuPlan> plan_for_gpu(const Run& small, const GpuSize& size);

/// The point of a recording that a run of it makes, without what the run tells: its time, the check and the counts.
[[nodiscard]] timing::Point untimed_point(const Program& program, const GpuPlan& plan);

/// May a launch of so many blocks be asked of this program: is its grid a choice, as a loop in steps of the grid leaves
/// it?
[[nodiscard]] bool grid_is_free(const Program& program);

/// The same work for the emulator, its inputs in full.
[[nodiscard]] execute::Program emulation_of(const GpuPlan& plan, const Run& small);

/// The same kernel for another element type, "int" or "float": its name with these template arguments, as with_kernel
/// reads it. Nothing where the kernel is no template over a type and lists no elements; empty where it is of this type
/// already.
[[nodiscard]] std::optional<std::string> kernel_of_type(const Program& program, std::string_view type);
/// Of such a kernel: its line `element reason`, a sentence.
[[nodiscard]] std::string why_no_other_type(const Program& program);

}  // namespace lanescope::session
