#include "ui/scene_view.h"

#include "render/gl/renderer.h"
#include "scene/text.h"
#include "ui/glossary.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <variant>

namespace lanescope::ui {
namespace {

constexpr float bar_width = 6, bar_reach = 14;  // points

// What the callback needs when the draw lists are played, after the frame was built.
struct Painting {
    render::GlRenderer* renderer;
    const scene::Scene* scene;
    std::uint64_t id;
    unsigned slot;
    scene::Theme theme;
    render::GlRenderer::Target target;
};

void paint(const ImDrawList*, const ImDrawCmd* command) {
    const Painting& painting = *static_cast<const Painting*>(command->UserCallbackData);
    painting.renderer->draw(*painting.scene, painting.id, painting.slot, painting.theme, painting.target);
}

}  // namespace

void SceneView::set(scene::Scene scene) {
    scene_ = std::move(scene);
    ++id_;
}

void SceneView::draw(Context& context, ImVec2 at, ImVec2 room, ImVec2 pan, float scale) {
    at_ = at;
    pan_ = pan;
    scale_ = scale;
    const ImGuiIO& io = ImGui::GetIO();
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const ImVec2 pixel = io.DisplayFramebufferScale;  // framebuffer pixels of an ImGui unit
    Painting painting{&context.renderer, &scene_, id_, slot_, context.look.theme(), {}};
    render::GlRenderer::Target& target = painting.target;
    target.framebuffer_width = static_cast<int>(io.DisplaySize.x * pixel.x);
    target.framebuffer_height = static_cast<int>(io.DisplaySize.y * pixel.y);
    target.pixels_per_point = scale * pixel.x;
    target.x = std::floor((at.x - viewport.Pos.x - pan.x * scale) * pixel.x);
    target.y = std::floor((at.y - viewport.Pos.y - pan.y * scale) * pixel.y);
    target.clip_x = (at.x - viewport.Pos.x) * pixel.x;
    target.clip_y = (at.y - viewport.Pos.y) * pixel.y;
    target.clip_width = room.x * pixel.x;
    target.clip_height = room.y * pixel.y;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddCallback(paint, &painting, sizeof painting);
    list->AddCallback(ImGui::GetPlatformIO().DrawCallback_ResetRenderState);
}

SceneView::Surface SceneView::surface(const Look& look) {
    const float edge = look.px(2);  // the card's outline must stay visible
    const ImVec2 corner = ImGui::GetCursorScreenPos(), rest = ImGui::GetContentRegionAvail();
    Surface surface;
    surface.at = {std::floor(corner.x + edge), std::floor(corner.y)};
    surface.room = {std::max(rest.x - 2 * edge, 1.0F), std::max(rest.y - edge, 1.0F)};
    ImGui::SetCursorScreenPos(surface.at);
    surface.clicked = ImGui::InvisibleButton("picture", surface.room);
    surface.hovered = ImGui::IsItemHovered();
    return surface;
}

float SceneView::scrolled(float pan, const Surface& surface, float scale) const {
    constexpr float notch = 40;  // points
    const ImGuiIO& io = ImGui::GetIO();
    if (surface.hovered) pan -= io.MouseWheel * notch;
    const float seen = surface.room.y / scale, most = std::max(scene_.height - seen, 0.0F);
    const float right = surface.at.x + surface.room.x;
    const bool on_bar = io.MouseClickedPos[0].x > right - bar_reach * scale && io.MouseClickedPos[0].x <= right &&
                        io.MouseClickedPos[0].y >= surface.at.y &&
                        io.MouseClickedPos[0].y <= surface.at.y + surface.room.y;
    if (most > 0 && on_bar && ImGui::IsItemActive())
        pan = (io.MousePos.y - surface.at.y) / surface.room.y * scene_.height - seen / 2;
    return std::clamp(pan, 0.0F, most);
}

void SceneView::draw_scrollbar(const Look& look, const Surface& surface, float pan, float scale) const {
    const float share = surface.room.y / scale / scene_.height;
    if (share >= 1) return;
    const float right = surface.at.x + surface.room.x - look.px(2), left = right - look.px(bar_width);
    const float top = surface.at.y + pan / scene_.height * surface.room.y;
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled({left, surface.at.y}, {right, surface.at.y + surface.room.y},
                        look.color(scene::Role::line, 0.5F), look.px(3));
    list->AddRectFilled({left, top}, {right, top + share * surface.room.y}, look.color(scene::Role::soft, 0.8F),
                        look.px(3));
}

void SceneView::explain_words(const Look& look) const {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort | ImGuiHoveredFlags_NoSharedDelay)) return;
    if (under_mouse().kind != scene::TraceRef::Kind::none) return;
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    const float x = (mouse.x - at_.x) / scale_ + pan_.x, y = (mouse.y - at_.y) / scale_ + pan_.y;
    for (const scene::Shape& shape : scene_.shapes) {
        const auto* const text = std::get_if<scene::Text>(&shape);
        if (text == nullptr || y > text->y + text->size * 0.3F || y < text->y - text->size) continue;
        const float width = scene::text_width(text->font, text->size, text->text);
        const float left = text->anchor == scene::Anchor::start    ? text->x
                           : text->anchor == scene::Anchor::middle ? text->x - width / 2
                                                                   : text->x - width;
        if (x < left || x >= left + width) continue;
        const std::string_view words = text->text;
        std::size_t at = 0;
        while (at + 1 < words.size() && left + scene::text_width(text->font, text->size, words.substr(0, at + 1)) <= x)
            ++at;
        if (const auto found = term_in(words, at)) return show_meaning(look, *found->term);
    }
}

ImVec2 SceneView::on_screen(float x, float y) const {
    return {at_.x + (x - pan_.x) * scale_, at_.y + (y - pan_.y) * scale_};
}

scene::TraceRef SceneView::under_mouse() const {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    return scene::hit(scene_, (mouse.x - at_.x) / scale_ + pan_.x, (mouse.y - at_.y) / scale_ + pan_.y);
}

}  // namespace lanescope::ui
