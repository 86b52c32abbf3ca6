// The forms of opcodes.inc, read once: the suffixes of an opcode, their meanings, and the operands that follow.
#pragma once

#include "ptx/module.h"
#include "ptx/suffixes.h"

#include <bitset>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ptx {

/// The kinds of operands in a form.
struct Shape {
    enum class Kind : std::uint8_t {
        destination,
        source,
        destination_pair,  ///< a destination, optionally with a predicate beside it
        predicates,        ///< one or two destination predicates
        stored,            ///< source of a store: may be wider than the type; {..} if the instruction has .v2, .v4
        loaded,            ///< destination of a load, with the same rules
        memory,
        texel,  ///< memory by a handle and coordinates
        constant,
        label,
        labels,
        call,  ///< all of call's operands
    };
    enum class TypeFrom : std::uint8_t { type, source_type, wide, fixed };
    Kind kind = Kind::source;
    TypeFrom from = TypeFrom::type;
    Type fixed = Type::none;
    bool optional = false;

    /// The type of such an operand in an instruction with these modifiers.
    [[nodiscard]] Type type(const Modifiers& modifiers) const;
    [[nodiscard]] bool written() const;
};

struct Form {
    /// One suffix, or none; or several optional ones in any order.
    struct Item {
        std::vector<std::bitset<256>> accepted;  ///< numbers of known_suffix(); one set unless in any order
        bool optional = false;
    };
    std::vector<Item> items;
    std::vector<Shape> shapes;
    [[nodiscard]] std::size_t fewest() const;  ///< operands
    [[nodiscard]] std::size_t most() const { return shapes.size(); }
};

/// A decoded mnemonic: its opcode, its modifiers, and the forms whose suffixes fit (at least one).
struct Decoded {
    Opcode opcode{};
    Modifiers modifiers;
    std::vector<const Form*> forms;
};
struct Undecoded {
    std::string what;  ///< "'wmma.load' is not supported: tensor cores"
    std::string remedy;
};
[[nodiscard]] std::expected<Decoded, Undecoded> decode(std::string_view mnemonic);

[[nodiscard]] std::span<const Form> forms_of(Opcode opcode);
/// A class of suffixes of opcodes.inc, or a row of refused.inc.
struct NamedList {
    std::string_view name;
    std::string_view members;
};
[[nodiscard]] std::span<const NamedList> suffix_classes();
[[nodiscard]] std::span<const NamedList> refused_instructions();
/// The feature that the instruction, directive or type belongs to, "textures", by refused.inc; empty if it is not
/// listed there.
[[nodiscard]] std::string_view refused_family(std::string_view word);
/// ": textures", or empty: the end of a sentence that refuses `word`.
[[nodiscard]] std::string because_of_family(std::string_view word);

}  // namespace lanescope::ptx
