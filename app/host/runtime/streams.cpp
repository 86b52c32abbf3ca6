// Streams, events and graphs of the CUDA runtime API. A stream executes at once and in order; an event holds the
// emulated device's time; a graph is the list of operations that was captured or built, in an order that its edges
// allow.
#include "host/runtime/runtime.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>

using namespace lanescope::host;

struct CUstream_st {
    unsigned flags = 0;
    int priority = 0;
    unsigned long long id = 0;
    CUgraph_st* captures_into = nullptr;
    std::vector<CUgraphNode_st*> last;  // what the next captured operation depends on
};

struct CUevent_st {
    double time_ns = 0;
    bool recorded = false, timed = true;
    CUgraph_st* captured_in = nullptr;  // recorded in a stream that captures
    std::vector<CUgraphNode_st*> last;
};

struct CUgraphNode_st {
    std::function<cudaError_t()> operation;
    std::vector<CUgraphNode_st*> after;
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
};

struct CUgraph_st {
    std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // each after those that it depends on
    CUgraphNode_st* add(std::function<cudaError_t()> operation, std::vector<CUgraphNode_st*> after,
                        cudaGraphNodeType type) {
        auto node = std::make_unique<CUgraphNode_st>();
        node->operation = std::move(operation);
        node->after = std::move(after);
        node->type = type;
        nodes.push_back(std::move(node));
        return nodes.back().get();
    }
};

struct CUgraphExec_st {
    std::vector<std::function<cudaError_t()>> operations;
};

