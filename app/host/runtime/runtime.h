// The state of the CUDA runtime that a program runs on: its connection to Lanescope, its allocations and streams, and
// the errors that CUDA would return. Compiled against the headers of the toolkit that compiles the program, so that
// structures have that toolkit's layout.
//
// Streams execute immediately: an operation is complete when the call that enqueues it returns, which is one of the
// orders that CUDA allows. Times are those of the emulated device.
#pragma once

#include "host/protocol.h"
#include "host/runtime/order.h"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace lanescope::host {

/// One allocation that a kernel can reach.
struct Allocation {
    std::uint64_t address = 0, bytes = 0;
    MemoryKind kind = MemoryKind::device;
    bool freed = false;
    bool is_variable = false;    ///< __device__, __constant__ or __managed__: lives as long as the program
    bool registered = false;     ///< the program's own memory, by cudaHostRegister
    bool freed_in_vain = false;  ///< the program freed it after a kernel's fault, when every call fails
    [[nodiscard]] bool host_may_access() const { return kind == MemoryKind::managed || kind == MemoryKind::pinned; }
};

/// A kernel, registered by its host function.
struct Kernel {
    std::string name;  ///< in the PTX
    FunctionFacts facts;
    std::vector<ParameterFacts> parameters;
    bool asked = false;  ///< whether facts and parameters were requested
    int dynamic_shared_limit = -1;
    int carveout = -1;
    cudaFuncCache cache = cudaFuncCachePreferNone;
};

/// A __device__, __constant__ or __managed__ variable, registered by its host shadow variable.
struct Symbol {
    std::string name;
    std::uint64_t bytes = 0;
    std::uint64_t address = 0;  ///< 0: not requested yet
    bool managed = false;
    std::uint32_t module = 0;  ///< of the fat binary that registered it, in the order in which they were sent
};

/// Why a call that names another device fails.
inline constexpr const char* one_device = "there is one device, number 0";

class Runtime {
  public:
    static Runtime& get();

    /// Sends a request and waits for the answer; `answer_bytes` receives its payload. Ends the program if Lanescope is
    /// gone.
    Answer ask(Header header, const void* payload, std::size_t bytes, std::vector<std::byte>* answer_bytes = nullptr);
    Answer ask(Header header) { return ask(header, nullptr, 0); }

    // Errors, as CUDA returns them.
    /// Stores the error for cudaGetLastError and reports it to Lanescope with its reason.
    cudaError_t fail(cudaError_t error, const char* function, const std::string& why);
    /// The same for a function that Lanescope does not implement.
    cudaError_t refuse(const char* function);
    /// Reports an error of a CUDA library, which has its own numbers and names.
    void report_error(int error, const char* name, const char* function, const std::string& why);
    void fault(FaultKind kind, std::uint64_t address, std::uint64_t bytes, const std::string& what);
    void unordered(const UnorderedFacts& facts, std::uint64_t address, std::uint64_t bytes);
    /// Reports that a function of the program returns at that address with an overrun stack frame.
    void stack_smashed(const void* address);
    /// Reports errors that were returned and not checked, as faults.
    void report_ignored();
    /// Reports a remark, once for each text.
    void remark(const std::string& what);
    /// Reports a remark on what the checks of the program cannot find out.
    void not_known(const std::string& what) { remark(std::string(host::not_known) + what); }
    cudaError_t last_error(bool clear);
    /// Calls the unwinder with the data. After an overrun of an array on the stack, a return address may be invalid:
    /// unwinding then stops there.
    static void unwind(void (*call)(void*), void* data);
    /// Whether the address is on the main thread's stack.
    [[nodiscard]] static bool is_on_first_stack(std::uint64_t address);
    /// Whether a request is in progress: a signal handler must not send another.
    [[nodiscard]] bool is_asking() const { return asking_ != 0; }
    /// The error that every call returns after a kernel has faulted.
    [[nodiscard]] cudaError_t sticky() const { return sticky_; }
    /// Whether a kernel has faulted. A program that gets this error knows that the kernel has ended, so this counts as
    /// a synchronization.
    [[nodiscard]] bool has_failed() {
        if (sticky_ == cudaSuccess) return false;
        wait_for_all();
        return true;
    }
    void set_sticky(cudaError_t error) { sticky_ = last_ = error; }

