// The screen's renderer draws what the image renderer draws: a scene by both, pixel by pixel, in a hidden window.
#include "render/gl/renderer.h"

#include "golden/panel_scenes.h"
#include "render/gl/batches.h"
#include "render/image/image.h"

#include <glad/gl.h>

#include <GLFW/glfw3.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <memory>

namespace lanescope::render {
namespace {

using scene::Paint;
using scene::Role;
using scene::Scene;
using scene::Theme;

constexpr int most_width = 1000, most_height = 1600;

scene::Rect box(float x, float y, float width, float height, float radius, Paint fill, Paint stroke = {},
                float stroke_width = 1) {
    scene::Rect r;
    r.x = x, r.y = y, r.width = width, r.height = height, r.radius = radius;
    r.fill = fill, r.stroke = stroke, r.stroke_width = stroke_width;
    return r;
}

scene::Text words(float x, float y, scene::Font font, float size, std::string text,
                  scene::Anchor anchor = scene::Anchor::start) {
    scene::Text t;
    t.x = x, t.y = y, t.size = size, t.font = font, t.anchor = anchor, t.text = std::move(text);
    return t;
}

scene::Curve arc(float x0, float y0, float x3, float y3, Paint stroke, float width) {
    scene::Curve c;
    c.x0 = c.x1 = x0, c.y0 = y0, c.y1 = y0 + (y3 - y0) * 0.6F;
    c.x2 = c.x3 = x3, c.y3 = y3, c.y2 = y3 - (y3 - y0) * 0.6F;
    c.stroke = stroke, c.stroke_width = width;
    return c;
}

/// Every kind of shape, over one another, in every manner that panels use.
Scene everything() {
    Scene scene;
    scene.width = 400, scene.height = 260;
    auto& shapes = scene.shapes;
    shapes.emplace_back(box(10, 10, 60, 30, 5, {Role::useful, 1}));
    shapes.emplace_back(box(80.3F, 10.6F, 60, 30, 5, {Role::raised, 1}, {Role::line, 1}));
    shapes.emplace_back(box(150, 10, 60, 30, 15, {Role::raised, 0.6F}, {Role::cursor, 1}, 2.5F));
    scene::Rect hatched = box(220, 10, 60, 30, 8, {Role::raised, 1}, {Role::useful, 1});
    hatched.hatch = {Role::soft, 0.5F};
    shapes.emplace_back(hatched);
    scene::Rect dashed = box(290, 10, 60, 30, 5, {}, {Role::soft, 1}, 1);
    dashed.dashed = true;
    shapes.emplace_back(dashed);
    for (int i = 0; i < 60; ++i)  // cells thinner than a pixel
        shapes.emplace_back(box(10 + static_cast<float>(i) * 1.3F, 48, 0.8F, 10, 0, {Role::useful, 1}));
    shapes.emplace_back(arc(30, 60, 300, 120, {Role::read, 0.8F}, 1.5F));
    shapes.emplace_back(arc(300, 60, 100, 120, {Role::selected, 1}, 3));
    shapes.emplace_back(arc(40, 60, 60, 70, {Role::soft, 1}, 0.7F));
    scene::Curve dots = scene::line(350, 50, 350, 130, {Role::soft, 1}, 1.5F);
    dots.dashed = true;
    shapes.emplace_back(dots);
    shapes.emplace_back(scene::line(200, 60, 200, 120, {Role::soft, 0.7F}, 1));
    for (const float x : {40.0F, 90.5F}) {
        scene::Circle circle;
        circle.x = x, circle.y = 100, circle.radius = 12.5F;
        circle.fill = {Role::panel, 1}, circle.stroke = {Role::text, 1}, circle.stroke_width = 1.5F;
        shapes.emplace_back(circle);
    }
    shapes.emplace_back(words(40, 104, scene::Font::code, 11, "13", scene::Anchor::middle));
    shapes.emplace_back(words(10, 160, scene::Font::words, 13, "8 of 16 lanes"));
    shapes.emplace_back(words(390, 160, scene::Font::words_bold, 20, "Pass 3, s = 4.", scene::Anchor::end));
    shapes.emplace_back(words(10, 190, scene::Font::code_bold, 15, "sdata[tid] += \u6C42\u548C;"));
    shapes.emplace_back(scene::ClipBegin{200, 170, 100, 60});
    shapes.emplace_back(box(180, 180, 200, 30, 0, {Role::cost, 1}));
    shapes.emplace_back(scene::ClipBegin{0, 200, 400, 60});
    shapes.emplace_back(box(180, 190, 80, 60, 0, {Role::agrees, 1}));
    shapes.emplace_back(scene::ClipEnd{});
    shapes.emplace_back(words(205, 190, scene::Font::words_medium, 13, "cut off where the clip ends"));
    shapes.emplace_back(scene::ClipEnd{});
    return scene;
}

class GlRendererTest : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        if (glfwInit() != GLFW_TRUE) return;
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        window_ = glfwCreateWindow(most_width, most_height, "test", nullptr, nullptr);
        if (window_ == nullptr) return;
        glfwMakeContextCurrent(window_);
        if (!load_gl(&glfwGetProcAddress)) return;
        // A framebuffer of the test's own: a hidden window's pixels are undefined.
        glGenFramebuffers(1, &framebuffer_);
        glGenTextures(1, &texture_);
        glBindTexture(GL_TEXTURE_2D, texture_);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, most_width, most_height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    }
    static void TearDownTestSuite() {
        if (framebuffer_ != 0) {
            glBindFramebuffer(GL_FRAMEBUFFER, 0);
            glDeleteTextures(1, &texture_);
            glDeleteFramebuffers(1, &framebuffer_);
            framebuffer_ = texture_ = 0;
        }
        if (window_ != nullptr) glfwDestroyWindow(window_);
        window_ = nullptr;
        glfwTerminate();
    }
    void SetUp() override {
        if (framebuffer_ == 0) GTEST_SKIP() << "no display with OpenGL 3.3";
        auto made = GlRenderer::create();
        ASSERT_TRUE(made) << made.error().message();
        renderer_ = std::move(*made);
    }

