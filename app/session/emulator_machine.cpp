#include "session/emulator_machine.h"

#include "analysis/source/source_line.h"
#include "base/demangle.h"
#include "base/grouped.h"
#include "base/machine_memory.h"
#include "base/number_type.h"
#include "base/text.h"
#include "compile/nvrtc_ptx.h"
#include "execute/emulator/launch_check.h"
#include "host/cuda_error.h"
#include "host/device_facts.h"
#include "model/device_limits.h"
#include "session/accessed_types.h"
#include "session/described_variables.h"
#include "session/host_function_runs.h"
#include "session/kept_sources.h"
#include "session/launched_module.h"
#include "session/live_steps.h"
#include "trace/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cctype>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <utility>

namespace lanescope::session {

namespace {

using host::cuda_error;
constexpr int success = cuda_error("cudaSuccess"), invalid_value = cuda_error("cudaErrorInvalidValue"),
              memory_allocation = cuda_error("cudaErrorMemoryAllocation"), assertion = cuda_error("cudaErrorAssert"),
              illegal_address = cuda_error("cudaErrorIllegalAddress"), timeout = cuda_error("cudaErrorLaunchTimeout"),
              misaligned = cuda_error("cudaErrorMisalignedAddress"),
              launch_failure = cuda_error("cudaErrorLaunchFailure");

/// The module's variables lie at the end of device memory, the program's allocations before them.
constexpr std::uint64_t variables_at = host::device_base + host::device_bytes - (std::uint64_t{4} << 30);

/// Times are estimates: schedulers issue one warp instruction per cycle each.
constexpr double clock_ghz = model::emulated_product.clock_khz / 1e6, launch_ns = 2500;

std::uint64_t warp_instructions_of(const trace::Trace& trace, std::size_t launch) {
    std::uint64_t sum = 0;
    for (const trace::Counts& counts : trace.counts[launch]) sum += counts.warp_instructions;
    return sum;
}

/// The emulated device's memory, or as much of it as this machine can hold.
std::uint64_t device_capacity() { return std::min(memory_cap(), model::emulated_product.memory_bytes); }

double nanoseconds_of(const trace::Trace& trace, std::size_t launch) {
    const double issued = double(model::emulated_multiprocessors) * model::emulated_device().schedulers * clock_ghz;
    return launch_ns + double(warp_instructions_of(trace, launch)) / issued;
}

/// The record is limited: a program may make more launches than it has room for.
void note_launches_without_record(trace::Trace& trace) {
    std::uint64_t without = 0, first = 0;
    for (std::size_t i = 0; i < trace.launches.size(); ++i) {
        const trace::Launch& launch = trace.launches[i];
        if ((launch.recorded.empty() || launch.cut) && without++ == 0) first = i;
    }
    if (without == 0 || trace.launches.size() == 1) return;
    trace.notes.push_back(fmt::format(
        "No block of {} is recorded to its end, the first of which is launch {}; all are counted. Click one in the "
        "Program panel, or name it with --record-launch: the program runs again, with room in the record for it.",
        counted(without, "launch"), grouped(first)));
}

/// The rows of a copy; one where it leaves no gaps.
host::Rows rows_of(const host::ProgramStep& step) {
    if (step.rows.height > 1) return step.rows;
    return {.pitch = step.bytes, .width = step.bytes, .height = 1, .from_pitch = step.bytes};
}

/// Each row is recorded as a write of its own: more of them are one write, whose values are not followed.
constexpr std::uint64_t most_rows = 4096, most_writes = 65'536;

}  // namespace

host::DeviceFacts EmulatorMachine::device() {
    const auto& asked = setup_.limits.multiprocessors;
    host::DeviceFacts facts = host::facts_of(asked ? *asked->device : model::emulated_device());
    // Code is compiled for the emulated device, whichever multiprocessors it runs on.
    facts.major = static_cast<std::int32_t>(model::emulated_device().capability / 10);
    facts.minor = static_cast<std::int32_t>(model::emulated_device().capability % 10);
    fmt::format_to_n(facts.name, sizeof facts.name - 1, "Lanescope emulator (limits of an {})", model::emulated_gpu);
    facts.multiprocessors = static_cast<std::int32_t>(asked ? asked->count : model::emulated_multiprocessors);
    if (asked && asked->blocks_each > 0)
        facts.blocks_per_multiprocessor =
            std::min(facts.blocks_per_multiprocessor, static_cast<std::int32_t>(asked->blocks_each));
    facts.global_bytes = device_capacity();
    facts.l2_bytes = model::emulated_product.l2_bytes;
    facts.clock_khz = model::emulated_product.clock_khz;
    facts.memory_clock_khz = model::emulated_product.memory_clock_khz;
    facts.memory_bus_bits = model::emulated_product.memory_bus_bits;
    return facts;
}

Result<void> EmulatorMachine::load(std::string_view ptx) {
    if (module_ != nullptr) return fail("a module is loaded after the first launch: its kernels cannot be launched");
    // Files in the program's other folders have the names under which the trace keeps them.
    std::map<std::filesystem::path, std::filesystem::path> others;
    if (source_folders_.size() > 1)
        others.emplace(setup_.program_folder, setup_.program_folder.lexically_relative(source_folders_.front()));
    ptx_ += compile::without_folders(by_nvrtc_.with_names(std::string(ptx)), setup_.folders, others);
    if (!ptx_.ends_with('\n')) ptx_ += '\n';
    return {};
}

void EmulatorMachine::source(std::string_view path, std::string_view text) {
    by_nvrtc_.add(path, text, source_folders_);
}

void EmulatorMachine::as_written(std::string_view ptx) { by_nvrtc_.add_as_written(ptx); }

void EmulatorMachine::refuse(const Problem& problem) {
    const std::string message = problem.message();
    const auto same = [&](const Problem& other) { return other.message() == message; };
    if (std::ranges::none_of(refused_, same)) refused_.push_back(problem);
}

bool EmulatorMachine::ready(const host::DeviceMemory* memory) {
    if (failed_) return false;
    if (module_ == nullptr) {
        auto found = runnable_module(ptx_, setup_.ptx_name, setup_.source);
        if (!found) {
            refuse(found.error());
            failed_ = true;
            return false;
        }
        if (const ptx::Module* const written = as_written()) describe_variables(found->module, *written);
        module_ = std::make_shared<const ptx::Module>(std::move(found->module));
        left_out_ = std::move(found->refused);
    }
    if (emulation_ == nullptr && memory != nullptr) {
        trace::Origin origin = setup_.origin;
        origin.ptx = module_->text;
        emulation_ = std::make_unique<execute::Emulation>(*module_, std::move(origin),
                                                          model::BankModel::of(setup_.banks), setup_.limits);
        const execute::OwnedMemory owned = owned_at(variables_at, *memory);
        if (const auto placed = emulation_->place_variables(owned); !placed) {
            refuse(placed.error());
            emulation_.reset();
            failed_ = true;
        }
    }
    return !failed_;
}

std::optional<host::Machine::Function> EmulatorMachine::function(std::string_view name) {
    if (!ready(nullptr)) return std::nullopt;
    const ptx::Function* const kernel = module_->find(name);
    if (kernel == nullptr || !kernel->entry) {
        if (const auto reason = left_out_.find(std::string(name)); reason != left_out_.end()) refuse(reason->second);
        return std::nullopt;
    }
    Function found;
    found.facts.found = 1;
    found.facts.ptx_target = module_->target;
    found.facts.max_threads = static_cast<std::uint32_t>(kernel->most_threads());
    found.facts.static_shared = kernel->shared_bytes;
    found.facts.local = kernel->local_bytes;
    for (const ptx::Variable& parameter : kernel->parameters)
        found.parameters.push_back({.offset = static_cast<std::uint32_t>(parameter.offset),
                                    .bytes = static_cast<std::uint32_t>(parameter.bytes)});
    return found;
}

std::optional<host::VariableFacts> EmulatorMachine::variable(std::string_view name, const host::DeviceMemory& memory) {
    if (!ready(&memory)) return std::nullopt;
    return variable_at(module_->variable_named(name));
}

std::optional<host::VariableFacts> EmulatorMachine::variable_of(std::uint32_t unit, std::string_view name,
                                                                const host::DeviceMemory& memory) {
    if (!ready(&memory)) return std::nullopt;
    return variable_at(module_->variable_named(name, unit));
}

std::optional<host::VariableFacts> EmulatorMachine::variable_at(std::optional<std::uint32_t> index) {
    const std::optional<std::uint32_t> buffer = index ? emulation_->variable(*index) : std::nullopt;
    if (!buffer) return std::nullopt;
    const trace::Buffer& found = emulation_->trace().buffers[*buffer];
    allocations_.try_emplace(
        found.address,
        Allocation{
            .address = found.address, .bytes = found.bytes, .kind = host::MemoryKind::variable, .buffer = buffer});
    return host::VariableFacts{.address = found.address, .bytes = found.bytes};
}

std::uint64_t EmulatorMachine::free_bytes() {
    const std::uint64_t capacity = device_capacity(), taken = taken_bytes();
    return std::min(capacity - std::min(allocated_, capacity), memory_cap() - std::min(taken, memory_cap()));
}

/// Memory of this process, and pages of device memory that the program alone has touched.
std::uint64_t EmulatorMachine::taken_bytes() const {
    return std::max(memory_taken(), memory_ != nullptr ? memory_->taken() : 0);
}

bool EmulatorMachine::allocate(std::uint64_t address, std::uint64_t bytes) {
    if (bytes > variables_at - address || bytes > free_bytes()) return false;
    const auto next = allocations_.lower_bound(address);
    const bool meets_next = next != allocations_.end() && next->first - address < bytes;
    if (meets_next || allocation_at(address) != nullptr) return false;
    allocated_ += bytes;
    std::erase_if(out_of_reach_.freed, [&](const execute::FreedRange& range) {
        return range.begin < address + bytes && address < range.end;
    });
    unplaced_.push_back(address);
    Allocation& allocation = allocations_[address] = Allocation{.address = address, .bytes = bytes};
    if (named_ < setup_.first_allocations.size())
        allocation.known = setup_.first_allocations[named_++], allocation.typed = Allocation::TypedBy::kernel;
    return true;
}

EmulatorMachine::Allocation* EmulatorMachine::allocation_at(std::uint64_t address) {
    const auto after = allocations_.upper_bound(address);
    if (after == allocations_.begin()) return nullptr;
    const auto before = std::prev(after);
    return address - before->first < before->second.bytes ? &before->second : nullptr;
}

void EmulatorMachine::place(Allocation& allocation, const host::DeviceMemory& memory) {
    if (allocation.buffer) return;
    trace::Buffer buffer = allocation.known;
    buffer.bytes = allocation.bytes;
    buffer.output = buffer.output || allocation.read;
    const std::uint32_t index = emulation_->add(std::move(buffer), owned_at(allocation.address, memory));
    allocation.buffer = index;
    const bool of_host = allocation.kind == host::MemoryKind::managed || allocation.kind == host::MemoryKind::pinned;
    if (of_host) allocation.written = {{.bytes = allocation.bytes}};
    for (execute::Emulation::WrittenByHost& write : std::exchange(allocation.written, {})) {
        write.buffer = index;
        emulation_->written_by_host(write);
    }
}

execute::OwnedMemory EmulatorMachine::owned_at(std::uint64_t address, const host::DeviceMemory& memory) {
    return {.address = address,
            .bytes = memory.at(address, 1).data(),
            .filled = [&memory](std::uint64_t first, std::uint64_t bytes) { return memory.filled(first, bytes); }};
}

void EmulatorMachine::place_buffers(const host::DeviceMemory& memory) {
    for (const std::uint64_t address : std::exchange(unplaced_, {})) {
        if (const auto found = allocations_.find(address); found != allocations_.end()) place(found->second, memory);
    }
}

std::string EmulatorMachine::unused_name(const std::string& wanted) {
    const auto taken = [&](const std::string& name) {
        const bool allocated = std::ranges::any_of(
            allocations_, [&](const auto& allocation) { return allocation.second.known.name == name; });
        return allocated ||
               (emulation_ != nullptr && std::ranges::find(emulation_->trace().buffers, name, &trace::Buffer::name) !=
                                             emulation_->trace().buffers.end());
    };
    std::string name = wanted;
    for (unsigned& again = numbers_[wanted]; !name.empty() && taken(name);) {
        again = std::max(again, 1U) + 1;
        name = fmt::format("{} ({})", wanted, again);
    }
    return name;
}

void EmulatorMachine::overwrite(std::uint64_t address, std::uint64_t bytes) {
    overwritten_.erase(address);
    const Allocation* const allocation = allocation_at(address);
    if (allocation == nullptr || allocation->freed || memory_ == nullptr) return;
    // In memory that no launch has found yet, copies of what a launch has written are followed.
    constexpr std::uint64_t most_unplaced = std::uint64_t{64} << 20;
    const bool launched = emulation_ != nullptr && !emulation_->trace().launches.empty();
    const bool kept =
        allocation->buffer ? emulation_->records_write(*allocation->buffer, bytes) : launched && bytes <= most_unplaced;
    if (!kept) return;
    std::vector<std::byte>& before = overwritten_[address];
    before.resize(bytes);
    for (const ByteRun& run : memory_->filled(address, bytes))
        std::ranges::copy(memory_->at(address + run.first, run.bytes), before.begin() + std::ptrdiff_t(run.first));
}

void EmulatorMachine::use(std::uint64_t address) {
    Allocation* const allocation = allocation_at(address);
    if (allocation == nullptr) return;
    allocation->read = true;
    if (allocation->buffer) emulation_->trace().buffers[*allocation->buffer].output = true;
}

void EmulatorMachine::see(const host::ProgramStep& step) {
    using Kind = host::ProgramStep::Kind;
    const bool goes_on = step.kind == Kind::print && printing_;  // the last step has grown
    printing_ = step.kind == Kind::print;
    if (printing_) {
        const std::string_view news = std::string_view(step.what).substr(goes_on ? printed_of_step_ : 0);
        progress_.print(news);
        if (setup_.live != nullptr) setup_.live->print(news);
        printed_of_step_ = step.what.size();
    }
    if (goes_on) return;
    show_live(step);
    const std::size_t launches = emulation_ == nullptr ? 0 : emulation_->trace().launches.size();
    StepPlace& place = places_.emplace_back();
    place.launch = static_cast<std::uint32_t>(launches);
    if (launches > launched_) --place.launch;  // the step is that launch
    launched_ = launches;
    if (step.kind == Kind::synchronize && !std::exchange(host_reaches_managed_, true))
        keep_host_memory(host::MemoryKind::managed);
    std::vector<std::byte> before;
    if (const auto kept = overwritten_.find(step.address); step.kind == Kind::write && kept != overwritten_.end()) {
        before = std::move(kept->second);
        overwritten_.erase(kept);
    }
    Allocation* const allocation = allocation_at(step.address);
    if (allocation == nullptr) return;
    place.buffer = allocation->buffer;
    switch (step.kind) {
        case Kind::allocate:
            allocation->kind = step.memory;
            allocation->variable = step.variable;
            if (allocation->known.name.empty()) {
                allocation->known.name = unused_name(step.variable);
                if (const auto element = trace::element_named(step.type)) {
                    allocation->known.element = *element;
                    allocation->typed = Allocation::TypedBy::host;
                }
            }
            break;
        case Kind::read:
            use(step.address);
            place.reads_unwritten = step.what.empty() && is_unwritten(*allocation, step.address, rows_of(step));
            break;
        case Kind::release:
            if (allocation->address != step.address || std::exchange(allocation->freed, true)) break;
            allocation->seen = {};
            allocated_ -= allocation->bytes;
            if (allocation->buffer) emulation_->release(*allocation->buffer);
            if (memory_ != nullptr) memory_->discard(allocation->address, allocation->bytes);
            if (!allocation->buffer) forget(*allocation);  // no launch ever saw it
            break;
        case Kind::write: {
            const std::uint64_t offset = step.address - allocation->address;
            const Allocation* const from =
                step.written == host::WriteKind::from_device ? allocation_at(step.from) : nullptr;
            if (from != nullptr) {
                host::Rows read = rows_of(step);
                read.pitch = read.from_pitch;
                place.reads_unwritten = is_unwritten(*from, step.from, read);
            }
            // The runtime checks both; a program may send messages without it.
            if (allocation->freed || step.bytes > allocation->bytes - offset) break;
            const bool gaps = step.rows.height > 1;
            if (!allocation->buffer && from != nullptr && from->buffer && !gaps && before.size() == step.bytes) {
                this->place(*allocation, *memory_);
                place.buffer = allocation->buffer;
            }
            if (!allocation->buffer) {
                allocation->written.push_back({.offset = offset,
                                               .bytes = step.bytes,
                                               .pitch = gaps ? step.rows.pitch : 0,
                                               .width = gaps ? step.rows.width : 0});
                break;
            }
            place.write = emulation_->trace().host_writes.size();
            write_rows(step, *allocation, from, before);
            place.writes = emulation_->trace().host_writes.size() - *place.write;
            if (place.writes == 0) place.write.reset();
            if (!allocation->seen.empty())  // a fill with zeros may have taken the pages away
                std::fill_n(allocation->seen.begin() + offset, step.bytes, std::byte{});
            keep(*allocation, offset, step.bytes);
            break;
        }
        default: break;
    }
}

/// Each row is a write of its own, so that the bytes between two rows do not count as written by the host.
void EmulatorMachine::write_rows(const host::ProgramStep& step, const Allocation& to, const Allocation* from,
                                 std::span<const std::byte> before) {
    const host::Rows rows = rows_of(step);
    const std::uint64_t offset = step.address - to.address;
    if (rows.height > 1 &&
        (rows.height > most_rows || emulation_->trace().host_writes.size() + rows.height > most_writes)) {
        std::vector<std::string>& notes = emulation_->trace().notes;
        std::string note = fmt::format(
            "A copy of {} to {} is kept as one write: values are not followed through it, and what lies "
            "between its rows counts as written by the host.",
            counted(rows.height, "row"), emulation_->trace().buffers[*to.buffer].name);
        if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
        emulation_->written_by_host({.buffer = *to.buffer,
                                     .offset = offset,
                                     .bytes = step.bytes,
                                     .before = before,
                                     .pitch = rows.pitch,
                                     .width = rows.width});
        return;
    }
    const std::uint64_t at = from == nullptr ? 0 : step.from - from->address;
    const auto is_in_source = [&](std::uint64_t row) {
        if (from == nullptr || !from->buffer || at > from->bytes || rows.width > from->bytes - at) return false;
        return row <= (from->bytes - at - rows.width) / std::max<std::uint64_t>(rows.from_pitch, 1);
    };
    for (std::uint64_t row = 0; row < rows.height; ++row) {
        execute::Emulation::WrittenByHost write{
            .buffer = *to.buffer, .offset = offset + row * rows.pitch, .bytes = rows.width};
        if (row * rows.pitch + rows.width <= before.size()) write.before = before.subspan(row * rows.pitch, rows.width);
        if (is_in_source(row))
            write.source = trace::HostWrite::Source{.buffer = *from->buffer, .offset = at + row * rows.from_pitch};
        emulation_->written_by_host(write);
    }
}

analysis::ProgramLine EmulatorMachine::live_launch(const host::KernelLaunch& launch) const {
    const auto extent = [](const std::uint32_t(&sides)[3]) { return trace::Dim3{sides[0], sides[1], sides[2]}; };
    return {.kind = analysis::ProgramLine::Kind::launch,
            .source_line = launch.where.line,
            .source_file = name_of_other_source(launch.where.file, setup_.folders, setup_.origin),
            .launch = {},
            .text = analysis::launch_text(launch.function, extent(launch.grid), extent(launch.block),
                                          launch.dynamic_shared_bytes)};
}

void EmulatorMachine::show_live(const host::ProgramStep& step) {
    if (setup_.live == nullptr || step.kind == host::ProgramStep::Kind::print) return;
    if (step.kind == host::ProgramStep::Kind::launch) {
        analysis::ProgramLine line = live_launch(step.launch);
        line.text += ", not launched";
        setup_.live->end_launch(std::move(line));
        return;
    }
    const Allocation *const at = allocation_at(step.address), *const from = allocation_at(step.from);
    const auto is_pinned = [](const Allocation* memory) {
        return memory != nullptr && memory->kind == host::MemoryKind::pinned;
    };
    const bool allocates = step.kind == host::ProgramStep::Kind::allocate;  // the allocation takes its name then
    const std::string name = allocates ? step.variable : at != nullptr ? at->known.name : std::string();
    analysis::ProgramLine line = analysis::line_of(plain_step(step, is_pinned(at), is_pinned(from)), name);
    line.source_line = step.where.line;
    line.source_file = name_of_other_source(step.where.file, setup_.folders, setup_.origin);
    setup_.live->add(std::move(line));
}

/// Keeps only the range of memory that no launch has accessed: a kernel may still have a pointer there.
void EmulatorMachine::forget(const Allocation& allocation) {
    constexpr std::size_t most_known = 256;
    std::vector<execute::FreedRange>& freed = out_of_reach_.freed;
    if (freed.size() == most_known) freed.erase(freed.begin());
    freed.push_back(
        {.begin = allocation.address, .end = allocation.address + allocation.bytes, .name = allocation.known.name});
    allocations_.erase(allocation.address);
}

/// Device memory that the host copies before anything has been written there. It is not known what a stopped launch
/// would have written.
bool EmulatorMachine::is_unwritten(const Allocation& from, std::uint64_t address, const host::Rows& rows) const {
    const bool of_device = from.kind == host::MemoryKind::device || from.kind == host::MemoryKind::array;
    const std::uint64_t room = from.bytes - (address - from.address);
    if (!of_device || from.freed || rows.width == 0 || rows.width > room) return false;
    if (rows.height > 1 && rows.height - 1 > (room - rows.width) / std::max<std::uint64_t>(rows.pitch, 1)) return false;
    if (!from.buffer) return from.written.empty();
    if (emulation_->trace().is_cut_short()) return false;
    for (std::uint64_t row = 0; row < rows.height; ++row) {
        const std::uint64_t offset = address - from.address + row * rows.pitch;
        if (emulation_->unwritten(*from.buffer, offset, rows.width) != rows.width) return false;
    }
    return true;
}

void EmulatorMachine::find_host_writes(const host::DeviceMemory& memory) {
    for (auto& [address, allocation] : allocations_) {
        const bool out_of_reach = allocation.kind == host::MemoryKind::managed && !host_reaches_managed_;
        if (allocation.seen.empty() || out_of_reach) continue;
        for (const ByteRun& run : changed_since(allocation, memory, 0, allocation.bytes))
            emulation_->written_by_host({.buffer = *allocation.buffer,
                                         .offset = run.first,
                                         .bytes = run.bytes,
                                         .before = {allocation.seen.data() + run.first, run.bytes}});
    }
}

/// Untouched pages are not compared. Changes in neighboring pages are one.
std::vector<ByteRun> EmulatorMachine::changed_since(const Allocation& allocation, const host::DeviceMemory& memory,
                                                    std::uint64_t offset, std::uint64_t bytes) {
    constexpr std::uint64_t page = 4096;
    std::vector<ByteRun> changes;
    for (const ByteRun& filled : memory.filled(allocation.address + offset, bytes)) {
        const auto now = memory.at(allocation.address + offset + filled.first, filled.bytes);
        const std::byte* const was = allocation.seen.data() + offset + filled.first;
        for (std::uint64_t at = 0; at < filled.bytes; at += page) {
            const std::uint64_t count = std::min(page, filled.bytes - at);
            if (std::memcmp(was + at, now.data() + at, count) == 0) continue;
            std::uint64_t first = at, past = at + count;
            while (was[first] == now[first]) ++first;
            while (was[past - 1] == now[past - 1]) --past;
            const std::uint64_t begin = offset + filled.first + first, end = offset + filled.first + past;
            if (!changes.empty() && begin - (changes.back().first + changes.back().bytes) < page)
                changes.back().bytes = end - changes.back().first;
            else
                changes.push_back({begin, end - begin});
        }
    }
    return changes;
}

/// The current contents of that part of managed or pinned memory.
void EmulatorMachine::keep(Allocation& allocation, std::uint64_t offset, std::uint64_t bytes) {
    if (allocation.seen.empty() || memory_ == nullptr) return;
    for (const ByteRun& run : changed_since(allocation, *memory_, offset, bytes))
        std::ranges::copy(memory_->at(allocation.address + run.first, run.bytes),
                          allocation.seen.begin() + std::ptrdiff_t(run.first));
}

void EmulatorMachine::keep_host_memory(host::MemoryKind kind) {
    if (memory_ == nullptr) return;
    for (auto& [address, allocation] : allocations_) {
        const bool lives = allocation.buffer && !allocation.freed;
        if (allocation.kind != kind || !lives) continue;
        if (allocation.seen.empty()) allocation.seen = ZeroedArray<std::byte>(allocation.bytes);
        keep(allocation, 0, allocation.bytes);
    }
}

const ptx::Module* EmulatorMachine::as_written() {
    auto text = std::exchange(setup_.as_written, {});
    std::string more = by_nvrtc_.take_as_written();
    if (text || !more.empty()) {
        std::string ptx = text ? text() : std::string();
        if (!ptx.empty() && !ptx.ends_with('\n')) ptx += '\n';
        if (auto found = runnable_module(ptx + more, setup_.ptx_name, setup_.source))
            written_ = std::move(found->module);
    }
    return written_ ? &*written_ : nullptr;
}

std::vector<ptx::SourceVariable> EmulatorMachine::source_parameters(const ptx::Function& kernel) {
    if (kernel.source_parameters.size() == kernel.parameters.size()) return kernel.source_parameters;
    const ptx::Module* const module = as_written();
    const ptx::Function* const written = module != nullptr ? module->find(kernel.name) : nullptr;
    const bool same = written != nullptr && written->source_parameters.size() == kernel.parameters.size();
    return same ? written->source_parameters : std::vector<ptx::SourceVariable>();
}

std::vector<trace::Argument> EmulatorMachine::arguments_of(const ptx::Function& kernel,
                                                           const host::KernelLaunch& launch) {
    std::vector<trace::Argument> arguments;
    const std::vector<ptx::SourceVariable> names = source_parameters(kernel);
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const ptx::Variable& parameter = kernel.parameters[i];
        trace::Argument& argument = arguments.emplace_back();
        if (i < names.size()) {
            argument.name = names[i].name;
            argument.type = names[i].type;
        } else {
            argument.name = fmt::format("parameter {}", i + 1);
        }
        argument.value.resize(parameter.bytes);
        if (parameter.offset + parameter.bytes <= launch.parameters.size())
            std::memcpy(argument.value.data(), launch.parameters.data() + parameter.offset, parameter.bytes);
        std::uint64_t address = 0;
        if (parameter.bytes != sizeof address) continue;
        std::memcpy(&address, argument.value.data(), sizeof address);
        if (const Allocation* allocation = allocation_at(address)) argument.buffer = allocation->buffer;
    }
    return arguments;
}

