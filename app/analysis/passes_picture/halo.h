// The halo of a stencil: what a block reads beyond its own outputs.
#pragma once

#include "analysis/block_view.h"
#include "analysis/passes_picture/picture.h"

#include <vector>

namespace lanescope::analysis {

/// By column of the picture, whether its cell is one of the halo: an element of global memory that outputs of the block
/// are made of and at whose place no output is, or what a shared array holds of it or in place of it, past the border
/// of the array: a constant, or a second copy of an element. Empty where the block has none. Only where outputs are
/// made of the elements at the same distances from their own place, which their neighbors are made of, too: a scan, a
/// matrix product, sums of parts have no halo. Where outputs depend on elements through conditions alone, "made of" is:
/// their thread reads them.
[[nodiscard]] std::vector<bool> halo_of(const BlockView& block, const Picture& picture);

}  // namespace lanescope::analysis
