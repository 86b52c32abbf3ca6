// Graphs of the CUDA runtime API as a program builds them: nodes, edges, parameters, and user objects.
#include "host/runtime/graph_operations.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <set>
#include <utility>

using namespace lanescope::host;

struct CUuserObject_st {
    void* object = nullptr;
    cudaHostFn_t destroy = nullptr;
    unsigned references = 0;
};

CUgraphNode_st* CUgraph_st::add(Operation operation, std::vector<CUgraphNode_st*> after) {
    auto node = std::make_unique<CUgraphNode_st>();
    node->operation = std::move(operation);
    node->after = std::move(after);
    node->graph = this;
    nodes.push_back(std::move(node));
    return nodes.back().get();
}

bool CUgraph_st::order() {
    std::vector<std::unique_ptr<CUgraphNode_st>> ordered;
    std::set<CUgraphNode_st*> done;
    bool goes_on = true;
    while (goes_on) {
        goes_on = false;
        for (auto& node : nodes) {
            if (node == nullptr || !std::all_of(node->after.begin(), node->after.end(),
                                                [&](CUgraphNode_st* other) { return done.count(other) != 0; }))
                continue;
            done.insert(node.get());
            ordered.push_back(std::move(node));
            goes_on = true;
        }
    }
    const bool all = ordered.size() == nodes.size();
    for (auto& node : nodes)
        if (node != nullptr) ordered.push_back(std::move(node));
    nodes = std::move(ordered);
    return all;
}

std::shared_ptr<CUgraph_st> CUgraph_st::clone() const {
    auto copy = std::make_shared<CUgraph_st>();
    std::map<const CUgraphNode_st*, CUgraphNode_st*> copies;
    for (const auto& node : nodes) {
        std::vector<CUgraphNode_st*> after;
        for (const CUgraphNode_st* other : node->after) after.push_back(copies.at(other));
        copies[node.get()] = copy->add(copy_of(node->operation), std::move(after));
        copies[node.get()]->cloned_from = node.get();
    }
    return copy;
}

CUgraph_st::Shape CUgraph_st::shape() const {
    std::map<const CUgraphNode_st*, std::size_t> numbers;
    Shape shape;
    for (const auto& node : nodes) {
        numbers[node.get()] = shape.size();
        auto& added = shape.emplace_back();
        added.first = node->operation.type;
        for (const CUgraphNode_st* other : node->after) added.second.push_back(numbers[other]);
        std::sort(added.second.begin(), added.second.end());
    }
    return shape;
}

cudaError_t CUgraph_st::run() const {
    const Shape types_and_edges = shape();
    WorkOrder::Branches branches(Runtime::get().order);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        branches.begin_node(types_and_edges[i].second);
        if (const cudaError_t error = nodes[i]->operation.run()) return error;
    }
    return cudaSuccess;
}

namespace {

/// The clones that the program has not destroyed.
std::map<CUgraph_st*, std::shared_ptr<CUgraph_st>>& clones() {
    static auto* const all = new std::map<CUgraph_st*, std::shared_ptr<CUgraph_st>>;
    return *all;
}

cudaError_t add_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                     Operation operation, const char* function) {
    if (graph == nullptr) return no_graph(function);
    CUgraphNode_st* const node = graph->add(std::move(operation), {after, after + count});
    if (out != nullptr) *out = node;
    return cudaSuccess;
}

template <class Parameters>
cudaError_t parameters_of(cudaGraphNode_t node, Parameters* out, const char* function) {
    if (node == nullptr) return no_graph(function);
    const auto* const found = std::get_if<Parameters>(&node->operation.parameters);
    if (found == nullptr) return other_type(function);
    *out = *found;
    return cudaSuccess;
}

cudaError_t set_operation(cudaGraphNode_t node, Operation operation, const char* function) {
    if (node == nullptr) return no_graph(function);
    if (node->operation.type != operation.type) return other_type(function);
    node->operation = std::move(operation);
    return cudaSuccess;
}

/// Fills an array of the program; null: only returns the number of elements.
template <class Element>
void give(const std::vector<Element>& found, Element* out, std::size_t* count) {
    if (out != nullptr) std::copy_n(found.begin(), std::min(*count, found.size()), out);
    *count = found.size();
}

void release_object(cudaUserObject_t object, unsigned count) {
    object->references -= std::min(count, object->references);
    if (object->references > 0) return;
    object->destroy(object->object);
    delete object;
}

