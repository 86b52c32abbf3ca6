#include "analysis/dataflow/step_reads.h"

#include <algorithm>
#include <utility>

namespace lanescope::analysis {

using trace::Effect;
using trace::EffectKind;

void StepReads::read(FlowStep& step, std::span<const Effect> effects) {
    read_.clear();
    const Flow flow = step.line->flow;
    if (flow == Flow::load || flow == Flow::atomic || flow == Flow::copy) reads_.fill({});
    if (flow == Flow::copy) read_copied(step, effects);
    for (const Effect& effect : effects) {
        if ((effect.kind == EffectKind::load && flow != Flow::copy) || effect.kind == EffectKind::atomic)
            read_access(step, effect);
    }
}

void StepReads::read_access(FlowStep& step, const Effect& access) {
    for (unsigned e = 0; e < std::min<unsigned>(access.elements, max_elements); ++e) {
        for (const unsigned lane : access.lanes) {
            Found& found = reads_[e * warp_size + lane];
            // A texture's filter reads several texels: they add up.
            const Found before = std::exchange(found, {static_cast<std::uint32_t>(read_.size()), 0});
            for (std::uint32_t i = 0; i < before.count; ++i) read_.emplace_back(read_[before.first + i].value);
            const MemoryPlace place = memory_.place_of(step, access, trace_.address(access, lane), e, lane);
            step.loaded_from = place.memory;
            memory_.collect(place, access.space, access.bytes, read_);
            found.count = static_cast<std::uint32_t>(read_.size()) - found.first;
        }
    }
}

/// A lane of a copy may read fewer bytes than it stores, in several loads from its first address on.
void StepReads::read_copied(const FlowStep& step, std::span<const Effect> effects) {
    const auto stored = std::ranges::find(effects, EffectKind::store, &Effect::kind);
    if (stored == effects.end()) return;
    for (const unsigned lane : stored->lanes) {
        std::uint64_t begin = ~std::uint64_t{0};
        const auto loads = [&](auto visit) {
            for (const Effect& effect : effects) {
                if (effect.kind == EffectKind::load && effect.lanes.has(lane)) visit(effect);
            }
        };
        loads([&](const Effect& load) { begin = std::min(begin, trace_.address(load, lane)); });
        for (unsigned e = 0; e < std::min<unsigned>(stored->elements, max_elements); ++e) {
            Found& found = reads_[e * warp_size + lane];
            found.first = static_cast<std::uint32_t>(read_.size());
            loads([&](const Effect& load) {
                const std::uint64_t address = trace_.address(load, lane);
                for (unsigned part = 0; part < load.elements; ++part) {
                    if ((address - begin + std::uint64_t{part} * load.bytes) / stored->bytes == e)
                        memory_.collect(memory_.place_of(step, load, address, part, lane), load.space, load.bytes,
                                        read_);
                }
            });
            found.count = static_cast<std::uint32_t>(read_.size()) - found.first;
        }
    }
}

void StepReads::read_again(const MemoryPlace& place, const Effect& atomic, unsigned lane) {
    Found& found = reads_[lane];
    found.first = static_cast<std::uint32_t>(read_.size());
    memory_.collect(place, atomic.space, atomic.bytes, read_);
    found.count = static_cast<std::uint32_t>(read_.size()) - found.first;
}

}  // namespace lanescope::analysis