/// A function that allocates for others gives one name to all of its allocations.
bool EmulatorMachine::is_ambiguous(const Allocation& allocation) const {
    if (allocation.variable.empty() || allocation.named_by_parameter) return false;
    return std::ranges::any_of(allocations_, [&](const auto& each) {
        return each.first != allocation.address && !each.second.freed && each.second.variable == allocation.variable;
    });
}

/// The kernel's type is preferred to that of the host code: where a program allocates bytes and casts, it is the first
/// that states what they are. A pointer into the allocation types only a part of it, and does not replace a type.
void EmulatorMachine::take_type(Allocation& allocation, trace::Buffer& buffer, trace::Element element, bool whole,
                                const std::string& type) {
    using TypedBy = Allocation::TypedBy;
    const bool bytes_alone = trace::bytes_of(buffer.element) == 1;
    if (allocation.typed == TypedBy::nothing || (whole && allocation.typed == TypedBy::host) ||
        (whole && bytes_alone && trace::bytes_of(element) > 1)) {
        buffer.element = element;
        allocation.typed = whole ? TypedBy::kernel : TypedBy::host;
    } else if (element != buffer.element && !std::exchange(allocation.typed_otherwise, true)) {
        emulation_->trace().notes.push_back(fmt::format("{} is accessed as {}, too; its elements are shown as {}.",
                                                        buffer.name, type, trace::name_of(buffer.element)));
    }
}

