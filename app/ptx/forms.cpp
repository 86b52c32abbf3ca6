#include "ptx/forms.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cassert>
#include <unordered_map>
#include <utility>

namespace lanescope::ptx {
namespace {

constexpr std::array classes{
#define LANESCOPE_SUFFIXES(name, members) NamedList{#name, members},
#include "ptx/suffixes.inc"
#undef LANESCOPE_SUFFIXES
};

constexpr std::array refused{
#define LANESCOPE_REFUSED(stem, what) NamedList{stem, what},
#include "ptx/refused.inc"
#undef LANESCOPE_REFUSED
};

/// The parts of `text` between `separator`s, blanks around them taken off, empty ones included.
std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t end = text.find(separator);
        std::string_view part = text.substr(0, end);
        while (part.starts_with(' ')) part.remove_prefix(1);
        while (part.ends_with(' ')) part.remove_suffix(1);
        parts.push_back(part);
        if (end == std::string_view::npos) return parts;
        text.remove_prefix(end + 1);
    }
}

// --- What a suffix means ------------------------------------------------------------------------------------------

enum class Field : std::uint8_t {
    type,
    space,
    rounding,
    compare,
    combine,
    width,
    atomic,
    shuffle,
    vote,
    barrier,
    shift,
    bound,
    permute,
    test,
    order,
    scope,
    vector,
    to,
    sync,
    aligned,
    uniform,
    is_volatile,
    approx,
    full,
    ftz,
    sat,
    relu,
    propagate_nan,
    nc,
    carry_out,
    shift_amount,
    parity,
};

struct Meaning {
    std::string_view word;
    Field field;
    std::uint8_t value = 1;
};

template <class Enum>
constexpr Meaning meaning(std::string_view word, Field field, Enum value) {
    return {word, field, static_cast<std::uint8_t>(value)};
}

