#include "execute/emulator/emulator.h"

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

/// Kernels decoded so far, and where their registers begin in Trace::registers.
using Codes = std::map<const ptx::Function*, Code>;

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

Result<Codes> decode_kernels(const ptx::Module& module, const Program& program, const Placement& placement,
                             RegisterList& registers) {
    Codes codes;
    for (const LaunchRequest& request : program.launches) {
        const Result<const ptx::Function*> kernel = check_launch(module, request, program.buffers);
        if (!kernel) return std::unexpected(kernel.error());
        if (!codes.contains(*kernel)) {
            Result<Code> code = decode(module, **kernel, placement.addresses);
            if (!code) return std::unexpected(std::move(code.error()));
            registers.add(*code);
            codes.emplace(*kernel, std::move(*code));
        }
        const Code& code = codes.at(*kernel);
        const std::uint64_t resident = Grid::most_resident(code, request);
        if (code.cooperates && request.grid.count() > resident) {
            return fail(
                fmt::format("the kernel {} synchronizes the grid, but {} blocks of {} threads are not "
                            "resident at once",
                            request.kernel, request.grid.count(), request.block.count()),
                {}, fmt::format("At most {} are, as on an H200: launch fewer blocks, and let each do more.", resident));
        }
    }
    return codes;
}

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

void add_new(std::vector<trace::SharedArray>& all, const std::vector<trace::SharedArray>& more) {
    for (const trace::SharedArray& array : more) {
        const auto same = [&](const trace::SharedArray& other) {
            return other.name == array.name && other.offset == array.offset && other.bytes == array.bytes;
        };
        if (std::find_if(all.begin(), all.end(), same) == all.end()) all.push_back(array);
    }
}

/// What the host does before the next launch; so much of it is recorded.
void write_by_host(const LaunchRequest& request, GlobalMemory& memory, trace::Trace& trace) {
    constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;  // before and after
    constexpr std::string_view dropped =
        "The first 128 MiB that the host writes between launches are recorded. Kernels read all of it; the pictures "
        "show "
        "memory without the rest.";
    std::uint64_t recorded = 0;
    for (const trace::HostWrite& write : trace.host_writes) recorded += 2 * write.after.size();
    for (const HostWrite& write : request.writes) {
        Region& region = memory.region(write.buffer);
        assert(write.offset + write.bytes.size() <= region.bytes());
        std::byte* const place = region.data() + write.offset;
        recorded += 2 * write.bytes.size();
        if (recorded <= most_bytes) {
            trace.host_writes.push_back({.launch = static_cast<std::uint32_t>(trace.launches.size()),
                                         .buffer = write.buffer,
                                         .offset = write.offset,
                                         .source_line = write.source_line,
                                         .before = {place, place + write.bytes.size()},
                                         .after = write.bytes});
        } else if (std::ranges::find(trace.notes, dropped) == trace.notes.end()) {
            trace.notes.emplace_back(dropped);
        }
        std::ranges::copy(write.bytes, place);
        std::fill_n(region.derived() + write.offset, write.bytes.size(), std::uint8_t{1});
    }
}

/// How many blocks of each launch to record; past the end of the list, none.
using RecordPlan = std::vector<std::uint64_t>;

constexpr std::uint64_t workspace_bytes = 256;

/// Says which launches are recorded in part only because the record would grow too large.
void note_cut(trace::Trace& trace, const RecordPlan& plan, const Limits& limits) {
    for (std::size_t number = 0; number < trace.launches.size(); ++number) {
        const trace::Launch& launch = trace.launches[number];
        const std::uint64_t planned = number < plan.size() ? plan[number] : 0;
        const std::uint64_t wanted = std::min(limits.record_blocks, launch.grid.count());
        if (planned >= wanted) continue;
        trace.notes.push_back(
            fmt::format("Launch {}: {} of {} blocks are recorded step by step. More would take over {} MiB.",
                        number + 1, launch.recorded.size(), wanted, limits.record_bytes >> 20));
    }
}

/// One run of the whole program. Where the record outgrows its limit the plan is cut, for another run, and nothing
/// comes back.
class Run {
  public:
    Run(const ptx::Module& module, const Program& program, const Limits& limits, Progress& progress)
        : module_(module), program_(program), limits_(limits), progress_(progress) {}

