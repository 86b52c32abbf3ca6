// A program whose kernel is a host function: its code followed, its launches made.
#pragma once

#include "execute/emulator/emulator.h"
#include "ptx/module.h"
#include "session/host_code.h"
#include "session/session_plan.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// PTX and what kernels are called in it, for the instances asked for.
struct HostModule {
    ptx::Module module;
    std::map<std::string, std::string> names;
};
using CompileInstances = std::function<std::expected<HostModule, Refusal>(const std::vector<std::string>&)>;

/// Follows the host function of the plan, unless that was done when the file was read. Kernels are run, unrecorded,
/// where the host looks at their results.
[[nodiscard]] std::expected<HostRun, Refusal> follow_host(const Plan& plan, const CompileInstances& compile,
                                                          Progress& progress);

/// The instances that the launches need, each once: "reduce", "reduce<128>".
[[nodiscard]] std::vector<std::string> instances_of(const HostRun& host);

/// What comes of launches that cannot be.
struct LeftOut {
    std::vector<execute::HostWrite> writes;  ///< by the host, behind the last launch that can be
    std::optional<Problem> why;              ///< what is wrong with the first; nothing: all can be
};
/// Launches that the runtime answers with an error become faults of the host and are no more among its launches. The
/// next one finds what the host wrote before them, too.
[[nodiscard]] std::expected<LeftOut, Refusal> leave_out(const Plan& plan, HostRun& host,
                                                        const std::map<std::string, std::string>& names,
                                                        const ptx::Module& module);

/// What the emulator is to run. The buffers that the plan made come first.
[[nodiscard]] std::expected<void, Refusal> add_launches(const Plan& plan, const HostRun& host,
                                                        const std::map<std::string, std::string>& names,
                                                        execute::Program& program);

/// What the host does wrong stands among the findings, with its line and without a thread.
void add_faults(const HostRun& host, trace::Trace& trace);

/// `__constant__` and `__device__` variables begin with what the host, or a line of the file, sets them to.
[[nodiscard]] std::expected<void, Refusal> set_symbols(const std::map<std::string, std::vector<std::byte>>& symbols,
                                                       ptx::Module& module);

}  // namespace lanescope::session
