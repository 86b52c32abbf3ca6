// The parameters of a graph's node -> the operation that it executes.
#pragma once

#include "host/runtime/stream.h"

#include <memory>
#include <optional>

namespace lanescope::host {

cudaError_t no_graph(const char* function);
cudaError_t other_type(const char* function);

/// The operation of any node, for cudaGraphAddNode. nullopt if it is invalid; the error is then reported.
[[nodiscard]] std::optional<Operation> operation_of(const cudaGraphNodeParams& p, const char* function);

[[nodiscard]] Operation empty_operation();
[[nodiscard]] Operation child_operation(std::shared_ptr<CUgraph_st> graph);
[[nodiscard]] Operation event_operation(cudaEvent_t event, cudaGraphNodeType type);
/// The operation of a kernel node. nullopt if the function is not a kernel; the error is then reported.
[[nodiscard]] std::optional<Operation> kernel_node(const cudaKernelNodeParams& parameters, const char* function);
/// A copy to or from a variable. nullopt if it exceeds the variable; the error is then reported.
[[nodiscard]] std::optional<Operation> symbol_copy(void* to, const void* from, const void* symbol, std::size_t bytes,
                                                   std::size_t offset, cudaMemcpyKind kind, const char* function);

/// The operation for a copied node. A child graph belongs to one node, so it is copied, too.
[[nodiscard]] Operation copy_of(const Operation& operation);

}  // namespace lanescope::host
