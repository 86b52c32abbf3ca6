// A source -> facts from the compiler beside its kernels: the value of a constant, what types are. NVRTC compiles the
// source with one declaration appended, and the answer is in the PTX.
#pragma once

#include "compile/compile.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::compile {

/// The state that an answer depends on, as far as it is cheap to find: the text, the options, when a file in the
/// include folders was last written.
[[nodiscard]] std::string state_of(const CompileRequest& request);

/// The compiler's output for a question; null where the source cannot be compiled. Each question is compiled once for a
/// state, also where compile() keeps nothing, for sources with headers of their own.
[[nodiscard]] std::shared_ptr<const CompileOutput> answer_to(const CompileRequest& request);

/// The value of a macro, a constant or an enumerator, as the end of the file sees it. Nothing where it is no whole
/// number known at compile time, or where the source cannot be compiled. Each question is asked once for a state.
[[nodiscard]] std::optional<std::int64_t> constant_value(const CompileRequest& request, const std::string& name);

inline constexpr const char* types_kernel = "lanescope_types";

/// The source as written with one more kernel in that namespace ("": the global one), types_kernel, whose parameters
/// are pointers to the types: DWARF has them whole. Fails where one of them is none.
[[nodiscard]] CompileRequest with_types(const CompileRequest& request, const std::string& scope,
                                        const std::vector<std::string>& types);

}  // namespace lanescope::compile
