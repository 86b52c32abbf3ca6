#include "ui/shell.h"

#include "analysis/panels/access_near.h"
#include "base/files.h"
#include "base/grouped.h"
#include "render/image/image.h"
#include "timing/counters.h"
#include "ui/bookmarks.h"
#include "ui/commands.h"
#include "ui/completion.h"
#include "ui/fact_strip.h"
#include "ui/notice.h"
#include "ui/panels/banks.h"
#include "ui/panels/change_strip.h"
#include "ui/panels/compare.h"
#include "ui/panels/counts.h"
#include "ui/panels/findings.h"
#include "ui/panels/grid.h"
#include "ui/panels/help.h"
#include "ui/panels/launch_bar.h"
#include "ui/panels/lecture.h"
#include "ui/panels/lecture_strip.h"
#include "ui/panels/lesson.h"
#include "ui/panels/map.h"
#include "ui/panels/memory.h"
#include "ui/panels/narration.h"
#include "ui/panels/other_side.h"
#include "ui/panels/passes.h"
#include "ui/panels/program.h"
#include "ui/panels/sectors.h"
#include "ui/panels/source.h"
#include "ui/panels/theory.h"
#include "ui/panels/timing.h"
#include "ui/panels/warps.h"
#include "ui/value_history.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>

namespace lanescope::ui {

using scene::Role;

namespace {

constexpr ImVec2 least_points(800, 480);  // minimum at any interface scale
constexpr std::array scales = {0.75F, 0.9F, 1.0F, 1.1F, 1.25F, 1.5F, 1.75F, 2.0F, 2.5F, 3.0F};

bool any_popup_is_open() { return ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup); }

/// Whether two panels are tabs of one dock, where the one in front hides the other.
bool share_dock(const char* one, const char* other) {
    const auto dock_of = [](const char* name) {
        if (const ImGuiWindow* const window = ImGui::FindWindowByName(name)) return window->DockId;
        const ImGuiWindowSettings* const kept = ImGui::FindWindowSettingsByID(ImHashStr(name));
        return kept != nullptr ? kept->DockId : ImGuiID{0};
    };
    return dock_of(one) != 0 && dock_of(one) == dock_of(other);
}

bool is_in_front(const Panel& panel) {
    const ImGuiWindow* const window = ImGui::FindWindowByName(panel.title());
    return panel.open && window != nullptr && window->DockIsActive && window->DockTabIsVisible;
}

}  // namespace

Shell::Shell(Settings settings, std::unique_ptr<render::GlRenderer> renderer, Host host)
    : workspace_(std::make_unique<Workspace>(std::move(settings))),
      renderer_(std::move(renderer)),
      host_(std::move(host)),
      comparing_(host_.folder),
      launch_bar_(std::make_unique<LaunchBar>()),
      narration_(std::make_unique<Narration>()),
      value_history_(std::make_unique<ValueHistory>()),
      bookmarks_(host_.folder.empty() ? std::filesystem::path() : host_.folder.parent_path() / "bookmarks.json") {
    auto source = std::make_unique<SourcePanel>();
    auto passes = std::make_unique<PassesPanel>();
    source_ = source.get();
    passes_ = passes.get();
    panels_.push_back(std::move(source));
    panels_.push_back(std::make_unique<LessonPanel>([this](const LessonLink& link) { follow(link, *this); }));
    panels_.push_back(std::make_unique<LecturePanel>(*this));
    panels_.push_back(std::move(passes));
    panels_.push_back(std::make_unique<GridPanel>());
    panels_.push_back(std::make_unique<BanksPanel>());
    panels_.push_back(std::make_unique<SectorsPanel>());
    panels_.push_back(std::make_unique<MapPanel>());
    panels_.push_back(std::make_unique<WarpsPanel>());
    panels_.push_back(std::make_unique<MemoryPanel>());
    panels_.push_back(std::make_unique<CountsPanel>([this] { bring_up("Timing"); }));
    panels_.push_back(std::make_unique<TheoryPanel>());
    add_compared_panels();
    auto timing = std::make_unique<TimingPanel>(host_.folder, [this] { bring_up("Counts"); });
    timing_ = timing.get();
    panels_.push_back(std::move(timing));
    panels_.push_back(std::make_unique<FindingsPanel>());
    panels_.push_back(std::make_unique<ProgramPanel>());
    dock_.restore(workspace_->settings, panels_);
    look_.load_fonts();
}

