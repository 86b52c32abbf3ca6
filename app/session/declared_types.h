// The source's declarations of variables in memory, for a module without their debug information: as compiled, PTX has
// arrays of bytes.
#pragma once

#include "ptx/module.h"
#include "session/catalog.h"

namespace lanescope::session {

/// Types and extents of __shared__, __device__ and __constant__ variables into Module::arrays, by their name and, where
/// functions have variables of the same name, by the function. A declaration that does not make the variable's size is
/// skipped: unknown types, extents of template arguments.
///
/// Also the members of the structures of these variables and of the kernels' parameters' targets, into
/// Module::structures.
void add_declared_types(const Program& program, ptx::Module& module);

}  // namespace lanescope::session