/// Words that only hint at speed (cache operators, eviction) mean nothing here and are missing. A word may have two
/// meanings: field_applies() tells which an opcode wants.
constexpr std::array meanings{
    meaning("param", Field::space, Space::param),
    meaning("param::entry", Field::space, Space::param),
    meaning("param::func", Field::space, Space::param),
    meaning("local", Field::space, Space::local),
    meaning("shared", Field::space, Space::shared),
    meaning("shared::cta", Field::space, Space::shared),
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

bool field_applies(Field field, Opcode opcode) {
    const bool compares = opcode == Opcode::set || opcode == Opcode::setp;
    const bool branches = info(opcode).group == Group::branch || info(opcode).group == Group::exit;
    const bool bar = opcode == Opcode::bar || opcode == Opcode::barrier;
    switch (field) {
        case Field::compare:
        case Field::combine: return compares;
        case Field::width:
        case Field::atomic: return !compares;
        case Field::uniform: return branches;
        case Field::vote: return !branches;
        case Field::barrier: return bar;
        case Field::sync: return true;
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

/// What the opcode itself says, where no suffix does.
void finish(Opcode opcode, Modifiers& modifiers) {
    switch (opcode) {
        case Opcode::ld:
        case Opcode::ldu:
        case Opcode::st:
        case Opcode::atom:
        case Opcode::red:
        case Opcode::prefetch:
        case Opcode::prefetchu:
        case Opcode::mbarrier_init:
        case Opcode::mbarrier_inval:
        case Opcode::mbarrier_arrive:
        case Opcode::mbarrier_arrive_drop:
        case Opcode::mbarrier_test_wait:
        case Opcode::mbarrier_try_wait:
            if (modifiers.space == Space::none) modifiers.space = Space::generic;
            break;
        case Opcode::addc:
        case Opcode::subc:
        case Opcode::madc: modifiers.carry_in = true; break;
        case Opcode::bar: modifiers.aligned = true; break;
        case Opcode::bar_warp_sync: modifiers.sync = true; break;
        case Opcode::membar: modifiers.order = Order::sc; break;
        case Opcode::fence:
            if (modifiers.order == Order::weak) modifiers.order = Order::acq_rel;
            break;
        default: break;
    }
}

// --- The table, read ----------------------------------------------------------------------------------------------

class Grammar {
  public:
    Grammar() {
        for (const OpcodeInfo& row : opcode_table()) {
            std::vector<Form>& forms = forms_[static_cast<std::size_t>(row.opcode)];
            for (const std::string_view text : split(row.forms, ';')) forms.push_back(read_form(text));
            by_first_word_[row.name.substr(0, row.name.find('.'))].push_back(row.opcode);
        }
        // The longest stem first: bar.warp.sync before bar.
        for (auto& [word, opcodes] : by_first_word_)
            std::ranges::sort(opcodes, std::ranges::greater{}, [](Opcode o) { return info(o).name.size(); });
    }

    [[nodiscard]] std::span<const Form> forms(Opcode opcode) const { return forms_[static_cast<std::size_t>(opcode)]; }
    [[nodiscard]] std::string_view word(std::uint8_t number) const { return words_[number]; }
    [[nodiscard]] std::optional<std::uint8_t> number(std::string_view word) const {
        const auto found = numbers_.find(word);
        return found == numbers_.end() ? std::nullopt : std::optional(found->second);
    }
    [[nodiscard]] std::optional<Opcode> opcode(std::string_view mnemonic) const {
        const auto found = by_first_word_.find(mnemonic.substr(0, mnemonic.find('.')));
        if (found == by_first_word_.end()) return std::nullopt;
        for (const Opcode opcode : found->second) {
            const std::string_view stem = info(opcode).name;
            if (mnemonic.starts_with(stem) && (mnemonic.size() == stem.size() || mnemonic[stem.size()] == '.'))
                return opcode;
        }
        return std::nullopt;
    }
    void apply(std::uint8_t number, Opcode opcode, Modifiers& modifiers) const {
        for (const auto& [field, value] : effects_[number])
            if (field_applies(field, opcode)) assign(modifiers, field, value);
    }

  private:
    std::uint8_t intern(std::string_view word) {
        const auto [found, fresh] = numbers_.try_emplace(word, static_cast<std::uint8_t>(words_.size()));
        if (fresh) {
            assert(words_.size() < 256 && "a suffix's number is one byte");
            words_.push_back(word);
            std::vector<std::pair<Field, std::uint8_t>>& effects = effects_.emplace_back();
            if (const std::optional<Type> type = type_named(word))
                effects.emplace_back(Field::type, static_cast<std::uint8_t>(*type));
            for (const Meaning& row : meanings)
                if (row.word == word) effects.emplace_back(row.field, row.value);
        }
        return found->second;
    }

    /// "(a|b)", "a" or "CLASS".
    void accept(std::string_view choice, std::bitset<256>& accepted) {
        if (choice.starts_with('(')) choice = choice.substr(1, choice.size() - 2);
        const auto* named = std::ranges::find(classes, choice, &NamedList::name);
        for (const std::string_view word : split(named == classes.end() ? choice : named->members, '|'))
            accepted.set(intern(word));
    }

    Form read_form(std::string_view text) {
        Form form;
        while (text.starts_with('.') || text.starts_with('{')) {
            Form::Item& item = form.items.emplace_back();
            item.optional = text.starts_with('{');
            const std::size_t begin = item.optional ? 2 : 1;
            std::size_t end = item.optional ? text.find('}') : text[begin] == '(' ? text.find(')') + 1 : begin;
            if (end == begin) end = std::min(text.find_first_of(".{ ", begin), text.size());
            accept(text.substr(begin, end - begin), item.accepted);
            text.remove_prefix(item.optional ? end + 1 : end);
        }
        for (const std::string_view operand : split(text, ' '))
            if (!operand.empty()) form.shapes.push_back(read_shape(operand));
        return form;
    }

    static Shape read_shape(std::string_view text) {
        Shape shape;
        if (text.ends_with('?')) {
            shape.optional = true;
            text.remove_suffix(1);
        }
        const std::size_t dot = text.find('.');
        const std::string_view type = dot == std::string_view::npos ? "" : text.substr(dot + 1);
        if (type == "wide") {
            shape.from = Shape::TypeFrom::wide;
        } else if (type == "from") {
            shape.from = Shape::TypeFrom::source_type;
        } else if (!type.empty()) {
            shape.from = Shape::TypeFrom::fixed;
            shape.fixed = type_named(type).value();
        }
        constexpr std::array<std::pair<std::string_view, Shape::Kind>, 11> kinds{{
            {"d", Shape::Kind::destination},
            {"a", Shape::Kind::source},
            {"dv", Shape::Kind::loaded},
            {"av", Shape::Kind::stored},
            {"dp", Shape::Kind::destination_pair},
            {"p", Shape::Kind::predicates},
            {"[a]", Shape::Kind::memory},
            {"n", Shape::Kind::constant},
            {"label", Shape::Kind::label},
            {"labels", Shape::Kind::labels},
            {"call", Shape::Kind::call},
        }};
        const auto* kind =
            std::ranges::find(kinds, text.substr(0, dot), &std::pair<std::string_view, Shape::Kind>::first);
        assert(kind != kinds.end() && "an operand that the table's header does not explain");
        shape.kind = kind->second;
        if (shape.kind == Shape::Kind::predicates) {
            shape.from = Shape::TypeFrom::fixed;
            shape.fixed = Type::pred;
        }
        return shape;
    }

    std::array<std::vector<Form>, static_cast<std::size_t>(Opcode::count)> forms_;
    std::unordered_map<std::string_view, std::vector<Opcode>> by_first_word_;
    std::vector<std::string_view> words_;
    std::unordered_map<std::string_view, std::uint8_t> numbers_;
    std::vector<std::vector<std::pair<Field, std::uint8_t>>> effects_;
};

const Grammar& grammar() {
    static const Grammar instance;
    return instance;
}

/// How many of the suffixes the form takes in its order; all of them only if nothing that it requires is missing.
std::size_t fit(const Form& form, std::span<const std::uint8_t> suffixes, bool& complete) {
    std::size_t taken = 0;
    complete = false;
    for (const Form::Item& item : form.items) {
        if (taken < suffixes.size() && item.accepted.test(suffixes[taken])) {
            ++taken;
        } else if (!item.optional) {
            return taken;
        }
    }
    complete = taken == suffixes.size();
    return taken;
}

constexpr std::string_view see_list = "`lanescope list --instructions` names what is.";

std::string_view why_refused(std::string_view mnemonic) {
    for (const NamedList& row : refused) {
        const bool open = row.name.ends_with('*');
        const std::string_view stem = row.name.substr(0, row.name.size() - (open ? 1 : 0));
        if (!mnemonic.starts_with(stem)) continue;
        if (open || mnemonic.size() == stem.size() || mnemonic[stem.size()] == '.') return row.members;
    }
    return {};
}

}  // namespace

Type Shape::type(const Modifiers& modifiers) const {
    switch (from) {
        case TypeFrom::type: return modifiers.type;
        case TypeFrom::source_type: return modifiers.source_type;
        case TypeFrom::fixed: return fixed;
        case TypeFrom::wide: break;
    }
    switch (modifiers.type) {
        case Type::u16: return Type::u32;
        case Type::s16: return Type::s32;
        case Type::u32: return Type::u64;
        default: return Type::s64;
    }
}

bool Shape::written() const {
    return kind == Kind::destination || kind == Kind::destination_pair || kind == Kind::predicates ||
           kind == Kind::loaded;
}

std::size_t Form::fewest() const {
    return static_cast<std::size_t>(std::ranges::count(shapes, false, &Shape::optional));
}

std::expected<Decoded, Undecoded> decode(std::string_view mnemonic) {
    const auto shown = mnemonic.substr(0, 80);
    if (const std::string_view family = why_refused(mnemonic); !family.empty())
        return std::unexpected(
            Undecoded{fmt::format("'{}' is not supported: {}", shown, family), std::string(see_list)});
    const std::optional<Opcode> opcode = grammar().opcode(mnemonic);
    if (!opcode)
        return std::unexpected(
            Undecoded{fmt::format("instruction '{}' is not supported", shown), std::string(see_list)});

    Decoded decoded{.opcode = *opcode, .modifiers = {}, .forms = {}};
    Modifiers& modifiers = decoded.modifiers;
    const auto refuse_suffix = [&](std::string_view word) {
        return std::unexpected(Undecoded{fmt::format("'.{}' in '{}' is not supported", word.substr(0, 40), shown),
                                         fmt::format("{} takes: {}", info(*opcode).name, info(*opcode).forms)});
    };
    std::string_view rest = mnemonic.substr(info(*opcode).name.size());
    while (!rest.empty()) {
        rest.remove_prefix(1);
        const std::string_view word = rest.substr(0, rest.find('.'));
        rest.remove_prefix(word.size());
        const std::optional<std::uint8_t> number = grammar().number(word);
        if (!number || modifiers.suffix_count == modifiers.suffixes.size()) return refuse_suffix(word);
        modifiers.suffixes[modifiers.suffix_count++] = *number;
    }
    const std::span suffixes = std::span(modifiers.suffixes).first(modifiers.suffix_count);
    std::size_t furthest = 0;
    for (const Form& form : grammar().forms(*opcode)) {
        bool complete = false;
        furthest = std::max(furthest, fit(form, suffixes, complete));
        if (complete) decoded.forms.push_back(&form);
    }
    if (decoded.forms.empty()) {
        if (furthest < suffixes.size()) return refuse_suffix(known_suffix(suffixes[furthest]));
        return std::unexpected(Undecoded{fmt::format("'{}' lacks a suffix", shown),
                                         fmt::format("{} takes: {}", info(*opcode).name, info(*opcode).forms)});
    }
    for (const std::uint8_t number : suffixes) grammar().apply(number, *opcode, modifiers);
    finish(*opcode, modifiers);
    return decoded;
}

std::span<const Form> forms_of(Opcode opcode) { return grammar().forms(opcode); }

std::string_view known_suffix(std::uint8_t number) { return grammar().word(number); }

std::optional<Type> type_named(std::string_view name) {
    if (name.empty()) return std::nullopt;
    for (auto i = static_cast<std::uint8_t>(Type::none); i <= static_cast<std::uint8_t>(Type::f64); ++i)
        if (name_of(static_cast<Type>(i)) == name) return static_cast<Type>(i);
    return std::nullopt;
}

std::span<const NamedList> suffix_classes() { return classes; }
std::span<const NamedList> refused_instructions() { return refused; }

}  // namespace lanescope::ptx
