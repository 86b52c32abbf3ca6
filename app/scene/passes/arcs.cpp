#include "scene/passes/arcs.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace lanescope::scene {

Curve fall(float x0, float y0, float x1, float y1) {
    if (x0 == x1) return line(x0, y0, x1, y1, {});
    Curve c;
    const float bend = (y1 - y0) * 0.55F;
    c.x0 = x0, c.y0 = y0;
    c.x1 = x0, c.y1 = y0 + bend;
    c.x2 = x1, c.y2 = y1 - bend;
    c.x3 = x1, c.y3 = y1;
    return c;
}

Curve sweep(float x0, float y0, const Circle& circle, int rank) {
    // The end of the arc on the circle, as the sine of the angle above the horizontal. (No sines computed: a picture
    // must be the same on every machine.)
    constexpr float rises[] = {0.5F, 0.25F, 0.08F, 0.0F};
    const float rise = rises[std::min(rank, static_cast<int>(std::size(rises)) - 1)];
    const float out = std::sqrt(1 - rise * rise) * (x0 < circle.x ? -1.0F : 1.0F);
    Curve c;
    c.x0 = x0, c.y0 = y0;
    c.x3 = circle.x + out * circle.radius, c.y3 = circle.y - rise * circle.radius;
    const float dy = c.y3 - y0;
    c.x1 = x0, c.y1 = y0 + dy * 0.85F;
    c.x2 = c.x3 + out * std::abs(c.x3 - x0) * 0.6F, c.y2 = c.y3 - dy * 0.16F;
    return c;
}

Curve hop(const Circle& from, const Circle& to, float top) {
    constexpr float diagonal = 0.7F;  // leaves and arrives at 45 degrees
    const float side = from.x < to.x ? 1.0F : -1.0F;
    const float reach = std::abs(to.x - from.x);
    const float crest = std::max(from.y - from.radius - 4 - reach * 0.12F, std::min(top, from.y - from.radius));
    Curve c;
    c.x0 = from.x + side * from.radius * diagonal, c.y0 = from.y - from.radius * diagonal;
    c.x3 = to.x - side * to.radius * diagonal, c.y3 = to.y - to.radius * diagonal;
    c.x1 = c.x0 + side * reach * 0.2F, c.y1 = crest;
    c.x2 = c.x3 - side * reach * 0.2F, c.y2 = crest;
    return c;
}

}  // namespace lanescope::scene
