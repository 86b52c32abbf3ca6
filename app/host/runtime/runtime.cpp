#include "host/runtime/runtime.h"
#include "base/grouped.h"
#include "host/exit_status.h"
#include "host/runtime/heap.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>
#include <csetjmp>
#include <csignal>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <utility>

extern "C" {
// AddressSanitizer's, where the program was built with it (sanitizer/asan_interface.h).
[[gnu::weak]] void __asan_set_error_report_callback(void (*callback)(const char*));
[[gnu::weak]] void* __asan_get_report_address();
[[gnu::weak]] std::size_t __asan_get_report_access_size();
[[gnu::weak]] int __asan_get_report_access_type();
[[gnu::weak]] const char* __asan_get_report_description();
}

namespace lanescope::host {

namespace {

[[noreturn]] void give_up(const char* what) {
    std::fprintf(stderr, "lanescope runtime: %s\n", what);
    _exit(exit_without_lanescope);
}

int descriptor_of(const char* variable) {
    const char* text = std::getenv(variable);
    if (text == nullptr) give_up("this program was built to run under Lanescope; start it with `lanescope FILE`");
    return std::atoi(text);
}

/// Where to continue if unwinding faults on a damaged stack.
thread_local sigjmp_buf* unwinding = nullptr;

struct Callers {
    Header& header;
    std::uint64_t own_begin, own_end;
    std::uint64_t* frame_of_last;  ///< the last caller's frame address, which the next step supplies
};

_Unwind_Reason_Code add_caller(_Unwind_Context* context, void* data) {
    auto& callers = *static_cast<Callers*>(data);
    const auto address = static_cast<std::uint64_t>(_Unwind_GetIP(context));
    // The unwinder reports the stack pointer after the return, which is the callee's canonical frame address.
    if (callers.frame_of_last != nullptr)
        *std::exchange(callers.frame_of_last, nullptr) = static_cast<std::uint64_t>(_Unwind_GetCFA(context));
    if (address == 0) return _URC_END_OF_STACK;
    if (callers.header.callers == most_callers) return _URC_END_OF_STACK;
    // The program is linked at a fixed address; code elsewhere is a library's or this runtime's.
    if (address >= callers.own_begin && address < callers.own_end) {
        callers.frame_of_last = &callers.header.frame[callers.header.callers];
        callers.header.caller[callers.header.callers++] = address;
    }
    return _URC_NO_REASON;
}

/// From here to the outermost frame of the program's own code.
std::vector<std::byte> stack_of(const Header& header) {
    StackBytes facts;
    const auto here = reinterpret_cast<std::uint64_t>(&facts);
    std::uint64_t end = here;
    for (std::uint32_t i = 0; i < header.callers; ++i)
        if (header.frame[i] > end) end = header.frame[i];
    facts.begin = here;
    std::vector<std::byte> bytes(sizeof facts + std::min(end - here, most_stack_bytes) / 8 * 8);
    std::memcpy(bytes.data(), &facts, sizeof facts);
    // Copy word by word: AddressSanitizer reports a memcpy across stack frames as an overrun.
    const auto* const words = reinterpret_cast<const volatile std::uint64_t*>(here);
    for (std::size_t at = sizeof facts; at < bytes.size(); at += 8) {
        const std::uint64_t word = words[(at - sizeof facts) / 8];
        std::memcpy(bytes.data() + at, &word, sizeof word);
    }
    return bytes;
}

extern "C" const char __executable_start;  // NOLINT(bugprone-reserved-identifier): the linker's name
extern "C" const char etext;

/// The main thread's stack, which grows down to `begin`. 0: not known or unlimited.
struct HostStack {
    std::uint64_t begin = 0, end = 0;
};
HostStack host_stack;

void find_host_stack() {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
    void* begin = nullptr;
    std::size_t bytes = 0;
    rlimit limit = {};
    if (pthread_attr_getstack(&attributes, &begin, &bytes) == 0 && getrlimit(RLIMIT_STACK, &limit) == 0 &&
        limit.rlim_cur != RLIM_INFINITY)
        host_stack = {reinterpret_cast<std::uint64_t>(begin), reinterpret_cast<std::uint64_t>(begin) + bytes};
    pthread_attr_destroy(&attributes);
}

/// Gives the signal handler a stack of its own, for stack overflows; keeps one that AddressSanitizer has set.
void give_handler_a_stack() {
    constexpr std::size_t bytes = std::size_t{256} << 10U;
    stack_t known = {};
    if (sigaltstack(nullptr, &known) != 0 || (known.ss_flags & SS_DISABLE) == 0) return;
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t own = {};
    own.ss_sp = memory;
    own.ss_size = bytes;
    sigaltstack(&own, nullptr);
}

/// Whether the access is near the stack pointer, and that is at the end of the stack.
bool exhausts_host_stack(std::uint64_t address, const void* context) {
    constexpr std::uint64_t near = std::uint64_t{64} << 10U;
    const auto pointer =
        static_cast<std::uint64_t>(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
    return host_stack.end != 0 && pointer < host_stack.begin + near && address + near >= pointer &&
           address < host_stack.end;
}

/// Reports an access of a guarded page and lifts the guard, so that the access is retried. `address`: the host's.
void touched_guarded_page(std::uint64_t address, std::uint64_t device, const void* context) {
    Runtime& runtime = Runtime::get();
    constexpr greg_t write = 2;  // of a page fault's error code
    const bool writes = (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & write) != 0;
    const auto conflict = runtime.order.host_accesses(device, writes);
    if (conflict && conflict->signals) {
        runtime.not_known(
            "whether host code waits for the kernel before it accesses this pinned memory. The kernel may "
            "signal that it is done by a flag: it has a fence or an access of system scope");
    } else if (conflict) {
        runtime.unordered({conflict->step, UnorderedFacts::host_code, conflict->writes ? 1U : 0U, writes ? 1U : 0U},
                          device, 1);
    }
    // One report is enough: accesses of the operation's other pages have the same cause.
    if (conflict) runtime.order.lift_guards_of(conflict->step);
    runtime.order.lift_guard(address);
}

void touched_device_memory(int, siginfo_t* info, void* context) {
    if (unwinding != nullptr) siglongjmp(*unwinding, 1);
    Runtime& runtime = Runtime::get();
    const void* const address = info->si_addr;
    const Allocation* allocation = runtime.find(address);
    if (Runtime::is_device_address(address)) {
        if (allocation != nullptr && !allocation->freed && allocation->kind == MemoryKind::pinned) {
            const auto at = reinterpret_cast<std::uint64_t>(address);
            touched_guarded_page(at, at, context);
            return;
        }
        if (allocation != nullptr && !allocation->freed && allocation->host_may_access()) {
            runtime.fault(FaultKind::unsynchronized, reinterpret_cast<std::uint64_t>(address), 0,
                          "host code accesses managed memory before a synchronization, while a kernel may run: the "
                          "device does not support concurrentManagedAccess, so the GPU has exclusive access to managed "
                          "memory until then (CUDA C++ Programming Guide, \"GPU Exclusive Access to Managed Memory\")");
            runtime.synchronize();  // unprotects the memory; the access is then retried
            return;
        }
        if (allocation != nullptr && allocation->freed && allocation->host_may_access()) {
            runtime.fault(FaultKind::use_after_free, reinterpret_cast<std::uint64_t>(address), 0,
                          "host code accesses freed memory");
            signal(SIGSEGV, SIG_DFL);
            return;
        }
        runtime.fault(FaultKind::host_access, reinterpret_cast<std::uint64_t>(address), 0,
                      "host code dereferences a device pointer");
    } else if (const void* const registered = runtime.device_pointer_of(address)) {
        touched_guarded_page(reinterpret_cast<std::uint64_t>(address), reinterpret_cast<std::uint64_t>(registered),
                             context);
        return;
    } else if (exhausts_host_stack(reinterpret_cast<std::uint64_t>(address), context)) {
        runtime.fault(FaultKind::host_stack_overflow, reinterpret_cast<std::uint64_t>(address), 0,
                      "host code overflows its stack of " +
                          lanescope::counted(host_stack.end - host_stack.begin, "byte") +
                          ". End the recursion earlier, or allocate large arrays on the heap");
    } else {
        // The usual cause is an unchecked error or an overrun. Report both now: the program will not reach exit().
        runtime.report_ignored();
        check_heap(HeapNotice::at_crash);
        constexpr std::uint64_t past_null = std::uint64_t{1} << 16U;
        const auto at = reinterpret_cast<std::uint64_t>(address);
        runtime.fault(FaultKind::host_crash, at, 0,
                      info->si_code == SI_KERNEL  // the processor does not report a non-canonical address
                          ? std::string("host code accesses an invalid address")
                          : at < past_null ? std::string("host code dereferences a null pointer")
                                           : "host code accesses address " + lanescope::address_text(at) +
                                                 ", where the program has no memory");
    }
    signal(SIGSEGV, SIG_DFL);
}

/// On SIGABRT: a failed assert, std::terminate, or glibc that finds its heap corrupted.
void aborted(int) {
    check_heap(HeapNotice::at_crash);
    signal(SIGABRT, SIG_DFL);
    raise(SIGABRT);
}

/// On SIGXCPU, the soft limit of CPU time: reports where the program is; then it ends.
void out_of_time(int) {
    Runtime& runtime = Runtime::get();
    if (!runtime.is_asking()) {
        runtime.report_ignored();
        rlimit limit{};
        getrlimit(RLIMIT_CPU, &limit);
        const rlim_t seconds = limit.rlim_cur - 1;  // Linux has raised the limit by one second for the next signal
        runtime.remark("host code reaches its limit of CPU time (" + std::to_string(seconds) +
                       " s) here: a loop may not end, or the problem size is too large. --time-limit raises it");
    }
    signal(SIGXCPU, SIG_DFL);
    raise(SIGXCPU);
}

}  // namespace

namespace {

void report_host_overrun(const char*) {
    const std::size_t bytes = __asan_get_report_access_size();
    Runtime::get().fault(FaultKind::host_overrun, reinterpret_cast<std::uint64_t>(__asan_get_report_address()), bytes,
                         std::string("invalid host ") + (__asan_get_report_access_type() != 0 ? "write" : "read") +
                             " of " + lanescope::counted(bytes, "byte") + ": " + __asan_get_report_description());
}

/// Replaces argv[0] before the program's own constructors and main, which get the same array.
[[gnu::constructor]] void take_name(int count, char** arguments, char** /*environment*/) {
    char* const name = std::getenv(name_variable);
    if (name == nullptr || count < 1) return;
    arguments[0] = name;
    program_invocation_name = name;
    const char* const slash = std::strrchr(name, '/');
    program_invocation_short_name = slash != nullptr ? name + (slash - name) + 1 : name;
}

[[gnu::constructor]] void listen_to_address_sanitizer() {
    if (__asan_set_error_report_callback != nullptr) __asan_set_error_report_callback(report_host_overrun);
}

}  // namespace

/// Replaces glibc's: called when a function whose stack frame was overrun returns (-fstack-protector-strong).
extern "C" [[noreturn]] void __stack_chk_fail() {  // NOLINT(bugprone-reserved-identifier): g++'s name
    Runtime::get().stack_smashed(__builtin_return_address(0));
    std::abort();
}

bool Runtime::is_on_first_stack(std::uint64_t address) {
    return address >= host_stack.begin && address < host_stack.end;
}

Runtime& Runtime::get() {
    static Runtime* runtime = new Runtime;  // never destroyed: programs call into it from their own static destructors
    return *runtime;
}

Runtime::Runtime() : socket_(descriptor_of(socket_variable)) {
    memory_ = descriptor_of(memory_variable);
    void* const wanted = reinterpret_cast<void*>(device_base);
    void* const device =
        mmap(wanted, device_bytes, PROT_NONE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, memory_, 0);
    void* const window = mmap(nullptr, device_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory_, 0);
    if (device != wanted || window == MAP_FAILED) give_up("device memory cannot be mapped");
    window_ = static_cast<std::byte*>(window);
    // The program's output arrives in the order of its calls.
    setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);

