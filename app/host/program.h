// Runs a compiled host program and records its CUDA calls in order, each with its source line.
//
// The program runs in a process of its own, confined (host/sandbox.h), on Lanescope's CUDA runtime (host/runtime/). The
// caller supplies the Machine that executes kernels in shared device memory; the program waits while a kernel runs.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "host/device_memory.h"
#include "host/host_functions.h"
#include "host/protocol.h"
#include "host/sandbox.h"
#include "host/working_folder.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::host {

struct KernelLaunch {
    std::string function;  ///< its name in the PTX
    std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    std::uint64_t dynamic_shared_bytes = 0;
    bool cooperative = false;
    std::uint32_t stack_bytes = 0;      ///< per thread, as the program set it; 0: not set
    bool wants_accesses = false;        ///< the Machine shall fill Outcome::accessed
    bool may_overlap = false;           ///< may run concurrently with work of another stream
    std::vector<std::byte> parameters;  ///< the bytes of the parameter space
    Place where = {};                   ///< as ProgramStep::where
};

/// A call of a `__host__ __device__` function by host code, with the registers that carry its arguments.
struct HostCall {
    HostCallFacts facts;
    std::vector<std::uint64_t> callers;  ///< as in ProgramStep
};
/// A copy of memory of the program; `address` is its address in the program.
struct HostMemory {
    std::uint64_t address = 0;
    std::vector<std::byte> bytes;  ///< empty: the program has no memory at the requested address
    std::string name;              ///< of the variable that lies there; empty: not known
};

/// Executes kernels.
struct ProgramEnd {
    enum class How : std::uint8_t {
        exited,
        signal,
        cancelled,
        too_long,
        too_large,   ///< all its processes together had more memory than SandboxLimits allow
        too_many,    ///< it had more processes at one time than SandboxLimits allow
        step_limit,  ///< a launch reached its limit of steps; it is shown up to there
        unknown,     ///< a launch waits for something that the host may do meanwhile; it is shown up to there
    };
    How how = How::exited;
    int code = 0;  ///< exit status, or signal
};

