// Measures NVIDIA's cub::DeviceReduce and cub::DeviceScan by the same rules as the kernels. NVRTC does not compile
// them, so nvcc of an installed toolkit builds a small program, which is cached like other compilations.
#include "base/embedded.h"
#include "base/files.h"
#include "cli/time_children.h"
#include "compile/cache.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>
#include <algorithm>
#include <cstdlib>

namespace lanescope::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view source_name = "app/execute/gpu/cub_helper.cu";

/// nvcc in CUDA_HOME, in the usual place, or in PATH.
std::optional<fs::path> find_nvcc() {
    std::vector<fs::path> places;
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
        if (const char* root = std::getenv(name); root != nullptr && *root != '\0')
            places.push_back(fs::path(root) / "bin");
    places.emplace_back("/usr/local/cuda/bin");
    const char* const path = std::getenv("PATH");
    const std::string_view folders = path != nullptr ? path : "";
    for (std::size_t begin = 0; begin < folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        places.emplace_back(folders.substr(begin, end - begin));
        begin = end + 1;
    }
    std::error_code error;
    for (const fs::path& place : places)
        if (fs::is_regular_file(place / "nvcc", error)) return place / "nvcc";
    return std::nullopt;
}

}  // namespace

Result<fs::path> TimeChildren::built_cub_helper(CubBuild build) {
    const auto nvcc = find_nvcc();
    if (!nvcc) {
        return fail("cub::DeviceReduce and cub::DeviceScan need nvcc, which is not installed", {},
                    "Install the CUDA Toolkit, or omit --cub.");
    }
    const std::string_view source = embedded_file(source_name).value_or("");
    std::error_code error;
    const auto cache = compile::Cache::of_environment().folder();
    if (!cache)
        return fail("there is no cache folder for the program that calls CUB", {}, "Set LANESCOPE_CACHE to a folder.");
    const fs::path& folder = *cache;
    const std::string name = fmt::format("cub-{:016x}", std::hash<std::string_view>()(source));
    const bool library = build == CubBuild::library;
    const fs::path program = folder / (library ? name + ".so" : name), text = folder / (name + ".cu");
    if (fs::exists(program, error)) return program;
    fs::create_directories(folder, error);
    if (const auto written = write_file(text, source); !written)
        return fail(fmt::format("{} cannot be written: {}", text.string(), written.error()));
    // Under another name until it is complete: another process may read it.
    const fs::path unfinished = folder / fmt::format("{}.{}", name, getpid());
    std::string errors;
    constexpr std::chrono::minutes longest_build{5};
    std::vector<std::string> arguments{"-O3", "-std=c++17", "-arch=native"};
    if (library) arguments.insert(arguments.end(), {"-shared", "-Xcompiler", "-fPIC"});
    arguments.insert(arguments.end(), {"-o", unfinished.string(), text.string()});
    const auto ending = follow(
        {.program = *nvcc, .arguments = std::move(arguments), .longest_silence = longest_build},
        [](const timing::Event&) {}, errors);
    if (!ending) return std::unexpected(ending.error());
    if (!*ending) return fail("cancelled");
    if (!(*ending)->fine()) return fail(fmt::format("nvcc cannot build the program that calls CUB: {}", errors));
    fs::rename(unfinished, program, error);
    if (error) return fail(fmt::format("{} cannot be written: {}", program.string(), error.message()));
    return program;
}

Result<void> TimeChildren::cub(const timing::Recording& recording) {
    const auto program = built_cub_helper(CubBuild::program);
    if (!program) return std::unexpected(program.error());
    std::vector<std::string> types = options_.types;
    if (types.empty()) types = {"int", "float"};
    for (const std::string& type : types) {
        std::vector<std::uint64_t> sizes;
        for (const std::uint64_t n : options_.n) {
            const auto measured = std::ranges::count_if(recording.points, [&](const timing::Point& point) {
                return point.kernel.starts_with("cub::") && point.element == type && point.n == n;
            });
            if (measured < 2) sizes.push_back(n);
        }
        if (sizes.empty()) continue;
        std::optional<Problem> problem;
        std::string errors;
        const auto ending = follow(
            {.program = *program,
             .arguments = {type, std::to_string(options_.samples), fmt::format("{}", options_.spend),
                           fmt::format("{}", fmt::join(sizes, " "))},
             .longest_silence = limit()},
            [&](const timing::Event& event) {
                if (const auto* reported = std::get_if<Problem>(&event))
                    problem = *reported;
                else
                    on_event_(event);
            },
            errors);
        if (!ending) return std::unexpected(ending.error());
        if (problem) return std::unexpected(*problem);
        if (!*ending) return {};
        if (!(*ending)->fine())
            return fail("CUB is not measured: " + what_happened(**ending, options_.limit_seconds, errors));
    }
    return {};
}

}  // namespace lanescope::cli