/// The name and the element type of a buffer whose variable in the program has none, or one that it shares with other
/// allocations: of the kernel's parameter.
void EmulatorMachine::describe(const trace::Argument& argument) {
    std::uint64_t address = 0;
    std::memcpy(&address, argument.value.data(), sizeof address);
    Allocation& allocation = *allocation_at(address);
    trace::Buffer& buffer = emulation_->trace().buffers[*argument.buffer];
    if (const auto element = trace::element_pointed_to(*module_, argument.type))
        take_type(allocation, buffer, *element, address == allocation.address, argument.type);
    // A structure that holds a pointer alone has a name of its own, not that of the pointer's buffer.
    const bool names = argument.type.empty() || is_pointer_type(argument.type);
    if (buffer.name.empty()) {
        buffer.name = unused_name(names ? argument.name : fmt::format("buffer of {}", argument.name));
    } else if (address == allocation.address && is_ambiguous(allocation) && is_pointer_type(argument.type)) {
        allocation.named_by_parameter = true;
        buffer.name = allocation.known.name = unused_name(argument.name);
    }
}

int EmulatorMachine::error_of(std::size_t first_finding) const {
    using Kind = trace::Finding::Kind;
    for (std::size_t i = first_finding; i < emulation_->trace().findings.size(); ++i) {
        switch (emulation_->trace().findings[i].kind) {
            case Kind::null_access:
            case Kind::stack_overflow: return illegal_address;  // as an H100 reports
            case Kind::misaligned: return misaligned;
            case Kind::assertion: return assertion;
            case Kind::trap: return launch_failure;
            case Kind::deadlock:
            case Kind::infinite_loop:
            case Kind::step_budget: return timeout;
            default: break;
        }
    }
    return success;
}

