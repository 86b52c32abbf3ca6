// Shared by the tests of modules: texts, and the short way to a module of one kernel.
#pragma once

#include "ptx/module.h"

#include <gtest/gtest.h>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ptx {

/// The PTX of a kernel in data/, as compiled by NVRTC: "sequential.int.written.ptx".
[[nodiscard]] std::string read_data(const std::string& name);
/// All of it, by name.
[[nodiscard]] std::vector<std::string> data_names();

/// A whole text around the body of a kernel k(.u64 p, .u32 n), whose registers %p, %q (.pred), %h (.b16), %r (.b32),
/// %rd (.b64), %f (.f32), %d (.f64), 9 of each, are declared on one line: the body begins on line `body_line`.
[[nodiscard]] std::string kernel(std::string_view body);
inline constexpr unsigned body_line = 7;

/// The module, or a failed test and an empty one.
[[nodiscard]] Module parsed(const std::string& text);
/// The one kernel of kernel(body).
[[nodiscard]] Module parsed_kernel(std::string_view body);
/// The problem of a text that must be refused.
[[nodiscard]] Problem refused(const std::string& text);
/// "line:column: what" of a kernel's body that must be refused, lines counted from the body's first.
[[nodiscard]] std::string refused_body(std::string_view body);

/// Names of registers, "%r1 %r2".
[[nodiscard]] std::string names(const Function& function, const std::vector<RegisterId>& registers);

}  // namespace lanescope::ptx
