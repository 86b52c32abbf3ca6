#include "ui/pass_animation.h"

#include "base/grouped.h"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

namespace lanescope::ui {

namespace {

/// Frames to wait for a panel's picture, which may be computed in the background; after them the animation is given up.
constexpr int longest_wait_for_picture = 600;

std::vector<std::size_t> ends_of_passes(const Shown& shown) {
    std::vector<std::size_t> ends;
    ends.reserve(shown.passes->passes.size());
    for (const analysis::Pass& pass : shown.passes->passes) ends.push_back(pass.past_last - 1);
    // Before its last instruction a pass is the current one; after the last instruction of all, the block has ended.
    if (ends.empty()) ends.push_back(0);
    ends.back() = shown.passes->steps.size();
    return ends;
}

}  // namespace

std::size_t PassAnimation::frames_of(const Workspace& workspace) {
    return workspace.shown() == nullptr ? 0 : std::max<std::size_t>(workspace.shown()->passes->passes.size(), 1);
}

Result<void> PassAnimation::start(const Panel& panel, Workspace& workspace, const std::filesystem::path& path,
                                  int width, double seconds, scene::Theme theme) {
    if (auto possible = render::can_animate(path); !possible) return possible;
    const Shown* const shown = workspace.shown();
    if (shown == nullptr) return fail("there is no run to animate");
    positions_ = ends_of_passes(*shown);
    if (positions_.size() > render::most_frames)
        return fail(fmt::format("the block has {}; an animation has {} at most", counted(positions_.size(), "pass"),
                                counted(render::most_frames, "frame")),
                    {}, "Choose a smaller launch.");
    panel_ = &panel;
    shown_ = shown->id;
    scenes_.clear();
    place_ = workspace.position();
    path_ = path;
    width_ = width;
    options_ = {.theme = theme, .scale = 1, .seconds = seconds};
    waited_ = 0;
    workspace.play(false);
    workspace.seek_exactly(positions_.front());
    return {};
}

std::optional<Result<void>> PassAnimation::follow(Workspace& workspace) {
    if (!running()) return std::nullopt;
    if (task_) {
        if (!task_->ended.load(std::memory_order_acquire)) return std::nullopt;
        Result<void> answer = std::move(task_->answer);
        stop();
        return answer;
    }
    const auto give_up = [&](std::string why) {
        cancel(workspace);
        return fail(std::move(why));
    };
    if (workspace.shown() == nullptr || workspace.shown()->id != shown_)
        return give_up("the animation was not written: another run is shown");
    const bool drawn = panel_->drawn_at == ImGui::GetFrameCount();
    // A picture in which values still move shows the end of no pass.
    const bool here = workspace.position() == positions_[scenes_.size()];
    if (here && drawn && panel_->drawn() != nullptr && panel_->seconds_until_redraw() <= 0) {
        take(workspace);
    } else {
        if (++waited_ > longest_wait_for_picture)
            return give_up(fmt::format("the animation was not written: {} does not show the pass", panel_->title()));
        workspace.seek_exactly(positions_[scenes_.size()]);
    }
    return std::nullopt;
}

void PassAnimation::take(Workspace& workspace) {
    scenes_.push_back(panel_->whole_picture(workspace));
    waited_ = 0;
    if (scenes_.size() < positions_.size()) return workspace.seek_exactly(positions_[scenes_.size()]);
    return_to_place(workspace);
    write();
}

void PassAnimation::write() {
    float widest = 1;
    for (const scene::Scene& scene : scenes_) widest = std::max(widest, scene.width);
    options_.scale = static_cast<float>(width_) / widest;
    task_ = std::make_unique<Task>();
    task_->scenes = std::exchange(scenes_, {});
    task_->thread = std::jthread([task = task_.get(), options = options_, path = path_] {
        const render::Frames frames{.count = task->scenes.size(),
                                    .draw = [task](std::size_t frame) { return task->scenes[frame]; }};
        task->answer = render::write_animation(frames, options, path, task->progress);
        task->ended.store(true, std::memory_order_release);
    });
}

void PassAnimation::return_to_place(Workspace& workspace) const {
    if (workspace.shown() != nullptr && workspace.shown()->id == shown_) workspace.seek_exactly(place_);
}

void PassAnimation::cancel(Workspace& workspace) {
    if (!running()) return;
    if (!task_) return_to_place(workspace);
    stop();
}

void PassAnimation::stop() {
    if (task_) task_->progress.cancel();
    task_.reset();  // joins
    panel_ = nullptr;
    scenes_.clear();
}

float PassAnimation::share() const {
    constexpr float taking = 0.3F;  // of the whole
    if (task_) return taking + (1 - taking) * std::max(task_->progress.share(), 0.0F);
    return taking * static_cast<float>(scenes_.size()) /
           static_cast<float>(std::max<std::size_t>(positions_.size(), 1));
}

std::string PassAnimation::doing() const {
    if (task_) return task_->progress.doing();
    return fmt::format("pass {} of {}", grouped(scenes_.size() + 1), grouped(positions_.size()));
}

}  // namespace lanescope::ui
