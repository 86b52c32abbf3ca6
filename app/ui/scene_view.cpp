#include "ui/scene_view.h"

#include "render/gl/renderer.h"
#include "scene/text.h"
#include "ui/glossary.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <variant>

namespace lanescope::ui {
namespace {

constexpr float bar_width = 6, bar_reach = 14;  // points

ImRect on_surface(const scene::Viewport& part, const SceneView::Surface& surface, float scale) {
    const scene::Box& box = part.box;
    return {{surface.at.x + box.x * scale, surface.at.y + box.y * scale},
            {surface.at.x + box.right() * scale, surface.at.y + box.bottom() * scale}};
}

/// A scene higher than the surface, as content that scrolls in all of it.
scene::Viewport whole_of(const SceneView::Surface& surface, float scale, float height, float pan) {
    return {.box = {0, 0, surface.room.x / scale, surface.room.y / scale}, .height = height, .scroll_y = pan};
}

bool scrolls_x(const scene::Viewport& part) { return part.width > part.box.width + 0.5F; }
bool scrolls_y(const scene::Viewport& part) { return part.height > part.box.height + 0.5F; }

/// The scrollbar under the mouse, or the one being dragged. For the surface as the last item.
enum class Bar : std::uint8_t { none, right, below };
Bar bar_under_mouse(const scene::Viewport& part, const ImRect& box, float scale) {
    const ImGuiIO& io = ImGui::GetIO();
    const ImVec2 at = ImGui::IsItemActive() ? io.MouseClickedPos[0] : io.MousePos;
    const float reach = bar_reach * scale;
    if (scrolls_y(part) && ImRect({box.Max.x - reach, box.Min.y}, box.Max).Contains(at)) return Bar::right;
    if (scrolls_x(part) && ImRect({box.Min.x, box.Max.y}, {box.Max.x, box.Max.y + reach}).Contains(at))
        return Bar::below;
    return Bar::none;
}

// The data of the callback, which runs when the draw lists are executed, after the frame was built.
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
    on_bar_ = false;
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

SceneView::Surface SceneView::surface(const Look& look, bool overlapped) {
    const float edge = look.px(2);  // the card's outline must stay visible
    const ImVec2 corner = ImGui::GetCursorScreenPos(), rest = ImGui::GetContentRegionAvail();
    Surface surface;
    surface.at = {std::floor(corner.x + edge), std::floor(corner.y)};
    surface.room = {std::max(rest.x - 2 * edge, 1.0F), std::max(rest.y - edge, 1.0F)};
    ImGui::SetCursorScreenPos(surface.at);
    if (overlapped) ImGui::SetNextItemAllowOverlap();
    surface.clicked = ImGui::InvisibleButton("picture", surface.room);
    surface.hovered = ImGui::IsItemHovered();
    return surface;
}

float SceneView::scrolled(float pan, const Surface& surface, float scale) const {
    return scrolled(whole_of(surface, scale, scene_.height, pan), surface, scale).y;
}

ImVec2 SceneView::scrolled(const scene::Viewport& part, const Surface& surface, float scale) {
    constexpr float notch = 40;  // points
    const ImGuiIO& io = ImGui::GetIO();
    const ImRect box = on_surface(part, surface, scale);
    ImVec2 scroll(part.scroll_x, part.scroll_y);
    if (surface.hovered && box.Contains(io.MousePos)) {
        scroll.x -= (io.MouseWheelH + (io.KeyShift ? io.MouseWheel : 0)) * notch;
        scroll.y -= (io.KeyShift ? 0 : io.MouseWheel) * notch;
    }
    const Bar bar = bar_under_mouse(part, box, scale);
    if (ImGui::IsItemActive() && bar == Bar::right)
        scroll.y = (io.MousePos.y - box.Min.y) / box.GetHeight() * part.height - part.box.height / 2;
    if (ImGui::IsItemActive() && bar == Bar::below)
        scroll.x = (io.MousePos.x - box.Min.x) / box.GetWidth() * part.width - part.box.width / 2;
    return {std::clamp(scroll.x, 0.0F, std::max(part.width - part.box.width, 0.0F)),
            std::clamp(scroll.y, 0.0F, std::max(part.height - part.box.height, 0.0F))};
}

void SceneView::draw_scrollbar(const Look& look, const Surface& surface, float pan, float scale) {
    draw_scrollbars(look, whole_of(surface, scale, scene_.height, pan), surface, scale);
}

void SceneView::draw_scrollbars(const Look& look, const scene::Viewport& part, const Surface& surface, float scale) {
    const ImRect box = on_surface(part, surface, scale);
    on_bar_ = on_bar_ || bar_under_mouse(part, box, scale) != Bar::none;
    const float width = look.px(bar_width), edge = look.px(2);
    const auto bar = [&](const ImRect& of, scene::Role role, float alpha) {
        ImGui::GetWindowDrawList()->AddRectFilled(of.Min, of.Max, look.color(role, alpha), look.px(3));
    };
    if (scrolls_y(part)) {
        const float high = box.GetHeight() / part.height, top = box.Min.y + part.scroll_y * high;
        const float right = box.Max.x - edge, left = right - width;
        bar({{left, box.Min.y}, {right, box.Max.y}}, scene::Role::line, 0.5F);
        bar({{left, top}, {right, top + part.box.height * high}}, scene::Role::soft, 0.8F);
    }
    if (scrolls_x(part)) {
        const float wide = box.GetWidth() / part.width, left = box.Min.x + part.scroll_x * wide;
        const float top = box.Max.y + edge, bottom = top + width;
        bar({{box.Min.x, top}, {box.Max.x, bottom}}, scene::Role::line, 0.5F);
        bar({{left, top}, {left + part.box.width * wide, bottom}}, scene::Role::soft, 0.8F);
    }
}

void SceneView::explain_words(const Look& look) const {
    if (!ImGui::IsItemHovered(ImGuiHoveredFlags_DelayShort | ImGuiHoveredFlags_NoSharedDelay)) return;
    if (under_mouse().kind != scene::TraceRef::Kind::none) return;
    const auto [x, y] = mouse();
    for (const scene::Shape& shape : scene_.shapes) {
        const auto* const text = std::get_if<scene::Text>(&shape);
        if (text == nullptr || y > text->y + text->size * 0.3F || y < text->y - text->size) continue;
        const float width = scene::text_width(text->font, text->size, text->text);
        const float left = scene::left_of(*text);
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

std::optional<ImVec2> SceneView::on_screen(scene::TraceRef::Kind kind, std::uint32_t row,
                                           std::optional<std::uint32_t> column) const {
    const auto box = scene::box_of(scene_, kind, row, column);
    return box ? std::optional(on_screen(box->center_x(), box->center_y())) : std::nullopt;
}

ImVec2 SceneView::mouse() const {
    const ImVec2 at = ImGui::GetIO().MousePos;
    return {(at.x - at_.x) / scale_ + pan_.x, (at.y - at_.y) / scale_ + pan_.y};
}

scene::TraceRef SceneView::under_mouse() const {
    const auto [x, y] = mouse();
    return on_bar_ ? scene::TraceRef{} : scene::hit(scene_, x, y);
}

}  // namespace lanescope::ui
