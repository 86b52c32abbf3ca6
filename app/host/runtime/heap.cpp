#include "host/runtime/heap.h"

#include "host/runtime/runtime.h"

#include <sys/mman.h>
#include <unwind.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

extern "C" {

void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void __libc_free(void* block);

extern const char __executable_start, etext, _end;  // NOLINT(bugprone-reserved-identifier): the linker's names

}  // extern "C"

namespace lanescope::host {

namespace {

constexpr std::size_t alignment_of_malloc = 16;
/// The margin after a block is longer: most overruns go past the end.
constexpr std::size_t front_margin = 16, rear_margin = 64;
/// The distance that glibc leaves between two of its blocks.
constexpr std::size_t between_chunks = 32;
constexpr unsigned char margin_byte = 0xB5;

std::uint64_t number_of(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }
unsigned char* pointer_to(std::uint64_t address) { return reinterpret_cast<unsigned char*>(address); }
bool is_own_code(std::uint64_t address) {
    return address >= number_of(&__executable_start) && address < number_of(&etext);
}

/// The distance from the block to the farthest overwritten byte of either margin; 0: none is overwritten.
struct Overwritten {
    std::size_t before = 0, after = 0;
    [[nodiscard]] bool any() const { return before != 0 || after != 0; }
};
Overwritten overwritten_at(const HeapBlock& block) {
    Overwritten found;
    const unsigned char* const begin = pointer_to(block.address);
    const unsigned char* const end = begin + block.bytes;
    for (std::size_t i = front_margin; i > 0 && found.before == 0; --i)
        if (begin[-static_cast<std::ptrdiff_t>(i)] != margin_byte) found.before = i;
    for (std::size_t i = rear_margin; i > 0 && found.after == 0; --i)
        if (end[i - 1] != margin_byte) found.after = i;
    return found;
}

/// All blocks by address; freed ones remain until their address is reused or the table grows. The table's memory comes
/// from mmap, not from the heap. Used under `blocks_lock`.
class Blocks {
  public:
    /// False if the table cannot grow.
    bool add(const HeapBlock& block) {
        if (used_ * 2 >= capacity_ && !grow()) return false;
        put(block);
        return true;
    }
    /// Null: no such block.
    HeapBlock* at(std::uint64_t address) {
        if (capacity_ == 0) return nullptr;
        for (std::size_t i = slot_of(address);; i = (i + 1) & (capacity_ - 1)) {
            if (table_[i].address == address) return &table_[i];
            if (table_[i].address == 0) return nullptr;
        }
    }
    [[nodiscard]] std::size_t slots() const { return capacity_; }
    /// Visits all live blocks until `visit` returns false.
    template <class Visit>
    void each(Visit visit) {
        for (std::size_t i = 0; i < capacity_; ++i)
            if (table_[i].live && !visit(table_[i])) return;
    }
    /// Visits the live blocks of the next `slots` slots, from where the last call ended.
    template <class Visit>
    void some(std::size_t slots, Visit visit) {
        for (std::size_t i = 0; i < std::min(slots, capacity_); ++i) {
            next_ = (next_ + 1) & (capacity_ - 1);
            if (table_[next_].live) visit(table_[next_]);
        }
    }

