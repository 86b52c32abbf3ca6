// compile() with the compiler and the cache given: what it is made of, and what tests use.
#pragma once

#include "compile/cache.h"
#include "compile/compile.h"
#include "compile/nvrtc.h"

namespace lanescope::compile {

[[nodiscard]] std::expected<CompileOutput, CompileFailure> compile_with(const Result<Nvrtc>& nvrtc, const Cache& cache,
                                                                        const CompileRequest& request);

}  // namespace lanescope::compile
