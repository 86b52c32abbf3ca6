#include "ui/shell.h"

#include "ui/commands.h"
#include "ui/panels/banks.h"
#include "ui/panels/counts.h"
#include "ui/panels/findings.h"
#include "ui/panels/help.h"
#include "ui/panels/launch_bar.h"
#include "ui/panels/lesson.h"
#include "ui/panels/narration.h"
#include "ui/panels/passes.h"
#include "ui/panels/source.h"
#include "ui/panels/warps.h"

#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lanescope::ui {

using scene::Role;

namespace {

constexpr float least_width = 800, least_height = 480;  // points that must remain at any interface scale
constexpr float narrow_points = 1060;                   // narrower than that, two columns of panels instead of three
constexpr float low_points = 960;                       // a window lower than that: one row of panels instead of two
constexpr std::array scales = {0.75F, 0.9F, 1.0F, 1.1F, 1.25F, 1.5F, 1.75F, 2.0F, 2.5F, 3.0F};

// How much room there is for panels, and so how they are arranged.
struct Room {
    bool narrow = false;  // two columns instead of three
    bool low = false;     // one row instead of two
    friend bool operator==(const Room&, const Room&) = default;
};

// Source left, Passes with the most room, counts and faults at the right, Banks and Warps below; what has no room beside
// or below stands behind Passes.
void default_arrangement(ImGuiID space, ImVec2 size, Room room) {
    const auto dock = [](std::initializer_list<const char*> titles, ImGuiID node) {
        for (const char* title : titles) ImGui::DockBuilderDockWindow(title, node);
    };
    ImGui::DockBuilderRemoveNode(space);
    ImGui::DockBuilderAddNode(space, ImGuiDockNodeFlags_DockSpace);
    ImGui::DockBuilderSetNodeSize(space, size);
    ImGuiID rest = space, right = 0, below = 0;
    if (!room.narrow) right = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Right, 0.208F, nullptr, &rest);
    if (!room.low) below = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Down, 0.37F, nullptr, &rest);
    const ImGuiID left = ImGui::DockBuilderSplitNode(rest, ImGuiDir_Left, room.narrow ? 0.36F : 0.385F, nullptr, &rest);
    dock({"Source", "Lesson"}, left);
    dock({"Passes"}, rest);
    if (room.low) {
        dock({"Banks", "Warps"}, rest);
    } else {
        const ImGuiID warps = ImGui::DockBuilderSplitNode(below, ImGuiDir_Right, 0.5F, nullptr, &below);
        dock({"Banks"}, below);
        dock({"Warps"}, warps);
    }
    if (room.narrow) {
        dock({"Counts", "Findings"}, rest);
    } else {
        const ImGuiID under = ImGui::DockBuilderSplitNode(right, ImGuiDir_Down, 0.26F, nullptr, &right);
        dock({"Counts"}, right);
        dock({"Findings"}, under);
    }
    ImGui::DockBuilderFinish(space);
}

}  // namespace

Shell::Shell(Settings settings, std::unique_ptr<render::GlRenderer> renderer, Host host)
    : model_(std::move(settings)),
      renderer_(std::move(renderer)),
      host_(std::move(host)),
      launch_bar_(std::make_unique<LaunchBar>()),
      narration_(std::make_unique<Narration>()) {
    auto source = std::make_unique<SourcePanel>();
    auto passes = std::make_unique<PassesPanel>();
    source_ = source.get();
    passes_ = passes.get();
    panels_.push_back(std::move(source));
    panels_.push_back(std::make_unique<LessonPanel>());
    panels_.push_back(std::move(passes));
    panels_.push_back(std::make_unique<BanksPanel>());
    panels_.push_back(std::make_unique<WarpsPanel>());
    panels_.push_back(std::make_unique<CountsPanel>());
    panels_.push_back(std::make_unique<FindingsPanel>());
    look_.load_fonts();
}

Shell::~Shell() = default;

void Shell::prepare(float monitor_scale, float width, float height) {
    monitor_scale_ = monitor_scale;
    width_ = width / monitor_scale;
    height_ = height / monitor_scale;
    const float room = std::min(width_ / least_width, height_ / least_height);
    const float capped =
        std::clamp(model_.settings.scale, std::min(smallest_scale, room), std::max(room, smallest_scale));
    const float scale = monitor_scale * std::min(capped, largest_scale);
    if (look_.theme() != model_.settings.theme || look_.scale() != scale || ImGui::GetFrameCount() == 0) {
        look_.apply(model_.settings.theme, scale);
    }
}

