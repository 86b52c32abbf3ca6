// The two tables of the instructions that Lanescope knows, ordered like PTX ISA chapter 9: spelling (for the parser,
// printer, page of supported instructions, refusals) and meaning (for executors, analysis, narration).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace lanescope::ptx {

enum class Type : std::uint8_t;
enum class Space : std::uint8_t;

/// The group of an instruction in panels and counts.
enum class Group : std::uint8_t {
    integer,
    floating,
    logic,
    compare,
    select,
    convert,
    move,
    load,
    store,
    atomic,
    shuffle,
    vote,
    barrier,
    branch,
    exit,
    other
};

/// One mnemonic stem, "ld", "add", "bar". The enumerators come from opcodes.inc, one line each.
enum class Opcode : std::uint8_t {
#define LANESCOPE_OPCODE(name, text, section, forms) name,
#include "ptx/opcodes.inc"
    count
};

enum class Rounding : std::uint8_t { none, rn, rz, rm, rp, rni, rzi, rmi, rpi };
enum class Compare : std::uint8_t {
    none,
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    lo,
    ls,
    hi,
    hs,
    equ,
    neu,
    ltu,
    leu,
    gtu,
    geu,
    num,
    nan
};
enum class Combine : std::uint8_t { none, and_, or_, xor_ };  ///< setp's boolean operation
enum class Width : std::uint8_t { none, lo, hi, wide };       ///< mul and mad
enum class Atomic : std::uint8_t {
    none,
    add,
    min,
    max,
    inc,
    dec,
    exch,
    cas,
    and_,
    or_,
    xor_,
    popc
};  ///< atom, red, redux, bar.red
enum class Shuffle : std::uint8_t { none, up, down, bfly, idx };
enum class Vote : std::uint8_t { none, all, any, uni, ballot };     ///< vote, match
enum class Barrier : std::uint8_t { none, sync, arrive, red };      ///< bar, barrier
enum class Shift : std::uint8_t { none, left, right };              ///< shf
enum class Bound : std::uint8_t { none, clamp, wrap, zero, trap };  ///< shf, szext, bmsk; suld and sust: outside of it
enum class Permute : std::uint8_t { none, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class TestFloat : std::uint8_t { none, finite, infinite, number, notanumber, normal, subnormal };
enum class Order : std::uint8_t { weak, relaxed, acquire, release, acq_rel, sc };
enum class Scope : std::uint8_t { none, cta, cluster, gpu, sys };  ///< membar.gl is gpu

/// The dotted suffixes of an instruction, decoded. Modifiers that an opcode does not have keep their defaults.
struct Modifiers {
    Type type{};         ///< first type suffix: of the result, of the access, of the values compared
    Type source_type{};  ///< second type suffix (cvt, set, slct, dp4a); mul.wide has none: its operands are of `type`
    Space space{};       ///< ld, st, atom, red, cvta, ...; generic if an access names none
    Rounding rounding = Rounding::none;
    Compare compare = Compare::none;
    Combine combine = Combine::none;
    Width width = Width::none;
    Atomic atomic = Atomic::none;
    Shuffle shuffle = Shuffle::none;
    Vote vote = Vote::none;
    Barrier barrier = Barrier::none;
    Shift shift = Shift::none;
    Bound bound = Bound::none;
    Permute permute = Permute::none;
    TestFloat test = TestFloat::none;
    Order order = Order::weak;
    Scope scope = Scope::none;
    std::uint8_t vector = 1;      ///< .v2, .v4
    std::uint8_t dimensions = 0;  ///< of a texture or surface: .1d, .2d, .3d
    bool to = false;              ///< cvta.to
    bool sync = false;            ///< .sync
    bool aligned = false;         ///< barrier.sync.aligned; every `bar` is aligned and has it set
    bool uniform = false;         ///< bra.uni
    bool is_volatile = false;
    bool approx = false;
    bool full = false;
    bool ftz = false;
    bool sat = false;
    bool relu = false;
    bool propagate_nan = false;               ///< min.NaN
    bool nc = false;                          ///< ld.global.nc
    bool carry_in = false;                    ///< addc, subc, madc
    bool carry_out = false;                   ///< add.cc
    bool shift_amount = false;                ///< bfind.shiftamt
    bool parity = false;                      ///< mbarrier.test_wait.parity
    std::array<std::uint8_t, 10> suffixes{};  ///< as written, numbers of known_suffix(); what mnemonic() prints
    std::uint8_t suffix_count = 0;
};

/// The spelling of an instruction: a row of opcodes.inc.
struct OpcodeInfo {
    Opcode opcode;
    std::string_view name;     ///< "ld", "bar.warp.sync"
    std::string_view section;  ///< of PTX ISA 9.0, "9.7.9.8"
    std::string_view forms;    ///< the suffixes and operands accepted, in the notation of the table's own header
};
[[nodiscard]] const OpcodeInfo& info(Opcode opcode);
/// The opcode with the longest stem that fits: "bar.warp.sync" before "bar.sync".
[[nodiscard]] std::optional<Opcode> opcode_of(std::string_view mnemonic);
[[nodiscard]] std::span<const OpcodeInfo> opcode_table();

/// An executor's action for an instruction.
enum class Action : std::uint8_t {
    compute,          ///< computes a result from the lane's own operands
    load,             ///< ld, ldu
    store,            ///< st
    atomic,           ///< atom, red
    shuffle,          ///< shfl: takes another lane's operand
    vote,             ///< vote
    match,            ///< match
    active_mask,      ///< activemask
    warp_reduce,      ///< redux: combines the operands of all lanes
    block_barrier,    ///< bar, barrier
    warp_barrier,     ///< bar.warp.sync
    fence,            ///< membar, fence
    texture_fetch,    ///< tex: reads texels, and filters them
    surface_load,     ///< suld: reads memory by the coordinates of a surface
    surface_store,    ///< sust
    copy,             ///< cp.async: copies in the background
    copy_group,       ///< commits the copies started so far as a group
    copy_wait,        ///< waits for groups of copies, or for all
    mbarrier_init,    ///< the memory barrier objects of PTX ISA 9.7.13.15
    mbarrier_inval,   ///<
    mbarrier_arrive,  ///<
    mbarrier_drop,    ///< arrives for the last time
    mbarrier_wait,    ///< test_wait, try_wait
    mbarrier_copies,  ///< arrives when the lane's copies are done
    jump,             ///< bra
    jump_table,       ///< brx.idx
    call,             ///< call
    return_,          ///< ret
    exit,             ///< exit
    trap,             ///< trap
    hint,             ///< changes no value: prefetch, nanosleep, brkpt
};

/// Which bits of the result are bits of the sources, and of which source.
enum class ResultBits : std::uint8_t {
    mixed,        ///< each may depend on all
    copied,       ///< mov, packing and unpacking included
    converted,    ///< cvt: of whole numbers, the low bits and copies of the sign
    chosen,       ///< selp: of the first or the second source
    conjunction,  ///< and
    disjunction,  ///< or
    exclusive,    ///< xor
    complement,   ///< not
    left,         ///< shl
    right,        ///< shr
    inserted,     ///< bfi
    extracted,    ///< bfe
    permuted,     ///< prmt: bytes
};

/// The result for an address among the sources.
enum class AddressUse : std::uint8_t {
    none,       ///< no address
    passed_on,  ///< the same address
    sum,        ///< add: the address plus an offset
};

/// The modifier that an instruction has if no suffix sets it.
enum class ImpliedModifier : std::uint8_t {
    none,
    generic,   ///< the space: ld
    carry_in,  ///< addc
    aligned,   ///< bar
    sync,      ///< bar.warp.sync
    sc,        ///< the order: membar
    acq_rel,   ///< likewise: fence
};

/// How an operation is written in a C++ expression.
enum class Notation : std::uint8_t {
    none,          ///< not in an expression
    infix,         ///< a + b
    prefix,        ///< -a
    call,          ///< min(a, b)
    multiply_add,  ///< a * b + c
    transparent,   ///< a: a copy or a conversion
};

/// The meaning of an instruction: a row of meanings.inc, which explains the columns.
struct OpcodeMeaning {
    Opcode opcode{};
    Group group{};  ///< of its integer forms: group_of() knows an instruction's
    Action action{};
    bool combines = false;  ///< see combines_values()
    bool fusible = false;   ///< see may_be_fused()
    ResultBits bits{};
    AddressUse address{};
    ImpliedModifier implied{};
    Notation notation{};
    std::string_view symbol;            ///< "+"; of a call empty: the opcode's name
    std::string_view predicate_symbol;  ///< the symbol for predicate operands, "&&"
    std::string_view phrase;            ///< "adds {1} to {0} and keeps {r}"
};
using OpcodeMeanings = std::array<OpcodeMeaning, static_cast<std::size_t>(Opcode::count)>;
[[nodiscard]] const OpcodeMeanings& opcode_meanings();

/// The text of a suffix by its number in Modifiers::suffixes, "shared", without its dot.
[[nodiscard]] std::string_view known_suffix(std::uint8_t number);

/// The page of supported and refused instructions, types, special registers and directives: markdown.
[[nodiscard]] std::string supported_instructions();

}  // namespace lanescope::ptx
