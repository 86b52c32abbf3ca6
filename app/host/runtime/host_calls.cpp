// Calls of `__host__ __device__` functions by host code. The entry of each function, where g++ leaves NOPs, jumps to
// code that counts the call. The first call is reported with the registers that carry its arguments, and the memory
// that the function accesses is sent on request. Then the function runs normally.
#include "host/runtime/heap.h"
#include "host/runtime/runtime.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <csignal>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

extern "C" const char _end;  // NOLINT(bugprone-reserved-identifier): the linker's name, of the program

namespace lanescope::host {

/// A function whose entry jumps here. The assembly below reads its first member.
struct HostEntry {
    std::uint64_t resume = 0;  ///< the instruction after the jump
    std::uint64_t begin = 0, end = 0;
    std::uint64_t calls = 0;
};
/// The general registers at the entry, as the assembly has pushed them; then what lay on the stack already.
struct SavedRegisters {
    std::uint64_t r9, r8, rcx, rdx, rsi, rdi, r11, r10, rax, rbp;
    HostEntry* entry;
    std::uint64_t return_address;
    std::uint64_t arguments[1];  ///< in memory
};
struct alignas(16) VectorRegister {
    std::uint64_t low, high;
};

namespace {

HostEntry* entries = nullptr;
std::size_t entry_count = 0;

/// Tests whether memory is readable by a system call, which returns EFAULT where an access would fault.
class Probe {
  public:
    Probe() { open_ = pipe(ends_) == 0; }
    ~Probe() {
        if (open_) close(ends_[0]), close(ends_[1]);
    }
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;
    [[nodiscard]] bool reads(std::uint64_t address) const {
        char byte = 0;
        return open_ && write(ends_[1], reinterpret_cast<const void*>(address), 1) == 1 &&
               read(ends_[0], &byte, 1) == 1;
    }

