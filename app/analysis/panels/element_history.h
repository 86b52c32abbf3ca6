// One element of memory -> every recorded access to it, by the host as well, in the order of time: which thread wrote
// and which read which value. Blocks that are not recorded may have accessed global memory, too: `partial` says so.
#pragma once

#include "analysis/analysis.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::analysis {

/// The bytes of an element in the memory of a block (shared) or of the device (global).
struct Element {
    std::string name;                           ///< "sdata[3]"
    trace::Space space = trace::Space::shared;  ///< or global
    std::uint64_t address = 0;
    trace::Element type = trace::Element::s32;
    std::uint32_t launch = 0;  ///< whose shared memory it is
    BlockId block;             ///< the same
};

struct ElementAccess {
    enum class Kind : std::uint8_t { host, load, store, atomic };
    Kind kind = Kind::load;
    std::uint32_t launch = 0;
    BlockId block;               ///< unless the host accesses
    std::optional<StepId> step;  ///< nothing: the host accesses
    std::size_t position = 0;    ///< in the block's steps
    WarpId warp;
    unsigned lane = 0;
    PtxLine line;
    std::uint32_t source_line = 0;      ///< 0: unknown
    std::optional<std::uint64_t> bits;  ///< read, or written; nothing: the access covers only a part of the element
    std::uint64_t before = 0;           ///< of an atomic: the old value
};

struct ElementHistory {
    std::vector<ElementAccess> accesses;
    bool partial = false;  ///< steps that are not recorded may have accessed it
};

[[nodiscard]] ElementHistory history_of(const Analysis& analysis, const Element& element);

}  // namespace lanescope::analysis
