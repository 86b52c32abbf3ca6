// PTX text -> Module: functions of decoded instructions with their control flow, and the variables they name. A text
// may hold several translation units, one after the other, each with its .version: they are linked by symbol.
// A Module is immutable and self-contained: it keeps the text it came from. Source of truth: PTX ISA 9.0.
#pragma once

#include "base/ids.h"
#include "base/number_type.h"
#include "base/result.h"
#include "ptx/opcode.h"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ptx {

/// PTX ISA 5.1. `generic`: the address decides the space.
enum class Space : std::uint8_t { none, param, local, shared, global, constant, generic };

/// PTX ISA 5.2.
enum class Type : std::uint8_t {
    none,
    pred,
    b8,
    b16,
    b32,
    b64,
    b128,
    u8,
    u16,
    u32,
    u64,
    s8,
    s16,
    s32,
    s64,
    f16,
    f16x2,
    bf16,
    bf16x2,
    f32,
    f64,
    u16x2,
    s16x2
};
[[nodiscard]] unsigned bytes_of(Type type);  ///< 0 for none, 1 for pred
[[nodiscard]] std::string_view name_of(Type type);
[[nodiscard]] std::string_view name_of(Space space);
[[nodiscard]] bool is_float(Type type);
[[nodiscard]] bool is_signed(Type type);

struct Register {
    std::string name;  ///< "%r12"
    Type type = Type::none;
};

/// A relocation in a variable's initial bytes: the address of a variable of the module, or of a function.
struct Relocation {
    std::uint64_t offset = 0;  ///< in the variable
    std::uint32_t bytes = 8;   ///< 4 or 8
    bool of_function = false;
    std::uint32_t index = 0;  ///< in Module::variables, or in Module::functions
    std::int64_t addend = 0;
    bool generic = false;  ///< generic(name): a generic address; else one in the variable's own space
};

/// A named piece of memory: .shared, .global, .const, .local or .param, of the module or of a function.
struct Variable {
    std::string name;
    Space space = Space::none;
    Type type = Type::none;   ///< element type; b8 if NVRTC declares bytes
    std::uint64_t bytes = 0;  ///< 0: `.extern .shared x[]`, sized by the launch
    std::uint64_t align = 1;
    std::uint64_t offset = 0;  ///< in its space, laid out by the parser: shared; local and param of a function's frame.
                               ///< Of dynamic shared memory: Function::dynamic_shared_offset
    std::vector<std::byte> initial;  ///< first bytes; the rest is zero (global, const) or undefined (shared, local)
    std::vector<Relocation> relocations;  ///< addresses inside `initial`, in the order of their offsets
    bool external = false;                ///< .extern: without a definition in this text
    std::uint32_t unit = 0;               ///< of the module's: the translation unit that defines it, from 0
    PtxLine line;
    [[nodiscard]] bool dynamic() const { return bytes == 0; }
    /// Global or constant: an executor gives it a buffer.
    [[nodiscard]] bool in_global_memory() const { return space == Space::global || space == Space::constant; }
};

/// A special register such as %tid.x, by number: interpreters compare numbers, never names.
enum class Special : std::uint8_t {
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    smid,
    nsmid,
    gridid,
    clock,
    clock64,
    globaltimer,
    lanemask_eq,
    lanemask_le,
    lanemask_lt,
    lanemask_ge,
    lanemask_gt,
    dynamic_smem_size,
    total_smem_size,
    envreg1,
    envreg2,
    reserved_smem_offset_1,
    aggr_smem_size,
    count
};
[[nodiscard]] std::string_view name_of(Special special);  ///< "%tid.x"
[[nodiscard]] Type type_of(Special special);              ///< u32, or u64 for clock64, globaltimer and gridid

