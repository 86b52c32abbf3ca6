#version 330 core
// Rectangles and circles: one instance a shape, four corners, a pixel of room around it for its smooth edge.

uniform vec2 u_framebuffer;  // pixels
uniform vec2 u_origin;       // of the scene, pixels from the framebuffer's top left
uniform float u_scale;       // pixels a point

layout(location = 0) in vec4 in_box;     // x, y, width, height in points
layout(location = 1) in vec3 in_edge;    // corner radius, stroke width in points; 1 = dashed
layout(location = 2) in vec4 in_fill;    // straight alpha, like the two below
layout(location = 3) in vec4 in_stroke;
layout(location = 4) in vec4 in_hatch;

out vec2 v_position;         // pixels from the scene's origin
flat out vec2 v_center;      // likewise
flat out vec2 v_half_size;   // pixels
flat out vec3 v_edge;        // in_edge in pixels
flat out vec4 v_fill, v_stroke, v_hatch;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    v_center = (in_box.xy + in_box.zw / 2.0) * u_scale;
    v_half_size = in_box.zw / 2.0 * u_scale;
    v_edge = vec3(in_edge.xy * u_scale, in_edge.z);
    v_position = v_center + corner * (v_half_size + 1.0);
    v_fill = in_fill;
    v_stroke = in_stroke;
    v_hatch = in_hatch;
    vec2 pixel = u_origin + v_position;
    gl_Position = vec4(pixel.x / u_framebuffer.x * 2.0 - 1.0, 1.0 - pixel.y / u_framebuffer.y * 2.0, 0.0, 1.0);
}