    find_host_stack();
    give_handler_a_stack();
    struct sigaction action = {};
    action.sa_sigaction = touched_device_memory;
    action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
    sigaction(SIGSEGV, &action, nullptr);
    signal(SIGXCPU, out_of_time);
    signal(SIGABRT, aborted);
    pthread_atfork(nullptr, nullptr, [] {
        Runtime::get().forked_ = true;
        // As in CUDA, a forked child cannot use the parent's state.
        Runtime::get().set_sticky(cudaErrorInitializationError);
    });
    std::atexit([] {
        Runtime& runtime = Runtime::get();
        const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
        runtime.report_ignored();
        check_heap(HeapNotice::at_end);
        // After a failed kernel every call fails, cudaFree too: there may be leaks that are no mistake.
        if (runtime.sticky_ != cudaSuccess) return;
        for (const auto& [address, allocation] : runtime.allocations_)
            if (!allocation.freed && !allocation.is_variable && !allocation.registered &&
                allocation.kind != MemoryKind::object)
                runtime.fault(FaultKind::leak, address, allocation.bytes, "memory is never freed");
    });
}

void Runtime::send(const void* data, std::size_t bytes) const {
    const char* at = static_cast<const char*>(data);
    while (bytes > 0) {
        const ssize_t sent = ::send(socket_, at, bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) give_up("Lanescope has ended the program");
        at += sent;
        bytes -= static_cast<std::size_t>(sent);
    }
}

void Runtime::receive(void* data, std::size_t bytes) const {
    char* at = static_cast<char*>(data);
    while (bytes > 0) {
        const ssize_t received = ::recv(socket_, at, bytes, 0);
        if (received < 0 && errno == EINTR) continue;
        if (received <= 0) give_up("Lanescope has ended the program");
        at += received;
        bytes -= static_cast<std::size_t>(received);
    }
}

void Runtime::add_callers(Header& header) {
    Callers callers{header, reinterpret_cast<std::uint64_t>(&__executable_start),
                    reinterpret_cast<std::uint64_t>(&etext), nullptr};
    unwind([](void* all) { _Unwind_Backtrace(add_caller, all); }, &callers);
}

void Runtime::unwind(void (*call)(void*), void* data) {
    sigjmp_buf readable_so_far;
    sigjmp_buf* const outer = unwinding;
    if (sigsetjmp(readable_so_far, 0) == 0) {
        unwinding = &readable_so_far;
        call(data);
    }
    unwinding = outer;
}

void Runtime::stack_smashed(const void* address) {
    const std::lock_guard<std::recursive_mutex> lock(mutex);
    report_ignored();
    Header header;
    header.call = Call::fault;
    header.a = static_cast<std::uint64_t>(FaultKind::host_overrun);
    header.caller[0] = reinterpret_cast<std::uint64_t>(address);  // the frames above may be overwritten
    header.callers = 1;
    const std::string what =
        "host code wrote past the end of a local array: its function's stack frame is overwritten "
        "(stack smashing detected). --sanitize finds the line that writes";
    ask(header, what.data(), what.size());
}

Answer Runtime::ask(Header header, const void* payload, std::size_t bytes, std::vector<std::byte>* answer_bytes) {
    const auto is_work = [](Call call) {
        return call == Call::launch || call == Call::write || call == Call::read || call == Call::synchronize ||
               call == Call::allocate || call == Call::release;
    };
    if (forked_) return {};
    if (is_work(header.call)) check_heap(HeapNotice::at_call);
    asking_ = 1;
    std::fflush(stdout);
    header.payload = static_cast<std::uint32_t>(bytes);
    if (header.callers == 0) add_callers(header);
    send(&header, sizeof header);
    if (bytes > 0) send(payload, bytes);
    Answer answer;
    receive(&answer, sizeof answer);
    std::vector<std::byte> payload_bytes(answer.payload);
    if (!payload_bytes.empty()) receive(payload_bytes.data(), payload_bytes.size());
    if (answer_bytes != nullptr) *answer_bytes = std::move(payload_bytes);
    asking_ = 0;
    return answer;
}

cudaError_t Runtime::fail(cudaError_t error, const char* function, const std::string& why) {
    last_ = error;
    report_error(error, cudaGetErrorName(error), function, why);
    return error;
}

void Runtime::report_error(int error, const char* name, const char* function, const std::string& why) {
    std::string text = function;
    text.push_back('\0');
    text += why;
    Header header;
    header.call = Call::error;
    header.a = static_cast<std::uint64_t>(error);
    add_callers(header);
    const bool launched = std::strcmp(function, launch_name) == 0;  // <<< >>> returns no error to check
    if (launched || ignores_result(header.caller, header.callers))
        ignore(header, std::string(function) + " returned " + name + ": " + why);
    ask(header, text.data(), text.size());
}

void Runtime::ignore(const Header& where, const std::string& what) {
    constexpr std::size_t most = 100;
    for (Ignored& known : ignored_) {
        const bool same_call = std::equal(std::begin(where.caller), std::end(where.caller), known.where.caller);
        if (known.what != what || !same_call) continue;
        ++known.times;
        return;
    }
    if (ignored_.size() < most) ignored_.push_back(Ignored{where, what});
}

cudaError_t Runtime::refuse(const char* function) {
    return fail(cudaErrorNotSupported, function, "Lanescope's runtime does not implement this function");
}

void Runtime::report_fault(FaultKind kind, std::uint64_t address, std::uint64_t bytes, const void* payload,
                           std::size_t payload_bytes) {
    Header header;
    header.call = Call::fault;
    header.a = static_cast<std::uint64_t>(kind);
    header.b = address;
    header.c = bytes;
    ask(header, payload, payload_bytes);
}

void Runtime::fault(FaultKind kind, std::uint64_t address, std::uint64_t bytes, const std::string& what) {
    report_fault(kind, address, bytes, what.data(), what.size());
}

void Runtime::unordered(const UnorderedFacts& facts, std::uint64_t address, std::uint64_t bytes) {
    report_fault(FaultKind::unordered, address, bytes, &facts, sizeof facts);
}

void Runtime::remark(const std::string& what) {
    if (!remarks_.emplace(what, true).second) return;
    Header header;
    header.call = Call::remark;
    ask(header, what.data(), what.size());
}

cudaError_t Runtime::last_error(bool clear) {
    const cudaError_t error = last_;
    ignored_.clear();
    if (clear && sticky_ == cudaSuccess) last_ = cudaSuccess;
    return error;
}

cudaError_t Runtime::allocate(void** out, std::uint64_t bytes, MemoryKind kind, const char* function,
                              ChannelType channel) {
    return allocate_at(0, out, bytes, kind, function, channel);
}

/// `offset`: bytes from where the next allocation would begin.
cudaError_t Runtime::allocate_at(std::uint64_t offset, void** out, std::uint64_t bytes, MemoryKind kind,
                                 const char* function, ChannelType channel) {
    if (out == nullptr) return fail(cudaErrorInvalidValue, function, "the output pointer is null");
    if (bytes == 0) {
        *out = nullptr;
        return cudaSuccess;
    }
    const std::uint64_t address = next_ + offset, end = address + bytes;
    if (bytes > device_bytes || end > device_base + device_bytes) {
        *out = nullptr;
        return fail(cudaErrorMemoryAllocation, function, "out of memory: the request exceeds the free device memory");
    }
    Header header;
    header.call = Call::allocate;
    header.a = address;
    header.b = bytes;
    header.c = static_cast<std::uint64_t>(kind) | static_cast<std::uint64_t>(channel) << 32U;
    header.d = reinterpret_cast<std::uint64_t>(out);
    add_callers(header);
    const std::vector<std::byte> stack = stack_of(header);
    const Answer answer = ask(header, stack.data(), stack.size());
    if (answer.error != 0) {
        *out = nullptr;
        return fail(static_cast<cudaError_t>(answer.error), function,
                    "out of memory: the request exceeds the free device memory");
    }
    add({address, bytes, kind, false, false, false});
    *out = reinterpret_cast<void*>(address);
    next_ = (end + allocation_gap + allocation_gap - 1) / allocation_gap * allocation_gap;
    return cudaSuccess;
}

const char* Runtime::fault_of_release(void* pointer, MemoryKind kind) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const auto found = allocations_.find(address);
    const auto is_of = [&](MemoryKind special) { return (found->second.kind == special) == (kind == special); };
    if (found == allocations_.end() || found->second.is_variable || found->second.registered ||
        !is_of(MemoryKind::pinned) || !is_of(MemoryKind::object)) {
        constexpr const char* what = "the pointer was not returned by the matching allocation function";
        fault(FaultKind::invalid_free, address, 0, what);
        return what;
    }
    if (!found->second.freed && !found->second.freed_in_vain) return nullptr;
    constexpr const char* what = "double free";
    fault(FaultKind::double_free, address, found->second.bytes, what);
    return what;
}

