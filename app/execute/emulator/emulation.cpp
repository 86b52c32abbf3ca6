#include "execute/emulator/emulation.h"

#include "base/grouped.h"
#include "execute/emulator/code.h"
#include "execute/emulator/emulation_notes.h"
#include "execute/emulator/faults.h"
#include "execute/emulator/grid.h"
#include "execute/emulator/host_buffers.h"
#include "execute/emulator/launch_check.h"
#include "execute/emulator/parallel.h"
#include "execute/emulator/variable_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

namespace lanescope::execute {

namespace {

/// The registers of all kernels in one list. Those of a called function are listed once, whichever kernels call it. The
/// first kernel's registers keep their names; the names of all others begin with their function's name.
class RegisterList {
  public:
    void add(Code& code) {
        const bool first = names_.empty();
        std::vector<std::uint32_t> places;
        for (trace::RegisterName& reg : code.registers) {
            const bool own = reg.name.find(':') == std::string::npos;
            if (own && !first) reg.name = code.kernel->name + ":" + reg.name;
            const auto [found, added] = places_.try_emplace(reg.name, static_cast<std::uint32_t>(names_.size()));
            if (added) names_.push_back(reg);
            places.push_back(found->second);
        }
        const auto move = [&](Destination& destination) {
            if (destination.reg.valid()) destination.reg = RegisterId(places[destination.reg.index()]);
        };
        std::for_each(code.destinations.begin(), code.destinations.end(), move);
        for (auto& callee : code.callees) std::for_each(callee.registers.begin(), callee.registers.end(), move);
    }

    [[nodiscard]] std::vector<trace::RegisterName> names() const { return names_; }

  private:
    std::vector<trace::RegisterName> names_;
    std::unordered_map<std::string, std::uint32_t> places_;
};

/// The bytes of the parameters, pointers filled in.
Region parameters_of(const ptx::Function& kernel, std::vector<trace::Argument>& arguments,
                     const std::vector<trace::Buffer>& buffers) {
    Region region(0, kernel.parameter_bytes);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        trace::Argument& argument = arguments[i];
        if (argument.buffer) {
            // If the value is already set, it is an address inside the buffer, not its start.
            const std::uint64_t address = buffers[*argument.buffer].address;
            const bool given = argument.value.size() == sizeof address;
            argument.value.resize(sizeof address);
            if (!given) std::memcpy(argument.value.data(), &address, sizeof address);
        }
        std::memcpy(region.data() + kernel.parameters[i].offset, argument.value.data(), argument.value.size());
    }
    return region;
}

/// Returns the indices of `more` in `all`, after adding those that it lacks.
std::vector<std::uint32_t> add_new(std::vector<trace::SharedArray>& all, const std::vector<trace::SharedArray>& more) {
    std::vector<std::uint32_t> numbers;
    for (const trace::SharedArray& array : more) {
        const auto found = std::ranges::find(all, array);
        numbers.push_back(static_cast<std::uint32_t>(found - all.begin()));
        if (found == all.end()) all.push_back(array);
    }
    return numbers;
}

}  // namespace

class Emulation::State {
  public:
    State(const ptx::Module& module, trace::Origin origin, const model::BankModel& banks, const Limits& limits,
          ReplaySource* replay)
        : module_(module),
          banks_(banks),
          limits_(limits),
          replay_(replay),
          memory_(limits.gap),
          writer_(std::move(origin)),
          buffers_(module, memory_, writer_),
          heap_(memory_),
          faults_(writer_, memory_, heap_, limits.max_findings),
          budget_(limits.warp_instructions),
          schedule_(limits.schedule) {
        if (!limits_.record_registers) trace().detail = trace::Detail::accesses;
        if (limits_.schedule.given()) trace().schedule = text_of(limits_.schedule);
        done_.total = 0;
    }

    [[nodiscard]] trace::Trace& trace() { return writer_.trace(); }
    Faults& faults() { return faults_; }
    [[nodiscard]] const Heap& heap() const { return heap_; }
    [[nodiscard]] const std::vector<AccessedBytes::Span>& accessed() const { return accessed_; }
    BlocksDone& done() { return done_; }
    HostBuffers& buffers() { return buffers_; }

