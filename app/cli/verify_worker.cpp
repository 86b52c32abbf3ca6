// The part of `lanescope verify` that uses the GPU, in a process of its own: its results go to standard output, one
// line a kernel and view.
#include "base/child_process.h"
#include "cli/commands.h"
#include "cli/gpu_commands.h"
#include "cli/verify_report.h"
#include "execute/gpu/device.h"
#include "execute/gpu/record.h"
#include "session/launch_values.h"
#include "trace/file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace lanescope::cli {

namespace {

/// "scan/padded" as written -> "scan-padded.written.lanescope".
std::filesystem::path file_of(const std::string& kernel, const std::string& view) {
    std::string name = kernel;
    std::ranges::replace(name, '/', '-');
    return fmt::format("{}.{}.lanescope", name, view);
}

}  // namespace

int verify_worker(const VerifyOptions& options, Environment& environment) {
    end_with_parent();
    const auto send = [&](const nlohmann::ordered_json& json) {
        // One line, whatever bytes a message has.
        environment.out << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n' << std::flush;
    };
    const auto device = open_gpu();
    if (!device) {
        send({{"problem", device.error().what}, {"remedy", device.error().remedy}});
        return request_wrong;
    }
    timing::RecordingHeader on = header_of(**device);
    on.command = options.command;
    send(timing::json::of(on));
    session::Verifier verifier{
        .on = on,
        .open = [&](const trace::Trace& trace, const ptx::Module& module, const execute::Rewritten& rewritten) {
            return execute::recording_device(**device, trace, module, rewritten);
        }};
    if (options.record) verifier.record_blocks = *options.record;
    for (const VerifyTrial& trial : trials_of(options)) {
        const session::Request request = usual_request(options.sizes, trial.program, trial.view);
        const auto found = session::verify(request, verifier, environment.progress);
        if (environment.progress.cancelled()) return interrupted;
        Verified result;
        if (found) {
            result = verified(*found);
        } else {
            result = {.kernel = trial.program,
                      .view = session::name_of(trial.view),
                      .n = request.n.value_or(0),
                      .block = request.block.value_or(0),
                      .verdict = "failed",
                      .why = found.error().message()};
        }
        if (found && found->recorded != nullptr && !options.save.empty()) {
            const auto saved = trace::save(*found->recorded, options.save / file_of(result.kernel, result.view));
            if (!saved) result.why = saved.error().message();
        }
        send(to_json(result));
        // After a fault nothing works in this process any more.
        if (!found && !(*device)->finish()) return device_lost;
    }
    return fine;
}

}  // namespace lanescope::cli
