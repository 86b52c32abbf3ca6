// Template arguments of a program's kernel, from its description or a request -> the instance that is compiled, and the
// expressions of the recipe that name the template's parameters: of `template <int nt, int vt>` and "block, 4",
// "ceil(n / (vt * block))" is "ceil(n / ((4) * block))".
#pragma once

#include "base/result.h"
#include "compile/source.h"
#include "session/expression.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

struct Program;

/// "unsigned int blockSize = 128" -> "blockSize".
[[nodiscard]] std::string_view declared_name(std::string_view template_parameter);

/// An expression of the recipe without names of the file: template parameters are their arguments (`timed`: those of
/// the timed launch), constants are their values.
[[nodiscard]] std::string without_names(std::string_view expression, const Program& program, bool timed = false);

/// The first template parameter that has neither an argument nor a default, "int vt"; empty: none.
[[nodiscard]] std::string parameter_without_argument(const compile::KernelDeclaration& kernel,
                                                     const std::vector<std::string>& arguments);

/// "block, 4" -> "block", "4".
[[nodiscard]] std::vector<std::string> argument_list(std::string_view list);

/// Whether the CPU reference holds for the template arguments that a request names: apart from those that its brackets
/// name, they must be the description's, or those of its timed launch.
[[nodiscard]] bool is_described_instance(const Program& program, const Variables& variables);
/// The instances for which the CPU reference holds: "reduce<block, vt>".
[[nodiscard]] std::string described_instances(const Program& program);

/// The instance that NVRTC compiles, "reduce<128>", for the given block size; the kernel's own name where it is not a
/// template.
[[nodiscard]] Result<std::string> instance_of(const Program& program, const Variables& variables);

}  // namespace lanescope::session
