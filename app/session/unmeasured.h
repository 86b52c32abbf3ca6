// A run as a point without a time: the input of a cost model's estimate.
#pragma once

#include "session/run.h"
#include "timing/measurement.h"

namespace lanescope::session {

[[nodiscard]] timing::CostCounts cost_of(const trace::Counts& counts);
/// The counts of all launches and blocks.
[[nodiscard]] timing::CostCounts counts_of(const trace::Trace& trace);

/// Whether the run changed at least half of the buffer's first `n` elements. A guess makes an output as long as the
/// input although each block leaves one value in it.
[[nodiscard]] bool is_filled(const trace::Buffer& buffer, std::uint64_t n);

/// Bytes that the algorithm must move: its input, and its output where that is as large.
[[nodiscard]] std::uint64_t bytes_moved(const Run& run);

/// Whether the recorded blocks read their part of at least half of the run's input. A kernel whose every block reads
/// the same few elements does not move N of them, however many blocks there are.
[[nodiscard]] bool reads_what_is_given(const Run& run);

/// Kernel, size, bytes and counts; the time stays empty.
[[nodiscard]] timing::Point unmeasured(const Run& run);

}  // namespace lanescope::session
