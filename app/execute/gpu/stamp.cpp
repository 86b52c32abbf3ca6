#include "execute/gpu/stamp.h"

#include "execute/gpu/rewrite_entry.h"
#include "execute/gpu/rewrite_place.h"
#include "execute/gpu/rewrite_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace lanescope::execute {

namespace {

constexpr std::string_view parameter = "lanescope_stamps";

constexpr std::string_view stamp_declarations =
    "\t.reg .pred %lanescope_go;\n"
    "\t.reg .b32 %lanescope_a, %lanescope_b, %lanescope_c, %lanescope_d;\n"
    "\t.reg .b64 %lanescope_time, %lanescope_cycles, %lanescope_slot, %lanescope_x;\n";

/// Only in kernels with a loop that polls: they are live from begin to end.
constexpr std::string_view poll_declarations =
    "\t.reg .b64 %lanescope_polled, %lanescope_first, %lanescope_last, %lanescope_loop;\n";
constexpr std::string_view begin_polls =
    "\tmov.u64 %lanescope_polled, 0;\n"
    "\tmov.u64 %lanescope_first, 0;\n"
    "\tmov.u64 %lanescope_last, 0;\n"
    "\tmov.u64 %lanescope_loop, %clock64;\n";

/// Only in kernels with a wait that is timed.
constexpr std::string_view wait_declarations =
    "\t.reg .b32 %lanescope_waits;\n"
    "\t.reg .b64 %lanescope_arrived;\n";
constexpr std::string_view begin_waits =
    "\tmov.u32 %lanescope_waits, 0;\n"
    "\tmov.u64 %lanescope_arrived, 0;\n";

constexpr std::string_view read_clocks =
    "\tmov.u64 %lanescope_time, %globaltimer;\n"
    "\tmov.u64 %lanescope_cycles, %clock64;\n";

/// After find_block. %lanescope_slot: the address of the warp's Stamps; %lanescope_d: the thread's index in its warp.
/// Computed at each use, so that no register is live in between. {0}: the bytes of a warp.
constexpr std::string_view find_stamps_of =
    "\tmov.u32 %lanescope_b, %ntid.x;\n"
    "\tmov.u32 %lanescope_c, %ntid.y;\n"
    "\tmul.lo.s32 %lanescope_b, %lanescope_b, %lanescope_c;\n"
    "\tmov.u32 %lanescope_c, %ntid.z;\n"
    "\tmul.lo.s32 %lanescope_b, %lanescope_b, %lanescope_c;\n"
    "\tadd.s32 %lanescope_b, %lanescope_b, 31;\n"
    "\tshr.u32 %lanescope_b, %lanescope_b, 5;\n"  // warps of a block
    "\tmul.wide.u32 %lanescope_slot, %lanescope_a, %lanescope_b;\n"
    "\tmov.u32 %lanescope_a, %tid.z;\n"
    "\tmov.u32 %lanescope_b, %ntid.y;\n"
    "\tmov.u32 %lanescope_c, %tid.y;\n"
    "\tmad.lo.s32 %lanescope_a, %lanescope_a, %lanescope_b, %lanescope_c;\n"
    "\tmov.u32 %lanescope_b, %ntid.x;\n"
    "\tmov.u32 %lanescope_c, %tid.x;\n"
    "\tmad.lo.s32 %lanescope_a, %lanescope_a, %lanescope_b, %lanescope_c;\n"  // the thread of the block
    "\tand.b32 %lanescope_d, %lanescope_a, 31;\n"
    "\tshr.u32 %lanescope_a, %lanescope_a, 5;\n"
    "\tcvt.u64.u32 %lanescope_x, %lanescope_a;\n"
    "\tadd.s64 %lanescope_slot, %lanescope_slot, %lanescope_x;\n"
    "\tmul.lo.s64 %lanescope_slot, %lanescope_slot, {0};\n"
    "\tld.param.u64 %lanescope_x, [lanescope_stamps];\n"
    "\tcvta.to.global.u64 %lanescope_x, %lanescope_x;\n"
    "\tadd.s64 %lanescope_slot, %lanescope_slot, %lanescope_x;\n";
static_assert(stamp_bytes == 64 && wait_bytes == 16);

constexpr std::string_view write_begin =
    "\tmov.u32 %lanescope_a, %smid;\n"
    "\tadd.s32 %lanescope_a, %lanescope_a, 1;\n"
    "\tcvt.u64.u32 %lanescope_x, %lanescope_a;\n"
    "\tsetp.eq.u32 %lanescope_go, %lanescope_d, 0;\n"
    "\t@%lanescope_go st.global.b64 [%lanescope_slot], %lanescope_time;\n"
    "\t@%lanescope_go st.global.b64 [%lanescope_slot+16], %lanescope_cycles;\n"
    "\t@%lanescope_go st.global.b64 [%lanescope_slot+32], %lanescope_x;\n";

/// The loop of a branch backwards: the instructions from `first` to the branch.
struct Loop {
    std::uint32_t first = 0, last = 0;
};

/// The instructions of a function at which a warp waits.
struct Waits {
    std::vector<const ptx::Instruction*> timed;
    bool others = false;  ///< that cannot be timed
};

class FunctionStamper {
  public:
    FunctionStamper(const ptx::Module& module, const ptx::Function& function, unsigned waits, TextEdits& edits)
        : module_(module),
          function_(function),
          edits_(edits),
          room_(waits),
          find_stamps_(fmt::format(find_stamps_of, stamp_bytes + waits * wait_bytes)) {}

