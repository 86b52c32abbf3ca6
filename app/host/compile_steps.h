// nvcc's own plan of a compilation (--dryrun) -> the same commands with the passes of host and device side by side.
//
// nvcc runs them one after the other: the front end of the host (cudafe++), then that of the device (cicc). All that
// the second reads of the first is the module's id, which it makes itself in the same way where it is asked to; that
// both are equal is checked.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::host {

/// Scripts for /bin/sh; each ends at its first command that fails.
struct CompileSteps {
    std::string host;                              ///< preprocesses and splits the source
    std::string device;                            ///< preprocesses it and compiles device code; runs beside `host`
    std::string finish;                            ///< compiles host code with the device code in it, after both
    std::filesystem::path id;                      ///< the module's id by `host`
    std::filesystem::path other;                   ///< the same by `device`
    std::filesystem::path host_rule, device_rule;  ///< make rules: the files that each has read
};

/// `plan`: what nvcc -c --dryrun --keep printed of one source and one architecture. The files of `folder`, which is
/// nvcc's --keep-dir, are written. Nothing where the plan has another shape: then nvcc itself is run.
[[nodiscard]] std::optional<CompileSteps> compile_steps(std::string_view plan, const std::filesystem::path& folder);

}  // namespace lanescope::host
