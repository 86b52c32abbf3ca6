// Traces made by hand: a few lines of PTX, and the effects of each line, lane by lane.
#pragma once

#include "ptx/module.h"
#include "trace/writer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::analysis {

using Row = std::vector<std::uint64_t>;  ///< one number a lane, from lane 0

/// A launch of one block of a kernel `k` with the given body. It may use %r0..9, %rd0..9, %f0..9, %p0..9, the shared
/// array `s` of 64 bytes and the local array `l` of 16. Buffers: `in`, 16 ints from 100 on at 0x1000, and `out`, 16
/// zeros at 0x2000, the output.
class HandMade {
  public:
    explicit HandMade(const std::string& body, unsigned threads = 4);

    /// Begins the step of the line of the body that holds `text`, run by `lanes`.
    HandMade& step(std::string_view text, LaneMask lanes);
    HandMade& step(std::string_view text) { return step(text, LaneMask::first(threads_)); }

    HandMade& write(std::string_view reg, const Row& values);  ///< by the lanes of the step
    HandMade& load(trace::Space space, unsigned bytes, const Row& addresses, const Row& values, unsigned elements = 1);
    HandMade& store(trace::Space space, unsigned bytes, const Row& addresses, const Row& values, unsigned elements = 1);
    HandMade& atomic(trace::Space space, ptx::Atomic operation, const Row& addresses, const Row& before,
                     const Row& after);
    HandMade& shuffle(const Row& sources);
    HandMade& control(trace::EffectKind kind, LaneMask lanes);
    HandMade& barrier();  ///< a block barrier: the next step is in a new epoch
    /// The launch ends, the host writes an int to `buffer`[element], and the kernel is launched again.
    HandMade& launch_again(std::uint32_t buffer, std::uint64_t element, int value, std::uint32_t source_line);
    /// The host reads the buffer, now.
    HandMade& read_by_host(std::uint32_t buffer);
    StepId last() const { return StepId(writer_.next_step().value - 1); }

    std::shared_ptr<const trace::Trace> finish();
    const ptx::Module& module() const { return *module_; }
    std::shared_ptr<const ptx::Module> shared_module() const { return module_; }

  private:
    RegisterId reg_of(std::string_view name) const;

    unsigned threads_;
    void begin_launch();

    std::shared_ptr<const ptx::Module> module_;
    trace::Writer writer_;
    LaneMask lanes_;
    std::uint32_t epoch_ = 0;
};

}  // namespace lanescope::analysis
