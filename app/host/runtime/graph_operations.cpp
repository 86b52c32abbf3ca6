#include "host/runtime/graph_operations.h"

#include <utility>
#include <variant>

namespace lanescope::host {

cudaError_t no_graph(const char* function) {
    return Runtime::get().fail(cudaErrorInvalidValue, function, "the graph or node is null");
}

cudaError_t other_type(const char* function) {
    return Runtime::get().fail(cudaErrorInvalidValue, function, "the node is of another type");
}

Operation child_operation(std::shared_ptr<CUgraph_st> graph) {
    Operation operation;
    operation.type = cudaGraphNodeTypeGraph;
    operation.run = [graph] { return graph->run(); };
    operation.parameters = std::move(graph);
    return operation;
}

Operation copy_of(const Operation& operation) {
    const auto* const child = std::get_if<std::shared_ptr<CUgraph_st>>(&operation.parameters);
    return child != nullptr ? child_operation((*child)->clone()) : operation;
}

Operation empty_operation() {
    Operation operation;
    operation.run = [] { return cudaSuccess; };
    return operation;
}

Operation event_operation(cudaEvent_t event, cudaGraphNodeType type) {
    Operation operation;
    operation.type = type;
    operation.parameters = event;
    operation.run = [event, type] {
        if (!exists(event)) return no_event("cudaGraphLaunch");
        return type == cudaGraphNodeTypeEventRecord ? cudaEventRecord(event, nullptr) : cudaSuccess;
    };
    return operation;
}

std::optional<Operation> kernel_node(const cudaKernelNodeParams& parameters, const char* function) {
    if (parameters.kernelParams == nullptr && parameters.extra != nullptr) {
        Runtime::get().fail(cudaErrorNotSupported, function, "arguments by `extra` are not implemented");
        return std::nullopt;
    }
    auto call = kernel_call(parameters, false, function);
    if (call == nullptr) return std::nullopt;
    return kernel_operation(std::move(call), "cudaGraphLaunch");
}

std::optional<Operation> symbol_copy(void* to, const void* from, const void* symbol, std::size_t bytes,
                                     std::size_t offset, cudaMemcpyKind kind, const char* function) {
    void* at = nullptr;
    if (symbol_at(symbol, offset, bytes, function, at) != cudaSuccess) return std::nullopt;
    return copy_operation(to != nullptr ? to : at, to != nullptr ? at : from, bytes, kind, "cudaGraphLaunch");
}

std::optional<Operation> operation_of(const cudaGraphNodeParams& p, const char* function) {
    switch (p.type) {
        case cudaGraphNodeTypeKernel: {
            cudaKernelNodeParams kernel = {};
            kernel.func = p.kernel.func;
            kernel.gridDim = p.kernel.gridDim;
            kernel.blockDim = p.kernel.blockDim;
            kernel.sharedMemBytes = p.kernel.sharedMemBytes;
            kernel.kernelParams = p.kernel.kernelParams;
            kernel.extra = p.kernel.extra;
            return kernel_node(kernel, function);
        }
        case cudaGraphNodeTypeMemcpy: return copy_operation(p.memcpy.copyParams, "cudaGraphLaunch");
        case cudaGraphNodeTypeMemset: {
            cudaMemsetParams fill = {};
            fill.dst = p.memset.dst;
            fill.pitch = p.memset.pitch;
            fill.value = p.memset.value;
            fill.elementSize = p.memset.elementSize;
            fill.width = p.memset.width;
            fill.height = p.memset.height;
            return fill_operation(fill, "cudaGraphLaunch");
        }
        case cudaGraphNodeTypeHost: {
            cudaHostNodeParams host = {};
            host.fn = p.host.fn;
            host.userData = p.host.userData;
            return host_operation(host);
        }
        case cudaGraphNodeTypeGraph: return child_operation(p.graph.graph->clone());
        case cudaGraphNodeTypeEmpty: return empty_operation();
        case cudaGraphNodeTypeEventRecord: return event_operation(p.eventRecord.event, p.type);
        case cudaGraphNodeTypeWaitEvent: return event_operation(p.eventWait.event, p.type);
        default:
            Runtime::get().fail(cudaErrorNotSupported, function, "nodes of this type are not implemented");
            return std::nullopt;
    }
}

}  // namespace lanescope::host
