#include "execute/emulator/endless_loops.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>

namespace lanescope::execute {

namespace {

std::span<const std::byte> registers_of(const Code& code, const Warp& warp) {
    return {warp.file + code.registers_begin, code.file_bytes - code.registers_begin};
}

std::span<const std::byte> local_memory_of(const Code& code, const Block& block, const Warp& warp) {
    const std::uint64_t bytes = warp_size * code.local_bytes;
    return {block.local.data() + warp.id.index() * bytes, bytes};
}

/// Whether the instruction comes from libcu++, by the path of its file.
bool is_of_library(const Code& code, const Micro& micro) {
    const std::uint32_t place = micro.instruction != nullptr ? micro.instruction->place : ptx::SourcePlace::none;
    for (std::uint32_t at = place; at != ptx::SourcePlace::none; at = code.module->places[at].inlined_at) {
        const auto file = code.module->files.find(code.module->places[at].file);
        if (file != code.module->files.end() && file->second.find("cuda/std/") != std::string::npos) return true;
    }
    return false;
}

bool has_spilled(const Warp& warp) {
    return std::ranges::any_of(warp.spilled, [](const auto& values) { return !values.empty(); });
}

}  // namespace

EndlessLoops::State::State(const Code& code, const LoopControl& control, const Block& block, const Warp& warp)
    : control_(warp.control) {
    if (control.by_registers) {
        for (const RowSpan& row : control.rows)
            file_.insert(file_.end(), warp.file + row.slot, warp.file + row.slot + row.bytes);
        return;
    }
    const auto registers = registers_of(code, warp), local = local_memory_of(code, block, warp);
    file_.assign(registers.begin(), registers.end());
    local_.assign(local.begin(), local.end());
    if (has_spilled(warp)) spilled_.assign(warp.spilled.begin(), warp.spilled.end());
}

bool EndlessLoops::State::is_that_of(const Code& code, const LoopControl& control, const Block& block,
                                     const Warp& warp) {
    if (control.by_registers) {
        const std::byte* kept = file_.data();
        for (const RowSpan& row : control.rows) {
            if (std::memcmp(kept, warp.file + row.slot, row.bytes) != 0) return false;
            kept += row.bytes;
        }
        return warp.control.continues_as(control_);
    }
    const auto registers = registers_of(code, warp), local = local_memory_of(code, block, warp);
    if (registers[different_] != file_[different_] || !warp.control.continues_as(control_)) return false;
    if (std::memcmp(registers.data(), file_.data(), file_.size()) != 0) {
        different_ = std::size_t(std::ranges::mismatch(registers, file_).in1 - registers.begin());
        return false;
    }
    if (!local_.empty() && std::memcmp(local.data(), local_.data(), local_.size()) != 0) return false;
    return has_spilled(warp) ? std::ranges::equal(warp.spilled, spilled_) : spilled_.empty();
}

bool EndlessLoops::has_no_exit(const Warp& warp) {
    return warp.control.runnable() && without_exit().of[warp.control.pc()] != 0;
}

bool EndlessLoops::is_without_count(const Warp& warp) {
    if (!warp.control.runnable()) return false;
    if (!without_count_) without_count_ = loops_without_count(code_);
    return (*without_count_)[warp.control.pc()];
}

void EndlessLoops::name_loop_without_exit(const Warp& warp, Loop& loop) {
    const std::uint32_t whole = without_exit().of[warp.control.pc()];
    loop.first_line = loop.last_line = 0;
    for (Pc pc = 0; pc < code_.micros.size(); ++pc) {
        if (without_exit().of[pc] == whole && !without_exit().called[pc])
            loop.hold(code_.source_line(code_.micros[pc]));
    }
    loop.exit.reset();
    loop.waits_for.reset();
}

const LoopsWithoutExit& EndlessLoops::without_exit() {
    if (!without_exit_) without_exit_ = loops_without_exit(code_);
    return *without_exit_;
}

const LoopControl& EndlessLoops::control() {
    if (!control_) control_ = loop_control_of(code_);
    return *control_;
}

void EndlessLoops::open() {
    warps_.clear();
    kept_bytes_ = 0;
    alone_ = {};
}

EndlessLoops::Known* EndlessLoops::find(const Warp& warp) {
    const std::size_t index = warp.watched - std::size_t{1};
    return index < warps_.size() && warps_[index].warp == &warp ? &warps_[index] : nullptr;
}

EndlessLoops::Known& EndlessLoops::known(Warp& warp) {
    if (Known* const found = find(warp)) return *found;
    Known& added = warps_.emplace_back();
    added.warp = &warp;
    added.changes = changes_;
    warp.watched = static_cast<std::uint32_t>(warps_.size());
    return added;
}

void EndlessLoops::forget_state(Known& known) {
    if (known.has_kept) kept_bytes_ -= known.kept.bytes();
    known.has_kept = false;
    known.kept = {};
}

void EndlessLoops::restart(Known& known) {
    forget_state(known);
    known.changes = changes_;
    known.turns = 0;
    known.most_turns = least_turns;
    known.turned = known.repeating = LaneMask();
    known.clock = known.reads = known.repeats = false;
    known.barriers = 0;
}

void EndlessLoops::keep(Known& known, const Block& block, const Warp& warp) {
    forget_state(known);
    if (kept_bytes_ > most_kept_bytes) return;
    known.kept = state_of(block, warp);
    known.has_kept = true;
    kept_bytes_ += known.kept.bytes();
    known.turns = 0;
    known.most_turns *= 2;
    known.turned = LaneMask();
    known.clock = false;
    known.barriers = 0;
}

void EndlessLoops::turned_back(const Block& block, Warp& warp, LaneMask taken) {
    Known& known = this->known(warp);
    if (!holds(known)) restart(known);
    if (known.repeats || !warp.control.runnable()) return;
    ++known.turns;
    known.turned |= taken;
    if (known.has_kept && !known.clock && is_in(known.kept, block, warp)) {
        repeated(known, block, warp);
    } else if (known.turns >= known.most_turns) {
        keep(known, block, warp);
    }
}

/// The warp is in its kept state again. Its other paths may change what this one waits for: they are next.
void EndlessLoops::repeated(Known& known, const Block& block, Warp& warp) {
    known.repeating |= known.turned;
    if (!known.reads && known.barriers == 0 && alone_.warp == nullptr) alone_ = {.block = &block, .warp = &warp};
    forget_state(known);
    known.turns = 0;
    known.most_turns = least_turns;
    known.turned = LaneMask();
    if ((warp.control.ready() & ~known.repeating).any()) {
        warp.control.yield();
    } else if (!warp.control.leave_siblings()) {
        known.repeats = true;
    }
}

void EndlessLoops::reads(const Warp& warp) {
    if (control().by_registers) return;
    if (Known* const known = find(warp)) known->reads = true;
}

void EndlessLoops::reads_clock(const Warp& warp, const Micro& micro) {
    Known* const known = find(warp);
    if (known == nullptr) return;
    known->clock = !control().by_registers;
    (is_of_library(code_, micro) ? known->backs_off : known->own_clock) = true;
}

bool EndlessLoops::only_spins(const Warp& warp, Known& known) const {
    const bool spins = warp.control.runnable() && warp.control.spins() && known.backs_off && !known.own_clock;
    if (!spins || known.spun_changes != changes_) known.spun_rounds = 0;
    known.spun_changes = changes_;
    return spins && ++known.spun_rounds >= least_spun_rounds;
}

void EndlessLoops::passes_barrier(const Warp& warp) {
    Known* const known = find(warp);
    if (known != nullptr && !known->repeats) ++known->barriers;
}

/// Threads that wait at a barrier may be released by others that pass one, unless all pass as many in each period.
bool EndlessLoops::cannot_end(Block& block) {
    bool all = true, some_wait = false, equal = true;
    std::optional<std::uint32_t> barriers;  // that the warps pass in a period
    for (Warp& warp : block.warps) {
        if (warp.control.finished()) continue;
        Known& known = this->known(warp);
        const bool spins = only_spins(warp, known);
        const bool repeats = spins || (known.repeats && holds(known));
        const bool waits = !warp.control.runnable();
        some_wait = some_wait || !repeats || spins || known.repeating != warp.control.live();
        if (repeats) {
            if (spins || known.barriers == 0) continue;
            equal = equal && known.barriers == barriers.value_or(known.barriers);
            barriers = known.barriers;
        } else if (!waits || known.waited_clock != warp.clock || known.waited_changes != changes_) {
            known.waited_clock = warp.clock;
            known.waited_changes = changes_;
            all = false;
        }
    }
    return all && (!barriers || (equal && !some_wait));
}

}  // namespace lanescope::execute
