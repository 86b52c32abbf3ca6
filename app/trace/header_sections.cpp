// The parts of a trace file about the run: origin, launches, buffers, names, counts, findings, texts.
#include "model/device_limits.h"
#include "trace/sections.h"

#include <algorithm>
#include <limits>

namespace lanescope::trace {

namespace {

constexpr std::uint64_t no_id = std::numeric_limits<std::uint32_t>::max();

void write_dim(ByteWriter& out, const Dim3& dim) {
    out.number(dim.x);
    out.number(dim.y);
    out.number(dim.z);
}

Dim3 read_dim(ByteReader& in, const std::array<std::uint32_t, 3>& most) {
    Dim3 dim;
    dim.x = static_cast<std::uint32_t>(in.number_up_to(most[0]));
    dim.y = static_cast<std::uint32_t>(in.number_up_to(most[1]));
    dim.z = static_cast<std::uint32_t>(in.number_up_to(most[2]));
    if (dim.count() == 0) in.fail();
    return dim;
}

/// An id that may be invalid: written as 0 if it is, else as the value + 1.
template <class Tag>
void write_id(ByteWriter& out, Id<Tag> id) {
    out.number(id.valid() ? std::uint64_t{id.value} + 1 : 0);
}

template <class IdType>
IdType read_id(ByteReader& in, std::uint64_t past_last) {
    const std::uint64_t value = in.number_up_to(std::min(past_last, no_id));
    return value == 0 ? IdType() : IdType(static_cast<std::uint32_t>(value - 1));
}

template <class Enum>
Enum read_enum(ByteReader& in, Enum last) {
    return static_cast<Enum>(in.number_up_to(static_cast<std::uint64_t>(last)));
}

bool read_flag(ByteReader& in) { return in.number_up_to(1) != 0; }

std::vector<std::byte> copy(std::span<const std::byte> bytes) { return {bytes.begin(), bytes.end()}; }

/// The counters in the order of the file.
constexpr std::array counters{&Counts::warp_instructions,
                              &Counts::thread_instructions,
                              &Counts::active_thread_instructions,
                              &Counts::shared_load_instructions,
                              &Counts::shared_load_wavefronts,
                              &Counts::shared_store_instructions,
                              &Counts::shared_store_wavefronts,
                              &Counts::shared_atomic_instructions,
                              &Counts::shared_atomic_wavefronts,
                              &Counts::global_load_instructions,
                              &Counts::global_load_sectors,
                              &Counts::global_store_instructions,
                              &Counts::global_store_sectors,
                              &Counts::global_atomic_instructions,
                              &Counts::global_atomic_sectors,
                              &Counts::barriers,
                              &Counts::branches,
                              &Counts::divergent_branches,
                              &Counts::operations};
static_assert(sizeof(Counts) == counters.size() * sizeof(std::uint64_t), "a new counter belongs in the file as well");

}  // namespace

// --- Origin ----------------------------------------------------------------------------------------------------

void write_origin(ByteWriter& out, const Trace& trace) {
    const Origin& origin = trace.origin;
    out.number(static_cast<std::uint64_t>(origin.machine));
    out.number(static_cast<std::uint64_t>(origin.view));
    out.number(origin.arch);
    out.number(origin.n);
    for (const std::string* text : {&origin.device, &origin.program, &origin.source, &origin.source_name, &origin.ptx,
                                    &origin.input, &origin.oracle}) {
        out.text(*text);
    }
    out.number(origin.banks);
    out.number(trace.cancelled ? 1 : 0);
    out.number(trace.detail == Detail::registers ? 1 : 0);
}

void read_origin(ByteReader& in, Trace& trace) {
    Origin& origin = trace.origin;
    origin.machine = read_enum(in, Machine::gpu);
    origin.view = read_enum(in, View::compiled);
    origin.arch = static_cast<unsigned>(in.number_up_to(1000));
    origin.n = in.number();
    for (std::string* text : {&origin.device, &origin.program, &origin.source, &origin.source_name, &origin.ptx,
                              &origin.input, &origin.oracle}) {
        *text = in.text();
    }
    origin.banks = static_cast<unsigned>(in.number_up_to(model::usual_banks));
    if (origin.banks != model::half_warp_banks() && origin.banks != model::emulated_device().banks) in.fail();
    trace.cancelled = read_flag(in);
    trace.detail = read_flag(in) ? Detail::registers : Detail::accesses;
}

// --- Buffers ---------------------------------------------------------------------------------------------------

namespace {

/// Whether the buffer is written by its runs, after the others.
bool is_sparse(const Buffer& buffer) {
    constexpr std::uint64_t least = std::uint64_t{64} << 20;
    return buffer.bytes >= least || buffer.initial.size() != buffer.bytes || buffer.final.size() != buffer.bytes;
}

void write_runs(ByteWriter& out, const SparseBytes& bytes) {
    out.number(bytes.size());
    out.number(bytes.filled().size());
    for (const ByteRun& run : bytes.filled()) {
        const std::uint64_t count = std::min(run.bytes, bytes.size() - run.first);
        out.number(run.first);
        out.block(bytes.span().subspan(run.first, count));
    }
}

SparseBytes read_runs(ByteReader& in, std::uint64_t most) {
    SparseBytes bytes(in.number_up_to(most));
    const std::size_t runs = in.count(2);
    std::vector<ByteRun> filled;
    std::byte* to = nullptr;
    std::uint64_t past = 0;
    for (std::size_t i = 0; i < runs && !in.failed(); ++i) {
        const std::uint64_t first = in.number();
        const auto content = in.block();
        if (first < past || first > bytes.size() || content.size() > bytes.size() - first) in.fail();
        if (in.failed()) break;
        if (to == nullptr) to = bytes.writable();
        std::ranges::copy(content, to + first);
        filled.push_back({first, content.size()});
        past = first + content.size();
    }
    return filled.empty() ? std::move(bytes) : SparseBytes(bytes.span(), filled);
}

}  // namespace

void write_buffers(ByteWriter& out, const Trace& trace) {
    out.number(trace.buffers.size());
    for (const Buffer& buffer : trace.buffers) {
        out.text(buffer.name);
        out.number(static_cast<std::uint64_t>(buffer.element));
        out.number(buffer.address);
        out.number(buffer.output ? 1 : 0);
        const bool later = is_sparse(buffer);
        out.block(later ? std::span<const std::byte>() : buffer.initial.span());
        const bool changed = !later && buffer.final != buffer.initial;
        out.number(changed ? 1 : 0);
        if (changed) out.raw(buffer.final.span());
    }
    for (std::size_t i = 0; i < trace.buffers.size(); ++i) {
        const Buffer& buffer = trace.buffers[i];
        if (!is_sparse(buffer)) continue;
        out.number(i);
        out.number(buffer.bytes);
        write_runs(out, buffer.initial);
        const bool changed = buffer.final != buffer.initial;
        out.number(changed ? 1 : 0);
        if (changed) write_runs(out, buffer.final);
    }
}

bool has_sparse_buffers(const Trace& trace) { return std::ranges::any_of(trace.buffers, is_sparse); }

namespace {

/// Reads until the section ends.
void read_sparse_buffers(ByteReader& in, Trace& trace) {
    std::uint64_t left = std::uint64_t{1} << 38;  // the addresses alone count: pages without contents take no memory
    std::uint64_t next = 0;
    while (!in.done() && !in.failed()) {
        const std::uint64_t index = in.number();
        if (index < next || index >= trace.buffers.size()) return in.fail();
        next = index + 1;
        Buffer& buffer = trace.buffers[index];
        buffer.bytes = in.number_up_to(left);
        left -= buffer.bytes;
        buffer.initial = read_runs(in, buffer.bytes);
        buffer.final = read_flag(in) ? read_runs(in, buffer.bytes) : buffer.initial;
        if (buffer.bytes > ~buffer.address) in.fail();  // must not wrap around
    }
}

}  // namespace

void read_buffers(ByteReader& in, Trace& trace) {
    trace.buffers.resize(in.count(6));
    for (Buffer& buffer : trace.buffers) {
        buffer.name = in.text();
        buffer.element = read_enum(in, Element::f64);
        buffer.address = in.number();
        buffer.output = read_flag(in);
        buffer.initial = in.block();
        buffer.bytes = buffer.initial.size();
        buffer.final = read_flag(in) ? SparseBytes(in.raw(buffer.bytes)) : buffer.initial;
        if (buffer.bytes > ~buffer.address) in.fail();  // must not wrap around
    }
    read_sparse_buffers(in, trace);
    if (in.failed()) return;
    std::vector<const Buffer*> by_address;
    by_address.reserve(trace.buffers.size());
    for (const Buffer& buffer : trace.buffers) by_address.push_back(&buffer);
    std::ranges::sort(by_address, {}, &Buffer::address);
    for (std::size_t i = 1; i < by_address.size(); ++i) {
        if (by_address[i - 1]->address + by_address[i - 1]->bytes > by_address[i]->address) in.fail();
    }
}

// --- Launches --------------------------------------------------------------------------------------------------

namespace {

/// Writes nothing if no launch has any, as in format 6.
void write_block_runs(ByteWriter& out, const Trace& trace) {
    const auto has_none = [](const Launch& launch) {
        return launch.blocks.empty() && launch.resident == 0 && !launch.residency.given() && !launch.cut;
    };
    if (std::ranges::all_of(trace.launches, has_none)) return;
    for (const Launch& launch : trace.launches) {
        out.number(launch.resident);
        out.number(launch.blocks.empty() ? 0 : 1);
        for (const BlockRun& run : launch.blocks) {
            out.number(run.longest_warp);
            out.number(run.warp_instructions - run.longest_warp);
            out.number(run.waited);
        }
    }
}

/// Reads until the section ends.
void read_block_runs(ByteReader& in, Trace& trace) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    for (Launch& launch : trace.launches) {
        const std::uint64_t blocks = launch.grid.count();
        launch.resident = in.number_up_to(blocks);
        if (!read_flag(in)) continue;
        if (blocks > in.left() / 3) return in.fail();  // before memory is allocated for them
        launch.blocks.resize(blocks);
        for (BlockRun& run : launch.blocks) {
            run.longest_warp = static_cast<std::uint32_t>(in.number_up_to(most));
            const std::uint64_t others = in.number_up_to(most - run.longest_warp);
            run.warp_instructions = static_cast<std::uint32_t>(run.longest_warp + others);
            run.waited = static_cast<std::uint32_t>(in.number_up_to(run.longest_warp));
        }
    }
}

/// Writes nothing if none was requested, as in format 7, unless a list of cuts follows. Follows the block runs, which
/// such a launch has.
void write_residencies(ByteWriter& out, const Trace& trace) {
    const auto given = [](const Launch& launch) { return launch.residency.given() || launch.cut.has_value(); };
    if (std::ranges::none_of(trace.launches, given)) return;
    for (const Launch& launch : trace.launches) {
        const Residency& residency = launch.residency;
        out.number(residency.multiprocessors);
        out.number(residency.blocks_each);
        out.text(text_of(residency.order));
        out.number(residency.stalls.size());
        for (const Stall& stall : residency.stalls) {
            out.number(stall.block.value);
            out.number(stall.resumed.value);
        }
    }
}

/// Writes nothing if every recorded block has all its steps, as in format 13.
void write_cuts(ByteWriter& out, const Trace& trace) {
    if (std::ranges::none_of(trace.launches, [](const Launch& launch) { return launch.cut.has_value(); })) return;
    for (const Launch& launch : trace.launches) out.number(launch.cut ? std::uint64_t{launch.cut->value} + 1 : 0);
}

/// Reads until the section ends.
void read_cuts(ByteReader& in, Trace& trace) {
    for (Launch& launch : trace.launches) {
        const std::uint64_t number = in.number_up_to(no_id - 1);
        if (number == 0) continue;
        launch.cut = BlockId(static_cast<std::uint32_t>(number - 1));
        if (!std::ranges::binary_search(launch.recorded, *launch.cut)) return in.fail();
    }
}

/// Reads until the section ends.
void read_residencies(ByteReader& in, Trace& trace) {
    for (Launch& launch : trace.launches) {
        Residency& residency = launch.residency;
        residency.multiprocessors = static_cast<std::uint32_t>(in.number_up_to(most_multiprocessors));
        residency.blocks_each = static_cast<std::uint32_t>(in.number_up_to(most_multiprocessors));
        const Result<BlockOrder> order = read_block_order(in.text());
        if (!order || (residency.given() && residency.blocks_each == 0)) return in.fail();
        residency.order = *order;
        residency.stalls.resize(in.count(2));
        for (Stall& stall : residency.stalls) {
            stall.block = BlockId(static_cast<std::uint32_t>(in.number_up_to(no_id - 1)));
            stall.resumed = StepId(static_cast<std::uint32_t>(in.number_up_to(launch.past_last_step.value)));
            if (stall.resumed < launch.first_step || stall.block.value >= launch.grid.count()) in.fail();
        }
    }
}

}  // namespace