    /// The code of the launch's kernel, decoded once.
    Result<const Code*> prepare(const LaunchRequest& request) {
        const Result<const ptx::Function*> kernel = check_launch(module_, request, trace().buffers);
        if (!kernel) return std::unexpected(kernel.error());
        if (!codes_.contains(*kernel)) {
            Result<Code> code = decode(module_, **kernel, buffers_.addresses());
            if (!code) return std::unexpected(std::move(code.error()));
            registers_.add(*code);
            trace().registers = registers_.names();
            codes_.emplace(*kernel, std::move(*code));
        }
        Code& code = codes_.at(*kernel);
        // If no function has a stack, there is none to enlarge.
        if (code.local_bytes > code.stack)
            code.local_bytes =
                code.stack + std::max(request.stack_bytes, model::emulated_device().stack_bytes_per_thread);
        if (limits_.multiprocessors) {
            const Result<void> fits = check_size(*code.kernel, request, *limits_.multiprocessors->device);
            if (!fits) return std::unexpected(fits.error());
        }
        const std::uint64_t resident = Grid::places_of(code, request, limits_).places();
        if (code.cooperates && request.grid.count() > resident) {
            return fail(fmt::format("kernel {} calls grid.sync(), but its {} of {} cannot all be "
                                    "resident (cudaErrorCooperativeLaunchTooLarge)",
                                    request.kernel, counted(request.grid.count(), "block"),
                                    counted(request.block.count(), "thread")),
                        {},
                        fmt::format("At most {} such blocks are resident on the emulated device. Launch fewer blocks "
                                    "with a grid-stride loop.",
                                    grouped(resident)));
        }
        return &code;
    }

    Result<End> launch(const LaunchRequest& request, const Recording& recording, Progress& progress) {
        const Result<const Code*> prepared = prepare(request);
        if (!prepared) return std::unexpected(prepared.error());
        const Code& code = **prepared;
        for (const HostWrite& write : request.writes) buffers_.write_by_host(write);
        buffers_.take_initials();
        if (done_.blocks + request.grid.count() > done_.total) done_.total = done_.blocks + request.grid.count();
        progress.report(static_cast<float>(done_.blocks) / static_cast<float>(done_.total));

        const auto number = static_cast<std::uint32_t>(trace().launches.size());
        trace::Launch launch = begin(request, code);
        Region parameters = parameters_of(*code.kernel, launch.arguments, trace().buffers);
        const std::vector<trace::SharedArray> arrays =
            shared_arrays(module_, *code.kernel, code.shared_variables, request.dynamic_shared_bytes);
        launch.shared_arrays = add_new(trace().shared_arrays, arrays);
        if (limits_.runner != nullptr) return run_elsewhere(std::move(launch));
        if (limits_.multiprocessors)
            note_missing_blocks(trace(), number, limits_.multiprocessors->order, request.grid.count());
        faults_.begin_launch(number, code, launch, arrays, request.out_of_reach);
        if (code.cooperates && request.ordinary) faults_.without_grid_barrier();
        writer_.begin_launch(std::move(launch));

        AccessCheck check(code, faults_);
        LaunchState state{.code = code,
                          .global = memory_,
                          .parameters = parameters,
                          .faults = faults_,
                          .writer = writer_,
                          .check = check,
                          .heap = heap_,
                          .costs = costs_of(code),
                          .epochs = {},
                          .runs = block_runs(),
                          .replay = replay_,
                          .number = number,
                          .schedule = schedule_.begin_launch(number, code) ? &schedule_ : nullptr};
        if (replay_ == nullptr && std::ranges::find(code.micros, Kind::clock, &Micro::kind) != code.micros.end())
            note_once(trace(),
                      "clock(), clock64() and %globaltimer count a warp's own instructions here, not cycles of a GPU.");
        std::optional<StaleReads> stale;
        if (state.schedule != nullptr) {
            std::vector<Hold> loads = schedule_.stale_loads();
            if (!loads.empty()) state.stale = &stale.emplace(std::move(loads), check);
        }
        std::optional<AccessedBytes> accessed;
        if (request.notes_accesses) state.accessed = &accessed.emplace(memory_);
        // The counter of grid.sync(): zero when a launch begins.
        const std::uint64_t workspace =
            code.cooperates && !request.ordinary ? memory_.add(GridBarrier::bytes).base() : 0;
        const std::uint64_t recorded = writer_.bytes();
        const auto left = static_cast<double>(limits_.record_bytes - std::min(recorded, limits_.record_bytes));
        const std::uint64_t record_bytes = recorded + static_cast<std::uint64_t>(left * recording.share);
        running_ = &state;
        const std::uint64_t blocks = recorded <= recording.where_below ? recording.blocks : 0;
        const Grid::End end =
            run_blocks(state, request, workspace, {blocks, record_bytes}, progress, recording.recorded);
        running_ = nullptr;
        if (stale) schedule_.add_stale_loads(stale->times());
        accessed_ = accessed ? accessed->spans() : std::vector<AccessedBytes::Span>{};
        check.end_launch();
        writer_.end_launch();
        trace().launches.back().atomics_at_one_word = state.atomics.most();
        trace().counts.emplace_back(state.epochs.begin(), state.epochs.end());
        if (state.epochs.size() == most_epochs)
            note_once(trace(), fmt::format("The rest of a block after its barrier number {} is counted as one pass.",
                                           grouped(most_epochs)));
        if (state.cut || blocks < limits_.record_blocks) cuts_.see(trace(), limits_.record_blocks);
        trace().cancelled = trace().cancelled || end == Grid::End::cancelled;
        if (end == Grid::End::cancelled) note_once(trace(), trace::Trace::launch_cancelled);
        if (state.out_of_memory)
            note_once(trace(), fmt::format("A launch was stopped: {}. Choose a smaller problem size.",
                                           memory_cap_reached(limits_.memory_bytes)));
        if (end == Grid::End::stopped && !trace().is_cut_short()) trace().notes.emplace_back(trace::Trace::ended_early);
        return end == Grid::End::complete ? End::complete : end == Grid::End::cancelled ? End::cancelled : End::stopped;
    }

