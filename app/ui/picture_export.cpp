#include "ui/picture_export.h"

#include "base/files.h"
#include "base/grouped.h"
#include "render/image/image.h"
#include "session/refusal.h"
#include "ui/bookmarks.h"
#include "ui/completion.h"
#include "ui/notice.h"
#include "ui/widgets.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float usual_scale = 2;  // pixels a point
constexpr float wide = 460;

bool is_png(const std::string& path) { return path.ends_with(".png"); }
bool is_csv(const std::string& path) { return path.ends_with(".csv"); }

Result<void> write_text(const std::string& text, const std::filesystem::path& path) {
    const auto written = write_file(path, text);
    if (written) return {};
    return fail(fmt::format("the file cannot be written: {}", written.error()), {path.string()},
                "Choose another location.");
}

/// The picture with the link to its place, in a metadata element, which is not drawn.
std::string with_link(std::string svg, const session::PlaceLink& link) {
    std::string text = session::text_of(link);
    for (std::size_t at = 0; (at = text.find('&', at)) != std::string::npos; ++at) text.replace(at, 1, "&amp;");
    const std::size_t begin = svg.find("<svg");
    const std::size_t end = svg.find('>', begin);
    if (end != std::string::npos) svg.insert(end + 1, fmt::format("<metadata>{}</metadata>", text));
    return svg;
}

void say_written(const Result<void>& written, const std::filesystem::path& path, Notice& notice) {
    if (written) {
        notice.say(fmt::format("Written: {}", path.string()));
    } else {
        notice.say(written.error().message(), true);
    }
}

}  // namespace

std::filesystem::path picture_path(std::string_view panel, std::string_view ending) {
    std::error_code error;
    std::filesystem::path folder = std::filesystem::current_path(error);
    if (const char* home = std::getenv("HOME"); home != nullptr && access(folder.c_str(), W_OK) != 0) folder = home;
    for (unsigned number = 1;; ++number) {
        const std::string count = number == 1 ? std::string() : fmt::format("-{}", number);
        std::filesystem::path path = folder / fmt::format("lanescope-{}{}{}", lowered(panel), count, ending);
        if (!std::filesystem::exists(path, error)) return path;
    }
}

void PictureExport::save(const Panel& panel, const Context& context, std::string_view ending, Notice& notice) {
    if (panel.drawn() == nullptr) return;
    const std::filesystem::path path = picture_path(panel.title(), ending);
    const scene::Scene scene = panel.whole_picture(context.workspace);
    if (ending == ".svg" && context.workspace.shown() != nullptr) {
        const std::string svg = render::to_svg(scene, context.look.theme());
        return say_written(write_text(with_link(svg, link_of(context.workspace)), path), path, notice);
    }
    say_written(render::write_image(scene, context.look.theme(), path, usual_scale), path, notice);
}

void PictureExport::copy(const Panel& panel, const Context& context, Notice& notice) {
    if (panel.drawn() == nullptr || context.workspace.shown() == nullptr) return;
    const scene::Scene scene = panel.whole_picture(context.workspace);
    if (const auto fits = render::check_size(scene, usual_scale); !fits)
        return notice.say(fits.error().message(), true);
    const std::vector<std::byte> png = render::to_png(render::rasterize(scene, context.look.theme(), usual_scale),
                                                      session::text_of(link_of(context.workspace)));
    if (can_copy_pictures()) {
        copied_ = panel.title();
        if (const Result<void> begun = copying_.start(png); !begun) notice.say(begun.error().message(), true);
        return;
    }
    const std::filesystem::path path = picture_path(panel.title(), ".png");
    if (const auto written = write_file(path, png); !written)
        return notice.say(fmt::format("{}: the picture cannot be written: {}", path.string(), written.error()), true);
    notice.say(fmt::format("{} Written instead: {}", session::sentence(no_copying_program), path.string()));
}

void PictureExport::save_csv(const Panel& panel, const Context& context, Notice& notice) {
    const std::filesystem::path path = picture_path(panel.title(), ".csv");
    say_written(write_text(panel.csv(context.workspace), path), path, notice);
}

void PictureExport::open(const Panel& panel, const Workspace& workspace) {
    if (panel.drawn() == nullptr || animation_.running()) return;
    scene_ = panel.whole_picture(workspace);
    csv_ = panel.csv(workspace);
    of_ = &panel;
    panel_ = panel.title();
    width_ = static_cast<int>(std::ceil(scene_.width * usual_scale));
    path_ = picture_path(panel_, ".svg").string();
    problem_.clear();
    open_ = opened_now_ = true;
}

void PictureExport::set_ending(std::string_view ending) {
    std::filesystem::path path(path_);
    path_ = path.replace_extension(ending).string();
}

void PictureExport::close(Workspace& workspace) {
    animation_.cancel(workspace);
    open_ = false;
}

void PictureExport::write(Context& context, Notice& notice) {
    const std::filesystem::path path = spelled_out(path_);
    if (render::is_animation(path)) {
        const auto begun = animation_.start(*of_, context.workspace, path, width_, static_cast<double>(seconds_),
                                            context.look.theme());
        problem_ = begun ? std::string() : begun.error().message();
        return;
    }
    const float scale = static_cast<float>(width_) / std::max(scene_.width, 1.0F);
    const Result<void> written = is_csv(path_) && !csv_.empty()
                                     ? write_text(csv_, path)
                                     : render::write_image(scene_, context.look.theme(), path, scale);
    if (!written) {
        problem_ = written.error().message();
        return;
    }
    say_written(written, std::filesystem::absolute(path), notice);
    open_ = false;
}