void write_launches(ByteWriter& out, const Trace& trace) {
    out.number(trace.launches.size());
    for (const Launch& launch : trace.launches) {
        out.text(launch.kernel);
        write_dim(out, launch.grid);
        write_dim(out, launch.block);
        out.number(launch.dynamic_shared_bytes);
        out.number(launch.static_shared_bytes);
        out.number(launch.arguments.size());
        for (const Argument& argument : launch.arguments) {
            out.text(argument.name);
            out.text(argument.type);
            out.number(argument.buffer ? std::uint64_t{*argument.buffer} + 1 : 0);
            out.block(argument.value);
        }
        out.number(launch.recorded.size());
        std::uint32_t next = 0;
        for (const BlockId block : launch.recorded) {
            out.number(block.value - next);
            next = block.value + 1;
        }
        out.number(launch.past_last_step.index() - launch.first_step.index());
    }
    write_block_runs(out, trace);
    write_residencies(out, trace);
    write_cuts(out, trace);
}

namespace {

Argument read_argument(ByteReader& in, std::size_t buffers) {
    Argument argument;
    argument.name = in.text();
    argument.type = in.text();
    if (const std::uint64_t buffer = in.number_up_to(buffers); buffer != 0) {
        argument.buffer = static_cast<std::uint32_t>(buffer - 1);
    }
    argument.value = copy(in.block());
    if (argument.value.size() > model::emulated_device().parameter_bytes) in.fail();
    return argument;
}

}  // namespace

