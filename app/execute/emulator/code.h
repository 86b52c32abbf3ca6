// A kernel decoded for execution: the functions that it reaches as one run of operations with everything resolved, and
// the layout of a warp's register file. Nothing here is found by name, and nothing here changes while the kernel runs.
#pragma once

#include "base/result.h"
#include "execute/simt/divergence.h"
#include "execute/simt/memory.h"
#include "execute/simt/operation.h"
#include "model/model.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace lanescope::execute {

enum class Kind : std::uint8_t {
    compute,  ///< a pure operation
    load,
    store,
    atomic,
    branch,
    branch_indexed,  ///< brx.idx
    call,
    exit,              ///< exit, and a kernel's ret
    return_from_call,  ///< the ret of a function that was called
    trap,
    barrier,
    warp_barrier,  ///< bar.warp.sync
    shuffle,
    vote,
    match,
    active_mask,
    reduce,  ///< redux.sync
    clock,
    copy,          ///< cp.async: a load and a store, Code::accesses `access` and the next; where lanes may read fewer
                   ///< bytes, parts of the load follow, each half as long as the one before, down to one byte
    texture,       ///< tex: Code::texels, and the loads of texels that it makes in Code::accesses
    surface,       ///< suld, sust: likewise
    await_copies,  ///< cp.async.commit_group, .wait_group, .wait_all: for the race check, since copies complete at once
    builtin,       ///< the body of a function that the CUDA runtime provides: printf, malloc, ...
    fence,         ///< memory is sequentially consistent, so it matters only to the race check
    nothing,       ///< prefetches
};

/// Between memory and registers: Micro::access says how.
[[nodiscard]] constexpr bool moves_memory(Kind kind) {
    return kind == Kind::load || kind == Kind::store || kind == Kind::atomic;
}

/// A register that an operation writes, as a recording needs it.
struct Destination {
    RegisterId reg;  ///< in Trace::registers
    Row row = Row::none;
    std::uint8_t bytes = 0;             ///< of the register; 0: a predicate
    std::uint32_t slot = 0;             ///< offset in the register file
    std::uint32_t input_dependent = 0;  ///< offset of its input-dependent lanes
};

/// A value in the register file: a register, or a constant kept there.
struct Value {
    Row row = Row::none;
    std::uint32_t slot = 0;
    std::uint32_t input_dependent = 0;
    std::uint32_t invert = 0;  ///< predicates: ~0 if written !%p
};

/// The memory that a load, store or atomic accesses.
struct MemoryAccess {
    ptx::Space space = ptx::Space::generic;
    std::optional<Value> base;  ///< a register; none: the offset alone
    std::uint64_t offset = 0;   ///< added to it, the variable's place included
    std::uint8_t bytes = 4;     ///< of one element
    std::uint8_t elements = 1;
    bool sign_extends = false;
    bool of_words = false;        ///< nothing but words between a register and buffers or shared memory: load_words()
    bool call_parameter = false;  ///< .param of a function called: in the thread's frame
    bool strong = false;          ///< volatile, relaxed, acquire, release or atomic (PTX ISA 8.4)
    bool acquires = false;
    bool releases = false;
    bool within_block = false;  ///< strong: ordered among the threads of its block only, scope .cta (PTX ISA 8.6)
    const ptx::Variable* array = nullptr;  ///< the shared array that the address is based on, if there are several
    std::uint32_t local_array = 0;         ///< the same in local memory: index in Code::local_arrays + 1
    std::uint32_t used_bytes =
        ~0U;  ///< of a load, one bit a byte: the function computes with this byte, not only moves it
    std::uint8_t keeps_uninitialized = 0;       ///< elements of a load, a bit each, whose registers nothing else writes
    std::array<Value, 4> values{};              ///< destinations of a load, sources of a store, element by element
    std::array<std::uint8_t, 4> value_bytes{};  ///< of the destination registers
    model::Access access = model::Access::load;
    // Atomics
    ptx::Atomic atomic = ptx::Atomic::none;
    ptx::Type type = ptx::Type::none;
    Value compare{};                                   ///< of compare-and-swap
    const ptx::Instruction* barrier_object = nullptr;  ///< the mbarrier instruction that updates the object
    bool has_result = false;

