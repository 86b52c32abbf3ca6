// Marks over a whole Code: results that may derive from input data, and straight runs of instructions.
#include "execute/emulator/decoder.h"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

namespace lanescope::execute {

namespace {

/// A load's result depends on input where its memory does; parameters belong to the launch and are not input.
bool brings_data(const Code& code, const Micro& micro) {
    switch (micro.kind) {
        case Kind::load: {
            const MemoryAccess& access = code.accesses[micro.access];
            return access.space != ptx::Space::param || access.call_parameter;
        }
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

}  // namespace lanescope::execute