cudaError_t edges_of(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count) {
    if (graph == nullptr) return no_graph("cudaGraphGetEdges");
    std::vector<cudaGraphNode_t> sources, targets;
    for (const auto& node : graph->nodes)
        for (CUgraphNode_st* other : node->after) sources.push_back(other), targets.push_back(node.get());
    std::size_t most = *count;
    give(sources, from, &most);
    give(targets, to, count);
    return cudaSuccess;
}

cudaError_t dependents_of(cudaGraphNode_t node, cudaGraphNode_t* out, std::size_t* count) {
    if (node == nullptr) return no_graph("cudaGraphNodeGetDependentNodes");
    std::vector<cudaGraphNode_t> found;
    for (const auto& other : node->graph->nodes)
        if (std::count(other->after.begin(), other->after.end(), node) != 0) found.push_back(other.get());
    give(found, out, count);
    return cudaSuccess;
}

cudaError_t dependencies_of(cudaGraphNode_t node, cudaGraphNode_t* out, std::size_t* count) {
    if (node == nullptr) return no_graph("cudaGraphNodeGetDependencies");
    give(node->after, out, count);
    return cudaSuccess;
}

cudaError_t add_edges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, std::size_t count) {
    if (graph == nullptr) return no_graph("cudaGraphAddDependencies");
    for (std::size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
    if (graph->order()) return cudaSuccess;
    return Runtime::get().fail(cudaErrorInvalidValue, "cudaGraphAddDependencies", "the edges form a cycle");
}

cudaError_t remove_edges(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to, std::size_t count) {
    if (graph == nullptr) return no_graph("cudaGraphRemoveDependencies");
    for (std::size_t i = 0; i < count; ++i) {
        const auto found = std::find(to[i]->after.begin(), to[i]->after.end(), from[i]);
        if (found == to[i]->after.end())
            return Runtime::get().fail(cudaErrorInvalidValue, "cudaGraphRemoveDependencies", "there is no such edge");
        to[i]->after.erase(found);
    }
    return cudaSuccess;
}

const char* name_of(cudaGraphNodeType type) {
    switch (type) {
        case cudaGraphNodeTypeKernel: return "KERNEL";
        case cudaGraphNodeTypeMemcpy: return "MEMCPY";
        case cudaGraphNodeTypeMemset: return "MEMSET";
        case cudaGraphNodeTypeHost: return "HOST";
        case cudaGraphNodeTypeGraph: return "GRAPH";
        case cudaGraphNodeTypeEventRecord: return "EVENT_RECORD";
        case cudaGraphNodeTypeWaitEvent: return "EVENT_WAIT";
        default: return "EMPTY";
    }
}

}  // namespace

extern "C" {

// --- Building ----------------------------------------------------------------------------------------------------

cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned int) {
    LANESCOPE_ENTRY;
    *out = new CUgraph_st;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    LANESCOPE_ENTRY;
    if (graph == nullptr) return no_graph(__func__);
    for (const auto& [object, count] : graph->objects) release_object(object, count);
    graph->objects.clear();
    if (clones().erase(graph) == 0) delete graph;
    return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t* out, cudaGraph_t graph) {
    LANESCOPE_ENTRY;
    if (graph == nullptr) return no_graph(__func__);
    std::shared_ptr<CUgraph_st> copy = graph->clone();
    *out = copy.get();
    clones()[copy.get()] = copy;
    return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* out, cudaGraphNode_t node, cudaGraph_t clone) {
    LANESCOPE_ENTRY;
    if (clone == nullptr) return no_graph(__func__);
    for (const auto& copy : clone->nodes)
        if (copy->cloned_from == node) {
            *out = copy.get();
            return cudaSuccess;
        }
    return runtime.fail(cudaErrorInvalidValue, __func__, "the clone has no such node");
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count) {
    LANESCOPE_ENTRY;
    return add_node(out, graph, after, count, empty_operation(), __func__);
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaKernelNodeParams* parameters) {
    LANESCOPE_ENTRY;
    auto operation = kernel_node(*parameters, __func__);
    if (!operation) return runtime.last_error(false);
    return add_node(out, graph, after, count, std::move(*operation), __func__);
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
    LANESCOPE_ENTRY;
    return add_node(out, graph, after, count, copy_operation(*parameters, "cudaGraphLaunch"), __func__);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    return add_node(out, graph, after, count, copy_operation(to, from, bytes, kind, "cudaGraphLaunch"), __func__);
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                           size_t count, const void* symbol, const void* from, size_t bytes,
                                           size_t offset, cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    auto operation = symbol_copy(nullptr, from, symbol, bytes, offset, kind, __func__);
    if (!operation) return runtime.last_error(false);
    return add_node(out, graph, after, count, std::move(*operation), __func__);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                             size_t count, void* to, const void* symbol, size_t bytes, size_t offset,
                                             cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    auto operation = symbol_copy(to, nullptr, symbol, bytes, offset, kind, __func__);
    if (!operation) return runtime.last_error(false);
    return add_node(out, graph, after, count, std::move(*operation), __func__);
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaMemsetParams* parameters) {
    LANESCOPE_ENTRY;
    return add_node(out, graph, after, count, fill_operation(*parameters, "cudaGraphLaunch"), __func__);
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                 const cudaHostNodeParams* parameters) {
    LANESCOPE_ENTRY;
    return add_node(out, graph, after, count, host_operation(*parameters), __func__);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child) {
    LANESCOPE_ENTRY;
    if (child == nullptr) return no_graph(__func__);
    return add_node(out, graph, after, count, child_operation(child->clone()), __func__);
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                        size_t count, cudaEvent_t event) {
    LANESCOPE_ENTRY;
    return add_node(out, graph, after, count, event_operation(event, cudaGraphNodeTypeEventRecord), __func__);
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      size_t count, cudaEvent_t event) {
    LANESCOPE_ENTRY;
    return add_node(out, graph, after, count, event_operation(event, cudaGraphNodeTypeWaitEvent), __func__);
}

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t,
                                     cudaMemAllocNodeParams*) {
    LANESCOPE_ENTRY;
    return runtime.refuse(__func__);
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, void*) {
    LANESCOPE_ENTRY;
    return runtime.refuse(__func__);
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    LANESCOPE_ENTRY;
    if (node == nullptr) return no_graph(__func__);
    auto& nodes = node->graph->nodes;
    for (const auto& other : nodes)
        other->after.erase(std::remove(other->after.begin(), other->after.end(), node), other->after.end());
    nodes.erase(std::find_if(nodes.begin(), nodes.end(), [&](const auto& other) { return other.get() == node; }));
    return cudaSuccess;
}

