// Host code with its macros written out, as far as following the code needs it.
#pragma once

#include "compile/declarations.h"
#include "compile/lexer.h"

#include <vector>

namespace lanescope::compile {

/// The code with the file's macros replaced ([cpp.replace]): names of values and types, expressions, statements. Left
/// as they are: checks around a call, which end the program where it fails (a body that names exit, return, goto or an
/// error's text), macros that paste names or take any number of arguments, and what device code is marked with. A
/// replaced token has the line of the macro's name where it stands; its text, and not its place in the file, is what
/// counts.
[[nodiscard]] std::vector<Token> with_macros(const std::vector<Token>& code, const Macros& macros);

}  // namespace lanescope::compile