  private:
    [[nodiscard]] std::size_t slot_of(std::uint64_t address) const {
        return (address >> 4U) * 0x9E37'79B9'7F4A'7C15U >> 20U & (capacity_ - 1);
    }
    void put(const HeapBlock& block) {
        std::size_t i = slot_of(block.address);
        while (table_[i].address != 0 && table_[i].address != block.address) i = (i + 1) & (capacity_ - 1);
        if (table_[i].address == 0) ++used_;
        table_[i] = block;
    }
    bool grow() {
        HeapBlock* const old = table_;
        const std::size_t before = capacity_;
        std::size_t live = 0;
        for (std::size_t i = 0; i < before; ++i) live += table_[i].live ? 1U : 0U;
        const std::size_t wanted = std::max<std::size_t>(live * 4 >= before ? before * 2 : before, 1024);
        void* const memory =
            mmap(nullptr, wanted * sizeof(HeapBlock), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) return false;
        table_ = static_cast<HeapBlock*>(memory);
        capacity_ = wanted;
        used_ = next_ = 0;
        for (std::size_t i = 0; i < before; ++i)
            if (old[i].live) put(old[i]);
        if (old != nullptr) munmap(old, before * sizeof(HeapBlock));
        return true;
    }
    HeapBlock* table_ = nullptr;
    std::size_t capacity_ = 0, used_ = 0, next_ = 0;
};
Blocks blocks;
bool blocks_lock = false;

struct Locked {
    Locked() {
        while (__atomic_test_and_set(&blocks_lock, __ATOMIC_ACQUIRE)) {
        }
    }
    ~Locked() { __atomic_clear(&blocks_lock, __ATOMIC_RELEASE); }
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
};

// --- Who allocates ---------------------------------------------------------------------------------------------------

/// Return addresses of the innermost calls of the program's own code, which is linked below 4 GiB.
constexpr unsigned most_heap_callers = 12;
struct HeapCallers {
    std::uint32_t address[most_heap_callers] = {};
};

/// The distinct call stacks of all allocations, by number. Used under `blocks_lock`.
class CallerTable {
  public:
    std::uint32_t number_of(const HeapCallers& callers) {
        if (callers.address[0] == 0) return 0;
        std::uint32_t hash = 2166136261U;
        for (const std::uint32_t address : callers.address) hash = (hash ^ address) * 16777619U;
        for (std::uint32_t probe = 0; probe < most_probes; ++probe) {
            const std::uint32_t number = 1 + (hash + probe) % (capacity - 1);
            if (table_[number].address[0] == 0) table_[number] = callers;
            if (std::memcmp(&table_[number], &callers, sizeof callers) == 0) return number;
        }
        return 0;
    }
    [[nodiscard]] const HeapCallers& at(std::uint32_t number) const { return table_[number]; }

