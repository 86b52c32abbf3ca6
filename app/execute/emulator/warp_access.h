// One warp's next access to memory, as the checks see it.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/machine.h"
#include "execute/simt/targets.h"

#include <cstdint>

namespace lanescope::execute {

/// The lanes' addresses of an access, all in one region.
struct Piece {
    Region* region = nullptr;
    ptx::Space space = ptx::Space::global;
    Targets targets;
};

/// One warp's access before it happens: the lanes of the step that access one region.
struct WarpAccess {
    const WarpStep& step;
    const MemoryAccess& access;
    const Region& region;
    ptx::Space space;
    const Targets& targets;
};

/// A plain load or store of consecutive words, the lowest lane's at byte `first` of the region.
struct WordsAccess {
    const WarpStep& step;
    const MemoryAccess& access;
    const Region& region;
    ptx::Space space;
    std::uint64_t first;
};

[[nodiscard]] inline bool reads(const Micro& micro) {
    const bool makes = micro.instruction != nullptr && micro.instruction->action() == ptx::Action::mbarrier_init;
    return micro.kind != Kind::store && !makes;
}
[[nodiscard]] inline bool writes(const Micro& micro) { return micro.kind != Kind::load; }

/// The address of that lane, in the access's space.
[[nodiscard]] inline std::uint64_t address_of(const WarpAccess& access, unsigned lane) {
    const std::uint64_t offset = access.targets.offset[lane];
    return access.space == ptx::Space::shared ? offset : access.region.base() + offset;
}

}  // namespace lanescope::execute
