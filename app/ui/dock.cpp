#include "ui/dock.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lanescope::ui {

using scene::Role;

namespace {

std::vector<std::string> titles(Dock::Panels panels) {
    std::vector<std::string> all;
    for (const std::unique_ptr<Panel>& panel : panels) all.emplace_back(panel->title());
    return all;
}

void give_height(ImGuiDockNode& node, float height) {
    const float times = node.Size.y > 0 ? height / node.Size.y : 1;
    for (ImGuiDockNode* const child : node.ChildNodes) {
        if (child != nullptr) give_height(*child, child->Size.y * times);
    }
    node.Size.y = node.SizeRef.y = height;
}

// Gives the row of docks in which a panel stands that share of the height, where it stands below others.
void heighten(const char* title, float share) {
    const ImGuiWindow* const window = ImGui::FindWindowByName(title);
    ImGuiDockNode* node = window != nullptr ? window->DockNode : nullptr;
    while (node != nullptr && node->ParentNode != nullptr && node->ParentNode->SplitAxis != ImGuiAxis_Y)
        node = node->ParentNode;
    if (node == nullptr || node->ParentNode == nullptr || node != node->ParentNode->ChildNodes[1]) return;
    ImGuiDockNode* const above = node->ParentNode->ChildNodes[0];
    const float room = node->ParentNode->Size.y - ImGui::GetStyle().DockingSeparatorSize;
    const float high = std::floor(room * share);
    give_height(*node, high);
    give_height(*above, room - high);
    above->WantLockSizeOnce = true;
    ImGui::MarkIniSettingsDirty();
}

}  // namespace

void Dock::restore(const Settings& settings, Panels panels) {
    for (const std::unique_ptr<Panel>& panel : panels)
        panel->open = std::ranges::find(settings.closed, panel->title()) == settings.closed.end();
    standing_ = settings.arrangement;
    room_ = settings.room;
    known_ = settings.panels;
    if (standing_) {
        for (const std::string_view title : panels_without_room(*standing_, room_))
            if (std::ranges::find(settings.closed, title) != settings.closed.end()) left_out_.emplace_back(title);
    }
    // A layout that another version of the program wrote lacks some panel.
    if (known_ != titles(panels)) wanted_ = standing_.value_or(Arrangement::study);
    arranged_at_ = ImGui::GetFrameCount();
    front_ = seen_ = settings.front;
    raises_ = !front_.empty();
}

void Dock::keep(Settings& settings, Panels panels) const {
    settings.arrangement = standing_;
    settings.room = room_;
    settings.panels = titles(panels);
    settings.front = seen_;
    settings.closed.clear();
    for (const std::unique_ptr<Panel>& panel : panels) {
        if (!panel->open) settings.closed.emplace_back(panel->title());
    }
}

std::vector<unsigned> Dock::places(Panels panels) {
    std::vector<unsigned> ids;
    for (const std::unique_ptr<Panel>& panel : panels) {
        const ImGuiWindow* window = ImGui::FindWindowByName(panel->title());
        ids.push_back(panel->open && window != nullptr ? window->DockId : 0);
    }
    return ids;
}

std::vector<std::string> Dock::in_front(Panels panels) {
    std::vector<std::string> all;
    for (const std::unique_ptr<Panel>& panel : panels) {
        const ImGuiWindow* window = ImGui::FindWindowByName(panel->title());
        if (panel->open && window != nullptr && window->DockIsActive && window->DockTabIsVisible)
            all.emplace_back(panel->title());
    }
    return all;
}

// Those that were left out come back where there is room for them again.
void Dock::leave_out(Panels panels) {
    const std::vector<std::string_view> without_room = panels_without_room(*standing_, room_);
    const std::vector<std::string> before = std::exchange(left_out_, {});
    for (const std::unique_ptr<Panel>& panel : panels) {
        const bool was_out = std::ranges::find(before, panel->title()) != before.end();
        if (std::ranges::find(without_room, panel->title()) == without_room.end()) {
            panel->open = panel->open || was_out;
        } else if (was_out || (panel->open && !panel->appear)) {
            panel->open = panel->open && was_out;  // the user has opened it
            left_out_.emplace_back(panel->title());
        }
    }
}

void Dock::begin(Arrangement arrangement, unsigned space, ImVec2 size, Room room, Panels panels) {
    wanted_.reset();
    dock_panels(space, size.x, size.y, arrangement, room, two_texts_.value_or(false));
    standing_ = arrangement;
    room_ = room;
    leave_out(panels);
    places_.clear();
    arranged_at_ = ImGui::GetFrameCount();
    const auto usual = panels_in_front(arrangement, room);
    // The selected tabs stay selected when only the window's size changes.
    if (!raises_ || front_.empty()) front_.assign(usual.begin(), usual.end());
    raises_ = true;
    weighs_ = true;
    weighed_source_.reset();
}

// A warp is a row in Banks and Warps: of few, they need less of the height, and Warps less of the width. The words of
// Banks are large enough for their lanes, and Timing keeps its legend.
void Dock::weigh() const {
    if (standing_ != Arrangement::study || !room_.wide || room_.stage) return;
    heighten("Banks", few_warps_ ? 0.34F : 0.37F);
    widen("Timing", few_warps_ ? 0.38F : 0.36F);
    widen("Warps", few_warps_ ? 0.43F : 0.53F);
}