  private:
    static constexpr std::uint32_t capacity = 1U << 16U, most_probes = 64;
    HeapCallers table_[capacity];
};
CallerTable caller_table;

/// The program is compiled with frame pointers (-fno-omit-frame-pointer), so that unwinding costs two loads a frame.
HeapCallers follow_frames(const void* return_address, const void* frame) {
    constexpr std::uint64_t longest_frame = std::uint64_t{1} << 20U;
    HeapCallers found;
    std::uint64_t address = number_of(return_address), at = number_of(frame);
    for (unsigned i = 0; i < most_heap_callers && is_own_code(address); ++i) {
        found.address[i] = static_cast<std::uint32_t>(address);
        std::uint64_t above = 0;
        std::memcpy(&above, pointer_to(at), sizeof above);
        // After an overrun of an array on the stack, the frame pointer may have any value.
        if (above <= at || above - at > longest_frame || above % sizeof(void*) != 0 ||
            (Runtime::is_on_first_stack(at) && !Runtime::is_on_first_stack(above)))
            break;
        at = above;
        std::memcpy(&address, pointer_to(at) + sizeof(void*), sizeof address);
    }
    return found;
}

_Unwind_Reason_Code add_own_caller(_Unwind_Context* context, void* data) {
    const auto address = static_cast<std::uint64_t>(_Unwind_GetIP(context));
    if (!is_own_code(address)) return address == 0 ? _URC_END_OF_STACK : _URC_NO_REASON;
    for (std::uint32_t& caller : static_cast<HeapCallers*>(data)->address) {
        if (caller != 0) continue;
        caller = static_cast<std::uint32_t>(address);
        return _URC_NO_REASON;
    }
    return _URC_END_OF_STACK;
}

/// Libraries keep no frame pointers, and unwinding through them takes a microsecond: done for so many blocks only.
int unwinds_left = 10'000;
thread_local bool is_unwinding = false;

HeapCallers callers_above(const void* return_address, const void* frame) {
    if (is_own_code(number_of(return_address))) return follow_frames(return_address, frame);
    HeapCallers found;
    if (is_unwinding || __atomic_load_n(&unwinds_left, __ATOMIC_RELAXED) <= 0) return found;
    __atomic_fetch_sub(&unwinds_left, 1, __ATOMIC_RELAXED);
    is_unwinding = true;
    Runtime::unwind([](void* callers) { _Unwind_Backtrace(add_own_caller, callers); }, &found);
    is_unwinding = false;
    return found;
}

// --- What is reported ------------------------------------------------------------------------------------------------
// These functions do not allocate: a program that aborts may hold the heap's lock.

void report(FaultKind kind, const HeapBlock& block, HeapNotice notice, const char* what, int length) {
    Runtime& runtime = Runtime::get();
    const std::unique_lock<std::recursive_mutex> lock(runtime.mutex, std::try_to_lock);
    // Another thread holds the lock: after a crash it may wait for this one; otherwise a later check finds the block.
    if (!lock.owns_lock()) return;
    Header header;
    header.call = Call::fault;
    header.a = static_cast<std::uint64_t>(kind);
    header.b = block.address;
    header.c = static_cast<std::uint64_t>(notice);
    if (kind == FaultKind::heap_overrun)
        for (const std::uint32_t caller : caller_table.at(block.callers).address)
            if (caller != 0) header.caller[header.callers++] = caller;
    runtime.ask(header, what, static_cast<std::size_t>(std::max(length, 0)));
}

/// "1,234 bytes", as counted(), but without allocating: the heap is being checked.
struct Bytes {
    explicit Bytes(std::uint64_t number) {
        std::snprintf(text, sizeof text, "%llu byte%s", static_cast<unsigned long long>(number),
                      number == 1 ? "" : "s");
        std::size_t digits = std::strspn(text, "0123456789");
        while (digits > 3) {
            digits -= 3;
            std::memmove(text + digits + 1, text + digits, std::strlen(text + digits) + 1);
            text[digits] = ',';
        }
    }
    char text[40];
};

void report_overrun(const HeapBlock& block, const Overwritten& where, HeapNotice notice) {
    char text[240];
    const bool after = where.after != 0;
    const std::size_t bytes = after ? where.after : where.before;
    const bool many = bytes >= (after ? rear_margin : front_margin);
    const int length =
        std::snprintf(text, sizeof text, "host code writes %s a heap block of %s%s: %s%s %s it %s overwritten",
                      after ? "past the end of" : "before the beginning of", Bytes(block.bytes).text,
                      block.callers != 0 ? " that this line allocates" : "", many ? "at least " : "", Bytes(bytes).text,
                      after ? "after" : "before", bytes == 1 ? "is" : "are");
    report(FaultKind::heap_overrun, block, notice, text, std::min<int>(length, sizeof text - 1));
}

}  // namespace

HeapBlock heap_block_around(std::uint64_t address, std::size_t most_slots) {
    HeapBlock found;
    const Locked lock;
    if (const HeapBlock* const first = blocks.at(address); first != nullptr && first->live && first->bytes != 0)
        return *first;
    if (blocks.slots() > most_slots) return found;
    blocks.each([&](const HeapBlock& block) {
        const bool holds = address - block.address < block.bytes;
        if (holds) found = block;
        return !holds;
    });
    return found;
}

bool is_heap_between(std::uint64_t begin, std::uint64_t end) {
    bool found = false;
    const Locked lock;
    blocks.each([&](const HeapBlock& block) {
        found = block.address < end && begin < block.address + block.bytes;
        return !found;
    });
    return found;
}

void check_heap(HeapNotice notice) {
    constexpr std::size_t most_found = 32, slots_of_a_call = 4096;
    HeapBlock found[most_found];
    std::size_t count = 0;
    {
        const Locked lock;
        const auto look = [&](HeapBlock& block) {
            if (block.told || count == most_found || !overwritten_at(block).any()) return true;
            block.told = true;
            found[count++] = block;
            return true;
        };
        if (notice == HeapNotice::at_call)
            blocks.some(slots_of_a_call, look);
        else
            blocks.each(look);
        // One overrun may damage adjacent blocks: look at all of them.
        if (count > 0 && notice == HeapNotice::at_call) blocks.each(look);
    }
    std::sort(found, found + count, [](const HeapBlock& a, const HeapBlock& b) { return a.address < b.address; });
    std::uint64_t overrun_to = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Overwritten where = overwritten_at(found[i]);
        const bool run_over = overrun_to != 0 && where.before != 0 && found[i].begin() <= overrun_to + between_chunks;
        overrun_to = where.after != 0 ? found[i].address + found[i].bytes + rear_margin : 0;
        if (!run_over) report_overrun(found[i], where, notice);
    }
}

