#include "render/gl/renderer.h"

#include "render/gl/batches.h"
#include "render/gl/shader_program.h"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

namespace lanescope::render {

namespace {

struct Buffer {
    GLuint id = 0;
    Buffer() { glGenBuffers(1, &id); }
    ~Buffer() { glDeleteBuffers(1, &id); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    template <class T>
    void upload(const std::vector<T>& instances) const {
        glBindBuffer(GL_ARRAY_BUFFER, id);
        glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size() * sizeof(T)), instances.data(),
                     GL_STATIC_DRAW);
    }
};

/// A scene as it was last uploaded, and the inputs of that upload.
struct Slot {
    std::uint64_t scene_id = 0;
    scene::Theme theme = scene::Theme::dark;
    float pixels_per_point = 0;  ///< 0: never uploaded
    std::uint32_t atlas_generation = 0;
    std::vector<Batch> batches;
    Buffer rects, curves, glyphs;
};

/// One vertex attribute of an instance.
struct Attribute {
    GLint components;
    GLenum type;
    std::size_t offset;
};

constexpr Attribute k_rect[] = {{4, GL_FLOAT, offsetof(RectInstance, x)},
                                {3, GL_FLOAT, offsetof(RectInstance, radius)},
                                {4, GL_UNSIGNED_BYTE, offsetof(RectInstance, fill)},
                                {4, GL_UNSIGNED_BYTE, offsetof(RectInstance, stroke)},
                                {4, GL_UNSIGNED_BYTE, offsetof(RectInstance, hatch)}};
constexpr Attribute k_curve[] = {{4, GL_FLOAT, 0},
                                 {4, GL_FLOAT, 4 * sizeof(float)},
                                 {2, GL_FLOAT, offsetof(CurveInstance, width)},
                                 {4, GL_UNSIGNED_BYTE, offsetof(CurveInstance, color)}};
constexpr Attribute k_glyph[] = {{4, GL_FLOAT, offsetof(GlyphInstance, x)},
                                 {2, GL_FLOAT, offsetof(GlyphInstance, texel_x)},
                                 {4, GL_UNSIGNED_BYTE, offsetof(GlyphInstance, color)}};
constexpr GLuint k_most_attributes = 5;

/// Points the attributes at the batch's first instance. (Instanced draws that begin elsewhere need OpenGL 4.2.)
template <class Instance, std::size_t N>
void point_at(const Buffer& buffer, const Attribute (&attributes)[N], std::uint32_t first) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer.id);
    for (GLuint i = 0; i < k_most_attributes; ++i) {
        if (i >= N) {
            glDisableVertexAttribArray(i);
            continue;
        }
        const std::size_t offset = first * sizeof(Instance) + attributes[i].offset;
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, attributes[i].components, attributes[i].type,
                              attributes[i].type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE, sizeof(Instance),
                              reinterpret_cast<const void*>(offset));
        glVertexAttribDivisor(i, 1);
    }
}

/// Empty boxes have no width and no height.
PixelBox common(const PixelBox& a, const PixelBox& b) {
    const int left = std::max(a.left, b.left), top = std::max(a.top, b.top);
    return {left, top, std::max(left, std::min(a.right, b.right)), std::max(top, std::min(a.bottom, b.bottom))};
}

}  // namespace

struct GlRenderer::Impl {
    ShaderProgram rect, curve, glyph;
    GLuint vertex_array = 0;
    GLuint atlas_texture = 0;
    int texture_side = 0;
    GlyphAtlas atlas;
    std::map<unsigned, Slot> slots;

    Impl(ShaderProgram r, ShaderProgram c, ShaderProgram g, int most_side)
        : rect(std::move(r)), curve(std::move(c)), glyph(std::move(g)), atlas(512, most_side) {
        glGenVertexArrays(1, &vertex_array);
        glGenTextures(1, &atlas_texture);
    }
    ~Impl() {
        glDeleteTextures(1, &atlas_texture);
        glDeleteVertexArrays(1, &vertex_array);
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void upload(Slot& slot, const scene::Scene& scene, std::uint64_t scene_id, scene::Theme theme, float scale) {
        if (slot.pixels_per_point == scale && slot.scene_id == scene_id && slot.theme == theme &&
            slot.atlas_generation == atlas.generation())
            return;
        Batches batches = batches_of(scene, theme, scale, atlas);
        slot.rects.upload(batches.rects);
        slot.curves.upload(batches.curves);
        slot.glyphs.upload(batches.glyphs);
        slot.batches = std::move(batches.batches);
        slot.scene_id = scene_id;
        slot.theme = theme;
        slot.pixels_per_point = scale;
        slot.atlas_generation = batches.atlas_generation;
    }

    /// Updates the texture from the atlas, and leaves it bound.
    void upload_atlas() {
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, atlas_texture);
        const GlyphAtlas::Rows rows = atlas.take_changed_rows();
        if (rows.first == rows.past_last) return;
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        const int side = atlas.side();
        if (side != texture_side) {
            glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, side, side, 0, GL_RED, GL_UNSIGNED_BYTE, atlas.texels().data());
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
            texture_side = side;
        } else {
            const auto* first = atlas.texels().data() + static_cast<std::ptrdiff_t>(rows.first) * side;
            glTexSubImage2D(GL_TEXTURE_2D, 0, 0, rows.first, side, rows.past_last - rows.first, GL_RED,
                            GL_UNSIGNED_BYTE, first);
        }
        glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    }

    void set_uniforms(const ShaderProgram& program, const Target& target, float x, float y) const {
        program.use();
        glUniform2f(program.uniform("u_framebuffer"), static_cast<float>(target.framebuffer_width),
                    static_cast<float>(target.framebuffer_height));
        glUniform2f(program.uniform("u_origin"), x, y);
        glUniform1f(program.uniform("u_scale"), target.pixels_per_point);
        glUniform4f(program.uniform("u_pattern"), scene::hatch_period, scene::hatch_width, scene::dash_on,
                    scene::dash_off);
        glUniform1i(program.uniform("u_atlas"), 0);
    }

    void draw(const Slot& slot, const Batch& batch) const {
        const auto count = static_cast<GLsizei>(batch.count);
        switch (batch.kind) {
            case BatchKind::rects:
                rect.use();
                point_at<RectInstance>(slot.rects, k_rect, batch.first);
                glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count);
                break;
            case BatchKind::curves:
                curve.use();
                point_at<CurveInstance>(slot.curves, k_curve, batch.first);
                glUniform1i(curve.uniform("u_segments"), static_cast<GLint>(batch.segments));
                glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 2 * (static_cast<GLsizei>(batch.segments) + 1), count);
                break;
            case BatchKind::glyphs:
                glyph.use();
                point_at<GlyphInstance>(slot.glyphs, k_glyph, batch.first);
                glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, count);
                break;
        }
    }
};

