// The walk through a trace that finds the parents of each value: it fills a Provenance.
#pragma once

#include "analysis/dataflow/branch_regions.h"
#include "analysis/dataflow/call_frames.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/dataflow/memory_history.h"
#include "analysis/dataflow/provenance.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanescope::analysis {

/// The parts of the walk that later questions need: the code, and every memory's history.
struct Provenance::Index {
    Index(const ptx::Module& of_code, std::shared_ptr<const trace::Trace> of)
        : module(of_code), instructions(of_code, of->registers), trace(std::move(of)) {}

    const ptx::Module& module;
    InstructionTable instructions;
    std::shared_ptr<const trace::Trace> trace;
    std::vector<MemoryHistory> shared;        ///< one a recorded block, launch by launch
    std::vector<std::uint32_t> first_shared;  ///< by launch: its first block in `shared`
    std::vector<MemoryHistory> buffers;       ///< as Trace::buffers, by offset in the buffer
};

/// One pass forward over the steps: each lane keeps the value that every register holds, each memory has a history.
/// Then one pass back over the values, from the final contents of the output buffers: it sets
/// TracedValue::reaches_output.
class DataFlow {
  public:
    DataFlow(const trace::Trace& trace, Provenance& provenance, Provenance::Index& index);
    void run();

  private:
    /// What is 0 on one way and 1 on the other, and written on this one.
    struct Flags {
        std::vector<RegisterId> registers;
        bool cells = false;
    };
    /// Which way a lane took at its latest branch on a condition of data, until the ways meet.
    struct Way {
        ValueId test;                             ///< the comparison of two values of the data; invalid: another one
        const ptx::Function* function = nullptr;  ///< null: on no such way
        std::uint32_t past = ptx::no_instruction;
        bool once = false;  ///< no loop
        Flags flags;
    };
    /// The latest comparison of a lane, and the two values as they were first made.
    struct Comparison {
        ValueId test, first, second;
        [[nodiscard]] bool is_of(ValueId one, ValueId other) const {
            return test.valid() && ((first == one && second == other) || (first == other && second == one));
        }
    };
    struct LaneState {
        std::vector<Way> ways;  ///< from the outermost in
        Comparison latest;
    };
    /// The state of a recorded block.
    struct BlockState {
        std::vector<ValueId> registers;     ///< by warp, then register, then lane
        std::vector<LaneMask> exited;       ///< by warp
        std::vector<MemoryHistory> local;   ///< by thread; empty until one is used
        std::vector<MemoryHistory> passed;  ///< by thread, the parameters and results of calls; likewise
        std::vector<CallFrames> calls;      ///< by thread; only of programs that restore registers
        MemoryHistory* shared = nullptr;
        std::vector<LaneState> lanes;           ///< by thread; empty until one branches on data
        std::vector<std::uint32_t> reductions;  ///< by warp: bar.red instructions so far
        std::vector<ValueId> reduced;           ///< the result of each
    };
    /// What a value stands for, where it is a copy of another, and what made it so.
    struct Lineage {
        ValueId root;       ///< the value that it is a copy of; invalid: itself
        ValueId test;       ///< of a predicate or a flag: the comparison of two values whose outcome it is
        ValueId chosen_by;  ///< of an address: the comparison that chose it
        ValueId kept_by;    ///< the comparison that decided that it stays
        const MemoryHistory* loaded_from = nullptr;
        bool literal = false;      ///< a number that the code names
        bool conditional = false;  ///< a predicate or a flag: a condition on the data decides it
        bool flag = false;         ///< 0 or 1 by a condition on the data, or a sum of such
    };
    /// A byte range of one memory, or of an unknown one.
    struct Place {
        MemoryHistory* memory = nullptr;
        std::uint64_t offset = 0;
        const trace::Buffer* buffer = nullptr;  ///< of global memory
    };

    /// What the host does until that launch begins.
    void follow_host(std::uint32_t launch);
    void mark_host_read(const trace::HostStep& step);
    /// Stored by a kernel, or a copy of it by the host.
    [[nodiscard]] bool is_result(ValueId id) const;
    void mark_read_by_others();
    void mark_outputs();

    void begin_launch(std::uint32_t launch);
    void write_by_host(std::uint32_t number);
    void copy_by_host(std::uint32_t number);
    [[nodiscard]] BlockState* state_of(const trace::Step& step);
    void follow(std::size_t number);

    void read(const trace::Effect& access);
    void read_copied(std::span<const trace::Effect> effects);
    void store(const trace::Effect& store);
    void keep_result_of_launch(const Place& place);
    void apply(const trace::Effect& atomic);
    void write_registers(const trace::Effect& write, const trace::Effect* shuffle);
    void update_registers(const trace::Effect& write, std::uint32_t first);
    void call(LaneMask lanes);
    void return_from_call(LaneMask lanes);
    [[nodiscard]] CallFrames& calls_of(unsigned lane) { return block_->calls[std::size_t{warp_} * warp_size + lane]; }

    [[nodiscard]] Place place_of(const trace::Effect& access, std::uint64_t address, unsigned element, unsigned lane);
    [[nodiscard]] Place place_at(trace::Space space, std::uint64_t address, unsigned bytes, unsigned lane);
    void collect(const Place& place, trace::Space space, unsigned bytes);
    ValueId given_contents(std::uint32_t buffer, std::uint64_t offset, std::uint32_t host_writes);
    ValueId first_contents(const Place& place, trace::Space space, std::uint64_t offset, unsigned bytes);