// Code that needs less width leaves it to the picture, and what would be folded gets some of it, where it suffices.
void Dock::weigh_source() {
    constexpr float change = 0.08F, moved = 0.01F, smallest = 0.8F;  // of the width: code may be that much smaller
    if (!standing_ || source_width_ <= 0 || two_texts_.value_or(false)) return;
    const std::optional<SplitRoom> room = split_room("Source");
    const std::optional<float> usual = source_share(*standing_, room_, false);
    if (!room || !usual || std::abs(room->share - weighed_source_.value_or(room->share)) > moved) return;
    const float wanted = source_width_ / room->width;
    float share = std::clamp(wanted, *usual - change, *usual + change);
    if (wanted * smallest > share) share = *usual;
    widen("Source", share);
    weighed_source_ = share;
}

// Selects the tabs, one per frame: ImGui brings only the focused window to the front.
void Dock::settle(Panels panels) {
    if (arranged_at_ < 0) return;
    constexpr int first = 2;  // frames until the windows have taken their docks
    const int turn = ImGui::GetFrameCount() - arranged_at_ - first;
    if (turn < 0) return;
    if (raises_ && static_cast<std::size_t>(turn) < front_.size()) {
        for (const std::unique_ptr<Panel>& panel : panels) {
            if (panel->title() == front_[static_cast<std::size_t>(turn)] && panel->open) panel->appear = true;
        }
        return;
    }
    arranged_at_ = -1;
    settled_at_ = ImGui::GetFrameCount();
    raises_ = false;
    if (std::exchange(weighs_, false)) {
        if (few_warps_) weigh();
        weigh_source();
    }
    places_ = places(panels);
}

double Dock::seconds_until_redraw() const {
    constexpr int last = 3;  // frames after the panels have come to rest
    const bool moves = wanted_ || arranged_at_ >= 0;
    const bool follows = settled_at_ >= 0 && ImGui::GetFrameCount() - settled_at_ < last;
    return moves || follows ? 0.01 : 0;
}

void Dock::draw(const Look& look, Panels panels, ImVec2 at, ImVec2 size, bool hidden, bool two_texts,
                std::size_t programs, bool presented, bool few_warps, float source_width) {
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    // The gaps between the panels are of these colours, too.
    ImGui::PushStyleColor(ImGuiCol_WindowBg, look.color(Role::ground));
    ImGui::PushStyleColor(ImGuiCol_Border, look.color(Role::ground));
    ImGuiWindowFlags window = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                              ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus |
                              ImGuiWindowFlags_NoNavFocus;
    // The maximized panel lies behind it.
    if (hidden) window |= ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoInputs;
    ImGui::Begin("##dock", nullptr, window);
    const ImGuiID space = ImGui::GetID("panels");
    const Room room =
        room_of(size.x / look.scale(), ImGui::GetMainViewport()->Size.y / look.scale(), programs, presented);
    if (!hidden) {
        if (!wanted_ && ImGui::DockBuilderGetNode(space) == nullptr) wanted_ = standing_.value_or(Arrangement::study);
        // An arrangement that the user has not changed follows the window's size.
        if (!wanted_ && standing_ && arranged_at_ < 0) {
            if (places(panels) != places_) {
                // Closing and reopening a panel does not count as a move.
                const std::vector<unsigned> now = places(panels);
                for (std::size_t index = 0; index < now.size(); ++index) {
                    if (now[index] != 0 && now[index] != places_[index] && places_[index] != 0) standing_.reset();
                }
                places_ = now;
            }
            if (standing_ && room != room_) wanted_ = standing_;
        }
        const bool other_texts = two_texts_ && *two_texts_ != two_texts;
        two_texts_ = two_texts;
        const bool other_text = std::exchange(source_width_, source_width) != source_width;
        const bool other_width = std::exchange(dock_width_, size.x) != size.x || other_text;
        const bool other_warps = std::exchange(few_warps_, few_warps) != few_warps;
        if (wanted_) {
            begin(*wanted_, space, size, room, panels);
        } else {
            if (arranged_at_ < 0 && settled_at_ + 2 < ImGui::GetFrameCount()) seen_ = in_front(panels);
            if (other_texts) {
                weighed_source_ = source_share(standing_.value_or(Arrangement::study), room, two_texts);
                if (weighed_source_) widen("Source", *weighed_source_);
            }
            if ((other_texts || other_width) && arranged_at_ < 0) weigh_source();
            if (other_warps && arranged_at_ < 0) weigh();
            settle(panels);
        }
    } else if (arranged_at_ >= 0) {
        ++arranged_at_;  // the tabs are selected once the dock is visible again
    }
    ImGuiDockNodeFlags flags = ImGuiDockNodeFlags_NoWindowMenuButton;
    if (hidden) flags |= ImGuiDockNodeFlags_KeepAliveOnly;
    ImGui::DockSpace(space, {0, 0}, flags);
    ImGui::End();
    ImGui::PopStyleColor(2);
}

}  // namespace lanescope::ui