    [[nodiscard]] Waits waits() const {
        Waits found;
        for (const ptx::Instruction& instruction : function_.instructions) {
            const ptx::Action action = instruction.action();
            const bool at_barrier =
                action == ptx::Action::block_barrier && instruction.modifiers.barrier != ptx::Barrier::arrive;
            if (!at_barrier && action != ptx::Action::mbarrier_wait) continue;
            // Lanes of a warp that arrive at a barrier separately would count each other's waits; a guarded test leaves
            // an old result.
            const bool timed =
                at_barrier ? instruction.modifiers.aligned : !instruction.guard && instruction.destination_count == 1;
            if (timed)
                found.timed.push_back(&instruction);
            else
                found.others = true;
        }
        return found;
    }

    [[nodiscard]] std::vector<Loop> polling_loops() const {
        std::vector<Loop> found;
        const auto count = static_cast<std::uint32_t>(function_.instructions.size());
        for (std::uint32_t i = 0; i < count; ++i) {
            const ptx::Instruction& branch = function_.instructions[i];
            if (branch.action() == ptx::Action::jump && branch.target <= i && polls({branch.target, i}))
                found.push_back({branch.target, i});
        }
        // The innermost of nested loops: its iterations are part of the other's.
        const auto has_inner = [&](const Loop& loop) {
            return std::ranges::any_of(found, [&](const Loop& other) {
                return other.first >= loop.first && other.last <= loop.last &&
                       other.last - other.first < loop.last - loop.first;
            });
        };
        std::vector<Loop> innermost;
        std::ranges::remove_copy_if(found, std::back_inserter(innermost), has_inner);
        return innermost;
    }

    void stamp_kernel(const std::vector<Loop>& loops, const std::vector<const ptx::Instruction*>& waits) {
        const bool polls = !loops.empty();
        add_parameter();
        std::string declared(stamp_declarations);
        if (polls) declared += poll_declarations;
        if (!waits.empty()) declared += wait_declarations;
        edits_.before(begin_of_body(module_.text, offset_of(module_, function_.instructions.front())), declared);
        std::string begin(read_clocks);
        begin += find_block;
        begin += find_stamps_;
        begin += write_begin;
        if (polls) begin += begin_polls;
        if (!waits.empty()) begin += begin_waits;
        edits_.before(begin_of(module_, function_), begin);
        std::set<std::uint32_t> heads;
        for (const Loop& loop : loops) {
            if (heads.insert(loop.first).second) {
                edits_.before(offset_of(module_, function_.instructions[loop.first]),
                              "\tmov.u64 %lanescope_loop, %clock64;\n");
            }
            edits_.before(offset_of(module_, function_.instructions[loop.last]),
                          poll_text(function_.instructions[loop.last]));
        }
        for (const ptx::Instruction& instruction : function_.instructions) {
            if (instruction.action() == ptx::Action::return_ || instruction.action() == ptx::Action::exit)
                edits_.before(offset_of(module_, instruction), end_text(instruction, polls, !waits.empty()));
        }
        for (const ptx::Instruction* const wait : waits) stamp_wait(*wait);
    }

  private:
    /// "%p1", "!%p1"; empty: always.
    [[nodiscard]] std::string guard_of(const ptx::Instruction& instruction) const {
        if (!instruction.guard) return {};
        return (instruction.guard->negated ? "!" : "") + function_.registers[instruction.guard->predicate.index()].name;
    }

    /// Adds a parameter after the kernel's last one.
    void add_parameter() {
        const std::string& text = module_.text;
        const std::size_t entry = text.find(".entry", module_.line_starts[function_.line.value - 1]);
        const std::size_t body = text.find('{', entry), open = text.find('(', entry);
        const std::string declared = fmt::format(".param .u64 {}", parameter);
        if (open < body) {
            const std::size_t close = text.find(')', open);
            edits_.after(close, (function_.parameters.empty() ? "" : ", ") + declared);
        } else {
            edits_.after(text.find(function_.name, entry) + function_.name.size(), fmt::format("({})", declared));
        }
    }

