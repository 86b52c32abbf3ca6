// Consecutive runs allocate and free megabytes of trace data. The kernel clears each page that malloc returns and asks
// for again, which takes as long as filling it, so the process keeps what it frees.
#pragma once

namespace lanescope {

/// Lets malloc keep up to about 128 MB of freed memory for later allocations. Call it once at start-up, in programs
/// that run many kernels.
void tune_malloc();

}  // namespace lanescope
