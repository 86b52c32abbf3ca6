// What a file whose description is silent is run with: taken from its own launches, else from its parameters.
#pragma once

#include "session/program.h"

namespace lanescope::session {

/// Launch and data: from the file's own launch of the kernel, its copies and its constants, else from the parameters.
/// Fills only what is empty, and says in `notes` what it took or guessed.
void guess_launch(Program& program);
/// One plan for each parameter that has none yet; an empty one where the parameter's type says nothing, which
/// make_argument refuses.
void guess_arguments(Program& program);

}  // namespace lanescope::session
