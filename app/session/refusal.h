// Why a request is not run: the problem, the field it belongs to, what to do.
#pragma once

#include "base/result.h"
#include "compile/compile.h"
#include "trace/trace.h"

#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// A whole program that ended by itself and launched no kernel: its output and exit status are its result.
struct NoLaunch {
    std::shared_ptr<const trace::Trace> trace;  ///< of its host code alone, with its findings
};

/// A request that could not be run: the problem, the field it belongs to ("program", "kernel", "block", "grid", "n",
/// "shared", "input", "arch", "argument", "command line", "source", "trust", or "cancelled" if the user cancelled it),
/// and the compiler's diagnostics if the compiler refused it.
struct Refusal {
    Problem problem;
    std::string field;
    std::vector<compile::Diagnostic> diagnostics;
    bool by_rule = false;  ///< it is the kernel's own rule: Request::anyway runs it
    bool no_main = false;  ///< main stands in the source, but not in what the compiler sees: an #if excludes it
    std::optional<NoLaunch> no_launch = {};  ///< set for a successful exit, and with findings
    bool of_guess = false;                   ///< only what was guessed is refused: the source is not at fault
};

/// The text with a capital at its beginning and a full stop at its end.
[[nodiscard]] std::string sentence(std::string text);

[[nodiscard]] std::unexpected<Refusal> refuse(std::string field, Problem problem);
[[nodiscard]] std::unexpected<Refusal> refuse(std::string field, std::string what, std::string remedy = {});

}  // namespace lanescope::session
