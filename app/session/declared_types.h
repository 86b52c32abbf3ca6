// What the source declares of variables in memory, for a module whose debug information says nothing of them: as
// compiled, PTX has arrays of bytes.
#pragma once

#include "ptx/module.h"
#include "session/catalog.h"

namespace lanescope::session {

/// Types and extents of __shared__, __device__ and __constant__ variables into Module::arrays, by their name and, where
/// functions have some of the same name, by the function. What does not come to the variable's size is left out: types
/// that are not known, extents of template arguments.
///
/// And the members of the structures that these, and what the kernels' parameters point to, are made of, into
/// Module::structures.
void add_declared_types(const Program& program, ptx::Module& module);

}  // namespace lanescope::session
