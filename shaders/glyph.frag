#version 330 core
// The glyph's coverage from the atlas, in the text's color. Premultiplied.

uniform sampler2D u_atlas;

in vec2 v_texel;
flat in vec4 v_color;

out vec4 out_color;

void main() {
    float alpha = v_color.a * texelFetch(u_atlas, ivec2(v_texel), 0).r;
    out_color = vec4(v_color.rgb * alpha, alpha);
}
