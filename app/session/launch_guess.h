// The launch of a kernel alone, where nothing states it: guessed from the kernel and its parameters.
#pragma once

#include "compile/compile.h"
#include "session/program.h"
#include "session/refusal.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

/// Sets the template's arguments, without which nothing compiles: those of a launch in the file, else guessed ones.
void guess_template_arguments(Program& program);
/// Whether the program's are guessed: neither the request nor the description nor a launch of the file states them.
[[nodiscard]] bool has_guessed_instance(const Program& program);
/// The refusal if the compiler refuses only the guessed instance of `failed`: the source compiles without it. `why`:
/// the compiler's message. Nothing: the instance is not guessed, or the source does not compile.
[[nodiscard]] std::optional<Refusal> refused_instance(const Program& program, compile::CompileRequest failed,
                                                      const std::vector<compile::Diagnostic>& why);
/// The same for an instance that has not been compiled yet, at the sizes `variables`.
[[nodiscard]] std::optional<Refusal> uncompiled_guess(const Program& program, const Variables& variables);
/// Guesses launch and data from what the compiled kernel reads. Fills only empty fields, marks them in `guessed`, and
/// lists its choices in `notes`.
void guess_launch(Program& program);
/// The rule of a grid that fills n elements, or squares or cubes of n a side.
[[nodiscard]] std::string grid_for(const trace::Dim3& block);
/// Whether it is the name of a number of elements: "len", "width", "numBins".
[[nodiscard]] bool names_size(std::string_view name);

/// Adds a plan for each parameter that has none yet; an empty one, which make_argument refuses, where the parameter's
/// type suggests none.
void guess_arguments(Program& program);

}  // namespace lanescope::session
