#include "ui/gpu_check.h"

#include "base/grouped.h"
#include "session/launch_values.h"
#include "timing/recording_header.h"
#include "ui/json_file.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::ui {

namespace {

constexpr std::string_view speaker = "lanescope verify: ";  // begins its error messages

/// The last error message, as a sentence.
std::string complaint_of(const std::string& errors, const Ending& ending) {
    const std::size_t at = errors.rfind(speaker);
    if (at == std::string::npos) return fmt::format("The comparison stopped: {}.", text_of(ending));
    std::string text = errors.substr(at + speaker.size());
    while (!text.empty() && text.back() == '\n') text.pop_back();
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
        text.front() = static_cast<char>(text.front() - 'a' + 'A');
    return text;
}

template <class T>
T value_of(const nlohmann::json& json, const char* key) {
    T value{};
    take(json, key, value);
    return value;
}

}  // namespace

ChildProcess::Command verify_command(const session::Run& run) {
    session::Request launch = run.request;
    // Without flags `verify` chooses other sizes and data than the window.
    if (run.program.source.built_in) {
        if (!launch.n) launch.n = run.n;
        if (!launch.block && !launch.block_extent) launch.block_extent = run.trace().launches.front().block;
    }
    if (launch.input.empty() && (run.program.source.built_in || !run.program.recipe.host)) launch.input = run.input;
    ChildProcess::Command command{.program = own_program(),
                                  .arguments = {"verify", launch.program, "--view", session::name_of(launch.view)},
                                  .longest_silence = longest_silence};
    session::add_launch(command.arguments, launch, {"--json"});
    return command;
}

void GpuCheck::start(std::shared_ptr<const session::Run> run) {
    if (run->trace().origin.input == trace::host_call_input) {
        forget();
        run_ = std::move(run);
        said_ = "Host code called the function: there is no GPU launch to verify.";
        return;
    }
    const ChildProcess::Command command = verify_command(*run);
    follow(std::move(run), command);
}

void GpuCheck::follow(std::shared_ptr<const session::Run> run, const ChildProcess::Command& command) {
    forget();
    run_ = std::move(run);
    if (const auto started = child_.start(command); !started) {
        said_ = started.error().message();
        return;
    }
    state_ = State::running;
}

void GpuCheck::cancel() {
    if (running()) forget();
}

void GpuCheck::keep_to(const std::shared_ptr<const session::Run>& run) {
    if (run != run_) forget();
}

void GpuCheck::forget() {
    child_.cancel();
    run_.reset();
    state_ = State::unknown;
    said_.clear();
    device_.clear();
    difference_.reset();
}

bool GpuCheck::poll() {
    const auto ended = child_.poll();
    if (!ended) return false;
    state_ = State::unknown;
    read(*ended);
    return true;
}

void GpuCheck::read(const CollectedChild::Ended& ended) {
    const auto json = nlohmann::json::parse(ended.output, nullptr, false);
    const auto kernels = json.is_object() ? json.find("kernels") : json.end();
    const auto on = timing::json::header_in(json);
    if (!on || kernels == json.end() || !kernels->is_array() || kernels->size() != 1 || !kernels->front().is_object()) {
        said_ = complaint_of(ended.errors, ended.ending);
        return;
    }
    const nlohmann::json& one = kernels->front();
    const auto verdict = value_of<std::string>(one, "verdict"), why = value_of<std::string>(one, "why");
    device_ = on->device;
    if (verdict == "agree") {
        state_ = State::agree;
        said_ = fmt::format(
            "{} (driver {}) and the emulator agree, thread by thread: {}, barriers, branches and values from "
            "other lanes were compared.",
            device_, on->driver, counted(value_of<std::uint64_t>(one, "compared"), "access"));
        if (const auto replayed = value_of<std::uint64_t>(one, "told"); replayed > 0)
            said_ += fmt::format(
                " {} of them depend on the order of blocks and warps: the emulator took these values from the GPU.",
                grouped(replayed));
    } else if (verdict == "differ") {
        state_ = State::differ;
        said_ = fmt::format("{} and the emulator differ: {}.", device_, why);
        if (const auto at = one.find("first_difference"); at != one.end() && at->is_object()) {
            difference_ = Difference{.launch = value_of<std::uint32_t>(*at, "launch"),
                                     .block = BlockId{value_of<std::uint32_t>(*at, "block")},
                                     .thread = value_of<std::uint32_t>(*at, "thread"),
                                     .line = PtxLine{value_of<std::uint32_t>(*at, "ptx_line")},
                                     .nth = value_of<std::uint64_t>(*at, "nth"),
                                     .source_line = value_of<std::uint32_t>(*at, "line")};
        }
    } else {
        said_ = fmt::format("Not compared with the GPU: {}{}", why, why.ends_with('.') ? "" : ".");
    }
}

}  // namespace lanescope::ui