    /// Whether each iteration computes the same value for the register: none of it comes from memory or from the
    /// iteration before.
    [[nodiscard]] bool is_invariant(const Loop& loop, RegisterId reg, unsigned depth = 0) const {
        constexpr unsigned deepest = 8;
        for (std::uint32_t i = loop.first; i <= loop.last; ++i) {
            const ptx::Instruction& instruction = function_.instructions[i];
            const std::vector<RegisterId> defined = ptx::definitions_of(function_, instruction);
            if (std::ranges::find(defined, reg) == defined.end()) continue;
            if (depth == deepest || instruction.action() != ptx::Action::compute || instruction.guard ||
                ptx::reads_clock(instruction))
                return false;
            const ptx::Uses uses = ptx::uses_of(function_, instruction);
            const auto same = [&](RegisterId used) { return is_invariant(loop, used, depth + 1); };
            if (!std::ranges::all_of(uses.data, same) || !std::ranges::all_of(uses.address, same)) return false;
        }
        return true;
    }

    /// Whether the atomic may only read: it writes what is there, or by cas and exch an operand, which is_poll()
    /// requires to be invariant.
    [[nodiscard]] static bool only_reads(const ptx::Instruction& atomic) {
        const ptx::Operand& operand = atomic.operands[atomic.destination_count + 1U];
        switch (atomic.modifiers.atomic) {
            case ptx::Atomic::cas:
            case ptx::Atomic::exch: return true;
            case ptx::Atomic::add:
            case ptx::Atomic::or_:
            case ptx::Atomic::xor_: return operand.kind == ptx::Operand::Kind::immediate && operand.immediate == 0;
            default: return false;
        }
    }

    [[nodiscard]] bool is_poll(const Loop& loop, const ptx::Instruction& instruction) const {
        const ptx::Modifiers& modifiers = instruction.modifiers;
        if (modifiers.space != ptx::Space::global && modifiers.space != ptx::Space::generic) return false;
        const bool reads =
            instruction.action() == ptx::Action::load && (modifiers.is_volatile || modifiers.order != ptx::Order::weak);
        const bool atomic = instruction.action() == ptx::Action::atomic && instruction.destination_count > 0;
        if (!reads && !atomic) return false;
        // An atomic with operands of the iteration makes progress: it is tried again, not awaited.
        ptx::Uses uses = ptx::uses_of(function_, instruction);
        if (atomic) uses.address.insert(uses.address.end(), uses.data.begin(), uses.data.end());
        if (atomic && !only_reads(instruction)) return false;
        return std::ranges::all_of(uses.address, [&](RegisterId reg) { return is_invariant(loop, reg); });
    }

    [[nodiscard]] bool polls(const Loop& loop) const {
        bool found = false;
        for (std::uint32_t i = loop.first; i <= loop.last; ++i) {
            const ptx::Instruction& instruction = function_.instructions[i];
            switch (instruction.action()) {
                case ptx::Action::store:
                case ptx::Action::block_barrier:
                case ptx::Action::call:
                case ptx::Action::return_:
                case ptx::Action::exit: return false;
                default: break;
            }
            found = found || is_poll(loop, instruction);
        }
        return found;
    }

    [[nodiscard]] std::string poll_text(const ptx::Instruction& branch) const {
        const std::string guard = guard_of(branch);
        const std::string when = guard.empty() ? "\t" : fmt::format("\t@{} ", guard);
        std::string text =
            "\tmov.u64 %lanescope_cycles, %clock64;\n"
            "\tmov.u64 %lanescope_time, %globaltimer;\n"
            "\tsub.s64 %lanescope_cycles, %lanescope_cycles, %lanescope_loop;\n";
        text += when + "add.s64 %lanescope_polled, %lanescope_polled, %lanescope_cycles;\n";
        text += when + "mov.u64 %lanescope_last, %lanescope_time;\n";
        text += guard.empty() ? std::string("\tsetp.eq.s64 %lanescope_go, %lanescope_first, 0;\n")
                              : fmt::format("\tsetp.eq.and.s64 %lanescope_go, %lanescope_first, 0, {};\n", guard);
        return text + "\t@%lanescope_go mov.u64 %lanescope_first, %lanescope_time;\n";
    }

