// Asks the compiler for the value of a constant or the definition of types in a source: NVRTC compiles the source with
// one declaration appended, and the answer is in the PTX.
#pragma once

#include "compile/compile.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::compile {

/// The state that an answer depends on, as far as it is cheap to determine: the text, the options, and the last change
/// of a file in the include folders.
[[nodiscard]] std::string state_of(const CompileRequest& request);

/// The compiler's output for a request; null if it does not compile. Each request is compiled once for a state, even
/// with user headers, for which compile() does not cache.
[[nodiscard]] std::shared_ptr<const CompileOutput> answer_to(const CompileRequest& request);

/// The value of a macro, a constant or an enumerator at the end of the file. nullopt if it is not an integer constant
/// expression, or if the source does not compile. Each name is looked up once for a state.
[[nodiscard]] std::optional<std::int64_t> constant_value(const CompileRequest& request, const std::string& name);

inline constexpr const char* types_kernel = "lanescope_types";

/// A request for the source as written with an additional kernel types_kernel in the namespace ("": the global one),
/// whose parameters are pointers to the types, so that DWARF describes them in full. Does not compile if one of them is
/// not a type.
[[nodiscard]] CompileRequest with_types(const CompileRequest& request, const std::string& scope,
                                        const std::vector<std::string>& types);

}  // namespace lanescope::compile
