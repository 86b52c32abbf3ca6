// Which elements of global buffers a block uses: columns of the Passes picture where shared memory does not tell all.
#pragma once

#include "analysis/passes.h"
#include "analysis/picture.h"
#include "trace/trace.h"

#include <vector>

namespace lanescope::analysis {

/// No more columns of one buffer than this; those at the front stand for the rest.
inline constexpr std::uint32_t most_buffer_columns = 4096;

/// A group for each buffer that the block loads from or stores to (`stored_only`: stores to), by address, from the first
/// element it touches to the last. Where one buffer is only read and one only written, at the same indices, they share
/// columns: each row shows the one that was written last.
[[nodiscard]] std::vector<ColumnGroup> used_buffers(const trace::Trace& trace, const ptx::Module& module,
                                                    const BlockPasses& passes, bool stored_only);

}  // namespace lanescope::analysis
