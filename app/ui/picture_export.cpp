#include "ui/picture_export.h"

#include "render/image/image.h"
#include "ui/completion.h"
#include "ui/notice.h"
#include "ui/place.h"
#include "ui/widgets.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
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
    std::ofstream file(path, std::ios::binary);
    file << text;
    if (!file.flush()) return fail("the file cannot be written", {path.string()}, "Choose another location.");
    return {};
}

/// The picture says where it is from: a metadata element is not drawn.
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

void PictureExport::save_csv(const Panel& panel, const Context& context, Notice& notice) {
    const std::filesystem::path path = picture_path(panel.title(), ".csv");
    say_written(write_text(panel.csv(context.workspace), path), path, notice);
}

void PictureExport::open(const Panel& panel, const Workspace& workspace) {
    if (panel.drawn() == nullptr) return;
    scene_ = panel.whole_picture(workspace);
    csv_ = panel.csv(workspace);
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

void PictureExport::write(const Context& context, Notice& notice) {
    const std::filesystem::path path = spelled_out(path_);
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

void PictureExport::draw(const Context& context, Notice& notice) {
    if (!open_) return;
    const Look& look = context.look;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const float width = std::min(look.px(wide), viewport.Size.x - look.px(32));
    ImGui::SetNextWindowPos({viewport.Pos.x + viewport.Size.x * 0.5F, viewport.Pos.y + viewport.Size.y * 0.4F},
                            ImGuiCond_Appearing, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, viewport.Size.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(18), look.px(16)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("Picture", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_AlwaysAutoResize |
                     ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar(2);
    const bool opened_now = std::exchange(opened_now_, false);
    if (opened_now) ImGui::SetWindowFocus();

    const float left = ImGui::GetCursorScreenPos().x, right = left + ImGui::GetContentRegionAvail().x;
    const auto heading = [&](Font font, float em, Role role, const std::string& text) {
        const Type type(look, font, em);
        ImGui::TextColored(look.color4(role), "%s", text.c_str());
    };
    heading(Font::words_bold, type::heading, Role::text, fmt::format("The picture of {}", panel_));
    ImGui::Dummy({1, look.px(4)});

    constexpr std::array endings = {".svg", ".png", ".csv"};
    const int format = is_png(path_) ? 1 : !csv_.empty() && is_csv(path_) ? 2 : 0;
    const auto chosen = csv_.empty() ? segmented(look, "format", {"SVG", "PNG"}, format)
                                     : segmented(look, "format", {"SVG", "PNG", "CSV"}, format);
    if (chosen) set_ending(endings[static_cast<std::size_t>(*chosen)]);
    if (is_png(path_)) {
        ImGui::SameLine(0, look.px(18));
        ImGui::AlignTextToFramePadding();
        ImGui::TextColored(look.color4(Role::soft), "Pixels wide");
        ImGui::SameLine();
        const Type code(look, Font::code, type::value);
        ImGui::SetNextItemWidth(look.px(90));
        ImGui::InputInt("##width", &width_, 0);
        width_ = std::clamp(width_, 1, static_cast<int>(render::most_pixels_a_side));
    }
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
    const float save = button_size(look, "Save", Icon::none, Icon::none).x;
    const float cancel = button_size(look, "Cancel", Icon::none, Icon::none).x;
    const float y = ImGui::GetCursorScreenPos().y;
    ImGui::SetCursorScreenPos({right - save - look.px(gap) - cancel, y});
    const bool away = button(look, "##cancel", "Cancel");
    ImGui::SetCursorScreenPos({right - save, y});
    const bool wanted = button(look, "##save", "Save", Icon::none, Icon::none, {.primary = true});
    ImGui::End();
    if (away || ImGui::IsKeyPressed(ImGuiKey_Escape)) open_ = false;
    if (open_ && (wanted || entered)) write(context, notice);
}

}  // namespace lanescope::ui