namespace {

void set_margins(unsigned char* block, std::size_t bytes) {
    std::memset(block - front_margin, margin_byte, front_margin);
    std::memset(block + bytes, margin_byte, rear_margin);
}

/// The bytes of the block with its margins; 0 if that overflows.
std::size_t with_margins(std::size_t bytes, std::size_t front) {
    return bytes > PTRDIFF_MAX - front - rear_margin ? 0 : front + bytes + rear_margin;
}

void* keep(void* memory, std::size_t front, std::size_t bytes, const void* return_address, const void* frame) {
    if (memory == nullptr) return nullptr;
    unsigned char* const at = static_cast<unsigned char*>(memory) + front;
    HeapBlock block;
    block.address = number_of(at);
    block.bytes = bytes;
    block.front = static_cast<std::uint8_t>(__builtin_ctzll(front));
    block.live = true;
    const HeapCallers callers = callers_above(return_address, frame);
    set_margins(at, bytes);
    const Locked lock;
    block.callers = caller_table.number_of(callers);
    if (blocks.add(block)) return at;
    __libc_free(memory);
    errno = ENOMEM;
    return nullptr;
}

void* allocate(std::size_t alignment, std::size_t bytes, bool zeroed, const void* return_address, const void* frame) {
    constexpr std::size_t most_alignment = std::size_t{1} << 30U;
    std::size_t front = front_margin;
    while (front < std::min(alignment, most_alignment)) front *= 2;
    const std::size_t all = with_margins(bytes, front);
    if (all == 0 || alignment > most_alignment) {
        errno = ENOMEM;
        return nullptr;
    }
    void* const memory = zeroed                         ? __libc_calloc(1, all)
                         : front <= alignment_of_malloc ? __libc_malloc(all)
                                                        : __libc_memalign(front, all);
    return keep(memory, front, bytes, return_address, frame);
}

/// Reports an invalid free and aborts, as glibc does.
[[noreturn]] void refuse_free(FaultKind kind, const HeapBlock& block, const char* what, int length,
                              const char* words_of_glibc) {
    report(kind, block, HeapNotice::at_free, what, length);
    std::fputs(words_of_glibc, stderr);
    std::abort();
}

/// Marks the block at the address as freed and returns it; an empty one if the block is another allocator's. An invalid
/// free ends the program.
HeapBlock take(void* pointer) {
    HeapBlock taken;
    {
        const Locked lock;
        if (HeapBlock* const found = blocks.at(number_of(pointer)); found != nullptr) {
            taken = *found;
            found->live = false;
        }
    }
    if (taken.live) return taken;
    char text[160];
    if (taken.address != 0) {
        const int length =
            std::snprintf(text, sizeof text, "host code frees a heap block of %s twice", Bytes(taken.bytes).text);
        refuse_free(FaultKind::double_free, taken, text, length, "free(): double free detected\n");
    }
    const std::uint64_t address = number_of(pointer);
    const HeapBlock around = heap_block_around(address);
    const bool of_variable = address >= number_of(&__executable_start) && address < number_of(&_end);
    const bool on_stack = Runtime::get().is_on_first_stack(address);
    if (of_variable || on_stack || around.bytes != 0) {
        const int length =
            std::snprintf(text, sizeof text, "host code frees an address that no allocation returned: %s",
                          of_variable ? "it is the address of a variable"
                          : on_stack  ? "it is the address of a local variable"
                                      : "it is within a heap block");
        refuse_free(FaultKind::invalid_free, around, text, length, "free(): invalid pointer\n");
    }
    return taken;
}

/// The block's entry in the table; address 0 if there is none.
HeapBlock block_at(void* pointer) {
    const Locked lock;
    const HeapBlock* const found = blocks.at(number_of(pointer));
    return found != nullptr ? *found : HeapBlock();
}

/// Checks the margins of a block before it is freed: afterwards glibc may overwrite them.
void look_at(void* pointer) {
    const HeapBlock block = block_at(pointer);
    if (block.live && !block.told && overwritten_at(block).any()) check_heap(HeapNotice::at_free);
}

void release(void* pointer) {
    if (pointer == nullptr) return;
    const int error = errno;
    look_at(pointer);
    const HeapBlock block = take(pointer);
    __libc_free(block.live ? pointer_to(block.begin()) : pointer);
    errno = error;
}

void* reallocate(void* old, std::size_t bytes, const void* return_address, const void* frame) {
    if (old == nullptr) return allocate(alignment_of_malloc, bytes, false, return_address, frame);
    if (bytes == 0) {
        release(old);
        return nullptr;
    }
    const std::size_t all = with_margins(bytes, front_margin);
    if (all == 0) {
        errno = ENOMEM;
        return nullptr;
    }
    look_at(old);
    HeapBlock block = block_at(old);
    if (block.live && number_of(old) - block.begin() == front_margin) {
        // glibc may give the address to another thread at once, so the table must release it first.
        block = take(old);
        void* const memory = __libc_realloc(pointer_to(block.begin()), all);
        if (memory != nullptr) return keep(memory, front_margin, bytes, return_address, frame);
        const Locked lock;
        blocks.add(block);
        return nullptr;
    }
    if (!block.live) {
        take(old);
        return __libc_realloc(old, bytes);
    }
    void* const moved = allocate(alignment_of_malloc, bytes, false, return_address, frame);
    if (moved == nullptr) return nullptr;
    std::memcpy(moved, old, std::min<std::size_t>(block.bytes, bytes));
    release(old);
    return moved;
}

bool is_power_of_two(std::size_t number) { return number != 0 && (number & (number - 1)) == 0; }

void* allocate_new(std::size_t alignment, std::size_t bytes, bool throws, const void* return_address,
                   const void* frame) {
    while (true) {
        if (void* const block = allocate(alignment, std::max<std::size_t>(bytes, 1), false, return_address, frame))
            return block;
        const std::new_handler handler = std::get_new_handler();
        if (handler == nullptr && !throws) return nullptr;
        if (handler == nullptr) throw std::bad_alloc();
        handler();
    }
}

}  // namespace

}  // namespace lanescope::host

