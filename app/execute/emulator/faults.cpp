#include "execute/emulator/faults.h"

#include "base/grouped.h"
#include "execute/emulator/emulation_notes.h"
#include "execute/emulator/endless_loop_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace lanescope::execute {

namespace {

using FindingKind = trace::Finding::Kind;

std::string_view verb_of(const Micro& micro) {
    switch (micro.kind) {
        case Kind::load: return "reads";
        case Kind::store: return "writes";
        case Kind::copy: return "copies to";
        default: return "updates";
    }
}

std::string_view name_of_space(ptx::Space space) {
    switch (space) {
        case ptx::Space::shared: return "shared memory";
        case ptx::Space::local: return "local memory";
        case ptx::Space::param: return "the parameters";
        default: return "global memory";
    }
}

/// The first few, then the number of the rest.
std::string listed(std::vector<std::string> parts) {
    constexpr std::size_t shown = 6;
    if (parts.size() > shown) {
        const std::size_t more = parts.size() - shown;
        parts.resize(shown);
        parts.push_back(fmt::format("{} more", grouped(more)));
    }
    return fmt::format("{}", fmt::join(parts, "; "));
}

/// "x = 64 (bytes), y = 3"
std::string coordinates_text(const Faults::SurfacePlace& place) {
    constexpr std::array names{"x", "y", "z"};
    std::string text;
    for (unsigned i = 0; i < place.dimensions; ++i)
        text += fmt::format("{}{} = {}{}", i == 0 ? "" : ", ", names[i], place.at[i], i == 0 ? " (bytes)" : "");
    return text;
}

/// "64 bytes x 16 rows"
std::string surface_extent(const Faults::SurfacePlace& place) {
    std::string text = counted(static_cast<std::uint64_t>(place.extent[0]), "byte");
    if (place.dimensions > 1) text += " x " + counted(static_cast<std::uint64_t>(place.extent[1]), "row");
    if (place.dimensions > 2) text += " x " + counted(static_cast<std::uint64_t>(place.extent[2]), "slice");
    return text;
}

}  // namespace

void Faults::begin_launch(std::uint32_t number, const Code& code, const trace::Launch& launch,
                          const std::vector<trace::SharedArray>& arrays, const OutOfReach& out_of_reach) {
    launch_number_ = number;
    code_ = &code;
    sites_.clear();
    left_mapped_memory_ = false;
    has_grid_barrier_ = true;
    wording_.begin_launch(code, launch, arrays, out_of_reach);
}

std::size_t Faults::report_address(trace::Finding finding, const WarpStep& step, unsigned lane) {
    const MemoryAccess& access = code_->accesses[step.micro.access];
    const bool from_data = access.base && LaneMask(step.warp.word(access.base->input_dependent)).has(lane);
    return list_.report(std::move(finding), from_data);
}

trace::Finding Faults::at(FindingKind kind, const Block& block, const Warp& warp, LaneId lane, Pc pc,
                          const Divergence::Waiting* waiting) const {
    trace::Finding finding;
    finding.kind = kind;
    finding.launch = launch_number_;
    finding.block = block.id;
    finding.warp = warp.id;
    finding.lane = lane;
    finding.line = code_->micros[pc].line;
    finding.source_line = code_->source_line(code_->micros[code_->blamed(warp.control, pc, waiting)]);
    return finding;
}

/// "line 12": of the instruction itself or of the call that led there.
std::string Faults::line(const Warp& warp, Pc pc, const Divergence::Waiting* waiting) const {
    return wording_.line(code_->blamed(warp.control, pc, waiting));
}

std::string Faults::line(const WarpStep& step) const { return line(step.warp, pc_of(step)); }

trace::Finding Faults::at(FindingKind kind, const WarpStep& step, unsigned lane) const {
    return at(kind, step.block, step.warp, LaneId(lane), pc_of(step));
}

