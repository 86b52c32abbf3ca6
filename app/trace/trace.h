// The Trace: everything that one execution did, immutable and complete for the recorded blocks.
//
//   header   the program: source, PTX, view, launches, buffers, registers by name
//   steps    one per warp instruction of a recorded block, in the order of execution: the timeline
//   host     what the host wrote between launches, and the other steps of a whole program's host code
//   effects  what a step changed or accessed: register writes, memory accesses with before and after, control
//   counts   whole-grid totals per launch and epoch, recorded blocks or not
//   findings errors of the kernel
//   remarks  what the kernel does that is not an error, but may be unintended
//   printed  the kernel's printf output
//
// Everything that shows a kernel reads this and never a running machine. Instructions are named by their line of PTX.
#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"
#include "base/sparse_bytes.h"
#include "model/device_limits.h"
#include "trace/pool.h"
#include "trace/residency.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <vector>

namespace lanescope::trace {

struct Dim3 {
    std::uint32_t x = 1, y = 1, z = 1;
    [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
    [[nodiscard]] std::array<std::uint32_t, 3> sides() const { return {x, y, z}; }
    friend bool operator==(const Dim3&, const Dim3&) = default;
};

enum class Space : std::uint8_t { shared, global, local, param, constant };
enum class View : std::uint8_t { written, compiled };
enum class Machine : std::uint8_t { emulator, gpu };
/// The steps of recorded blocks: only the instructions that access or order memory, and cross-lane instructions; or
/// all, with the registers they write.
enum class Detail : std::uint8_t { accesses, registers };

/// How the bytes of a buffer, an argument or a cell are displayed.
enum class Element : std::uint8_t { s8, u8, s16, u16, s32, u32, s64, u64, f16, bf16, f32, f64 };
[[nodiscard]] constexpr unsigned bytes_of(Element element) {
    switch (element) {
        case Element::s8:
        case Element::u8: return 1;
        case Element::s16:
        case Element::u16:
        case Element::f16:
        case Element::bf16: return 2;
        case Element::s32:
        case Element::u32:
        case Element::f32: return 4;
        case Element::s64:
        case Element::u64:
        case Element::f64: return 8;
    }
    return 4;
}
[[nodiscard]] std::string_view name_of(Element element);  ///< "int", "float", ...
/// The value as text: "-3", "2.5"; `bits` holds it in its low bytes.
[[nodiscard]] std::string text_of(Element element, std::uint64_t bits);

/// Element `index` of a buffer's bytes, zero-extended. The bytes must reach that far.
[[nodiscard]] std::uint64_t bits_at(Element element, std::span<const std::byte> bytes, std::size_t index);

/// A piece of global memory. Emulated addresses are virtual, 256-byte aligned, and never overlap.
struct Buffer {
    std::string name;  ///< the parameter or variable it is known by
    Element element = Element::s32;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool output = false;  ///< read back by the host
    SparseBytes initial;  ///< `bytes` long; empty if it was freed before a thread accessed it
    SparseBytes final;    ///< the same; after the last launch
};

struct Argument {
    std::string name;
    std::string type;                     ///< of the source, "const int*"
    std::optional<std::uint32_t> buffer;  ///< index in Trace::buffers for pointers
    std::vector<std::byte> value;         ///< the bytes passed
};

/// The instructions of one block of a launch, recorded or not. A number that does not fit is the largest that does.
struct BlockRun {
    std::uint32_t warp_instructions = 0;
    std::uint32_t longest_warp = 0;  ///< instructions of the warp that executed most; 0: the block did not begin
    std::uint32_t waited = 0;  ///< of these, while every warp of the block was polling: reading what others had not
                               ///< written yet
    friend bool operator==(const BlockRun&, const BlockRun&) = default;
};

struct Launch {
    std::string kernel;  ///< function name in the PTX
    Dim3 grid, block;
    std::uint64_t dynamic_shared_bytes = 0;
    std::uint64_t static_shared_bytes = 0;  ///< up to the dynamic ones, if there are any
    std::uint64_t stack_bytes = 0;          ///< requested for each thread's recursive functions; 0: not requested
    std::vector<Argument> arguments;
    std::vector<BlockId> recorded;  ///< ascending
    /// The one of `recorded` whose steps end before it does, because the record was full.
    std::optional<BlockId> cut = {};
    std::vector<BlockRun> blocks;  ///< of each block of the grid; empty: not known
    std::uint64_t resident = 0;    ///< blocks that took turns at once, at most; 0: not known
    Residency residency{};         ///< as requested; see residency.h
    /// Warp instructions with an atomic operation on the word of global memory that most of them access. Nothing: not
    /// known; a saved trace does not have it.
    std::optional<std::uint64_t> atomics_at_one_word = {};
    /// The indices in Trace::shared_arrays of its kernel's arrays; nothing: all of them.
    std::optional<std::vector<std::uint32_t>> shared_arrays = {};
    StepId first_step;  ///< steps of this launch: [first_step, past_last_step)
    StepId past_last_step;
    [[nodiscard]] std::uint64_t shared_bytes() const { return static_shared_bytes + dynamic_shared_bytes; }
    /// Every block, from its first step to its last.
    [[nodiscard]] bool all_recorded() const { return recorded.size() == grid.count() && !cut; }
    [[nodiscard]] std::uint64_t wholly_recorded() const { return recorded.size() - (cut ? 1 : 0); }
    [[nodiscard]] bool has_shared_array(std::size_t number) const {
        return !shared_arrays || std::ranges::find(*shared_arrays, number) != shared_arrays->end();
    }
};

/// The name of a buffer in the kernel of a launch: the name of the parameter if exactly one points to its start, else
/// Buffer::name, which is the host's name in a program.
[[nodiscard]] const std::string& name_in(const Launch& launch, const std::vector<Buffer>& buffers, std::size_t buffer);

/// A shared array and its place in a block's shared memory.
struct SharedArray {
    std::string name;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    std::optional<Element> element;  ///< if the source states it
    friend bool operator==(const SharedArray&, const SharedArray&) = default;
};

struct RegisterName {
    std::string name;        ///< "%r12"
    std::uint8_t bytes = 4;  ///< 0: a predicate, one bit a lane
};

/// One warp instruction of a recorded block.
struct Step {
    std::uint32_t launch = 0;
    BlockId block;
    WarpId warp;
    PtxLine line;
    std::uint32_t epoch = 0;         ///< block barriers this warp has passed in this launch
    LaneMask active;                 ///< lanes at this instruction
    LaneMask executed;               ///< active lanes whose guard is true
    std::uint32_t first_effect = 0;  ///< effects of the step: [first_effect, first_effect + effect_count)
    std::uint32_t effect_count = 0;
};

enum class EffectKind : std::uint8_t {
    register_write,
    load,
    store,
    atomic,      ///< before = old value, after = new value; a register_write beside it holds the lane's result
    branch,      ///< lanes = those that took it
    barrier,     ///< lanes = those that arrived; `id` = barrier number
    shuffle,     ///< value(lane) = source lane; a register_write beside it holds the result
    exit,        ///< lanes that exit
    reconverge,  ///< lanes that joined before this step
};

/// Whether the effect accesses memory: it has an address for each lane.
[[nodiscard]] constexpr bool is_access(EffectKind kind) {
    return kind == EffectKind::load || kind == EffectKind::store || kind == EffectKind::atomic;
}
/// Whether the effect reads memory; an atomic reads and writes.
[[nodiscard]] constexpr bool is_read(EffectKind kind) { return kind == EffectKind::load || kind == EffectKind::atomic; }
[[nodiscard]] constexpr bool is_write(EffectKind kind) {
    return kind == EffectKind::store || kind == EffectKind::atomic;
}

/// One effect of a step. Values are stored for the lanes of `lanes`, packed, lowest lane first, or, if they have a
/// constant stride, as two numbers: the value that lane 0 would have, and the stride. See the Trace's accessors.
struct Effect {
    EffectKind kind = EffectKind::register_write;
    Space space = Space::shared;    ///< of loads, stores, atomics
    std::uint8_t bytes = 4;         ///< of one element; a predicate write: 0
    std::uint8_t elements : 6 = 1;  ///< vector accesses: elements per lane
    bool even_values : 1 = false;   ///< register writes
    bool even_addresses : 1 = false;
    std::uint32_t id = 0;  ///< register_write: RegisterId; barrier: its number; atomic: ptx::Atomic
    LaneMask lanes;
    std::uint32_t first_value = 0;  ///< in the pools below
    std::uint32_t first_address = 0;
};

/// The counts kept for the whole grid; they can be added. Counts are of warps with at least one executed lane, unless
/// otherwise. Names follow the hardware counters (Nsight Compute): instructions are warp instructions, wavefronts are
/// of shared memory, sectors of 32 bytes.
struct Counts {
    std::uint64_t warp_instructions = 0;           ///< issued with at least one executed lane
    std::uint64_t thread_instructions = 0;         ///< executed lanes, summed (predicated-off ones excluded)
    std::uint64_t active_thread_instructions = 0;  ///< active lanes, summed (predicated-off ones included)
    std::uint64_t shared_load_instructions = 0;
    std::uint64_t shared_load_wavefronts = 0;
    std::uint64_t shared_store_instructions = 0;
    std::uint64_t shared_store_wavefronts = 0;
    std::uint64_t shared_atomic_instructions = 0;
    std::uint64_t shared_atomic_wavefronts = 0;
    std::uint64_t global_load_instructions = 0;
    std::uint64_t global_load_sectors = 0;
    std::uint64_t global_store_instructions = 0;
    std::uint64_t global_store_sectors = 0;
    std::uint64_t global_atomic_instructions = 0;
    std::uint64_t global_atomic_sectors = 0;
    std::uint64_t barriers = 0;  ///< block barriers passed, once a block
    std::uint64_t branches = 0;
    std::uint64_t divergent_branches = 0;  ///< taken by some of the active lanes only
    std::uint64_t operations = 0;          ///< lanes that combined two values which both depend on input data

