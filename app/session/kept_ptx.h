// The PTX compiled ahead for a built-in program and kept beside its source, for machines without a compiler.
#pragma once

#include "base/result.h"
#include "compile/compile.h"
#include "session/catalog.h"

namespace lanescope::session {

/// The compilation of the program's default launch; a template in that instance.
[[nodiscard]] Result<compile::CompileRequest> kept_request(const Program& program, compile::View view);

/// Its file: "kernels/reduce/sequential.written.ptx".
[[nodiscard]] std::string kept_path(const Program& program, compile::View view);

}  // namespace lanescope::session