class Machine {
  public:
    virtual ~Machine() = default;
    virtual DeviceFacts device() = 0;
    /// A program starts, with this device memory.
    virtual void begin(const std::shared_ptr<const DeviceMemory>& /*memory*/) {}
    /// The free memory of the device, in bytes.
    virtual std::uint64_t free_bytes() { return device().global_bytes; }
    /// PTX of a fat binary of the program.
    virtual Result<void> load(std::string_view ptx) = 0;
    /// A source that the program compiles with NVRTC, with the absolute path by which the PTX names it.
    virtual void source(std::string_view /*path*/, std::string_view /*text*/) {}
    /// The PTX of that source as written (-G), if the PTX that load() gets next has no names and types.
    virtual void as_written(std::string_view /*ptx*/) {}
    struct Function {
        FunctionFacts facts;
        std::vector<ParameterFacts> parameters;
    };
    virtual std::optional<Function> function(std::string_view name) = 0;
    /// Places the variable in device memory and writes its initial value there.
    virtual std::optional<VariableFacts> variable(std::string_view name, const DeviceMemory& memory) = 0;
    /// Without -rdc, several files may define a variable of the same name. `unit`: the file's own, as the number of its
    /// load() call, from 0 (ptx::Module::variable_named).
    virtual std::optional<VariableFacts> variable_of(std::uint32_t /*unit*/, std::string_view name,
                                                     const DeviceMemory& memory) {
        return variable(name, memory);
    }
    /// False if the device has too little free memory, or if another allocation is there.
    virtual bool allocate(std::uint64_t address, std::uint64_t bytes) = 0;
    /// The host is about to write there, in one allocation or variable.
    virtual void overwrite(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
    /// A library call reads the memory at the address.
    virtual void use(std::uint64_t /*address*/) {}
    /// An allocation that kernels may no longer use.
    virtual void release(std::uint64_t /*address*/) {}
    /// The memory that the program has mapped, from now on.
    virtual void host_ranges(const std::vector<HostRange>& /*ranges*/) {}
    struct Outcome {
        int error = 0;                            ///< a cudaError_t
        double nanoseconds = 0;                   ///< estimated duration on the emulated device
        std::string printed;                      ///< by the kernel's threads: shown when the host waits for the kernel
        std::vector<AccessedSpan> accessed = {};  ///< of device memory, ascending; empty where it is not wanted
        std::optional<ProgramEnd::How> ends = {};  ///< the launch has not run to its end, and the program ends with it
    };
    virtual Outcome launch(const KernelLaunch& launch, const DeviceMemory& memory) = 0;
    /// The host calls a function of ProgramStart::functions for the first time. Returns an address whose memory the
    /// Machine needs; nullopt: the program continues.
    virtual std::optional<std::uint64_t> host_call(const HostCall& /*call*/) { return std::nullopt; }
    /// The memory that was requested last. Returns the next address, as host_call() does.
    virtual std::optional<std::uint64_t> host_memory(HostMemory&& /*memory*/) { return std::nullopt; }
    /// The call returns to host code, with its result in rax or xmm0.
    virtual void host_return(std::uint32_t /*function*/, std::uint64_t /*general*/, std::uint64_t /*vector*/) {}
};

/// A step of the program's host code, as the runtime reports it.
struct ProgramStep {
    enum class Kind : std::uint8_t {
        allocate,
        release,
        write,
        read,
        launch,
        synchronize,
        print,
        error,
        fault,
        remark,
        call,  ///< the first call of a host function that is also run as a launch of one thread
    };
    Kind kind = Kind::allocate;
    std::uint64_t address = 0, bytes = 0;      ///< in device memory
    MemoryKind memory = MemoryKind::device;    ///< allocate
    std::string variable;                      ///< allocate: the variable that receives the pointer; empty: not known
    std::string type;                          ///< allocate: what the variable points to, "float"; empty: not known
    WriteKind written = WriteKind::from_host;  ///< write
    std::uint64_t from = 0;                    ///< write: the source of a copy on the device
    Rows rows;                                 ///< write, read: of a pitched copy; height 0: contiguous
    std::vector<std::byte> content;            ///< write: the bytes written, within the first `kept_content` of a run
    FaultKind fault = FaultKind::copy_past_end;
    UnorderedFacts unordered;  ///< a fault of that kind
    int error = 0;             ///< error, launch: a cudaError_t
    /// print: the text; error, fault, remark: a sentence; write, read: the library call that made it, if one did
    std::string what;
    std::string call;  ///< error: the function that returned it
    KernelLaunch launch;
    std::uint32_t host_function = 0;     ///< call: index in ProgramStart::functions
    std::uint32_t stream = 0;            ///< 0: the default stream
    std::vector<std::uint64_t> callers;  ///< return addresses in the program, the innermost first
    std::string function;                ///< the program's own function that makes the call
    Place where;                         ///< in the program's own sources; unset: no line of them made the call
};

/// Bytes copied to the device that the steps keep, at most: enough for the programs that are replayed from their steps.
inline constexpr std::uint64_t kept_content = std::uint64_t{16} << 20;

struct ProgramRun {
    std::vector<ProgramStep> steps;
    std::string printed;  ///< to standard output and standard error, as it came
    ProgramEnd end;
    Confinement confinement = Confinement::none;
    std::shared_ptr<const DeviceMemory> memory;  ///< at the program's end, with all that it has not freed
    std::vector<WrittenFile> written;            ///< contents of files that went with its scratch folder
    /// How often host code called each of ProgramStart::functions; empty: not known, because the program did not exit.
    std::vector<std::uint64_t> host_calls;
};

struct ProgramStart {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    std::string input;                           ///< for its standard input
    std::filesystem::path folder;                ///< whose copy is its current folder (host/working_folder.h)
    std::vector<std::filesystem::path> sources;  ///< folders of the person's own sources: lines are reported in these
    std::string name = {};                       ///< argv[0], "./saxpy"; empty: the path of `program`
    std::vector<HostFunction> functions = {};    ///< calls of these by host code are reported
    std::string nvrtc_option = {};               ///< added to its NVRTC compilations: "-G", "-lineinfo"; empty: none
    SandboxLimits limits;
    std::optional<Confinement> confinement;  ///< nullopt: the strongest that works
    /// Built with BuildRequest::address_sanitizer, which reserves terabytes of address space: the limit then applies to
    /// resident memory.
    bool sanitized = false;
};

/// Runs the program to its end. Calls `came` with each step as it arrives.
[[nodiscard]] Result<ProgramRun> run_program(const ProgramStart& start, Machine& machine, Progress& progress,
                                             const std::function<void(const ProgramStep&)>& came = {});

}  // namespace lanescope::host