/// PTX ISA 6.4.
struct Operand {
    enum class Kind : std::uint8_t {
        none,
        reg,        ///< `reg`
        special,    ///< `special`: only as the source of mov
        immediate,  ///< `immediate`: a float's bit pattern, an integer sign-extended to 64 bits
        address,  ///< the address of the variable plus `offset`, as a value (mov, cvta); in its own space, not generic
        memory,   ///< [reg + offset], [variable + offset] or [offset] (neither set); of a texel [reg, {a, b}], with its
                  ///< coordinates as a vector's `elements`
        label,    ///< `target`: an instruction index, `first`: in Function::labels
        vector,   ///< {a, b, c, d}: `elements` operands from Function::vector_elements[first]; also call's results and
                  ///< arguments, and brx's labels (`target`: the table's own name in Function::labels)
        function,  ///< `function`: index in Module::functions
        sink,      ///< `_`
    };
    /// The list that `variable` is an index in.
    enum class Owner : std::uint8_t {
        none,       ///< no variable
        module,     ///< Module::variables
        function,   ///< Function::variables
        parameter,  ///< Function::parameters
        result,     ///< Function::results
    };
    Kind kind = Kind::none;
    bool negated = false;    ///< predicate operand written !%p
    Type type = Type::none;  ///< the type of this operand: u64 for mul.wide.u32's result; none for memory
    Owner owner = Owner::none;
    Special special = Special::count;
    RegisterId reg;
    RegisterId paired;                     ///< the predicate of `%r1|%p1` (shfl, setp with two results)
    std::uint32_t variable = no_variable;  ///< index in the owner's list; variable_of() finds it
    std::uint32_t target = 0;
    std::uint32_t function = 0;
    std::uint32_t first = 0;
    std::uint32_t elements = 0;
    std::int64_t offset = 0;
    std::uint64_t immediate = 0;

    static constexpr std::uint32_t no_variable = std::numeric_limits<std::uint32_t>::max();
};

/// The place in the CUDA source that an instruction comes from. Lines and columns from 1; line 0: compiler-generated.
struct SourcePlace {
    std::uint32_t file = 0;  ///< number of `.file`, index in Module::files
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::uint32_t inlined_at = none;  ///< index in Module::places of the call site, or none
    std::string function;  ///< the function inlined there, mangled; set if inlined_at is set and the name is known

    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
    friend bool operator==(const SourcePlace&, const SourcePlace&) = default;
};

struct Guard {
    RegisterId predicate;
    bool negated = false;
};

inline constexpr std::uint32_t no_instruction = std::numeric_limits<std::uint32_t>::max();

struct Instruction {
    Opcode opcode{};
    Modifiers modifiers;  ///< types, space, rounding, comparison, ... as written
    std::optional<Guard> guard;
    std::array<Operand, 6> operands;  ///< destinations first, then sources, in the order of the text
    std::uint8_t operand_count = 0;
    std::uint8_t destination_count = 0;  ///< how many leading operands are written (0 for stores, branches, barriers)
    PtxLine line;
    std::uint32_t column = 0;
    std::uint32_t place = SourcePlace::none;  ///< index in Module::places of the .loc in force
    std::uint32_t target = no_instruction;    ///< bra: index of the instruction branched to
    /// Guarded bra, brx: the first instruction of the immediate post-dominator; none: at the function's exit.
    std::uint32_t reconvergence = no_instruction;
    const OpcodeMeaning* row = nullptr;  ///< of the meanings that parse() was given; null: of opcode_meanings()

    [[nodiscard]] const OpcodeMeaning& meaning() const;
    [[nodiscard]] Action action() const { return meaning().action; }
};

/// A maximal run of instructions entered only at its first and left only at its last.
struct BasicBlock {
    std::uint32_t first = 0;
    std::uint32_t last = 0;                         ///< inclusive
    std::vector<std::uint32_t> successors;          ///< block indices; a block that exits has none
    std::uint32_t post_dominator = no_instruction;  ///< immediate, a block index; none: the function's exit
};

/// A range of lines in which a source variable is in a register, from the DWARF of the as-written view.
struct VariableRange {
    PtxLine first;      ///< inclusive
    PtxLine past_last;  ///< exclusive
    RegisterId reg;
};

/// The kind of a type of the CUDA source, by DWARF, without typedefs, const and volatile.
enum class TypeKind : std::uint8_t {
    unknown,  ///< void, a 128-bit integer, a type that DWARF does not describe
    number,   ///< CUDA's 16-bit floats included
    boolean,
    enumeration,
    pointer,    ///< or a reference
    structure,  ///< or a class or a union
};

