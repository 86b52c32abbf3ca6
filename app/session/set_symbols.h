// `__constant__` and `__device__` variables begin with what a line of the file sets them to.
#pragma once

#include "ptx/module.h"
#include "session/session.h"

#include <cstddef>
#include <expected>
#include <map>
#include <string>
#include <vector>

namespace lanescope::session {

/// Of names as the source has them, into the initial bytes of the module's variables.
[[nodiscard]] std::expected<void, Refusal> set_symbols(const std::map<std::string, std::vector<std::byte>>& symbols,
                                                       ptx::Module& module);

}  // namespace lanescope::session
