// The walk through a trace that finds the parents of each value: it fills a Provenance.
#pragma once

#include "analysis/dataflow/call_frames.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/dataflow/memory_history.h"
#include "analysis/dataflow/provenance.h"

#include <array>
#include <memory>
#include <optional>
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
    /// The state of a recorded block.
    struct BlockState {
        std::vector<ValueId> registers;     ///< by warp, then register, then lane
        std::vector<LaneMask> exited;       ///< by warp
        std::vector<MemoryHistory> local;   ///< by thread; empty until one is used
        std::vector<MemoryHistory> passed;  ///< by thread, the parameters and results of calls; likewise
        std::vector<CallFrames> calls;      ///< by thread; only of programs that restore registers
        MemoryHistory* shared = nullptr;
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
    void collect(const Place& place, trace::Space space, unsigned bytes);
    ValueId given_contents(std::uint32_t buffer, std::uint64_t offset, std::uint32_t host_writes);
    ValueId first_contents(const Place& place, trace::Space space, std::uint64_t offset, unsigned bytes);

    void begin_value(TracedValue::Kind kind, unsigned lane, unsigned bytes, std::uint64_t bits);
    bool take(ValueId parent);
    void take_read(std::uint32_t slot);
    void end_value(unsigned input_dependent);
    [[nodiscard]] ValueId held(RegisterId reg, unsigned lane) const;
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
