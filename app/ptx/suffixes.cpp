#include "ptx/suffixes.h"

#include <array>

namespace lanescope::ptx {
namespace {

struct Meaning {
    std::string_view word;
    Field field;
    std::uint8_t value = 1;
};

template <class Enum>
constexpr Meaning meaning(std::string_view word, Field field, Enum value) {
    return {word, field, static_cast<std::uint8_t>(value)};
}

constexpr std::array meanings{
    meaning("param", Field::space, Space::param),
    meaning("param::entry", Field::space, Space::param),
    meaning("param::func", Field::space, Space::param),
    meaning("local", Field::space, Space::local),
    meaning("shared", Field::space, Space::shared),
    meaning("shared::cta", Field::space, Space::shared),
    meaning("shared::cluster", Field::space, Space::shared),  // without clusters the same
    meaning("global", Field::space, Space::global),
    meaning("const", Field::space, Space::constant),
    meaning("rn", Field::rounding, Rounding::rn),
    meaning("rz", Field::rounding, Rounding::rz),
    meaning("rm", Field::rounding, Rounding::rm),
    meaning("rp", Field::rounding, Rounding::rp),
    meaning("rni", Field::rounding, Rounding::rni),
    meaning("rzi", Field::rounding, Rounding::rzi),
    meaning("rmi", Field::rounding, Rounding::rmi),
    meaning("rpi", Field::rounding, Rounding::rpi),
    meaning("eq", Field::compare, Compare::eq),
    meaning("ne", Field::compare, Compare::ne),
    meaning("lt", Field::compare, Compare::lt),
    meaning("le", Field::compare, Compare::le),
    meaning("gt", Field::compare, Compare::gt),
    meaning("ge", Field::compare, Compare::ge),
    meaning("lo", Field::compare, Compare::lo),
    meaning("ls", Field::compare, Compare::ls),
    meaning("hi", Field::compare, Compare::hi),
    meaning("hs", Field::compare, Compare::hs),
    meaning("equ", Field::compare, Compare::equ),
    meaning("neu", Field::compare, Compare::neu),
    meaning("ltu", Field::compare, Compare::ltu),
    meaning("leu", Field::compare, Compare::leu),
    meaning("gtu", Field::compare, Compare::gtu),
    meaning("geu", Field::compare, Compare::geu),
    meaning("num", Field::compare, Compare::num),
    meaning("nan", Field::compare, Compare::nan),
    meaning("and", Field::combine, Combine::and_),
    meaning("or", Field::combine, Combine::or_),
    meaning("xor", Field::combine, Combine::xor_),
    meaning("lo", Field::width, Width::lo),
    meaning("hi", Field::width, Width::hi),
    meaning("wide", Field::width, Width::wide),
    meaning("add", Field::atomic, Atomic::add),
    meaning("min", Field::atomic, Atomic::min),
    meaning("max", Field::atomic, Atomic::max),
    meaning("inc", Field::atomic, Atomic::inc),
    meaning("dec", Field::atomic, Atomic::dec),
    meaning("exch", Field::atomic, Atomic::exch),
    meaning("cas", Field::atomic, Atomic::cas),
    meaning("and", Field::atomic, Atomic::and_),
    meaning("or", Field::atomic, Atomic::or_),
    meaning("xor", Field::atomic, Atomic::xor_),
    meaning("popc", Field::atomic, Atomic::popc),
    meaning("up", Field::shuffle, Shuffle::up),
    meaning("down", Field::shuffle, Shuffle::down),
    meaning("bfly", Field::shuffle, Shuffle::bfly),
    meaning("idx", Field::shuffle, Shuffle::idx),
    meaning("all", Field::vote, Vote::all),
    meaning("any", Field::vote, Vote::any),
    meaning("uni", Field::vote, Vote::uni),
    meaning("ballot", Field::vote, Vote::ballot),
    meaning("sync", Field::barrier, Barrier::sync),
    meaning("arrive", Field::barrier, Barrier::arrive),
    meaning("red", Field::barrier, Barrier::red),
    meaning("l", Field::shift, Shift::left),
    meaning("r", Field::shift, Shift::right),
    meaning("clamp", Field::bound, Bound::clamp),
    meaning("wrap", Field::bound, Bound::wrap),
    meaning("zero", Field::bound, Bound::zero),
    meaning("trap", Field::bound, Bound::trap),
    meaning("f4e", Field::permute, Permute::f4e),
    meaning("b4e", Field::permute, Permute::b4e),
    meaning("rc8", Field::permute, Permute::rc8),
    meaning("ecl", Field::permute, Permute::ecl),
    meaning("ecr", Field::permute, Permute::ecr),
    meaning("rc16", Field::permute, Permute::rc16),
    meaning("finite", Field::test, TestFloat::finite),
    meaning("infinite", Field::test, TestFloat::infinite),
    meaning("number", Field::test, TestFloat::number),
    meaning("notanumber", Field::test, TestFloat::notanumber),
    meaning("normal", Field::test, TestFloat::normal),
    meaning("subnormal", Field::test, TestFloat::subnormal),
    meaning("relaxed", Field::order, Order::relaxed),
    meaning("acquire", Field::order, Order::acquire),
    meaning("release", Field::order, Order::release),
    meaning("acq_rel", Field::order, Order::acq_rel),
    meaning("sc", Field::order, Order::sc),
    meaning("cta", Field::scope, Scope::cta),
    meaning("cluster", Field::scope, Scope::cluster),
    meaning("gpu", Field::scope, Scope::gpu),
    meaning("gl", Field::scope, Scope::gpu),
    meaning("sys", Field::scope, Scope::sys),
    Meaning{"v2", Field::vector, 2},
    Meaning{"v4", Field::vector, 4},
    Meaning{"1d", Field::dimensions, 1},
    Meaning{"2d", Field::dimensions, 2},
    Meaning{"3d", Field::dimensions, 3},
    Meaning{"to", Field::to},
    Meaning{"sync", Field::sync},
    Meaning{"aligned", Field::aligned},
    Meaning{"uni", Field::uniform},
    Meaning{"volatile", Field::is_volatile},
    Meaning{"approx", Field::approx},
    Meaning{"full", Field::full},
    Meaning{"ftz", Field::ftz},
    Meaning{"sat", Field::sat},
    Meaning{"relu", Field::relu},
    Meaning{"NaN", Field::propagate_nan},
    Meaning{"nc", Field::nc},
    Meaning{"cc", Field::carry_out},
    Meaning{"shiftamt", Field::shift_amount},
    Meaning{"parity", Field::parity},
};

/// The meaning of an ambiguous word for an opcode.
bool field_applies(Field field, Opcode opcode) {
    const bool compares = opcode == Opcode::set || opcode == Opcode::setp;
    const Group group = opcode_meanings()[static_cast<std::size_t>(opcode)].group;
    const bool branches = group == Group::branch || group == Group::exit;
    const bool bar = opcode == Opcode::bar || opcode == Opcode::barrier;
    switch (field) {
        case Field::compare:
        case Field::combine: return compares;
        case Field::width:
        case Field::atomic: return !compares;
        case Field::uniform: return branches;
        case Field::vote: return !branches;
        case Field::barrier: return bar;
        default: return true;
    }
}

void assign(Modifiers& modifiers, Field field, std::uint8_t value) {
    const auto set = [value]<class T>(T& member) { member = static_cast<T>(value); };
    switch (field) {
        case Field::type: set(modifiers.type == Type::none ? modifiers.type : modifiers.source_type); break;
        case Field::space:
            if (modifiers.space == Space::none) set(modifiers.space);  // cp.async: where it writes
            break;
        case Field::rounding: set(modifiers.rounding); break;
        case Field::compare: set(modifiers.compare); break;
        case Field::combine: set(modifiers.combine); break;
        case Field::width: set(modifiers.width); break;
        case Field::atomic: set(modifiers.atomic); break;
        case Field::shuffle: set(modifiers.shuffle); break;
        case Field::vote: set(modifiers.vote); break;
        case Field::barrier: set(modifiers.barrier); break;
        case Field::shift: set(modifiers.shift); break;
        case Field::bound: set(modifiers.bound); break;
        case Field::permute: set(modifiers.permute); break;
        case Field::test: set(modifiers.test); break;
        case Field::order: set(modifiers.order); break;
        case Field::scope: set(modifiers.scope); break;
        case Field::vector: set(modifiers.vector); break;
        case Field::dimensions: set(modifiers.dimensions); break;
        case Field::to: set(modifiers.to); break;
        case Field::sync: set(modifiers.sync); break;
        case Field::aligned: set(modifiers.aligned); break;
        case Field::uniform: set(modifiers.uniform); break;
        case Field::is_volatile: set(modifiers.is_volatile); break;
        case Field::approx: set(modifiers.approx); break;
        case Field::full: set(modifiers.full); break;
        case Field::ftz: set(modifiers.ftz); break;
        case Field::sat: set(modifiers.sat); break;
        case Field::relu: set(modifiers.relu); break;
        case Field::propagate_nan: set(modifiers.propagate_nan); break;
        case Field::nc: set(modifiers.nc); break;
        case Field::carry_out: set(modifiers.carry_out); break;
        case Field::shift_amount: set(modifiers.shift_amount); break;
        case Field::parity: set(modifiers.parity); break;
    }
}

}  // namespace

std::vector<Effect> effects_of(std::string_view word) {
    std::vector<Effect> effects;
    if (const std::optional<Type> type = type_named(word))
        effects.push_back({Field::type, static_cast<std::uint8_t>(*type)});
    for (const Meaning& row : meanings)
        if (row.word == word) effects.push_back({row.field, row.value});
    return effects;
}

bool ModifierReader::take(std::span<const Effect> effects) {
    for (const auto& [field, value] : effects) {
        if (!field_applies(field, opcode_)) continue;
        // Two types and, in cp.async, two spaces are not a repetition.
        const bool once = field != Field::type && (field != Field::space || opcode_ != Opcode::cp_async);
        if (once && said_.test(static_cast<std::size_t>(field))) return false;
        said_.set(static_cast<std::size_t>(field));
        assign(modifiers_, field, value);
    }
    return true;
}

void ModifierReader::finish() {
    Modifiers& modifiers = modifiers_;
    switch (opcode_meanings()[static_cast<std::size_t>(opcode_)].implied) {
        case ImpliedModifier::none: break;
        case ImpliedModifier::generic:
            if (modifiers.space == Space::none) modifiers.space = Space::generic;
            break;
        case ImpliedModifier::carry_in: modifiers.carry_in = true; break;
        case ImpliedModifier::aligned: modifiers.aligned = true; break;
        case ImpliedModifier::sync: modifiers.sync = true; break;
        case ImpliedModifier::sc: modifiers.order = Order::sc; break;
        case ImpliedModifier::acq_rel:
            if (modifiers.order == Order::weak) modifiers.order = Order::acq_rel;
            break;
    }
}

std::optional<Type> type_named(std::string_view name) {
    if (name.empty()) return std::nullopt;
    for (auto i = static_cast<std::uint8_t>(Type::none); i <= static_cast<std::uint8_t>(Type::s16x2); ++i)
        if (name_of(static_cast<Type>(i)) == name) return static_cast<Type>(i);
    return std::nullopt;
}

}  // namespace lanescope::ptx
