#include "execute/emulator/emulation.h"

#include "base/grouped.h"
#include "execute/emulator/code.h"
#include "execute/emulator/faults.h"
#include "execute/emulator/grid.h"
#include "execute/emulator/launch_check.h"
#include "execute/emulator/parallel.h"
#include "execute/emulator/placement.h"
#include "execute/emulator/variable_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <map>
#include <unordered_map>
#include <utility>

namespace lanescope::execute {

namespace {

/// The registers of all kernels in one list. A function's stand in it once, whichever kernels call it; the first
/// kernel's have their own names, those of everything else say whose they are.
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
            // Where the value is given already, it is an address in the buffer, not its first one.
            const std::uint64_t address = buffers[*argument.buffer].address;
            const bool given = argument.value.size() == sizeof address;
            argument.value.resize(sizeof address);
            if (!given) std::memcpy(argument.value.data(), &address, sizeof address);
        }
        std::memcpy(region.data() + kernel.parameters[i].offset, argument.value.data(), argument.value.size());
    }
    return region;
}

/// Their numbers in `all`, to which those are added that it lacks.
std::vector<std::uint32_t> add_new(std::vector<trace::SharedArray>& all, const std::vector<trace::SharedArray>& more) {
    std::vector<std::uint32_t> numbers;
    for (const trace::SharedArray& array : more) {
        const auto found = std::ranges::find(all, array);
        numbers.push_back(static_cast<std::uint32_t>(found - all.begin()));
        if (found == all.end()) all.push_back(array);
    }
    return numbers;
}

/// Host writes that are recorded, before and after together.
constexpr std::uint64_t most_written_bytes = std::uint64_t{256} << 20;

