#version 330 core
// Cubic Bezier strokes: one instance a curve, a strip of 2 x (u_segments + 1) vertices along it.

uniform vec2 u_framebuffer;
uniform vec2 u_origin;
uniform float u_scale;
uniform int u_segments;

layout(location = 0) in vec4 in_begin;   // points: where it begins, first control point
layout(location = 1) in vec4 in_end;     // second control point, where it ends
layout(location = 2) in vec2 in_stroke;  // width in points; 1 = dashed
layout(location = 3) in vec4 in_color;

out float v_across;          // pixels from the middle of the stroke
out float v_along;           // pixels from the beginning, where it is dashed
out vec2 v_beyond;           // pixels beyond the beginning and beyond the end; negative inside
flat out float v_half_width; // pixels
flat out float v_dashed;
flat out vec4 v_color;

vec2 at(float t) {
    float s = 1.0 - t;
    return (s * s * s * in_begin.xy + 3.0 * s * s * t * in_begin.zw + 3.0 * s * t * t * in_end.xy +
            t * t * t * in_end.zw) * u_scale;
}

vec2 direction(float t) {
    float s = 1.0 - t;
    vec2 d = s * s * (in_begin.zw - in_begin.xy) + 2.0 * s * t * (in_end.xy - in_begin.zw) +
             t * t * (in_end.zw - in_end.xy);
    if (dot(d, d) < 1e-8) d = in_end.zw - in_begin.xy;  // control points on the ends
    return dot(d, d) < 1e-12 ? vec2(1.0, 0.0) : normalize(d);
}

void main() {
    int index = gl_VertexID >> 1;
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    float t = float(index) / float(u_segments);
    vec2 position = at(t);
    vec2 ahead = direction(t);
    v_half_width = in_stroke.x * u_scale / 2.0;
    v_dashed = in_stroke.y;
    v_color = in_color;
    v_across = side * (v_half_width + 1.0);

    v_beyond = -vec2(distance(position, at(0.0)), distance(position, at(1.0)));
    v_along = 0.0;
    if (v_dashed > 0.5)
        for (int i = 0; i < index; ++i)
            v_along += distance(at(float(i) / float(u_segments)), at(float(i + 1) / float(u_segments)));
    // A pixel of room for the smooth ends.
    if (index == 0) {
        position -= ahead;
        v_along -= 1.0;
        v_beyond.x = 1.0;
    } else if (index == u_segments) {
        position += ahead;
        v_along += 1.0;
        v_beyond.y = 1.0;
    }

    vec2 pixel = u_origin + position + vec2(-ahead.y, ahead.x) * v_across;
    gl_Position = vec4(pixel.x / u_framebuffer.x * 2.0 - 1.0, 1.0 - pixel.y / u_framebuffer.y * 2.0, 0.0, 1.0);
}
