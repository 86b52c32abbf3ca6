// Traces of a simulated machine that executes random steps, with the values that each step really read and wrote.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <memory>

namespace lanescope::trace {

struct RandomTraceOptions {
    std::uint32_t seed = 1;
    unsigned steps = 400;
    unsigned launches = 2;
    unsigned blocks = 2;
    unsigned warps = 2;
};

/// Every kind of effect, lanes that store to one address, vectors, stores out of bounds, several launches and blocks.
[[nodiscard]] std::shared_ptr<const Trace> random_trace(const RandomTraceOptions& options);

/// Equal in everything that a reader of the trace can see; the first difference is a test failure.
void expect_equal(const Trace& actual, const Trace& expected);

}  // namespace lanescope::trace