cudaError_t Runtime::release_in_vain(void* pointer, MemoryKind kind) {
    if (pointer != nullptr && fault_of_release(pointer, kind) == nullptr)
        allocations_.at(reinterpret_cast<std::uint64_t>(pointer)).freed_in_vain = true;
    return sticky_;
}

cudaError_t Runtime::release(void* pointer, MemoryKind kind, const char* function, cudaError_t not_live) {
    if (pointer == nullptr) return cudaSuccess;
    if (const char* const what = fault_of_release(pointer, kind)) return fail(not_live, function, what);
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const auto found = allocations_.find(address);
    found->second.freed = true;
    count(found->second.kind, -1);
    if (found->second.host_may_access()) allow_access(found->second, false);
    Header header;
    header.call = Call::release;
    header.a = address;
    ask(header);
    return cudaSuccess;
}

namespace {

/// Copies whole pages word by word: AddressSanitizer reports a memcpy of them as an overrun.
void copy_pages(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
    auto* const target = reinterpret_cast<volatile std::uint64_t*>(to);
    const auto* const source = reinterpret_cast<const volatile std::uint64_t*>(from);
    for (std::uint64_t i = 0; i < bytes / sizeof *target; ++i) target[i] = source[i];
}

}  // namespace

cudaError_t Runtime::register_host(void* host, std::uint64_t bytes, const char* function) {
    if (host == nullptr || bytes == 0)
        return fail(cudaErrorInvalidValue, function, "the pointer is null, or the size is 0");
    const auto address = reinterpret_cast<std::uint64_t>(host);
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    Registration made;
    made.bytes = bytes;
    made.begin = address / page * page;
    made.end = (address + bytes + page - 1) / page * page;
    if (registrations_.count(address) != 0)
        return fail(cudaErrorHostMemoryAlreadyRegistered, function, "the memory is registered already");
    const auto here = reinterpret_cast<std::uint64_t>(&made);
    for (const auto& [other, registration] : registrations_)
        if (made.begin < registration.end && registration.begin < made.end)
            return fail(cudaErrorNotSupported, function,
                        "memory that shares a page with other registered memory is not implemented");
    if (is_device_address(host) || (here >= made.begin && here < made.end))
        return fail(cudaErrorNotSupported, function, "only memory of the heap can be registered here");
    void* device = nullptr;
    if (const cudaError_t error = allocate_at(address - made.begin, &device, bytes, MemoryKind::pinned, function))
        return error;
    made.device = reinterpret_cast<std::uint64_t>(device);
    allocations_[made.device].registered = true;
    const std::uint64_t pages = made.device - (address - made.begin);
    copy_pages(reinterpret_cast<std::uint64_t>(window(reinterpret_cast<void*>(pages))), made.begin,
               made.end - made.begin);
    if (mmap(reinterpret_cast<void*>(made.begin), made.end - made.begin, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             memory_, static_cast<off_t>(pages - device_base)) == MAP_FAILED)
        return fail(cudaErrorMemoryAllocation, function, "the operating system cannot map the memory");
    registrations_[address] = made;
    any_registered_ = true;
    return cudaSuccess;
}