bool EmulatorMachine::ended_by_access(std::size_t first_finding) const {
    const auto news = std::span(emulation_->trace().findings).subspan(first_finding);
    return std::ranges::any_of(
        news, [](const trace::Finding& finding) { return finding.kind == trace::Finding::Kind::out_of_bounds; });
}

/// More launches may follow: each leaves half of the record's room, and of many only the first show several blocks.
execute::Emulation::Recording EmulatorMachine::recording() const {
    constexpr std::size_t shown_in_full = 64;
    const std::size_t number = emulation_->trace().launches.size();
    const std::uint64_t all = setup_.limits.record_blocks, one = std::min<std::uint64_t>(all, 1);
    if (!setup_.record_launch || number > *setup_.record_launch)
        return {.blocks = number < shown_in_full && !setup_.record_launch ? all : one, .share = 0.5};
    if (number == *setup_.record_launch) return {.blocks = all, .share = 1};
    return {.blocks = one, .share = 0.5, .where_below = setup_.limits.record_bytes / 8};
}

host::Machine::Outcome EmulatorMachine::launch(const host::KernelLaunch& launch, const host::DeviceMemory& memory) {
    if (!ready(&memory)) return {.error = invalid_value};
    const ptx::Function* const kernel = module_->find(launch.function);
    if (kernel == nullptr) return {.error = invalid_value};
    if (taken_bytes() > memory_cap()) {
        refuse({.what = memory_cap_reached(),
                .where = {},
                .remedy = "Choose a smaller problem size, or free what is not needed."});
        return {.error = memory_allocation};
    }
    place_buffers(memory);
    find_host_writes(memory);
    execute::LaunchRequest request;
    request.kernel = launch.function;
    request.grid = {launch.grid[0], launch.grid[1], launch.grid[2]};
    request.block = {launch.block[0], launch.block[1], launch.block[2]};
    request.dynamic_shared_bytes = launch.dynamic_shared_bytes;
    request.stack_bytes = launch.stack_bytes;
    request.arguments = arguments_of(*kernel, launch);
    request.out_of_reach = out_of_reach_;
    request.ordinary = !launch.cooperative;
    request.notes_accesses = launch.wants_accesses;
    for (const trace::Argument& argument : request.arguments) {
        if (argument.buffer) describe(argument);
    }
    progress_.say(fmt::format("launch {}: {}", grouped(emulation_->trace().launches.size()),
                              analysis::launch_name_of(launch.function)));
    const std::size_t findings = emulation_->trace().findings.size(), printed = emulation_->trace().printed.size();
    const bool first = emulation_->trace().launches.empty() && setup_.recorded;
    execute::Emulation::Recording recording = this->recording();
    bool shown = false;
    if (first)
        recording.recorded = [&] {
            shown = true;
            show_first_launch();
        };
    if (setup_.live != nullptr) {
        analysis::ProgramLine line = live_launch(launch);
        line.launch = static_cast<std::uint32_t>(emulation_->trace().launches.size());
        setup_.live->begin_launch(std::move(line));
    }
    const auto begin = std::chrono::steady_clock::now();
    const auto end = emulation_->launch(request, recording, progress_);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (end && first && !shown && !progress_.cancelled()) show_first_launch();
    if (!end) {
        refuse(end.error());
        return {.error = invalid_value};
    }
    keep_host_memory(host::MemoryKind::pinned);
    host_reaches_managed_ = false;
    Outcome outcome{.error = error_of(findings),
                    .nanoseconds = nanoseconds_of(emulation_->trace(), emulation_->trace().launches.size() - 1),
                    .printed = {}};
    outcome.accessed = accessed_by_launch(*kernel);
    for (const trace::Printed& text : std::span(emulation_->trace().printed).subspan(printed))
        outcome.printed += text.text;
    const auto news = std::span(emulation_->trace().findings).subspan(findings);
    const bool spent = std::ranges::find(news, trace::Finding::Kind::step_budget, &trace::Finding::kind) != news.end();
    if (spent || *end == execute::Emulation::End::cancelled) {
        // Its results are incomplete: the host must not go on with them.
        outcome.ends = spent ? host::ProgramEnd::How::step_limit : host::ProgramEnd::How::cancelled;
        return outcome;
    }
    if (outcome.error == success && emulation_->left_mapped_memory()) outcome.error = illegal_address;
    if (outcome.error == success && *end == execute::Emulation::End::stopped)
        outcome.error = ended_by_access(findings) ? illegal_address : launch_failure;
    // As above: what the host would go on with is not what the kernel leaves.
    if (emulation_->trace().findings.size() > findings && forgives_wait_for_others(launch.may_overlap))
        outcome.ends = host::ProgramEnd::How::unknown;
    return outcome;
}

