#include "ui/breakpoints.h"

#include "base/text.h"
#include "ui/shown.h"

#include <algorithm>
#include <cstdlib>
#include <span>

namespace lanescope::ui {

namespace {

/// The line of those words that is nearest to `line`; 0: none.
std::uint32_t line_of(std::span<const std::string_view> lines, std::uint32_t line, std::string_view words) {
    std::uint32_t found = 0;
    const auto away = [&](std::uint32_t other) { return other < line ? line - other : other - line; };
    for (std::size_t index = 0; index < lines.size(); ++index) {
        const auto number = static_cast<std::uint32_t>(index + 1);
        if (trimmed(lines[index]) == words && (found == 0 || away(number) < away(found))) found = number;
    }
    return found;
}

}  // namespace

void Breakpoints::follow(const Shown& shown, const std::vector<Breakpoint>& kept) {
    if (followed_ == shown.id && kept_ == kept) return;
    followed_ = shown.id;
    kept_ = kept;
    placed_.clear();
    maps_.clear();
    table_.reset();
    const std::vector<trace::SourceText>& others = shown.trace().origin.other_sources;
    for (std::size_t index = 0; index < kept_.size(); ++index) {
        const Breakpoint& breakpoint = kept_[index];
        const analysis::SourceMap* map = shown.map.get();
        if (!breakpoint.ptx && !breakpoint.file.empty()) {
            const auto other = std::ranges::find(others, breakpoint.file, &trace::SourceText::name);
            if (other == others.end()) continue;
            std::unique_ptr<analysis::SourceMap>& made = maps_[breakpoint.file];
            if (!made)
                made = std::make_unique<analysis::SourceMap>(shown.run->analysis->trace, shown.module(),
                                                             static_cast<std::size_t>(other - others.begin()) + 1);
            map = made.get();
        }
        Placed placed{.kept = index, .condition = {}, .problem = {}};
        placed.line = line_of(breakpoint.ptx ? map->ptx() : map->cuda(), breakpoint.line, breakpoint.text);
        if (placed.line == 0) continue;
        if (auto condition = analysis::read_condition(breakpoint.condition)) {
            if (const auto known = analysis::check_names(*condition, shown.module()); !known)
                placed.problem = known.error().message();
            placed.condition = *std::move(condition);
        } else {
            placed.problem = condition.error().message();
        }
        placed_.push_back(std::move(placed));
    }
    visits_ = visits_of(shown, shown.launch, shown.block);
    for (const analysis::LineVisit& visit : visits_) ++placed_[visit.line].visits;
}

const Breakpoints::Placed* Breakpoints::at(bool ptx, std::string_view file, std::uint32_t line) const {
    const auto found = std::ranges::find_if(placed_, [&](const Placed& placed) {
        const Breakpoint& breakpoint = kept_[placed.kept];
        return placed.line == line && breakpoint.ptx == ptx && (ptx || breakpoint.file == file);
    });
    return found == placed_.end() ? nullptr : &*found;
}

std::vector<analysis::LineVisit> Breakpoints::visits_of(const Shown& shown, std::uint32_t launch, BlockId block) const {
    if (placed_.empty()) return {};
    std::vector<analysis::WatchedLine> lines;
    for (const Placed& placed : placed_) {
        const Breakpoint& breakpoint = kept_[placed.kept];
        const analysis::SourceMap* const map = breakpoint.ptx            ? nullptr
                                               : breakpoint.file.empty() ? shown.map.get()
                                                                         : maps_.find(breakpoint.file)->second.get();
        lines.push_back({map, placed.line});
    }
    return analysis::line_visits(shown.analysis().view(launch, block), lines);
}

std::optional<Breakpoints::Stop> Breakpoints::stop_at(const Shown& shown, std::uint32_t launch, BlockId block,
                                                      const analysis::LineVisit& visit) {
    const Placed& placed = placed_[visit.line];
    if (!placed.problem.empty()) return std::nullopt;
    const StepId id = shown.analysis().block_passes(launch, block).steps[visit.position];
    const trace::Step& step = shown.trace().step(id);
    Stop stop{.launch = launch,
              .position = visit.position,
              .warp = step.warp,
              .lane = {},
              .line = placed.line,
              .ptx = kept_[placed.kept].ptx};
    if (placed.condition.all.empty()) return stop;
    if (!table_ || table_launch_ != launch)
        table_ = std::make_unique<analysis::MemoryTable>(shown.run->analysis, launch, block);
    table_launch_ = launch;
    for (const unsigned lane : step.active) {
        if (analysis::holds(placed.condition, *table_, visit.position, lane) != analysis::Holds::yes) continue;
        stop.lane = lane;
        return stop;
    }
    return std::nullopt;
}

std::optional<Breakpoints::Stop> Breakpoints::find(const Shown& shown, std::size_t from, std::size_t past_last,
                                                   bool forwards) {
    const auto first = std::ranges::lower_bound(visits_, from, {}, &analysis::LineVisit::position);
    const auto last = std::ranges::lower_bound(visits_, past_last, {}, &analysis::LineVisit::position);
    const auto count = last - first;
    for (std::ptrdiff_t at = 0; at < count; ++at) {
        const auto& visit = *(forwards ? first + at : last - 1 - at);
        if (auto stop = stop_at(shown, shown.launch, shown.block, visit)) return stop;
    }
    return std::nullopt;
}

std::optional<Breakpoints::Stop> Breakpoints::find_in_launch(const Shown& shown, std::uint32_t launch, BlockId block,
                                                             bool forwards) {
    std::vector<analysis::LineVisit> visits = visits_of(shown, launch, block);
    if (!forwards) std::ranges::reverse(visits);
    for (const auto& visit : visits)
        if (auto stop = stop_at(shown, launch, block, visit)) return stop;
    return std::nullopt;
}

}  // namespace lanescope::ui
