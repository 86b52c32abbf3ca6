// nvcc's own plan of a compilation (--dryrun) -> the same commands with the passes of host and device side by side.
//
// nvcc runs them one after the other: the host front end (cudafe++), then the device front end (cicc). The device pass
// needs only the module's id from the host pass, and can generate the same id itself on request; the build checks that
// both ids are equal.
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
