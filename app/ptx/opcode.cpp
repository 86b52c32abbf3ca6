#include "ptx/opcode.h"

#include "ptx/module.h"

#include <array>
#include <cassert>

namespace lanescope::ptx {
namespace {

constexpr std::array table{
#define LANESCOPE_OPCODE(name, text, section, forms) OpcodeInfo{Opcode::name, text, section, forms},
#include "ptx/opcodes.inc"
};
static_assert(table.size() == static_cast<std::size_t>(Opcode::count));

constexpr OpcodeMeanings meaning_rows = [] {
    constexpr bool yes = true, no = false;
    OpcodeMeanings rows{
#define LANESCOPE_MEANING(name, group, action, combines, fusible, bits, address, implied) \
    OpcodeMeaning{Opcode::name,                                                           \
                  Group::group,                                                           \
                  Action::action,                                                         \
                  combines,                                                               \
                  fusible,                                                                \
                  ResultBits::bits,                                                       \
                  AddressUse::address,                                                    \
                  ImpliedModifier::implied,                                               \
                  Notation::none,                                                         \
                  {},                                                                     \
                  {},                                                                     \
                  {}},
#include "ptx/meanings.inc"
    };
    const auto words = [&](Opcode opcode, Notation notation, std::string_view symbol, std::string_view of_predicates,
                           std::string_view phrase) {
        OpcodeMeaning& row = rows[static_cast<std::size_t>(opcode)];
        row.notation = notation;
        row.symbol = symbol;
        row.predicate_symbol = of_predicates;
        row.phrase = phrase;
    };
#define LANESCOPE_WORDS(name, notation, symbol, predicate_symbol, phrase) \
    words(Opcode::name, Notation::notation, symbol, predicate_symbol, phrase);
#include "ptx/meanings.inc"
    return rows;
}();
/// The rows are in the order of their opcodes.
static_assert([] {
    for (std::size_t i = 0; i < meaning_rows.size(); ++i)
        if (meaning_rows[i].opcode != static_cast<Opcode>(i)) return false;
    return true;
}());

struct TypeRow {
    Type type;
    std::string_view name;
    unsigned bytes;
    enum : std::uint8_t { bits, floating, with_sign, without_sign } kind;
};
constexpr std::array types{
    TypeRow{Type::none, "", 0, TypeRow::bits},
    TypeRow{Type::pred, "pred", 1, TypeRow::bits},
    TypeRow{Type::b8, "b8", 1, TypeRow::bits},
    TypeRow{Type::b16, "b16", 2, TypeRow::bits},
    TypeRow{Type::b32, "b32", 4, TypeRow::bits},
    TypeRow{Type::b64, "b64", 8, TypeRow::bits},
    TypeRow{Type::b128, "b128", 16, TypeRow::bits},
    TypeRow{Type::u8, "u8", 1, TypeRow::without_sign},
    TypeRow{Type::u16, "u16", 2, TypeRow::without_sign},
    TypeRow{Type::u32, "u32", 4, TypeRow::without_sign},
    TypeRow{Type::u64, "u64", 8, TypeRow::without_sign},
    TypeRow{Type::s8, "s8", 1, TypeRow::with_sign},
    TypeRow{Type::s16, "s16", 2, TypeRow::with_sign},
    TypeRow{Type::s32, "s32", 4, TypeRow::with_sign},
    TypeRow{Type::s64, "s64", 8, TypeRow::with_sign},
    TypeRow{Type::f16, "f16", 2, TypeRow::floating},
    TypeRow{Type::f16x2, "f16x2", 4, TypeRow::floating},
    TypeRow{Type::bf16, "bf16", 2, TypeRow::floating},
    TypeRow{Type::bf16x2, "bf16x2", 4, TypeRow::floating},
    TypeRow{Type::f32, "f32", 4, TypeRow::floating},
    TypeRow{Type::f64, "f64", 8, TypeRow::floating},
    TypeRow{Type::u16x2, "u16x2", 4, TypeRow::without_sign},
    TypeRow{Type::s16x2, "s16x2", 4, TypeRow::with_sign},
};
static_assert(types[static_cast<std::size_t>(Type::f64)].type == Type::f64 && types.back().type == Type::s16x2);

const TypeRow& row(Type type) { return types[static_cast<std::size_t>(type)]; }

constexpr std::array<std::string_view, 7> spaces{"", "param", "local", "shared", "global", "const", ""};

constexpr std::array<std::string_view, static_cast<std::size_t>(Special::count)> specials{
    "%tid.x",
    "%tid.y",
    "%tid.z",
    "%ntid.x",
    "%ntid.y",
    "%ntid.z",
    "%ctaid.x",
    "%ctaid.y",
    "%ctaid.z",
    "%nctaid.x",
    "%nctaid.y",
    "%nctaid.z",
    "%laneid",
    "%warpid",
    "%nwarpid",
    "%smid",
    "%nsmid",
    "%gridid",
    "%clock",
    "%clock64",
    "%globaltimer",
    "%lanemask_eq",
    "%lanemask_le",
    "%lanemask_lt",
    "%lanemask_ge",
    "%lanemask_gt",
    "%dynamic_smem_size",
    "%total_smem_size",
    "%envreg1",
    "%envreg2",
    "%reserved_smem_offset_1",
    "%aggr_smem_size",
};

}  // namespace

const OpcodeInfo& info(Opcode opcode) {
    assert(opcode < Opcode::count);
    return table[static_cast<std::size_t>(opcode)];
}

std::span<const OpcodeInfo> opcode_table() { return table; }

unsigned bytes_of(Type type) { return row(type).bytes; }
std::string_view name_of(Type type) { return row(type).name; }
bool is_float(Type type) { return row(type).kind == TypeRow::floating; }
bool is_signed(Type type) { return row(type).kind == TypeRow::with_sign; }

std::string_view name_of(Space space) { return spaces[static_cast<std::size_t>(space)]; }

std::string_view name_of(Special special) {
    assert(special < Special::count);
    return specials[static_cast<std::size_t>(special)];
}

Type type_of(Special special) {
    const bool wide = special == Special::clock64 || special == Special::globaltimer || special == Special::gridid;
    return wide ? Type::u64 : Type::u32;
}

const OpcodeMeanings& opcode_meanings() { return meaning_rows; }

const OpcodeMeaning& Instruction::meaning() const { return row != nullptr ? *row : meaning_rows[std::size_t(opcode)]; }

Group group_of(const Instruction& instruction) {
    const Group group = instruction.meaning().group;
    return group == Group::integer && is_float(instruction.modifiers.type) ? Group::floating : group;
}

bool combines_values(const Instruction& instruction) {
    const Atomic atomic = instruction.modifiers.atomic;
    return instruction.meaning().combines && atomic != Atomic::exch && atomic != Atomic::cas;
}

bool may_be_fused(const Instruction& instruction) {
    return instruction.meaning().fusible && instruction.modifiers.rounding == Rounding::none &&
           is_float(instruction.modifiers.type);
}

bool ends_block(const Instruction& instruction) {
    switch (instruction.action()) {
        case Action::jump:
        case Action::jump_table:
        case Action::return_:
        case Action::exit:
        case Action::trap: return true;
        default: return false;
    }
}

bool reads_clock(const Instruction& instruction) {
    const Operand& source = instruction.operands[1];
    return source.kind == Operand::Kind::special &&
           (source.special == Special::clock || source.special == Special::clock64 ||
            source.special == Special::globaltimer);
}

}  // namespace lanescope::ptx
