// Cases: an input file in, text out, compared with the text that is kept beside the input.
//
//   tests/cases/<kind>/<name>.<extension>   the input
//   tests/cases/<kind>/<name>.txt           the expected output
//
//   cases                                   runs them all, each as the test <Kind>.<name>
//   cases --rebaseline                      writes the current output: read the change before committing it
//
// A kind is a function below and a row of the table in cases.cpp.
#pragma once

#include <filesystem>
#include <string>

namespace lanescope::cases {

[[nodiscard]] std::string read_file(const std::filesystem::path& path);

/// The difference between `expected` and `actual`, line by line: " same", "-expected", "+actual", three lines around
/// each.
[[nodiscard]] std::string difference(const std::string& expected, const std::string& actual);

/// PTX in; out: the module as the parser understands it, or why it refuses.
[[nodiscard]] std::string ptx_case(const std::filesystem::path& input);

/// Commands in, one per line without the program's name ("trace reduce/sequential"; $TMP is a folder for written
/// files); out: the output of each, and its exit code.
[[nodiscard]] std::string command_case(const std::filesystem::path& input);

/// CUDA in; out: the result and the findings of each of its kernels, in both views.
[[nodiscard]] std::string kernel_case(const std::filesystem::path& input);

/// CUDA without a launch in; out: the same with guessed launches, with notes and exit codes.
[[nodiscard]] std::string guess_case(const std::filesystem::path& input);

}  // namespace lanescope::cases
