// PTX -> the machine code (SASS) that ptxas makes of it for one architecture, without a GPU.
//
// The same PTX text that the emulator executes is assembled, as the driver does when it loads PTX. With line tables
// (-lineinfo) ptxas made the same instructions as without them for every kernel of the catalog. Another ptxas, such as
// the driver's own, may make others.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "model/device_limits.h"
#include "model/occupancy.h"
#include "sass/listing.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lanescope::sass {

struct Listing {
    unsigned arch = 0;                ///< 90 for sm_90
    std::string assembler;            ///< "ptxas 13.0.88"
    std::string disassembler;         ///< "nvdisasm 13.5.37"
    std::vector<Function> functions;  ///< of all units of the PTX, in nvdisasm's order

    [[nodiscard]] const Function* function(std::string_view name) const;
};

/// The architectures that PTX can be assembled for: those of the table of device limits from 7.5 on.
[[nodiscard]] std::vector<unsigned> arches();
/// The architecture of the emulated device and of the recordings.
[[nodiscard]] unsigned usual_arch();

/// The assembler's, as the driver's option for PTX: -O3, or -O0.
enum class Optimization : std::uint8_t { usual, none };

/// Runs both tools. Fails if one of them is missing, with how to get it, or if ptxas rejects the PTX, with its message.
/// Several translation units are assembled one by one, each as a whole program.
[[nodiscard]] Result<Listing> disassemble(const std::string& ptx, unsigned arch, Progress& progress,
                                          Optimization optimization = Optimization::usual);

/// Fails with the reason if a tool is missing, so that nothing can be disassembled on this machine.
[[nodiscard]] Result<void> tools_found();

/// The occupancy by blocks of this extent with this much dynamic shared memory, on a device of the listing's
/// architecture. Resources that ptxas does not state are not counted.
[[nodiscard]] model::Occupancy occupancy_of(unsigned arch, const Resources& resources, const model::Extent& block,
                                            std::uint64_t dynamic_shared_bytes);

/// "12 of 64 warps resident (19 %), limited by registers"; "no block fits: ..." with the reason.
[[nodiscard]] std::string occupancy_sentence(const model::Occupancy& occupancy, const Resources& resources);

/// "10 registers, no spills, no stack, 64 bytes of static shared memory, 1 barrier"
[[nodiscard]] std::string resources_text(const Resources& resources);

}  // namespace lanescope::sass