/// A variable of the CUDA source, as DWARF names it.
struct SourceVariable {
    std::string name;
    std::string type;  ///< "int", "unsigned int", "float", "int*" ...
    TypeKind kind = TypeKind::unknown;
    Type value = Type::none;                   ///< how to read it, typedefs and const seen through; none: not a scalar
    std::uint32_t bytes = 0;                   ///< of the type
    TypeKind target_kind = TypeKind::unknown;  ///< of a pointer: what it points to
    std::optional<NumberType> target;          ///< the same, if that is a number or a vector such as float4
    std::uint32_t declared_line = 0;           ///< in the CUDA source
    std::uint32_t scope_first_line = 0;        ///< PTX lines of the enclosing lexical block, inclusive, 0 if unknown
    std::uint32_t scope_last_line = 0;
    bool parameter = false;
    std::vector<VariableRange> ranges;
};

/// A name for an instruction; `instruction` is the number of instructions if the label is at the end.
struct Label {
    std::string name;
    std::uint32_t instruction = 0;
    PtxLine line;
};

struct Function {
    std::string name;                  ///< as linked; may be mangled
    bool entry = false;                ///< .entry: a kernel
    bool defined = true;               ///< false: only declared (vprintf, __assertfail, ...): no instructions
    bool returns = true;               ///< false: .noreturn
    std::vector<Variable> parameters;  ///< space param
    std::vector<Variable> results;     ///< of a .func
    std::vector<Variable> variables;   ///< .shared, .local and the calls' .param declared inside, with offsets
    std::vector<Register> registers;
    RegisterId carry;           ///< the condition code of add.cc and addc, a predicate "%cc"; invalid if not used
    std::vector<Label> labels;  ///< in the order of the text
    std::vector<Operand> vector_elements;
    std::vector<Instruction> instructions;
    std::vector<BasicBlock> blocks;
    std::vector<SourceVariable> source_variables;  ///< those that live in registers; empty in the as-compiled view
    /// The parameters as the source declares them, in their order, without ranges. Empty in the as-compiled view.
    std::vector<SourceVariable> source_parameters;
    std::uint64_t shared_bytes = 0;  ///< static shared memory of this entry and the functions it calls, from offset 0
    std::uint64_t dynamic_shared_offset = 0;        ///< where this entry's dynamic (.extern .shared) memory begins
    std::uint64_t parameter_bytes = 0;              ///< size of `parameters` laid out by their offsets
    std::uint64_t result_bytes = 0;                 ///< size of `results` laid out by their offsets
    std::uint64_t local_bytes = 0;                  ///< its own frame: .local variables
    std::uint64_t call_parameter_bytes = 0;         ///< its own frame: .param variables declared inside, for its calls
    std::array<std::uint32_t, 3> required_block{};  ///< .reqntid, zeros if not given
    std::array<std::uint32_t, 3> most_block{};      ///< .maxntid, what __launch_bounds__ becomes, zeros if not given
    PtxLine line;

    /// The product of `most_block`; 0: no bound.
    [[nodiscard]] std::uint64_t most_threads() const {
        return std::uint64_t{most_block[0]} * most_block[1] * most_block[2];
    }
    /// The instruction at that line of the text, or nothing. O(log n).
    [[nodiscard]] std::optional<std::uint32_t> instruction_at(PtxLine at) const;
};

/// A variable of the CUDA source in memory, mostly an array, as DWARF describes it. For a shared variable without DWARF
/// (as compiled, or static inside a kernel) only the name is known, from the PTX name.
struct SourceArray {
    std::string name;                   ///< "sdata"
    std::string element_type;           ///< "int"; empty: not known
    TypeKind kind = TypeKind::unknown;  ///< of an element
    Type element = Type::none;          ///< how to read an element; none: not known, or a struct
    std::uint32_t element_bytes = 0;    ///< 0: not known
    /// Elements in each dimension, outermost first; 0: unknown (extern []); empty: not an array.
    std::vector<std::uint64_t> extents;
    Space space = Space::none;                      ///< shared, global, constant or local
    std::uint32_t function = everywhere;            ///< index in Module::functions whose `variables` holds it
    std::uint32_t variable = Operand::no_variable;  ///< index there, or in Module::variables
    std::uint64_t offset = 0;                       ///< in that PTX variable: a function's local variables share one

    static constexpr std::uint32_t everywhere = std::numeric_limits<std::uint32_t>::max();
};

