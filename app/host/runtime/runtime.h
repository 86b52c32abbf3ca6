// The state of the CUDA runtime that a program runs on: its connection to Lanescope, what it has allocated, its
// streams, and the errors that CUDA would return. Compiled with the program, against the headers of the toolkit that
// compiles it, so that structures have that toolkit's layout.
//
// Every stream executes at once and in order: an operation is complete when the call that enqueues it returns, which is
// one of the orders that CUDA allows. Times are those of the emulated device.
#pragma once

#include "host/protocol.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::host {

/// One allocation that a kernel can reach.
struct Allocation {
    std::uint64_t address = 0, bytes = 0;
    MemoryKind kind = MemoryKind::device;
    bool freed = false;
    bool is_variable = false;  ///< __device__, __constant__ or __managed__: lives as long as the program
    [[nodiscard]] bool host_may_access() const { return kind == MemoryKind::managed || kind == MemoryKind::pinned; }
};

/// A kernel, as its host function knows it.
struct Kernel {
    std::string name;  ///< in the PTX
    FunctionFacts facts;
    std::vector<ParameterFacts> parameters;
    bool asked = false;  ///< facts and parameters are known
    int dynamic_shared_limit = -1;
    int carveout = -1;
    cudaFuncCache cache = cudaFuncCachePreferNone;
};

/// A __device__, __constant__ or __managed__ variable, as its host shadow knows it.
struct Symbol {
    std::string name;
    std::uint64_t bytes = 0;
    std::uint64_t address = 0;  ///< 0: not asked yet
    bool managed = false;
    std::uint32_t module = 0;  ///< of the fat binary that registered it, in the order in which they were sent
};

class Runtime {
  public:
    static Runtime& get();

    /// Sends a question and waits for its answer; `answer_bytes` receives what follows it. Ends the program where
    /// Lanescope is gone.
    Answer ask(Header header, const void* payload, std::size_t bytes, std::vector<std::byte>* answer_bytes = nullptr);
    Answer ask(Header header) { return ask(header, nullptr, 0); }

    // Errors, as CUDA returns them.
    /// Remembers it for cudaGetLastError, and tells Lanescope of it with its reason.
    cudaError_t fail(cudaError_t error, const char* function, const std::string& why);
    /// The same for an error that is no mistake of the program.
    cudaError_t refuse(const char* function);
    void fault(FaultKind kind, std::uint64_t address, std::uint64_t bytes, const std::string& what);
    /// Once for each text.
    void remark(const std::string& what);
    cudaError_t last_error(bool clear);
    /// After a kernel has faulted, every call returns this.
    [[nodiscard]] cudaError_t sticky() const { return sticky_; }
    void set_sticky(cudaError_t error) { sticky_ = last_ = error; }

    // Memory.
    cudaError_t allocate(void** out, std::uint64_t bytes, MemoryKind kind, const char* function);
    cudaError_t release(void* pointer, MemoryKind kind, const char* function);
    /// The allocation that holds the address, freed ones included; null where none does.
    [[nodiscard]] const Allocation* find(const void* pointer) const;
    [[nodiscard]] static bool is_device_address(const void* pointer) {
        return reinterpret_cast<std::uint64_t>(pointer) - device_base < device_bytes;
    }
    /// Where the host can read and write the bytes at a device address.
    [[nodiscard]] std::byte* window(const void* device_pointer) const {
        return window_ + (reinterpret_cast<std::uint64_t>(device_pointer) - device_base);
    }
    void allow_access(const Allocation& allocation, bool allowed) const;
    /// Kernels may be writing managed memory from here on, until synchronize().
    void begin_kernel();
    void synchronize();
    [[nodiscard]] const std::map<std::uint64_t, Allocation>& allocations() const { return allocations_; }

    // Kernels and variables.
    Kernel* kernel_of(const void* host_function);
    Symbol* symbol_of(const void* host_variable);
    std::map<const void*, Kernel> kernels;
    std::map<const void*, Symbol> symbols;

    [[nodiscard]] const DeviceFacts& device();

    std::recursive_mutex mutex;
    double now_ns = 0;  ///< of the emulated device

  private:
    Runtime();
    static void add_callers(Header& header);
    void ignore(const Header& where, const std::string& what);
    void send(const void* data, std::size_t bytes) const;
    void receive(void* data, std::size_t bytes) const;

    int socket_ = -1;
    std::byte* window_ = nullptr;
    std::uint64_t next_ = device_base;
    std::map<std::uint64_t, Allocation> allocations_;
    cudaError_t last_ = cudaSuccess, sticky_ = cudaSuccess;
    /// Errors that callers did not look at, nor asked for since: each call of the program with each error once.
    struct Ignored {
        Header where;
        std::string what;
        std::uint64_t times = 1;
    };
    std::vector<Ignored> ignored_;
    std::map<std::string, bool> remarks_;
    bool kernels_run_ = false;
    DeviceFacts device_;
    bool device_known_ = false;
};

/// Executes an operation of a stream at once, or adds it to the graph that the stream captures into.
cudaError_t enqueue(cudaStream_t stream, const char* function, std::function<cudaError_t()> operation);

/// A copy between host and device, checked on both sides.
cudaError_t copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, const char* function);
cudaError_t copy_rows(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch, std::size_t width,
                      std::size_t height, cudaMemcpyKind kind, const char* function);
cudaError_t fill(void* to, int value, std::size_t bytes, const char* function);
cudaError_t launch(const void* host_function, dim3 grid, dim3 block, void** arguments, std::size_t dynamic_shared,
                   bool cooperative, const char* function);

/// What errors of <<< >>> name as their function.
inline constexpr const char* launch_name = "the launch";

/// Whether the code that a call returns to drops its result: the innermost caller that does not itself return it
/// decides. Code that is not understood counts as looking.
bool ignores_result(const std::uint64_t* callers, unsigned count);

/// Time that a transfer takes on the emulated device's link.
double transfer_ns(std::size_t bytes, bool over_the_link);

}  // namespace lanescope::host

/// What every entry of the API begins with: one caller at a time, and nothing after a fault.
#define LANESCOPE_ENTRY                                                    \
    auto& runtime = lanescope::host::Runtime::get();                       \
    const std::lock_guard<std::recursive_mutex> entry_lock(runtime.mutex); \
    if (runtime.sticky() != cudaSuccess) return runtime.sticky()