    // Memory.
    cudaError_t allocate(void** out, std::uint64_t bytes, MemoryKind kind, const char* function,
                         ChannelType channel = ChannelType::unknown);
    /// `not_live`: the error to return if the pointer is not a live allocation.
    cudaError_t release(void* pointer, MemoryKind kind, const char* function,
                        cudaError_t not_live = cudaErrorInvalidValue);
    /// The same after a kernel has faulted: frees nothing, and reports an invalid call.
    cudaError_t release_in_vain(void* pointer, MemoryKind kind);
    /// Makes the program's own memory pinned memory, which kernels access at another address. Its pages become pages of
    /// device memory with the same content.
    cudaError_t register_host(void* host, std::uint64_t bytes, const char* function);
    cudaError_t unregister_host(void* host, const char* function);
    /// The device address of registered memory; null if `host` is not registered.
    [[nodiscard]] void* device_pointer_of(const void* host, std::uint64_t bytes = 1) const;
    /// The host address of registered memory; 0 if there is none at the device address.
    [[nodiscard]] std::uint64_t host_address_of(std::uint64_t device) const;
    /// Whether any memory was ever registered. May be called before the runtime exists.
    [[nodiscard]] static bool any_registered() { return any_registered_; }
    /// The allocation that holds the address, freed ones included; null where none does.
    [[nodiscard]] const Allocation* find(const void* pointer) const;
    [[nodiscard]] static bool is_device_address(const void* pointer) {
        return reinterpret_cast<std::uint64_t>(pointer) - device_base < device_bytes;
    }
    /// The address at which this runtime reads and writes the bytes at a device address, whatever their protection.
    [[nodiscard]] std::byte* window(const void* device_pointer) const {
        return window_ + (reinterpret_cast<std::uint64_t>(device_pointer) - device_base);
    }
    [[nodiscard]] bool has_pinned_memory() const { return live_pinned_ > 0; }
    void allow_access(const Allocation& allocation, bool allowed) const;
    /// Kernels may be writing managed memory from here on, until synchronize().
    void begin_kernel();
    void synchronize();
    /// Waits for all work in all streams.
    void wait_for_all() {
        order.host_waits_for_all();
        synchronize();
    }
    /// Before a host function of a stream, which runs when all work before it has ended.
    void begin_host_function() {
        order.host_waits_for_work();
        synchronize();
    }
    [[nodiscard]] const std::map<std::uint64_t, Allocation>& allocations() const { return allocations_; }

    // Kernels and variables.
    Kernel* kernel_of(const void* host_function);
    Symbol* symbol_of(const void* host_variable);
    std::map<const void*, Kernel> kernels;
    std::map<const void*, Symbol> symbols;

    [[nodiscard]] const DeviceFacts& device();

    std::recursive_mutex mutex;
    WorkOrder order;
    double now_ns = 0;  ///< of the emulated device

  private:
    Runtime();
    static void add_callers(Header& header);
    void report_fault(FaultKind kind, std::uint64_t address, std::uint64_t bytes, const void* payload,
                      std::size_t payload_bytes);
    void ignore(const Header& where, const std::string& what);
    void send(const void* data, std::size_t bytes) const;
    void receive(void* data, std::size_t bytes) const;

    /// Reports a pointer that cannot be freed, and returns the reason; null: it can be freed.
    const char* fault_of_release(void* pointer, MemoryKind kind);
    cudaError_t allocate_at(std::uint64_t offset, void** out, std::uint64_t bytes, MemoryKind kind,
                            const char* function, ChannelType channel = ChannelType::unknown);

    void add(const Allocation& allocation);
    /// An allocation becomes live or is freed.
    void count(MemoryKind kind, int change);
    void allow_managed(bool allowed) const;

    inline static std::atomic<bool> any_registered_ = false;
    int socket_ = -1, memory_ = -1;
    std::byte* window_ = nullptr;
    std::uint64_t next_ = device_base;
    std::map<std::uint64_t, Allocation> allocations_;
    int live_pinned_ = 0, live_managed_ = 0;  ///< numbers of allocations, which every launch checks
    struct Registration {
        std::uint64_t bytes = 0;
        std::uint64_t device = 0;          ///< where kernels reach it
        std::uint64_t begin = 0, end = 0;  ///< of its whole pages
    };
    std::map<std::uint64_t, Registration> registrations_;  ///< by host address
    cudaError_t last_ = cudaSuccess, sticky_ = cudaSuccess;
    /// Errors that the caller did not check and that no cudaGetLastError has returned since, one for each call site and
    /// error.
    struct Ignored {
        Header where;
        std::string what;
        std::uint64_t times = 1;
    };
    std::vector<Ignored> ignored_;
    std::map<std::string, bool> remarks_;
    bool kernels_run_ = false;
    bool forked_ = false;  ///< in a forked child, which reports nothing to Lanescope
    volatile std::sig_atomic_t asking_ = 0;
    DeviceFacts device_;
    bool device_known_ = false;
};

