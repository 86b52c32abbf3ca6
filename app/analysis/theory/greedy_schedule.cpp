#include "analysis/theory/greedy_schedule.h"

#include <cassert>
#include <queue>
#include <span>
#include <utility>

namespace lanescope::analysis {

GreedySchedule::GreedySchedule(const OperationGraph& graph)
    : graph_(graph), heights_(graph.heights()), first_user_(graph.size() + 1), width_(graph.width()) {
    for (std::size_t node = 0; node < graph.size(); ++node) {
        for (const std::uint32_t need : graph.needs(node)) ++first_user_[need + 1];
    }
    for (std::size_t node = 0; node < graph.size(); ++node) first_user_[node + 1] += first_user_[node];
    users_.resize(first_user_.back());
    std::vector<std::uint32_t> next(first_user_.begin(), first_user_.end() - 1);
    for (std::size_t node = 0; node < graph.size(); ++node) {
        for (const std::uint32_t need : graph.needs(node)) users_[next[need]++] = static_cast<std::uint32_t>(node);
    }
}

std::uint64_t GreedySchedule::steps(std::uint64_t processors) const {
    assert(processors > 0);
    if (processors == 1) return graph_.work();
    // With enough processors for all that is ready at any time, each operation is done in the step of its depth.
    if (processors >= width_) return graph_.span();

    struct Later {
        const std::vector<std::uint32_t>& heights;
        bool operator()(std::uint32_t a, std::uint32_t b) const {
            return heights[a] != heights[b] ? heights[a] < heights[b] : a > b;
        }
    };
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, Later> ready(Later{heights_});
    std::vector<std::uint32_t> missing(graph_.size());
    std::vector<std::uint32_t> done;  // done in this step, with the joins, which take no step
    const auto finish = [&] {
        while (!done.empty()) {
            const std::uint32_t node = done.back();
            done.pop_back();
            for (const std::uint32_t user :
                 std::span(users_).subspan(first_user_[node], first_user_[node + 1] - first_user_[node])) {
                if (--missing[user] > 0) continue;
                graph_[user].operation ? ready.push(user) : done.push_back(user);
            }
        }
    };
    for (std::size_t node = 0; node < graph_.size(); ++node) {
        missing[node] = static_cast<std::uint32_t>(graph_.needs(node).size());
        if (missing[node] == 0) ready.push(static_cast<std::uint32_t>(node));
    }
    std::uint64_t steps = 0;
    while (!ready.empty()) {
        ++steps;
        for (std::uint64_t processor = 0; processor < processors && !ready.empty(); ++processor) {
            done.push_back(ready.top());
            ready.pop();
        }
        finish();
    }
    return steps;
}

}  // namespace lanescope::analysis