    void end_launches() {
        if (!std::exchange(ended_, true)) faults_.finish();
    }

    std::shared_ptr<const trace::Trace> finish() {
        end_launches();
        cuts_.add_notes(trace(), limits_.record_bytes);
        make_notes_of_budgets(trace());
        for (std::string& note : schedule_.notes()) trace().notes.push_back(std::move(note));
        buffers_.finish();
        return writer_.finish();
    }

    [[nodiscard]] std::shared_ptr<trace::Trace> snapshot() {
        auto copy = std::make_shared<trace::Trace>(trace());
        copy->running = true;
        if (running_ != nullptr) {
            copy->launches.back().past_last_step = StepId(static_cast<std::uint32_t>(copy->step_count()));
            copy->counts.emplace_back(running_->epochs.begin(), running_->epochs.end());
        }
        buffers_.fill_in(*copy);
        return copy;
    }

  private:
    Result<End> run_elsewhere(trace::Launch launch) {
        done_.blocks += launch.grid.count();
        writer_.begin_launch(std::move(launch));
        writer_.end_launch();
        trace().counts.emplace_back();
        const Result<void> done = limits_.runner->run(module_, trace(), buffers_.mirrored());
        if (!done) return std::unexpected(done.error());
        return End::complete;
    }

    struct Room {
        std::uint64_t blocks, bytes;
    };
    /// Runs the first blocks on one thread, and the others on several threads if the result is the same, else on one,
    /// too.
    Grid::End run_blocks(LaunchState& state, const LaunchRequest& request, std::uint64_t workspace, Room to_record,
                         Progress& progress, const std::function<void()>& recorded) {
        const std::uint64_t blocks = request.grid.count();
        const std::uint64_t first = std::min(std::max<std::uint64_t>(to_record.blocks, 1), blocks);
        const bool any_order = !limits_.multiprocessors || limits_.multiprocessors->order.usual();
        const bool parallel = replay_ == nullptr && any_order && state.schedule == nullptr &&
                              may_run_in_parallel(state.code, limits_, blocks - first);
        const auto alone = [&](std::uint64_t from, std::uint64_t past_last) {
            const BlockRange range{.first = from, .past_last = past_last, .recorded = to_record.blocks};
            return Grid(state, request, limits_, range, workspace, to_record.bytes, budget_).run(progress, done_);
        };
        Grid::End end = alone(0, parallel ? first : blocks);
        if (end != Grid::End::complete || !parallel) return end;
        if (recorded) recorded();
        end = run_in_parallel(state, request, limits_, first, blocks, budget_, progress, done_);
        return end == Grid::End::stopped ? alone(first, blocks) : end;
    }

    trace::Launch begin(const LaunchRequest& request, const Code& code) const {
        trace::Launch launch;
        launch.kernel = code.kernel->name;
        launch.grid = request.grid;
        launch.block = request.block;
        launch.dynamic_shared_bytes = request.dynamic_shared_bytes;
        const bool dynamic = request.dynamic_shared_bytes > 0;
        launch.static_shared_bytes = dynamic ? code.kernel->dynamic_shared_offset : code.kernel->shared_bytes;
        launch.arguments = request.arguments;
        launch.stack_bytes = request.stack_bytes;
        if (limits_.multiprocessors) launch.residency = Grid::places_of(code, request, limits_);
        return launch;
    }

