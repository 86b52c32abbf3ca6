#include "base/tune_malloc.h"

#include <cstdlib>  // defines __GLIBC__ if the C library is glibc

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace lanescope {

void tune_malloc() {
#ifdef __GLIBC__
    constexpr int largest_piece = 32 << 20;  // bytes; the most that may be set (mallopt(3))
    constexpr int kept = 128 << 20;
    mallopt(M_MMAP_THRESHOLD, largest_piece);
    mallopt(M_TRIM_THRESHOLD, kept);
#endif
}

}  // namespace lanescope