Shell::~Shell() = default;

void Shell::add_compared_panels() {
    auto compare = std::make_unique<ComparePanel>(*this);
    compare_ = compare.get();
    panels_.push_back(std::move(compare));
    auto passes = std::make_unique<PassesPanel>();
    other_passes_ = passes.get();
    panels_.push_back(std::make_unique<OtherSide>(std::move(passes), comparing_));
    panels_.push_back(std::make_unique<OtherSide>(std::make_unique<WarpsPanel>(), comparing_));
    panels_.push_back(std::make_unique<OtherSide>(std::make_unique<BanksPanel>(), comparing_));
}

float Shell::most_scale() const {
    return std::clamp(std::min(width_ / least_points.x, height_ / least_points.y), smallest_scale, largest_scale);
}

void Shell::prepare(float monitor_scale, float width, float height) {
    width_ = width / monitor_scale;
    height_ = height / monitor_scale;
    // A window that is smaller than the minimum scales down further.
    const float least = std::min({smallest_scale, width_ / least_points.x, height_ / least_points.y});
    const float wanted = workspace_->settings.scale * (presenter_ ? 2.0F : 1.0F);
    const float scale = monitor_scale * std::clamp(wanted, least, std::max(most_scale(), least));
    constexpr float least_roomy = 1000;  // points: eight tabs side by side, each with a cross
    const bool roomy = width >= least_roomy * scale;
    if (look_.theme() != workspace_->settings.theme || look_.scale() != scale || look_.roomy() != roomy ||
        look_.slim() != is_stage() || ImGui::GetFrameCount() == 0) {
        look_.apply(workspace_->settings.theme, scale, roomy, is_stage());
    }
}

bool Shell::is_stage() const {
    const ImVec2 window = ImGui::GetMainViewport()->Size;
    return room_of(window.x / look_.scale(), window.y / look_.scale(), comparing_.others() + 1, presenter_).stage;
}

void Shell::draw() {
    const double seconds = ImGui::GetIO().DeltaTime;
    workspace_->poll();
    // Before playback can start: the time since the last frame may have been spent sleeping.
    workspace_->advance(seconds);
    follow_comparison();
    if (const auto chosen = dialog_.take()) open(*chosen);
    if (workspace_->take_stopped()) {
        notice_.say(workspace_->keeps_part()         ? "Run cancelled. The panels show the part that ran."
                    : workspace_->shown() != nullptr ? "Run cancelled. The fields show the previous launch again."
                                                     : "Run cancelled. Press Ctrl + R to run again.");
    }
    if (std::string said = workspace_->take_said(); !said.empty()) notice_.say(std::move(said));
    follow_link();
    timing_->poll();
    poll_gpu_check();
    if (workspace_->poll_schedule()) notice_.say(workspace_->schedule_finder().said(), true);
    if (workspace_->timeline_recorder().poll()) notice_.say(workspace_->timeline_recorder().said());
    tour_.follow(*this);
    presentation_.follow(*this);
    walk();
    act_on_keys(*this);

    Context context{*workspace_, look_, *renderer_, comparing_.running() ? &comparing_ : nullptr};
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    dock_facts(slim());
    const float top =
        alone_ != nullptr ? 0 : launch_bar_->draw(context, *this, viewport.Pos, viewport.Size.x, is_stage());
    float bottom = narration_->draw(context, *this, viewport.Pos, viewport.Size, slim(), shows_changes());
    bottom += draw_change_strip(context, *this, viewport.Pos.y + viewport.Size.y - bottom);
    bottom += draw_lecture_strip(context, *this, viewport.Pos.y + viewport.Size.y - bottom);
    draw_panels(context, top, bottom);
    draw_tour_ring();
    draw_fact_strip(look_, narration_->place());
    picture_menu(context);
    search_.draw(context, *this);
    value_history_->draw(context);
    export_.draw(context, notice_);
    bookmarks_.draw(context, notice_);
    ask_for_trust(context);
    notice_.draw(context, viewport.Pos.y + viewport.Size.y - bottom);
    if (help_open_) draw_help(context, help_open_);
    draw_pointer(look_, presentation_);
    draw_black_screen(presentation_);
    popup_was_open_ = any_popup_is_open();
}

