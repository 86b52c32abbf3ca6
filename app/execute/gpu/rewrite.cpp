#include "execute/gpu/rewrite.h"

#include "execute/gpu/rewrite_entry.h"
#include "execute/gpu/rewrite_place.h"
#include "execute/gpu/rewrite_text.h"
#include "execute/simt/approximation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <limits>

namespace lanescope::execute {

namespace {

using ptx::Operand;
using ptx::Space;

bool is_logged_space(Space space) {
    return space == Space::generic || space == Space::shared || space == Space::global;
}

/// One function's text with the inserted logging.
class FunctionRewriter {
  public:
    FunctionRewriter(const ptx::Module& module, const ptx::Function& function, Rewritten& rewritten, TextEdits& edits)
        : module_(module), function_(function), rewritten_(rewritten), edits_(edits) {}

    void run() {
        if (function_.instructions.empty()) return;
        edits_.before(begin_of_body(module_.text, offset_of(function_.instructions.front())),
                      std::string(declarations));
        edits_.before(begin_of(module_, function_), prologue());
        for (const ptx::Instruction& instruction : function_.instructions) rewrite(instruction);
    }

  private:
    // --- Guards ----------------------------------------------------------------------------------------------------

    /// "%p1", "!%p1"; empty: always.
    [[nodiscard]] std::string guard_of(const ptx::Instruction& instruction) const {
        if (!instruction.guard) return {};
        return (instruction.guard->negated ? "!" : "") + name_of(instruction.guard->predicate);
    }
    [[nodiscard]] const std::string& name_of(RegisterId reg) const { return function_.registers[reg.index()].name; }

    // --- Sites -----------------------------------------------------------------------------------------------------

    /// The sites of an instruction; for both spaces if only the address decides the space.
    const SiteGroup& add_sites(const ptx::Instruction& instruction, std::vector<Site> sites, Space space) {
        SiteGroup group{.first = static_cast<std::uint16_t>(rewritten_.sites.size()),
                        .count = static_cast<std::uint16_t>(sites.size()),
                        .by_address = space == Space::generic,
                        .in_shared = space == Space::shared};
        const auto add = [&](Space where) {
            for (Site site : sites) {
                if (where != Space::none) site.space = where;
                site.line = instruction.line;
                site.instruction = &instruction;
                rewritten_.sites.push_back(site);
            }
        };
        add(group.by_address ? Space::global : space);
        if (group.by_address) add(Space::shared);
        return rewritten_.groups.insert_or_assign(instruction.line, group).first->second;
    }

    // --- Memory ----------------------------------------------------------------------------------------------------

    [[nodiscard]] std::vector<const Operand*> elements_of(const Operand& operand) const {
        if (operand.kind != Operand::Kind::vector) return {&operand};
        std::vector<const Operand*> elements;
        for (std::uint32_t i = 0; i < operand.elements; ++i)
            elements.push_back(&function_.vector_elements[operand.first + i]);
        return elements;
    }

    void access(const ptx::Instruction& instruction) {
        const ptx::Modifiers& modifiers = instruction.modifiers;
        if (!is_logged_space(modifiers.space)) return;
        const bool loads = instruction.action() == ptx::Action::load;
        const Operand& address = instruction.operands[instruction.destination_count];
        const std::vector<const Operand*> values = elements_of(instruction.operands[loads ? 0 : 1]);
        const auto bytes = static_cast<std::uint8_t>(ptx::bytes_of(modifiers.type));
        std::vector<Site> sites;
        sites.reserve(values.size());
        for (const Operand* value : values) {
            sites.push_back({.logged = loads ? Logged::load : Logged::store,
                             .bytes = bytes,
                             .element = static_cast<std::uint8_t>(sites.size()),
                             .known = value->kind != Operand::Kind::sink});
        }
        const SiteGroup& group = add_sites(instruction, std::move(sites), modifiers.space);
        const std::string guard = guard_of(instruction);
        const std::string condition = group.by_address ? "%lanescope_if" : guard;
        std::string entries;
        for (std::size_t i = 0; i < values.size(); ++i)
            entries += take(function_, *values[i]) + log(condition, i * (word(1) + bytes));
        const std::string begins = take_address(module_, function_, address) + begin_access(group, guard);
        if (loads) {
            edits_.before(offset_of(instruction), begins);
            edits_.after(end_of(instruction), entries);
        } else {
            edits_.before(offset_of(instruction), begins + entries);
        }
    }

