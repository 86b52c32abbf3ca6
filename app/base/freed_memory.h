// Runs follow one another while a slider moves, and each takes megabytes for its record and gives back those of the last.
// The system clears pages before it hands them out anew, which takes as long as filling them: so they stay here.
#pragma once

namespace lanescope {

/// From now on memory that was freed serves what is allocated next, up to about 128 MB of it. For programs that run kernels
/// again and again; to be called when they start.
void keep_freed_memory();

}  // namespace lanescope
