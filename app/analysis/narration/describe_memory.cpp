#include "analysis/narration/narrator.h"

#include "analysis/source/element_type.h"
#include "base/grouped.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;
using trace::Space;

std::string place_of(const Narrator& t, const Effect& access, unsigned element = 0) {
    const std::uint64_t address = t.trace.address(access, t.lane) + std::uint64_t{element} * access.bytes;
    return memory_name(t.trace, t.module, t.step.launch, access.space, address, access.bytes);
}

/// The place that a wide access of the lane accesses: "v[3]" where that is one element of the source, otherwise its
/// first.
std::string whole_place(const Narrator& t, const Effect& access) {
    const std::string first = place_of(t, access);
    const std::string whole = memory_name(t.trace, t.module, t.step.launch, access.space,
                                          t.trace.address(access, t.lane), unsigned{access.bytes} * access.elements);
    return first.size() > whole.size() && first.starts_with(whole) ? whole : first;
}

/// The first effect of that kind in which the lane takes part: an access may span several memories.
const Effect* access_of(const Narrator& t, EffectKind kind) {
    for (const Effect& effect : t.trace.effects(t.step)) {
        if (effect.kind == kind && effect.lanes.has(t.lane)) return &effect;
    }
    return nullptr;
}

std::string describe_parameter(const Narrator& t) {
    const trace::Argument* const argument = t.formulas.argument_at(t.index);
    const std::string subject = t.group_named(t.step.executed);
    const std::string fetch = verb(t.step.executed.count(), "fetch");
    if (argument == nullptr) return fmt::format("{} {} a parameter", subject, fetch);
    if (argument->buffer) return fmt::format("{} {} the address of {}", subject, fetch, argument->name);
    const ValueId value = t.provenance.written_by(t.id, t.lane);
    return fmt::format("{} {} the argument {} = {}", subject, fetch, argument->name,
                       value.valid() ? t.number(value) : "?");
}

/// " from global memory", or the surface that the access is made through.
std::string memory_of(const Narrator& t, const Effect& access, const char* preposition) {
    if (t.instruction().modifiers.dimensions > 0) return " through a surface";
    if (access.space != Space::global) return "";
    const bool constant = is_constant(t.trace, t.module, t.trace.address(access, t.lane));
    return fmt::format(" {} {} memory", preposition, constant ? "constant" : "global");
}

/// A texture's result is computed from the texels that its filter reads; none of them is at the border.
std::string describe_fetch(const Narrator& t) {
    constexpr std::size_t most_named = 4;
    const ValueId value = t.provenance.written_by(t.id, t.lane);
    std::vector<std::string> texels;
    for (const Effect& effect : t.trace.effects(t.step)) {
        if (effect.kind != EffectKind::load || !effect.lanes.has(t.lane)) continue;
        const std::string name = effect.elements > 1 ? whole_place(t, effect) : place_of(t, effect);
        const auto parents = value.valid() ? t.provenance.parents(value) : std::span<const ValueId>();
        const std::uint64_t bits = t.trace.after(effect, t.lane);
        const trace::Element element = parents.empty() || effect.elements > 1
                                           ? integer_of(effect.bytes)
                                           : element_of(t.trace, t.provenance, parents.front());
        texels.push_back(effect.elements > 1 ? name : fmt::format("{} = {}", name, trace::text_of(element, bits)));
    }
    const std::string fetches =
        fmt::format("{} fetches {} from a texture", t.actor(), value.valid() ? t.number(value) : "texels");
    if (texels.empty()) return fetches + ", outside of its texels";
    const std::size_t left_out = texels.size() > most_named ? texels.size() - most_named : 0;
    texels.resize(texels.size() - left_out);
    if (left_out > 0) texels.push_back(counted(left_out, "texel") + " more");
    return fmt::format("{}, which reads {}", fetches, listed(texels));
}

std::string describe_load(const Narrator& t) {
    const Effect* const load = access_of(t, EffectKind::load);
    if (t.instruction().action() == ptx::Action::texture_fetch) return describe_fetch(t);
    if (load == nullptr || t.formulas.argument_at(t.index) != nullptr) return describe_parameter(t);
    const ValueId value = t.provenance.written_by(t.id, t.lane);
    if (t.line->passed != InstructionInfo::none && value.valid()) {
        return t.instruction().operands[t.instruction().destination_count].owner == ptx::Operand::Owner::function
                   ? fmt::format("{} receives the return value {}", t.actor(), t.number(value))
                   : fmt::format("{} receives {} as an argument", t.actor(), t.described(value));
    }
    std::string read = place_of(t, *load);
    std::string what = value.valid() ? t.number(value) : "?";
    if (load->elements > 1) {
        const std::string whole = whole_place(t, *load);
        read = whole == read ? read + " to " + place_of(t, *load, load->elements - 1U) : whole;
        what.clear();
        for (unsigned e = 0; e < load->elements; ++e) {
            const trace::Element element =
                value.valid() ? element_of(t.trace, t.provenance, value) : integer_of(load->bytes);
            what += (e > 0 ? ", " : "") + trace::text_of(element, t.trace.after(*load, t.lane, e));
        }
    }
    const std::string from = memory_of(t, *load, "from");
    const auto parents = value.valid() ? t.provenance.parents(value) : std::span<const ValueId>();
    const std::string host = parents.empty() ? "" : host_words(t.provenance, parents.front());
    return fmt::format("{} reads {} = {}{}{}", t.actor(), read, what, from,
                       host.empty() ? "" : ", which the host wrote " + host);
}

