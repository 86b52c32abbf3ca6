#include "execute/emulator/straight_runs.h"

#include <limits>
#include <vector>

namespace lanescope::execute {

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
