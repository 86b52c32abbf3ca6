// What the compiler says of a source beside its kernels: the value of one of its constants. NVRTC compiles the source
// with one declaration appended, and the answer is read from the PTX.
#pragma once

#include "compile/compile.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::compile {

/// The value of a macro, a constant or an enumerator, as the end of the file sees it. Nothing where it is no whole
/// number known at compile time, or where the source cannot be compiled. Each question is asked once in a process.
[[nodiscard]] std::optional<std::int64_t> constant_value(const CompileRequest& request, const std::string& name);

}  // namespace lanescope::compile
