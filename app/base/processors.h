// Loops over the 32 lanes of a warp, compiled for processors with AVX2 and with AVX-512 too, and chosen when the
// program is loaded. They are written so that a compiler vectorizes them: 32 iterations, no early exit.
#pragma once

// The sanitizers' start-up cannot resolve an ifunc; clang, which only builds fuzzers here, has none for templates.
// Neither build is timed.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__OPTIMIZE__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define LANESCOPE_HAS_PROCESSORS
#define LANESCOPE_FOR_EACH_PROCESSOR [[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]]
#else
#define LANESCOPE_FOR_EACH_PROCESSOR
#endif

// Placed before a loop: no iteration writes what another one reads.
#if defined(__GNUC__) && !defined(__clang__)
#define LANESCOPE_ROUNDS_APART _Pragma("GCC ivdep")
#else
#define LANESCOPE_ROUNDS_APART
#endif