    Counts& operator+=(const Counts& other);
    friend bool operator==(const Counts&, const Counts&) = default;
};

/// A host write to a buffer before a launch: a copy, a fill, or a direct access. It happens at the position where the
/// launch's first step executes next.
struct HostWrite {
    std::uint32_t launch = 0;       ///< the launch after it
    std::uint32_t buffer = 0;       ///< index in Trace::buffers
    std::uint64_t offset = 0;       ///< bytes from the buffer's start
    std::uint32_t source_line = 0;  ///< of the host's code, 0: unknown
    std::vector<std::byte> before;  ///< the overwritten bytes, with the writes of all blocks
    std::vector<std::byte> after;   ///< as long
    struct Source {
        std::uint32_t buffer = 0;  ///< index in Trace::buffers
        std::uint64_t offset = 0;  ///< bytes from its start
    };
    std::optional<Source> source = {};  ///< of a copy on the device
};

inline constexpr std::string_view unnamed_buffer = "no name";  ///< of an allocation of a program
inline constexpr std::string_view step_limit_end =
    "terminated at the step limit of its last launch";                ///< also a Trace::host_end; not an error of the
                                                                      ///< program
inline constexpr std::string_view successful_exit = "exit status 0";  ///< Trace::host_end of success

// HostStep::text of a write whose source is another buffer.
inline constexpr std::string_view copied_on_device = "copy on the device";
inline constexpr std::string_view copied_to_pinned = "copy from the device";  ///< into pinned memory
inline constexpr std::string_view copied_from_pinned = "copy from pinned memory";
[[nodiscard]] inline bool is_copy_of_buffer(std::string_view text) {
    return text == copied_on_device || text == copied_to_pinned || text == copied_from_pinned;
}

/// A step of a program's host code, in their order.
struct HostStep {
    enum class Kind : std::uint8_t { allocate, release, write, read, launch, synchronize, print, error, remark, call };
    Kind kind = Kind::allocate;
    std::uint32_t launch = 0;             ///< launches made before it
    std::uint32_t source_line = 0;        ///< of the host's code, 0: unknown
    std::string source_file = {};         ///< one of Origin::other_sources; empty: the main one
    std::optional<std::uint32_t> buffer;  ///< allocate, release, write, read: index in Trace::buffers, if it is there
    std::uint64_t bytes = 0;              ///< of the same
    std::optional<std::uint32_t> host_write = {};  ///< write: index in Trace::host_writes, if that has its contents
    /// launch: the kernel; write: "copy", is_copy_of_buffer(), "fill"; write and read by a library of the host: its
    /// call, "cublasSgemm, BLAS on the host"; print: what was printed; error, remark: a sentence;
    /// call: the sentence that host code calls a function that is also run as a launch of one thread
    std::string text;
    std::string function = {};  ///< call: its name in the source, if its run can be shown
};
[[nodiscard]] std::string_view name_of(HostStep::Kind kind);  ///< "allocate", "free", ...

/// An error of the kernel or of the host code.
struct Finding {
    enum class Kind : std::uint8_t {
#define LANESCOPE_FINDING(enumerator, name, title, remedy) enumerator,
#include "trace/findings.inc"
    };
    static constexpr std::array kinds = {
#define LANESCOPE_FINDING(enumerator, name, title, remedy) Kind::enumerator,
#include "trace/findings.inc"
    };
    Kind kind = Kind::out_of_bounds;
    std::uint32_t launch = 0;
    BlockId block;
    WarpId warp;
    LaneId lane;
    PtxLine line;
    std::uint32_t source_line = 0;  ///< of the CUDA source, 0: unknown
    std::string source_file = {};   ///< one of Origin::other_sources; empty: the main one
    std::optional<std::uint64_t> address;
    std::optional<StepId> step;  ///< the step it happened in, if recorded
    std::string message;         ///< a sentence with names and numbers
    std::string variable;        ///< the array or buffer touched; empty: none, or unknown
    std::uint64_t count = 1;     ///< how often it happened at this line; all other fields describe the first time