// Once a frame, and not while its panels are being drawn.
void Shell::follow_comparison() {
    if (std::exchange(swap_wanted_, false)) comparing_.swap(workspace_);
    const bool closes_first = std::exchange(close_first_wanted_, false) && comparing_.others() > 1;
    if (closes_first) comparing_.close_first();
    if (std::exchange(end_wanted_, false)) {
        comparing_.end();
        if (arrangement() == Arrangement::compare) arrange(before_comparison_);
    }
    comparing_.follow(*workspace_);
    if (!comparing_.running() || !comparing_.link_zoom) return;
    // The other picture follows the one that was zoomed.
    const PassesPanel::Zoom own = passes_->shown_part(), other = other_passes_->shown_part();
    if (own != linked_zoom_) {
        other_passes_->show_part(own);
        linked_zoom_ = own;
    } else if (other != linked_zoom_) {
        passes_->show_part(other);
        linked_zoom_ = other;
    }
}

void Shell::compare_with(LaunchValues values) {
    if (!comparing_.running()) before_comparison_ = arrangement().value_or(Arrangement::study);
    comparing_.begin(*workspace_, std::move(values));
    linked_zoom_ = passes_->shown_part();
    arrange(Arrangement::compare);
}

void Shell::add_to_comparison(LaunchValues values) {
    if (!comparing_.running()) return compare_with(std::move(values));
    if (!comparing_.can_add()) return;
    comparing_.add(*workspace_, std::move(values));
    arrange(Arrangement::compare);
}

// The badge shows the result; failures and differences appear as a notice as well.
void Shell::poll_gpu_check() {
    GpuCheck& check = workspace_->gpu_check();
    if (check.poll() && check.state() != GpuCheck::State::agree) notice_.say(check.said(), true);
}

void Shell::check_on_gpu() {
    workspace_->check_on_gpu();
    if (!workspace_->gpu_check().running()) notice_.say(workspace_->gpu_check().said(), true);
}

void Shell::open_difference() {
    workspace_->play(false);
    workspace_->seek_difference();
    bring_up("Findings");
}

bool Shell::popup_takes_keys() const { return popup_was_open_ || any_popup_is_open(); }

// Keys control the transport until Tab moves the focus to the controls.
void Shell::walk() {
    ImGuiIO& io = ImGui::GetIO();
    if (!io.WantTextInput && ImGui::IsKeyPressed(ImGuiKey_Tab) && !io.KeyCtrl && !io.KeyAlt) {
        if (!walking_) ImGui::SetWindowFocus(alone_ != nullptr ? "##transport" : "##launch");
        walking_ = true;
    }
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsKeyPressed(ImGuiKey_Escape)) walking_ = false;
    // The arrows and Enter act in an open menu; a drop-down list gets them from its text field.
    if (walking_ || (any_popup_is_open() && !io.WantTextInput)) {
        io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    } else {
        io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    }
}

