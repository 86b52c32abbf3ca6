#include "execute/emulator/emulator.h"

#include "execute/emulator/emulation.h"

namespace lanescope::execute {

Result<std::shared_ptr<const trace::Trace>> emulate(const ptx::Module& module, const Program& program,
                                                    const Limits& limits, Progress& progress) {
    Emulation emulation(module, program.origin, program.banks, limits, program.replay);
    for (const trace::Buffer& buffer : program.buffers) {
        const auto added = emulation.add(buffer);
        if (!added) return std::unexpected(added.error());
    }
    if (const auto placed = emulation.place_variables({}, program.variable_addresses); !placed)
        return std::unexpected(placed.error());
    std::uint64_t blocks = 0;
    for (const LaunchRequest& request : program.launches) {
        if (const auto possible = emulation.prepare(request); !possible) return std::unexpected(possible.error());
        blocks += request.grid.count();
    }
    emulation.expect_blocks(blocks);
    for (const LaunchRequest& request : program.launches) {
        // Half of what is left for each launch, so that some remains for the launches that follow.
        const double share = &request == &program.launches.back() ? 1.0 : 0.5;
        const auto end = emulation.launch(request, {.blocks = limits.record_blocks, .share = share}, progress);
        if (!end) return std::unexpected(end.error());
        if (*end != Emulation::End::complete) break;
    }
    return emulation.finish();
}

}  // namespace lanescope::execute