constexpr std::string_view contents_dropped =
    "The contents of large buffers that are freed before a kernel accesses them are not kept: Memory shows zeros.";

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

    Result<std::uint32_t> add(trace::Buffer buffer) {
        const Result<void> placed = place(buffer, memory_);
        if (!placed) return std::unexpected(placed.error());
        return listed(std::move(buffer), {});
    }

    std::uint32_t add(trace::Buffer buffer, const OwnedMemory& owned) {
        memory_.add_owned(owned.address, buffer.bytes, owned.bytes, Region::Input::none);
        buffer.address = owned.address;
        return listed(std::move(buffer), {.fresh = true, .filled = owned.filled});
    }

    Result<void> place_variables(const std::optional<OwnedMemory>& owned, std::span<const std::uint64_t> known) {
        Result<PlacedVariables> placed = execute::place_variables(module_, memory_, owned, known);
        if (!placed) return std::unexpected(placed.error());
        addresses_ = std::move(placed->addresses);
        first_variable_ = trace().buffers.size();
        variables_ = placed->buffers.size();
        for (trace::Buffer& buffer : placed->buffers) {
            listed(std::move(buffer), {.fresh = owned.has_value(), .filled = owned ? owned->filled : nullptr});
        }
        return {};
    }

    [[nodiscard]] std::optional<std::uint32_t> variable(std::size_t index) {
        const std::uint64_t address = index < addresses_.size() ? addresses_[index] : 0;
        const auto buffer = std::ranges::find(trace().buffers, address, &trace::Buffer::address);
        if (address == 0 || buffer == trace().buffers.end()) return std::nullopt;
        return static_cast<std::uint32_t>(buffer - trace().buffers.begin());
    }

    void write_by_host(const HostWrite& write) {
        const trace::Buffer& buffer = trace().buffers[write.buffer];
        assert(write.offset + write.bytes.size() <= buffer.bytes);
        std::byte* const place = memory_.bytes_of_buffer(buffer.address) + write.offset;
        if (records_write(write.buffer, write.bytes.size()))
            record(write.buffer, write.offset, write.source_line, {place, write.bytes.size()}, write.bytes);
        else if (!states_[write.buffer].fresh)
            note_once(host_writes_dropped);
        std::ranges::copy(write.bytes, place);
        mark_input(buffer, write.offset, write.bytes.size());
    }

    void written_by_host(const WrittenByHost& write) {
        const trace::Buffer& buffer = trace().buffers[write.buffer];
        assert(write.offset + write.bytes <= buffer.bytes);
        const std::byte* const place = memory_.bytes_of_buffer(buffer.address) + write.offset;
        if (!states_[write.buffer].fresh) {
            if (records_write(write.buffer, write.bytes) && write.before.size() == write.bytes)
                record(write.buffer, write.offset, write.source_line, write.before, {place, write.bytes}, write.source);
            else
                note_once(host_writes_dropped);
        }
        const std::uint64_t pitch = write.pitch != 0 ? write.pitch : write.bytes;
        const std::uint64_t width = write.pitch != 0 ? write.width : write.bytes;
        for (std::uint64_t row = 0; row < write.bytes; row += pitch)
            mark_input(buffer, write.offset + row, std::min(width, write.bytes - row));
    }

    [[nodiscard]] std::uint64_t unwritten(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes) {
        std::uint64_t count = 0;
        const trace::Buffer& buffer = trace().buffers[index];
        memory_.for_each_region(buffer.address, buffer.bytes, [&](const Region& region, std::uint64_t at) {
            const std::uint64_t begin = std::max(at, offset), end = std::min(at + region.bytes(), offset + bytes);
            if (begin < end && region.begins_unwritten()) count += region.count_unwritten(begin - at, end - begin);
        });
        return count;
    }

    [[nodiscard]] bool records_write(std::uint32_t index, std::uint64_t bytes) const {
        return !states_[index].fresh && bytes <= (most_written_bytes - written_bytes_) / 2;
    }

    void release(std::uint32_t index) {
        trace::Buffer& buffer = trace().buffers[index];
        bool accessed = states_[index].mirrored;
        memory_.for_each_region(buffer.address, buffer.bytes,
                                [&](const Region& region, std::uint64_t) { accessed |= region.accessed(); });
        constexpr std::uint64_t small = std::uint64_t{1} << 20;
        if (accessed || buffer.bytes <= small) {
            take_initial(index);
            take_final(index);
        } else {
            note_once(contents_dropped);
            states_[index].fresh = false;
            buffer.initial.clear();
            buffer.final.clear();
        }
        memory_.give_up(buffer.address, buffer.bytes);
        states_[index].released = true;
    }

    /// The code of the launch's kernel, decoded once.
    Result<const Code*> prepare(const LaunchRequest& request) {
        const Result<const ptx::Function*> kernel = check_launch(module_, request, trace().buffers);
        if (!kernel) return std::unexpected(kernel.error());
        if (!codes_.contains(*kernel)) {
            Result<Code> code = decode(module_, **kernel, addresses_);
            if (!code) return std::unexpected(std::move(code.error()));
            registers_.add(*code);
            trace().registers = registers_.names();
            codes_.emplace(*kernel, std::move(*code));
        }
        Code& code = codes_.at(*kernel);
        // Where no function has a stack, there is none to enlarge.
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
        for (const HostWrite& write : request.writes) write_by_host(write);
        take_initials();
        if (done_.blocks + request.grid.count() > done_.total) done_.total = done_.blocks + request.grid.count();
        progress.report(static_cast<float>(done_.blocks) / static_cast<float>(done_.total));

        const auto number = static_cast<std::uint32_t>(trace().launches.size());
        trace::Launch launch = begin(request, code);
        Region parameters = parameters_of(*code.kernel, launch.arguments, trace().buffers);
        const std::vector<trace::SharedArray> arrays =
            shared_arrays(module_, *code.kernel, code.shared_variables, request.dynamic_shared_bytes);
        launch.shared_arrays = add_new(trace().shared_arrays, arrays);
        if (limits_.runner != nullptr) return run_elsewhere(std::move(launch));
        if (limits_.multiprocessors) note_missing_blocks(number, request.grid.count());
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
            note_once("clock(), clock64() and %globaltimer count a warp's own instructions here, not cycles of a GPU.");
        std::optional<AccessedBytes> accessed;
        if (request.notes_accesses) state.accessed = &accessed.emplace(memory_);
        // The counter of grid.sync(): zero when a launch begins.
        const std::uint64_t workspace =
            code.cooperates && !request.ordinary ? memory_.add(GridBarrier::bytes).base() : 0;
        const std::uint64_t recorded = writer_.bytes();
        const auto left = static_cast<double>(limits_.record_bytes - std::min(recorded, limits_.record_bytes));
        const std::uint64_t record_bytes = recorded + static_cast<std::uint64_t>(left * recording.share);
        running_ = &state;
        const Grid::End end =
            run_blocks(state, request, workspace, {recording.blocks, record_bytes}, progress, recording.recorded);
        running_ = nullptr;
        accessed_ = accessed ? accessed->spans() : std::vector<AccessedBytes::Span>{};
        check.end_launch();
        writer_.end_launch();
        trace().launches.back().atomics_at_one_word = state.atomics.most();
        trace().counts.emplace_back(state.epochs.begin(), state.epochs.end());
        if (state.epochs.size() == most_epochs)
            note_once(fmt::format("The rest of a block after its barrier number {} is counted as one pass.",
                                  grouped(most_epochs)));
        if (state.cut || recording.blocks < limits_.record_blocks) note_cut();
        trace().cancelled = trace().cancelled || end == Grid::End::cancelled;
        if (end == Grid::End::cancelled) note_once(trace::Trace::launch_cancelled);
        if (state.out_of_memory)
            note_once(fmt::format("A launch was stopped: {}. Choose a smaller problem size.",
                                  memory_cap_reached(limits_.memory_bytes)));
        if (end == Grid::End::stopped && !trace().is_cut_short()) trace().notes.emplace_back(trace::Trace::ended_early);
        return end == Grid::End::complete ? End::complete : end == Grid::End::cancelled ? End::cancelled : End::stopped;
    }

    void end_launches() {
        if (!std::exchange(ended_, true)) faults_.finish();
    }

    std::shared_ptr<const trace::Trace> finish() {
        end_launches();
        add_notes_on_cuts();
        make_notes_of_budgets();
        for (std::string& note : schedule_.notes()) trace().notes.push_back(std::move(note));
        take_initials();
        for (std::uint32_t i = 0; i < states_.size(); ++i) {
            if (!states_[i].released) take_final(i);
        }
        move_variables_last(trace());
        return writer_.finish();
    }

    [[nodiscard]] std::shared_ptr<trace::Trace> snapshot() {
        auto copy = std::make_shared<trace::Trace>(trace());
        copy->running = true;
        if (running_ != nullptr) {
            copy->launches.back().past_last_step = StepId(static_cast<std::uint32_t>(copy->step_count()));
            copy->counts.emplace_back(running_->epochs.begin(), running_->epochs.end());
        }
        for (std::uint32_t i = 0; i < states_.size(); ++i) {
            trace::Buffer& buffer = copy->buffers[i];
            if (states_[i].released) continue;
            const SparseBytes now(buffer.initial, bytes_of(buffer), filled_of(i, 0, buffer.bytes));
            if (states_[i].fresh) buffer.initial = now;
            buffer.final = now;
        }
        move_variables_last(*copy);
        return copy;
    }

  private:
    /// The state of a buffer.
    struct BufferState {
        bool fresh = false;     ///< `initial` is what the next launch finds
        bool released = false;  ///< freed by the host
        bool mirrored = false;  ///< a BlockRunner had it, and may have accessed it
        std::function<std::vector<ByteRun>(std::uint64_t, std::uint64_t)> filled = {};
    };

    std::uint32_t listed(trace::Buffer buffer, BufferState state) {
        trace().buffers.push_back(std::move(buffer));
        if (state.fresh) fresh_.push_back(static_cast<std::uint32_t>(states_.size()));
        states_.push_back(std::move(state));
        return static_cast<std::uint32_t>(states_.size() - 1);
    }

    /// The parts of [offset, offset + bytes) that may be other than zero, from `offset` on.
    [[nodiscard]] std::vector<ByteRun> filled_of(std::uint32_t index, std::uint64_t offset, std::uint64_t bytes) {
        if (!states_[index].filled) return {{0, bytes}};
        return states_[index].filled(trace().buffers[index].address + offset, bytes);
    }

    void mark_input(const trace::Buffer& buffer, std::uint64_t offset, std::uint64_t bytes) {
        for (std::uint64_t at = offset; at < offset + bytes;) {
            Region& region = *memory_.from(buffer.address + at / most_region_bytes * most_region_bytes);
            const std::uint64_t first = at % most_region_bytes;
            const std::uint64_t count = std::min(offset + bytes - at, region.bytes() - first);
            region.mark_input(first, count);
            at += count;
        }
    }

    /// Buffers that were added after the variables come before them: every reader of the trace relies on it.
    void move_variables_last(trace::Trace& trace) const {
        std::vector<trace::Buffer>& buffers = trace.buffers;
        const std::size_t past_variables = first_variable_ + variables_;
        if (past_variables == buffers.size()) return;
        const auto moved = [&](std::uint32_t index) {
            if (index < first_variable_) return index;
            const std::size_t by = index < past_variables ? buffers.size() - past_variables : -variables_;
            return static_cast<std::uint32_t>(index + by);
        };
        const auto at = [&](std::size_t index) { return buffers.begin() + static_cast<std::ptrdiff_t>(index); };
        std::rotate(at(first_variable_), at(past_variables), buffers.end());
        for (trace::Launch& launch : trace.launches) {
            for (trace::Argument& argument : launch.arguments) {
                if (argument.buffer) argument.buffer = moved(*argument.buffer);
            }
        }
        for (trace::HostWrite& write : trace.host_writes) {
            write.buffer = moved(write.buffer);
            if (write.source) write.source->buffer = moved(write.source->buffer);
        }
        for (trace::HostStep& step : trace.host_steps) {
            if (step.buffer) step.buffer = moved(*step.buffer);
        }
    }

    /// A budget that is used up accuses no kernel: whether it would end is not known.
    void make_notes_of_budgets() {
        std::vector<trace::Finding> findings;
        for (trace::Finding& finding : trace().findings) {
            if (finding.kind == trace::Finding::Kind::step_budget)
                trace().notes.push_back(
                    fmt::format("Not known: whether launch {} ends; {}.", finding.launch, finding.message));
            else
                findings.push_back(std::move(finding));
        }
        trace().findings = std::move(findings);
    }

    void take_initial(std::uint32_t index) {
        if (!std::exchange(states_[index].fresh, false)) return;
        trace::Buffer& buffer = trace().buffers[index];
        buffer.initial = SparseBytes(bytes_of(buffer), filled_of(index, 0, buffer.bytes));
    }

    void take_initials() {
        for (const std::uint32_t index : std::exchange(fresh_, {})) take_initial(index);
    }

    void take_final(std::uint32_t index) {
        trace::Buffer& buffer = trace().buffers[index];
        buffer.final = SparseBytes(buffer.initial, bytes_of(buffer), filled_of(index, 0, buffer.bytes));
    }

    [[nodiscard]] std::span<std::byte> bytes_of(const trace::Buffer& buffer) const {
        return {memory_.bytes_of_buffer(buffer.address), static_cast<std::size_t>(buffer.bytes)};
    }

    void record(std::uint32_t buffer, std::uint64_t offset, std::uint32_t line, std::span<const std::byte> before,
                std::span<const std::byte> after, std::optional<trace::HostWrite::Source> source = {}) {
        written_bytes_ += before.size() + after.size();
        trace().host_writes.push_back({.launch = static_cast<std::uint32_t>(trace().launches.size()),
                                       .buffer = buffer,
                                       .offset = offset,
                                       .source_line = line,
                                       .before = {before.begin(), before.end()},
                                       .after = {after.begin(), after.end()},
                                       .source = source});
    }

    Result<End> run_elsewhere(trace::Launch launch) {
        done_.blocks += launch.grid.count();
        writer_.begin_launch(std::move(launch));
        writer_.end_launch();
        trace().counts.emplace_back();
        BlockRunner::Memory memory;
        for (std::uint32_t i = 0; i < states_.size(); ++i) {
            states_[i].mirrored = true;
            memory.buffers.push_back(states_[i].released ? std::span<std::byte>() : bytes_of(trace().buffers[i]));
        }
        for (std::size_t i = 0; i < module_.variables.size(); ++i) {
            const auto buffer = variable(i);
            memory.variables.push_back(buffer ? bytes_of(trace().buffers[*buffer]) : std::span<std::byte>());
        }
        const Result<void> done = limits_.runner->run(module_, trace(), memory);
        if (!done) return std::unexpected(done.error());
        return End::complete;
    }

    void note_missing_blocks(std::uint32_t launch, std::uint64_t blocks) {
        const trace::BlockOrder& order = limits_.multiprocessors->order;
        for (const std::vector<std::uint32_t>* named : {&order.late, &order.stalled}) {
            for (const std::uint32_t block : *named) {
                if (block >= blocks)
                    note_once(fmt::format("Launch {} has no block {}, which the start order names.", grouped(launch),
                                          grouped(block)));
            }
        }
    }

    void note_once(std::string_view note) {
        if (std::ranges::find(trace().notes, note) == trace().notes.end()) trace().notes.emplace_back(note);
    }

    struct Room {
        std::uint64_t blocks, bytes;
    };
    /// The first blocks run on one thread, the others on several threads where the result is the same, else on one,
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

    /// The blocks of the launch that has just begun: empty where the program has too many blocks to keep what each
    /// executed.
    std::span<trace::BlockRun> block_runs() {
        constexpr std::uint64_t most = std::uint64_t{1} << 22;
        trace::Launch& launch = trace().launches.back();
        if (launch.grid.count() > most - block_runs_) return {};
        block_runs_ += launch.grid.count();
        launch.blocks.resize(launch.grid.count());
        return launch.blocks;
    }

    /// The launch that has just ended may be recorded in part only.
    void note_cut() {
        const trace::Launch& launch = trace().launches.back();
        const std::uint64_t wanted = std::min(limits_.record_blocks, launch.grid.count());
        if (launch.recorded.size() >= wanted) return;
        const std::size_t number = trace().launches.size() - 1, blocks = launch.recorded.size();
        const bool goes_on = !cuts_.empty() && cuts_.back().blocks == blocks && cuts_.back().wanted == wanted &&
                             cuts_.back().last + 1 == number;
        if (goes_on)
            cuts_.back().last = number;
        else
            cuts_.push_back({.first = number, .last = number, .blocks = blocks, .wanted = wanted});
    }

    /// Says which launches are recorded in part.
    void add_notes_on_cuts() {
        constexpr std::size_t most = 8;
        for (std::size_t i = 0; i < std::min(cuts_.size(), most); ++i) {
            const Cut& cut = cuts_[i];
            const std::string which = cut.last == cut.first
                                          ? fmt::format("Launch {}", grouped(cut.first))
                                          : fmt::format("Launches {} to {}", grouped(cut.first), grouped(cut.last));
            trace().notes.push_back(fmt::format(
                "{}: {} of {} {} recorded step by step. The record is limited to {} MiB.", which, grouped(cut.blocks),
                counted(cut.wanted, "block"), verb(cut.blocks, "are", "is"), limits_.record_bytes >> 20));
        }
        if (cuts_.size() > most) trace().notes.emplace_back("Fewer blocks of later launches are recorded, too.");
    }

    const ptx::Module& module_;
    model::BankModel banks_;
    Limits limits_;
    ReplaySource* replay_;
    GlobalMemory memory_;
    VariableAddresses addresses_;
    std::map<const ptx::Function*, Code> codes_;
    RegisterList registers_;
    std::vector<BufferState> states_;   ///< by buffer
    std::vector<std::uint32_t> fresh_;  ///< buffers, those that are fresh among them
    trace::Writer writer_;
    Heap heap_;
    Faults faults_;
    std::uint64_t budget_;
    ScheduleControl schedule_;
    std::uint64_t written_bytes_ = 0;
    std::uint64_t block_runs_ = 0;                    // kept, of all launches
    std::size_t first_variable_ = 0, variables_ = 0;  ///< the module's, in Trace::buffers
    /// Launches in a row that are recorded in part.
    struct Cut {
        std::size_t first = 0, last = 0;
        std::uint64_t blocks = 0, wanted = 0;
    };
    std::vector<Cut> cuts_;
    BlocksDone done_;
    bool ended_ = false;
    std::vector<AccessedBytes::Span> accessed_;  ///< by the last launch
    const LaunchState* running_ = nullptr;       ///< of the launch that is being made
};

