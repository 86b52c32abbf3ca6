#include "execute/emulator/decode/frames.h"

#include "execute/emulator/code.h"
#include "model/device_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace lanescope::execute {

namespace {

/// The defined functions whose addresses are taken: in a variable's initial bytes, or by an instruction.
std::vector<std::uint32_t> functions_pointed_to(const ptx::Module& module) {
    std::set<std::uint32_t> indices;
    for (const ptx::Variable& variable : module.variables) {
        for (const ptx::Relocation& relocation : variable.relocations) {
            if (relocation.of_function) indices.insert(relocation.index);
        }
    }
    for (const ptx::Function& function : module.functions) {
        for (const ptx::Instruction& instruction : function.instructions) {
            if (instruction.action() == ptx::Action::call) continue;
            for (const ptx::Operand& operand : instruction.operands) {
                if (operand.kind == ptx::Operand::Kind::function) indices.insert(operand.function);
            }
        }
    }
    std::erase_if(indices, [&](std::uint32_t index) {
        return !module.functions[index].defined || module.functions[index].entry;
    });
    return {indices.begin(), indices.end()};
}

/// The functions that the kernel reaches, and which of them are recursive.
class Reach {
  public:
    explicit Reach(const ptx::Module& module) : module_(module), pointed_to_(functions_pointed_to(module)) {}

    Result<void> visit(const ptx::Function& function) {
        if (std::ranges::find(reached_, &function) != reached_.end()) return {};
        reached_.push_back(&function);
        for (const ptx::Instruction& instruction : function.instructions) {
            if (instruction.action() != ptx::Action::call) continue;
            for (const std::uint32_t callee : callees(instruction)) {
                if (!module_.functions[callee].defined && !builtin_named(module_.functions[callee].name)) {
                    return fail(fmt::format("the function {} is called but has no body in the PTX",
                                            module_.functions[callee].name),
                                {.file = "PTX", .line = instruction.line.value, .column = instruction.column});
                }
                if (const Result<void> visited = visit(module_.functions[callee]); !visited) return visited;
            }
        }
        return {};
    }
    [[nodiscard]] const std::vector<const ptx::Function*>& reached() const { return reached_; }

    [[nodiscard]] bool calls_itself(const ptx::Function& function) const {
        std::set<const ptx::Function*> seen;
        std::vector<const ptx::Function*> left{&function};
        while (!left.empty()) {
            const ptx::Function& caller = *left.back();
            left.pop_back();
            for (const ptx::Instruction& instruction : caller.instructions) {
                if (instruction.action() != ptx::Action::call) continue;
                for (const std::uint32_t index : callees(instruction)) {
                    const ptx::Function& callee = module_.functions[index];
                    if (&callee == &function) return true;
                    if (seen.insert(&callee).second) left.push_back(&callee);
                }
            }
        }
        return false;
    }

  private:
    [[nodiscard]] std::vector<std::uint32_t> callees(const ptx::Instruction& call) const {
        const ptx::Operand& target = call.operands[1];
        if (target.kind == ptx::Operand::Kind::function) return {target.function};
        return pointed_to_;
    }

    const ptx::Module& module_;
    std::vector<std::uint32_t> pointed_to_;
    std::vector<const ptx::Function*> reached_;
};

/// Lays out offsets one after the other.
class Layout {
  public:
    std::uint64_t take(std::uint64_t bytes) {
        constexpr std::uint64_t alignment = 16;
        const std::uint64_t begin = end_;
        end_ = (begin + bytes + alignment - 1) / alignment * alignment;
        return begin;
    }
    [[nodiscard]] std::uint64_t end() const { return end_; }

  private:
    std::uint64_t end_ = 0;
};

void lay_out(Frame& frame, Layout& layout) {
    const ptx::Function& function = *frame.function;
    const std::uint64_t begin = layout.end();
    frame.locals = layout.take(function.local_bytes);
    frame.call_parameters = layout.take(function.call_parameter_bytes);
    if (!function.entry) {
        frame.parameters = layout.take(function.parameter_bytes);
        frame.results = layout.take(function.result_bytes);
    }
    frame.bytes = layout.end() - begin;
}

}  // namespace

Result<Frames> lay_out_frames(const ptx::Module& module, const ptx::Function& kernel) {
    Reach reach(module);
    if (const Result<void> visited = reach.visit(kernel); !visited) return std::unexpected(visited.error());

    Frames result;
    Layout all;
    bool any_reentrant = false;
    for (const ptx::Function* function : reach.reached()) {
        Frame frame{.function = function, .reentrant = reach.calls_itself(*function)};
        any_reentrant = any_reentrant || frame.reentrant;
        Layout own;
        lay_out(frame, frame.reentrant ? own : all);
        result.frames.push_back(frame);
    }
    result.stack = all.end();
    result.bytes = result.stack + (any_reentrant ? model::emulated_device().stack_bytes_per_thread : 0);
    return result;
}

}  // namespace lanescope::execute
