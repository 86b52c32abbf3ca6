// Streams and events of the CUDA runtime API, and the capture of streams.
#include "host/runtime/stream.h"

#include <set>
#include <utility>

using namespace lanescope::host;

namespace lanescope::host {

namespace {

std::set<CUstream_st*> streams;
std::set<CUevent_st*> events;
unsigned long long next_stream_id = 1;

/// Ends the capture of every stream that captures into the graph.
void leave_capture(const CUgraph_st* graph) {
    for (CUstream_st* stream : streams)
        if (stream->captures_into == graph) {
            stream->captures_into = nullptr;
            stream->began_capture = false;
            stream->last.clear();
        }
}

}  // namespace

bool is_default(cudaStream_t stream) {
    return stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

bool exists(cudaStream_t stream) { return is_default(stream) || streams.count(stream) != 0; }
bool exists(cudaEvent_t event) { return events.count(event) != 0; }

cudaError_t no_stream(const char* function) {
    return Runtime::get().fail(cudaErrorInvalidResourceHandle, function, "the stream does not exist");
}
cudaError_t no_event(const char* function) {
    return Runtime::get().fail(cudaErrorInvalidResourceHandle, function, "the event does not exist");
}

bool captures(cudaStream_t stream) { return !is_default(stream) && exists(stream) && stream->captures_into != nullptr; }

cudaError_t enqueue(cudaStream_t stream, const char* function, Operation operation) {
    if (!exists(stream)) return no_stream(function);
    if (!captures(stream)) {
        const WorkOrder::Work work(Runtime::get().order, stream);
        return operation.run();
    }
    stream->last = {stream->captures_into->add(std::move(operation), stream->last)};
    return cudaSuccess;
}

Operation host_operation(const cudaHostNodeParams& parameters) {
    Operation operation;
    operation.type = cudaGraphNodeTypeHost;
    operation.parameters = parameters;
    operation.run = [parameters] {
        Runtime::get().begin_host_function();
        parameters.fn(parameters.userData);
        return cudaSuccess;
    };
    return operation;
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
    runtime.order.add_lane(stream->id, (flags & cudaStreamNonBlocking) == 0);
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
    runtime.order.host_waits_for(stream);
    runtime.synchronize();
    return runtime.sticky();
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    runtime.order.host_waits_for(stream);
    runtime.synchronize();
    return runtime.sticky();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    if (event != nullptr && event->captured_in != nullptr && !is_default(stream)) {
        stream->captures_into = event->captured_in;  // a second stream joins the capture (CUDA C++ Programming Guide)
        stream->last.insert(stream->last.end(), event->last.begin(), event->last.end());
    } else if (event != nullptr) {
        runtime.order.stream_waits(stream, event->before);
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
    cudaHostNodeParams parameters = {};
    parameters.fn = function;
    parameters.userData = data;
    return enqueue(stream, __func__, host_operation(parameters));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int) {
    LANESCOPE_ENTRY;
    if (captures(stream))
        return runtime.fail(cudaErrorStreamCaptureUnsupported, __func__,
                            "a callback cannot be added to a capturing stream");
    Operation operation;
    operation.run = [=] {
        Runtime::get().begin_host_function();
        callback(stream, Runtime::get().sticky(), data);
        return cudaSuccess;
    };
    return enqueue(stream, __func__, std::move(operation));
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    *device = 0;
    return cudaSuccess;
}

// Attributes are hints: they change no result.
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID, const cudaStreamAttrValue*) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    runtime.remark("stream attributes have no effect in the emulator");
    return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID, cudaStreamAttrValue*) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    return runtime.refuse(__func__);
}
cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
    LANESCOPE_ENTRY;
    return exists(to) && exists(from) ? cudaSuccess : no_stream(__func__);
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
    if (events.erase(event) == 0) return no_event(__func__);
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    LANESCOPE_ENTRY;
    if (!exists(stream)) return no_stream(__func__);
    if (!exists(event)) return no_event(__func__);
    event->recorded = true;
    event->captured_in = is_default(stream) ? nullptr : stream->captures_into;
    event->last = event->captured_in != nullptr ? stream->last : std::vector<CUgraphNode_st*>{};
    event->time_ns = runtime.now_ns;
    if (event->captured_in == nullptr) event->before = runtime.order.recorded(stream);
    return cudaSuccess;
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int) {
    return cudaEventRecord(event, stream);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    LANESCOPE_ENTRY;
    if (!exists(event)) return no_event(__func__);
    runtime.order.host_waits_for(event->before);
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

// --- Capture -----------------------------------------------------------------------------------------------------

static cudaError_t begin_capture(cudaStream_t stream, CUgraph_st* graph, std::vector<CUgraphNode_st*> after,
                                 const char* function) {
    Runtime& runtime = Runtime::get();
    if (is_default(stream) || !exists(stream))
        return runtime.fail(cudaErrorStreamCaptureUnsupported, function, "the default stream cannot be captured");
    if (captures(stream)) return runtime.fail(cudaErrorIllegalState, function, "the stream is capturing already");
    stream->captures_into = graph != nullptr ? graph : new CUgraph_st;
    stream->began_capture = true;
    stream->last = std::move(after);
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
    LANESCOPE_ENTRY;
    return begin_capture(stream, nullptr, {}, __func__);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData*, size_t count, cudaStreamCaptureMode) {
    LANESCOPE_ENTRY;
    if (graph == nullptr) return runtime.fail(cudaErrorInvalidValue, __func__, "the graph is null");
    return begin_capture(stream, graph, {after, after + count}, __func__);
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* out) {
    LANESCOPE_ENTRY;
    if (!captures(stream) || !stream->began_capture)
        return runtime.fail(cudaErrorIllegalState, __func__, "no capture was begun on the stream");
    CUgraph_st* const graph = stream->captures_into;
    leave_capture(graph);
    if (out != nullptr) *out = graph;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* out) {
    LANESCOPE_ENTRY;
    *out = captures(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}

static cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                cudaGraph_t* graph, const cudaGraphNode_t** after, size_t* count) {
    if (!exists(stream)) return no_stream("cudaStreamGetCaptureInfo");
    const bool active = captures(stream);
    *status = active ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    if (!active) return cudaSuccess;
    if (id != nullptr) *id = reinterpret_cast<unsigned long long>(stream->captures_into);
    if (graph != nullptr) *graph = stream->captures_into;
    if (after != nullptr) *after = stream->last.data();
    if (count != nullptr) *count = stream->last.size();
    return cudaSuccess;
}

static cudaError_t update_dependencies(cudaStream_t stream, cudaGraphNode_t* after, size_t count, unsigned flags) {
    if (!captures(stream))
        return Runtime::get().fail(cudaErrorIllegalState, "cudaStreamUpdateCaptureDependencies",
                                   "the stream is not capturing");
    if (flags == cudaStreamSetCaptureDependencies) stream->last.clear();
    stream->last.insert(stream->last.end(), after, after + count);
    return cudaSuccess;
}

#if CUDART_VERSION >= 13000
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** after, const cudaGraphEdgeData** edges,
                                     size_t* count) {
    LANESCOPE_ENTRY;
    if (edges != nullptr) *edges = nullptr;
    return capture_info(stream, status, id, graph, after, count);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after, const cudaGraphEdgeData*,
                                                size_t count, unsigned int flags) {
    LANESCOPE_ENTRY;
    return update_dependencies(stream, after, count, flags);
}
#else
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** after, size_t* count) {
    LANESCOPE_ENTRY;
    return capture_info(stream, status, id, graph, after, count);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* after, size_t count,
                                                unsigned int flags) {
    LANESCOPE_ENTRY;
    return update_dependencies(stream, after, count, flags);
}
#endif

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
    LANESCOPE_ENTRY;
    thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    std::swap(current, *mode);
    return cudaSuccess;
}

}  // extern "C"