    /// Operands are logged before the instruction, results after it.
    void atomic(const ptx::Instruction& instruction) {
        const ptx::Modifiers& modifiers = instruction.modifiers;
        if (!is_logged_space(modifiers.space)) return;
        const std::size_t address = instruction.destination_count;
        const bool compares = modifiers.atomic == ptx::Atomic::cas;
        const bool gives = instruction.destination_count > 0 && instruction.operands[0].kind != Operand::Kind::sink;
        const auto bytes = static_cast<std::uint8_t>(ptx::bytes_of(modifiers.type));
        std::vector<Site> sites;
        if (compares) sites.push_back({.logged = Logged::compare, .bytes = bytes});
        sites.push_back({.logged = Logged::operand, .bytes = bytes});
        if (gives) sites.push_back({.logged = Logged::old, .bytes = bytes});
        const std::size_t inputs = sites.size() - (gives ? 1 : 0);
        const SiteGroup& group = add_sites(instruction, std::move(sites), modifiers.space);
        const std::string guard = guard_of(instruction);
        const std::string condition = group.by_address ? "%lanescope_if" : guard;
        std::string text = take_address(module_, function_, instruction.operands[address]) + begin_access(group, guard);
        for (std::size_t i = 0; i < inputs; ++i)
            text += take(function_, instruction.operands[address + 1 + i]) + log(condition, word(i));
        edits_.before(offset_of(instruction), text);
        if (gives)
            edits_.after(end_of(instruction), take(function_, instruction.operands[0]) + log(condition, word(inputs)));
    }

    /// Logs both addresses. The copied values are logged when they are loaded from shared memory.
    void copy(const ptx::Instruction& instruction) {
        const SiteGroup& group = add_sites(instruction,
                                           {{.logged = Logged::copy_to, .space = Space::shared, .bytes = 4},
                                            {.logged = Logged::copy_from, .space = Space::global, .known = false}},
                                           Space::none);
        const std::string guard = guard_of(instruction);
        const Operand& bytes = instruction.operands[instruction.operand_count > 3 ? 3 : 2];
        std::string text = take_address(module_, function_, instruction.operands[0]) + begin_access(group, guard) +
                           take(function_, bytes) + log(guard);
        text += "\tsetp.ne.u64 %lanescope_if, %lanescope_value, 0;\n";
        if (!guard.empty()) {
            text += guard.starts_with('!') ? fmt::format("\tnot.pred %lanescope_is, {};\n", guard.substr(1))
                                           : fmt::format("\tmov.pred %lanescope_is, {};\n", guard);
            text += "\tand.pred %lanescope_if, %lanescope_if, %lanescope_is;\n";
        }
        text += take_address(module_, function_, instruction.operands[1]) +
                begin_access({.first = static_cast<std::uint16_t>(group.first + 1U), .count = 1}, guard) +
                log("%lanescope_if");
        edits_.before(offset_of(instruction), text);
    }

    // --- mbarriers -------------------------------------------------------------------------------------------------

    void arrival(const ptx::Instruction& instruction) {
        const std::size_t address = instruction.destination_count;
        const SiteGroup& group =
            add_sites(instruction, {{.logged = Logged::arrival, .bytes = 4}}, instruction.modifiers.space);
        const std::string guard = guard_of(instruction);
        std::string text = take_address(module_, function_, instruction.operands[address]) + begin_access(group, guard);
        text += instruction.operand_count > address + 1 ? take(function_, instruction.operands[address + 1])
                                                        : "\tmov.u64 %lanescope_value, 1;\n";
        edits_.before(offset_of(instruction), text + log(group.by_address ? "%lanescope_if" : guard));
    }

    /// A state that it waits for is the machine's own, and is not logged.
    void wait(const ptx::Instruction& instruction) {
        const SiteGroup& group = add_sites(instruction, {{.logged = Logged::wait}}, instruction.modifiers.space);
        const std::size_t address = instruction.destination_count;
        std::string text = take_address(module_, function_, instruction.operands[address]) +
                           begin_access(group, guard_of(instruction));
        text += instruction.modifiers.parity ? take(function_, instruction.operands[address + 1])
                                             : "\tmov.u64 %lanescope_value, 0;\n";
        std::string condition = "%lanescope_if";
        if (!group.by_address) condition = keep_guard(instruction, text);
        edits_.before(offset_of(instruction), text);
        edits_.after(end_of(instruction), add_predicate(instruction.operands[0].reg) + log(condition));
    }

    // --- The others ------------------------------------------------------------------------------------------------

