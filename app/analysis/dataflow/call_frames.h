// The register values at a function call: a recursive function finds them again when the inner call returns,
// because each call has registers of its own (PTX ISA 7.1).
#pragma once

#include "analysis/dataflow/value_graph.h"
#include "ptx/module.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <vector>

namespace lanescope::analysis {

/// The active calls of one thread. A call keeps the values that are overwritten while it lasts.
class CallFrames {
  public:
    /// `callee`: null where it is not known.
    void call(const ptx::Function* callee) { frames_.push_back({.callee = callee, .overwritten = {}}); }
    [[nodiscard]] bool none() const { return frames_.empty(); }

    /// A register is about to be overwritten; it holds `held`.
    void overwrite(RegisterId reg, ValueId held) {
        if (!frames_.empty()) frames_.back().overwritten.try_emplace(reg, held);
    }
    /// The register's value when `function`, which now returns, was called; nothing where it is unchanged.
    [[nodiscard]] std::optional<ValueId> held_before(const ptx::Function* function, RegisterId reg) const;
    /// `function` returns. Registers [first, first + count) are its own: their old values go to restore(RegisterId,
    /// ValueId).
    template <class Restore>
    void return_from_call(const ptx::Function* function, std::uint32_t first, std::size_t count, Restore&& restore) {
        leave_others(function);
        if (frames_.empty()) return;
        const auto begin = frames_.back().overwritten.lower_bound(RegisterId(first));
        const auto end = frames_.back().overwritten.lower_bound(RegisterId(first + static_cast<std::uint32_t>(count)));
        for (auto at = begin; at != end; ++at) restore(at->first, at->second);
        frames_.back().overwritten.erase(begin, end);
        leave();
    }

  private:
    struct Frame {
        const ptx::Function* callee = nullptr;
        std::map<RegisterId, ValueId> overwritten;
    };
    [[nodiscard]] static bool is_of(const Frame& frame, const ptx::Function* function) {
        return frame.callee == nullptr || frame.callee == function;
    }
    /// Removes the calls that ended without a step of their own.
    void leave_others(const ptx::Function* function) {
        while (!frames_.empty() && !is_of(frames_.back(), function)) leave();
    }
    /// Removes the innermost call. A value that the outer call has not kept was there when it began.
    void leave();

    std::vector<Frame> frames_;
};

inline std::optional<ValueId> CallFrames::held_before(const ptx::Function* function, RegisterId reg) const {
    const auto frame = std::ranges::find_if(frames_ | std::views::reverse,
                                            [&](const Frame& candidate) { return is_of(candidate, function); });
    if (frame == frames_.rend()) return std::nullopt;
    const auto found = frame->overwritten.find(reg);
    return found == frame->overwritten.end() ? std::nullopt : std::optional(found->second);
}

inline void CallFrames::leave() {
    std::map<RegisterId, ValueId> left = std::move(frames_.back().overwritten);
    frames_.pop_back();
    if (!frames_.empty()) frames_.back().overwritten.merge(left);
}

}  // namespace lanescope::analysis
