// Data flow -> the graph of the run's operations: each one that reaches an output (or may, where blocks are not
// recorded), and the operations whose results it combines. Copies, loads, stores and shuffles are no operations: they
// pass a result on. Or the same of the address work: operations that an output depends on, but not as data.
//
// A reduction over k lanes in one instruction is k - 1 operations, a tree of ceil(log2 k) levels, as Provenance counts
// it. The deepest operands are the farthest from the root, so that work and span are Provenance's.
#pragma once

#include "analysis/dataflow/provenance.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

class OperationGraph {
  public:
    enum class Of : std::uint8_t { work, address_work };
    OperationGraph(const trace::Trace& trace, const Provenance& provenance, Of of = Of::work);

    /// A join is no operation: it is a value in which results of several operations meet, such as a word that two
    /// stores wrote.
    struct Node {
        bool operation = true;
        std::uint32_t launch = 0;
        std::uint64_t thread = 0;  ///< identifies it within the launch
    };

    [[nodiscard]] std::size_t size() const { return nodes_.size(); }
    [[nodiscard]] const Node& operator[](std::size_t node) const { return nodes_[node]; }
    /// The nodes whose results it needs, each once; all precede `node`.
    [[nodiscard]] std::span<const std::uint32_t> needs(std::size_t node) const {
        return std::span(needs_).subspan(first_need_[node], first_need_[node + 1] - first_need_[node]);
    }

    [[nodiscard]] std::uint64_t work() const { return work_; }  ///< operations: W
    [[nodiscard]] std::uint64_t span() const { return span_; }  ///< on the longest chain: t

    /// For each node, the operations on the longest chain from it on, itself included.
    [[nodiscard]] std::vector<std::uint32_t> heights() const;
    /// The most operations of one depth: with as many processors, each is done as early as possible.
    [[nodiscard]] std::uint64_t width() const;

    /// By launch, the number of steps where each thread is a processor that performs its operations one at a time in
    /// its own order. More than the longest chain where a thread has independent operations.
    [[nodiscard]] std::vector<std::uint64_t> steps_by_launch(std::size_t launches) const;

  private:
    std::uint32_t add(const Node& node, std::span<const std::uint32_t> needs);

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> first_need_{0};  ///< one more than nodes_
    std::vector<std::uint32_t> needs_;
    std::vector<std::uint32_t> depths_;  ///< operations on the longest chain up to it, itself included
    std::uint64_t work_ = 0, span_ = 0;
};

}  // namespace lanescope::analysis