  private:
    int ends_[2] = {-1, -1};
    bool open_ = false;
};

struct Piece {
    std::uint64_t address = 0, bytes = 0;
    const std::byte* from = nullptr;  ///< where it can be read
};

constexpr std::uint64_t page_bytes = 4096;

/// The object that contains the address: an allocation, a heap block, or the variable that Lanescope knows there;
/// otherwise the mapped memory around it.
Piece piece_at(const HostMemoryWanted& wanted) {
    Runtime& runtime = Runtime::get();
    const auto as_pointer = [](std::uint64_t address) { return reinterpret_cast<const void*>(address); };
    if (Runtime::is_device_address(as_pointer(wanted.address))) {
        const Allocation* const found = runtime.find(as_pointer(wanted.address));
        if (found == nullptr || found->freed || !found->host_may_access()) return {};
        return {found->address, found->bytes, runtime.window(as_pointer(found->address))};
    }
    Piece piece;
    if (const HeapBlock block = heap_block_around(wanted.address); block.bytes != 0)
        piece = {block.address, block.bytes, nullptr};
    else if (wanted.variable_bytes != 0)
        piece = {wanted.variable, wanted.variable_bytes, nullptr};
    const Probe probe;
    if (piece.bytes == 0) {
        constexpr std::uint64_t most_pages = 16;
        std::uint64_t begin = wanted.address / page_bytes * page_bytes, end = begin;
        // Between the blocks of the heap there is nothing of the program.
        const bool in_heap = wanted.address >= reinterpret_cast<std::uint64_t>(&_end) &&
                             wanted.address < reinterpret_cast<std::uint64_t>(sbrk(0));
        if (in_heap || is_heap_between(begin - page_bytes, begin + page_bytes)) return {};
        while (end - begin < most_pages * page_bytes && probe.reads(end)) end += page_bytes;
        piece = {begin, end - begin, nullptr};
    } else {
        for (std::uint64_t at = piece.address; at < piece.address + piece.bytes; at += page_bytes)
            if (!probe.reads(at)) return {};
    }
    piece.from = static_cast<const std::byte*>(as_pointer(piece.address));
    return piece;
}

void report_call(const SavedRegisters& saved, const VectorRegister* vectors) {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    HostCallFacts facts;
    facts.function = static_cast<std::uint32_t>(saved.entry - entries);
    const std::uint64_t general[6] = {saved.rdi, saved.rsi, saved.rdx, saved.rcx, saved.r8, saved.r9};
    std::copy(std::begin(general), std::end(general), facts.general);
    for (unsigned i = 0; i < 8; ++i) facts.vector[i] = vectors[i].low;
    const Probe probe;
    const std::uint64_t* const arguments = saved.arguments;
    for (unsigned i = 0; i < 64; ++i) {
        const auto at = reinterpret_cast<std::uint64_t>(arguments + i);
        if ((i == 0 || at % page_bytes == 0) && !probe.reads(at)) break;
        facts.stack[i] = arguments[i];
    }
    Header header;
    header.call = Call::host_call;
    std::vector<std::byte> answer;
    runtime.ask(header, &facts, sizeof facts, &answer);
    while (answer.size() == sizeof(HostMemoryWanted)) {
        HostMemoryWanted wanted;
        std::memcpy(&wanted, answer.data(), sizeof wanted);
        const Piece piece = piece_at(wanted);
        Header sent;
        sent.call = Call::host_memory;
        sent.a = piece.bytes != 0 ? piece.address : wanted.address;
        sent.b = piece.bytes;
        answer.clear();
        runtime.ask(sent, piece.from, piece.bytes <= most_host_memory ? piece.bytes : 0, &answer);
    }
}

// --- What the function returns ---------------------------------------------------------------------------------------

/// A reported call that has not returned: an int3 replaces the instruction at its return address.
struct Awaited {
    std::uint64_t at = 0;     ///< address of the trap
    std::uint64_t stack = 0;  ///< the stack pointer after the return
    std::uint32_t function = 0;
    unsigned char replaced = 0;
};
constexpr std::size_t most_awaited = 64;
Awaited awaited[most_awaited];
struct sigaction other_traps = {};
constexpr unsigned char trap = 0xCC;

bool write_code(std::uint64_t address, const void* bytes, std::size_t count) {
    const std::uint64_t begin = address / page_bytes * page_bytes, end = address + count;
    void* const pages = reinterpret_cast<void*>(begin);
    const std::size_t size = (end - begin + page_bytes - 1) / page_bytes * page_bytes;
    if (mprotect(pages, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
    std::memcpy(reinterpret_cast<void*>(address), bytes, count);
    return mprotect(pages, size, PROT_READ | PROT_EXEC) == 0;
}

void returned_to_trap(int signal_number, siginfo_t* info, void* data) {
    auto& context = *static_cast<ucontext_t*>(data);
    auto& registers = context.uc_mcontext.gregs;
    const std::uint64_t at = static_cast<std::uint64_t>(registers[REG_RIP]) - 1;
    const std::lock_guard<std::recursive_mutex> lock(Runtime::get().mutex);
    for (Awaited& call : awaited) {
        if (call.at != at) continue;
        const Awaited done = call;
        call.at = 0;
        write_code(at, &done.replaced, 1);
        registers[REG_RIP] = static_cast<greg_t>(at);
        if (static_cast<std::uint64_t>(registers[REG_RSP]) != done.stack) return;  // another call that returns there
        Header header;
        header.call = Call::host_return;
        header.a = done.function;
        header.b = static_cast<std::uint64_t>(registers[REG_RAX]);
        const auto& low = context.uc_mcontext.fpregs->_xmm[0].element;
        header.c = low[0] | std::uint64_t{low[1]} << 32U;
        Runtime::get().ask(header);
        return;
    }
    // Two threads reached the trap, and the other one has removed it.
    if (*reinterpret_cast<const volatile unsigned char*>(at) != trap) {
        registers[REG_RIP] = static_cast<greg_t>(at);
        return;
    }
    if (other_traps.sa_flags & SA_SIGINFO && other_traps.sa_sigaction != nullptr) {
        other_traps.sa_sigaction(signal_number, info, data);
    } else {
        signal(SIGTRAP, SIG_DFL);
        raise(SIGTRAP);
    }
}

void await_return(const SavedRegisters& saved) {
    const std::lock_guard<std::recursive_mutex> lock(Runtime::get().mutex);
    for (Awaited& call : awaited)
        if (call.at == saved.return_address) return;
    for (Awaited& call : awaited) {
        if (call.at != 0) continue;
        call.replaced = *reinterpret_cast<const unsigned char*>(saved.return_address);
        call.stack = reinterpret_cast<std::uint64_t>(saved.arguments);
        call.function = static_cast<std::uint32_t>(saved.entry - entries);
        call.at = saved.return_address;
        if (!write_code(saved.return_address, &trap, 1)) call.at = 0;
        return;
    }
}

}  // namespace

}  // namespace lanescope::host

extern "C" {

/// Whether this call is to be reported. Uses general registers only: the vector registers, which may carry arguments,
/// are not saved yet.
[[gnu::visibility("hidden"), gnu::target("general-regs-only"), gnu::used]] bool lanescope_count_call(
    lanescope::host::SavedRegisters* saved) {
    using namespace lanescope::host;
    // A call by another such function is part of that function's call.
    for (std::size_t i = 0; i < entry_count; ++i)
        if (saved->return_address - entries[i].begin < entries[i].end - entries[i].begin) return false;
    return __atomic_fetch_add(&saved->entry->calls, 1, __ATOMIC_RELAXED) == 0;
}

[[gnu::visibility("hidden"), gnu::used]] void lanescope_report_call(lanescope::host::SavedRegisters* saved,
                                                                    const lanescope::host::VectorRegister* vectors) {
    lanescope::host::report_call(*saved, vectors);
    lanescope::host::await_return(*saved);
}

[[gnu::visibility("hidden")]] extern const char lanescope_entered[];

}  // extern "C"

// Entered with the address of a HostEntry on the stack, on top of the return address of the function's caller.
asm(R"(
    .text
    .p2align 4
    .hidden lanescope_entered
    .globl lanescope_entered
    .type lanescope_entered, @function
lanescope_entered:
    .cfi_startproc
    .cfi_def_cfa rsp, 16
    push %rbp
    .cfi_def_cfa_offset 24
    .cfi_offset rbp, -24
    push %rax
    push %r10
    push %r11
    push %rdi
    push %rsi
    push %rdx
    push %rcx
    push %r8
    push %r9
    lea 72(%rsp), %rbp
    .cfi_def_cfa rbp, 24
    lea -72(%rbp), %rdi
    and $-16, %rsp
    call lanescope_count_call
    test %al, %al
    jz 1f
    sub $256, %rsp
    movaps %xmm0, (%rsp)
    movaps %xmm1, 16(%rsp)
    movaps %xmm2, 32(%rsp)
    movaps %xmm3, 48(%rsp)
    movaps %xmm4, 64(%rsp)
    movaps %xmm5, 80(%rsp)
    movaps %xmm6, 96(%rsp)
    movaps %xmm7, 112(%rsp)
    movaps %xmm8, 128(%rsp)
    movaps %xmm9, 144(%rsp)
    movaps %xmm10, 160(%rsp)
    movaps %xmm11, 176(%rsp)
    movaps %xmm12, 192(%rsp)
    movaps %xmm13, 208(%rsp)
    movaps %xmm14, 224(%rsp)
    movaps %xmm15, 240(%rsp)
    lea -72(%rbp), %rdi
    mov %rsp, %rsi
    call lanescope_report_call
    movaps (%rsp), %xmm0
    movaps 16(%rsp), %xmm1
    movaps 32(%rsp), %xmm2
    movaps 48(%rsp), %xmm3
    movaps 64(%rsp), %xmm4
    movaps 80(%rsp), %xmm5
    movaps 96(%rsp), %xmm6
    movaps 112(%rsp), %xmm7
    movaps 128(%rsp), %xmm8
    movaps 144(%rsp), %xmm9
    movaps 160(%rsp), %xmm10
    movaps 176(%rsp), %xmm11
    movaps 192(%rsp), %xmm12
    movaps 208(%rsp), %xmm13
    movaps 224(%rsp), %xmm14
    movaps 240(%rsp), %xmm15
1:
    mov 8(%rbp), %rax
    mov (%rax), %rax
    mov %rax, 8(%rbp)
    lea -72(%rbp), %rsp
    pop %r9
    pop %r8
    pop %rcx
    pop %rdx
    pop %rsi
    pop %rdi
    pop %r11
    pop %r10
    pop %rax
    pop %rbp
    .cfi_def_cfa rsp, 16
    ret
    .cfi_endproc
    .size lanescope_entered, .-lanescope_entered
)");

namespace lanescope::host {

namespace {

/// Code that pushes the address of a HostEntry and jumps to lanescope_entered.
struct Thunk {
    unsigned char code[16];
    std::uint64_t entry, entered;
};

/// The first of the NOPs, after endbr64 if there is one.
std::uint64_t free_bytes_of(std::uint64_t function) {
    constexpr unsigned char target[4] = {0xF3, 0x0F, 0x1E, 0xFA}, nop = 0x90;
    const auto* const code = reinterpret_cast<const unsigned char*>(function);
    const std::size_t skipped = std::equal(std::begin(target), std::end(target), code) ? sizeof target : 0;
    return std::all_of(code + skipped, code + skipped + entry_bytes, [](unsigned char byte) { return byte == nop; })
               ? function + skipped
               : 0;
}

void send_counts() {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < entry_count; ++i)
        counts.push_back(__atomic_load_n(&entries[i].calls, __ATOMIC_RELAXED));
    Header header;
    header.call = Call::host_counts;
    runtime.ask(header, counts.data(), counts.size() * sizeof(std::uint64_t));
}

[[gnu::constructor]] void enter_host_functions() {
    const char* text = std::getenv(functions_variable);
    if (text == nullptr) return;
    const std::size_t count = static_cast<std::size_t>(std::count(text, text + std::strlen(text), ','));
    const std::size_t bytes = count * (sizeof(HostEntry) + sizeof(Thunk));
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void* const code = mmap(nullptr, count * sizeof(Thunk), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (count == 0 || memory == MAP_FAILED || code == MAP_FAILED) return;
    entries = static_cast<HostEntry*>(memory);
    entry_count = count;
    auto* const thunks = static_cast<Thunk*>(code);
    for (std::size_t i = 0; i < count; ++i) {
        char* end = nullptr;
        entries[i].begin = std::strtoull(text, &end, 16);
        entries[i].end = std::strtoull(end + 1, &end, 16);
        text = end + 1;
        // push [rip + 10]; jmp [rip + 12]
        const unsigned char push_and_jump[16] = {0xFF, 0x35, 10, 0, 0,    0,    0xFF, 0x25,
                                                 12,   0,    0,  0, 0xCC, 0xCC, 0xCC, 0xCC};
        std::copy(std::begin(push_and_jump), std::end(push_and_jump), thunks[i].code);
        thunks[i].entry = reinterpret_cast<std::uint64_t>(&entries[i]);
        thunks[i].entered = reinterpret_cast<std::uint64_t>(lanescope_entered);
    }
    if (mprotect(code, count * sizeof(Thunk), PROT_READ | PROT_EXEC) != 0) return;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t at = free_bytes_of(entries[i].begin);
        if (at == 0) continue;
        entries[i].resume = at + entry_bytes;
        // jmp [rip + 0]
        unsigned char jump[14] = {0xFF, 0x25, 0, 0, 0, 0};
        const auto thunk = reinterpret_cast<std::uint64_t>(&thunks[i]);
        std::memcpy(jump + 6, &thunk, sizeof thunk);
        write_code(at, jump, sizeof jump);
    }
    struct sigaction action = {};
    action.sa_sigaction = returned_to_trap;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGTRAP, &action, &other_traps);
    Runtime::get();  // its own end comes after
    std::atexit(send_counts);
}

}  // namespace

}  // namespace lanescope::host
