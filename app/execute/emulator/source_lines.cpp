// Which line of the source an instruction comes from, and whether that is a line of the user's own file.
#include "execute/emulator/decoder.h"

namespace lanescope::execute {

std::uint32_t Decoder::file_of(const ptx::Function& kernel) const {
    for (const ptx::Instruction& instruction : kernel.instructions) {
        std::uint32_t at = instruction.place;
        if (at == ptx::SourcePlace::none || module_.places[at].line == 0) continue;
        while (module_.places[at].inlined_at != ptx::SourcePlace::none) at = module_.places[at].inlined_at;
        return module_.places[at].file;
    }
    return 0;
}

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

Pc Code::blamed(const Paths& paths, Pc pc, const Paths::Waiting* waiting) const {
    if (source_line(micros[pc]) != 0) return pc;
    Pc found = pc;
    paths.for_each_call(waiting, [&](Pc call) {
        if (found == pc && source_line(micros[call]) != 0) found = call;
    });
    return found;
}

}  // namespace lanescope::execute
