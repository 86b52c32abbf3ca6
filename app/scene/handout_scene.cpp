#include "scene/handout_scene.h"

#include "base/markdown.h"
#include "scene/layers.h"
#include "scene/lesson_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>

namespace lanescope::scene {

namespace {

constexpr float margin = 28, foot = 34, above_picture = 14, least_picture = 220;
constexpr float page_height = page_width * std::numbers::sqrt2_v<float>;

}  // namespace

float handout_picture_width() { return page_width - 2 * margin; }

Scene handout_page(const Handout& handout) {
    Scene page;
    page.title = fmt::format("{}, step {} of {}", handout.title, handout.number, handout.count);
    page.width = page_width;
    const Scene words = lesson_page(markdown::parsed(handout.words), page_width - 2 * (margin - panel_padding)).scene;
    place_scene(page, words, margin - panel_padding, margin - panel_padding, 1);
    float bottom = margin - panel_padding + words.height;
    page.description = handout.words;
    if (handout.picture != nullptr && handout.picture->width > 0 && handout.picture->height > 0) {
        const Scene& picture = *handout.picture;
        const float top = bottom + above_picture;
        const float room = std::max(page_height - foot - top, least_picture);
        const float scale = std::min({1.0F, handout_picture_width() / picture.width, room / picture.height});
        const Box frame{margin, top, picture.width * scale, picture.height * scale};
        place_scene(page, picture, frame.x, frame.y, scale);
        page.shapes.emplace_back(rect(frame.grown(1), 4, {}, {Role::line, 1.0F}));
        page.description += "\n\n" + picture.title + "\n" + picture.description;
        bottom = frame.bottom();
    }
    page.height = std::max(page_height, bottom + foot);
    Layer layer;
    const Style small{Font::words, 11, {Role::soft, 1.0F}};
    const float y = page.height - foot / 2;
    layer.put(margin, y, Anchor::start, small,
              fitted(small.font, small.size, handout.title, page_width - 2 * margin - 80));
    layer.texts.push_back(
        text_at(page_width - margin, y, Anchor::end, small, fmt::format("{} / {}", handout.number, handout.count)));
    layer.flush(page);
    return page;
}

}  // namespace lanescope::scene