void Shell::draw_panels(Context& context, float top, float bottom) {
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const float margin = look_.px(slim() ? gap * 0.5F : gap);
    const ImVec2 at(viewport.Pos.x + margin, viewport.Pos.y + top + margin);
    const ImVec2 size(std::max(viewport.Size.x - 2 * margin, 1.0F),
                      std::max(viewport.Size.y - top - bottom - 2 * margin, 1.0F));
    ImGui::GetBackgroundDrawList()->AddRectFilled(
        viewport.Pos, {viewport.Pos.x + viewport.Size.x, viewport.Pos.y + viewport.Size.y}, look_.color(Role::ground));
    const auto* const source = dynamic_cast<const SourcePanel*>(panel("Source"));
    const bool two_texts = workspace_->settings.source_view == SourceView::both || source->shows_sass();
    std::vector<Needs> needs;
    needs.reserve(panels_.size());
    for (const std::unique_ptr<Panel>& panel : panels_) needs.push_back(panel->needs(*workspace_));
    dock_.draw(look_, panels_, at, size, alone_ != nullptr, two_texts, comparing_.others() + 1, presenter_,
               std::move(needs));
    // Not while the panels of an arrangement are selected one by one.
    if (dock_.seconds_until_redraw() <= 0) show_news();
    show_used_memory();
    if (alone_ != nullptr && !alone_->exists(*workspace_)) alone_ = nullptr;
    for (const std::unique_ptr<Panel>& panel : panels_) {
        panel->under_mouse = false;
        panel->compared_program.reset();
        if (counterpart_of(*panel) != nullptr)
            panel->compared_program = dynamic_cast<const OtherSide*>(panel.get()) == nullptr ? 0 : 1;
    }
    if (alone_ != nullptr) {
        draw_maximized(context, at, size);
    } else {
        for (const std::unique_ptr<Panel>& panel : panels_) {
            if (panel->exists(*workspace_)) draw_card(*panel, context);
        }
    }
    for (const std::unique_ptr<Panel>& panel : panels_) {
        if (panel->under_mouse) last_under_mouse_ = panel.get();
    }
    select_alike();
}

// When a run has ended, raises Findings if it has errors, which are read first, else Program for its host code. A run
// without errors raises again the panel that earlier errors hid.
void Shell::show_news() {
    auto* const program = dynamic_cast<ProgramPanel*>(panel("Program"));
    auto* const findings = dynamic_cast<FindingsPanel*>(panel("Findings"));
    // In one dock with Passes the tab is not raised: a program is opened for its passes.
    if (program->appears(*workspace_)) program->open = true, program->appear = !share_dock("Program", "Passes");
    const std::optional<bool> has_errors = findings->news(*workspace_);
    if (!has_errors) return;
    const std::string hidden = std::exchange(hidden_by_findings_, {});
    raised_at_ = ImGui::GetFrameCount();
    if (*has_errors) {
        program->appear = false;
        findings->open = findings->appear = true;
        // When several runs in turn have errors, the first of them has hidden the panel.
        hidden_by_findings_ = hidden;
        for (const std::unique_ptr<Panel>& each : panels_)
            if (each.get() != findings && is_in_front(*each) && share_dock(each->title(), findings->title()))
                hidden_by_findings_ = each->title();
    } else if (!hidden.empty() && !program->appear && is_in_front(*findings)) {
        raise(hidden);
    }
}

// A panel that comes to the front for one of two programs is raised for the other, too, where each has its own dock.
void Shell::select_alike() {
    if (!comparing_.running() || alone_ != nullptr || !settled()) return;
    for (const std::unique_ptr<Panel>& panel : panels_) {
        const bool came = !std::exchange(panel->in_front, is_in_front(*panel)) && panel->in_front;
        Panel* const other = came ? counterpart_of(*panel) : nullptr;
        if (other != nullptr && other->open && !is_in_front(*other) && !share_dock(panel->title(), other->title()))
            other->appear = true;
    }
}

