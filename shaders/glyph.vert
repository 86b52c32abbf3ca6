#version 330 core
// Glyphs: one instance a glyph, placed on whole pixels, so that a texel of the atlas is a pixel of the screen.

uniform vec2 u_framebuffer;
uniform vec2 u_origin;

layout(location = 0) in vec4 in_box;    // pixels from the scene's origin: x, y, width, height
layout(location = 1) in vec2 in_texel;  // top left in the atlas
layout(location = 2) in vec4 in_color;

out vec2 v_texel;
flat out vec4 v_color;

void main() {
    vec2 offset = vec2(gl_VertexID & 1, gl_VertexID >> 1) * in_box.zw;
    v_texel = in_texel + offset;
    v_color = in_color;
    vec2 pixel = u_origin + in_box.xy + offset;
    gl_Position = vec4(pixel.x / u_framebuffer.x * 2.0 - 1.0, 1.0 - pixel.y / u_framebuffer.y * 2.0, 0.0, 1.0);
}