GlRenderer::GlRenderer() = default;
GlRenderer::~GlRenderer() = default;

Result<std::unique_ptr<GlRenderer>> GlRenderer::create() {
    auto rect = ShaderProgram::compile("rect");
    if (!rect) return std::unexpected(rect.error());
    auto curve = ShaderProgram::compile("curve");
    if (!curve) return std::unexpected(curve.error());
    auto glyph = ShaderProgram::compile("glyph");
    if (!glyph) return std::unexpected(glyph.error());
    GLint most_side = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most_side);
    std::unique_ptr<GlRenderer> renderer(new GlRenderer);
    renderer->impl_ = std::make_unique<Impl>(std::move(*rect), std::move(*curve), std::move(*glyph),
                                             std::clamp(most_side, 512, 4096));
    return renderer;
}

void GlRenderer::draw(const scene::Scene& scene, std::uint64_t scene_id, unsigned slot, scene::Theme theme,
                      const Target& target) {
    // Whole pixels, because the text was placed on them.
    const auto x = static_cast<int>(std::lround(target.x)), y = static_cast<int>(std::lround(target.y));
    Slot& uploaded = impl_->slots[slot];
    impl_->upload(uploaded, scene, scene_id, theme, target.pixels_per_point);
    impl_->upload_atlas();

    glViewport(0, 0, target.framebuffer_width, target.framebuffer_height);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);  // the shaders' colors are premultiplied
    glBindVertexArray(impl_->vertex_array);
    for (const ShaderProgram* program : {&impl_->rect, &impl_->curve, &impl_->glyph})
        impl_->set_uniforms(*program, target, static_cast<float>(x), static_cast<float>(y));

    const auto edge = [](float pixels) { return static_cast<int>(std::lround(pixels)); };
    const PixelBox view = common({0, 0, target.framebuffer_width, target.framebuffer_height},
                                 {edge(target.clip_x), edge(target.clip_y), edge(target.clip_x + target.clip_width),
                                  edge(target.clip_y + target.clip_height)});
    const auto scissor = [&](const PixelBox& box) {
        // OpenGL counts rows from the bottom.
        glScissor(box.left, target.framebuffer_height - box.bottom, box.right - box.left, box.bottom - box.top);
        return box.left < box.right && box.top < box.bottom;
    };
    const PixelBox page = common(view, {x, y, x + edge(std::ceil(scene.width * target.pixels_per_point)),
                                        y + edge(std::ceil(scene.height * target.pixels_per_point))});
    if (scene.background.visible() && scissor(page)) {
        const scene::Color c = color_of(theme, scene.background);
        glClearColor(static_cast<float>(c.r) / 255, static_cast<float>(c.g) / 255, static_cast<float>(c.b) / 255, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    for (const Batch& batch : uploaded.batches) {
        PixelBox box = view;
        if (batch.clip)
            box = common(view,
                         {x + batch.clip->left, y + batch.clip->top, x + batch.clip->right, y + batch.clip->bottom});
        if (scissor(box)) impl_->draw(uploaded, batch);
    }
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glUseProgram(0);
}

std::vector<std::uint8_t> read_framebuffer(int width, int height) {
    const auto row = static_cast<std::size_t>(width) * 4;
    const auto rows = static_cast<std::size_t>(height);
    std::vector<std::uint8_t> pixels(row * rows);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    for (std::size_t low = 0, high = rows; low + 1 < high; ++low) {  // OpenGL counts rows from the bottom
        --high;
        std::swap_ranges(pixels.begin() + static_cast<std::ptrdiff_t>(low * row),
                         pixels.begin() + static_cast<std::ptrdiff_t>((low + 1) * row),
                         pixels.begin() + static_cast<std::ptrdiff_t>(high * row));
    }
    for (std::size_t alpha = 3; alpha < pixels.size(); alpha += 4) pixels[alpha] = 255;
    return pixels;
}

Result<void> load_gl(GlLoader loader) {
    const int version = gladLoadGL(loader);
    const int major = GLAD_VERSION_MAJOR(version), minor = GLAD_VERSION_MINOR(version);
    constexpr const char* remedy = "Update the graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1 to draw without one";
    if (version == 0) return fail("OpenGL cannot be used: the driver provides no functions", {}, remedy);
    if (major < 3 || (major == 3 && minor < 3))
        return fail(fmt::format("the window requires OpenGL 3.3; the driver provides {}.{}", major, minor), {}, remedy);
    return {};
}

}  // namespace lanescope::render
