#include "execute/emulator/cross_lane.h"

#include <algorithm>
#include <array>

namespace lanescope::execute {

namespace {

/// The lane that `lane` reads from, and whether it lies in its segment (PTX ISA 9.7.9.6).
struct Source {
    unsigned lane;
    bool in_segment;
};
Source source_of(ptx::Shuffle mode, unsigned lane, std::uint32_t b, std::uint32_t c) {
    const auto distance = static_cast<int>(b & 31U);
    const std::uint32_t segment = (c >> 8) & 31U;
    const std::uint32_t clamp = c & 31U;
    const auto last = static_cast<int>((lane & segment) | (clamp & ~segment & 31U));
    const auto first = static_cast<int>(lane & segment);
    const auto own = static_cast<int>(lane);
    const auto source = [&] {
        switch (mode) {
            case ptx::Shuffle::up: return own - distance;
            case ptx::Shuffle::down: return own + distance;
            case ptx::Shuffle::bfly: return own ^ distance;
            default: return first | (distance & ~static_cast<int>(segment));
        }
    };
    const int from = source();
    const bool inside = mode == ptx::Shuffle::up ? from >= last : from <= last;
    return {static_cast<unsigned>(inside ? from : own), inside};
}

void set_bits(Warp& warp, std::uint32_t slot, LaneMask lanes, std::uint32_t bits) {
    std::uint32_t& word = warp.word(slot);
    word = (word & ~lanes.bits()) | (bits & lanes.bits());
}

void fill(Warp& warp, const Destination& destination, LaneMask lanes, std::uint32_t value) {
    for (const unsigned lane : lanes) warp.narrow(destination.slot)[lane] = value;
}

}  // namespace

void CrossLane::shuffle(const WarpStep& step) const {
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    const auto destinations = code_.destinations_of(micro);
    std::array<std::uint32_t, 32> values;
    std::copy_n(warp.narrow(micro.operands[0].slot), 32, values.begin());
    const std::uint32_t input_dependent = warp.word(micro.operands[0].input_dependent);
    const std::uint32_t* b = warp.narrow(micro.operands[1].slot);
    const std::uint32_t* c = warp.narrow(micro.operands[2].slot);

    const std::uint32_t* masks = warp.narrow(micro.operands[micro.mask_operand].slot);
    std::array<std::uint32_t, 32> sources{};
    std::array<std::uint32_t, 32> results{};
    std::uint32_t inside = 0;
    std::uint32_t result_dependent = 0;
    for (const unsigned lane : executed) {
        const Source source = source_of(micro.instruction->modifiers.shuffle, lane, b[lane], c[lane]);
        sources[lane] = source.lane;
        results[lane] = values[source.lane];
        inside |= (source.in_segment ? 1U : 0U) << lane;
        result_dependent |= ((input_dependent >> source.lane) & 1U) << lane;
        if (!executed.has(source.lane) || !LaneMask(masks[lane] | 1U << lane).has(source.lane)) {
            launch_.faults.shuffle_from_inactive(step, lane, source.lane);
            results[lane] = values[lane];
        }
    }
    sync_.for_each_group(step, [](LaneMask) {});
    for (const Destination& destination : destinations) {
        if (destination.row == Row::predicate) {
            set_bits(warp, destination.slot, executed, inside);
            continue;
        }
        for (const unsigned lane : executed) warp.narrow(destination.slot)[lane] = results[lane];
        set_bits(warp, destination.input_dependent, executed, result_dependent);
    }
    recorder_.shuffle(executed, sources);
    recorder_.writes(step);
}

void CrossLane::active_mask(const WarpStep& step) const {
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    fill(warp, code_.destinations_of(micro).front(), executed, executed.bits());
    recorder_.writes(step);
}

/// vote.sync, over the lanes that execute it with the same mask.
void CrossLane::vote(const WarpStep& step) const {
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const Destination& destination = code_.destinations_of(micro).front();
    const LaneMask holds(warp.word(micro.operands[0].slot) ^ micro.operands[0].invert);
    const auto everywhere = [](bool result) { return result ? ~0U : 0U; };
    sync_.for_each_group(step, [&](LaneMask group) {
        const LaneMask yes = holds & group;
        const bool all = yes == group;
        switch (micro.instruction->modifiers.vote) {
            case ptx::Vote::all: set_bits(warp, destination.slot, group, everywhere(all)); break;
            case ptx::Vote::any: set_bits(warp, destination.slot, group, everywhere(yes.any())); break;
            case ptx::Vote::uni: set_bits(warp, destination.slot, group, everywhere(all || yes.none())); break;
            default: fill(warp, destination, group, yes.bits()); break;
        }
    });
    recorder_.writes(step);
}

void CrossLane::match(const WarpStep& step) const {
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    const Value& value = micro.operands[0];
    std::array<std::uint64_t, 32> values{};
    for (const unsigned lane : executed) {
        values[lane] = value.row == Row::wide ? warp.wide(value.slot)[lane] : warp.narrow(value.slot)[lane];
    }
    const bool asks_all = micro.instruction->modifiers.vote == ptx::Vote::all;
    sync_.for_each_group(step, [&](LaneMask group) {
        std::array<std::uint32_t, 32> equal{};
        for (const unsigned lane : group) {
            for (const unsigned other : group) {
                if (values[lane] == values[other]) equal[lane] |= 1U << other;
            }
        }
        const bool all = equal[group.lowest()] == group.bits();
        for (const Destination& destination : code_.destinations_of(micro)) {
            if (destination.row == Row::predicate) {
                set_bits(warp, destination.slot, group, all ? ~0U : 0U);
                continue;
            }
            for (const unsigned lane : group) {
                warp.narrow(destination.slot)[lane] = !asks_all ? equal[lane] : all ? group.bits() : 0U;
            }
        }
    });
    recorder_.writes(step);
}

/// redux.sync: one value of k values that depend on input data, with k - 1 operations.
void CrossLane::reduce(const WarpStep& step) const {
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const ptx::Modifiers& modifiers = micro.instruction->modifiers;
    const bool is_signed = ptx::is_signed(modifiers.type);
    const auto combine = [&](std::uint32_t a, std::uint32_t b) -> std::uint32_t {
        const bool less = is_signed ? static_cast<std::int32_t>(b) < static_cast<std::int32_t>(a) : b < a;
        switch (modifiers.atomic) {
            case ptx::Atomic::add: return a + b;
            case ptx::Atomic::min: return less ? b : a;
            case ptx::Atomic::max: return less ? a : b;
            case ptx::Atomic::and_: return a & b;
            case ptx::Atomic::or_: return a | b;
            default: return a ^ b;
        }
    };
    std::array<std::uint32_t, 32> values;
    std::copy_n(warp.narrow(micro.operands[0].slot), 32, values.begin());
    const LaneMask input_dependent(warp.word(micro.operands[0].input_dependent));
    const Destination& destination = code_.destinations_of(micro).front();
    sync_.for_each_group(step, [&](LaneMask group) {
        std::uint32_t result = values[group.lowest()];
        for (const unsigned lane : group & ~LaneMask::only(group.lowest())) result = combine(result, values[lane]);
        fill(warp, destination, group, result);
        const LaneMask from_input = input_dependent & group;
        set_bits(warp, destination.input_dependent, group, from_input.any() ? ~0U : 0U);
        if (micro.combines && from_input.any()) warp.counts->operations += from_input.count() - 1U;
    });
    recorder_.writes(step);
}

}  // namespace lanescope::execute