void PictureExport::choose_format(const Look& look) {
    constexpr std::array endings = {".svg", ".png", ".gif", ".mp4", ".csv"};
    const auto has_ending = [&](const char* ending) { return path_.ends_with(ending); };
    const auto found = std::ranges::find_if(endings.begin(), endings.end() - (csv_.empty() ? 1 : 0), has_ending);
    const int format = found == endings.end() || !has_ending(*found) ? 0 : static_cast<int>(found - endings.begin());
    const auto chosen = csv_.empty() ? segmented(look, "format", {"SVG", "PNG", "GIF", "MP4"}, format)
                                     : segmented(look, "format", {"SVG", "PNG", "GIF", "MP4", "CSV"}, format);
    if (chosen) set_ending(endings[static_cast<std::size_t>(*chosen)]);
}

void PictureExport::choose_size(const Context& context) {
    const bool moves = render::is_animation(path_);
    if (!is_png(path_) && !moves) return;
    const Look& look = context.look;
    const auto label = [&](const std::string& text) {
        ImGui::AlignTextToFramePadding();
        ImGui::TextColored(look.color4(Role::soft), "%s", text.c_str());
        ImGui::SameLine();
    };
    if (moves) {
        const std::size_t frames = PassAnimation::frames_of(context.workspace);
        ImGui::Dummy({1, look.px(2)});
        const Type words(look, Font::words, type::label);
        ImGui::TextColored(look.color4(Role::soft), "%s",
                           fmt::format("One frame for each pass of the block: {}", counted(frames, "frame")).c_str());
    } else {
        ImGui::SameLine(0, look.px(18));
    }
    label("Pixels wide");
    const Type code(look, Font::code, type::value);
    ImGui::SetNextItemWidth(look.px(90));
    ImGui::InputInt("##width", &width_, 0);
    width_ = std::clamp(width_, 1, static_cast<int>(render::most_pixels_a_side));
    if (!moves) return;
    ImGui::SameLine(0, look.px(18));
    {
        const Type words(look, Font::words, type::body);
        label("Seconds per frame");
    }
    constexpr float shortest = 0.04F, longest = 60;
    ImGui::SetNextItemWidth(look.px(70));
    ImGui::InputFloat("##seconds", &seconds_, 0, 0, "%.2f");
    seconds_ = std::clamp(seconds_, shortest, longest);
}

void PictureExport::draw_progress(Context& context, float right) {
    const Look& look = context.look;
    {
        const Type words(look, Font::words, type::label);
        ImGui::TextColored(
            look.color4(Role::soft), "%s",
            fmt::format("Writing {}: {}", animation_.path().filename().string(), animation_.doing()).c_str());
    }
    const ImVec2 from = ImGui::GetCursorScreenPos();
    const float height = look.px(4);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(from, {right, from.y + height}, look.color(Role::line), height / 2);
    list.AddRectFilled(from, {from.x + (right - from.x) * animation_.share(), from.y + height},
                       look.color(Role::useful), height / 2);
    ImGui::Dummy({1, height + look.px(10)});
    const float cancel = button_size(look, "Cancel", Icon::none, Icon::none).x;
    ImGui::SetCursorScreenPos({right - cancel, ImGui::GetCursorScreenPos().y});
    if (button(look, "##cancel", "Cancel")) close(context.workspace);
}

void PictureExport::draw(Context& context, Notice& notice) {
    if (const auto copied = copying_.poll())
        notice.say(*copied
                       ? fmt::format("The picture of {} is on the clipboard. The PNG contains the link to this place.",
                                     copied_)
                       : copied->error().message(),
                   !*copied);
    if (!open_) return;
    const Look& look = context.look;
    begin_dialog(look, "Picture", wide);
    const bool opened_now = std::exchange(opened_now_, false);
    if (opened_now) ImGui::SetWindowFocus();

    const float left = ImGui::GetCursorScreenPos().x, right = left + ImGui::GetContentRegionAvail().x;
    const auto heading = [&](Font font, float em, Role role, const std::string& text) {
        const Type type(look, font, em);
        ImGui::TextColored(look.color4(role), "%s", text.c_str());
    };
    heading(Font::words_bold, type::heading, Role::text, fmt::format("The picture of {}", panel_));
    ImGui::Dummy({1, look.px(4)});

    if (animation_.running()) {
        draw_progress(context, right);
        ImGui::End();
        if (const auto ended = animation_.follow(context.workspace)) {
            problem_ = *ended ? std::string() : ended->error().message();
            open_ = !*ended;
            if (*ended) say_written(*ended, std::filesystem::absolute(animation_.path()), notice);
        }
        return;
    }
    choose_format(look);
    choose_size(context);
    ImGui::Dummy({1, look.px(2)});
    heading(Font::words, type::label, Role::soft, "File");
    bool entered = false;
    {
        const Type code(look, Font::code, type::label);
        ImGui::SetNextItemWidth(-1);
        if (opened_now) ImGui::SetKeyboardFocusHere();
        entered = ImGui::InputText("##path", &path_, ImGuiInputTextFlags_EnterReturnsTrue);
    }
    if (!problem_.empty()) {
        const Type words(look, Font::words, type::label);
        ImGui::PushTextWrapPos(0);
        ImGui::TextColored(look.color4(Role::cost), "%s", problem_.c_str());
        ImGui::PopTextWrapPos();
    }
    ImGui::Dummy({1, look.px(4)});
    const Answer answer = dialog_buttons(look, right);
    ImGui::End();
    if (answer == Answer::cancel) close(context.workspace);
    if (open_ && (answer == Answer::save || entered)) write(context, notice);
}

}  // namespace lanescope::ui
