#include "ui/dock.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace lanescope::ui {

using scene::Role;

namespace {

std::vector<std::string> titles(Dock::Panels panels) {
    std::vector<std::string> all;
    for (const std::unique_ptr<Panel>& panel : panels) all.emplace_back(panel->title());
    return all;
}

// A dock without a window in view takes no room.
bool in_view(const ImGuiDockNode* node) { return node != nullptr && node->IsVisible; }

void give_size(ImGuiDockNode& node, ImVec2 size) { node.Size = node.SizeRef = size; }

ImGuiDockNode* root_of(ImGuiID space) { return ImGui::DockBuilderGetNode(space); }

}  // namespace

void Dock::restore(const Settings& settings, Panels panels) {
    for (const std::unique_ptr<Panel>& panel : panels)
        panel->open = std::ranges::find(settings.closed, panel->title()) == settings.closed.end();
    standing_ = settings.arrangement;
    room_ = settings.room;
    dragged_ = settings.splits;
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
    settings.splits = dragged_;
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

// Closes the panels without room. Those that were closed for that reason reopen when there is room again.
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
    dock_panels(space, size.x, size.y, arrangement, room, two_texts_, titles(panels));
    standing_ = arrangement;
    room_ = room;
    leave_out(panels);
    places_.clear();
    arranged_at_ = ImGui::GetFrameCount();
    const auto usual = panels_in_front(arrangement, room);
    // The selected tabs stay selected when only the window's size changes.
    if (!raises_ || front_.empty()) front_.assign(usual.begin(), usual.end());
    raises_ = true;
    shares_ = true;
    splits_.clear();
}

std::string Dock::key_of(const std::string& path) const {
    return fmt::format("{}{}{}{} {}", name_of(standing_.value_or(Arrangement::study)), room_.narrow ? " narrow" : "",
                       room_.low ? " low" : "", room_.wide ? " wide" : "", path);
}

// A dock wants as much as its selected tab, and at least as much as any tab needs: none is cut when it is selected.
Needs Dock::needs_of(const ImGuiDockNode& node, Panels panels, float scale) const {
    const ImGuiDockNode* const first = node.ChildNodes[0];
    const ImGuiDockNode* const second = node.ChildNodes[1];
    if (first != nullptr && second != nullptr) {
        if (!in_view(first)) return needs_of(*second, panels, scale);
        if (!in_view(second)) return needs_of(*first, panels, scale);
        const Needs a = needs_of(*first, panels, scale), b = needs_of(*second, panels, scale);
        const bool in_a_row = node.SplitAxis == ImGuiAxis_X;
        return {.width = in_a_row ? one_after_another(a.width, b.width) : side_by_side(a.width, b.width),
                .height = in_a_row ? side_by_side(a.height, b.height) : one_after_another(a.height, b.height)};
    }
    Needs all{.width = {}, .height = {}};
    const float beside_tabs = 2 * (ImGui::GetStyle().FramePadding.x + 1);
    all.width.tabs = all.width.least = all.width.wanted = (width_of_tabs(node, false) + beside_tabs) / scale;
    for (const ImGuiWindow* const window : node.Windows) {
        const auto panel = std::ranges::find(panels, std::string_view(window->Name),
                                             [](const auto& each) { return std::string_view(each->title()); });
        const auto index = static_cast<std::size_t>(panel - panels.begin());
        if (index >= needs_.size()) continue;
        const Needs& of = needs_[index];
        const bool in_front = window == node.VisibleWindow;
        if (in_front) all.width.grows = of.width.grows, all.height.grows = of.height.grows;
        all.width.least = std::max(all.width.least, of.width.least);
        all.height.least = std::max(all.height.least, of.height.least);
        all.width.wanted = std::max({all.width.wanted, all.width.least, in_front ? of.width.wanted : 0.0F});
        all.height.wanted = std::max({all.height.wanted, all.height.least, in_front ? of.height.wanted : 0.0F});
    }
    return all;
}

