// A launch as it is typed, field by field -> a Request, and back to flags. The window's fields and the command line's
// flags have the same values, read and refused by the same rules.
#pragma once

#include "session/request.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

enum class LaunchField : std::uint8_t {
    program,
    kernel,
    type,  ///< template arguments: "float, block"
    block,
    grid,
    n,
    input,
    view,   ///< "written" or "compiled"
    banks,  ///< "32" or "16"
    shared,
    arch,              ///< "75", "sm_90"
    record,            ///< blocks
    multiprocessors,   ///< "16", or a GPU: "G80"
    resident,          ///< blocks on each, at most
    order,             ///< of blocks: "descending, stall 3"
    schedule,          ///< which threads wait, and where: "hold 0:1:3 at 57"
    command_line,      ///< what main gets beside its name, as a shell reads it
    standard_input,    ///< what the program reads from stdin
    function,          ///< __host__ __device__, called by host code: its run as one thread is shown
    working_folder,    ///< that main runs in
    time_limit,        ///< of host code, in seconds of CPU time
    max_instructions,  ///< of a warp, that the launches may execute
    record_launch,     ///< of a program: its number, from 0
    compiler,          ///< options of the compiler, as a shell reads them
    count
};
/// "block": the name in Refusal::field, in a flag and in a saved session.
[[nodiscard]] std::string_view name_of(LaunchField field);
/// The field of that name.
[[nodiscard]] std::optional<LaunchField> launch_field(std::string_view name);

/// The text of each field. Empty: the program's own default.
struct LaunchValues {
    std::array<std::string, static_cast<std::size_t>(LaunchField::count)> text;
    std::map<std::string, std::string> arguments;  ///< by parameter, as Request has them
    bool anyway = false;                           ///< run although the kernel's own limit excludes it
    bool sanitize = false;                         ///< build host code with AddressSanitizer

    [[nodiscard]] std::string& operator[](LaunchField field) { return text[static_cast<std::size_t>(field)]; }
    [[nodiscard]] const std::string& operator[](LaunchField field) const {
        return text[static_cast<std::size_t>(field)];
    }
    friend bool operator==(const LaunchValues&, const LaunchValues&) = default;
};

/// Why the text is invalid for the field, in any program; nothing where it is valid.
[[nodiscard]] std::optional<Problem> problem_of(LaunchField field, std::string_view text);

/// "in=iota" -> "in", "iota".
[[nodiscard]] Result<std::pair<std::string, std::string>> read_argument(std::string_view text);

/// The request that the texts describe. An invalid text is left out.
[[nodiscard]] Request request_of(const LaunchValues& values);

/// The texts that describe the request.
[[nodiscard]] LaunchValues values_of(const Request& request);

/// The flags that describe launch and data to another process: "--kernel", "scan<float>", "--n", "1024", ... Without
/// the program, its view, and how it is recorded and counted.
[[nodiscard]] std::vector<std::string> launch_flags(const Request& request);

/// "--" and the arguments of main, which end a command line; empty if main gets none.
[[nodiscard]] std::vector<std::string> words_for_main(const Request& request);

/// Appends launch_flags(), `options` and words_for_main() to a command line.
void add_launch(std::vector<std::string>& command_line, const Request& request,
                const std::vector<std::string>& options = {});

[[nodiscard]] const char* name_of(trace::View view);  ///< "written", "compiled"
[[nodiscard]] std::optional<trace::View> view_of(std::string_view name);

}  // namespace lanescope::session
