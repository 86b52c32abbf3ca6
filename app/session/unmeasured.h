// A run as a point without a time: what a cost model needs to estimate it.
#pragma once

#include "session/session.h"
#include "timing/measurement.h"

namespace lanescope::session {

/// Of all launches and blocks.
[[nodiscard]] timing::Counts counts_of(const trace::Trace& trace);

/// Did the run leave another value in at least half of the buffer's first `n` elements? A guess makes an output as long
/// as the input though each block leaves one value in it.
[[nodiscard]] bool is_filled(const trace::Buffer& buffer, std::uint64_t n);

/// Bytes that the algorithm must move: what it is given, and what it gives where that is as much again.
[[nodiscard]] std::uint64_t bytes_moved(const Run& run);

/// Do the recorded blocks read their part of at least half of what the run was given? A kernel whose every block reads
/// the same few elements does not move N of them, however many blocks there are.
[[nodiscard]] bool reads_what_is_given(const Run& run);

/// Kernel, size, bytes and counts; the time is left at nothing.
[[nodiscard]] timing::Point unmeasured(const Run& run);

}  // namespace lanescope::session