Emulation::Emulation(const ptx::Module& module, trace::Origin origin, const model::BankModel& banks,
                     const Limits& limits, ReplaySource* replay)
    : state_(std::make_unique<State>(module, std::move(origin), banks, limits, replay)) {}
Emulation::~Emulation() = default;

Result<std::uint32_t> Emulation::add(trace::Buffer buffer) { return state_->add(std::move(buffer)); }
std::uint32_t Emulation::add(trace::Buffer buffer, const OwnedMemory& memory) {
    return state_->add(std::move(buffer), memory);
}
Result<void> Emulation::place_variables(const std::optional<OwnedMemory>& memory,
                                        std::span<const std::uint64_t> known) {
    return state_->place_variables(memory, known);
}
std::optional<std::uint32_t> Emulation::variable(std::size_t index) const { return state_->variable(index); }
void Emulation::write_by_host(const HostWrite& write) { state_->write_by_host(write); }
void Emulation::written_by_host(const WrittenByHost& write) { state_->written_by_host(write); }
std::uint64_t Emulation::unwritten(std::uint32_t buffer, std::uint64_t offset, std::uint64_t bytes) const {
    return state_->unwritten(buffer, offset, bytes);
}
bool Emulation::records_write(std::uint32_t buffer, std::uint64_t bytes) const {
    return state_->records_write(buffer, bytes);
}
void Emulation::release(std::uint32_t buffer) { state_->release(buffer); }
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
