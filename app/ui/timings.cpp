#include "ui/timings.h"

#include "base/grouped.h"
#include "session/catalog.h"
#include "timing/steps.h"
#include "ui/gpu_check.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <ranges>
#include <string>

namespace lanescope::ui {

namespace {

constexpr std::string_view live = "measured here";

/// 2²² as a flag spells it: "2^22".
std::string power(std::uint64_t number) { return fmt::format("2^{}", std::countr_zero(number)); }

/// The settings that *Measure* goes through, by chart.
constexpr std::array<std::uint32_t, 6> swept_blocks{32, 64, 128, 256, 512, 1024};
constexpr std::uint64_t block_sweep_n = std::uint64_t{1} << 22U;
constexpr std::array<std::uint32_t, 12> swept_per_thread{2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
constexpr std::uint64_t per_thread_sweep_n = std::uint64_t{1} << 24U;
constexpr std::array<std::uint64_t, 11> swept_n = [] {
    std::array<std::uint64_t, 11> sizes{};
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::uint64_t{1} << (10 + 2 * i);
    return sizes;
}();

}  // namespace

Sweep sweep_for(const scene::TimingView& view, std::vector<std::string> kernels) {
    using scene::TimingChart;
    std::erase_if(kernels, [](const std::string& kernel) {
        return std::ranges::find(session::catalog(), kernel, &session::Program::name) == session::catalog().end();
    });
    Sweep sweep{.kernels = std::move(kernels), .flags = {}, .what = {}};
    switch (view.chart) {
        case TimingChart::block:
            sweep.flags = {"--n", power(block_sweep_n), "--block", fmt::format("{}", fmt::join(swept_blocks, ","))};
            sweep.what = fmt::format("blocks of {} to {}, N = {}", swept_blocks.front(),
                                     counted(swept_blocks.back(), "thread"), size_text(block_sweep_n));
            break;
        case TimingChart::per_thread:
            sweep.kernels = {"reduce/grid-stride"};
            sweep.flags = {"--n",          power(per_thread_sweep_n),
                           "--block",      "128,256",
                           "--per-thread", fmt::format("{}", fmt::join(swept_per_thread, ","))};
            sweep.what = fmt::format("{} to {} per thread, N = {}", swept_per_thread.front(),
                                     counted(swept_per_thread.back(), "element"), size_text(per_thread_sweep_n));
            break;
        case TimingChart::residency:
            return {.kernels = {},
                    .flags = {"--residency"},
                    .what = "reads by 1 to 64 warps on each multiprocessor, 1 to 8 loads in flight"};
        case TimingChart::steps:
        case TimingChart::claims:
            sweep.kernels = {"scan/in-place", "scan/up-sweep-down-sweep", "reduce/warp-shuffle"};
            for (const timing::Stage& stage : timing::lecture_stages) sweep.kernels.emplace_back(stage.kernel);
            sweep.flags = {"--n", power(timing::lecture_n), "--block", std::to_string(timing::lecture_block)};
            sweep.what = fmt::format("the lecture's table: N = {}, blocks of {}", size_text(timing::lecture_n),
                                     timing::lecture_block);
            break;
        default:
            sweep.flags = {"--n", fmt::format("{}", fmt::join(swept_n | std::views::transform(power), ",")), "--block",
                           std::to_string(view.block.value_or(256)), "--cub"};
            sweep.what = fmt::format("N from {} to {}, blocks of {}, with CUB where nvcc is installed",
                                     size_text(swept_n.front()), size_text(swept_n.back()), view.block.value_or(256));
            break;
    }
    if (!view.element.empty()) {
        sweep.flags.insert(sweep.flags.end(), {"--element", view.element});
        sweep.what += ", " + view.element;
    }
    return sweep;
}

Timings::Timings(std::filesystem::path folder) : folder_(std::move(folder)), library_(timing::shipped_recordings()) {
    if (!folder_.empty()) unreadable_ = library_.add_folder(folder_);
    chosen_ = library_.largest();
}

void Timings::choose(std::size_t index) {
    chosen_ = index;
    ++version_;
}

const timing::Recording& Timings::recording() const {
    static const timing::Recording none;
    return chosen_ ? library_[*chosen_].recording : none;
}

scene::TimingSubject Timings::subject() const {
    return {.recording = recording(),
            .lecture = library_.quoted(),
            .variants = session::catalog_variants(),
            .resident = library_.with_resident_reads(recording())};
}

Result<void> Timings::open(const std::filesystem::path& file) {
    const auto added = library_.add_file(file);
    if (!added) return std::unexpected(added.error());
    choose(*added);
    return {};
}

Result<void> Timings::measure(const Sweep& sweep) {
    ChildProcess::Command command{.program = own_program(), .arguments = {"time"}, .longest_silence = longest_silence};
    std::vector<std::string>& arguments = command.arguments;
    // A cancelled sweep resumes with its full request, although its plot shows only what was measured.
    std::vector<std::string> kernels = sweep.kernels;
    if (!unfinished_.kernels.empty() && unfinished_.flags == sweep.flags)
        kernels.insert(kernels.end(), unfinished_.kernels.begin(), unfinished_.kernels.end());
    std::ranges::sort(kernels);
    const auto same = std::ranges::unique(kernels);
    kernels.erase(same.begin(), same.end());
    unfinished_ = {.kernels = kernels, .flags = sweep.flags, .what = sweep.what};
    arguments.insert(arguments.end(), kernels.begin(), kernels.end());
    arguments.insert(arguments.end(), sweep.flags.begin(), sweep.flags.end());
    arguments.emplace_back("--stream");
    std::error_code error;
    if (!folder_.empty() && (std::filesystem::create_directories(folder_, error), !error)) {
        // One file per kind of sweep: the next one of the same kind resumes it.
        const std::size_t kind = std::hash<std::string>{}(fmt::format("{}", fmt::join(sweep.flags, " ")));
        const std::filesystem::path file = folder_ / fmt::format("sweep-{:08x}.json", kind & 0xFFFFFFFFU);
        if (std::filesystem::exists(file, error)) arguments.insert(arguments.end(), {"--resume", file.string()});
        arguments.insert(arguments.end(), {"--out", file.string()});
    }
    return follow(command);
}

Result<void> Timings::follow(const ChildProcess::Command& command) {
    auto started = ChildProcess::start(command);
    if (!started) return std::unexpected(started.error());
    child_.emplace(std::move(*started));
    growing_ = {};
    advance_ = {};
    problem_.reset();
    ended_ = cancelled_ = false;
    return {};
}

bool Timings::poll() {
    if (!child_) return false;
    bool news = false;
    for (const std::string& line : child_->lines()) {
        news = true;
        if (const auto event = timing::from_line(line)) {
            take(*event);
        } else if (!problem_) {
            problem_ = event.error();
        }
    }
    if (const auto ending = child_->ending()) {
        finish(*ending);
        news = true;
    }
    return news;
}

void Timings::take(const timing::Event& event) {
    if (const auto* advance = std::get_if<timing::Advance>(&event)) {
        advance_ = *advance;
    } else if (const auto* problem = std::get_if<Problem>(&event)) {
        problem_ = *problem;
    } else if (std::holds_alternative<timing::Ended>(event)) {
        ended_ = true;
    } else {
        timing::add(growing_, event);
        if (growing_.device.empty()) return;  // the machine is not known yet
        const std::size_t index = library_.add(growing_, std::string(live));
        // The previous recording stays until there is a point to show: the ceilings come first.
        if (growing_.points.size() == 1 && std::holds_alternative<timing::Point>(event)) chosen_ = index;
        ++version_;
    }
}

void Timings::finish(const Ending& ending) {
    if (ended_) unfinished_ = {};
    if (!problem_ && !cancelled_ && !(ending.fine() || ended_)) {
        problem_ = Problem{.what = "the measurement stopped: " + text_of(ending), .where = {}, .remedy = {}};
        if (const std::string& said = child_->errors(); !said.empty()) problem_->remedy = said;
    }
    // A partial measurement lists the rest under "not timed"; without any point there is no plot for that.
    if (!problem_ && !cancelled_ && growing_.points.empty() && !growing_.omissions.empty()) {
        const timing::Omission& first = growing_.omissions.front();
        problem_ = Problem{.what = "nothing could be measured: " + first.what, .where = {}, .remedy = first.remedy};
    }
    child_.reset();
    ++version_;
}

void Timings::cancel() {
    if (!child_) return;
    cancelled_ = true;
    child_->kill();
}

}  // namespace lanescope::ui
