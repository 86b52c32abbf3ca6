// The built-in kernels run on the emulator, as the tests of passes, pictures and narration need them.
#pragma once

#include "analysis/analysis.h"
#include "trace/trace.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace lanescope::analysis {

/// The lectures' example.
inline const std::vector<int> classic = {10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2};

/// One block of a kernel that takes (in, out) or (in, out, n).
struct KernelRun {
    std::string name;  ///< "reduce/interleaved_modulo"
    trace::View view = trace::View::written;
    std::uint32_t threads = 16;
    std::uint32_t threads_y = 1;
    std::vector<int> input = classic;  ///< converted where the kernel takes floats
    bool floats = false;
    std::size_t outputs = 1;
    std::size_t shared_elements = 16;
    std::uint32_t blocks = 1;
    bool input_last = false;  ///< the kernel takes (out, in)
};

/// The five kernels of the catalog by their file's name, with `threads` threads and the first inputs of `input`.
[[nodiscard]] KernelRun kernel_run(const std::string& name, trace::View view, std::uint32_t threads,
                                   std::vector<int> input);
[[nodiscard]] std::shared_ptr<const Analysis> analysis_of(const KernelRun& run);
/// The same for any PTX text; `source`: what it was compiled from, where it is not the catalog's; `meanings` must
/// outlive it.
[[nodiscard]] std::shared_ptr<const Analysis> analysis_of(const KernelRun& run, const std::string& ptx,
                                                          const std::string& source = {},
                                                          const ptx::OpcodeMeanings& meanings = ptx::opcode_meanings());

/// The analysis of two warps that wait for each other at mbarriers: warp 0 copies 32 elements to each of two slots;
/// warp 1 adds each element to its neighbor, slot after slot.
[[nodiscard]] std::shared_ptr<const Analysis> analysis_of_two_slots();

/// 1, 2, 3, ... n
[[nodiscard]] std::vector<int> iota(std::size_t n);

/// The whole content of a picture as text, a line for each row and node, for goldens.
[[nodiscard]] std::string text_of(const Picture& picture);
/// The narration of every step of the first block, then of the result, without consecutive duplicates.
[[nodiscard]] std::string narration_of(const Analysis& analysis);

/// Compares with tests/unit/analysis/data/`name`, or writes it if LANESCOPE_REBASELINE is set. A differing text is
/// saved in the directory for temporary files. Empty: no difference.
[[nodiscard]] std::string difference_to_golden(const std::string& name, const std::string& actual);

}  // namespace lanescope::analysis