    /// The guard's value before the instruction, which may write it.
    [[nodiscard]] std::string keep_guard(const ptx::Instruction& instruction, std::string& text) const {
        if (!instruction.guard) return {};
        text += fmt::format("\tmov.pred %lanescope_if, {};\n", name_of(instruction.guard->predicate));
        return instruction.guard->negated ? "!%lanescope_if" : "%lanescope_if";
    }

    /// Adds the predicate to the value that is logged.
    [[nodiscard]] std::string add_predicate(RegisterId predicate) const {
        return fmt::format(
            "\tselp.u64 %lanescope_x, {}, 0, {};\n"
            "\tor.b64 %lanescope_value, %lanescope_value, %lanescope_x;\n",
            std::uint64_t{1} << predicate_bit, name_of(predicate));
    }

    /// Logs a result, and the predicate beside it.
    void between_lanes(const ptx::Instruction& instruction) {
        const SiteGroup& group = add_sites(instruction, {{.logged = Logged::result}}, Space::none);
        std::string before;
        const std::string guard = keep_guard(instruction, before);
        if (!before.empty()) edits_.before(offset_of(instruction), before);
        const Operand& destination = instruction.operands[0];
        std::string text = take(function_, destination);
        if (destination.paired.valid()) text += add_predicate(destination.paired);
        edits_.after(end_of(instruction), text + begin_entry(group) + log(guard));
    }

    void barrier(const ptx::Instruction& instruction) {
        const SiteGroup& group = add_sites(instruction, {{.logged = Logged::barrier}}, Space::none);
        std::string before;
        const std::string guard = keep_guard(instruction, before);
        const Operand& number = instruction.operands[instruction.destination_count];
        before += take(function_, number) + begin_entry(group) +
                  "\tor.b64 %lanescope_entry, %lanescope_entry, %lanescope_value;\n";
        edits_.before(offset_of(instruction), before);
        const std::string value = instruction.destination_count > 0 ? take(function_, instruction.operands[0])
                                                                    : "\tmov.u64 %lanescope_value, 0;\n";
        edits_.after(end_of(instruction), value + log(guard));
    }

    void clock(const ptx::Instruction& instruction) {
        const SiteGroup& group = add_sites(instruction, {{.logged = Logged::time}}, Space::none);
        edits_.after(end_of(instruction),
                     take(function_, instruction.operands[0]) + begin_entry(group) + log(guard_of(instruction)));
    }

    void approximate(const ptx::Instruction& instruction) {
        // An entry's value of 8 bytes may be an address; a double is none.
        const std::uint32_t bytes = ptx::bytes_of(instruction.modifiers.type);
        const SiteGroup& group = add_sites(
            instruction, {{.logged = Logged::approximate, .bytes = static_cast<std::uint8_t>(bytes == 8 ? 0 : bytes)}},
            Space::none);
        edits_.after(end_of(instruction),
                     take(function_, instruction.operands[0]) + begin_entry(group) + log(guard_of(instruction)));
    }

    void warp_barrier(const ptx::Instruction& instruction) {
        const SiteGroup& group = add_sites(instruction, {{.logged = Logged::warp_barrier}}, Space::none);
        edits_.before(offset_of(instruction),
                      begin_entry(group) + "\tmov.u64 %lanescope_value, 0;\n" + log(guard_of(instruction)));
    }

    void branch(const ptx::Instruction& instruction) {
        if (!instruction.guard) return;
        const SiteGroup& group = add_sites(instruction, {{.logged = Logged::taken}}, Space::none);
        const bool negated = instruction.guard->negated;
        edits_.before(offset_of(instruction),
                      begin_entry(group) +
                          fmt::format("\tselp.u64 %lanescope_value, {}, {}, {};\n", negated ? 0 : 1, negated ? 1 : 0,
                                      name_of(instruction.guard->predicate)) +
                          log({}));
    }

    void table_branch(const ptx::Instruction& instruction) {
        const SiteGroup& group = add_sites(instruction, {{.logged = Logged::target}}, Space::none);
        std::vector<PtxLine>& lines = rewritten_.tables[group.first];
        for (const Operand* label : elements_of(instruction.operands[1]))
            lines.push_back(function_.instructions[label->target].line);
        edits_.before(offset_of(instruction),
                      take(function_, instruction.operands[0]) + begin_entry(group) + log(guard_of(instruction)));
    }

