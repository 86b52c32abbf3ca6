// Streams, events and graphs: a stream executes immediately; an event records the emulated device's time; a graph is a
// list of operations in an order that its edges allow.
#pragma once

#include "host/runtime/runtime.h"

#include <memory>
#include <variant>
#include <vector>

struct CUstream_st {
    unsigned flags = 0;
    int priority = 0;
    unsigned long long id = 0;
    CUgraph_st* captures_into = nullptr;
    bool began_capture = false;         ///< cudaStreamEndCapture is called on it
    std::vector<CUgraphNode_st*> last;  ///< what the next captured operation depends on
};

struct CUevent_st {
    double time_ns = 0;
    bool recorded = false, timed = true;
    lanescope::host::Ended before;      ///< operations that end before it
    CUgraph_st* captured_in = nullptr;  ///< recorded in a capturing stream: its graph
    std::vector<CUgraphNode_st*> last;
};

struct CUgraphNode_st {
    lanescope::host::Operation operation;
    std::vector<CUgraphNode_st*> after;
    CUgraph_st* graph = nullptr;
    const CUgraphNode_st* cloned_from = nullptr;
};

struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  ///< each after those that it depends on
    std::vector<std::pair<cudaUserObject_t, unsigned>> objects;

    CUgraphNode_st* add(lanescope::host::Operation operation, std::vector<CUgraphNode_st*> after);
    /// Puts each node after those that it depends on. False: the edges form a cycle.
    bool order();
    [[nodiscard]] std::shared_ptr<CUgraph_st> clone() const;
    /// The type of each node, and the numbers of the nodes that it depends on.
    using Shape = std::vector<std::pair<cudaGraphNodeType, std::vector<std::size_t>>>;
    [[nodiscard]] Shape shape() const;
    [[nodiscard]] cudaError_t run() const;
};

namespace lanescope::host {

[[nodiscard]] bool is_default(cudaStream_t stream);
[[nodiscard]] bool exists(cudaStream_t stream);
[[nodiscard]] bool exists(cudaEvent_t event);
cudaError_t no_stream(const char* function);
cudaError_t no_event(const char* function);

}  // namespace lanescope::host
