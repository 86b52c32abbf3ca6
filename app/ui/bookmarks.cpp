#include "ui/bookmarks.h"

#include "base/grouped.h"
#include "session/catalog.h"
#include "ui/json_file.h"
#include "ui/notice.h"
#include "ui/widgets.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <imgui_stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr std::size_t most_bookmarks = 500;
constexpr float dialog_width = 420;  // points

/// While it lives, no other window changes the file. Where no lock can be taken, the last window to write wins.
class FileLock {
  public:
    explicit FileLock(const std::filesystem::path& file) {
        if (file.empty()) return;
        std::error_code error;
        std::filesystem::create_directories(file.parent_path(), error);
        std::filesystem::path beside = file;
        beside += ".lock";
        constexpr mode_t of_user = 0600;
        descriptor_ = open(beside.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, of_user);
        if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
    }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    ~FileLock() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }

  private:
    int descriptor_ = -1;
};

}  // namespace

session::PlaceLink link_of(const Workspace& workspace) {
    const Bookmark at = workspace.bookmark();
    return {.launch = workspace.form().ran(),
            .place = {.launch = at.launch, .block = at.block, .position = at.position, .selected = at.selected},
            .ptx = session::checksum_of(workspace.shown()->trace().origin.ptx),
            .has_place = true};
}

std::string usual_caption(const Workspace& workspace) {
    const std::string program = workspace.form().ran()[Field::program];
    const bool of_catalog = session::find_program(program) != nullptr;
    std::string caption = of_catalog ? program : std::filesystem::path(program).filename().string();
    const Bookmark at = workspace.bookmark();
    if (workspace.shown()->trace().launches.size() > 1) caption += fmt::format(", launch {}", grouped(at.launch));
    if (at.block.value != 0) caption += fmt::format(", block {}", grouped(at.block.value));
    return caption + fmt::format(", pass {}", grouped(workspace.pass()));
}

Bookmarks::Bookmarks(std::filesystem::path file) : file_(std::move(file)) { read(); }

void Bookmarks::put_aside() {
    std::error_code error;
    std::filesystem::path aside = file_;
    aside += ".unreadable";
    for (unsigned number = 2; std::filesystem::exists(aside, error); ++number) {
        aside = file_;
        aside += fmt::format(".unreadable-{}", number);
    }
    std::filesystem::rename(file_, aside, error);
    warning_ =
        error ? fmt::format("{} contains no bookmarks, and cannot be put aside: {}", file_.string(), error.message())
              : fmt::format("{} was damaged and contains no bookmarks. It is now {}.", file_.string(),
                            aside.filename().string());
}

void Bookmarks::read() {
    if (file_.empty()) return;
    std::error_code error;
    if (!std::filesystem::exists(file_, error)) return;
    const nlohmann::json saved = read_json(file_);
    const auto found = saved.find("bookmarks");
    // A damaged file is renamed before the next bookmark would overwrite it.
    if (found == saved.end() || !found->is_array()) return put_aside();
    const bool first = damaged_.empty();
    all_.clear();
    damaged_.clear();
    for (const nlohmann::json& each : *found) {
        CaptionedPlace place;
        if (each.is_object()) {
            take(each, "caption", place.caption);
            take(each, "link", place.link);
        }
        if (place.caption.empty() || !session::is_link(place.link))
            damaged_.push_back(each.dump());
        else if (all_.size() < most_bookmarks)
            all_.push_back(std::move(place));
    }
    if (first && !damaged_.empty())
        warning_ = fmt::format("{} of {} cannot be read; nothing is deleted from the file.",
                               counted(damaged_.size(), "bookmark"), file_.string());
}

Result<void> Bookmarks::write() const {
    if (file_.empty()) return {};
    nlohmann::json list = nlohmann::json::array();
    for (const CaptionedPlace& place : all_) list.push_back({{"caption", place.caption}, {"link", place.link}});
    for (const std::string& entry : damaged_) list.push_back(nlohmann::json::parse(entry, nullptr, false));
    return write_json({{"bookmarks", std::move(list)}}, file_);
}

void Bookmarks::apply(const Change& change) {
    std::erase_if(all_, [&](const CaptionedPlace& each) { return each.link == change.place.link; });
    if (change.removes) return;
    CaptionedPlace place = change.place;
    const auto taken = [&] { return std::ranges::find(all_, place.caption, &CaptionedPlace::caption) != all_.end(); };
    for (unsigned number = 2; taken(); ++number) place.caption = fmt::format("{} ({})", change.place.caption, number);
    all_.insert(all_.begin(), std::move(place));
    if (all_.size() > most_bookmarks) all_.resize(most_bookmarks);
}

Result<void> Bookmarks::change(Change change) {
    const FileLock lock(file_);
    read();
    unwritten_.push_back(std::move(change));
    for (const Change& each : unwritten_) apply(each);
    Result<void> written = write();
    if (written) unwritten_.clear();
    return written;
}

Result<void> Bookmarks::add(CaptionedPlace place) { return change({.removes = false, .place = std::move(place)}); }

Result<void> Bookmarks::remove(std::string_view link) {
    return change({.removes = true, .place = {.caption = {}, .link = std::string(link)}});
}

void Bookmarks::ask(const Workspace& workspace) {
    if (workspace.shown() == nullptr) return;
    asked_ = {.caption = usual_caption(workspace), .link = session::text_of(link_of(workspace))};
    const auto there = std::ranges::find(all_, asked_.link, &CaptionedPlace::link);
    if (there != all_.end()) asked_.caption = there->caption;
    asking_ = asked_now_ = true;
}

void Bookmarks::draw(const Context& context, Notice& notice) {
    if (const std::string warning = take_warning(); !warning.empty()) notice.say(warning, true);
    if (!asking_) return;
    const Look& look = context.look;
    begin_dialog(look, "Bookmark", dialog_width);
    const bool asked_now = std::exchange(asked_now_, false);
    if (asked_now) ImGui::SetWindowFocus();
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    {
        const Type bold(look, Font::words_bold, type::heading);
        ImGui::TextColored(look.color4(Role::text), "Bookmark this place");
    }
    ImGui::Dummy({1, look.px(4)});
    {
        const Type words(look, Font::words, type::label);
        ImGui::TextColored(look.color4(Role::soft), "Caption");
    }
    bool entered = false;
    {
        const Type words(look, Font::words, type::body);
        ImGui::SetNextItemWidth(-1);
        if (asked_now) ImGui::SetKeyboardFocusHere();
        entered = ImGui::InputText("##caption", &asked_.caption,
                                   ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    }
    ImGui::Dummy({1, look.px(4)});
    const Answer answer = dialog_buttons(look, right);
    ImGui::End();
    if (answer == Answer::cancel) close();
    if (!asking_ || !(answer == Answer::save || entered) || asked_.caption.find_first_not_of(' ') == std::string::npos)
        return;
    close();
    const std::string caption = asked_.caption;
    const Result<void> added = add(asked_);
    notice.say(added ? fmt::format("Bookmarked: {}. To return to it, choose Bookmarks in the Go menu.", caption)
                     : added.error().message(),
               !added);
}

}  // namespace lanescope::ui
