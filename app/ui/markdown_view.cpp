#include "ui/markdown_view.h"

#include "base/markdown.h"

#include <cmath>
#include <utility>
#include <variant>

namespace lanescope::ui {

std::optional<std::size_t> MarkdownView::draw(Context& context, const SceneView::Surface& surface, float scale,
                                              std::string text, const std::string& title,
                                              bool (*same_page)(const std::string& before, const std::string& now)) {
    const Look& look = context.look;
    const float width = std::floor(surface.room.x / scale);
    if (text != built_for_ || width != built_width_) {
        if (!same_page(built_for_, text)) top_ = 0;
        scene::LessonPage page = scene::lesson_page(markdown::parsed(text), width);
        if (!title.empty()) page.scene.title = title;
        links_ = std::move(page.links);
        view_.set(std::move(page.scene));
        built_for_ = std::move(text);
        built_width_ = width;
    }
    top_ = view_.scrolled(top_, surface, scale);
    view_.draw(context, surface.at, surface.room, {0, top_}, scale);
    view_.draw_scrollbar(look, surface, top_, scale);
    if (!surface.hovered) return std::nullopt;
    const scene::TraceRef under = view_.under_mouse();
    if (under.kind == scene::TraceRef::Kind::link) return under.column;
    view_.explain_words(look);
    return std::nullopt;
}

ImVec2 MarkdownView::link_on_screen(std::size_t index) const {
    for (const scene::Shape& shape : view_.scene().shapes) {
        const auto* const words = std::get_if<scene::Text>(&shape);
        if (words != nullptr && words->ref.kind == scene::TraceRef::Kind::link && words->ref.column == index)
            return view_.on_screen(words->x + 3, words->y - words->size * 0.3F);
    }
    return {};
}

}  // namespace lanescope::ui