/// Whether a kernel does what it must to tell host code that runs beside it how far it is: a fence or an atomic of
/// system scope, or a store that is not to be delayed.
bool signals_host(const ptx::Module& module, const ptx::Function& kernel) {
    using ptx::Action, ptx::Order, ptx::Scope;
    for (const ptx::Function* const function : ptx::reached_from(module, kernel))
        for (const ptx::Instruction& instruction : function->instructions) {
            const ptx::Modifiers& modifiers = instruction.modifiers;
            const bool of_system = modifiers.scope == Scope::sys;
            if (instruction.action() == Action::fence && of_system) return true;
            if (modifiers.atomic != ptx::Atomic::none && of_system) return true;
            if (instruction.action() == Action::store &&
                (modifiers.is_volatile || (modifiers.order != Order::weak && of_system)))
                return true;
        }
    return false;
}

/// Where the launch's accesses are too scattered to be kept, its order among host code and the work of other streams is
/// not known.
std::vector<host::AccessedSpan> EmulatorMachine::accessed_by_launch(const ptx::Function& kernel) {
    constexpr std::size_t most_spans = std::size_t{1} << 20U;
    const auto& accessed = emulation_->accessed();
    std::vector<host::AccessedSpan> spans;
    if (accessed.size() > most_spans) {
        emulation_->trace().notes.push_back(
            fmt::format("Not known: whether host code or work of other streams accesses what launch {} does while it "
                        "runs; its accesses are too scattered to be compared.",
                        emulation_->trace().launches.size() - 1));
        return spans;
    }
    spans.reserve(accessed.size());
    const std::uint64_t signals = !accessed.empty() && signals_host(*module_, kernel) ? host::AccessedSpan::signals : 0;
    for (const execute::AccessedBytes::Span& span : accessed)
        spans.push_back({.address = span.address, .bytes = span.bytes, .uses = span.uses | signals});
    return spans;
}

