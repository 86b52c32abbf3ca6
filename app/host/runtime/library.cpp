#include "host/runtime/library.h"

#include "base/grouped.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <utility>

namespace lanescope::host {

void* library_function(const char* variable, const char* library, const char* function) {
    static auto* const opened = new std::map<std::string, void*>;
    void*& handle = (*opened)[variable];
    const char* const path = std::getenv(variable);
    if (handle == nullptr && path != nullptr) handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void* const found = handle != nullptr ? dlsym(handle, function) : nullptr;
    if (found != nullptr) return found;
    constexpr int exit_without_library = 125;
    std::fprintf(stderr, "lanescope runtime: %s is called, and %s cannot be loaded%s%s\n", function, library,
                 handle == nullptr ? ": " : "", handle == nullptr && path != nullptr ? dlerror() : "");
    std::exit(exit_without_library);
}

bool are_accessible(const std::vector<DeviceRange>& ranges, const char* function) {
    Runtime& runtime = Runtime::get();
    for (const DeviceRange& range : ranges) {
        if (range.bytes == 0) continue;
        const auto address = reinterpret_cast<std::uint64_t>(range.pointer);
        const std::string which = std::string("the ") + range.which + " of " + function;
        const Allocation* const allocation = runtime.find(range.pointer);
        if (!Runtime::is_device_address(range.pointer)) {
            runtime.fault(FaultKind::wrong_direction, address, range.bytes, which + " is host memory");
            return false;
        }
        if (allocation == nullptr || allocation->freed) {
            const bool freed = allocation != nullptr;
            runtime.fault(freed ? FaultKind::use_after_free : FaultKind::copy_past_end, address, range.bytes,
                          which + (freed ? " was freed before" : " is outside all allocations"));
            return false;
        }
        const std::uint64_t left = allocation->address + allocation->bytes - address;
        if (range.bytes > left) {
            runtime.fault(FaultKind::copy_past_end, address, range.bytes,
                          which + " reaches " + counted(range.bytes - left, "byte") + " past its end");
            return false;
        }
    }
    return true;
}

LibraryStep::LibraryStep(std::string label, std::vector<DeviceRange> reads, std::vector<DeviceRange> writes, bool waits)
    : label_(std::move(label)), reads_(std::move(reads)), writes_(std::move(writes)) {
    Runtime& runtime = Runtime::get();
    if (waits)
        runtime.synchronize();
    else
        runtime.begin_kernel();
    Header header;
    for (const DeviceRange& range : reads_) {
        if (range.bytes == 0) continue;
        header.call = Call::use;
        header.a = reinterpret_cast<std::uint64_t>(range.pointer);
        header.b = range.bytes;
        runtime.ask(header);
    }
    for (const DeviceRange& range : writes_) {
        if (range.bytes == 0) continue;
        header.call = Call::overwrite;
        header.a = reinterpret_cast<std::uint64_t>(range.pointer);
        header.b = range.bytes;
        runtime.ask(header);
    }
}

LibraryStep::~LibraryStep() {
    Runtime& runtime = Runtime::get();
    const bool writes = !writes_.empty();
    std::size_t moved = 0;
    std::uint64_t step = 0;
    std::vector<AccessedSpan> spans;
    const auto add = [&](const DeviceRange& range, std::uint64_t uses) {
        if (range.bytes > 0) spans.push_back({reinterpret_cast<std::uint64_t>(range.pointer), range.bytes, uses});
    };
    for (const DeviceRange& range : reads_) add(range, AccessedSpan::reads);
    for (const DeviceRange& range : writes_) add(range, AccessedSpan::writes);
    for (const DeviceRange& range : writes ? writes_ : reads_) {
        moved += range.bytes;
        Header header;
        header.call = writes ? Call::write : Call::read;
        header.a = reinterpret_cast<std::uint64_t>(range.pointer);
        header.b = range.bytes;
        header.c = static_cast<std::uint64_t>(WriteKind::by_library);
        step = runtime.ask(header, label_.data(), label_.size()).step;
        if (!writes) break;  // a call that only reads is one step
    }
    runtime.order.accesses(step, std::move(spans));
    runtime.now_ns += transfer_ns(moved, false);
}

}  // namespace lanescope::host