    static GlRenderer::Target whole(float x = 0, float y = 0, float pixels_per_point = 1) {
        return {most_width, most_height, x, y, pixels_per_point, 0, 0, most_width, most_height};
    }
    /// Clears to black, draws, and reads back.
    Pixels drawn(const Scene& scene, Theme theme, const GlRenderer::Target& target, std::uint64_t id = 1) {
        glDisable(GL_SCISSOR_TEST);
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        renderer_->draw(scene, id, 1, theme, target);
        EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
        return {most_width, most_height, read_framebuffer(most_width, most_height)};
    }

    std::unique_ptr<GlRenderer> renderer_;

  private:
    static inline GLFWwindow* window_ = nullptr;
    static inline GLuint framebuffer_ = 0, texture_ = 0;
};

struct Distance {
    double mean = 0;
    double far_share = 0;  ///< of channels that differ by more than a quarter of the range
};

/// Between the image and the framebuffer's part whose top left is (x, y).
Distance distance(const Pixels& image, const Pixels& screen, unsigned x = 0, unsigned y = 0) {
    double sum = 0;
    std::size_t far = 0;
    for (unsigned row = 0; row < image.height; ++row)
        for (unsigned i = 0; i < image.width * 4; ++i) {
            const int a = image.rgba[std::size_t{row} * image.width * 4 + i];
            const int b = screen.rgba[(std::size_t{row + y} * screen.width + x) * 4 + i];
            sum += std::abs(a - b);
            far += std::abs(a - b) > 64 ? 1U : 0U;
        }
    const auto channels = static_cast<double>(image.rgba.size());
    return {sum / channels, static_cast<double>(far) / channels};
}