void read_launches(ByteReader& in, Trace& trace) {
    const model::DeviceLimits& device = model::emulated_device();
    trace.launches.resize(in.count(12));
    std::uint64_t first_step = 0;
    for (Launch& launch : trace.launches) {
        launch.kernel = in.text();
        launch.grid = read_dim(in, device.grid);
        launch.block = read_dim(in, device.block);
        launch.dynamic_shared_bytes = in.number_up_to(device.shared_bytes_per_block);
        launch.static_shared_bytes = in.number_up_to(device.shared_bytes_per_block);
        if (launch.block.count() > device.threads_per_block || launch.shared_bytes() > device.shared_bytes_per_block)
            in.fail();

        const std::size_t arguments = in.count(4);
        for (std::size_t i = 0; i < arguments; ++i) {
            launch.arguments.push_back(read_argument(in, trace.buffers.size()));
        }

        const std::uint64_t blocks = std::min(launch.grid.count(), no_id);
        launch.recorded.resize(in.count(1));
        std::uint64_t next = 0;
        for (BlockId& block : launch.recorded) {
            const std::uint64_t skipped = in.number_up_to(no_id);
            if (next + skipped >= blocks) return in.fail();
            block = BlockId(static_cast<std::uint32_t>(next + skipped));
            next += skipped + 1;
        }

        const std::uint64_t steps = in.number_up_to(no_id - 1 - first_step);
        launch.first_step = StepId(static_cast<std::uint32_t>(first_step));
        first_step += steps;
        launch.past_last_step = StepId(static_cast<std::uint32_t>(first_step));
    }
    if (!in.done() && !in.failed()) read_block_runs(in, trace);
    if (!in.done() && !in.failed()) read_residencies(in, trace);
    if (!in.done() && !in.failed()) read_cuts(in, trace);
}

