#include "base/machine_memory.h"

#include "base/files.h"
#include "base/grouped.h"
#include "base/whole_number.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <limits>
#include <string>

namespace lanescope {

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

/// The number in a file of the system; `no_limit` if the file says "max" or does not exist.
std::uint64_t limit_in(const char* file) {
    const std::string text = read_file(file).value_or("");
    std::string_view rest = text;
    const std::uint64_t limit = take_number<std::uint64_t>(rest).value_or(0);
    return limit > 0 ? limit : no_limit;
}

std::uint64_t page_bytes() { return static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)); }

}  // namespace

std::uint64_t machine_memory() {
    static const std::uint64_t bytes = [] {
        const std::uint64_t physical = static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * page_bytes();
        return std::min(
            {physical, limit_in("/sys/fs/cgroup/memory.max"), limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
    }();
    return bytes;
}

std::uint64_t memory_taken() {
    const std::string text = read_file("/proc/self/statm").value_or("");
    std::string_view rest = text;
    rest.remove_prefix(std::min(rest.find(' '), rest.size() - 1) + 1);
    return take_number<std::uint64_t>(rest).value_or(0) * page_bytes();
}

std::uint64_t peak_memory_taken() {
    constexpr std::uint64_t kilobyte = 1024;  // ru_maxrss counts them
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * kilobyte;
}

std::string memory_cap_reached(std::uint64_t cap) {
    return "emulated memory has reached its cap of " + counted(cap, "byte") +
           ", three quarters of this machine's memory";
}

}  // namespace lanescope
