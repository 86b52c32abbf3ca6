// The programs that Lanescope knows, and how a .cu file describes itself: title, family, arguments, launch, oracle.
#pragma once

#include "base/result.h"
#include "compile/source.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// How one argument of a kernel is made. From the `// lanescope: arg` lines, from flags, or guessed.
struct ArgumentPlan {
    std::string parameter;
    std::string plan;       ///< "input(grid * block)", "zeros(grid)", "n", "3.5"
    bool guessed = false;
};

/// A .cu (or .ptx) file as a program: what to launch and how.
struct Program {
    std::string name;        ///< "reduce/interleaved-modulo", or the file's name
    std::string title;       ///< "Reduction 1: interleaved, modulo"
    std::string family;      ///< "reduce", "scan", ...; "file" for a user's
    std::string summary;     ///< one sentence
    std::string lecture;     ///< the lecture's own name and number for it
    std::vector<std::string> words;  ///< the lecture's words about it, a paragraph each
    std::string work, span;  ///< closed forms, as the lecture gives them
    std::string source, source_name;
    bool built_in = false;
    compile::SourceScan scan;
    std::vector<ArgumentPlan> arguments;
    std::string kernel;      ///< the default one
    std::string shared;      ///< expression for the dynamic shared bytes, "block * 4"; empty: 0
    std::string grid;        ///< expression, "ceil(n / block)"
    std::string default_n, default_block, default_input;
    std::string block_rule;  ///< "power of two", ...: what the kernel can take, checked before running
    std::string oracle;      ///< name of the CPU oracle, "block-sum"
    std::string output;      ///< parameter that the oracle checks
    std::string ptx;         ///< when opened from .ptx
};

[[nodiscard]] const std::vector<Program>& catalog();             ///< built in, in teaching order
[[nodiscard]] const Program* find_program(std::string_view name);///< by name, or by its last part where that is unique
[[nodiscard]] Result<Program> read_program(const std::filesystem::path& path);
[[nodiscard]] Result<Program> program_from_source(std::string source, const std::string& name);

/// An expression of the comment or of a flag: n, block, grid, numbers, + - * / %, ( ), min, max, ceil(a / b).
struct Variables { std::uint64_t n = 0, block = 0, grid = 0; };
[[nodiscard]] Result<std::uint64_t> evaluate(std::string_view expression, const Variables& variables);

}  // namespace lanescope::session
