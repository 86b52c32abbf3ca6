// The launch of a file without a description: from its own launches, otherwise guessed from its parameters.
#pragma once

#include "session/program.h"

#include <string_view>

namespace lanescope::session {

/// Launch and data: from the file's own launch of the kernel, its copies and its constants, otherwise from the
/// parameters. Fills only empty fields, and lists its choices in `notes`.
void guess_launch(Program& program);
/// Is it the name of a number of elements, "len", "width", "numBins"?
[[nodiscard]] bool names_size(std::string_view name);

/// One plan for each parameter that has none yet; an empty one, which make_argument refuses, where the parameter's type
/// is no help.
void guess_arguments(Program& program);

}  // namespace lanescope::session
