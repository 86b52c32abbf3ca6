// Each mark is one pass over the code, or passes until none is added.
#include "execute/emulator/decode/marks.h"

#include "execute/emulator/decode/register_facts.h"
#include "execute/emulator/variable_names.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace lanescope::execute {

namespace {

/// A load's result depends on input if its memory does; parameters belong to the launch and are not input.
bool brings_data(const Code& code, const Micro& micro) {
    switch (micro.kind) {
        case Kind::load: {
            const MemoryAccess& access = code.accesses[micro.access];
            return access.space != ptx::Space::param || access.call_parameter;
        }
        case Kind::texture:
        case Kind::surface:
        case Kind::atomic: return true;
        default: return false;
    }
}

bool reads_dependent(const Micro& micro, const std::set<std::uint32_t>& input_dependent) {
    for (const std::uint32_t source : micro.input_dependent_source) {
        if (input_dependent.contains(source)) return true;
    }
    return (micro.kind == Kind::shuffle || micro.kind == Kind::reduce) &&
           input_dependent.contains(micro.operands[0].input_dependent);
}

}  // namespace

void mark_input_dependence(Code& code) {
    std::set<std::uint32_t> input_dependent;  // offsets of their input-dependent lanes
    for (bool grew = true; grew;) {
        grew = false;
        for (Micro& micro : code.micros) {
            if (micro.tracks || !(brings_data(code, micro) || reads_dependent(micro, input_dependent))) continue;
            micro.tracks = true;
            grew = true;
            for (const Destination& destination : code.destinations_of(micro)) {
                if (destination.row != Row::predicate) input_dependent.insert(destination.input_dependent);
            }
        }
    }
    // A constant written over data makes the register independent of input again.
    for (Micro& micro : code.micros) {
        const auto may_be_dependent = [&](const Destination& to) {
            return input_dependent.contains(to.input_dependent);
        };
        if (micro.kind == Kind::compute && std::ranges::any_of(code.destinations_of(micro), may_be_dependent)) {
            micro.tracks = true;
        }
    }
}

namespace {

bool leaves_the_path(const Micro& micro) {
    switch (micro.kind) {
        case Kind::compute:
        case Kind::load:
        case Kind::store:
        case Kind::atomic: return micro.guard != always_slot || micro.waits_at_sync || micro.instruction == nullptr;
        default: return true;
    }
}

}  // namespace

void mark_straight_runs(Code& code) {
    std::vector<bool> reconverges(code.micros.size() + 1, false);
    for (const Micro& micro : code.micros) {
        if (micro.reconvergence != no_pc) reconverges[micro.reconvergence] = true;
    }
    std::uint16_t following = 0;
    for (std::size_t pc = code.micros.size(); pc-- > 0;) {
        Micro& micro = code.micros[pc];
        if (leaves_the_path(micro)) {
            following = 0;
        } else if (reconverges[pc + 1]) {
            following = 1;
        } else if (following < std::numeric_limits<std::uint16_t>::max()) {
            ++following;
        }
        micro.straight = following;
    }
}

namespace {

void mark_shared_arrays(Code& code, const Frames& frames) {
    std::size_t pc = 0;
    for (const Frame& frame : frames.frames) {
        const std::vector<const ptx::Variable*> arrays = shared_arrays_in_registers(*code.module, *frame.function);
        for (const ptx::Instruction& instruction : frame.function->instructions) {
            const Micro& micro = code.micros[pc++];
            if (!moves_memory(micro.kind)) continue;
            const std::vector<RegisterId> base = ptx::uses_of(*frame.function, instruction).address;
            if (base.size() == 1) code.accesses[micro.access].array = arrays[base.front().index()];
        }
        pc += frame.function->defined ? 1 : 2;
    }
}

void name_local_arrays(Code& code, const Frames& frames) {
    for (const Frame& frame : frames.frames) {
        if (frame.reentrant) continue;  // its address differs from call to call
        for (const ptx::SourceArray& array : code.module->arrays) {
            if (array.space != ptx::Space::local || array.function >= code.module->functions.size() ||
                &code.module->functions[array.function] != frame.function) {
                continue;
            }
            trace::SharedArray named{.name = array.name, .bytes = array.element_bytes};
            named.offset = frame.locals + frame.function->variables[array.variable].offset + array.offset;
            for (const std::uint64_t extent : array.extents) named.bytes *= extent;
            named.element = element_of(array);
            code.local_arrays.push_back(std::move(named));
        }
    }
    std::ranges::stable_sort(code.local_arrays, {}, &trace::SharedArray::offset);
}

void mark_local_arrays(Code& code, const Frames& frames) {
    if (code.local_arrays.empty()) return;
    std::size_t pc = 0;
    for (const Frame& frame : frames.frames) {
        const ptx::Function& function = *frame.function;
        const std::size_t begin = std::exchange(pc, pc + function.instructions.size() + (function.defined ? 1 : 2));
        if (frame.reentrant) continue;
        const std::vector<std::uint32_t> arrays = local_arrays_in_registers(*code.module, function);
        for (std::size_t i = 0; i < function.instructions.size(); ++i) {
            const Micro& micro = code.micros[begin + i];
            if (!moves_memory(micro.kind)) continue;
            const std::vector<RegisterId> base = ptx::uses_of(function, function.instructions[i]).address;
            if (base.size() != 1 || arrays[base.front().index()] == ptx::Operand::no_variable) continue;
            const ptx::SourceArray& meant = code.module->arrays[arrays[base.front().index()]];
            const std::uint64_t offset = frame.locals + function.variables[meant.variable].offset + meant.offset;
            const auto found = std::ranges::find_if(code.local_arrays, [&](const trace::SharedArray& array) {
                return array.offset == offset && array.name == meant.name;
            });
            if (found == code.local_arrays.end()) continue;
            code.accesses[micro.access].local_array = static_cast<std::uint32_t>(found - code.local_arrays.begin()) + 1;
        }
    }
}

}  // namespace

void mark_arrays_meant(Code& code, const Frames& frames) {
    name_local_arrays(code, frames);
    mark_local_arrays(code, frames);
    if (!code.shared_variables.empty()) mark_shared_arrays(code, frames);
}

}  // namespace lanescope::execute
