// Files that ship beside a built-in program for machines without a CUDA compiler: its PTX, and for a program of several
// launches the steps of its host code.
#pragma once

#include "base/result.h"
#include "compile/compile.h"
#include "session/catalog.h"

#include <string>

namespace lanescope::session {

/// The compilation of a kernel's default launch; a template in that instance.
[[nodiscard]] Result<compile::CompileRequest> kept_request(const Program& program, compile::View view);

struct KeptProgram {
    std::string ptx;    ///< as nvcc compiles it
    std::string steps;  ///< kept_steps.h; the same for both views
};
/// Compiles a host function with nvcc and runs it at its default launch.
[[nodiscard]] Result<KeptProgram> kept_program(const Program& program, compile::View view);

/// Its PTX's file: "kernels/reduce/sequential.written.ptx".
[[nodiscard]] std::string kept_path(const Program& program, compile::View view);

}  // namespace lanescope::session
