// Executable graphs of the CUDA runtime API: instantiation, update and launch. Operations run one after the other, in
// an order that the graph's edges allow.
#include "host/runtime/graph_operations.h"

#include <utility>
#include <vector>

using namespace lanescope::host;

/// A graph at the moment of its instantiation.
struct CUgraphExec_st {
    struct Step {
        const CUgraphNode_st* node = nullptr;  ///< the graph's node, by which the program refers to this one
        Operation operation;
        bool enabled = true;
    };
    std::vector<Step> steps;
    CUgraph_st::Shape shape;
    unsigned long long flags = 0;
};

namespace {

CUgraphExec_st::Step* step_of(cudaGraphExec_t executable, cudaGraphNode_t node) {
    if (executable == nullptr) return nullptr;
    for (CUgraphExec_st::Step& step : executable->steps)
        if (step.node == node) return &step;
    return nullptr;
}

cudaError_t no_step(const char* function) {
    return Runtime::get().fail(cudaErrorInvalidValue, function, "the graph was not instantiated with that node");
}

cudaError_t set_operation(cudaGraphExec_t executable, cudaGraphNode_t node, Operation operation, const char* function) {
    CUgraphExec_st::Step* const step = step_of(executable, node);
    if (step == nullptr) return no_step(function);
    if (step->operation.type != operation.type) return other_type(function);
    step->operation = std::move(operation);
    return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long flags) {
    LANESCOPE_ENTRY;
    if (graph == nullptr) return no_graph(__func__);
    auto* executable = new CUgraphExec_st;
    for (const auto& node : graph->nodes) executable->steps.push_back({node.get(), copy_of(node->operation), true});
    executable->shape = graph->shape();
    executable->flags = flags;
    *out = executable;
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiate(out, graph, flags);
}
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* out, cudaGraph_t graph, cudaGraphInstantiateParams* how) {
    how->errNode_out = nullptr;
    how->result_out = cudaGraphInstantiateSuccess;
    return cudaGraphInstantiate(out, graph, how->flags);
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
    LANESCOPE_ENTRY;
    *flags = executable->flags;
    return cudaSuccess;
}

cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
    LANESCOPE_ENTRY;
    auto operation = kernel_node(*parameters, __func__);
    if (!operation) return runtime.last_error(false);
    return set_operation(executable, node, std::move(*operation), __func__);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
    LANESCOPE_ENTRY;
    return set_operation(executable, node, copy_operation(*parameters, "cudaGraphLaunch"), __func__);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    return set_operation(executable, node, copy_operation(to, from, bytes, kind, "cudaGraphLaunch"), __func__);
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                     const void* symbol, const void* from, size_t bytes, size_t offset,
                                                     cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    auto operation = symbol_copy(nullptr, from, symbol, bytes, offset, kind, __func__);
    if (!operation) return runtime.last_error(false);
    return set_operation(executable, node, std::move(*operation), __func__);
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                                       const void* symbol, size_t bytes, size_t offset,
                                                       cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    auto operation = symbol_copy(to, nullptr, symbol, bytes, offset, kind, __func__);
    if (!operation) return runtime.last_error(false);
    return set_operation(executable, node, std::move(*operation), __func__);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
    LANESCOPE_ENTRY;
    return set_operation(executable, node, fill_operation(*parameters, "cudaGraphLaunch"), __func__);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
    LANESCOPE_ENTRY;
    return set_operation(executable, node, host_operation(*parameters), __func__);
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraph_t child) {
    LANESCOPE_ENTRY;
    if (child == nullptr) return no_graph(__func__);
    return set_operation(executable, node, child_operation(child->clone()), __func__);
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node, cudaEvent_t event) {
    LANESCOPE_ENTRY;
    return set_operation(executable, node, event_operation(event, cudaGraphNodeTypeEventRecord), __func__);
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node, cudaEvent_t event) {
    LANESCOPE_ENTRY;
    return set_operation(executable, node, event_operation(event, cudaGraphNodeTypeWaitEvent), __func__);
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                       cudaGraphNodeParams* parameters) {
    LANESCOPE_ENTRY;
    auto operation = operation_of(*parameters, __func__);
    if (!operation) return runtime.last_error(false);
    return set_operation(executable, node, std::move(*operation), __func__);
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned int enabled) {
    LANESCOPE_ENTRY;
    CUgraphExec_st::Step* const step = step_of(executable, node);
    if (step == nullptr) return no_step(__func__);
    step->enabled = enabled != 0;
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node, unsigned int* enabled) {
    LANESCOPE_ENTRY;
    const CUgraphExec_st::Step* const step = step_of(executable, node);
    if (step == nullptr) return no_step(__func__);
    *enabled = step->enabled ? 1 : 0;
    return cudaSuccess;
}

// A graph of the same shape replaces the operations; the program still refers to the original graph's nodes.
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* result) {
    LANESCOPE_ENTRY;
    if (executable == nullptr || graph == nullptr) return no_graph(__func__);
    cudaGraphExecUpdateResultInfo answer = {};
    if (graph->shape() != executable->shape) {
        answer.result = cudaGraphExecUpdateErrorTopologyChanged;
        if (result != nullptr) *result = answer;
        return runtime.fail(cudaErrorGraphExecUpdateFailure, __func__, "the graph has a different topology");
    }
    for (std::size_t i = 0; i < executable->steps.size(); ++i)
        executable->steps[i].operation = copy_of(graph->nodes[i]->operation);
    answer.result = cudaGraphExecUpdateSuccess;
    if (result != nullptr) *result = answer;
    return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    if (executable == nullptr) return no_graph(__func__);
    Operation operation;
    operation.type = cudaGraphNodeTypeGraph;
    operation.run = [executable] {
        WorkOrder::Branches branches(Runtime::get().order);
        for (std::size_t i = 0; i < executable->steps.size(); ++i) {
            const CUgraphExec_st::Step& step = executable->steps[i];
            branches.begin_node(executable->shape[i].second);
            if (!step.enabled) continue;
            if (const cudaError_t error = step.operation.run()) return error;
        }
        return cudaSuccess;
    };
    return enqueue(stream, __func__, std::move(operation));
}

cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
    LANESCOPE_ENTRY;
    return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
    LANESCOPE_ENTRY;
    delete executable;
    return cudaSuccess;
}

}  // extern "C"