    /// One element of 4 bytes between memory and a register of as many.
    [[nodiscard]] bool moves_words() const {
        return model::is_plain(access) && elements == 1 && bytes == 4 && values[0].row == Row::narrow &&
               (access == model::Access::store || value_bytes[0] == 4);
    }
};

/// The texels that an instruction names by a handle and coordinates: of a texture, or of a surface.
struct TexelAccess {
    Value handle;  ///< base/texture_object.h
    std::array<Value, 3> coordinates{};
    std::uint8_t dimensions = 1;
    bool real_coordinates = false;   ///< f32, else s32
    Value address;                   ///< a row for the addresses of texels, the base of the access
    std::array<Value, 4> results{};  ///< of a texture: where its four components go; Row::none: to the sink
    bool stores = false;
    ptx::Bound outside = ptx::Bound::none;  ///< of a surface
};

/// One instruction. The fields that the interpreter reads of every instruction come first.
struct Micro {
    Kind kind = Kind::nothing;
    bool combines = false;       ///< ptx::combines_values(): its operations are counted
    bool tracks = false;         ///< its result may derive from input data
    bool simple = true;          ///< at most one destination and three sources; the result depends on all of them
    bool approximate = false;    ///< is_approximate()
    bool selects = false;        ///< selp, slct: the result is one of the first two sources
    bool meets_block = false;    ///< bar.sync 0, for all threads of the block
    bool waits_at_sync = false;  ///< waits for the lanes of a mask, its `operands[mask_operand]`
    std::uint8_t mask_operand = 0;
    std::uint16_t straight = 0;  ///< length of the straight run that begins here (mark_straight_runs())
    std::uint32_t guard = 0;     ///< offset of the predicate; of all ones if unguarded
    std::uint32_t guard_invert = 0;
    LaneFunction function = nullptr;
    Slots slots;
    std::array<std::uint32_t, 5> input_dependent_source{};  ///< offsets of the sources' input-dependent lanes
    std::uint32_t input_dependent_destination = 0;
    PtxLine line;
    Pc target = no_pc;         ///< branch, call
    Pc reconvergence = no_pc;  ///< branch: where its paths reconverge
    std::uint32_t first_destination = 0;
    std::uint32_t destination_count = 0;
    std::uint32_t access =
        0;  ///< index in Code::accesses; of calls, in Code::calls; of a function's ret, in Code::callees
    const ptx::Instruction* instruction =
        nullptr;                      ///< null at a function's end, which the text may leave without a ret
    std::array<Value, 4> operands{};  ///< of cross-lane instructions, barriers and brx
    std::uint32_t first_target = 0;   ///< brx: its targets in Code::targets
    std::uint32_t target_count = 0;
    std::uint32_t texels = 0;  ///< index in Code::texels
};

/// A value passed to a function or back: an offset in the thread's local memory, from its frame's start if the function
/// is reentrant (PTX ISA 7.1).
struct FramePlace {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
};
/// A function as its callers see it (frames.h).
struct Callee {
    const ptx::Function* function = nullptr;
    Pc begin = 0;
    std::uint64_t address = 0;  ///< the value of a pointer to it
    std::vector<FramePlace> parameters;
    std::vector<FramePlace> results;
    bool reentrant = false;
    std::uint32_t base = 0;  ///< reentrant: the row with the offset of its frame
    std::uint64_t frame_bytes = 0;
    std::vector<Destination> registers;  ///< reentrant: an inner call must preserve them
};
/// A call instruction, and where the caller has the values.
struct Call {
    std::uint32_t caller = 0;             ///< index in Code::callees
    std::optional<std::uint32_t> callee;  ///< none: the function that `target` points to
    Value target;
    std::vector<FramePlace> arguments;
    std::vector<FramePlace> results;
};

/// Functions without a body in PTX (CUDA C++ Programming Guide, "Formatted Output", "Assertion", "Dynamic Global Memory
/// Allocation"; PTX Writer's Guide, "System Calls").
enum class Builtin : std::uint8_t { print, fail_assertion, allocate, release };
/// By its name in PTX: vprintf, __assertfail, malloc, free.
[[nodiscard]] std::optional<Builtin> builtin_named(std::string_view name);
struct BuiltinCall {
    Builtin builtin = Builtin::print;
    const ptx::Function* function = nullptr;
    std::uint64_t parameters = 0;  ///< their offset in the thread's local memory
    std::uint64_t results = 0;
};