/// A launch with a copy of its arguments, made at the call.
struct KernelCall {
    cudaKernelNodeParams parameters = {};  ///< kernelParams points into `values`
    bool cooperative = false;
    std::vector<std::vector<std::byte>> values;
    std::vector<void*> pointers;
};

/// An operation of a stream or of a graph's node, with the parameters that the program can query from the node.
struct Operation {
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    std::function<cudaError_t()> run;
    std::variant<std::monostate, std::shared_ptr<KernelCall>, cudaMemcpy3DParms, cudaMemsetParams, cudaHostNodeParams,
                 cudaEvent_t, std::shared_ptr<CUgraph_st>>
        parameters;
};
/// `function`: the API function that errors name.
Operation kernel_operation(std::shared_ptr<KernelCall> call, const char* function);
Operation copy_operation(const cudaMemcpy3DParms& parameters, const char* function);
Operation copy_operation(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* function);
Operation fill_operation(const cudaMemsetParams& parameters, const char* function);
Operation host_operation(const cudaHostNodeParams& parameters);

/// Executes an operation of a stream at once, or adds it to the graph that the stream captures into.
cudaError_t enqueue(cudaStream_t stream, const char* function, Operation operation);
/// Whether the stream is capturing.
[[nodiscard]] bool captures(cudaStream_t stream);

/// Checks that all slices of an extent in bytes lie in one live allocation, where the memory is the device's; `offset`:
/// of the first byte from the memory's start.
cudaError_t check_slices(const cudaPitchedPtr& memory, std::size_t offset, const cudaExtent& bytes, const char* which,
                         const char* function);
/// For contiguous slices: makes one slice of the rows of all.
inline void join_slices(cudaExtent& bytes) {
    bytes.height *= bytes.depth;
    bytes.depth = 1;
}
/// A copy between host and device, checked on both sides.
cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* function);
cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind, const char* function);
cudaError_t copy_3d(const cudaMemcpy3DParms& parameters, const char* function);
cudaError_t fill(void* to, int value, std::size_t bytes, const char* function);
/// Elements of 1, 2 or 4 bytes; width in elements, pitch in bytes.
cudaError_t fill_elements(const cudaMemsetParams& parameters, const char* function);
/// The address of a byte within a __device__, __constant__ or __managed__ variable.
cudaError_t symbol_at(const void* symbol, std::size_t offset, std::size_t bytes, const char* function, void*& at);

/// Whether it is a fat binary, as nvcc embeds it or writes it with -fatbin.
[[nodiscard]] bool is_fat_binary(const void* bytes);
/// The PTX texts of a fat binary.
[[nodiscard]] std::vector<std::string> ptx_in(const void* fat_binary);
/// Sends each text as a module. Returns the number of the first; nullopt if one is refused.
std::optional<std::uint32_t> send_ptx_texts(const std::vector<std::string>& texts);

/// Nothing where the function is no kernel of the program.
std::shared_ptr<KernelCall> kernel_call(const cudaKernelNodeParams& parameters, bool cooperative, const char* function);
/// The stack of a device thread in bytes, as the program set it by cudaDeviceSetLimit, but at least the default; 0: not
/// set.
[[nodiscard]] std::uint32_t stack_bytes_of_threads();
cudaError_t launch_on(cudaStream_t stream, const void* host_function, dim3 grid, dim3 block, void** arguments,
                      std::size_t dynamic_shared, bool cooperative, const char* function);

/// The function name in errors of <<< >>>.
inline constexpr const char* launch_name = "the launch";

/// Whether the caller ignores the result: the innermost caller that does not itself return it decides. Code that is not
/// recognized counts as a check.
bool ignores_result(const std::uint64_t* callers, unsigned count);

/// Guards pinned memory that the current operation accesses and that the host has not waited for (WorkOrder::guard()).
void guard_pinned(std::uint64_t address, std::uint64_t bytes, bool work_writes);
/// The time of a transfer on the emulated device: over its link to the host, or within device memory.
double transfer_ns(std::size_t bytes, bool over_the_link);

}  // namespace lanescope::host

/// The beginning of every entry point: takes the lock, and returns the sticky error after a fault.
#define LANESCOPE_ENTRY   \
    LANESCOPE_ONE_CALLER; \
    if (runtime.has_failed()) return runtime.sticky()
#define LANESCOPE_ONE_CALLER                         \
    auto& runtime = lanescope::host::Runtime::get(); \
    const std::lock_guard<std::recursive_mutex> entry_lock(runtime.mutex)