// --- Edges, and what a graph consists of -----------------------------------------------------------------------------

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    LANESCOPE_ENTRY;
    if (graph == nullptr) return no_graph(__func__);
    std::vector<cudaGraphNode_t> found;
    found.reserve(graph->nodes.size());
    for (const auto& node : graph->nodes) found.push_back(node.get());
    give(found, nodes, count);
    return cudaSuccess;
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    LANESCOPE_ENTRY;
    if (graph == nullptr) return no_graph(__func__);
    std::vector<cudaGraphNode_t> found;
    for (const auto& node : graph->nodes)
        if (node->after.empty()) found.push_back(node.get());
    give(found, nodes, count);
    return cudaSuccess;
}

// With CUDA 13 edges have data: it is that of a full dependency.
#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData*, size_t count) {
    LANESCOPE_ENTRY;
    return add_edges(graph, from, to, count);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData*, size_t count) {
    LANESCOPE_ENTRY;
    return remove_edges(graph, from, to, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* data,
                              size_t* count) {
    LANESCOPE_ENTRY;
    if (data != nullptr) std::memset(data, 0, *count * sizeof *data);
    return edges_of(graph, from, to, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* out, cudaGraphEdgeData* data,
                                         size_t* count) {
    LANESCOPE_ENTRY;
    if (data != nullptr) std::memset(data, 0, *count * sizeof *data);
    return dependencies_of(node, out, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* out, cudaGraphEdgeData* data,
                                           size_t* count) {
    LANESCOPE_ENTRY;
    if (data != nullptr) std::memset(data, 0, *count * sizeof *data);
    return dependents_of(node, out, count);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* parameters) {
#else
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     size_t count) {
    LANESCOPE_ENTRY;
    return add_edges(graph, from, to, count);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        size_t count) {
    LANESCOPE_ENTRY;
    return remove_edges(graph, from, to, count);
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
    LANESCOPE_ENTRY;
    return edges_of(graph, from, to, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* out, size_t* count) {
    LANESCOPE_ENTRY;
    return dependencies_of(node, out, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* out, size_t* count) {
    LANESCOPE_ENTRY;
    return dependents_of(node, out, count);
}
cudaError_t cudaGraphAddNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                             cudaGraphNodeParams* parameters) {
#endif
    LANESCOPE_ENTRY;
    auto operation = operation_of(*parameters, __func__);
    if (!operation) return runtime.last_error(false);
    return add_node(out, graph, after, count, std::move(*operation), __func__);
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int) {
    LANESCOPE_ENTRY;
    if (graph == nullptr) return no_graph(__func__);
    std::FILE* const file = std::fopen(path, "w");
    if (file == nullptr) return runtime.fail(cudaErrorOperatingSystem, __func__, "the file cannot be written");
    std::fputs("digraph dot {\n", file);
    std::map<const CUgraphNode_st*, std::size_t> numbers;
    for (const auto& node : graph->nodes) {
        const std::size_t number = numbers.size();
        numbers[node.get()] = number;
        std::fprintf(file, "    n%zu [label=\"%zu: %s\"];\n", number, number, name_of(node->operation.type));
        for (const CUgraphNode_st* other : node->after)
            std::fprintf(file, "    n%zu -> n%zu;\n", numbers[other], number);
    }
    std::fputs("}\n", file);
    std::fclose(file);
    return cudaSuccess;
}

// --- Parameters of a node ------------------------------------------------------------------------------------------

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    LANESCOPE_ENTRY;
    if (node == nullptr) return no_graph(__func__);
    *type = node->operation.type;
    return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* out) {
    LANESCOPE_ENTRY;
    std::shared_ptr<KernelCall> call;
    if (const cudaError_t error = parameters_of(node, &call, __func__)) return error;
    *out = call->parameters;
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
    LANESCOPE_ENTRY;
    auto operation = kernel_node(*parameters, __func__);
    if (!operation) return runtime.last_error(false);
    return set_operation(node, std::move(*operation), __func__);
}

cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* out) {
    LANESCOPE_ENTRY;
    return parameters_of(node, out, __func__);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
    LANESCOPE_ENTRY;
    return set_operation(node, copy_operation(*parameters, "cudaGraphLaunch"), __func__);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* to, const void* from, size_t bytes,
                                           cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    return set_operation(node, copy_operation(to, from, bytes, kind, "cudaGraphLaunch"), __func__);
}

cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* out) {
    LANESCOPE_ENTRY;
    return parameters_of(node, out, __func__);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
    LANESCOPE_ENTRY;
    return set_operation(node, fill_operation(*parameters, "cudaGraphLaunch"), __func__);
}

cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* out) {
    LANESCOPE_ENTRY;
    return parameters_of(node, out, __func__);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
    LANESCOPE_ENTRY;
    return set_operation(node, host_operation(*parameters), __func__);
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* out) {
    LANESCOPE_ENTRY;
    std::shared_ptr<CUgraph_st> child;
    if (const cudaError_t error = parameters_of(node, &child, __func__)) return error;
    *out = child.get();
    return cudaSuccess;
}

