// The sentence of a loop that cannot end: the loop, its condition, what it waits for, and what would write that.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/faults.h"
#include "execute/emulator/wording.h"

#include <string>

namespace lanescope::execute {

struct EndlessLoopText {
    std::string message;
    std::string variable;  ///< the variable that it waits for; empty: none, or the barrier of the grid
};

[[nodiscard]] EndlessLoopText text_of(const EndlessLoop& found, const Code& code, const Wording& wording);

}  // namespace lanescope::execute