std::string describe_store(const Narrator& t) {
    const Effect* const store = access_of(t, EffectKind::store);
    const ValueId value = t.provenance.written_by(t.id, t.lane);
    if (store == nullptr || !value.valid()) return fmt::format("{} stores", t.actor());
    if (t.line->passed != InstructionInfo::none) {
        const bool returns = t.instruction().operands[0].owner == ptx::Operand::Owner::result;
        if (returns) return fmt::format("{} returns {}", t.actor(), t.described(value));
        // The stores of a call's arguments stand before it (PTX ISA 7.1).
        const auto& instructions = t.line->function->instructions;
        const auto call =
            std::find_if(instructions.begin() + (&t.instruction() - instructions.data()), instructions.end(),
                         [](const ptx::Instruction& each) { return each.action() == ptx::Action::call; });
        return fmt::format("{} {} {}{}", t.actor(), "passes", t.described(value),
                           call == instructions.end() ? "" : " to " + t.callee_of(*call));
    }
    const std::string to = place_of(t, *store);
    const auto origin = origin_of(t.trace, t.module, t.provenance, t.step.launch, value);
    const std::string where = memory_of(t, *store, "in");
    if (store->elements > 1) {
        const std::string whole = whole_place(t, *store);
        return fmt::format("{} writes {} {} {}{}", t.actor(), counted(unsigned{store->elements}, "value"),
                           whole == to ? "starting at" : "to", whole, where);
    }
    if (origin) return fmt::format("{} copies {} = {} to {}{}", t.actor(), *origin, t.number(value), to, where);
    const trace::Element element = element_of(t.trace, t.provenance, value);
    const std::uint64_t before = t.trace.before(*store, t.lane);
    const bool changed =
        before != t.trace.after(*store, t.lane) && store->space == Space::shared &&
        t.provenance
            .memory_at(store->space, t.passes.launch, t.passes.block, t.trace.address(*store, t.lane), t.id.index())
            .valid();
    const std::string instead = changed ? fmt::format(", replacing {}", trace::text_of(element, before)) : "";
    return fmt::format("{} writes {} to {}{}{}", t.actor(), t.number(value), to, where, instead);
}

std::string describe_atomic(const Narrator& t) {
    const Effect* const atomic = access_of(t, EffectKind::atomic);
    const ValueId value = t.provenance.written_by(t.id, t.lane);
    if (atomic == nullptr || !value.valid()) return fmt::format("{} updates memory atomically", t.actor());
    const trace::Element element = element_of(t.trace, t.provenance, value);
    const std::string old = trace::text_of(element, t.trace.before(*atomic, t.lane));
    const std::string now = trace::text_of(element, t.trace.after(*atomic, t.lane));
    const std::string place = place_of(t, *atomic);
    const auto data = t.provenance.instructions().data(*t.line);
    const ptx::Operand& last = t.instruction().operands[t.instruction().operand_count - 1U];
    std::string operand =
        last.kind == ptx::Operand::Kind::immediate ? trace::text_of(element, last.immediate) : "a value";
    if (!data.empty() && data.back().valid()) {
        if (const ValueId held = t.held(data.back()); held.valid()) operand = t.described(held);
    }
    switch (t.instruction().modifiers.atomic) {
        case ptx::Atomic::add:
            return fmt::format("{} atomically adds {} to {}: {} becomes {}", t.actor(), operand, place, old, now);
        case ptx::Atomic::exch:
            return fmt::format("{} atomically exchanges {} = {} for {}", t.actor(), place, old, operand);
        case ptx::Atomic::cas:
            return old == now
                       ? fmt::format("{} atomically compares and swaps {}: it stays {}", t.actor(), place, old)
                       : fmt::format("{} atomically compares and swaps {}: {} becomes {}", t.actor(), place, old, now);
        default:
            return fmt::format("{} atomically updates {} with {}: {} becomes {}", t.actor(), place, operand, old, now);
    }
}

}  // namespace

std::string describe_memory(const Narrator& narrator) {
    switch (narrator.line->flow) {
        case Flow::load: return describe_load(narrator);
        case Flow::store: return describe_store(narrator);
        default: return describe_atomic(narrator);
    }
}

}  // namespace lanescope::analysis
