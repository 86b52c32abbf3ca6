#include "compile/probe.h"

#include "base/whole_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::compile {

namespace {

constexpr std::string_view probe_name = "lanescope_value";

/// `.visible .global .align 8 .u64 lanescope_value = 1024;`; a zero has no initializer.
std::optional<std::int64_t> initializer_in(std::string_view ptx) {
    const std::size_t at = ptx.find(probe_name);
    if (at == std::string_view::npos) return std::nullopt;
    std::string_view rest = ptx.substr(at + probe_name.size());
    rest = rest.substr(0, rest.find(';'));
    const std::size_t equals = rest.find("= ");
    if (equals == std::string_view::npos) return 0;
    rest.remove_prefix(equals + 2);
    if (const auto value = whole_number<std::int64_t>(rest)) return value;
    const auto bits = whole_number<std::uint64_t>(rest);
    return bits ? std::optional(static_cast<std::int64_t>(*bits)) : std::nullopt;
}

}  // namespace

std::string state_of(const CompileRequest& request) {
    std::string state = request.source;
    for (const auto& [name, value] : request.defines) state += fmt::format("\n-D{}={}", name, value);
    for (const std::string& option : request.options) state += '\n' + option;
    std::error_code error;
    for (const std::filesystem::path& include : request.include) {
        std::filesystem::file_time_type newest{};
        const std::filesystem::path folder = include.empty() ? "." : include;
        for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
            std::error_code unreadable;
            const auto written = at->last_write_time(unreadable);
            if (!unreadable) newest = std::max(newest, written);
        }
        state += fmt::format("\n-I{} {}", include.string(), newest.time_since_epoch().count());
    }
    return state;
}

std::shared_ptr<const CompileOutput> answer_to(const CompileRequest& request) {
    constexpr std::size_t most_kept = 16;  // of the source that is edited; PTX with a library in it has megabytes
    static std::mutex mutex;
    static std::map<std::string, std::shared_ptr<const CompileOutput>> known;
    std::string question =
        fmt::format("{} {} {} {}\n", request.name, static_cast<int>(request.view), request.arch, state_of(request));
    for (const std::string& instance : request.instantiate) question += instance + '\n';
    {
        const std::scoped_lock lock(mutex);
        if (const auto found = known.find(question); found != known.end()) return found->second;
    }
    auto output = compile(request);
    auto answer = output ? std::make_shared<const CompileOutput>(*std::move(output)) : nullptr;
    const std::scoped_lock lock(mutex);
    if (known.size() >= most_kept) known.clear();
    known.emplace(std::move(question), answer);
    return answer;
}

std::optional<std::int64_t> constant_value(const CompileRequest& request, const std::string& name) {
    static std::mutex mutex;
    static std::map<std::pair<std::string, std::string>, std::optional<std::int64_t>> known;
    const std::pair question(state_of(request), name);
    {
        const std::scoped_lock lock(mutex);
        if (const auto found = known.find(question); found != known.end()) return found->second;
    }
    CompileRequest asked = request;
    asked.view = View::compiled;
    asked.instantiate.clear();
    // Braces reject narrowing conversions: 0.5, or a number of more than 64 bits.
    asked.source += fmt::format("\n__device__ long long {}{{{}}};\n", probe_name, name);
    const auto output = compile(asked);
    const std::optional<std::int64_t> value = output ? initializer_in(output->ptx) : std::nullopt;
    const std::scoped_lock lock(mutex);
    known.emplace(question, value);
    return value;
}

CompileRequest with_types(const CompileRequest& request, const std::string& scope,
                          const std::vector<std::string>& types) {
    std::string parameters, uses;
    for (std::size_t i = 0; i < types.size(); ++i) {
        parameters += fmt::format("{}{}* p{}", i == 0 ? "" : ", ", types[i], i);
        // NVRTC omits the members of a type that is only used by a pointer.
        uses += fmt::format(" auto* next{} = p{} + 1; (void)next{};", i, i, i);
    }
    CompileRequest asked = request;
    asked.view = View::written;
    asked.instantiate.clear();
    asked.source += fmt::format("\n{}__global__ void {}({}) {{{} }}{}\n",
                                scope.empty() ? "" : fmt::format("namespace {} {{ ", scope), types_kernel, parameters,
                                uses, scope.empty() ? "" : " }");
    return asked;
}

}  // namespace lanescope::compile
