// A piece at a file's end that is no declaration. Host code is not compiled, so that nobody else would see it.
#pragma once

#include "compile/compile.h"

#include <optional>
#include <string>

namespace lanescope::compile {

/// The error of a source whose last piece ends neither with ';' nor with '}' (C++, [dcl.pre]) whatever branches of `#if` are read.
/// What may be a macro, by its capitals or a #define of the file, may end as it likes.
[[nodiscard]] std::optional<Diagnostic> unended_piece(const std::string& source);

}  // namespace lanescope::compile