TEST_F(GlRendererTest, DrawsWhatTheImageRendererDraws) {
    const Scene scene = everything();
    std::uint64_t id = 0;
    for (const Theme theme : {Theme::dark, Theme::light})
        for (const float scale : {1.0F, 1.5F, 2.0F}) {
            const Distance d = distance(rasterize(scene, theme, scale), drawn(scene, theme, whole(0, 0, scale), ++id));
            EXPECT_LT(d.mean, 0.35) << "scale " << scale;
            EXPECT_LT(d.far_share, 0.0008) << "scale " << scale;
        }
}

// The golden pictures are the image renderer's; what is on the screen must be the same for every panel.
TEST_F(GlRendererTest, DrawsEveryPanelAsTheImageRendererDoes) {
    std::uint64_t id = 100;
    for (const golden::Kernel& kernel : golden::kernels()) {
        std::vector<std::string_view> panels(golden::panels().begin(), golden::panels().end());
        panels.emplace_back("passes");
        for (const std::string_view panel : panels) {
            const Scene scene = golden::panel_scene(kernel, panel);
            ASSERT_LE(scene.width, most_width);
            ASSERT_LE(scene.height, most_height);
            for (const Theme theme : {Theme::dark, Theme::light}) {
                const Distance d = distance(rasterize(scene, theme, 1), drawn(scene, theme, whole(), ++id));
                EXPECT_LT(d.mean, 0.35) << kernel.name << ", " << panel;
                EXPECT_LT(d.far_share, 0.0008) << kernel.name << ", " << panel;
            }
        }
    }
}

TEST_F(GlRendererTest, PutsTheSceneAtItsPlaceAndKeepsInsideTheClip) {
    const Scene scene = everything();
    GlRenderer::Target target = whole(120.3F, 70.8F);
    target.clip_x = 120, target.clip_y = 71, target.clip_width = 200, target.clip_height = 100;
    const Pixels screen = drawn(scene, Theme::dark, target);
    Pixels image = rasterize(scene, Theme::dark, 1);
    Pixels corner{200, 100, {}};
    for (unsigned y = 0; y < 100; ++y)
        corner.rgba.insert(corner.rgba.end(), image.rgba.begin() + y * image.width * 4,
                           image.rgba.begin() + (y * image.width + 200) * 4);
    EXPECT_LT(distance(corner, screen, 120, 71).mean, 0.35);
    const auto red = [&](unsigned x, unsigned y) { return screen.rgba[(std::size_t{y} * most_width + x) * 4]; };
    EXPECT_EQ(red(119, 80), 0);
    EXPECT_EQ(red(320, 80), 0);
    EXPECT_EQ(red(130, 70), 0);
    EXPECT_EQ(red(130, 171), 0);
}

TEST_F(GlRendererTest, DrawsAgainWithoutUploadingAndUploadsWhenTheSceneChanges) {
    Scene scene = everything();
    const Pixels first = drawn(scene, Theme::dark, whole(), 7);
    scene.shapes.clear();
    EXPECT_EQ(drawn(scene, Theme::dark, whole(), 7).rgba, first.rgba) << "the same id is the same scene";
    EXPECT_NE(drawn(scene, Theme::dark, whole(), 8).rgba, first.rgba);
}

TEST_F(GlRendererTest, LeavesBlendingAndTexturesAsTheyCanBeUsed) {
    (void)drawn(everything(), Theme::dark, whole());
    GLint program = -1, array = -1, alignment = 0, active = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &array);
    glGetIntegerv(GL_UNPACK_ALIGNMENT, &alignment);
    glGetIntegerv(GL_ACTIVE_TEXTURE, &active);
    EXPECT_EQ(program, 0);
    EXPECT_EQ(array, 0);
    EXPECT_EQ(alignment, 4);
    EXPECT_EQ(active, GL_TEXTURE0);
}

TEST_F(GlRendererTest, DrawsNothingForAnEmptyClip) {
    GlRenderer::Target target = whole();
    target.clip_width = 0;
    const Pixels screen = drawn(everything(), Theme::light, target);
    EXPECT_TRUE(std::ranges::all_of(screen.rgba, [](std::uint8_t value) { return value == 0 || value == 255; }));
    EXPECT_EQ(screen.rgba[0], 0);
}

