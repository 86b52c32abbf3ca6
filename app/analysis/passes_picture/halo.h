// The halo of a stencil: what a block reads beyond its own outputs.
#pragma once

#include "analysis/block_view.h"
#include "analysis/passes_picture/picture.h"

#include <vector>

namespace lanescope::analysis {

/// By column of the picture: is its cell part of the halo? The halo has the elements of global memory that outputs of
/// the block are made of and at whose place no output is. It also has the cells of a shared array that hold such an
/// element or replace it past the border of the array, by a constant or a second copy of an element. Empty where the
/// block has no halo. All outputs must be made of elements at the same distances from their own place, which their
/// neighbors are made of, too: a scan, a matrix product and sums of parts have no halo. Where outputs depend on
/// elements only through conditions, those that their thread reads count.
[[nodiscard]] std::vector<bool> halo_of(const BlockView& block, const Picture& picture);

}  // namespace lanescope::analysis
