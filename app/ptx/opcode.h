// The one table of the instructions that Lanescope knows: it feeds the parser, the executors' dispatch, the printer,
// the page of supported instructions and the message that refuses the rest. Ordered like PTX ISA chapter 9.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lanescope::ptx {

enum class Type : std::uint8_t;
enum class Space : std::uint8_t;

/// What an instruction is to a reader of the picture; panels and counts group by it.
enum class Group : std::uint8_t {
    integer, floating, logic, compare, select, convert, move, load, store, atomic, shuffle, vote, barrier, branch, exit, other
};

/// One mnemonic stem, "ld", "add", "bar". The enumerators come from opcodes.inc, one line each.
enum class Opcode : std::uint8_t {
#define LANESCOPE_OPCODE(name, text, group, operator_like, section, forms) name,
#include "ptx/opcodes.inc"
#undef LANESCOPE_OPCODE
    count
};

enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rni, rzi, rmi, rpi };
enum class Compare : std::uint8_t { none, eq, ne, lt, le, gt, ge, lo, ls, hi, hs, equ, neu, ltu, leu, gtu, geu, num, nan };
enum class Combine : std::uint8_t { none, and_, or_, xor_ };       ///< setp's boolean operation
enum class Width : std::uint8_t { none, lo, hi, wide };            ///< mul and mad
enum class Atomic : std::uint8_t { none, add, min, max, inc, dec, exch, cas, and_, or_, xor_ };
enum class Shuffle : std::uint8_t { none, up, down, bfly, idx };
enum class Vote : std::uint8_t { none, all, any, uni, ballot };

/// The dotted suffixes of an instruction, decoded. What an opcode does not use stays at its default.
struct Modifiers {
    Type type{};          ///< the last type suffix before any other: of the result, of the access
    Type source_type{};   ///< second type suffix: cvt, set, mul.wide's operands share `type`
    Space space{};        ///< ld, st, atom, red, cvta, ...
    Rounding rounding = Rounding::none;
    Compare compare = Compare::none;
    Combine combine = Combine::none;
    Width width = Width::none;
    Atomic atomic = Atomic::none;
    Shuffle shuffle = Shuffle::none;
    Vote vote = Vote::none;
    std::uint8_t vector = 1;      ///< .v2, .v4
    bool to = false;              ///< cvta.to
    bool sync = false;            ///< .sync
    bool uniform = false;         ///< bra.uni
    bool is_volatile = false;
    bool approx = false;
    bool full = false;
    bool ftz = false;
    bool sat = false;
    bool nc = false;              ///< ld.global.nc
    bool carry_out = false;       ///< add.cc
    std::uint8_t order = 0;       ///< memory order: 0 weak, 1 relaxed, 2 acquire, 3 release, 4 acq_rel, 5 sc
    std::uint8_t scope = 0;       ///< 0 none, 1 cta, 2 cluster, 3 gpu, 4 sys
};

/// One row of the table.
struct OpcodeInfo {
    std::string_view name;         ///< "ld"
    Group group;
    bool operator_like;            ///< combines values: add, mul, min, and ... (what "operator application" counts)
    std::string_view section;      ///< of PTX ISA, "9.7.9.8"
    std::string_view forms;        ///< the suffixes accepted, in the notation of the table's own header
};
[[nodiscard]] const OpcodeInfo& info(Opcode opcode);
[[nodiscard]] std::span<const OpcodeInfo> opcode_table();

}  // namespace lanescope::ptx
