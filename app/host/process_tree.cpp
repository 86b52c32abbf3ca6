#include "host/process_tree.h"

#include "base/files.h"
#include "base/whole_number.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>

namespace lanescope::host {

namespace {

struct OneProcess {
    pid_t parent = 0, group = 0;
    std::uint64_t ticks = 0;  ///< CPU time, with that of children it has waited for
};

std::optional<OneProcess> read_process(const std::filesystem::path& folder) {
    const auto text = read_file(folder / "stat");
    // The name of the executable, in parentheses, may hold anything.
    const std::size_t name_ends = text ? text->rfind(')') : std::string::npos;
    if (name_ends == std::string::npos) return std::nullopt;
    std::istringstream in(text->substr(name_ends + 1));
    std::string state;
    OneProcess process;
    in >> state >> process.parent >> process.group;
    constexpr int from_session_to_cmajflt = 8;
    std::string skipped;
    for (int i = 0; i < from_session_to_cmajflt; ++i) in >> skipped;
    constexpr int times = 4;  // utime, stime, cutime, cstime
    for (int i = 0; i < times; ++i) {
        std::int64_t ticks = 0;
        in >> ticks;
        process.ticks += static_cast<std::uint64_t>(std::max<std::int64_t>(ticks, 0));
    }
    return in ? std::optional(process) : std::nullopt;
}

/// "RssAnon:	    1234 kB"
std::uint64_t bytes_of(std::string_view status, std::string_view name) {
    const std::size_t at = status.find(name);
    if (at == std::string_view::npos) return 0;
    std::istringstream in(std::string(status.substr(at + name.size(), 40)));
    std::uint64_t kibibytes = 0;
    in >> kibibytes;
    return kibibytes << 10U;
}

}  // namespace

TreeUse use_of_tree(pid_t process) {
    std::unordered_map<pid_t, OneProcess> all;
    std::error_code error;
    for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
         entry.increment(error)) {
        const auto number = whole_number<pid_t>(entry->path().filename().string());
        if (!number) continue;
        if (const auto read = read_process(entry->path())) all.emplace(*number, *read);
    }
    const auto belongs = [&](pid_t number) {
        // At most one step per process: /proc is read one process after the other, so parents may form a cycle.
        for (std::size_t i = 0; i <= all.size(); ++i) {
            if (number == process) return true;
            const auto found = all.find(number);
            if (found == all.end()) return false;
            if (found->second.group == process) return true;
            number = found->second.parent;
        }
        return false;
    };
    TreeUse use;
    const auto ticks_per_second = static_cast<std::uint64_t>(std::max(sysconf(_SC_CLK_TCK), 1L));
    std::uint64_t ticks = 0;
    for (const auto& [number, one] : all) {
        if (!belongs(number)) continue;
        ++use.processes;
        ticks += one.ticks;
        const auto status = read_file("/proc/" + std::to_string(number) + "/status");
        if (!status) continue;
        use.own_bytes += bytes_of(*status, "RssAnon:");
        use.shared_bytes += bytes_of(*status, "RssShmem:");
    }
    constexpr std::uint64_t milliseconds = 1000;
    use.cpu = std::chrono::milliseconds(ticks * milliseconds / ticks_per_second);
    return use;
}

std::uint64_t threads_of_machine() {
    const auto text = read_file("/proc/loadavg");  // "0.20 0.18 0.12 1/80 11206"
    const std::size_t slash = text ? text->find('/') : std::string::npos;
    if (slash == std::string::npos) return 0;
    std::uint64_t threads = 0;
    std::istringstream(text->substr(slash + 1)) >> threads;
    return threads;
}

}  // namespace lanescope::host