    /// A later time at this line, by an access that was recorded.
    struct Again {
        StepId step;
        std::uint64_t address = 0;
        friend bool operator==(const Again&, const Again&) = default;
    };
    static constexpr std::size_t most_again = 1024;
    std::vector<Again> again;  ///< the first `most_again`

    /// The other thread of a race, and its earlier access.
    struct Side {
        BlockId block;
        WarpId warp;
        LaneId lane;
        PtxLine line;
        std::uint32_t source_line = 0;
        std::optional<StepId> step;
    };
    std::optional<Side> other;
};
[[nodiscard]] std::string_view name_of(Finding::Kind kind);        ///< "out-of-bounds"
[[nodiscard]] std::string_view title_of(Finding::Kind kind);       ///< "Out of bounds"
[[nodiscard]] std::string_view remedy_of(const Finding& finding);  ///< a sentence; empty: the message has it

/// The output of one printf call, in the order of execution.
struct Printed {
    std::uint32_t launch = 0;
    BlockId block;
    WarpId warp;
    LaneId lane;
    std::optional<StepId> step;  ///< the call, if recorded
    std::string text;            ///< formatted; any bytes
};

/// A source file other than the main one, such as a header of the program: instructions may come from it.
struct SourceText {
    std::string name;  ///< "reduction/kernels.cuh", relative to the main source
    std::string text;
};

/// Origin::input of a function that host code calls, run as one thread: its time on a GPU is not measured.
inline constexpr std::string_view host_call_input = "the host's call";

/// The origin of a trace: everything needed to show it on a machine that has neither kernel nor compiler.
struct Origin {
    Machine machine = Machine::emulator;
    std::string device;                          ///< "NVIDIA H200"; empty for the emulator
    std::string program;                         ///< catalog name or file name
    std::string source;                          ///< CUDA text as the user wrote it; empty when opened from .ptx
    std::string source_name;                     ///< "reduce.cu"
    std::vector<SourceText> other_sources = {};  ///< in which instructions or host steps are
    std::string ptx;
    View view = View::written;
    unsigned arch = model::least_capability;
    std::uint64_t n = 0;                  ///< problem size
    std::string input;                    ///< the input: "iota", "random 7", ...
    std::string oracle;                   ///< name of the CPU oracle, or empty
    unsigned banks = model::usual_banks;  ///< of shared memory, for the counts: 32, or the 16 of compute capability 1.x
};

class Writer;

class Trace {
  public:
    Origin origin;
    std::vector<Launch> launches;
    std::vector<Buffer> buffers;
    std::vector<SharedArray> shared_arrays;   ///< of all launched kernels: see arrays_of()
    std::vector<RegisterName> registers;      ///< RegisterId indexes this (of the launched kernel's function)
    std::vector<std::vector<Counts>> counts;  ///< [launch][epoch], whole grid
    std::vector<HostWrite> host_writes;       ///< in their order, so by launch
    std::vector<HostStep> host_steps;         ///< of a whole program; empty: kernels alone
    std::string schedule;                     ///< as requested: "hold 0:1:3 at 57"; empty: none
    std::string host_end;                     ///< how the program ended: "exit status 0"
    std::vector<Finding> findings;
    std::vector<Finding> remarks;  ///< like `findings`, of what is not an error: races that write one value
    std::vector<Printed> printed;
    /// A note of a launch that a fault or an exhausted step budget ended. Saved traces are recognized by this text.
    static constexpr std::string_view ended_early =
        "A launch ended before all its blocks did: counts and results are of what ran.";
    /// A note of a launch that the user cancelled: no other launch follows it.
    static constexpr std::string_view launch_cancelled =
        "The last launch was cancelled before all its blocks ended: counts and results are of what ran.";
    /// In a note of a launch that an exhausted budget ended, before the budget.
    static constexpr std::string_view step_limit = "step limit of";
    [[nodiscard]] bool is_cut_short() const;  ///< cancelled, or ended early
    std::vector<std::string> notes;  ///< deviations from the request, a sentence each: fewer blocks recorded, ...
    Detail detail = Detail::registers;
    bool cancelled = false;  ///< stopped by the user: it ends early
    bool running = false;    ///< the program still runs: more follows