// --- In place of the C library's and of libstdc++'s ------------------------------------------------------------------

#define LANESCOPE_CALLER __builtin_return_address(0), __builtin_frame_address(0)

using namespace lanescope::host;

extern "C" {

void* malloc(std::size_t bytes) noexcept { return allocate(alignment_of_malloc, bytes, false, LANESCOPE_CALLER); }
void* calloc(std::size_t count, std::size_t bytes) noexcept {
    std::size_t all = 0;
    if (__builtin_mul_overflow(count, bytes, &all)) all = SIZE_MAX;
    return allocate(alignment_of_malloc, all, true, LANESCOPE_CALLER);
}
void* realloc(void* old, std::size_t bytes) noexcept { return reallocate(old, bytes, LANESCOPE_CALLER); }
void* reallocarray(void* old, std::size_t count, std::size_t bytes) noexcept {
    std::size_t all = 0;
    if (__builtin_mul_overflow(count, bytes, &all)) all = SIZE_MAX;
    return reallocate(old, all, LANESCOPE_CALLER);
}
void* memalign(std::size_t alignment, std::size_t bytes) noexcept {
    return allocate(alignment, bytes, false, LANESCOPE_CALLER);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept {
    return allocate(alignment, bytes, false, LANESCOPE_CALLER);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) noexcept {
    if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
    const int error = errno;
    void* const found = allocate(alignment, bytes, false, LANESCOPE_CALLER);
    errno = error;
    if (found == nullptr) return ENOMEM;
    *block = found;
    return 0;
}
void* valloc(std::size_t bytes) noexcept { return allocate(4096, bytes, false, LANESCOPE_CALLER); }
void* pvalloc(std::size_t bytes) noexcept {
    return allocate(4096, (bytes + 4095) / 4096 * 4096, false, LANESCOPE_CALLER);
}
std::size_t malloc_usable_size(void* block) noexcept {
    const HeapBlock found = block_at(block);
    return found.live ? found.bytes : 0;
}
void free(void* block) noexcept { release(block); }

}  // extern "C"

// An allocation's line is that of the caller, which a call through libstdc++ would hide.
void* operator new(std::size_t bytes) { return allocate_new(alignment_of_malloc, bytes, true, LANESCOPE_CALLER); }
void* operator new[](std::size_t bytes) { return allocate_new(alignment_of_malloc, bytes, true, LANESCOPE_CALLER); }
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
    return allocate_new(alignment_of_malloc, bytes, false, LANESCOPE_CALLER);
}
void* operator new[](std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept {
    return allocate_new(alignment_of_malloc, bytes, false, LANESCOPE_CALLER);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
    return allocate_new(static_cast<std::size_t>(alignment), bytes, true, LANESCOPE_CALLER);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
    return allocate_new(static_cast<std::size_t>(alignment), bytes, true, LANESCOPE_CALLER);
}
void operator delete(void* block) noexcept { free(block); }
void operator delete[](void* block) noexcept { free(block); }
void operator delete(void* block, std::size_t /*bytes*/) noexcept { free(block); }
void operator delete[](void* block, std::size_t /*bytes*/) noexcept { free(block); }
void operator delete(void* block, std::align_val_t /*alignment*/) noexcept { free(block); }
void operator delete[](void* block, std::align_val_t /*alignment*/) noexcept { free(block); }