void Shell::draw() {
    const double seconds = ImGui::GetIO().DeltaTime;
    model_.poll();
    // Before anything can start to play: the time since the last frame may have been spent asleep.
    model_.advance(seconds);
    act_on_keys(*this);

    Context context{model_, look_, *renderer_};
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const float top = launch_bar_->draw(context, *this, viewport.Pos, viewport.Size.x);
    const float bottom = narration_->draw(context, *this, viewport.Pos, viewport.Size);
    dock_space(top, bottom);
    for (const std::unique_ptr<Panel>& panel : panels_) draw_card(*panel, context);
    if (help_open_) draw_help(context, help_open_);
}

void Shell::dock_space(float top, float bottom) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const float margin = look_.px(gap);
    const ImVec2 at(viewport.Pos.x + margin, viewport.Pos.y + top + margin);
    const ImVec2 size(std::max(viewport.Size.x - 2 * margin, 1.0F),
                      std::max(viewport.Size.y - top - bottom - 2 * margin, 1.0F));
    ImGui::GetBackgroundDrawList()->AddRectFilled(
        viewport.Pos, {viewport.Pos.x + viewport.Size.x, viewport.Pos.y + viewport.Size.y}, look_.color(Role::ground));
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    // The gaps between the panels are of these colours, too.
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look_.color(Role::ground));
    ImGui::PushStyleColor(ImGuiCol_Border, look_.color(Role::ground));
    ImGui::Begin("##dock", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoNavFocus);
    const ImGuiID space = ImGui::GetID("panels");
    const Room room{.narrow = size.x < look_.px(narrow_points), .low = viewport.Size.y < look_.px(low_points)};
    // An arrangement that nobody has touched goes with the window's size.
    const bool outgrown =
        !default_docks_.empty() && room != Room{default_narrow_, default_low_} && docks() == default_docks_;
    if (arrange_ || outgrown || ImGui::DockBuilderGetNode(space) == nullptr) {
        arrange_ = false;
        for (const std::unique_ptr<Panel>& panel : panels_) panel->open = true;
        default_arrangement(space, size, room);
        default_narrow_ = room.narrow;
        default_low_ = room.low;
        default_docks_.clear();
        arranged_at_ = ImGui::GetFrameCount();
    } else if (arranged_at_ >= 0) {
        // In front of what shares their place; one a frame, for only the focused window comes to the front.
        const int age = ImGui::GetFrameCount() - arranged_at_;
        source_->appear |= age == 2;
        passes_->appear |= age == 3;
        if (age > 3) {
            arranged_at_ = -1;
            default_docks_ = docks();
        }
    }
    ImGui::DockSpace(space, {0, 0}, ImGuiDockNodeFlags_NoWindowMenuButton);
    ImGui::End();
    ImGui::PopStyleColor(2);
}

std::vector<unsigned> Shell::docks() const {
    std::vector<unsigned> ids;
    for (const std::unique_ptr<Panel>& panel : panels_) {
        const ImGuiWindow* window = ImGui::FindWindowByName(panel->title());
        ids.push_back(panel->open && window != nullptr ? window->DockId : 0);
    }
    return ids;
}

double Shell::quiet_for() const {
    if (model_.playing()) return model_.seconds_to_next_step();
    if (model_.busy()) return 0.02;
    double quiet = -1;
    for (const std::unique_ptr<Panel>& panel : panels_) {
        if (const double wanted = panel->restless(); wanted > 0 && (quiet < 0 || wanted < quiet)) quiet = wanted;
    }
    return quiet;
}

void Shell::toggle_theme() {
    model_.settings.theme = model_.settings.theme == scene::Theme::dark ? scene::Theme::light : scene::Theme::dark;
}

void Shell::zoom_interface(int direction) {
    float& scale = model_.settings.scale;
    if (direction == 0) scale = 1;
    if (direction > 0) {
        const auto larger = std::ranges::find_if(scales, [&](float step) { return step > scale + 0.01F; });
        if (larger != scales.end() && std::min(width_ / least_width, height_ / least_height) >= *larger)
            scale = *larger;
    }
    if (direction < 0) {
        const auto smaller =
            std::find_if(scales.rbegin(), scales.rend(), [&](float step) { return step < scale - 0.01F; });
        if (smaller != scales.rend()) scale = *smaller;
    }
}

void Shell::escape() {
    if (help_open_) {
        help_open_ = false;
    } else {
        model_.clear_selection();
    }
}

void Shell::bring_up(std::string_view title) {
    for (const std::unique_ptr<Panel>& panel : panels_) {
        if (panel->title() == title) panel->open = panel->appear = true;
    }
}

void Shell::fit_picture() { passes_->fit(); }

void Shell::copy_source() {
    if (const std::string text = source_->text_to_copy(model_); !text.empty()) host_.copy(text.c_str());
}

}  // namespace lanescope::ui