cudaError_t Runtime::unregister_host(void* host, const char* function) {
    const auto address = reinterpret_cast<std::uint64_t>(host);
    const auto found = registrations_.find(address);
    if (found == registrations_.end())
        return fail(cudaErrorHostMemoryNotRegistered, function, "the memory is not registered");
    order.host_waits_for_all();
    const Registration was = found->second;
    // The pages may hold this runtime's own memory, so they must never be unmapped: mremap replaces them at once.
    const std::uint64_t bytes = was.end - was.begin;
    void* const copy = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return fail(cudaErrorMemoryAllocation, function, "the operating system cannot map the memory");
    copy_pages(reinterpret_cast<std::uint64_t>(copy), was.begin, bytes);
    if (mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, reinterpret_cast<void*>(was.begin)) == MAP_FAILED)
        return fail(cudaErrorMemoryAllocation, function, "the operating system cannot map the memory");
    allocations_[was.device].registered = false;
    void* const device = reinterpret_cast<void*>(was.device);
    registrations_.erase(found);
    return release(device, MemoryKind::pinned, function);
}

std::uint64_t Runtime::host_address_of(std::uint64_t device) const {
    for (const auto& [host, registration] : registrations_)
        if (device >= registration.device && device - registration.device < registration.bytes)
            return host + (device - registration.device);
    return 0;
}