    void begin_value(TracedValue::Kind kind, unsigned lane, unsigned bytes, std::uint64_t bits);
    bool take(ValueId parent);
    void take_read(std::uint32_t slot);
    void end_value(unsigned input_dependent);
    [[nodiscard]] ValueId held(RegisterId reg, unsigned lane) const;

    // Comparisons that decide which value stays (data_flow_decisions.cpp, data_flow_ways.cpp), and sums of flags
    // (data_flow_flags.cpp).
    [[nodiscard]] const Lineage& lineage(ValueId id) const;
    Lineage& lineage_of(ValueId id);
    [[nodiscard]] ValueId root(ValueId id) const;
    [[nodiscard]] bool is_data_condition(ValueId id) const;
    [[nodiscard]] LaneState& lane_state(unsigned lane);
    [[nodiscard]] Way way_of(unsigned lane) const;
    void decide_by(ValueId id, ValueId test);
    [[nodiscard]] bool is_literal_flag(ValueId id) const;
    [[nodiscard]] std::array<ValueId, 2> compared_by(ValueId test) const;
    void follow_extreme(ValueId id, unsigned lane);
    void follow_chosen_load(ValueId id, unsigned lane);
    void confirm(ValueId test);
    void follow_register(const trace::Effect& write, unsigned lane);
    void follow_predicate(ValueId id, unsigned lane);
    void follow_selection(ValueId id, unsigned lane);
    void follow_copy(ValueId id);
    void follow_stored(ValueId id, unsigned lane);
    void follow_vote(ValueId id, unsigned lane);
    void count_votes(ValueId id, unsigned lane);
    void add_flags(unsigned lane);
    void follow_branch(const trace::Step& step);
    void follow_guard(const trace::Step& step);
    void leave_ways(const trace::Step& step);
    void learn_address(ValueId id, unsigned lane);
    /// What one way of a branch would write for a lane, found without executing it.
    struct Moves {
        bool first = false, second = false;  ///< a copy of the first, or the second, compared value
        bool replaces = false;               ///< in place of one of them, or in the memory that it came from
        std::vector<ValueId> replaced;       ///< what would be overwritten in memory
        std::vector<ValueId> flag_cells;     ///< those of them that are 0 and become 1, or the other way round
        std::vector<std::pair<RegisterId, std::optional<std::uint64_t>>> written;  ///< merged registers; a literal
    };
    class WayReader;
    void mark_conditional(ValueId id, ValueId test);
    void mark_flag(ValueId id, ValueId test);
    Flags decide(unsigned lane, ValueId predicate, const std::array<std::span<const std::uint32_t>, 2>& ways,
                 std::span<const RegisterId> not_written, bool second_taken, bool once);
    [[nodiscard]] bool begins_with_zero(const Place& place) const;
    void finish_operations();
    [[nodiscard]] unsigned chosen(unsigned lane) const;

    const trace::Trace& trace_;
    Provenance& out_;
    Provenance::Index& index_;

    bool keeps_results_ = false;  ///< keep_result_of_launch
    std::uint32_t launch_ = 0;
    std::size_t register_count_ = 0;
    std::size_t warps_ = 0;
    std::vector<BlockState> blocks_;  ///< as Launch::recorded
    std::size_t last_block_ = 0, last_buffer_ = 0;
    bool restores_ = false;          ///< some function calls itself, and returns
    std::uint32_t host_writes_ = 0;  ///< of the trace, so far
    std::size_t host_steps_ = 0;     ///< the same

    // The step being followed.
    StepId step_;
    LaneMask executed_;
    const InstructionInfo* line_ = nullptr;
    std::span<const RegisterId> data_;
    BlockState* block_ = nullptr;
    ValueId* registers_ = nullptr;  ///< of the step's warp: by register, then lane
    unsigned warp_ = 0;
    unsigned passed_operands_ = 0;  ///< of the newest value: input-dependent or passed on
    unsigned flag_operands_ = 0;    ///< of the newest value: Lineage::flag
    bool other_operands_ = false;   ///< of the newest value: input data that is no flag, nor a 0 of the host

    std::vector<Lineage> lineages_;                           ///< by value; those beyond the end are of new values
    std::unordered_map<std::uint32_t, std::uint32_t> votes_;  ///< a value of ballots: the lanes whose bits are in it
    BranchRegions regions_;
    const MemoryHistory* loaded_from_ = nullptr;  ///< the memory that the step reads
    bool branched_ = false;                       ///< some lane took a way of a branch on data
    std::map<std::pair<const ptx::Function*, std::uint64_t>, std::uint64_t> symbols_;  ///< addresses of variables
    std::optional<std::uint64_t> shared_window_, local_window_;  ///< where they begin among generic addresses

    /// The values that the step's loads, atomics and copies read from memory: those of element e of lane l begin at
    /// read_[reads_[e * 32 + l]]. An element of a copy is one of those that it stores.
    struct Found {
        std::uint32_t first = 0, count = 0;
    };
    static constexpr unsigned max_elements = 8;
    std::vector<ValueId> read_;
    std::array<Found, max_elements * warp_size> reads_{};
};

}  // namespace lanescope::analysis
