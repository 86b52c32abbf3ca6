// The parameters of a graph's node -> the operation that it executes.
#pragma once

#include "host/runtime/stream.h"

#include <memory>
#include <optional>

namespace lanescope::host {

cudaError_t no_graph(const char* function);
cudaError_t other_type(const char* function);

/// For cudaGraphAddNode; nothing where it cannot be, reported to the program.
[[nodiscard]] std::optional<Operation> operation_of(const cudaGraphNodeParams& p, const char* function);

[[nodiscard]] Operation empty_operation();
[[nodiscard]] Operation child_operation(std::shared_ptr<CUgraph_st> graph);
[[nodiscard]] Operation event_operation(cudaEvent_t event, cudaGraphNodeType type);
/// Nothing where the kernel is none, reported to the program.
[[nodiscard]] std::optional<Operation> kernel_node(const cudaKernelNodeParams& parameters, const char* function);
/// A copy to or from a variable; nothing where it does not fit, reported to the program.
[[nodiscard]] std::optional<Operation> symbol_copy(void* to, const void* from, const void* symbol, std::size_t bytes,
                                                   std::size_t offset, cudaMemcpyKind kind, const char* function);

/// The operation of a copy of the node: a child graph belongs to one node.
[[nodiscard]] Operation copy_of(const Operation& operation);

}  // namespace lanescope::host
