// The source line of an instruction, and whether that line is in the user's own file.
#include "execute/emulator/code.h"

#include <algorithm>

namespace lanescope::execute {

std::uint32_t Code::source_line(const Micro& micro) const {
    if (micro.instruction == nullptr) return 0;
    for (std::uint32_t at = micro.instruction->place; at != ptx::SourcePlace::none;) {
        const ptx::SourcePlace& place = module->places[at];
        if (place.file == users_file || users_file == 0) return place.line;
        at = place.inlined_at;
    }
    return 0;
}

bool Code::in_users_file(const Micro& micro) const {
    if (users_file == 0) return true;
    if (micro.instruction == nullptr || micro.instruction->place == ptx::SourcePlace::none) return false;
    return module->places[micro.instruction->place].file == users_file;
}

namespace {

/// The preceding instruction in the function's text whose line is known. Header functions inlined as written are
/// attributed to it, because PTX does not say where they were called. no_pc: there is none.
Pc nearest_line(const Code& code, Pc pc) {
    Pc begin = 0;
    for (const Callee& callee : code.callees) {
        if (callee.begin <= pc) begin = std::max(begin, callee.begin);
    }
    for (Pc at = pc + 1; at-- > begin;) {
        if (code.source_line(code.micros[at]) != 0) return at;
    }
    return no_pc;
}

}  // namespace

Pc Code::blamed(const Divergence& divergence, Pc pc, const Divergence::Waiting* waiting) const {
    Pc found = nearest_line(*this, pc);
    if (found != no_pc) return found;
    divergence.for_each_call(waiting, [&](Pc call) {
        if (found == no_pc) found = nearest_line(*this, call);
    });
    return found != no_pc ? found : pc;
}

}  // namespace lanescope::execute
