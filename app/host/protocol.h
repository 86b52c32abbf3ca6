// The protocol between Lanescope and the process of a program: the program's CUDA runtime sends requests, Lanescope
// answers. One Unix socket, one request at a time, each a Header and its payload; both sides run on this machine.
//
// The runtime, which is compiled with the program, includes this, too: it uses only the standard library of C++17.
#pragma once

#include <cstdint>
#include <string_view>

namespace lanescope::host {

/// The file descriptors that the program finds open, by their names in the environment.
inline constexpr const char* socket_variable = "LANESCOPE_SOCKET";
inline constexpr const char* memory_variable = "LANESCOPE_MEMORY";
/// The program's argv[0]: the executable is in the cache, under a name that the user does not know.
inline constexpr const char* name_variable = "LANESCOPE_NAME";
/// The paths of the libraries that execute calls of CUDA libraries, if installed.
inline constexpr const char* curand_variable = "LANESCOPE_CURAND";
inline constexpr const char* blas_variable = "LANESCOPE_BLAS";
/// An option added to the program's NVRTC compilations: -G or -lineinfo.
inline constexpr const char* nvrtc_variable = "LANESCOPE_NVRTC";

/// Device memory is one file in memory that both processes map. A kernel sees its byte 0 at this address, and so does
/// the program, where its pages are inaccessible: a host access to device memory faults at once.
inline constexpr std::uint64_t device_base = 0x7F00'0000'0000;
inline constexpr std::uint64_t device_bytes = std::uint64_t{256} << 30U;
/// The least distance in bytes between allocations, so that an access past the end of one does not reach another.
inline constexpr std::uint64_t allocation_gap = std::uint64_t{1} << 20U;

enum class Call : std::uint32_t {
    device,    ///< answer: DeviceFacts
    module,    ///< payload: the PTX of a fat binary; answer: error where it comes after the first kernel
    function,  ///< payload: a kernel's name; answer: FunctionFacts, then ParameterFacts of each parameter
    variable,  ///< a: the module that asks, from 0; payload: a variable's name; answer: VariableFacts
    allocate,  ///< a: address, b: bytes, c: MemoryKind and ChannelType, d: where the program keeps the pointer;
               ///< payload: StackBytes
    release,   ///< a: address
    write,     ///< a: address, b: bytes that the host has written. c: WriteKind, d: host or device source address;
               ///< by_library: payload: the call, "cublasSgemm, BLAS on the host"; otherwise Rows or nothing
    read,      ///< a: address, b: bytes; the host has read them. c: WriteKind; payload: as for write
    use,       ///< a: address, b: bytes that a library call reads; its write follows
    launch,    ///< payload: LaunchFacts, then the parameters' bytes; answer: the AccessedSpans, where they are wanted
    synchronize,  ///< the host has waited for all work
    error,        ///< a: the error returned; payload: the function's name, then the reason, a sentence
    fault,        ///< a: FaultKind, b: address, c: bytes, unchecked_error: how often; payload: a sentence
    remark,       ///< payload: how the runtime differs from a GPU, a sentence
    overwrite,    ///< a: address, b: bytes; the host is about to write them
    free_memory,  ///< answer: the bytes that the device has left
    host_call,    ///< payload: HostCallFacts; the host calls a HostFunction. Answer: HostMemoryWanted, or nothing
    host_memory,  ///< a: address, b: bytes; payload: what is there, nothing where the program has no memory there; what
                  ///< the last answer wanted. Answer: the same
    host_return,  ///< a: the function, b, c: rax and xmm0; what the call of host_call has returned
    host_ranges,  ///< payload: a HostRange each; what the program has mapped, before a launch, where it has changed
    host_counts,  ///< payload: how often each function was called, 64 bits each; at the program's end
    source,       ///< payload: the path of what the program compiles by NVRTC, a zero, its text
    as_written,   ///< payload: PTX of the same with -G, where a module without it follows
};

/// How the payload of a remark begins that says what the checks of the program cannot find out.
inline constexpr std::string_view not_known = "not known: ";

/// The entries of the host functions whose calls are reported, as text: "401136-4011a0,...", each from its first byte
/// to past its last, by the numbers in host_call.
inline constexpr const char* functions_variable = "LANESCOPE_FUNCTIONS";
/// The bytes of NOPs that g++ puts at the entry of each function: enough for a jump to any address.
inline constexpr unsigned entry_bytes = 16;

/// The registers that carry arguments (System V ABI for AMD64, 3.2.3), and the stack, which carries the others.
struct HostCallFacts {
    std::uint32_t function = 0;
    std::uint32_t unused = 0;
    std::uint64_t general[6] = {};  ///< rdi, rsi, rdx, rcx, r8, r9
    std::uint64_t vector[8] = {};   ///< the lower halves of xmm0 to xmm7
    std::uint64_t stack[64] = {};   ///< from the first argument in memory on
};
/// Requests the memory of the program around `address`, which a function accesses.
struct HostMemoryWanted {
    std::uint64_t address = 0;
    std::uint64_t variable = 0, variable_bytes = 0;  ///< the variable that contains the address, if known
};
inline constexpr std::uint64_t most_host_memory = std::uint64_t{64} << 20U;  ///< in one piece

/// The element type of a CUDA array, in the upper half of Header::c; `unknown` for all other memory.
enum class ChannelType : std::uint32_t { unknown, s8, s16, s32, u8, u16, u32, f16, f32 };
enum class MemoryKind : std::uint32_t { device, managed, pinned, array, object, variable };
/// The rows of a pitched write or read of device memory: `width` bytes in each, `pitch` bytes from one to the next. For
/// a copy on the device also the pitch of the source, if it is the same or larger.
struct Rows {
    std::uint64_t pitch = 0, width = 0, height = 0;
    std::uint64_t from_pitch = 0;  ///< 0: a write whose source is not on the device, and a read
};
/// by_host: host code wrote managed or pinned memory directly. by_library: a host library did a CUDA library's work.
enum class WriteKind : std::uint32_t { from_host, from_device, fill, by_host, by_library };
enum class FaultKind : std::uint32_t {
    copy_past_end,    ///< a copy reaches past the end of a device allocation
    wrong_direction,  ///< the cudaMemcpyKind of a copy does not match its pointers
    host_access,      ///< host code touched device memory
    double_free,
    invalid_free,     ///< of an address that no allocation returned
    leak,             ///< never freed
    unchecked_error,  ///< an error was returned and not checked
    unsynchronized,   ///< managed memory was touched before the kernel that uses it was waited for
    use_after_free,
    host_overrun,         ///< AddressSanitizer's, where the program was built with it: host code outside of host memory
    host_stack_overflow,  ///< of the program's first thread
    host_crash,           ///< host code accessed an address where the program has no memory
    heap_overrun,         ///< bytes beside a block of the program's heap are overwritten; c: HeapNotice
    unordered,  ///< two operations access the same bytes, one writes, and nothing orders them; payload: UnorderedFacts
};

/// When a margin beside a heap block was found overwritten: Header::c of heap_overrun.
enum class HeapNotice : std::uint64_t { at_free, at_call, at_end, at_crash };

/// Two operations, by the numbers of their steps (Answer::step).
struct UnorderedFacts {
    static constexpr std::uint64_t host_code = ~std::uint64_t{0};
    static constexpr std::uint64_t host_code_before = host_code - 1;  ///< somewhere before the call that reports it
    std::uint64_t earlier = 0, later = 0;  ///< in the order of enqueuing; `later` may be host code
    std::uint32_t earlier_writes = 0, later_writes = 0;
    std::uint64_t in_one_graph = 0;  ///< 1: both are nodes of one graph that is launched
};

/// Consecutive bytes of device memory that an operation accesses in the same way.
struct AccessedSpan {
    static constexpr std::uint64_t reads = 1, writes = 2, atomic = 4;
    /// In all spans of a kernel that may signal its progress to host code by a flag: only then must host code wait.
    static constexpr std::uint64_t signals = 8;
    std::uint64_t address = 0, bytes = 0;
    std::uint64_t uses = 0;  ///< a sum of the above
};

/// The beginning of an unchecked_error's sentence for a launch by <<< >>> that failed.
inline constexpr const char* ignored_launch = "the launch returned ";
/// Its end if the Machine has no such kernel, or did not execute it; the Machine reports the reason.
inline constexpr const char* not_a_kernel = "the function is not a kernel of this program";
inline constexpr const char* not_executed = "Lanescope cannot execute the kernel";

/// Return addresses of the program's own code above a call, the innermost first.
inline constexpr unsigned most_callers = 16;

struct Header {
    Call call = Call::module;
    std::uint32_t payload = 0;  ///< bytes after the header
    std::uint64_t a = 0, b = 0, c = 0, d = 0;
    std::uint32_t callers = 0;
    std::uint32_t stream = 0;  ///< 0: the default stream
    std::uint64_t caller[most_callers] = {};
    std::uint64_t frame[most_callers] = {};  ///< the canonical frame address of each (DWARF 5, 6.4); 0: not known
};

/// Kinds of the program's own memory, which is not device memory.
enum class HostPlace : std::uint64_t { heap, stack, program, other };
struct HostRange {
    std::uint64_t begin = 0, end = 0;
    HostPlace place = HostPlace::other;
};

/// Part of the program's stack: its bytes follow.
struct StackBytes {
    std::uint64_t begin = 0;  ///< address
};
inline constexpr std::uint64_t most_stack_bytes = std::uint64_t{64} << 10U;
/// The largest stack of a device thread in bytes: the emulator stores that of every thread of a block.
inline constexpr std::uint64_t most_device_stack_bytes = std::uint64_t{64} << 10U;

struct Answer {
    std::int32_t error = 0;     ///< a cudaError_t
    std::uint32_t payload = 0;  ///< bytes after the answer
    std::uint64_t value = 0;
    std::uint64_t step = 0;  ///< number of the step that the call is
};

struct FunctionFacts {
    std::uint32_t parameters = 0;
    std::uint32_t max_threads = 0;    ///< that a block may have; 0: as many as the device allows
    std::uint64_t static_shared = 0;  ///< bytes
    std::uint64_t local = 0;          ///< bytes a thread
    std::uint64_t constant = 0;       ///< bytes
    std::uint32_t found = 0;
    std::uint32_t ptx_target = 0;  ///< compute capability that its PTX is compiled for: 75
};
struct ParameterFacts {
    std::uint32_t offset = 0, bytes = 0;
};
struct VariableFacts {
    std::uint64_t address = 0, bytes = 0;
};

struct LaunchFacts {
    std::uint64_t function = 0;  ///< bytes of its name, which follows the facts; the parameters follow the name
    std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
    std::uint64_t dynamic_shared = 0;
    std::uint32_t cooperative = 0;
    std::uint32_t stack_bytes = 0;  ///< that the program set for a thread; 0: none
    std::uint32_t wants_accesses = 0;
    std::uint32_t may_overlap = 0;  ///< with work of another stream
};

/// The properties that the program reads of its device.
struct DeviceFacts {
    char name[64] = {};
    std::int32_t major = 0, minor = 0;
    std::int32_t multiprocessors = 0;
    std::int32_t warp_size = 0;
    std::int32_t threads_per_block = 0, threads_per_multiprocessor = 0, blocks_per_multiprocessor = 0;
    std::uint32_t most_block[3] = {}, most_grid[3] = {};  ///< x, y, z
    std::int32_t registers_per_block = 0, registers_per_multiprocessor = 0;
    std::uint64_t shared_per_block = 0, shared_per_block_optin = 0, shared_per_multiprocessor = 0, shared_reserved = 0;
    std::uint64_t global_bytes = 0, constant_bytes = 0, l2_bytes = 0;
    std::uint64_t stack_bytes_per_thread = 0, heap_bytes = 0, printf_bytes = 0;
    std::int32_t clock_khz = 0, memory_clock_khz = 0, memory_bus_bits = 0;
};

}  // namespace lanescope::host
