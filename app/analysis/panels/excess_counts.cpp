#include "analysis/panels/excess_counts.h"

#include "analysis/costs.h"

#include <algorithm>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;
using trace::Space;

Excess excess_of(const trace::Trace& trace, const Effect& effect, const InstructionInfo* line) {
    const std::optional<AccessNeed> need = access_need(trace, effect, line);
    if (!need || !need->least) return {};
    const std::uint64_t excess = need->used - *need->least;
    return effect.space == Space::shared ? Excess{.wavefronts = excess} : Excess{.sectors = excess};
}

}  // namespace

std::size_t least_wavefronts(model::Access access, unsigned bytes, LaneMask lanes, const model::BankModel& banks) {
    model::Addresses beside{};
    for (unsigned lane = 0; lane < beside.size(); ++lane) beside[lane] = std::uint64_t{lane} * bytes;
    return std::max<std::size_t>(model::shared_wavefronts(access, bytes, beside, lanes, banks), 1);
}

SectorNeed sector_need(const trace::Trace& trace, const Effect& effect, const InstructionInfo* line) {
    const bool reads_or_writes = effect.kind == EffectKind::load || effect.kind == EffectKind::store;
    if (!reads_or_writes || effect.space != Space::global || !has_known_sectors(line)) return {};
    const unsigned bytes = bytes_per_lane(effect);
    const model::Addresses addresses = addresses_of(trace, effect);
    const LaneMask pieces = model::without_repeated(addresses, bytes, effect.lanes);
    return {.sectors = model::global_sectors(access_of(effect, line), bytes, addresses, effect.lanes),
            .least = (std::uint64_t{pieces.count()} * bytes + model::sector_bytes - 1) / model::sector_bytes};
}

std::optional<AccessNeed> access_need(const trace::Trace& trace, const Effect& effect, const InstructionInfo* line) {
    if (!is_access(effect.kind) || effect.lanes.none()) return std::nullopt;
    const model::Access access = access_of(effect, line);
    const unsigned bytes = bytes_per_lane(effect);
    if (effect.space == Space::shared) {
        const model::BankModel banks = banks_of(trace);
        const std::uint64_t used =
            model::shared_wavefronts(access, bytes, addresses_of(trace, effect), effect.lanes, banks);
        return AccessNeed{used, std::min<std::uint64_t>(used, least_wavefronts(access, bytes, effect.lanes, banks))};
    }
    if (effect.space != Space::global || !has_known_sectors(line)) return std::nullopt;
    if (effect.kind == EffectKind::atomic)
        return AccessNeed{model::global_sectors(access, bytes, addresses_of(trace, effect), effect.lanes), {}};
    const SectorNeed need = sector_need(trace, effect, line);
    return AccessNeed{need.sectors, std::min(need.sectors, need.least)};
}

ExcessCounts::ExcessCounts(const BlockView& block) : before_(1) {
    before_.reserve(block.passes.steps.size() + 1);
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        Excess sum = before_.back();
        for (const Effect& effect : block.trace.effects(block.step_at(index))) {
            const Excess own = excess_of(block.trace, effect, block.instruction_at(index));
            sum.wavefronts += own.wavefronts;
            sum.sectors += own.sectors;
        }
        before_.push_back(sum);
    }
}

Excess ExcessCounts::of(std::size_t first, std::size_t past_last) const {
    const Excess& from = before_[std::min(first, before_.size() - 1)];
    const Excess& to = before_[std::min(past_last, before_.size() - 1)];
    return {.wavefronts = to.wavefronts - from.wavefronts, .sectors = to.sectors - from.sectors};
}

}  // namespace lanescope::analysis