/// A launch that waits for memory which the host, or work of another stream, writes while it runs would end on a GPU.
/// Here they continue only when it has ended. Such a finding becomes a note.
bool EmulatorMachine::forgives_wait_for_others(bool may_overlap) {
    trace::Trace& trace = emulation_->trace();
    const trace::Finding& last = trace.findings.back();
    if (last.kind != trace::Finding::Kind::deadlock || !last.address) return false;
    const Allocation* const allocation = allocation_at(*last.address);
    const bool of_host = allocation != nullptr && (allocation->kind == host::MemoryKind::managed ||
                                                   allocation->kind == host::MemoryKind::pinned);
    const bool global = allocation != nullptr || *last.address >= variables_at;
    if (!of_host && !(may_overlap && global)) return false;
    trace.notes.push_back(
        fmt::format("Not known: whether launch {} ends; {}. {} may write there while a kernel runs; "
                    "here it continues only when the launch has ended.",
                    last.launch, last.message, of_host ? "The host" : "Work of another stream"));
    trace.findings.pop_back();
    return true;
}

void EmulatorMachine::show_first_launch() {
    const std::shared_ptr<trace::Trace> trace = emulation_->snapshot();
    set_problem_size(*trace);
    keep_sources(*trace, module_.get(), source_folders_, {}, by_nvrtc_.texts());
    for (trace::Buffer& buffer : trace->buffers) {
        if (buffer.name.empty()) buffer.name = trace::unnamed_buffer;
    }
    setup_.recorded(trace, module_);
}