// --- Names -----------------------------------------------------------------------------------------------------

bool has_arrays_by_launch(const Trace& trace) {
    return std::ranges::any_of(trace.launches, [&](const Launch& launch) {
        return launch.shared_arrays && launch.shared_arrays->size() != trace.shared_arrays.size();
    });
}

void write_names(ByteWriter& out, const Trace& trace) {
    out.number(trace.shared_arrays.size());
    for (const SharedArray& array : trace.shared_arrays) {
        out.text(array.name);
        out.number(array.offset);
        out.number(array.bytes);
        out.number(array.element ? static_cast<std::uint64_t>(*array.element) + 1 : 0);
    }
    out.number(trace.registers.size());
    for (const RegisterName& reg : trace.registers) {
        out.text(reg.name);
        out.number(reg.bytes);
    }
    if (!has_arrays_by_launch(trace)) return;
    for (const Launch& launch : trace.launches) {
        out.number(launch.shared_arrays ? launch.shared_arrays->size() + 1 : 0);
        if (!launch.shared_arrays) continue;
        for (const std::uint32_t number : *launch.shared_arrays) out.number(number);
    }
}

void read_names(ByteReader& in, Trace& trace) {
    const std::uint64_t most = model::emulated_device().shared_bytes_per_block;
    trace.shared_arrays.resize(in.count(4));
    for (SharedArray& array : trace.shared_arrays) {
        array.name = in.text();
        array.offset = in.number_up_to(most);
        array.bytes = in.number_up_to(most - array.offset);
        const std::uint64_t element = in.number_up_to(static_cast<std::uint64_t>(Element::f64) + 1);
        if (element != 0) array.element = static_cast<Element>(element - 1);
    }
    trace.registers.resize(in.count(2));
    for (RegisterName& reg : trace.registers) {
        reg.name = in.text();
        reg.bytes = static_cast<std::uint8_t>(in.number_up_to(16));
        if ((reg.bytes & (reg.bytes - 1U)) != 0) in.fail();  // 0, 1, 2, 4, 8, 16
    }
    if (in.done() || in.failed()) return;
    for (Launch& launch : trace.launches) {
        const std::uint64_t count = in.number_up_to(trace.shared_arrays.size() + 1);
        if (count == 0) continue;
        auto& numbers = launch.shared_arrays.emplace(count - 1);
        for (std::uint32_t& number : numbers)
            number = static_cast<std::uint32_t>(in.number_up_to(trace.shared_arrays.size() - 1));
    }
}

