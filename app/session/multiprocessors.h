// A request's multiprocessors, resident blocks, order of blocks and schedule, as text -> where the emulator places
// blocks, and which threads wait.
#pragma once

#include "execute/emulator/emulator.h"
#include "session/recipe.h"
#include "session/request.h"

#include <optional>
#include <string_view>

namespace lanescope::session {

/// "16", or a GPU of model::gpu_models() with its limits: "G80", in either case.
[[nodiscard]] std::optional<execute::Multiprocessors> multiprocessors_named(std::string_view text);
/// Blocks on each multiprocessor, at most.
[[nodiscard]] std::optional<std::uint32_t> resident_blocks_named(std::string_view text);
/// "G80, H200, B200"
[[nodiscard]] std::string gpu_names();

/// The request's multiprocessors, else those of the program's recipe; nothing where neither has any.
[[nodiscard]] std::optional<execute::Multiprocessors> multiprocessors_of(const Request& request, const Recipe& recipe);
/// The same for the schedule, as text; empty: the emulator's own.
[[nodiscard]] std::string schedule_of(const Request& request, const Recipe& recipe);

}  // namespace lanescope::session