/// Fixed words at the start of every register file.
inline constexpr std::uint32_t always_slot = 0;             ///< all ones: the guard of instructions without one
inline constexpr std::uint32_t input_independent_slot = 4;  ///< all zeros
inline constexpr std::uint32_t scratch_word_slot = 8;       ///< written and never read
inline constexpr std::uint32_t first_free_slot = 64;

/// A row that is the same in each warp, written once: an immediate or an address.
struct ConstantRow {
    std::uint32_t slot = 0;
    Row row = Row::none;
    std::uint64_t bits = 0;
};
/// A row that holds a special register.
struct SpecialRow {
    std::uint32_t slot = 0;
    Row row = Row::none;
    ptx::Special special = ptx::Special::count;
};

/// Bytes of a register file.
struct RowSpan {
    std::uint32_t slot = 0;
    std::uint32_t bytes = 0;
};

/// The addresses of the module's global and constant variables, one for each of Module::variables; 0 for other
/// variables.
using VariableAddresses = std::vector<std::uint64_t>;

struct Code {
    const ptx::Module* module = nullptr;
    const ptx::Function* kernel = nullptr;
    std::vector<Micro> micros;
    std::vector<Destination> destinations;
    std::vector<MemoryAccess> accesses;
    std::vector<TexelAccess> texels;
    VariableAddresses addresses;
    std::vector<Pc> targets;
    std::vector<Call> calls;
    std::vector<Callee> callees;      ///< the functions reached, the kernel first
    std::uint32_t stack_pointer = 0;  ///< the row with the bytes of the stack in use
    std::uint64_t stack = 0;          ///< where the stack begins in a thread's local memory
    std::vector<BuiltinCall> builtins;
    std::vector<trace::RegisterName> registers;  ///< of all functions reached, the kernel's first
    std::vector<ConstantRow> constants;
    std::vector<SpecialRow> specials;
    std::vector<const ptx::Variable*> shared_variables;  ///< that the functions name
    std::vector<trace::SharedArray> local_arrays;        ///< of the source, where they lie in a thread's local memory
    std::uint32_t registers_begin = 0;  ///< predicates and input-dependent lanes: zero when a block starts
    std::uint32_t rows_begin = 0;       ///< where the rows of registers begin
    std::vector<RowSpan> cleared_rows;  ///< that some path may read uninitialized: zero when any block starts
    std::uint32_t file_bytes = 0;
    std::uint64_t local_bytes = 0;  ///< a thread's, frames of all functions included
    std::uint32_t users_file = 0;   ///< the kernel's source file, index in Module::files; 0: unknown
    bool releases = false;          ///< has fences or releases: blocks may order each other through memory
    /// Synchronizes the whole grid: it arrives at the barrier in the workspace that %envreg points to (grid.sync()).
    bool cooperates = false;
    bool reserves_shared = false;       ///< reads %reserved_smem_offset_1
    bool signals_other_blocks = false;  ///< does anything by which one block may signal another
    bool communicates = false;          ///< may wait for other blocks: volatile, acquire, atomics whose result is used

    [[nodiscard]] std::span<const Destination> destinations_of(const Micro& micro) const {
        return std::span(destinations).subspan(micro.first_destination, micro.destination_count);
    }
    /// The line of the user's file that the instruction comes from; for code of a header, the line that called it; 0:
    /// unknown.
    [[nodiscard]] std::uint32_t source_line(const Micro& micro) const;
    /// Whether the instruction is in the user's file and not in a header; true if its file is not known.
    [[nodiscard]] bool in_users_file(const Micro& micro) const;
    /// The instruction to show for the one at `pc`: itself, or the call that led the warp there if its line is unknown.
    /// `waiting`: the path at `pc`, if it is not the current one.
    [[nodiscard]] Pc blamed(const Divergence& divergence, Pc pc, const Divergence::Waiting* waiting = nullptr) const;
};

/// Refuses every instruction that the emulator does not support, with its name and line.
[[nodiscard]] Result<Code> decode(const ptx::Module& module, const ptx::Function& kernel,
                                  const VariableAddresses& addresses);

}  // namespace lanescope::execute
