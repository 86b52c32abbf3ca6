#include "execute/emulator/frames.h"

#include "execute/emulator/builtins.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::execute {

namespace {

class Reach {
  public:
    explicit Reach(const ptx::Module& module) : module_(module) {}

    Result<void> visit(const ptx::Function& function) {
        if (std::ranges::find(reached_, &function) != reached_.end()) return {};
        reached_.push_back(&function);
        active_.push_back(&function);
        for (const ptx::Instruction& instruction : function.instructions) {
            if (instruction.opcode != ptx::Opcode::call) continue;
            if (const Result<void> called = call(instruction); !called) return called;
        }
        active_.pop_back();
        return {};
    }
    [[nodiscard]] const std::vector<const ptx::Function*>& reached() const { return reached_; }

  private:
    Result<void> call(const ptx::Instruction& instruction) {
        const ptx::Operand& target = instruction.operands[1];
        const Place place{.file = "PTX", .line = instruction.line.value, .column = instruction.column};
        if (target.kind != ptx::Operand::Kind::function) {
            return fail("a call through a pointer is not supported by the emulator", place);
        }
        const ptx::Function& callee = module_.functions[target.function];
        if (!callee.defined && builtin_named(callee.name)) return visit(callee);
        if (!callee.defined) {
            return fail(fmt::format("the function {} is called but has no body in the PTX", callee.name), place);
        }
        if (std::ranges::find(active_, &callee) != active_.end()) {
            return fail(fmt::format("the function {} calls itself, which the emulator does not support", callee.name),
                        place, "Write the recursion as a loop.");
        }
        return visit(callee);
    }

    const ptx::Module& module_;
    std::vector<const ptx::Function*> reached_;
    std::vector<const ptx::Function*> active_;
};

}  // namespace

Result<Frames> lay_out_frames(const ptx::Module& module, const ptx::Function& kernel) {
    Reach reach(module);
    if (const Result<void> visited = reach.visit(kernel); !visited) return std::unexpected(visited.error());

    Frames result;
    const auto take = [&](std::uint64_t bytes) {
        constexpr std::uint64_t alignment = 16;
        const std::uint64_t begin = result.bytes;
        result.bytes = (begin + bytes + alignment - 1) / alignment * alignment;
        return begin;
    };
    for (const ptx::Function* function : reach.reached()) {
        Frame frame{.function = function};
        frame.locals = take(function->local_bytes);
        frame.call_parameters = take(function->call_parameter_bytes);
        if (!function->entry) {
            frame.parameters = take(function->parameter_bytes);
            frame.results = take(function->result_bytes);
        }
        result.frames.push_back(frame);
    }
    return result;
}

}  // namespace lanescope::execute