// --- Counts ----------------------------------------------------------------------------------------------------

void write_counts(ByteWriter& out, const Trace& trace) {
    out.number(trace.counts.size());
    for (const auto& launch : trace.counts) {
        out.number(launch.size());
        for (const Counts& epoch : launch) {
            for (const auto counter : counters) out.number(epoch.*counter);
        }
    }
}

void read_counts(ByteReader& in, Trace& trace) {
    // One list per launch, so that reading counts by launch needs no check.
    if (in.count(1) != trace.launches.size()) return in.fail();
    trace.counts.resize(trace.launches.size());
    for (auto& launch : trace.counts) {
        launch.resize(in.count(counters.size()));
        for (Counts& epoch : launch) {
            for (const auto counter : counters) epoch.*counter = in.number();
        }
    }
}

// --- Findings --------------------------------------------------------------------------------------------------

namespace {

void write_list(ByteWriter& out, const std::vector<Finding>& findings) {
    out.number(findings.size());
    for (const Finding& finding : findings) {
        out.number(static_cast<std::uint64_t>(finding.kind));
        out.number(finding.launch);
        write_id(out, finding.block);
        write_id(out, finding.warp);
        write_id(out, finding.lane);
        write_id(out, finding.line);
        out.number(finding.source_line);
        out.number(finding.address ? 1 : 0);
        out.number(finding.address.value_or(0));
        write_id(out, finding.step.value_or(StepId()));
        out.text(finding.message);
        out.text(finding.variable);
        out.number(finding.count);
        out.number(finding.other ? 1 : 0);
        if (!finding.other) continue;
        const Finding::Side& other = *finding.other;
        write_id(out, other.block);
        write_id(out, other.warp);
        write_id(out, other.lane);
        write_id(out, other.line);
        out.number(other.source_line);
        write_id(out, other.step.value_or(StepId()));
    }
}

}  // namespace

bool has_repeated_findings(const Trace& trace) {
    const auto is_repeated = [](const Finding& finding) { return !finding.again.empty(); };
    return std::ranges::any_of(trace.findings, is_repeated) || std::ranges::any_of(trace.remarks, is_repeated);
}

/// Remarks follow if there are any, then the names of sources other than the main one, then the later times of
/// findings: older builds read a trace that has none of these.
void write_findings(ByteWriter& out, const Trace& trace) {
    write_list(out, trace.findings);
    const bool several = !trace.origin.other_sources.empty(), repeated = has_repeated_findings(trace);
    if (!trace.remarks.empty() || several || repeated) write_list(out, trace.remarks);
    if (several) {
        for (const std::vector<Finding>* list : {&trace.findings, &trace.remarks})
            for (const Finding& finding : *list) out.number(number_of_source(trace.origin, finding.source_file));
    }
    if (!repeated) return;
    for (const std::vector<Finding>* list : {&trace.findings, &trace.remarks}) {
        for (const Finding& finding : *list) {
            out.number(finding.again.size());
            for (const Finding::Again& again : finding.again) {
                write_id(out, again.step);
                out.number(again.address);
            }
        }
    }
}

