// Functions that kernels call and that no PTX holds: printf, assert, malloc and free bring them.
#pragma once

#include "execute/emulator/code.h"

#include <optional>
#include <string_view>

namespace lanescope::execute {

/// By its name in PTX: vprintf, __assertfail, malloc, free.
[[nodiscard]] std::optional<Builtin> builtin_named(std::string_view name);

}  // namespace lanescope::execute
