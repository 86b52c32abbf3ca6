#include "session/given.h"

#include <algorithm>
#include <cstddef>

namespace lanescope::session {

bool holds_input(const trace::Buffer& buffer) {
    return std::ranges::any_of(buffer.initial, [](std::byte byte) { return byte != std::byte{}; });
}

}  // namespace lanescope::session
