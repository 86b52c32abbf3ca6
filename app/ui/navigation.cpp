#include "ui/navigation.h"

#include <algorithm>
#include <cmath>

namespace lanescope::ui {

Navigation::Navigation(const analysis::BlockView& block, const analysis::SourceMap& map, WarpId followed)
    : trace_(&block.trace),
      module_(&block.module),
      provenance_(&block.provenance),
      passes_(&block.passes),
      map_(&map),
      followed_(followed),
      end_(block.passes.steps.size()),
      stops_(analysis::warp_stops(block, map, followed)) {}

const std::vector<std::size_t>& Navigation::stops(Unit unit) const {
    switch (unit) {
        case Unit::instruction: return stops_.instructions;
        case Unit::event: return stops_.events;
        case Unit::line: return stops_.lines;
        case Unit::pass: break;
    }
    return stops_.passes;
}

std::optional<Navigation::Ordinal> Navigation::ordinal(Unit unit) const {
    if (passes_ == nullptr || position_ >= end_) return std::nullopt;
    const std::vector<std::size_t>& all = stops(unit);
    const auto here = std::ranges::lower_bound(all, position_);
    if (here == all.end() || *here != position_) return std::nullopt;
    const analysis::Pass& pass = passes_->passes[passes_->pass_of(position_).index()];
    const auto first = std::ranges::lower_bound(all, pass.first);
    const auto past_last = std::ranges::lower_bound(all, pass.past_last);
    return Ordinal{static_cast<std::size_t>(here - first) + 1, static_cast<std::size_t>(past_last - first)};
}

bool Navigation::move(Unit unit, bool forwards) {
    if (!trail_.empty() && trail_.back().unit != unit) trail_.clear();
    if (!trail_.empty() && trail_.back().forwards != forwards) {
        position_ = trail_.back().from;
        trail_.pop_back();
        return true;
    }
    const std::vector<std::size_t>& all = stops(unit);
    std::size_t target = 0;
    if (forwards) {
        const auto next = std::ranges::upper_bound(all, position_);
        if (next == all.end()) return false;
        target = *next;
    } else {
        const auto here = std::ranges::lower_bound(all, position_);
        if (here == all.begin()) return false;
        target = *std::prev(here);
    }
    trail_.push_back({unit, forwards, position_});
    position_ = target;
    return true;
}

bool Navigation::forward(Unit unit) { return move(unit, true); }
bool Navigation::back(Unit unit) { return move(unit, false); }

void Navigation::seek(std::size_t position) {
    trail_.clear();
    position_ = std::min(position, end_);
}

void Navigation::seek_near(std::size_t position) {
    seek(*std::prev(std::ranges::upper_bound(stops_.instructions, std::min(position, end_))));
}

void Navigation::seek_pass(std::size_t pass) { seek(stops_.passes[std::min(pass, stops_.passes.size() - 1)]); }

void Navigation::follow(WarpId warp) {
    if (warp == followed_ || passes_ == nullptr) return;
    followed_ = warp;
    trail_.clear();
    stops_ = analysis::warp_stops({*trace_, *module_, *provenance_, *passes_}, *map_, warp);
}

Place Navigation::place() const {
    Place place;
    if (passes_ == nullptr || passes_->passes.empty()) return place;
    place.at_end = position_ >= end_;
    place.pass = passes_->pass_of(position_).index();
    const analysis::Pass& pass = passes_->passes[place.pass];
    place.label = pass.label;
    if (pass.past_last > pass.first && position_ > pass.first) {
        place.fraction = static_cast<double>(position_ - pass.first) / static_cast<double>(pass.past_last - pass.first);
    }
    return place;
}

void Navigation::seek(const Place& place) {
    if (passes_ == nullptr || passes_->passes.empty()) return;
    if (place.at_end) return seek(end_);
    // The nearest pass of the same name, where there is one ("s = 4" comes third in one kernel, sixth in
    // another, and twice in a scan of two sweeps).
    const std::vector<analysis::Pass>& passes = passes_->passes;
    const std::optional<std::size_t> named = passes_->named(place.label, place.pass);
    const std::size_t index = named.value_or(std::min(place.pass, passes.size() - 1));
    const analysis::Pass& pass = passes[index];
    const double steps = static_cast<double>(pass.past_last - pass.first) * std::clamp(place.fraction, 0.0, 1.0);
    const auto into = static_cast<std::size_t>(std::llround(steps));
    if (into == 0 || pass.past_last <= pass.first) return seek_pass(index);
    seek_near(std::min(pass.first + into, pass.past_last - 1));
}

}  // namespace lanescope::ui