Pc Faults::pc_of(const WarpStep& step) const {
    const Micro* const first = code_->micros.data();
    const Micro* const own = &step.micro;
    const bool of_the_code = std::less_equal<>()(first, own) && std::less<>()(own, first + code_->micros.size());
    return of_the_code ? static_cast<Pc>(own - first) : step.warp.control.pc();
}

Faults::Site Faults::site_of(FindingKind kind, const WarpStep& step, std::uint64_t object) const {
    const Pc pc = pc_of(step);
    return {.kind = kind, .pc = pc, .blamed = code_->blamed(step.warp.control, pc), .object = object};
}

Faults::Site Faults::race_site(const WarpStep& step, ptx::Space space, std::uint64_t address, const Accessor& earlier,
                               bool is_remark) const {
    Site site = site_of(FindingKind::race, step, wording_.object_at(space, address));
    site.other = earlier.pc;
    site.other_blamed = earlier.blamed;
    site.is_remark = is_remark;
    return site;
}

bool Faults::count_again(const Site& site, const WarpStep& step, std::uint64_t address) {
    const auto known = sites_.find(site);
    if (known == sites_.end()) return false;
    std::vector<trace::Finding>& listed = site.is_remark ? writer_.trace().remarks : writer_.trace().findings;
    if (known->second != FindingList::unlisted)
        writer_.again(listed[known->second], step.block.id, step.warp.id, code_->micros[site.pc].line, address);
    return true;
}

void Faults::remark(const Site& site, trace::Finding race) {
    race.message += "; both write the same value, so the result is the same in either order";
    sites_[site] = list_.remark(std::move(race));
}

std::string Faults::thread(const WarpStep& step, unsigned lane) const {
    return wording_.thread(step.block.id, step.thread(lane));
}

// Memory --------------------------------------------------------------------------------------------------------

void Faults::out_of_bounds(const WarpStep& step, unsigned lane, ptx::Space space, std::uint64_t address,
                           unsigned bytes) {
    // A generic address slightly below a window is a negative index into an array there.
    if (code_->accesses[step.micro.access].space == ptx::Space::generic) {
        constexpr std::uint64_t near = std::uint64_t{1} << 16;
        const std::uint64_t generic = address + window_of(space);
        for (const ptx::Space above : {ptx::Space::shared, ptx::Space::local}) {
            const std::uint64_t window = window_of(above);
            if (space == above || generic >= window || window - generic > near) continue;
            space = above;
            address = generic - window;
            break;
        }
    }
    FindingKind kind = FindingKind::out_of_bounds;
    const Region* missed = nullptr;
    if (space == ptx::Space::global) {
        missed = memory_.nearest(address);
        if (missed != nullptr) {
            const auto first = static_cast<std::int64_t>(address - missed->base());
            Overreach& reach = reached_.try_emplace(missed->base(), first, first + bytes).first->second;
            reach.first = std::min(reach.first, first);
            reach.past_last = std::max(reach.past_last, first + bytes);
        }
        const Heap::Piece* piece = heap_.piece_at(address);
        if (address < past_null) kind = FindingKind::null_access;
        left_mapped_memory_ = left_mapped_memory_ || !memory_.has_within(address, past_mapped);
        if ((piece != nullptr && piece->freed) || wording_.is_freed(address)) kind = FindingKind::use_after_free;
        if (piece != nullptr) missed = nullptr;  // the piece is named instead
    }
    const Site site = site_of(kind, step, missed != nullptr ? missed->base() : 0);
    if (missed != nullptr && count_again(site, step, address)) return;
    trace::Finding finding = at(kind, step, lane);
    const MemoryAccess& access = code_->accesses[step.micro.access];
    const trace::SharedArray* const local =
        access.local_array != 0 ? &code_->local_arrays[access.local_array - 1] : nullptr;
    PlaceName place = wording_.place(space, address, bytes, access.array, local);
    finding.address = address;
    finding.variable = std::move(place.variable);
    finding.message = fmt::format("{} {} {}", thread(step, lane), verb_of(step.micro), place.text);
    const std::size_t index = report_address(std::move(finding), step, lane);
    if (missed != nullptr) sites_[site] = index;
}