    void rewrite(const ptx::Instruction& instruction) {
        const std::string_view stem = ptx::info(instruction.opcode).name;
        switch (instruction.action()) {
            case ptx::Action::atomic: return atomic(instruction);
            case ptx::Action::load:
            case ptx::Action::store: return access(instruction);
            case ptx::Action::shuffle:
            case ptx::Action::vote:
            case ptx::Action::match:
            case ptx::Action::active_mask:
            case ptx::Action::warp_reduce: return between_lanes(instruction);
            case ptx::Action::block_barrier: return barrier(instruction);
            case ptx::Action::warp_barrier: return warp_barrier(instruction);
            case ptx::Action::jump: return branch(instruction);
            case ptx::Action::jump_table: return table_branch(instruction);
            case ptx::Action::copy: return copy(instruction);
            case ptx::Action::mbarrier_init:
            case ptx::Action::mbarrier_inval:
            case ptx::Action::mbarrier_arrive:
            case ptx::Action::mbarrier_drop:
            case ptx::Action::mbarrier_copies: return arrival(instruction);
            case ptx::Action::mbarrier_wait: return wait(instruction);
            case ptx::Action::call: edits_.after(end_of(instruction), std::string(load_cursor)); [[fallthrough]];
            case ptx::Action::return_:
            case ptx::Action::exit: return edits_.before(offset_of(instruction), std::string(save_cursor));
            default: break;
        }
        if (ptx::reads_clock(instruction)) {
            clock(instruction);
        } else if (is_approximate(instruction)) {
            approximate(instruction);
        } else if (ptx::may_be_fused(instruction)) {
            edits_.after(module_.text.find(stem, offset_of(instruction)) + stem.size(), ".rn");
        }
    }

    // --- Places -----------------------------------------------------------------------------------------------------

    [[nodiscard]] std::size_t offset_of(const ptx::Instruction& instruction) const {
        return execute::offset_of(module_, instruction);
    }
    [[nodiscard]] std::size_t end_of(const ptx::Instruction& instruction) const {
        return execute::end_of(module_, instruction);
    }

    /// The shared variables and functions whose addresses the function itself takes: naming others would allocate them,
    /// or be before their declaration. Initial values of variables, which come before a kernel, name functions, too.
    [[nodiscard]] std::vector<Placed> placed_here() const {
        std::vector<Placed> found;
        const auto add = [&](const Placed& placed) {
            if (std::ranges::find(found, placed) == found.end()) found.push_back(placed);
        };
        for (const ptx::Instruction& instruction : function_.instructions) {
            for (std::size_t i = 0; i < instruction.operand_count; ++i) {
                const Operand& operand = instruction.operands[i];
                const ptx::Variable* variable = variable_of(module_, function_, operand);
                if (variable != nullptr && variable->space == Space::shared) add({.shared = variable, .function = {}});
                if (operand.kind == Operand::Kind::function && instruction.action() != ptx::Action::call)
                    add({.function = operand.function});
            }
        }
        if (!function_.entry) return found;
        for (const ptx::Variable& variable : module_.variables)
            for (const ptx::Relocation& relocation : variable.relocations)
                if (relocation.of_function) add({.function = relocation.index});
        return found;
    }

    [[nodiscard]] std::string prologue() {
        std::string text(find_block);
        text += find_slot;
        for (const Placed& placed : placed_here()) {
            const auto found = std::ranges::find(rewritten_.placed, placed);
            const auto number = found - rewritten_.placed.begin();
            if (found == rewritten_.placed.end()) rewritten_.placed.push_back(placed);
            text += fmt::format(
                "\tmov.u64 %lanescope_x, {};\n"
                "\t@%lanescope_is st.global.b64 [%lanescope_place+{}], %lanescope_x;\n",
                placed.shared != nullptr ? placed.shared->name : module_.functions[*placed.function].name, 8 * number);
        }
        return text;
    }

    const ptx::Module& module_;
    const ptx::Function& function_;
    Rewritten& rewritten_;
    TextEdits& edits_;
};

}  // namespace

Result<Rewritten> rewrite(const ptx::Module& module) {
    Rewritten rewritten;
    rewritten.sites.emplace_back();
    TextEdits edits(module.text);
    const bool sized = module.text.find(".address_size") != std::string::npos;
    edits.before(end_of_line_with(module.text, sized ? ".address_size" : ".target"),
                 fmt::format(".visible .global .align 16 .b64 {}[4];\n", recorder_variable));
    for (const ptx::Function& function : module.functions) {
        FunctionRewriter(module, function, rewritten, edits).run();
        if (rewritten.sites.size() > std::numeric_limits<std::uint16_t>::max())
            return fail("the kernel has more instructions than a recording can number", {},
                        "Choose a smaller kernel, or the other view.");
    }
    rewritten.ptx = edits.apply();
    return rewritten;
}

}  // namespace lanescope::execute
