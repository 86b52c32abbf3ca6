#version 330 core
// The share of the pixel that the stroke covers, across it, at its ends and between its dashes. Premultiplied.

uniform float u_scale;
uniform vec4 u_pattern;  // points: hatch period, hatch width, dash on, dash off

in float v_across, v_along;
in vec2 v_beyond;
flat in float v_half_width, v_dashed;
flat in vec4 v_color;

out vec4 out_color;

float dash_coverage(float along) {
    float on = u_pattern.z * u_scale, period = on + u_pattern.w * u_scale;
    float t = mod(along, period);
    float inside = t < on ? min(t, on - t) : -min(t - on, period - t);
    return clamp(inside + 0.5, 0.0, 1.0);
}

void main() {
    float coverage = clamp(min(v_across + 0.5, v_half_width) - max(v_across - 0.5, -v_half_width), 0.0, 1.0);
    coverage *= clamp(0.5 - max(v_beyond.x, v_beyond.y), 0.0, 1.0);
    if (v_dashed > 0.5) coverage *= dash_coverage(v_along);
    float alpha = v_color.a * coverage;
    out_color = vec4(v_color.rgb * alpha, alpha);
}
