#include "scene/passes/runs.h"

#include <algorithm>
#include <cmath>

namespace lanescope::scene {
namespace {

constexpr float touching = 7;  // largest gap between two cells that touch, points

bool equal(float a, float b) { return std::abs(a - b) < 0.5F; }

bool touch(float end, float begin) { return begin > end - 1 && begin - end < touching; }

}  // namespace

std::vector<Box> runs_of(std::span<const Box> cells) {
    std::vector<Box> lines;
    for (const Box& cell : cells) {
        if (!lines.empty() && equal(lines.back().y, cell.y) && touch(lines.back().right(), cell.x))
            lines.back().width = cell.right() - lines.back().x;
        else
            lines.push_back(cell);
    }
    std::vector<Box> runs;
    for (const Box& line : lines) {
        const auto above = std::ranges::find_if(runs, [&](const Box& run) {
            return equal(run.x, line.x) && equal(run.right(), line.right()) && touch(run.bottom(), line.y);
        });
        if (above != runs.end())
            above->height = line.bottom() - above->y;
        else
            runs.push_back(line);
    }
    return runs;
}

}  // namespace lanescope::scene