// Draws a ring around the panel that the tour explains, above the panels and below any window open on top of them.
void Shell::draw_tour_ring() const {
    const std::string_view subject = tour_.subject(*workspace_);
    if (subject.empty() || alone_ != nullptr) return;
    const ImGuiWindow* const window = ImGui::FindWindowByName(std::string(subject).c_str());
    if (window == nullptr || !window->DockTabIsVisible || window->DockNode == nullptr) return;
    const ImGuiDockNode& node = *window->DockNode;
    ImDrawList* const list = window->DrawList;
    list->PushClipRectFullScreen();
    list->AddRect(node.Pos, {node.Pos.x + node.Size.x, node.Pos.y + node.Size.y}, look_.color(Role::cursor),
                  look_.px(card_radius), look_.px(2.5F));
    list->PopClipRect();
}

// Once for a run, and only where Banks and Sectors share a dock: a tab that the user has selected elsewhere stays.
void Shell::show_used_memory() {
    const Shown* const shown = workspace_->shown();
    if (shown == nullptr || memory_shown_for_ == shown->id || !settled() || is_stage()) return;
    const auto in_front = [&](std::string_view title) {
        return std::ranges::find(dock_.front(), title) != dock_.front().end();
    };
    // One tab comes to the front in a frame.
    if (dock_.front().empty() || std::ranges::any_of(panels_, [](const auto& panel) { return panel->appear; })) return;
    memory_shown_for_ = shown->id;
    const bool shared = analysis::launch_accesses(shown->trace(), shown->launch, trace::Space::shared);
    const bool global = analysis::launch_accesses(shown->trace(), shown->launch, trace::Space::global);
    if (!shared && global && in_front("Banks")) {
        raise("Sectors");
        sectors_raised_ = true;
    } else if (shared && std::exchange(sectors_raised_, false) && in_front("Sectors")) {
        raise("Banks");
    }
}

Panel* Shell::counterpart_of(const Panel& panel) const {
    if (!comparing_.running()) return nullptr;
    const auto* const other = dynamic_cast<const OtherSide*>(&panel);
    return this->panel(other != nullptr ? other->own_title() : panel.title() + std::string(" B"));
}

bool Shell::shows_changes() const { return comparing_.running() && slim() && alone_ != compare_; }

std::size_t Shell::described_other() const { return compare_->described_other(); }

// The type of a maximized panel grows with it, as long as it keeps the room of a docked one. Two programs have the same
// panel side by side.
void Shell::draw_maximized(Context& context, ImVec2 at, ImVec2 size) {
    constexpr ImVec2 docked(640, 400);  // points
    constexpr float most = 2;
    const float scale = look_.scale();
    const bool roomy = look_.roomy(), slim_headers = look_.slim();
    Panel* other = counterpart_of(*alone_);
    Panel* one = alone_;
    if (dynamic_cast<OtherSide*>(one) != nullptr) std::swap(one, other);
    const float between = other == nullptr ? 0 : look_.px(gap * 0.5F);
    const float width = other == nullptr ? size.x : std::floor((size.x - between) * 0.5F);
    const float larger = std::clamp(std::min(width / docked.x, size.y / docked.y) / scale, 1.0F, most);
    look_.apply(look_.theme(), scale * larger, roomy, true);
    bool restored = draw_alone(*one, context, at, {width, size.y});
    if (other != nullptr)
        restored = draw_alone(*other, context, {at.x + width + between, at.y}, {width, size.y}) || restored;
    look_.apply(look_.theme(), scale, roomy, slim_headers);
    if (restored) alone_ = nullptr;
}