void Faults::misaligned(const WarpStep& step, unsigned lane, ptx::Space space, std::uint64_t address, unsigned bytes) {
    const Site site = site_of(FindingKind::misaligned, step, wording_.object_at(space, address));
    if (count_again(site, step, address)) return;
    trace::Finding finding = at(FindingKind::misaligned, step, lane);
    finding.address = address;
    PlaceName place = wording_.place(space, address, bytes);
    finding.variable = std::move(place.variable);
    finding.message =
        fmt::format("{} {} {} at {} of {}{}, which is not a multiple of {}", thread(step, lane), verb_of(step.micro),
                    counted(bytes, "byte"), address_text(address), name_of_space(space),
                    finding.variable.empty() ? "" : fmt::format(" ({})", place.text), bytes);
    sites_[site] = report_address(std::move(finding), step, lane);
}

void Faults::uninitialized_read(const WarpStep& step, unsigned lane, ptx::Space space, std::uint64_t address,
                                unsigned bytes, Part uninitialized) {
    const Site site = site_of(FindingKind::uninitialized_read, step, wording_.object_at(space, address));
    if (count_again(site, step, uninitialized.address)) return;
    trace::Finding finding = at(FindingKind::uninitialized_read, step, lane);
    PlaceName place = wording_.place(space, address, bytes);
    const char* none_has = space == ptx::Space::shared          ? "no thread of the block has"
                           : space == ptx::Space::local         ? "it has never"
                           : heap_.piece_at(address) != nullptr ? "no thread has"
                                                                : "neither the host nor any thread has";
    std::string what = fmt::format("which {} written", none_has);
    if (uninitialized.bytes != bytes) {
        // By its elements, or by its bytes if it is part of one element.
        std::string part = wording_.place(space, uninitialized.address, uninitialized.bytes).text;
        const std::uint64_t first = uninitialized.address - address;
        if (part == place.text) part = byte_range(static_cast<std::int64_t>(first), uninitialized.bytes);
        what = fmt::format("but {} written {}", none_has, part);
    }
    finding.address = uninitialized.address;
    finding.variable = std::move(place.variable);
    finding.message = fmt::format("{} {} {}, {}", thread(step, lane), verb_of(step.micro), place.text, what);
    report(site, std::move(finding));
}

trace::Finding Faults::race(const WarpStep& step, unsigned lane, bool writes, ptx::Space space, std::uint64_t address,
                            unsigned bytes, const Accessor& earlier) const {
    const Micro& before = code_->micros[earlier.pc];
    const Micro& before_line = code_->micros[earlier.blamed];
    trace::Finding finding = at(FindingKind::race, step, lane);
    PlaceName place = wording_.place(space, address, bytes);
    finding.address = address;
    finding.variable = std::move(place.variable);
    finding.other = trace::Finding::Side{.block = earlier.block,
                                         .warp = WarpId(earlier.thread / warp_size),
                                         .lane = LaneId(earlier.thread % warp_size),
                                         .line = before.line,
                                         .source_line = code_->source_line(before_line),
                                         .step = earlier.step};
    const bool same_block = earlier.block == step.block.id;
    const bool same_warp = same_block && earlier.thread / warp_size == step.warp.id.value;
    const char* scope = same_warp ? "threads of a warp" : same_block ? "warps" : "blocks";
    const std::string other =
        same_block ? wording_.thread(earlier.block, earlier.thread).substr(wording_.block(earlier.block).size() + 2)
                   : wording_.thread(earlier.block, earlier.thread);
    if (earlier.still_copies) {
        finding.message = fmt::format(
            "{} {} {} in {} while the copy {} it that {} starts in {} is pending, without a wait between the two",
            thread(step, lane), writes ? verb_of(step.micro) : "reads", place.text, line(step),
            earlier.writes ? "to" : "from",
            same_block && earlier.thread == step.thread(lane) ? "the same thread" : other,
            wording_.line(earlier.blamed));
        return finding;
    }
    finding.message = fmt::format("{} {} {} in {} and {} {} it in {}, without synchronization between the two {}{}",
                                  thread(step, lane), writes ? verb_of(step.micro) : "reads", place.text, line(step),
                                  other, earlier.writes ? verb_of(before) : "reads", wording_.line(earlier.blamed),
                                  scope, earlier.only_for_blocks ? ": one access has block scope only" : "");
    return finding;
}

