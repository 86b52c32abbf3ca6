// NVRTC's log -> diagnostics.
#pragma once

#include "compile/compile.h"

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
/// column. What has no such form (summaries, remarks on options) is left out; if nothing has, the log is one error.
[[nodiscard]] std::vector<LogMessage> parse_log(std::string_view log);

/// The messages for a person: those of headers keep their file's name in the text and have no line.
[[nodiscard]] std::vector<Diagnostic> diagnostics_for(const std::vector<LogMessage>& messages, const std::string& file);

}  // namespace lanescope::compile