void* Runtime::device_pointer_of(const void* host, std::uint64_t bytes) const {
    const auto address = reinterpret_cast<std::uint64_t>(host);
    auto after = registrations_.upper_bound(address);
    if (after == registrations_.begin()) return nullptr;
    const auto& [begin, registration] = *std::prev(after);
    const std::uint64_t offset = address - begin;
    if (offset >= registration.bytes || bytes > registration.bytes - offset) return nullptr;
    return reinterpret_cast<void*>(registration.device + (address - begin));
}

const Allocation* Runtime::find(const void* pointer) const {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    auto after = allocations_.upper_bound(address);
    if (after == allocations_.begin()) return nullptr;
    const Allocation& allocation = std::prev(after)->second;
    return address - allocation.address < allocation.bytes ? &allocation : nullptr;
}

void Runtime::allow_access(const Allocation& allocation, bool allowed) const {
    const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t begin = allocation.address / page * page;  // a variable need not start at a page
    const std::uint64_t end = (allocation.address + allocation.bytes + page - 1) / page * page;
    mprotect(reinterpret_cast<void*>(begin), end - begin, allowed ? PROT_READ | PROT_WRITE : PROT_NONE);
}

void Runtime::report_ignored() {
    for (const Ignored& ignored : std::exchange(ignored_, {})) {
        Header header = ignored.where;
        header.call = Call::fault;
        header.a = static_cast<std::uint64_t>(FaultKind::unchecked_error);
        header.b = header.d = 0;
        header.c = ignored.times;
        ask(header, ignored.what.data(), ignored.what.size());
    }
}