namespace {

/// "atomic" of "the other access is atomic".
std::string_view name_of(Accessor::Strength strength) {
    switch (strength) {
        case Accessor::Strength::plain: return "plain";
        case Accessor::Strength::strong: return "volatile";
        case Accessor::Strength::atomic: return "atomic";
    }
    return "";
}

/// Of a plain access and one that is not: what a barrier, another launch or another kind of access would do.
std::string remedy_of_plain(bool reads, bool same_block, bool same_warp) {
    const std::string barrier = fmt::format("Order the two with a __syncthreads(){} that every thread reaches; ",
                                            same_warp ? " or __syncwarp()" : "");
    if (reads)
        return same_block ? barrier +
                                "if any value in between will do, read it by an atomic operation or a volatile "
                                "load."
                          : "If any value in between will do, read it by an atomic operation or a volatile load; its "
                            "last value, after a grid barrier or in another launch.";
    const std::string release =
        fmt::format("a lock or a flag is written by an atomic operation, such as atomicExch(), after a {}.",
                    same_block ? "__threadfence_block()" : "__threadfence()");
    return (same_block ? barrier : "Write it before the kernel, by the host or an earlier launch; ") + release;
}

}  // namespace

trace::Finding Faults::harmful_race(const WarpStep& step, unsigned lane, bool writes, ptx::Space space,
                                    std::uint64_t address, unsigned bytes, const Accessor& earlier) const {
    trace::Finding finding = race(step, lane, writes, space, address, bytes, earlier);
    if (earlier.still_copies || earlier.only_for_blocks) return finding;
    const bool same_block = earlier.block == step.block.id;
    constexpr Accessor::Strength plain = Accessor::Strength::plain;
    if (const std::optional<Guard>& guard = earlier.guard) {
        const std::string fence = same_block ? "__threadfence_block()" : "__threadfence()";
        const std::string written = wording_.line(guard->write), read = wording_.line(guard->read);
        finding.message += fmt::format(
            "; {0} is written in {1} after the one and read in {2} before the other, but no {3} orders it "
            "with them. Put a {3} {4}",
            wording_.place(guard->space, guard->address, guard->bytes).text, written, read, fence,
            guard->fenced ? fmt::format("after the read in {}", read)
                          : fmt::format("before the write in {}, and one after the read in {}", written, read));
    } else if ((earlier.strength == plain) != (earlier.now == plain)) {
        const bool plain_is_now = earlier.now == plain;
        const bool reads = plain_is_now ? !writes : !earlier.writes;
        finding.message += fmt::format(
            ": the {} in {} is plain, the other access is {}. {}", reads ? "load" : "store",
            plain_is_now ? line(step) : wording_.line(earlier.blamed),
            name_of(plain_is_now ? earlier.strength : earlier.now),
            remedy_of_plain(reads, same_block, same_block && earlier.thread / warp_size == step.warp.id.value));
    }
    return finding;
}

void Faults::remark_verified_read(const std::string& variable, Pc read, Pc swap) {
    const std::string note = fmt::format(
        "In {}, a plain load reads {} while other threads update it atomically: formally a data race. The "
        "compare-and-swap of {} verifies the value, so the race is harmless; a volatile load would avoid it.",
        wording_.line(read), variable.empty() ? "memory" : variable, wording_.line(swap));
    note_once(writer_.trace(), note);
}

// Ends of a thread -------------------------------------------------------------------------------------------

void Faults::trap(const WarpStep& step) {
    trace::Finding finding = at(FindingKind::trap, step, step.executed.lowest());
    finding.message =
        fmt::format("{} reaches a trap in {}: the launch is aborted", thread(step, step.executed.lowest()), line(step));
    if (!has_grid_barrier_)
        finding.message +=
            ". grid.sync() needs a cooperative launch (cudaLaunchCooperativeKernel); <<<>>> does not make one";
    report(std::move(finding));
}