/// A structure of the CUDA source: the type of a variable, of a pointer's target, or of an array's elements. The PTX as
/// compiled has no DWARF; the session adds its structures.
struct SourceMember {
    std::string name;  ///< "index", "position.x", "corner[2]"
    NumberType number;
    std::uint64_t offset = 0;  ///< in bytes
    bool pointer = false;
    std::optional<NumberType> target;  ///< of a pointer to numbers, or to vectors such as float4
};
struct SourceStructure {
    std::string name;
    std::uint64_t bytes = 0;
    std::vector<SourceMember> members;  ///< ascending by offset
    bool complete = true;               ///< false: it has members of unknown meaning, which are left out
};

struct Module {
    std::string text;           ///< the whole PTX; instructions that shared a line are on lines of their own
    std::uint32_t version = 0;  ///< .version, 90 for 9.0
    std::uint32_t target = 0;   ///< .target, 75 for sm_75
    std::map<std::uint32_t, std::string> files;  ///< .file
    std::vector<SourcePlace> places;             ///< every .loc, in order of first use
    std::vector<Variable> variables;  ///< .shared, .global, .const at module scope; shared ones with offsets,
                                      ///< dynamic ones at the end of the static ones
    std::vector<SourceArray> arrays;
    std::vector<SourceStructure> structures;
    std::vector<Function> functions;

    /// The kernel of that name, or else the first function; null if there is none.
    [[nodiscard]] const Function* find(std::string_view name) const;
    /// The index in `variables`. If several translation units have their own variable of that name, the one of `unit`;
    /// nothing if it has none.
    [[nodiscard]] std::optional<std::uint32_t> variable_named(std::string_view name,
                                                              std::optional<std::uint32_t> unit = {}) const;
    [[nodiscard]] std::vector<const Function*> entries() const;
    /// Line `at` of the text without its newline; empty past the end.
    [[nodiscard]] std::string_view text_line(PtxLine at) const;

    std::vector<std::uint32_t> line_starts;  ///< offsets in `text`
};

/// Parses, validates and lays out `text`; `file` names it in messages. Refuses malformed text with line and column, and
/// every instruction, type or directive outside of the opcode table by its name.
/// Never crashes and never hangs, for any bytes. The instructions keep pointers into `meanings`.
[[nodiscard]] Result<Module> parse(std::string text, const std::string& file = "kernel.ptx",
                                   const OpcodeMeanings& meanings = opcode_meanings());

/// "ld.shared.u32": opcode with its modifiers, as the text writes it.
[[nodiscard]] std::string mnemonic(const Instruction& instruction);
/// The whole instruction as PTX text, "@%p1 bra $L__BB0_2;".
[[nodiscard]] std::string print(const Module& module, const Function& function, const Instruction& instruction);

/// Registers that the instruction reads as *data*, and those it reads to form an *address*; guard excluded. These
/// define the dependences: a load's base register is address, a store's value is data.
struct Uses {
    std::vector<RegisterId> data;
    std::vector<RegisterId> address;
};
/// The carry flag counts as data.
[[nodiscard]] Uses uses_of(const Function& function, const Instruction& instruction);
[[nodiscard]] std::vector<RegisterId> definitions_of(const Function& function, const Instruction& instruction);

/// The variable that an address or memory operand names, or null.
[[nodiscard]] const Variable* variable_of(const Module& module, const Function& function, const Operand& operand);

/// The offset of a .shared variable in the shared memory of a block that runs `entry`.
[[nodiscard]] std::uint64_t shared_offset_of(const Function& entry, const Variable& variable);

/// The meaning's group, refined by the type: add.f32 is floating.
[[nodiscard]] Group group_of(const Instruction& instruction);
/// Whether it combines several values into one (an operation): the meaning's `combines`, but not atom.exch and
/// atom.cas.
[[nodiscard]] bool combines_values(const Instruction& instruction);
/// Floating-point arithmetic without a rounding, which the compiler may contract to an fma (PTX ISA 9.7.3).
[[nodiscard]] bool may_be_fused(const Instruction& instruction);
/// Whether it copies %clock, %clock64 or %globaltimer, which differ from run to run.
[[nodiscard]] bool reads_clock(const Instruction& instruction);
/// Whether control may leave the straight line: bra, brx, ret, exit, trap.
[[nodiscard]] bool ends_block(const Instruction& instruction);

/// The innermost source variable that lives in `reg` when the instruction at `line` begins, if DWARF says so. For a
/// register that an instruction writes, ask with the next line.
[[nodiscard]] const SourceVariable* variable_in(const Function& function, RegisterId reg, PtxLine line);

}  // namespace lanescope::ptx