    Result<std::shared_ptr<const trace::Trace>> operator()(RecordPlan& plan) {
        Result<Placement> placed = place(module_, program_.buffers);
        if (!placed) return std::unexpected(std::move(placed.error()));
        RegisterList registers;
        const Result<Codes> codes = decode_kernels(module_, program_, *placed, registers);
        if (!codes) return std::unexpected(codes.error());

        trace::Writer writer(program_.origin);
        trace::Trace& trace = writer.trace();
        trace.buffers = std::move(placed->buffers);
        trace.registers = registers.names();
        if (!limits_.record_registers) trace.detail = trace::Detail::accesses;
        Heap heap(placed->memory);
        Faults faults(writer, placed->memory, heap, limits_.max_findings);
        std::uint64_t budget = limits_.warp_instructions;
        BlocksDone done{.blocks = 0, .total = 0};
        for (const LaunchRequest& request : program_.launches) done.total += request.grid.count();

        for (std::size_t number = 0; number < program_.launches.size(); ++number) {
            const LaunchRequest& request = program_.launches[number];
            const Code& code = codes->at(module_.find(request.kernel));
            write_by_host(request, placed->memory, trace);
            trace::Launch launch = begin(request, code);
            Region parameters = parameters_of(*code.kernel, launch.arguments, trace.buffers);
            const std::vector<trace::SharedArray> arrays =
                shared_arrays(module_, *code.kernel, code.shared_variables, request.dynamic_shared_bytes);
            add_new(trace.shared_arrays, arrays);
            faults.begin_launch(static_cast<std::uint32_t>(number), code, launch, arrays);
            writer.begin_launch(std::move(launch));

            AccessCheck check(code, faults);
            LaunchState state{.code = code,
                              .global = placed->memory,
                              .parameters = parameters,
                              .faults = faults,
                              .writer = writer,
                              .check = check,
                              .heap = heap,
                              .costs = costs_of(code),
                              .epochs = {},
                              .replay = program_.replay,
                              .number = static_cast<std::uint32_t>(number)};
            // What grid.sync() counts in: zero when a launch begins.
            const std::uint64_t workspace = code.cooperates ? placed->memory.add(workspace_bytes).base() : 0;
            const std::uint64_t to_record = number < plan.size() ? plan[number] : 0;
            std::uint64_t recorded = 0;
            const Grid::End end = run_blocks(state, request, workspace, to_record, budget, done, recorded);
            check.end_launch();
            writer.end_launch();
            trace.counts.emplace_back(state.epochs.begin(), state.epochs.end());
            if (end == Grid::End::too_much) {
                plan.resize(number + 1);
                // Those that are complete; where several ran at once and none is, half as many.
                plan[number] = recorded > 0 ? recorded : to_record / 2;
                return std::shared_ptr<const trace::Trace>();
            }
            trace.cancelled = end == Grid::End::cancelled;
            if (end != Grid::End::complete) break;
        }
        faults.finish();
        note_cut(trace, plan, limits_);
        read_back(placed->memory, trace.buffers);
        return writer.finish();
    }

  private:
    /// The first blocks alone; the rest on several threads where that comes to the same, else alone, too.
    Grid::End run_blocks(LaunchState& state, const LaunchRequest& request, std::uint64_t workspace,
                         std::uint64_t to_record, std::uint64_t& budget, BlocksDone& done, std::uint64_t& recorded) {
        const std::uint64_t blocks = request.grid.count();
        const std::uint64_t first = std::min(std::max<std::uint64_t>(to_record, 1), blocks);
        const bool parallel = program_.replay == nullptr && may_run_in_parallel(state.code, limits_, blocks - first);
        const auto alone = [&](std::uint64_t from, std::uint64_t past_last) {
            const BlockRange range{.first = from, .past_last = past_last, .recorded = to_record};
            Grid grid(state, request, limits_, range, workspace, budget);
            const Grid::End end = grid.run(progress_, done);
            recorded += grid.recorded();
            return end;
        };
        Grid::End end = alone(0, parallel ? first : blocks);
        if (end != Grid::End::complete || !parallel) return end;
        end = run_in_parallel(state, request, limits_, first, blocks, budget, progress_, done);
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
        return launch;
    }

    std::vector<AccessCost> costs_of(const Code& code) const {
        std::vector<AccessCost> costs;
        costs.reserve(code.accesses.size());
        for (const MemoryAccess& access : code.accesses) {
            costs.emplace_back(access.access, unsigned{access.bytes} * access.elements, program_.banks);
        }
        return costs;
    }

    const ptx::Module& module_;
    const Program& program_;
    const Limits& limits_;
    Progress& progress_;
};

}  // namespace

Result<std::shared_ptr<const trace::Trace>> emulate(const ptx::Module& module, const Program& program,
                                                    const Limits& limits, Progress& progress) {
    RecordPlan plan(program.launches.size(), limits.record_blocks);
    while (true) {
        Result<std::shared_ptr<const trace::Trace>> trace = Run(module, program, limits, progress)(plan);
        if (!trace || *trace) return trace;
    }
}

}  // namespace lanescope::execute