std::optional<std::uint64_t> EmulatorMachine::host_call(const host::HostCall& call) {
    return setup_.host_functions != nullptr ? setup_.host_functions->call(call) : std::nullopt;
}

void EmulatorMachine::host_ranges(const std::vector<host::HostRange>& ranges) {
    constexpr std::array names{"the heap", "the stack", "a variable", ""};
    out_of_reach_.host.clear();
    for (const host::HostRange& range : ranges) {
        const auto place = std::min(static_cast<std::size_t>(range.place), names.size() - 1);
        out_of_reach_.host.push_back({.begin = range.begin, .end = range.end, .what = names.at(place)});
    }
}

std::optional<std::uint64_t> EmulatorMachine::host_memory(host::HostMemory&& memory) {
    return setup_.host_functions != nullptr ? setup_.host_functions->memory(std::move(memory)) : std::nullopt;
}

void EmulatorMachine::host_return(std::uint32_t function, std::uint64_t general, std::uint64_t vector) {
    if (setup_.host_functions != nullptr) setup_.host_functions->returned(function, general, vector);
}

/// main sets all sizes itself: the problem size is that of the first buffer.
void EmulatorMachine::set_problem_size(trace::Trace& trace) const {
    if (trace.origin.n != 0) return;
    const auto own = std::ranges::find_if(allocations_, [](const auto& entry) {
        return entry.second.buffer && entry.second.kind != host::MemoryKind::variable;
    });
    if (own == allocations_.end()) return;
    const auto buffer = std::ranges::find(trace.buffers, own->first, &trace::Buffer::address);
    if (buffer == trace.buffers.end()) return;
    trace.origin.n = trace::elements_of(trace, *module_, *buffer);
}

