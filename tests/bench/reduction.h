// The lectures' reductions of ints in blocks of 256, run by the emulator and on fibers.
#pragma once

#include "execute/emulator/emulator.h"

#include <string>
#include <vector>

namespace lanescope::bench {

inline constexpr unsigned block_size = 256;

/// "sequential.compiled": of tests/unit/execute/data; "scattered": of this folder.
[[nodiscard]] ptx::Module module_of(const std::string& name);
/// A reduction of `count` ints, a multiple of block_size.
[[nodiscard]] execute::Program reduction_of(unsigned count);
/// Runs on one thread; either way, the totals are of the whole grid.
std::shared_ptr<const trace::Trace> emulate(const ptx::Module& module, const execute::Program& program,
                                            execute::Limits limits);

/// The baseline: a fiber for each thread of the block and a switch at each barrier, in native code, nothing counted.
class OnFibers {
  public:
    enum class Kernel { interleaved, sequential };
    OnFibers(Kernel kernel, unsigned count);
    void run();
    [[nodiscard]] const std::vector<int>& sums() const { return out_; }

  private:
    Kernel kernel_;
    std::vector<int> in_;
    std::vector<int> out_;
};

}  // namespace lanescope::bench
