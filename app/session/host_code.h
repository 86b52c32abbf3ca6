// Host code -> the launches that it makes and what it puts into memory: a host function of a .cu file, run statement by
// statement. It knows what the host code of a course does: whole and floating numbers, pointers and arrays, loops, calls of
// the file's own functions, structures and their functions, malloc, new and std::vector, cudaMalloc, cudaMemcpy, cudaMemset,
// cudaMemcpyToSymbol, launches.
// Printing, timing and error checks are passed over. Anything else that a launch depends on is refused with its line. Behind the
// last launch the code is read on as far as it can be, for its faults alone.
#pragma once

#include "base/result.h"
#include "execute/emulator/emulator.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace lanescope::session {

/// Device memory of the program: one cudaMalloc, or a parameter that was made before.
struct HostBuffer {
    std::string name;
    std::optional<trace::Element> element;  ///< nothing: host code never said
    std::vector<std::byte> initial;         ///< what the first launch finds
    bool read_back = false;                 ///< the host copies from it
};

/// What a launch passes: a place in a buffer, the null pointer, a number, or a structure.
struct HostArgument {
    std::optional<std::uint32_t> buffer;
    std::optional<std::uint64_t> address;  ///< in the buffer, where it is not its begin
    std::vector<std::byte> structure;      ///< its bytes, pointers as kernels see them; empty: it is none
    bool null = false;
    bool floating = false;
    std::int64_t whole = 0;
    double real = 0;
};

struct HostLaunch {
    std::string kernel;                           ///< as the source names it
    std::vector<std::string> template_arguments;  ///< as values, or as written
    trace::Dim3 grid, block;
    std::uint64_t shared_bytes = 0;
    bool allows_large_shared = false;  ///< cudaFuncSetAttribute let the kernel have more than the usual 48 KB before
    std::vector<HostArgument> arguments;
    std::vector<execute::HostWrite> writes;  ///< what the host puts into memory just before
    unsigned line = 0;
};

/// What the host itself does wrong: a copy past the end, a pointer freed twice, device memory read on the host.
struct HostFault {
    trace::Finding::Kind kind = trace::Finding::Kind::out_of_bounds;
    unsigned line = 0;
    std::size_t launches = 0;  ///< made before it
    std::string message;       ///< a sentence with names and numbers
    std::string variable;      ///< the memory that it is about
    std::uint64_t count = 1;   ///< how often it happened in that line
};

struct HostRun {
    std::vector<HostBuffer> buffers;
    std::vector<HostLaunch> launches;
    std::vector<HostFault> faults;
    std::map<std::string, std::vector<std::byte>>
        symbols;                     ///< __constant__ and __device__ variables set before a launch
    std::vector<std::string> notes;  ///< what was taken otherwise than it may be, a sentence each
    std::optional<Problem> cut;      ///< where HostCall::cuts: why it ends before the function does
};

/// What the device's buffers hold after the launches so far; asked for where host code looks at a result.
using DeviceContents = std::function<Result<std::vector<std::vector<std::byte>>>(const HostRun&)>;

/// Runs `function` of the source. `buffers` and `numbers` are its arguments, in the order of its parameters.
struct HostCall {
    std::string function;
    std::vector<std::variant<HostBuffer, HostArgument>> arguments;
    std::uint64_t most_work = 50'000'000;  ///< assignments and statements, then it is refused: some seconds
    bool cuts = false;                     ///< of too much work or too many launches the first part is given
};
[[nodiscard]] Result<HostRun> run_host_code(const std::string& source, const std::string& name, const HostCall& call,
                                            const DeviceContents& contents);

}  // namespace lanescope::session
