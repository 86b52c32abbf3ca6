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
#include <functional>
#include <memory>
#include <ostream>
#include <span>

namespace lanescope::cli {

namespace {

/// "scan/padded" as written -> "scan-padded.written.lanescope".
std::filesystem::path file_of(const std::string& kernel, const std::string& view) {
    std::string name = kernel;
    std::ranges::replace(name, '/', '-');
    return fmt::format("{}.{}.lanescope", name, view);
}

/// Reports when a use of the GPU begins and ends.
class Announced : public execute::RecordingMachine {
  public:
    Announced(std::unique_ptr<execute::RecordingMachine> machine, std::function<void(bool)> announce)
        : machine_(std::move(machine)), announce_(std::move(announce)) {}

    Result<Room> make_room(std::uint64_t control_bytes, std::uint64_t log_bytes) override {
        return machine_->make_room(control_bytes, log_bytes);
    }
    Result<Ran> run(std::span<const std::byte> control, std::span<const execute::RecorderWords> words) override {
        announce_(true);
        auto ran = machine_->run(control, words);
        announce_(false);
        return ran;
    }
    [[nodiscard]] std::uint64_t address_of(std::size_t buffer) const override { return machine_->address_of(buffer); }
    [[nodiscard]] std::uint64_t most_log_bytes() const override { return machine_->most_log_bytes(); }

  private:
    std::unique_ptr<execute::RecordingMachine> machine_;
    std::function<void(bool)> announce_;
};

}  // namespace

int verify_worker(const VerifyOptions& options, Environment& environment) {
    end_with_parent();
    const auto send = [&](const nlohmann::ordered_json& json) { send_line(environment, json); };
    const auto device = open_gpu();
    if (!device) {
        send(problem_line(device.error()));
        return request_wrong;
    }
    timing::RecordingHeader on = header_of(**device);
    on.command = options.command;
    send(timing::json::of(on));
    const auto announce = [&](bool begins) { send({{on_gpu, begins}}); };
    announce(false);
    session::Verifier verifier{
        .on = on,
        .open = [&](const trace::Trace& trace, const ptx::Module& module,
                    const execute::Rewritten& rewritten) -> Result<std::unique_ptr<execute::RecordingMachine>> {
            auto machine = execute::recording_device(**device, trace, module, rewritten);
            if (!machine) return std::unexpected(machine.error());
            return std::make_unique<Announced>(*std::move(machine), announce);
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
        // After a fault this process can no longer use the GPU.
        if (!found && !(*device)->finish()) return device_lost;
    }
    return fine;
}

}  // namespace lanescope::cli
