// A .cu or .ptx file as read: its text, the results of a scan, and its description.
//
// The description says how a file is launched and what it teaches, as lines of `key` and value (recipe.h and lesson.h
// have the keys). It is in a lesson beside the file, x.md beside x.cu, or in comment lines of the file itself:
//
//   // lanescope: block = 8
//   // lanescope: arg in = input(n, grid * block)
//
// A lesson is Markdown below a front matter with the same keys, which is YAML in its simplest forms:
//
//   ---
//   title: "Reduction 3: sequential"
//   block: 8
//   block reason: A value goes on in lines that are indented; in double quotes it may hold
//     a colon followed by a space.
//   arguments:
//     in: input(n, grid * block)
//   ---
#pragma once

#include "base/result.h"
#include "compile/compile.h"
#include "compile/compiler_options.h"
#include "compile/source.h"
#include "ptx/module.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

struct Description {
    std::vector<compile::Directive> lines;
    std::string file;  ///< that contains them
    std::string body;  ///< Markdown below the front matter; empty for comment lines
};

/// The text of a lesson: its front matter and the rest. Errors name line and column.
[[nodiscard]] Result<Description> read_lesson_file(std::string_view text, const std::string& name);
/// Whether the text begins with a front matter.
[[nodiscard]] bool is_lesson_file(std::string_view text);

/// "kernels/reduce/sequential.cu" -> "kernels/reduce/sequential.md"
[[nodiscard]] std::string lesson_beside(const std::string& source);

struct SourceFile {
    std::string text;    ///< CUDA C++; empty where the file is a .ptx
    std::string ptx;     ///< of a .ptx
    std::string name;    ///< path: "kernels/reduce/sequential.cu"
    std::string lesson;  ///< the text of the lesson beside it; empty: there is none
    compile::SourceScan scan;
    Description description;
    compile::CompilerOptions options;  ///< that the user states
    bool built_in = false;
    bool changed = false;  ///< the text differs from the file's: other element types
};

/// `lesson`: the text of `name` with the ending .md, or empty. A file with a lesson must not have comment lines, too.
[[nodiscard]] Result<SourceFile> read_source(std::string text, const std::string& name, std::string lesson);

/// The parameters of a kernel, named by its DWARF, of the types that its linked name carries (Itanium C++ ABI, 5.1.5),
/// which sees through every alias; of an extern "C" kernel the types of DWARF. Nothing where it has no DWARF.
[[nodiscard]] std::optional<std::vector<compile::Parameter>> described_parameters(const ptx::Function& kernel);

/// The request to compile the file, with the headers beside it. A .ptx has nothing to compile.
[[nodiscard]] compile::CompileRequest compile_request(const SourceFile& source);

/// The kernel or host function of that name, with or without its namespaces; null where there is none.
[[nodiscard]] const compile::KernelDeclaration* declaration_of(const compile::SourceScan& scan,
                                                               std::string_view kernel);
[[nodiscard]] bool is_host(const compile::SourceScan& scan, std::string_view name);

}  // namespace lanescope::session