    [[nodiscard]] std::size_t step_count() const { return steps_.size(); }
    [[nodiscard]] const Step& step(StepId id) const { return steps_[id.index()]; }
    [[nodiscard]] std::span<const Step> steps() const { return steps_; }
    [[nodiscard]] std::span<const Effect> effects(const Step& step) const {
        return std::span<const Effect>(effects_).subspan(step.first_effect, step.effect_count);
    }

    /// After: the value that a lane in `effect.lanes` wrote to a register (predicates: 0 or 1), or for memory effects
    /// element `element` of the lane's vector; for shuffles, the source lane. Before: memory's old value; for loads,
    /// the value read. For a register's old value see Cursor. Zero-extended to 64 bits.
    [[nodiscard]] std::uint64_t before(const Effect& effect, unsigned lane, unsigned element = 0) const;
    [[nodiscard]] std::uint64_t after(const Effect& effect, unsigned lane, unsigned element = 0) const;
    /// Byte address of a memory effect's lane: offset in the block's shared (the thread's local) memory, or the
    /// virtual address in global memory.
    [[nodiscard]] std::uint64_t address(const Effect& effect, unsigned lane) const;

    /// The shared arrays of the launch's kernel, a range of references into `shared_arrays`.
    [[nodiscard]] auto arrays_of(const Launch& launch) const {
        return std::views::filter(shared_arrays, [this, &launch](const SharedArray& array) {
            return launch.has_shared_array(static_cast<std::size_t>(&array - shared_arrays.data()));
        });
    }
    /// The same for a launch by its number; all arrays if there is no such launch.
    [[nodiscard]] auto arrays_of(std::uint32_t launch) const {
        static const Launch any;
        return arrays_of(launch < launches.size() ? launches[launch] : any);
    }