void Faults::bad_call(const WarpStep& step, LaneMask lanes, std::uint64_t target) {
    trace::Finding finding =
        at(target == 0 ? FindingKind::null_access : FindingKind::out_of_bounds, step, lanes.lowest());
    finding.address = target;
    finding.message =
        fmt::format("{} calls address {}, which is not a function with these parameters: the launch is aborted",
                    thread(step, lanes.lowest()), address_text(target));
    report(std::move(finding));
}

void Faults::stack_overflow(const WarpStep& step, unsigned lane, const StackUse& use) {
    trace::Finding finding = at(FindingKind::stack_overflow, step, lane);
    const std::string calls =
        use.calls > 0 ? counted(use.calls, "earlier call") : "earlier calls of recursive functions";
    finding.message = fmt::format(
        "{} overflows its stack of {}: a call of {} needs a frame of {}, and {} already {} {}: the launch "
        "is aborted. End the recursion earlier, or set a larger stack by "
        "cudaDeviceSetLimit(cudaLimitStackSize, bytes)",
        thread(step, lane), counted(use.room, "byte"), use.function, counted(use.frame, "byte"), calls,
        verb(use.calls, "take"), grouped(use.used));
    report(std::move(finding));
}

void Faults::assertion(const WarpStep& step, const std::string& message) {
    trace::Finding finding = at(FindingKind::assertion, step, step.executed.lowest());
    finding.message = fmt::format("{}: assertion {} failed in {}: the launch is aborted",
                                  thread(step, step.executed.lowest()), message, line(step));
    report(std::move(finding));
}

void Faults::out_of_memory(const WarpStep& step, unsigned lane, std::uint64_t wanted, std::uint64_t left) {
    trace::Finding finding = at(FindingKind::out_of_memory, step, lane);
    finding.message = fmt::format("{} calls malloc for {}, but the heap has {} left: malloc returns a null pointer",
                                  thread(step, lane), counted(wanted, "byte"), counted(left, "byte"));
    report(std::move(finding));
}

Heap::Caller Faults::caller(const WarpStep& step, unsigned lane) const {
    return {.thread = thread(step, lane),
            .line = line(step),
            .source_line = code_->source_line(code_->micros[code_->blamed(step.warp.control, pc_of(step))])};
}

void Faults::bad_free(const WarpStep& step, unsigned lane, std::uint64_t address) {
    const Heap::Piece* piece = space_of(address) == ptx::Space::global ? heap_.piece_at(address) : nullptr;
    const bool twice = piece != nullptr && piece->address == address;  // the address itself is valid
    trace::Finding finding = at(twice ? FindingKind::double_free : FindingKind::invalid_free, step, lane);
    PlaceName place = wording_.place(space_of(address), address - window_of(space_of(address)), 1);
    finding.address = address;
    finding.variable = std::move(place.variable);
    finding.message = fmt::format("{} frees {}{}", thread(step, lane), place.text,
                                  twice              ? ": double free"
                                  : piece != nullptr ? "; free takes only the address that malloc returned"
                                                     : ", which malloc did not return");
    report(std::move(finding));
}

// Textures and surfaces -------------------------------------------------------------------------------------------

void Faults::bad_handle(const WarpStep& step, unsigned lane, std::uint64_t handle) {
    const bool fetches = step.micro.kind == Kind::texture;
    const auto kind = handle == 0 ? trace::Finding::Kind::null_access : trace::Finding::Kind::out_of_bounds;
    trace::Finding finding = at(kind, step, lane);
    finding.address = handle;
    finding.message = fmt::format("{} {} {:#x}, which is not a live {} object: the launch is aborted",
                                  thread(step, lane), fetches ? "fetches from the handle" : "accesses the handle",
                                  handle, fetches ? "texture" : "surface");
    report(std::move(finding));
}