namespace lanescope::host {

namespace {

std::set<CUstream_st*> streams;
std::set<CUevent_st*> events;
unsigned long long next_stream_id = 1;

bool is_default(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool exists(cudaStream_t stream) { return is_default(stream) || streams.count(stream) != 0; }

cudaError_t no_stream(const char* function) {
    return Runtime::get().fail(cudaErrorInvalidResourceHandle, function, "the stream does not exist");
}

}  // namespace

cudaError_t enqueue(cudaStream_t stream, const char* function, std::function<cudaError_t()> operation) {
    if (!exists(stream)) return no_stream(function);
    if (is_default(stream) || stream->captures_into == nullptr) return operation();
    stream->last = {stream->captures_into->add(std::move(operation), stream->last, cudaGraphNodeTypeKernel)};
    return cudaSuccess;
}

}  // namespace lanescope::host

extern "C" {

// --- Streams -----------------------------------------------------------------------------------------------------

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* out, unsigned int flags, int priority) {
    LANESCOPE_ENTRY;
    auto* stream = new CUstream_st;
    stream->flags = flags;
    stream->priority = priority;
    stream->id = next_stream_id++;
    streams.insert(stream);
    *out = stream;
    return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t* out) { return cudaStreamCreateWithPriority(out, cudaStreamDefault, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* out, unsigned int flags) {
    return cudaStreamCreateWithPriority(out, flags, 0);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    LANESCOPE_ENTRY;
    if (is_default(stream) || !exists(stream)) return no_stream(__func__);
    streams.erase(stream);
    delete stream;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    if (!is_default(stream) && stream->captures_into != nullptr)
        return runtime.fail(cudaErrorStreamCaptureUnsupported, __func__, "the stream is capturing");
    runtime.synchronize();
    return runtime.sticky();
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    runtime.synchronize();
    return runtime.sticky();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    if (event != nullptr && event->captured_in != nullptr && !is_default(stream)) {
        stream->captures_into = event->captured_in;  // a second stream joins the capture (CUDA C++ Programming Guide)
        stream->last.insert(stream->last.end(), event->last.begin(), event->last.end());
    }
    return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    *flags = is_default(stream) ? 0 : stream->flags;
    return cudaSuccess;
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    *priority = is_default(stream) ? 0 : stream->priority;
    return cudaSuccess;
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    *id = is_default(stream) ? 0 : stream->id;
    return cudaSuccess;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t, unsigned int) {
    LANESCOPE_ENTRY;
    return exists(stream) ? cudaSuccess : no_stream(__func__);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    LANESCOPE_ENTRY;
    return enqueue(stream, __func__, [=] {
        Runtime::get().synchronize();
        function(data);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int) {
    LANESCOPE_ENTRY;
    return enqueue(stream, __func__, [=] {
        Runtime::get().synchronize();
        callback(stream, Runtime::get().sticky(), data);
        return cudaSuccess;
    });
}

// --- Events ------------------------------------------------------------------------------------------------------

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* out, unsigned int flags) {
    LANESCOPE_ENTRY;
    auto* event = new CUevent_st;
    event->timed = (flags & cudaEventDisableTiming) == 0;
    events.insert(event);
    *out = event;
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* out) { return cudaEventCreateWithFlags(out, cudaEventDefault); }

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    LANESCOPE_ENTRY;
    if (events.erase(event) == 0)
        return runtime.fail(cudaErrorInvalidResourceHandle, __func__, "the event does not exist");
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    if (events.count(event) == 0)
        return runtime.fail(cudaErrorInvalidResourceHandle, __func__, "the event does not exist");
    event->recorded = true;
    event->captured_in = is_default(stream) ? nullptr : stream->captures_into;
    event->last = event->captured_in != nullptr ? stream->last : std::vector<CUgraphNode_st*>{};
    event->time_ns = runtime.now_ns;
    return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    LANESCOPE_ENTRY;
    if (events.count(event) == 0)
        return runtime.fail(cudaErrorInvalidResourceHandle, __func__, "the event does not exist");
    runtime.synchronize();
    return runtime.sticky();
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }

cudaError_t cudaEventElapsedTime(float* out, cudaEvent_t start, cudaEvent_t stop) {
    LANESCOPE_ENTRY;
    if (events.count(start) == 0 || events.count(stop) == 0 || !start->recorded || !stop->recorded || !start->timed ||
        !stop->timed)
        return runtime.fail(cudaErrorInvalidResourceHandle, __func__,
                            "both events must exist, be recorded and measure time");
    *out = static_cast<float>((stop->time_ns - start->time_ns) * 1e-6);
    runtime.remark("times between events are estimates for the emulated device, not measurements");
    return cudaSuccess;
}

// --- Graphs ------------------------------------------------------------------------------------------------------

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    LANESCOPE_ENTRY;
    if (is_default(stream) || !exists(stream))
        return runtime.fail(cudaErrorStreamCaptureUnsupported, __func__, "the default stream cannot be captured");
    stream->captures_into = new CUgraph_st;
    stream->last.clear();
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* out) {
    LANESCOPE_ENTRY;
    if (is_default(stream) || !exists(stream) || stream->captures_into == nullptr)
        return runtime.fail(cudaErrorIllegalState, __func__, "the stream is not capturing");
    *out = stream->captures_into;
    for (CUstream_st* other : streams)  // those that joined leave with it
        if (other->captures_into == *out) {
            other->captures_into = nullptr;
            other->last.clear();
        }
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* out) {
    LANESCOPE_ENTRY;
    *out = !is_default(stream) && exists(stream) && stream->captures_into != nullptr ? cudaStreamCaptureStatusActive
                                                                                     : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t* out, unsigned int) {
    LANESCOPE_ENTRY;
    *out = new CUgraph_st;
    return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    LANESCOPE_ENTRY;
    delete graph;
    return cudaSuccess;
}

static cudaError_t add_node(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                            cudaGraphNodeType type, std::function<cudaError_t()> operation) {
    std::vector<CUgraphNode_st*> before(after, after + count);
    CUgraphNode_st* const node = graph->add(std::move(operation), std::move(before), type);
    if (out != nullptr) *out = node;
    return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count) {
    LANESCOPE_ENTRY;
    return add_node(out, graph, after, count, cudaGraphNodeTypeEmpty, [] { return cudaSuccess; });
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaKernelNodeParams* p) {
    LANESCOPE_ENTRY;
    if (p->kernelParams == nullptr) return runtime.refuse("cudaGraphAddKernelNode with `extra`");
    const Kernel* kernel = runtime.kernel_of(p->func);
    if (kernel == nullptr)
        return runtime.fail(cudaErrorInvalidDeviceFunction, __func__, "the function is no kernel of this program");
    std::vector<std::vector<std::byte>> values;  // of this call: a graph keeps its arguments
    for (std::size_t i = 0; i < kernel->parameters.size(); ++i) {
        const auto* from = static_cast<const std::byte*>(p->kernelParams[i]);
        values.emplace_back(from, from + kernel->parameters[i].bytes);
    }
    return add_node(out, graph, after, count, cudaGraphNodeTypeKernel, [values, copied = *p]() mutable {
        std::vector<void*> arguments;
        arguments.reserve(values.size());
        for (auto& value : values) arguments.push_back(value.data());
        return launch(copied.func, copied.gridDim, copied.blockDim, arguments.data(), copied.sharedMemBytes, false,
                      "cudaGraphLaunch");
    });
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    LANESCOPE_ENTRY;
    return add_node(out, graph, after, count, cudaGraphNodeTypeMemcpy,
                    [=] { return copy(to, from, bytes, kind, "cudaGraphLaunch"); });
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaMemcpy3DParms* parameters) {
    LANESCOPE_ENTRY;
    return add_node(out, graph, after, count, cudaGraphNodeTypeMemcpy,
                    [copied = *parameters] { return cudaMemcpy3D(&copied); });
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaMemsetParams* parameters) {
    LANESCOPE_ENTRY;
    return add_node(out, graph, after, count, cudaGraphNodeTypeMemset, [p = *parameters] {
        std::vector<std::byte> row(p.width * p.elementSize);
        for (std::size_t i = 0; i < p.width; ++i) std::memcpy(row.data() + i * p.elementSize, &p.value, p.elementSize);
        for (std::size_t y = 0; y < p.height; ++y) {
            if (const cudaError_t error = copy(static_cast<char*>(p.dst) + y * p.pitch, row.data(), row.size(),
                                               cudaMemcpyHostToDevice, "cudaGraphLaunch"))
                return error;
        }
        return cudaSuccess;
    });
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* out, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                 const cudaHostNodeParams* parameters) {
    LANESCOPE_ENTRY;
    return add_node(out, graph, after, count, cudaGraphNodeTypeHost, [p = *parameters] {
        Runtime::get().synchronize();
        p.fn(p.userData);
        return cudaSuccess;
    });
}

#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData*, size_t count) {
#else
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     size_t count) {
#endif
    LANESCOPE_ENTRY;
    for (std::size_t i = 0; i < count; ++i) to[i]->after.push_back(from[i]);
    // Each node after those that it depends on: an edge may lead back in the order of creation.
    std::vector<std::unique_ptr<CUgraphNode_st>> ordered;
    std::set<CUgraphNode_st*> done;
    while (ordered.size() < graph->nodes.size()) {
        const std::size_t before = ordered.size();
        for (auto& node : graph->nodes) {
            if (node == nullptr || !std::all_of(node->after.begin(), node->after.end(),
                                                [&](CUgraphNode_st* other) { return done.count(other) != 0; }))
                continue;
            done.insert(node.get());
            ordered.push_back(std::move(node));
        }
        if (ordered.size() == before) {
            for (auto& node : graph->nodes)
                if (node != nullptr) ordered.push_back(std::move(node));
            graph->nodes = std::move(ordered);
            return runtime.fail(cudaErrorInvalidValue, __func__, "the edges form a cycle");
        }
    }
    graph->nodes = std::move(ordered);
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    LANESCOPE_ENTRY;
    if (nodes != nullptr)
        for (std::size_t i = 0; i < std::min(*count, graph->nodes.size()); ++i) nodes[i] = graph->nodes[i].get();
    *count = graph->nodes.size();
    return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    LANESCOPE_ENTRY;
    *type = node->type;
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long) {
    LANESCOPE_ENTRY;
    auto* executable = new CUgraphExec_st;
    for (const auto& node : graph->nodes) executable->operations.push_back(node->operation);
    *out = executable;
    return cudaSuccess;
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* out, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiate(out, graph, flags);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    return enqueue(stream, __func__, [executable] {
        for (const auto& operation : executable->operations)
            if (const cudaError_t error = operation()) return error;
        return cudaSuccess;
    });
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
