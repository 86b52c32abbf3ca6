#include "analysis/call_frames.h"

#include <algorithm>
#include <ranges>

namespace lanescope::analysis {

std::optional<ValueId> CallFrames::held_before(const ptx::Function* function, RegisterId reg) const {
    const auto frame = std::ranges::find_if(frames_ | std::views::reverse,
                                            [&](const Frame& candidate) { return is_of(candidate, function); });
    if (frame == frames_.rend()) return std::nullopt;
    const auto found = frame->overwritten.find(reg);
    return found == frame->overwritten.end() ? std::nullopt : std::optional(found->second);
}

void CallFrames::leave() {
    std::map<RegisterId, ValueId> left = std::move(frames_.back().overwritten);
    frames_.pop_back();
    if (!frames_.empty()) frames_.back().overwritten.merge(left);
}

}  // namespace lanescope::analysis