    void stamp_wait(const ptx::Instruction& wait) {
        const bool at_barrier = wait.action() == ptx::Action::block_barrier;
        const std::string went_on =
            at_barrier ? guard_of(wait) : function_.registers[wait.operands[0].reg.index()].name;
        const std::string when = went_on.empty() ? "\t" : fmt::format("\t@{} ", went_on);
        edits_.before(offset_of(module_, wait), at_barrier
                                                    ? when + "mov.u64 %lanescope_arrived, %clock64;\n"
                                                    : "\tsetp.eq.s64 %lanescope_go, %lanescope_arrived, 0;\n"
                                                      "\t@%lanescope_go mov.u64 %lanescope_arrived, %clock64;\n");
        std::string text = "\tmov.u64 %lanescope_cycles, %clock64;\n";
        text += find_block;
        text += find_stamps_;
        text += fmt::format(
            "\tsub.s64 %lanescope_cycles, %lanescope_cycles, %lanescope_arrived;\n"
            "\tmin.u64 %lanescope_cycles, %lanescope_cycles, 4294967295;\n"
            "\tcvt.u32.u64 %lanescope_a, %lanescope_cycles;\n"
            "\tmov.u32 %lanescope_b, {};\n"
            "\tmov.b64 %lanescope_cycles, {{%lanescope_a, %lanescope_b}};\n"
            "\tmul.wide.u32 %lanescope_x, %lanescope_waits, {};\n"
            "\tadd.s64 %lanescope_slot, %lanescope_slot, %lanescope_x;\n",
            at_barrier ? 0 : 1, wait_bytes);
        text += went_on.empty()
                    ? fmt::format("\tsetp.lt.u32 %lanescope_go, %lanescope_waits, {};\n", room_)
                    : fmt::format("\tsetp.lt.and.u32 %lanescope_go, %lanescope_waits, {}, {};\n", room_, went_on);
        text += fmt::format(
            "\t@%lanescope_go st.volatile.global.v2.b64 [%lanescope_slot+{}], {{%lanescope_arrived, "
            "%lanescope_cycles}};\n",
            stamp_bytes);
        text += when + "add.s32 %lanescope_waits, %lanescope_waits, 1;\n";
        text += when + "mov.u64 %lanescope_arrived, 0;\n";
        edits_.after(end_of(module_, wait), text);
    }

    /// Lanes that leave together write the same; those that leave later overwrite it.
    [[nodiscard]] std::string end_text(const ptx::Instruction& instruction, bool polls, bool waits) const {
        const std::string guard = guard_of(instruction);
        const std::string when = guard.empty() ? "\t" : fmt::format("\t@{} ", guard);
        std::string text(read_clocks);
        text += find_block;
        text += find_stamps_;
        text += when + "st.volatile.global.b64 [%lanescope_slot+8], %lanescope_time;\n";
        text += when + "st.volatile.global.b64 [%lanescope_slot+24], %lanescope_cycles;\n";
        if (waits) text += when + "red.global.max.u32 [%lanescope_slot+36], %lanescope_waits;\n";
        if (!polls) return text;
        text += guard.empty() ? std::string("\tsetp.ne.s64 %lanescope_go, %lanescope_polled, 0;\n")
                              : fmt::format("\tsetp.ne.and.s64 %lanescope_go, %lanescope_polled, 0, {};\n", guard);
        return text +
               "\t@%lanescope_go red.global.max.u64 [%lanescope_slot+40], %lanescope_polled;\n"
               "\tnot.b64 %lanescope_first, %lanescope_first;\n"
               "\t@%lanescope_go red.global.max.u64 [%lanescope_slot+48], %lanescope_first;\n"
               "\tnot.b64 %lanescope_first, %lanescope_first;\n"
               "\t@%lanescope_go red.global.max.u64 [%lanescope_slot+56], %lanescope_last;\n";
    }

    const ptx::Module& module_;
    const ptx::Function& function_;
    TextEdits& edits_;
    unsigned room_;  // for waits of a warp
    std::string find_stamps_;
};

}  // namespace

Stamped stamp(const ptx::Module& module, unsigned waits) {
    Stamped stamped{.waits = waits};
    TextEdits edits(module.text);
    for (const ptx::Function& function : module.functions) {
        if (function.instructions.empty()) continue;
        FunctionStamper stamper(module, function, waits, edits);
        const std::vector<Loop> loops = stamper.polling_loops();
        const Waits found = waits > 0 ? stamper.waits() : Waits();
        if (found.others)
            stamped.waits_not_timed = "Waits at barriers that the lanes of a warp may meet apart are not timed.";
        if (!function.entry) {
            stamped.polls_in_functions = stamped.polls_in_functions || !loops.empty();
            if (!found.timed.empty() && stamped.waits_not_timed.empty())
                stamped.waits_not_timed = "Waits at barriers in functions that are called are not timed.";
            continue;
        }
        stamper.stamp_kernel(loops, found.timed);
        stamped.polling_loops += static_cast<unsigned>(loops.size());
    }
    stamped.ptx = edits.apply();
    return stamped;
}

}  // namespace lanescope::execute