void Shell::picture_menu(const Context& context) {
    if (last_under_mouse_ != nullptr && last_under_mouse_->under_mouse && last_under_mouse_->drawn() != nullptr &&
        ImGui::IsMouseReleased(ImGuiMouseButton_Right) && workspace_->shown() != nullptr) {
        menu_of_ = last_under_mouse_;
        ImGui::OpenPopup("picture");
    }
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look_.px(8), look_.px(8)});
    if (ImGui::BeginPopup("picture")) {
        {
            const Type words(look_, scene::Font::words_medium, type::label);
            const auto* const memory = dynamic_cast<const MemoryPanel*>(menu_of_);
            if (memory != nullptr && memory->element_of_menu()) {
                const analysis::Element& element = *memory->element_of_menu();
                if (ImGui::MenuItem(fmt::format("History of {}", element.name).c_str()))
                    value_history_->open(*workspace_, element);
            } else if (menu_of_ == passes_ && workspace_->selection()) {
                const Command& history = command("History of the selected cell");
                if (ImGui::MenuItem(std::string(history.name).c_str(), std::string(history.key.shown).c_str()))
                    history.act(*this);
            }
            if (ImGui::MenuItem("Save as SVG")) PictureExport::save(*menu_of_, context, ".svg", notice_);
            if (ImGui::MenuItem("Save as PNG")) PictureExport::save(*menu_of_, context, ".png", notice_);
            if (ImGui::MenuItem("Copy picture")) export_.copy(*menu_of_, context, notice_);
            if (ImGui::MenuItem("Save picture...")) export_.open(*menu_of_, *workspace_);
            const std::string csv = menu_of_->csv(*workspace_);
            if (!csv.empty()) {
                if (ImGui::MenuItem("Save as CSV")) PictureExport::save_csv(*menu_of_, context, notice_);
                if (ImGui::MenuItem("Copy as CSV")) host_.copy(csv.c_str());
            }
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
}

double Shell::quiet_for() const {
    if (workspace_->playing()) return workspace_->seconds_to_next_step();
    if (workspace_->busy() || comparing_.is_busy() || export_.is_animating() || export_.is_copying()) return 0.02;
    const bool beside = workspace_->gpu_check().running() || workspace_->schedule_finder().running() ||
                        workspace_->timeline_recorder().running();
    double quiet = dialog_.is_open() || beside ? 0.1 : -1;
    const auto consider = [&](double wanted) {
        if (wanted > 0 && (quiet < 0 || wanted < quiet)) quiet = wanted;
    };
    // A panel that is out of view takes no results, so none is waited for.
    for (const std::unique_ptr<Panel>& panel : panels_) {
        if (panel->drawn_at == ImGui::GetFrameCount()) consider(panel->seconds_until_redraw());
    }
    consider(notice_.seconds_until_redraw());
    consider(dock_.seconds_until_redraw());
    // A tab that comes to the front is drawn as the selected one some frames later.
    constexpr int frames_of_a_tab = 4;
    if (ImGui::GetFrameCount() < raised_at_ + frames_of_a_tab || presentation_.hurries()) consider(0.01);
    return quiet;
}

bool Shell::look_at_disk() {
    const bool changed = watch_.changed(workspace_->file());
    if (changed) workspace_->reload();
    comparing_.look_at_disk();
    const bool lecture_changed = lecture_watch_.changed(presentation_.file());
    if (lecture_changed) presentation_.reread(*this);
    const bool gone = watch_.gone();
    if (gone) {
        notice_.say(
            fmt::format(
                "{} was removed from the disk. The last run stays on screen; the file is run again when it is back.",
                std::filesystem::path(workspace_->file()).filename().string()),
            true);
    }
    return changed || lecture_changed || gone;
}

Settings Shell::settings() const {
    Settings settings = workspace_->settings;
    dock_.keep(settings, panels_);
    return settings;
}

void Shell::open_lecture(const std::string& name_or_path) {
    auto lecture = session::open_lecture(name_or_path);
    if (!lecture) return notice_.say(lecture.error().message(), true);
    if (!presentation_.may_close(*this)) return;
    presentation_.open(*this, *std::move(lecture));
}

void Shell::open(const std::string& path) {
    if (session::is_link(path)) return open_link(path);
    if (lowered(std::filesystem::path(path).extension().string()) == ".png") {
        const auto picture = read_file(path);
        if (!picture) return notice_.say(picture.error().message(), true);
        if (!render::is_png(*picture)) return notice_.say(fmt::format("{} is not a PNG picture.", path), true);
        const std::string link = render::source_of_png(*picture);
        return session::is_link(link)
                   ? open_link(link)
                   : notice_.say(fmt::format("{}: the picture contains no link to a place.", path), true);
    }
    if (session::names_lecture(path)) return open_lecture(path);
    if (!path.ends_with(".json")) return workspace_->open(path);
    if (const auto counters = timing::counters_from_json(read_file(path).value_or(""))) {
        notice_.say(fmt::format("{} contains hardware counters of {} for {} builds of kernels. `lanescope counters "
                                "--import {}` compares "
                                "them with the emulator's counts. Counts shows the counters that ship with Lanescope.",
                                std::filesystem::path(path).filename().string(), counters->device,
                                counters->kernels.size(), path),
                    true);
    } else if (const auto opened = timing_->open_recording(path); !opened) {
        notice_.say(opened.error().message(), true);
    } else {
        bring_up(timing_->title());
    }
}

void Shell::drop(std::span<const std::string> paths) {
    if (paths.empty()) return;
    open(paths.front());
    if (paths.size() > 1) notice_.say("Only the first of the dropped files was opened.");
}

void Shell::choose_file(FileDialog::Chooses chooses) {
    std::error_code error;
    const std::string& file = workspace_->file();
    const std::filesystem::path folder =
        file.empty() ? std::filesystem::current_path(error) : std::filesystem::path(file).parent_path();
    if (FileDialog::available()) {
        dialog_.open(folder.string(), chooses);
    } else {
        notice_.say("No file dialog is installed (zenity or kdialog). Type the path here; Tab completes it.");
        search_.open(folder.string() + "/");
    }
}

void Shell::search(std::string text) { search_.open(std::move(text)); }

Panel* Shell::panel(std::string_view title) const {
    const auto found = std::ranges::find(panels_, title, [](const auto& each) { return each->title(); });
    return found == panels_.end() ? nullptr : found->get();
}

Panel& Shell::panel_of_picture() const {
    if (alone_ != nullptr && alone_->drawn() != nullptr) return *alone_;
    if (last_under_mouse_ != nullptr && last_under_mouse_->drawn() != nullptr) return *last_under_mouse_;
    return *passes_;
}

void Shell::export_picture() { export_.open(panel_of_picture(), *workspace_); }

void Shell::copy_picture() {
    const Context context{*workspace_, look_, *renderer_, comparing_.running() ? &comparing_ : nullptr};
    export_.copy(panel_of_picture(), context, notice_);
}

void Shell::toggle_alone() {
    if (alone_ != nullptr) {
        alone_ = nullptr;
    } else {
        alone_ = last_under_mouse_ != nullptr ? last_under_mouse_ : passes_;
        alone_->open = true;
    }
}

void Shell::toggle_panel(std::string_view title) {
    Panel* const which = panel(title);
    if (which == nullptr) return;
    which->open = which->appear = !which->open;
}

void Shell::arrange(Arrangement arrangement) {
    alone_ = nullptr;
    for (const std::unique_ptr<Panel>& panel : panels_) panel->open = true;
    memory_shown_for_ = 0;  // Banks may come to the front
    dock_.arrange(arrangement);
}

void Shell::toggle_theme() {
    workspace_->settings.theme =
        workspace_->settings.theme == scene::Theme::dark ? scene::Theme::light : scene::Theme::dark;
}

void Shell::zoom_interface(int direction) {
    float& scale = workspace_->settings.scale;
    if (direction == 0) scale = 1;
    if (direction > 0) {
        const auto larger = std::ranges::find_if(scales, [&](float step) { return step > scale + 0.01F; });
        if (larger != scales.end() && most_scale() >= *larger) scale = *larger;
    }
    if (direction < 0) {
        const auto smaller =
            std::find_if(scales.rbegin(), scales.rend(), [&](float step) { return step < scale - 0.01F; });
        if (smaller != scales.rend()) scale = *smaller;
    }
}

void Shell::escape() {
    // ImGui closes its popups on Escape only during keyboard navigation.
    if (workspace_->question()) {
        workspace_->answer_question(Workspace::Permission::none);
    } else if (const int open = ImGui::GetCurrentContext()->OpenPopupStack.Size; open > 0) {
        ImGui::ClosePopupToLevel(open - 1, true);
    } else if (search_.is_open()) {
        search_.close();
    } else if (export_.is_open()) {
        export_.close(*workspace_);
    } else if (bookmarks_.is_asking()) {
        bookmarks_.close();
    } else if (value_history_->is_open()) {
        value_history_->close();
    } else if (help_open_) {
        help_open_ = false;
    } else if (presentation_.black) {
        presentation_.black = false;
    } else if (source_->find().is_open()) {
        source_->find().close();
    } else if (presentation_.editing) {
        presentation_.editing = false;
    } else if (compare_->drawn_at == ImGui::GetFrameCount() - 1 && compare_->shrink()) {
        return;
    } else if (alone_ != nullptr) {
        alone_ = nullptr;
    } else if (tour_.running()) {
        tour_.end(*this);
    } else {
        workspace_->clear_selection();
    }
}

void Shell::bring_up(std::string_view title) {
    Panel* const which = panel(title);
    if (which == nullptr) return;
    which->open = which->appear = true;
    if (alone_ != nullptr) alone_ = which;
}

void Shell::raise(std::string_view title) {
    Panel* const which = panel(title);
    if (which != nullptr) which->open = which->appear = true;
}

void Shell::maximize(std::string_view title) {
    alone_ = panel(title);
    if (alone_ != nullptr) alone_->open = true;
}

void Shell::fit_picture(bool whole) { passes_->fit(whole ? PassesPanel::Fit::whole : PassesPanel::Fit::width); }

void Shell::zoom_picture(int direction) { passes_->zoom_by(direction); }

void Shell::move_picture(int right, int down) {
    constexpr float step = 0.125F;  // of the panel's size
    passes_->move_by(step * static_cast<float>(right), step * static_cast<float>(down));
}

void Shell::copy_source() {
    if (const std::string text = source_->text_to_copy(*workspace_); !text.empty()) host_.copy(text.c_str());
}

void Shell::copy_link() {
    if (workspace_->shown() == nullptr) return;
    host_.copy(session::text_of(link_of(*workspace_)).c_str());
    notice_.say("The link to this place is on the clipboard.");
}

void Shell::open_link(const std::string& text) {
    auto link = session::read_link(text);
    if (!link) return notice_.say(link.error().message(), true);
    awaited_link_.reset();
    workspace_->play(false);
    const session::FoundPlace& place = link->place;
    workspace_->begin(
        link->launch,
        {.launch = place.launch, .block = place.block, .position = place.position, .selected = place.selected});
    if (link->has_place) awaited_link_ = *std::move(link);
}

void Shell::follow_link() {
    if (!awaited_link_ || workspace_->busy() || workspace_->question()) return;
    const session::PlaceLink link = *std::exchange(awaited_link_, std::nullopt);
    const Shown* const shown = workspace_->shown();
    // A refusal stands at its field.
    if (shown == nullptr || workspace_->refusal() || workspace_->shows_previous()) return;
    const session::PlaceLink here = link_of(*workspace_);
    // Another program was opened meanwhile.
    constexpr auto program = session::LaunchField::program;
    if (here.launch[program] != link.launch[program]) return;
    if (link.ptx && link.ptx != here.ptx) {
        notice_.say(fmt::format("The PTX differs from that of the link: step {} may be a different one.",
                                grouped(link.place.position)),
                    true);
    } else if (here.place.launch != link.place.launch || here.place.block != link.place.block ||
               here.place.position != link.place.position || here.place.selected != link.place.selected) {
        notice_.say("This run does not have the place of the link: its launch, block, step or cell does not exist.",
                    true);
    }
}

void Shell::find_in_source() {
    bring_up(source_->title());
    source_->find().open();
}

bool Shell::finding() const { return source_->find().takes_keys(); }

}  // namespace lanescope::ui