void Dock::share(ImGuiDockNode& node, const std::string& path, Panels panels, float scale) {
    ImGuiDockNode* const first = node.ChildNodes[0];
    ImGuiDockNode* const second = node.ChildNodes[1];
    if (first == nullptr || second == nullptr) return;
    if (!in_view(first) || !in_view(second)) {
        ImGuiDockNode* const only = in_view(first) ? first : second;
        give_size(*only, node.Size);
        return share(*only, path + (only == first ? "0" : "1"), panels, scale);
    }
    const auto axis = static_cast<std::size_t>(node.SplitAxis);
    const float room = node.Size[axis] - ImGui::GetStyle().DockingSeparatorSize;
    const Needs a = needs_of(*first, panels, scale), b = needs_of(*second, panels, scale);
    const bool in_a_row = node.SplitAxis == ImGuiAxis_X;
    const auto own = dragged_.find(key_of(path));
    // The panels of two programs are compared: a split keeps its shares, so that both sides stay alike.
    const auto before = splits_.find(path);
    const bool keeps = room_.two && before != splits_.end() && before->second.room > 0;
    const float of_first = keeps                   ? room * before->second.first / before->second.room
                           : own != dragged_.end() ? room * own->second
                                                   : scale * room_of_first(room / scale, in_a_row ? a.width : a.height,
                                                                           in_a_row ? b.width : b.height);
    ImVec2 one = node.Size, other = node.Size;
    one[axis] = std::floor(of_first);
    other[axis] = room - one[axis];
    give_size(*first, one);
    give_size(*second, other);
    first->WantLockSizeOnce = true;  // not both: ImGui would halve the room
    share(*first, path + "0", panels, scale);
    share(*second, path + "1", panels, scale);
}

void Dock::share_room(Panels panels, float scale) {
    ImGuiDockNode* const root = root_of(ImGui::GetID("panels"));
    if (!standing_ || root == nullptr) return;
    if (room_.two) {
        if (splits_.empty()) return;  // just arranged
        give_size(*root, size_);
    }
    share(*root, "", panels, scale);
    ImGui::MarkIniSettingsDirty();
}

// While the mouse is down and the docks around a splitter keep their total room, only the user can have moved it.
void Dock::notice_drags(const ImGuiDockNode& node, const std::string& path, bool shared) {
    const ImGuiDockNode* const first = node.ChildNodes[0];
    const ImGuiDockNode* const second = node.ChildNodes[1];
    if (first == nullptr || second == nullptr) return;
    if (in_view(first) && in_view(second)) {
        const auto axis = static_cast<std::size_t>(node.SplitAxis);
        const Split now{.room = node.Size[axis] - ImGui::GetStyle().DockingSeparatorSize, .first = first->Size[axis]};
        const auto before = splits_.find(path);
        const bool moved = before != splits_.end() && std::abs(before->second.room - now.room) < 0.5F &&
                           std::abs(before->second.first - now.first) > 0.5F;
        if (moved && !shared && now.room > 0 && ImGui::IsMouseDown(ImGuiMouseButton_Left))
            dragged_[key_of(path)] = now.first / now.room;
        splits_[path] = now;
    }
    notice_drags(*first, path + "0", shared);
    notice_drags(*second, path + "1", shared);
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
    places_ = places(panels);
}

double Dock::seconds_until_redraw() const {
    constexpr int last = 3;  // frames after the panels have come to rest
    const bool moves = wanted_ || arranged_at_ >= 0;
    const bool follows = settled_at_ >= 0 && ImGui::GetFrameCount() - settled_at_ < last;
    return moves || follows ? 0.01 : 0;
}

void Dock::draw(const Look& look, Panels panels, ImVec2 at, ImVec2 size, bool hidden, bool two_texts,
                std::size_t programs, bool presented, std::vector<Needs> needs) {
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    // The gaps between the panels are of these colors, too.
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
        two_texts_ = two_texts;
        if (needs != needs_ || size.x != size_.x || size.y != size_.y) shares_ = true;
        needs_ = std::move(needs);
        size_ = size;
        if (wanted_) {
            begin(*wanted_, space, size, room, panels);
        } else {
            if (arranged_at_ < 0 && settled_at_ + 2 < ImGui::GetFrameCount()) seen_ = in_front(panels);
            settle(panels);
        }
    } else if (arranged_at_ >= 0) {
        ++arranged_at_;  // the tabs are selected once the dock is visible again
    }
    ImGuiDockNodeFlags flags = ImGuiDockNodeFlags_NoWindowMenuButton;
    if (hidden) flags |= ImGuiDockNodeFlags_KeepAliveOnly;
    const bool shares = !hidden && arranged_at_ < 0 && std::exchange(shares_, false);
    if (shares) share_room(panels, look.scale());
    ImGui::DockSpace(space, {0, 0}, flags);
    if (const ImGuiDockNode* const root = root_of(space); root != nullptr && standing_ && arranged_at_ < 0 && !hidden)
        notice_drags(*root, "", shares);
    ImGui::End();
    ImGui::PopStyleColor(2);
}

}  // namespace lanescope::ui