void Faults::outside_surface(const WarpStep& step, unsigned lane, const SurfacePlace& place) {
    const bool writes = step.micro.instruction->action() == ptx::Action::surface_store;
    trace::Finding finding = at(trace::Finding::Kind::out_of_bounds, step, lane);
    finding.message =
        fmt::format("{} {} {} of a surface at {}, outside of its {}: the launch is aborted (cudaBoundaryModeTrap)",
                    thread(step, lane), writes ? "writes" : "reads", counted(place.bytes, "byte"),
                    coordinates_text(place), surface_extent(place));
    report(std::move(finding));
}

// Cross-lane instructions ---------------------------------------------------------------------------------------

void Faults::shuffle_from_inactive(const WarpStep& step, unsigned lane, unsigned source) {
    trace::Finding finding = at(FindingKind::shuffle_inactive, step, lane);
    finding.message = fmt::format("{} shuffles from lane {} of its warp, which does not execute the shuffle",
                                  thread(step, lane), source);
    report(std::move(finding));
}

void Faults::not_in_own_mask(const WarpStep& step, LaneMask lanes, LaneMask mask) {
    trace::Finding finding = at(FindingKind::wrong_mask, step, lanes.lowest());
    finding.message = fmt::format(
        "{}, warp {}: {} {} {} with the mask {:#x}, which does not include {}", wording_.block(step.block.id),
        step.warp.id.value, wording_.threads(step.warp.id, lanes), verb(lanes.count(), "execute"),
        ptx::info(step.micro.instruction->opcode).name, mask.bits(), verb(lanes.count(), "them", "it"));
    report(std::move(finding));
}

void Faults::absent_from_mask(const Block& block, const Warp& warp, const WarpControl::Absence& absence) {
    const auto& [path, mask, absent, there] = absence;
    const Micro& micro = code_->micros[path.pc];
    const LaneMask lanes = path.lanes;
    const LaneMask gone = absent & ~there;
    const std::string came = gone.any() ? verb(gone.count(), "do") + " not reach" : verb(absent.count(), "reach");
    trace::Finding finding = at(FindingKind::wrong_mask, block, warp, LaneId(lanes.lowest()), path.pc, &path);
    const std::string then = gone.none() ? std::string("the lanes of each mask continue separately")
                                         : fmt::format("{} {} without them", wording_.threads(warp.id, lanes),
                                                       verb(lanes.count(), "continue"));
    finding.message = fmt::format(
        "{}, warp {}: the mask {:#x} of {} includes {}, which {} {}{}; {}", wording_.block(block.id), warp.id.value,
        mask.bits(), ptx::info(micro.instruction->opcode).name, wording_.threads(warp.id, gone.any() ? gone : absent),
        came, line(warp, path.pc, &path), gone.any() ? "" : " with another mask", then);
    report(std::move(finding));
}

// Barriers ------------------------------------------------------------------------------------------------------

/// "threads 16 to 31 wait".
std::string Faults::threads_wait(const Warp& warp, LaneMask lanes) const {
    return wording_.threads(warp.id, lanes) + ' ' + verb(lanes.count(), "wait");
}

/// "threads 16 to 31 wait at barrier 1 in line 9", for all waiting threads.
std::vector<std::string> Faults::waiting_threads(const Block& block) const {
    std::vector<std::string> reasons;
    for (const Warp& warp : block.warps) {
        LaneMask waiting;
        warp.control.for_each_waiting([&](const Divergence::Waiting& path) {
            waiting |= path.lanes;
            const std::string where = line(warp, path.pc, &path);
            const std::string waiting_ones = threads_wait(warp, path.lanes);
            if (path.reason == waits_for_warp) {
                reasons.push_back(fmt::format("{} for lanes of the mask in {}", waiting_ones, where));
                return;
            }
            const Barrier& barrier = block.barriers[path.reason];
            const std::string arrivals =
                barrier.expected == 0
                    ? ""
                    : fmt::format(", which {} of {} {} reached", barrier.arrived, counted(barrier.expected, "thread"),
                                  verb(barrier.arrived, "have", "has"));
            reasons.push_back(fmt::format("{} at barrier {} in {}{}", waiting_ones, path.reason, where, arrivals));
        });
        const LaneMask rest = warp.control.live() & ~waiting;
        if (rest.any()) {
            reasons.push_back(fmt::format("{} for them at the reconvergence point", threads_wait(warp, rest)));
        }
    }
    return reasons;
}