    std::vector<AccessCost> costs_of(const Code& code) const {
        std::vector<AccessCost> costs;
        costs.reserve(code.accesses.size());
        for (const MemoryAccess& access : code.accesses) {
            costs.emplace_back(access.access, unsigned{access.bytes} * access.elements, banks_);
        }
        return costs;
    }

    /// The blocks of the launch that has just begun; empty if the program has too many blocks to keep what each
    /// executed.
    std::span<trace::BlockRun> block_runs() {
        constexpr std::uint64_t most = std::uint64_t{1} << 22;
        trace::Launch& launch = trace().launches.back();
        if (launch.grid.count() > most - block_runs_) return {};
        block_runs_ += launch.grid.count();
        launch.blocks.resize(launch.grid.count());
        return launch.blocks;
    }

    const ptx::Module& module_;
    model::BankModel banks_;
    Limits limits_;
    ReplaySource* replay_;
    GlobalMemory memory_;
    std::map<const ptx::Function*, Code> codes_;
    RegisterList registers_;
    trace::Writer writer_;
    HostBuffers buffers_;
    Heap heap_;
    Faults faults_;
    std::uint64_t budget_;
    ScheduleControl schedule_;
    std::uint64_t block_runs_ = 0;  // kept, of all launches
    RecordCuts cuts_;
    BlocksDone done_;
    bool ended_ = false;
    std::vector<AccessedBytes::Span> accessed_;  ///< by the last launch
    const LaunchState* running_ = nullptr;       ///< the launch in progress
};

Emulation::Emulation(const ptx::Module& module, trace::Origin origin, const model::BankModel& banks,
                     const Limits& limits, ReplaySource* replay)
    : state_(std::make_unique<State>(module, std::move(origin), banks, limits, replay)) {}
Emulation::~Emulation() = default;

Result<std::uint32_t> Emulation::add(trace::Buffer buffer) { return state_->buffers().add(std::move(buffer)); }
std::uint32_t Emulation::add(trace::Buffer buffer, const OwnedMemory& memory) {
    return state_->buffers().add(std::move(buffer), memory);
}
Result<void> Emulation::place_variables(const std::optional<OwnedMemory>& memory,
                                        std::span<const std::uint64_t> known) {
    return state_->buffers().place_variables(memory, known);
}
std::optional<std::uint32_t> Emulation::variable(std::size_t index) const { return state_->buffers().variable(index); }
void Emulation::write_by_host(const HostWrite& write) { state_->buffers().write_by_host(write); }
void Emulation::written_by_host(const WrittenByHost& write) { state_->buffers().written_by_host(write); }
std::uint64_t Emulation::unwritten(std::uint32_t buffer, std::uint64_t offset, std::uint64_t bytes) const {
    return state_->buffers().unwritten(buffer, offset, bytes);
}
bool Emulation::records_write(std::uint32_t buffer, std::uint64_t bytes) const {
    return state_->buffers().records_write(buffer, bytes);
}
void Emulation::release(std::uint32_t buffer) { state_->buffers().release(buffer); }
Result<void> Emulation::prepare(const LaunchRequest& request) {
    const auto prepared = state_->prepare(request);
    if (!prepared) return std::unexpected(prepared.error());
    return {};
}
Result<Emulation::End> Emulation::launch(const LaunchRequest& request, const Recording& recording, Progress& progress) {
    return state_->launch(request, recording, progress);
}
void Emulation::expect_blocks(std::uint64_t total) { state_->done().total = total; }
void Emulation::end_launches() { state_->end_launches(); }
std::shared_ptr<trace::Trace> Emulation::snapshot() const { return state_->snapshot(); }
std::vector<Heap::Leak> Emulation::heap_leaks() const { return state_->heap().leaks(); }
const std::vector<AccessedBytes::Span>& Emulation::accessed() const { return state_->accessed(); }
bool Emulation::left_mapped_memory() const { return state_->faults().left_mapped_memory(); }

std::optional<Overreach> Emulation::reach_of(std::uint32_t buffer) const {
    const auto& reached = state_->faults().reached();
    const auto found = reached.find(state_->trace().buffers[buffer].address);
    if (found == reached.end()) return std::nullopt;
    return found->second;
}
void Emulation::withdraw(const std::function<bool(const trace::Finding&, bool from_data)>& wrong) {
    state_->faults().withdraw(wrong);
}
trace::Trace& Emulation::trace() { return state_->trace(); }
std::shared_ptr<const trace::Trace> Emulation::finish() { return state_->finish(); }

}  // namespace lanescope::execute
