// Calls by which the operating system reads or writes the program's memory: write, read, fwrite, fread and the like.
// For a protected page, which a kernel or copy may still use, they return EFAULT, whereas an access by host code faults
// and is handled. So the pages are touched before such a call.
#include "host/runtime/runtime.h"

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>

namespace lanescope::host {

namespace {

enum class Use { reads, writes };  ///< of the memory, by the system

void touch(const void* memory, std::size_t bytes, Use use) {
    const bool of_device = Runtime::is_device_address(memory);
    if (bytes == 0 || (!of_device && !Runtime::any_registered())) return;
    Runtime& runtime = Runtime::get();
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const auto first = reinterpret_cast<std::uint64_t>(memory), last = first + bytes - 1;
    for (std::uint64_t at = first; at <= last; at = (at / page + 1) * page) {
        auto* const pointer = reinterpret_cast<unsigned char*>(at);
        {
            const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
            if (!of_device) {
                if (runtime.device_pointer_of(pointer) == nullptr) continue;
            } else {
                const Allocation* const allocation = runtime.find(pointer);
                if (allocation == nullptr || allocation->freed) return;
                if (!allocation->host_may_access()) {
                    runtime.fault(FaultKind::host_access, at, 0,
                                  "host code passes a device pointer to a function of the system, which fails "
                                  "(EFAULT)");
                    return;
                }
            }
        }
        volatile unsigned char* const byte = pointer;
        const unsigned char value = *byte;
        if (use == Use::writes) *byte = value;
    }
}

void touch(const iovec* parts, int count, Use use) {
    for (int i = 0; i < count; ++i) touch(parts[i].iov_base, parts[i].iov_len, use);
}

/// Calls the C library's function.
template <class Function>
Function* next(Function*, const char* name) {
    return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

}  // namespace lanescope::host

using lanescope::host::next, lanescope::host::touch, lanescope::host::Use;

#define LANESCOPE_NEXT(name)                      \
    static const auto own = next(&::name, #name); \
    return own

extern "C" {

ssize_t write(int file, const void* from, std::size_t bytes) {
    touch(from, bytes, Use::reads);
    LANESCOPE_NEXT(write)(file, from, bytes);
}
ssize_t pwrite(int file, const void* from, std::size_t bytes, off_t at) {
    touch(from, bytes, Use::reads);
    LANESCOPE_NEXT(pwrite)(file, from, bytes, at);
}
ssize_t pwrite64(int file, const void* from, std::size_t bytes, off64_t at) {
    touch(from, bytes, Use::reads);
    LANESCOPE_NEXT(pwrite64)(file, from, bytes, at);
}
ssize_t writev(int file, const iovec* parts, int count) {
    touch(parts, count, Use::reads);
    LANESCOPE_NEXT(writev)(file, parts, count);
}
ssize_t read(int file, void* to, std::size_t bytes) {
    touch(to, bytes, Use::writes);
    LANESCOPE_NEXT(read)(file, to, bytes);
}
ssize_t pread(int file, void* to, std::size_t bytes, off_t at) {
    touch(to, bytes, Use::writes);
    LANESCOPE_NEXT(pread)(file, to, bytes, at);
}
ssize_t pread64(int file, void* to, std::size_t bytes, off64_t at) {
    touch(to, bytes, Use::writes);
    LANESCOPE_NEXT(pread64)(file, to, bytes, at);
}
ssize_t readv(int file, const iovec* parts, int count) {
    touch(parts, count, Use::writes);
    LANESCOPE_NEXT(readv)(file, parts, count);
}
std::size_t fwrite(const void* from, std::size_t bytes, std::size_t count, FILE* file) {
    touch(from, bytes * count, Use::reads);
    LANESCOPE_NEXT(fwrite)(from, bytes, count, file);
}
std::size_t fwrite_unlocked(const void* from, std::size_t bytes, std::size_t count, FILE* file) {
    touch(from, bytes * count, Use::reads);
    LANESCOPE_NEXT(fwrite_unlocked)(from, bytes, count, file);
}
std::size_t fread(void* to, std::size_t bytes, std::size_t count, FILE* file) {
    touch(to, bytes * count, Use::writes);
    LANESCOPE_NEXT(fread)(to, bytes, count, file);
}
std::size_t fread_unlocked(void* to, std::size_t bytes, std::size_t count, FILE* file) {
    touch(to, bytes * count, Use::writes);
    LANESCOPE_NEXT(fread_unlocked)(to, bytes, count, file);
}
/// strlen() touches each page.
int fputs(const char* text, FILE* file) {
    touch(text, std::strlen(text), Use::reads);
    LANESCOPE_NEXT(fputs)(text, file);
}
int puts(const char* text) {
    touch(text, std::strlen(text), Use::reads);
    LANESCOPE_NEXT(puts)(text);
}

// The functions that _FORTIFY_SOURCE substitutes in an optimized program; Ubuntu's g++ sets it.
ssize_t __read_chk(int file, void* to, std::size_t bytes, std::size_t room) {
    touch(to, bytes, Use::writes);
    LANESCOPE_NEXT(__read_chk)(file, to, bytes, room);
}
ssize_t __pread_chk(int file, void* to, std::size_t bytes, off_t at, std::size_t room) {
    touch(to, bytes, Use::writes);
    LANESCOPE_NEXT(__pread_chk)(file, to, bytes, at, room);
}
ssize_t __pread64_chk(int file, void* to, std::size_t bytes, off64_t at, std::size_t room) {
    touch(to, bytes, Use::writes);
    LANESCOPE_NEXT(__pread64_chk)(file, to, bytes, at, room);
}
std::size_t __fread_chk(void* to, std::size_t room, std::size_t bytes, std::size_t count, FILE* file) {
    touch(to, bytes * count, Use::writes);
    LANESCOPE_NEXT(__fread_chk)(to, room, bytes, count, file);
}
std::size_t __fread_unlocked_chk(void* to, std::size_t room, std::size_t bytes, std::size_t count, FILE* file) {
    touch(to, bytes * count, Use::writes);
    LANESCOPE_NEXT(__fread_unlocked_chk)(to, room, bytes, count, file);
}

}  // extern "C"