void Faults::deadlock(const Block& block) {
    for (const Warp& warp : block.warps) {
        bool reported = false;
        warp.control.for_each_waiting([&](const Divergence::Waiting& path) {
            if (std::exchange(reported, true)) return;
            trace::Finding finding =
                at(FindingKind::deadlock, block, warp, LaneId(path.lanes.lowest()), path.pc, &path);
            finding.message =
                fmt::format("{} is deadlocked: {}", wording_.block(block.id), listed(waiting_threads(block)));
            report(std::move(finding));
        });
        if (reported) return;
    }
}

void Faults::divergent_barrier(const Block& block, std::uint32_t number) {
    std::vector<std::string> places;
    std::optional<trace::Finding> finding;
    for (const Warp& warp : block.warps) {
        LaneMask waiting;
        warp.control.for_each_waiting([&](const Divergence::Waiting& path) {
            if (path.reason != number) return;
            if (!finding) {
                finding = at(FindingKind::barrier_divergence, block, warp, LaneId(path.lanes.lowest()), path.pc, &path);
            }
            waiting |= path.lanes;
            places.push_back(fmt::format("{} in {}", threads_wait(warp, path.lanes), line(warp, path.pc, &path)));
        });
        const LaneMask rest = warp.control.live() & ~waiting;
        if (waiting.any() && rest.any()) {
            places.push_back(
                fmt::format("{} {} not reach it", wording_.threads(warp.id, rest), verb(rest.count(), "do")));
        }
    }
    if (!finding) return;
    finding->message = fmt::format("{}: {}", wording_.block(block.id), listed(std::move(places)));
    report(std::move(*finding));
}

// Loops ---------------------------------------------------------------------------------------------------------

void Faults::endless_loop(const EndlessLoop& found) {
    const Loop& loop = found.loop;
    const FindingKind kind = loop.waits_for ? FindingKind::deadlock : FindingKind::infinite_loop;
    const Pc pc = loop.back != no_pc ? loop.back : found.warp.control.loop() != no_pc ? found.warp.control.loop() : 0;
    trace::Finding finding = at(kind, found.block, found.warp, LaneId(found.period.lane()), pc);
    finding.step = found.period.step_of(pc);
    EndlessLoopText text = text_of(found, *code_, wording_);
    finding.message = std::move(text.message);
    finding.variable = std::move(text.variable);
    if (loop.waits_for) finding.address = loop.waits_for->address;
    report(std::move(finding));
}

void Faults::budget_spent(const Block& block, std::uint64_t budget, Spent spent) {
    // The first warp that can still execute.
    const auto runs = [](const Warp& warp) { return warp.control.runnable(); };
    const auto running = std::ranges::find_if(block.warps, runs);
    const Warp& warp = running == block.warps.end() ? block.warps.front() : *running;
    const bool loops = warp.control.loop() != no_pc;
    const Pc pc = loops ? warp.control.loop() : warp.control.runnable() ? warp.control.pc() : 0;
    trace::Finding finding = at(FindingKind::step_budget, block, warp, LaneId(), pc);
    finding.message = fmt::format(
        "{} {} warp instructions reached{}: {}, warp {} is {} {}", trace::Trace::step_limit, grouped(budget),
        spent == Spent::unchanged   ? "; no block ends and no value in memory changes"
        : spent == Spent::uncounted ? "; no block ends, and loops do not count towards an exit"
                                    : "",
        wording_.block(block.id), warp.id.value, loops ? "in the loop of" : "at", line(warp, pc));
    report(std::move(finding));
}

}  // namespace lanescope::execute
