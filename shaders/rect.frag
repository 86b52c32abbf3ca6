#version 330 core
// Fill, hatching over it, stroke over both, each with the share of the pixel that it covers. Premultiplied.

uniform float u_scale;
uniform vec4 u_pattern;  // points: hatch period, hatch width, dash on, dash off

in vec2 v_position;
flat in vec2 v_center, v_half_size;
flat in vec3 v_edge;
flat in vec4 v_fill, v_stroke, v_hatch;

out vec4 out_color;

// The share of the pixel around p (from the box's center) that lies in a box with round corners: exact along straight
// edges, however thin the box; by distance in the corners.
float box_coverage(vec2 p, vec2 half_size, float radius) {
    if (half_size.x <= 0.0 || half_size.y <= 0.0) return 0.0;
    vec2 from_corner = abs(p) - (half_size - radius);
    if (radius > 0.0 && from_corner.x > 0.0 && from_corner.y > 0.0)
        return clamp(radius - length(from_corner) + 0.5, 0.0, 1.0);
    vec2 covered = clamp(min(p + 0.5, half_size) - max(p - 0.5, -half_size), 0.0, 1.0);
    return covered.x * covered.y;
}

float hatch_coverage(vec2 p) {
    float along = (p.x + p.y) / u_scale;
    float from_line = abs(along - u_pattern.x * round(along / u_pattern.x));
    return clamp((u_pattern.y / 2.0 - from_line * 0.70710678) * u_scale + 0.5, 0.0, 1.0);
}

// Pixels along the outline, clockwise from the end of the top left corner, to the point nearest to p.
float along_outline(vec2 p, vec2 half_size, float radius) {
    const float quarter = 1.57079633;
    vec2 straight = 2.0 * (half_size - radius);
    float arc = quarter * radius;
    vec2 from_corner = abs(p) - (half_size - radius);
    if (from_corner.x > 0.0 && from_corner.y > 0.0) {
        float turned = atan(from_corner.x, from_corner.y);  // 0 at the top or bottom edge
        if (p.y < 0.0)
            return p.x > 0.0 ? straight.x + turned * radius
                             : 2.0 * (straight.x + straight.y) + 3.0 * arc + (quarter - turned) * radius;
        return p.x > 0.0 ? straight.x + arc + straight.y + (quarter - turned) * radius
                         : 2.0 * straight.x + straight.y + 2.0 * arc + turned * radius;
    }
    vec2 inner = p + half_size - radius;  // from the corners' centers
    bool vertical = half_size.x - abs(p.x) < half_size.y - abs(p.y);
    if (!vertical && p.y < 0.0) return inner.x;
    if (vertical && p.x > 0.0) return straight.x + arc + inner.y;
    if (!vertical) return straight.x + straight.y + 2.0 * arc + straight.x - inner.x;
    return 2.0 * straight.x + straight.y + 3.0 * arc + straight.y - inner.y;
}

float dash_coverage(float along) {
    float on = u_pattern.z * u_scale, period = on + u_pattern.w * u_scale;
    float t = mod(along, period);
    float inside = t < on ? min(t, on - t) : -min(t - on, period - t);
    return clamp(inside + 0.5, 0.0, 1.0);
}

vec4 over(vec4 below, vec4 color, float coverage) {
    float alpha = color.a * coverage;
    return vec4(color.rgb * alpha, alpha) + below * (1.0 - alpha);
}

void main() {
    vec2 p = v_position - v_center;
    float outer = box_coverage(p, v_half_size, v_edge.x);
    vec4 color = over(vec4(0.0), v_fill, outer);
    if (v_hatch.a > 0.0) color = over(color, v_hatch, outer * hatch_coverage(v_position));
    if (v_stroke.a > 0.0) {
        float stroke = outer - box_coverage(p, v_half_size - v_edge.y, max(v_edge.x - v_edge.y, 0.0));
        if (v_edge.z > 0.5) {
            float inset = v_edge.y / 2.0;
            stroke *= dash_coverage(along_outline(p, v_half_size - inset, max(v_edge.x - inset, 0.0)));
        }
        color = over(color, v_stroke, stroke);
    }
    out_color = color;
}
