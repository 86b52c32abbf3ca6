#include "host/source_lines.h"

#include "base/child_process.h"
#include "host/variable_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace lanescope::host {

namespace {

struct Frame {
    std::string function;
    Place where;
};

/// "/home/x/a.cu:12 (discriminator 3)"
Place place_of(std::string_view text) {
    text = text.substr(0, text.find(" ("));
    const std::size_t colon = text.rfind(':');
    Place place;
    if (colon == std::string_view::npos) return place;
    const std::string_view number = text.substr(colon + 1);
    unsigned line = 0;
    if (std::from_chars(number.data(), number.data() + number.size(), line).ec != std::errc{}) return place;
    place.file = text.substr(0, colon);
    place.line = line;
    return place;
}

/// Frames of each address, the innermost inlined one first.
std::map<std::uint64_t, std::vector<Frame>> frames_of(const std::filesystem::path& program,
                                                      const std::set<std::uint64_t>& addresses) {
    std::map<std::uint64_t, std::vector<Frame>> frames;
    constexpr std::size_t at_once = 2000;  // addresses on one command line
    for (auto at = addresses.begin(); at != addresses.end();) {
        std::vector<std::string> arguments{"-a", "-f", "-C", "-i", "-e", program.string()};
        for (std::size_t i = 0; i < at_once && at != addresses.end(); ++i, ++at)
            arguments.push_back(fmt::format("{:#x}", *at - 1));  // within the call, not after it
        auto child = ChildProcess::start({.program = "addr2line", .arguments = std::move(arguments)});
        if (!child) return frames;
        std::vector<std::string> lines;
        do {
            std::ranges::move(child->lines(), std::back_inserter(lines));
            if (!child->ending()) child->wait(std::chrono::milliseconds(100));
        } while (!child->ending());
        std::uint64_t address = 0;
        for (std::size_t i = 0; i < lines.size();) {
            if (lines[i].starts_with("0x")) {
                std::from_chars(lines[i].data() + 2, lines[i].data() + lines[i].size(), address, 16);
                ++i;
            } else if (i + 1 < lines.size()) {
                frames[address + 1].push_back({lines[i], place_of(lines[i + 1])});
                i += 2;
            } else {
                break;
            }
        }
    }
    return frames;
}

}  // namespace

void find_lines(const std::filesystem::path& program, const std::vector<std::filesystem::path>& sources,
                std::vector<HostStep>& steps) {
    std::set<std::uint64_t> addresses;
    for (const HostStep& step : steps) addresses.insert(step.callers.begin(), step.callers.end());
    if (addresses.empty()) return;
    const auto frames = frames_of(program, addresses);
    for (HostStep& step : steps) {
        std::vector<const Frame*> stack;
        for (const std::uint64_t address : step.callers)
            if (const auto found = frames.find(address); found != frames.end())
                for (const Frame& frame : found->second) stack.push_back(&frame);
        // A launch is made by nvcc's stub, which the kernel's own host function calls: the launching line is above
        // both.
        const auto stub = std::ranges::find_if(stack.rbegin(), stack.rend(), [](const Frame* frame) {
            return frame->function.find("__device_stub_") != std::string::npos;
        });
        const std::ptrdiff_t skipped =
            stub == stack.rend() ? 0 : std::min(stub.base() - stack.begin() + 1, std::ssize(stack));
        const auto own = std::find_if(stack.begin() + skipped, stack.end(),
                                      [&](const Frame* frame) { return lies_in(frame->where.file, sources); });
        if (own == stack.end()) continue;
        step.where = (*own)->where;
        step.function = (*own)->function;
    }
}

}  // namespace lanescope::host