namespace {

/// The thread that a finding may name in a launch.
template <class Place>
void read_thread(ByteReader& in, const Launch& launch, Place& place) {
    place.block = read_id<BlockId>(in, launch.grid.count());
    place.warp = read_id<WarpId>(in, (launch.block.count() + warp_size - 1) / warp_size);
    place.lane = read_id<LaneId>(in, warp_size);
}

std::optional<StepId> read_step(ByteReader& in, const Trace& trace) {
    const auto step = read_id<StepId>(in, trace.step_count());
    return step.valid() ? std::optional(step) : std::nullopt;
}

void read_list(ByteReader& in, const Trace& trace, std::vector<Finding>& findings) {
    findings.resize(in.count(14));
    for (Finding& finding : findings) {
        finding.kind = read_enum(in, Finding::kinds.back());
        finding.launch = static_cast<std::uint32_t>(in.number());
        if (finding.launch >= trace.launches.size()) return in.fail();
        const Launch& launch = trace.launches[finding.launch];
        read_thread(in, launch, finding);
        finding.line = read_id<PtxLine>(in, no_id);
        finding.source_line = static_cast<std::uint32_t>(in.number_up_to(no_id));
        const bool addressed = read_flag(in);
        const std::uint64_t address = in.number();
        if (addressed) finding.address = address;
        finding.step = read_step(in, trace);
        finding.message = in.text();
        finding.variable = in.text();
        finding.count = in.number();
        if (!read_flag(in)) continue;
        finding.other = Finding::Side{};
        Finding::Side& other = *finding.other;
        read_thread(in, launch, other);
        other.line = read_id<PtxLine>(in, no_id);
        other.source_line = static_cast<std::uint32_t>(in.number_up_to(no_id));
        other.step = read_step(in, trace);
    }
}

}  // namespace

void read_findings(ByteReader& in, Trace& trace) {
    read_list(in, trace, trace.findings);
    if (!in.done()) read_list(in, trace, trace.remarks);
    if (!trace.origin.other_sources.empty()) {
        for (std::vector<Finding>* list : {&trace.findings, &trace.remarks}) {
            for (Finding& finding : *list) {
                const std::uint64_t file = in.number_up_to(trace.origin.other_sources.size());
                if (file != 0) finding.source_file = trace.origin.other_sources[file - 1].name;
            }
        }
    }
    if (in.done()) return;
    for (std::vector<Finding>* list : {&trace.findings, &trace.remarks}) {
        for (Finding& finding : *list) {
            finding.again.resize(in.count(2));
            for (Finding::Again& again : finding.again) {
                const auto step = read_step(in, trace);
                if (!step) return in.fail();
                again.step = *step;
                again.address = in.number();
            }
        }
    }
}

// --- Printed text and notes ---------------------------------------------------------------------------------------

bool has_schedule_or_stacks(const Trace& trace) {
    return !trace.schedule.empty() ||
           std::ranges::any_of(trace.launches, [](const Launch& launch) { return launch.stack_bytes != 0; });
}

void write_texts(ByteWriter& out, const Trace& trace) {
    out.number(trace.printed.size());
    for (const Printed& printed : trace.printed) {
        out.number(printed.launch);
        write_id(out, printed.block);
        write_id(out, printed.warp);
        write_id(out, printed.lane);
        write_id(out, printed.step.value_or(StepId()));
        out.text(printed.text);
    }
    out.number(trace.notes.size());
    for (const std::string& note : trace.notes) out.text(note);
    if (!has_schedule_or_stacks(trace)) return;  // as format 9 has it
    out.text(trace.schedule);
    for (const Launch& launch : trace.launches) out.number(launch.stack_bytes);
}

void read_texts(ByteReader& in, Trace& trace) {
    trace.printed.resize(in.count(6));
    for (Printed& printed : trace.printed) {
        printed.launch = static_cast<std::uint32_t>(in.number());
        if (printed.launch >= trace.launches.size()) return in.fail();
        read_thread(in, trace.launches[printed.launch], printed);
        printed.step = read_step(in, trace);
        printed.text = in.text();
    }
    trace.notes.resize(in.count(1));
    for (std::string& note : trace.notes) note = in.text();
    if (in.done()) return;
    trace.schedule = in.text();
    for (Launch& launch : trace.launches)
        launch.stack_bytes = in.number_up_to(model::emulated_device().local_bytes_per_thread);
}

}  // namespace lanescope::trace