    [[nodiscard]] bool recorded(std::uint32_t launch, BlockId block) const;
    /// Whether all of the block's steps are there; of a block that is cut, the first ones are.
    [[nodiscard]] bool wholly_recorded(std::uint32_t launch, BlockId block) const {
        return recorded(launch, block) && launches[launch].cut != block;
    }
    [[nodiscard]] bool all_recorded() const;  ///< every block of every launch, from its first step to its last
    [[nodiscard]] std::uint64_t steps_of(std::uint32_t launch, BlockId block) const;
    [[nodiscard]] std::uint64_t blocks() const;  ///< of all launches, recorded or not
    [[nodiscard]] Counts totals() const;
    [[nodiscard]] const Buffer* buffer_at(std::uint64_t address) const;  ///< the buffer that holds a global address
    /// The name of the buffer in the kernel of the launch, as name_in().
    [[nodiscard]] const std::string& buffer_name(std::uint32_t launch, const Buffer& buffer) const;
    [[nodiscard]] std::uint64_t memory_bytes() const;  ///< the approximate size of this object
    /// Whether no kernel reads the host write, because it follows the last launch: replaying the launches omits it.
    [[nodiscard]] bool is_after_launches(const HostWrite& write) const { return write.launch >= launches.size(); }
    /// The position at which a host write happens.
    [[nodiscard]] std::size_t position_of(const HostWrite& write) const {
        return is_after_launches(write) ? step_count() : launches[write.launch].first_step.index();
    }

  private:
    friend class Writer;
    friend struct FileAccess;
    Pool<Step> steps_;
    Pool<Effect> effects_;
    Pool<std::uint32_t> narrow_;  ///< values of up to 4 bytes: of stores and atomics all befores, then all afters
    Pool<std::uint64_t> wide_;    ///< values of 8 bytes, likewise
    Pool<std::uint64_t> addresses_;
};

}  // namespace lanescope::trace
