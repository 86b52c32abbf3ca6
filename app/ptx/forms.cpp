#include "ptx/forms.h"

#include "ptx/suffixes.h"

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
#include "ptx/opcodes.inc"
};

constexpr std::array refused{
#define LANESCOPE_REFUSED(stem, what) NamedList{stem, what},
#include "ptx/refused.inc"
#undef LANESCOPE_REFUSED
};

/// The parts of `text` between `separator`s, without blanks around them, empty ones included.
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
    [[nodiscard]] std::span<const Effect> effects(std::uint8_t number) const { return effects_[number]; }

  private:
    std::uint8_t intern(std::string_view word) {
        const auto [found, fresh] = numbers_.try_emplace(word, static_cast<std::uint8_t>(words_.size()));
        if (fresh) {
            assert(words_.size() < 256 && "a suffix's number is one byte");
            words_.push_back(word);
            effects_.push_back(effects_of(word));
        }
        return found->second;
    }

    /// "(a|b)", "a" or "CLASS".
    std::bitset<256> read_choice(std::string_view choice) {
        std::bitset<256> accepted;
        if (choice.starts_with('(')) choice = choice.substr(1, choice.size() - 2);
        const auto* named = std::ranges::find(classes, choice, &NamedList::name);
        for (const std::string_view word : split(named == classes.end() ? choice : named->members, '|'))
            accepted.set(intern(word));
        return accepted;
    }

    /// Takes ".x", ".(a|b)" or ".CLASS" from the front of `text`.
    std::bitset<256> take_choice(std::string_view& text) {
        const std::size_t end = text.starts_with(".(") ? text.find(')') + 1 : text.find_first_of(".{<}> ", 1);
        const std::string_view choice = text.substr(1, std::min(end, text.size()) - 1);
        text.remove_prefix(choice.size() + 1);
        return read_choice(choice);
    }

    Form read_form(std::string_view text) {
        Form form;
        while (text.starts_with('.') || text.starts_with('{') || text.starts_with('<')) {
            Form::Item& item = form.items.emplace_back();
            item.optional = !text.starts_with('.');
            if (item.optional) text.remove_prefix(1);
            while (text.starts_with('.')) {
                item.accepted.push_back(take_choice(text));
                if (!item.optional) break;
            }
            if (item.optional) text.remove_prefix(1);
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
        const bool texel = text.starts_with("[t.");
        if (texel) text = text.substr(1, text.size() - 2);
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
        constexpr std::array<std::pair<std::string_view, Shape::Kind>, 12> kinds{{
            {"d", Shape::Kind::destination},
            {"a", Shape::Kind::source},
            {"dv", Shape::Kind::loaded},
            {"av", Shape::Kind::stored},
            {"dp", Shape::Kind::destination_pair},
            {"p", Shape::Kind::predicates},
            {"[a]", Shape::Kind::memory},
            {"t", Shape::Kind::texel},
            {"n", Shape::Kind::constant},
            {"label", Shape::Kind::label},
            {"labels", Shape::Kind::labels},
            {"call", Shape::Kind::call},
        }};
        const auto* kind =
            std::ranges::find(kinds, text.substr(0, dot), &std::pair<std::string_view, Shape::Kind>::first);
        assert(kind != kinds.end() && "an operand that the table's header does not define");
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
    std::vector<std::vector<Effect>> effects_;
};

const Grammar& grammar() {
    static const Grammar instance;
    return instance;
}

/// How many of the suffixes the form accepts in its order; all of them only if no required suffix is missing.
std::size_t fit(const Form& form, std::span<const std::uint8_t> suffixes, bool& complete) {
    std::size_t taken = 0;
    complete = false;
    for (const Form::Item& item : form.items) {
        std::size_t found = 0;
        const auto accepts = [&](const std::bitset<256>& accepted) { return accepted.test(suffixes[taken]); };
        while (found < item.accepted.size() && taken < suffixes.size() && std::ranges::any_of(item.accepted, accepts)) {
            ++taken;
            ++found;
        }
        if (found == 0 && !item.optional) return taken;
    }
    complete = taken == suffixes.size();
    return taken;
}

constexpr std::string_view see_list = "`lanescope list --instructions` lists the supported instructions.";

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

std::optional<Opcode> opcode_of(std::string_view mnemonic) { return grammar().opcode(mnemonic); }

std::expected<Decoded, Undecoded> decode(std::string_view mnemonic) {
    const auto shown = mnemonic.substr(0, 80);
    if (!refused_family(mnemonic).empty())
        return std::unexpected(Undecoded{fmt::format("\"{}\" is not supported{}", shown, because_of_family(mnemonic)),
                                         std::string(see_list)});
    const std::optional<Opcode> opcode = opcode_of(mnemonic);
    if (!opcode)
        return std::unexpected(
            Undecoded{fmt::format("instruction \"{}\" is not supported", shown), std::string(see_list)});

    Decoded decoded{.opcode = *opcode, .modifiers = {}, .forms = {}};
    Modifiers& modifiers = decoded.modifiers;
    const auto refuse_suffix = [&](std::string_view word) {
        return std::unexpected(Undecoded{fmt::format("\".{}\" in \"{}\" is not supported", word.substr(0, 40), shown),
                                         std::string(see_list)});
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
        return std::unexpected(Undecoded{fmt::format("\"{}\" lacks a suffix", shown), std::string(see_list)});
    }
    ModifierReader reader(*opcode, modifiers);
    for (const std::uint8_t number : suffixes)
        if (!reader.take(grammar().effects(number))) return refuse_suffix(known_suffix(number));
    reader.finish();
    return decoded;
}

std::span<const Form> forms_of(Opcode opcode) { return grammar().forms(opcode); }

std::string_view known_suffix(std::uint8_t number) { return grammar().word(number); }

std::string_view refused_family(std::string_view word) {
    for (const NamedList& row : refused) {
        const bool open = row.name.ends_with('*');
        const std::string_view stem = row.name.substr(0, row.name.size() - (open ? 1 : 0));
        if (!word.starts_with(stem)) continue;
        if (open || word.size() == stem.size() || word[stem.size()] == '.') return row.members;
    }
    return {};
}

std::string because_of_family(std::string_view word) {
    const std::string_view family = refused_family(word);
    return family.empty() ? std::string{} : fmt::format(": {}", family);
}

std::span<const NamedList> suffix_classes() { return classes; }
std::span<const NamedList> refused_instructions() { return refused; }

}  // namespace lanescope::ptx
