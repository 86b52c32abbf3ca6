// A compiled host program, run: what it asked its CUDA runtime for, in order, each step with the source line that
// asked.
//
// It runs in a process of its own, confined (host/sandbox.h), on Lanescope's CUDA runtime (host/runtime/). Whoever runs
// it brings the Machine that executes kernels; the program waits while one runs, on the same memory.
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
    std::uint32_t stack_bytes = 0;      ///< that the program set for a thread; 0: none
    bool wants_accesses = false;        ///< Outcome::accessed
    bool may_overlap = false;           ///< with work of another stream
    std::vector<std::byte> parameters;  ///< the bytes of the parameter space
    Place where = {};                   ///< as ProgramStep::where
};

/// A call of a `__host__ __device__` function by host code, with the registers that carry its arguments.
struct HostCall {
    HostCallFacts facts;
    std::vector<std::uint64_t> callers;  ///< as in ProgramStep
};
/// A copy of memory of the program, at its address there.
struct HostMemory {
    std::uint64_t address = 0;
    std::vector<std::byte> bytes;  ///< empty: the program has no memory at the address that was wanted
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
        step_limit,  ///< of a launch, which is shown as far as it has run
        unknown,     ///< a launch waits for what may come while it runs, and is shown as far as it has run
    };
    How how = How::exited;
    int code = 0;  ///< exit status, or signal
};

class Machine {
  public:
    virtual ~Machine() = default;
    virtual DeviceFacts device() = 0;
    /// The memory of the program that begins.
    virtual void begin(const std::shared_ptr<const DeviceMemory>& /*memory*/) {}
    /// The free memory of the device, in bytes.
    virtual std::uint64_t free_bytes() { return device().global_bytes; }
    /// PTX of a fat binary of the program.
    virtual Result<void> load(std::string_view ptx) = 0;
    /// The text of what the program has compiled by NVRTC, by the absolute path that it has in the PTX.
    virtual void source(std::string_view /*path*/, std::string_view /*text*/) {}
    /// PTX of that, as written, where what follows by load() has no names and types.
    virtual void as_written(std::string_view /*ptx*/) {}
    struct Function {
        FunctionFacts facts;
        std::vector<ParameterFacts> parameters;
    };
    virtual std::optional<Function> function(std::string_view name) = 0;
    /// Its place in device memory, initial bytes there.
    virtual std::optional<VariableFacts> variable(std::string_view name, const DeviceMemory& memory) = 0;
    /// Without -rdc, files may each have a variable of one name: `unit` counts the calls of load() from 0, and the
    /// variable is that file's own (ptx::Module::variable_named) where there are several.
    virtual std::optional<VariableFacts> variable_of(std::uint32_t /*unit*/, std::string_view name,
                                                     const DeviceMemory& memory) {
        return variable(name, memory);
    }
    /// False where the device has not that much left, or where another allocation is.
    virtual bool allocate(std::uint64_t address, std::uint64_t bytes) = 0;
    /// The host is about to write there, in one allocation or variable.
    virtual void overwrite(std::uint64_t /*address*/, std::uint64_t /*bytes*/) {}
    /// A call of a library reads what is at the address.
    virtual void use(std::uint64_t /*address*/) {}
    /// An allocation that kernels may no longer use.
    virtual void release(std::uint64_t /*address*/) {}
    /// The memory that the program has mapped, from now on.
    virtual void host_ranges(const std::vector<HostRange>& /*ranges*/) {}
    struct Outcome {
        int error = 0;                            ///< a cudaError_t
        double nanoseconds = 0;                   ///< that the emulated device takes
        std::string printed;                      ///< by the kernel's threads: shown when the host waits for the kernel
        std::vector<AccessedSpan> accessed = {};  ///< of device memory, ascending; empty where it is not wanted
        std::optional<ProgramEnd::How> ends = {};  ///< the launch has not run to its end, and the program ends with it
    };
    virtual Outcome launch(const KernelLaunch& launch, const DeviceMemory& memory) = 0;
    /// The host calls a function of ProgramStart::functions for the first time. Returns an address whose memory is
    /// wanted; nothing: the program may go on.
    virtual std::optional<std::uint64_t> host_call(const HostCall& /*call*/) { return std::nullopt; }
    /// The memory that was wanted last; returns the same.
    virtual std::optional<std::uint64_t> host_memory(HostMemory&& /*memory*/) { return std::nullopt; }
    /// The program's own result: rax and xmm0.
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
        call,  ///< the first of a host function that is also run as a launch of one thread
    };
    Kind kind = Kind::allocate;
    std::uint64_t address = 0, bytes = 0;      ///< in device memory
    MemoryKind memory = MemoryKind::device;    ///< allocate
    std::string variable;                      ///< allocate: that received the pointer, "d_in"; empty: not known
    std::string type;                          ///< allocate: what the variable points to, "float"; empty: not known
    WriteKind written = WriteKind::from_host;  ///< write
    std::uint64_t from = 0;                    ///< write: the source of a copy on the device
    Rows rows;                                 ///< write, read: of a copy with gaps; no height: it has none
    std::vector<std::byte> content;            ///< write: what is there then; of the first `kept_content` bytes alone
    FaultKind fault = FaultKind::copy_past_end;
    UnorderedFacts unordered;  ///< a fault of that kind
    int error = 0;             ///< error: a cudaError_t; launch: what came of it
    /// print: the text; error, fault, remark: a sentence; write, read: the library call that made it, if one did
    std::string what;
    std::string call;  ///< error: the function that returned it
    KernelLaunch launch;
    std::uint32_t host_function = 0;     ///< call: index in ProgramStart::functions
    std::uint32_t stream = 0;            ///< 0: the default stream
    std::vector<std::uint64_t> callers;  ///< return addresses in the program, the innermost first
    std::string function;                ///< the program's own that made the call
    Place where;                         ///< in the program's own sources; not known: of none of its lines
};

/// Bytes copied to the device that the steps keep, at most: enough for the programs that are replayed from their steps.
inline constexpr std::uint64_t kept_content = std::uint64_t{16} << 20;

struct ProgramRun {
    std::vector<ProgramStep> steps;
    std::string printed;  ///< to standard output and standard error, as it came
    ProgramEnd end;
    Confinement confinement = Confinement::none;
    std::shared_ptr<const DeviceMemory> memory;  ///< as the program left it: what it has not freed is still there
    std::vector<WrittenFile> written;            ///< files, which are gone with its scratch folder
    /// How often host code called each of ProgramStart::functions; empty: not known, for the program did not exit.
    std::vector<std::uint64_t> host_calls;
};

struct ProgramStart {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    std::string input;                           ///< for its standard input
    std::filesystem::path folder;                ///< whose copy is its current folder (host/working_folder.h)
    std::vector<std::filesystem::path> sources;  ///< folders of the person's own sources: lines are reported in these
    std::string name = {};                       ///< argv[0], "./saxpy"; empty: the path of `program`
    std::vector<HostFunction> functions = {};    ///< whose calls by host code are reported
    std::string nvrtc_option = {};               ///< for what it compiles by NVRTC: "-G", "-lineinfo"; empty: none
    SandboxLimits limits;
    std::optional<Confinement> confinement;  ///< the strongest that works otherwise
    /// Built with BuildRequest::address_sanitizer, which maps terabytes: what is in memory is limited instead.
    bool sanitized = false;
};

/// Runs it to its end. `came` sees each step as it comes.
[[nodiscard]] Result<ProgramRun> run_program(const ProgramStart& start, Machine& machine, Progress& progress,
                                             const std::function<void(const ProgramStep&)>& came = {});

}  // namespace lanescope::host