TEST(GlyphAtlas, FindsAGlyphAgainWhereItPutIt) {
    GlyphAtlas atlas;
    const auto glyph = scene::glyph_of(scene::Font::code, U'8');
    const auto first = atlas.find(glyph, 15, 1), again = atlas.find(glyph, 15, 1), other = atlas.find(glyph, 15, 2);
    ASSERT_TRUE(first && again && other);
    EXPECT_EQ(first->x, again->x);
    EXPECT_EQ(first->y, again->y);
    EXPECT_NE(std::pair(first->x, first->y), std::pair(other->x, other->y));
}

TEST(GlyphAtlas, NeverPutsTwoGlyphsOverOneAnother) {
    GlyphAtlas atlas(64, 1024);
    std::vector<GlyphAtlas::Entry> entries;
    for (const float size : {10.0F, 13.0F, 20.0F, 33.0F})
        for (char32_t code = U'!'; code < U'~'; ++code)
            entries.push_back(atlas.find(scene::glyph_of(scene::Font::words, code), size, 0).value());
    EXPECT_GT(atlas.side(), 64) << "it has grown";
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto& a = entries[i];
        EXPECT_LE(a.x + a.width, atlas.side());
        EXPECT_LE(a.y + a.height, atlas.side());
        for (std::size_t j = i + 1; j < entries.size(); ++j) {
            const auto& b = entries[j];
            ASSERT_FALSE(a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height);
        }
    }
}

TEST(GlyphAtlas, ForgetsEverythingWhenItIsFullAndSaysSo) {
    GlyphAtlas atlas(64, 64);
    const auto generation = atlas.generation();
    Scene scene;
    for (int size = 10; size < 30; ++size)
        scene.shapes.emplace_back(words(0, 0, scene::Font::words, static_cast<float>(size), "abcdefghijklmnop"));
    (void)batches_of(scene, Theme::dark, 1, atlas);
    EXPECT_GT(atlas.generation(), generation);
    EXPECT_EQ(atlas.side(), 64);
}

TEST(Batches, JoinNeighborsOfOneKindAndKeepTheOrder) {
    Scene scene;
    scene.shapes = {box(0, 0, 9, 9, 0, {Role::useful, 1}),
                    scene::Circle{5, 5, 4, {Role::text, 1}, {}, 1, {}},
                    words(0, 9, scene::Font::code, 12, "ab"),
                    box(9, 0, 9, 9, 0, {Role::useful, 1}),
                    scene::ClipBegin{0, 0, 5, 5},
                    box(9, 0, 9, 9, 0, {Role::useful, 1}),
                    scene::ClipEnd{}};
    GlyphAtlas atlas;
    const Batches batches = batches_of(scene, Theme::dark, 1, atlas);
    ASSERT_EQ(batches.batches.size(), 4);
    EXPECT_EQ(batches.batches[0].count, 2) << "a circle is a rectangle that is all corner";
    EXPECT_EQ(batches.batches[1].kind, BatchKind::glyphs);
    EXPECT_EQ(batches.batches[1].count, 2);
    EXPECT_EQ(batches.batches[2].first, 2);
    EXPECT_EQ(batches.batches[3].clip, (PixelBox{0, 0, 5, 5}));
}

TEST(Batches, DrawStraightLinesInOnePieceAndBowsInMany) {
    Scene scene;
    scene.shapes = {scene::line(0, 0, 0, 50, {Role::soft, 1}), scene::line(9, 0, 9, 50, {Role::soft, 1}),
                    arc(0, 0, 20, 20, {Role::read, 1}, 1), arc(0, 0, 500, 60, {Role::read, 1}, 1)};
    GlyphAtlas atlas;
    const Batches batches = batches_of(scene, Theme::dark, 1, atlas);
    ASSERT_EQ(batches.batches.size(), 2);
    EXPECT_EQ(batches.batches[0].segments, 1);
    EXPECT_GE(batches.batches[1].segments, 16);
}

}  // namespace
}  // namespace lanescope::render
