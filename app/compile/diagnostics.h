// NVRTC's log -> diagnostics, and the one error that NVRTC cannot report because host code is removed before: an
// unterminated last declaration.
#pragma once

#include "compile/compile.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::compile {

/// One message of the log with the file it names, which may be a header.
struct LogMessage {
    Diagnostic diagnostic;
    std::string file;
};

/// Reads `file(line): error: text`, its continuation lines, and the caret under the quoted source line, which gives the
/// column. Other lines (summaries, remarks on options) are dropped; a log without any such message becomes one error.
[[nodiscard]] std::vector<LogMessage> parse_log(std::string_view log);

/// The messages as shown to the user: those for headers have the file's name in the text and no line.
[[nodiscard]] std::vector<Diagnostic> diagnostics_for(const std::vector<LogMessage>& messages, const std::string& file);

/// Whether the errors may come from a function or instruction that only a newer target has.
[[nodiscard]] bool may_need_newer_gpu(std::string_view log);

/// The error of a source whose last declaration ends neither with ';' nor with '}' (C++ [dcl.pre]), with any choice of
/// `#if` branches. A name in capitals, or one that the file defines, may be a macro, which needs neither.
[[nodiscard]] std::optional<Diagnostic> unterminated_declaration(const std::string& source);

}  // namespace lanescope::compile
