// A call of a `__host__ __device__` function by host code -> a trace of the function's device version, run as a launch
// of one thread on the arguments of that call.
//
// The run has copies of what it reaches of the program's memory: the program runs the function itself, once, as it
// would have. PTX has no name for the call of a function by the host, so a kernel is written that passes the arguments
// on (PTX ISA 7.1).
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "execute/emulator/emulation.h"
#include "host/program.h"
#include "model/device_limits.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace lanescope::session {

/// The functions with a body in the PTX, and, by their names, why others are not supported.
struct DeviceFunctions {
    std::vector<std::string> names;
    std::map<std::string, Problem> refused;
    std::string text;  ///< the PTX without the latter
};
[[nodiscard]] DeviceFunctions device_functions(const std::string& ptx, const std::string& name,
                                               const std::string& source);

class HostFunctionRuns {
  public:
    struct Setup {
        trace::Origin origin;  ///< of the program, without PTX
        std::string ptx_name;
        std::vector<std::filesystem::path> folders;  ///< of sources
        execute::Limits limits;
        unsigned banks = model::usual_banks;
        DeviceFunctions device;
        std::vector<host::HostFunction> functions;
    };
    explicit HostFunctionRuns(Setup setup, Progress& progress);

    /// For host::Machine.
    std::optional<std::uint64_t> call(const host::HostCall& call);
    std::optional<std::uint64_t> memory(host::HostMemory memory);
    void returned(std::uint32_t function, std::uint64_t general, std::uint64_t vector);

    /// One function's call.
    struct Run {
        std::string name;       ///< as the source has it
        std::string refused;    ///< a clause: why the function was not run; empty: it was
        std::string arguments;  ///< "in = 0x7f..., n = 16"
        std::string computed;   ///< the device version's result; empty: void
        std::string native;     ///< the host's; empty: void, or not known
        std::shared_ptr<const trace::Trace> trace;
        std::shared_ptr<const ptx::Module> module;
        double seconds = 0;
    };
    /// By index in Setup::functions.
    [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }
    /// "sum_serial(n = 16) on the CPU: called 1,024 times; the first call was also run as a launch of one thread ..."
    [[nodiscard]] std::string sentence_of(std::uint32_t function, const std::vector<std::uint64_t>& calls) const;

  private:
    /// Runs the thread on the memory copied so far. Returns an address that it lacks; nothing: the run is complete.
    std::optional<std::uint64_t> attempt();
    std::optional<std::uint64_t> give_up(std::string why);
    [[nodiscard]] const host::HostMemory* piece_at(std::uint64_t address) const;
    void name_pieces(std::vector<trace::Buffer>& buffers) const;
    [[nodiscard]] std::vector<trace::Buffer> buffers_of_pieces() const;
    /// The address in an argument of the call; nothing: it is no pointer.
    [[nodiscard]] std::optional<std::uint64_t> pointer_of(std::size_t argument) const;
    /// Memory that the run lacks, and that the program has not been asked for.
    [[nodiscard]] bool is_missing(std::uint64_t address) const;
    std::uint64_t ask_for(std::uint64_t address);
    /// The launch of the written kernel. Adds the buffer of the result to the emulation, after those of the pieces.
    [[nodiscard]] Result<execute::LaunchRequest> launch_of_call(execute::Emulation& emulation) const;
    /// Keeps the emulation, which has ended, as the function's run.
    void keep(execute::Emulation& emulation);

    Setup setup_;
    Progress& progress_;
    std::vector<Run> runs_;
    // The call that is being run.
    std::uint32_t function_ = 0;
    std::shared_ptr<const ptx::Module> module_;
    std::string entry_;                           ///< the written kernel
    std::vector<std::vector<std::byte>> values_;  ///< of its parameters, without the one for the result
    std::vector<host::HostMemory> pieces_;        ///< by address
    std::set<std::uint64_t> asked_;               ///< addresses; of some the program has no memory
    std::uint64_t wanted_ = 0;
};

}  // namespace lanescope::session