/// Types buffers that neither a variable nor a kernel's parameter gives a type by the instructions that access them; a
/// note names the others, where a report shows their values.
void EmulatorMachine::find_unknown_types(trace::Trace& trace) const {
    std::vector<std::uint32_t> unknown;
    for (const auto& [address, allocation] : allocations_) {
        using Kind = host::MemoryKind;
        const bool is_memory =
            allocation.kind == Kind::device || allocation.kind == Kind::managed || allocation.kind == Kind::pinned;
        if (allocation.buffer && is_memory && allocation.typed == Allocation::TypedBy::nothing)
            unknown.push_back(*allocation.buffer);
    }
    for (const auto& [buffer, element] : accessed_types(trace, *module_, unknown)) {
        trace.buffers[buffer].element = element;
        std::erase(unknown, buffer);
    }
    constexpr std::size_t most_named = 4;
    std::vector<std::string> names;
    std::uint64_t others = 0, unnamed = 0;
    for (const std::uint32_t index : unknown) {
        const trace::Buffer& buffer = trace.buffers[index];
        const bool shown = buffer.output || std::ranges::find(trace.host_writes, index, &trace::HostWrite::buffer) !=
                                                trace.host_writes.end();
        if (!shown) continue;
        if (buffer.name.empty())
            ++unnamed;
        else if (names.size() < most_named)
            names.push_back(buffer.name);
        else
            ++others;
    }
    if (others > 0) names.push_back(counted(others, "other buffer"));
    if (unnamed > 0) names.push_back(counted(unnamed, "buffer") + " without a name");
    if (names.empty()) return;
    trace.notes.push_back(fmt::format(
        "Not known: the element type of {}, which no variable, kernel parameter or instruction states. The elements "
        "are shown as {}.",
        listed(names), trace::name_of(trace::Buffer().element)));
}

void EmulatorMachine::keep_sources_of(trace::Trace& trace, const host::ProgramRun& run) const {
    std::vector<std::string> files;
    files.reserve(run.steps.size());
    for (const host::ProgramStep& step : run.steps) files.push_back(step.where.file);
    keep_sources(trace, module_.get(), source_folders_, files, by_nvrtc_.texts());
}

HostStory::Input EmulatorMachine::story_input(const host::ProgramRun& run) {
    const auto place_at = [this](std::uint64_t address) -> std::optional<HostStory::Place> {
        const Allocation* const allocation = allocation_at(address);
        if (allocation == nullptr) return std::nullopt;
        return HostStory::Place{.address = allocation->address,
                                .kind = allocation->kind,
                                .name = allocation->known.name,
                                .buffer = allocation->buffer};
    };
    return {.run = run,
            .places = places_,
            .place_at = place_at,
            .folders = source_folders_,
            .refused = refused_,
            .functions = setup_.host_functions};
}

trace::Trace EmulatorMachine::without_launch(const host::ProgramRun& run) {
    trace::Trace trace;
    trace.origin = setup_.origin;
    keep_sources_of(trace, run);
    for (auto& [address, allocation] : allocations_) {
        if (allocation.kind == host::MemoryKind::variable) continue;
        allocation.buffer = static_cast<std::uint32_t>(trace.buffers.size());
        trace.buffers.push_back(allocation.known);
        if (trace.buffers.back().name.empty()) trace.buffers.back().name = trace::unnamed_buffer;
    }
    HostStory story(trace, story_input(run));
    story.add_steps();
    story.add_refused_launches();
    return trace;
}

EmulatorMachine::Traced EmulatorMachine::finish(const host::ProgramRun& run) {
    if (emulation_ == nullptr || emulation_->trace().launches.empty()) return {};
    trace::Trace& trace = emulation_->trace();
    emulation_->end_launches();
    keep_sources_of(trace, run);
    remark_on_library_kernels(trace, *module_, source_folders_);
    HostStory story(trace, story_input(run));
    story.add_steps();
    story.add_heap_leaks(emulation_->heap_leaks());
    story.add_written_files();
    set_problem_size(trace);
    if (setup_.limits.record_blocks > 0) note_launches_without_record(trace);
    find_unknown_types(trace);
    trace.cancelled = trace.cancelled || run.end.how == host::ProgramEnd::How::cancelled;
    for (trace::Buffer& buffer : trace.buffers) {
        if (buffer.name.empty()) buffer.name = trace::unnamed_buffer;
    }
    return {.trace = emulation_->finish(), .module = module_};
}

}  // namespace lanescope::session