void Runtime::add(const Allocation& allocation) {
    allocations_[allocation.address] = allocation;
    count(allocation.kind, 1);
    if (allocation.host_may_access()) allow_access(allocation, true);
}

void Runtime::count(MemoryKind kind, int change) {
    if (kind == MemoryKind::pinned) live_pinned_ += change;
    if (kind == MemoryKind::managed) live_managed_ += change;
}

void Runtime::allow_managed(bool allowed) const {
    if (live_managed_ == 0) return;
    for (const auto& [address, allocation] : allocations_)
        if (allocation.kind == MemoryKind::managed && !allocation.freed) allow_access(allocation, allowed);
}

void Runtime::begin_kernel() {
    kernels_run_ = true;
    allow_managed(false);
}

void Runtime::synchronize() {
    if (!kernels_run_) return;
    kernels_run_ = false;
    allow_managed(true);
    Header header;
    header.call = Call::synchronize;
    ask(header);
}

Kernel* Runtime::kernel_of(const void* host_function) {
    const auto found = kernels.find(host_function);
    if (found == kernels.end()) return nullptr;
    Kernel& kernel = found->second;
    if (!kernel.asked) {
        Header header;
        header.call = Call::function;
        std::vector<std::byte> bytes;
        ask(header, kernel.name.data(), kernel.name.size(), &bytes);
        if (bytes.size() >= sizeof kernel.facts) {
            std::memcpy(&kernel.facts, bytes.data(), sizeof kernel.facts);
            kernel.parameters.resize(kernel.facts.parameters);
            if (!kernel.parameters.empty())
                std::memcpy(kernel.parameters.data(), bytes.data() + sizeof kernel.facts,
                            kernel.parameters.size() * sizeof(ParameterFacts));
        }
        kernel.asked = true;
    }
    return kernel.facts.found != 0 ? &kernel : nullptr;
}

Symbol* Runtime::symbol_of(const void* host_variable) {
    const auto found = symbols.find(host_variable);
    if (found == symbols.end()) return nullptr;
    Symbol& symbol = found->second;
    if (symbol.address == 0) {
        Header header;
        header.call = Call::variable;
        header.a = symbol.module;
        std::vector<std::byte> bytes;
        ask(header, symbol.name.data(), symbol.name.size(), &bytes);
        VariableFacts facts;
        if (bytes.size() == sizeof facts) std::memcpy(&facts, bytes.data(), sizeof facts);
        if (facts.address == 0) return nullptr;
        symbol.address = facts.address;
        symbol.bytes = facts.bytes;
        const MemoryKind kind = symbol.managed ? MemoryKind::managed : MemoryKind::variable;
        add({facts.address, facts.bytes, kind, false, true, false});
    }
    return &symbol;
}

const DeviceFacts& Runtime::device() {
    if (!device_known_) {
        Header header;
        header.call = Call::device;
        std::vector<std::byte> bytes;
        ask(header, nullptr, 0, &bytes);
        if (bytes.size() == sizeof device_) std::memcpy(&device_, bytes.data(), sizeof device_);
        device_known_ = true;
    }
    return device_;
}

}  // namespace lanescope::host