static cudaError_t event_of(cudaGraphNode_t node, cudaEvent_t* out, cudaGraphNodeType type, const char* function) {
    if (node != nullptr && node->operation.type != type) return other_type(function);
    return parameters_of(node, out, function);
}
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* out) {
    LANESCOPE_ENTRY;
    return event_of(node, out, cudaGraphNodeTypeEventRecord, __func__);
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    LANESCOPE_ENTRY;
    return set_operation(node, event_operation(event, cudaGraphNodeTypeEventRecord), __func__);
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* out) {
    LANESCOPE_ENTRY;
    return event_of(node, out, cudaGraphNodeTypeWaitEvent, __func__);
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
    LANESCOPE_ENTRY;
    return set_operation(node, event_operation(event, cudaGraphNodeTypeWaitEvent), __func__);
}

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
    LANESCOPE_ENTRY;
    auto operation = operation_of(*parameters, __func__);
    if (!operation) return runtime.last_error(false);
    return set_operation(node, std::move(*operation), __func__);
}

// --- Objects that graphs keep --------------------------------------------------------------------------------------

cudaError_t cudaUserObjectCreate(cudaUserObject_t* out, void* object, cudaHostFn_t destroy, unsigned int references,
                                 unsigned int) {
    LANESCOPE_ENTRY;
    *out = new CUuserObject_st{object, destroy, references};
    return cudaSuccess;
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
    LANESCOPE_ENTRY;
    object->references += count;
    return cudaSuccess;
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
    LANESCOPE_ENTRY;
    release_object(object, count);
    return cudaSuccess;
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count,
                                      unsigned int flags) {
    LANESCOPE_ENTRY;
    if (graph == nullptr) return no_graph(__func__);
    if ((flags & cudaGraphUserObjectMove) == 0) object->references += count;
    graph->objects.emplace_back(object, count);
    return cudaSuccess;
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count) {
    LANESCOPE_ENTRY;
    if (graph == nullptr) return no_graph(__func__);
    for (auto held = graph->objects.begin(); held != graph->objects.end(); ++held) {
        if (held->first != object || held->second < count) continue;
        held->second -= count;
        if (held->second == 0) graph->objects.erase(held);
        release_object(object, count);
        return cudaSuccess;
    }
    return runtime.fail(cudaErrorInvalidValue, __func__, "the graph holds fewer references to the object");
}

}  // extern "C"
