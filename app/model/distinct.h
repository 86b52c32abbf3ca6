// Which lanes want something that no lower lane wants already: counting asks it of every access whose addresses are
// new.
#pragma once

#include "model/model.h"

namespace lanescope::model {

/// Of `active`, the lanes whose piece of memory, of `piece_bytes` (a power of two), no lower lane has. One bit for each
/// distinct piece.
[[nodiscard]] LaneMask without_repeated(const Addresses& addresses, unsigned piece_bytes, LaneMask active);

}  // namespace lanescope::model
