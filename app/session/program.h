// A .cu (or .ptx) file as a program: its kernel, its launch, its lesson. Parts missing in its description are guessed.
#pragma once

#include "base/result.h"
#include "session/instance.h"
#include "session/lesson.h"
#include "session/recipe.h"
#include "session/source_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

struct Program {
    std::string name;  ///< "reduce/interleaved-modulo", or the file's name
    SourceFile source;
    Recipe recipe;
    Lesson lesson;
    std::vector<std::string> notes;  ///< choices guessed or taken from the file's own launches, a sentence each
    std::string main_refused = {};  ///< why its main() cannot run, which is among the notes; empty: it can, or need not
};

/// `lesson`: the text of the Markdown file beside it, where there is one. `options`: those of the compiler, which is
/// asked for constants that the file's launch names.
[[nodiscard]] Result<Program> program_from_source(std::string source, const std::string& name, std::string lesson = {},
                                                  compile::CompilerOptions options = {});

/// The same file with another of its kernels as the one to run: "scan", or an instance of a template, "scan<float>".
[[nodiscard]] Result<Program> with_kernel(const Program& program, std::string_view kernel);

/// The kernel of a program whose main launches in one place; a request for another launch shows it alone. Else empty.
[[nodiscard]] std::string kernel_alone(const Program& program);

}  // namespace lanescope::session
