#include "trace/file.h"

#include "base/files.h"
#include "trace/container.h"
#include "trace/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

namespace lanescope::trace {

namespace {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string reason() { return std::strerror(errno); }

std::unexpected<Problem> cannot_write(const std::filesystem::path& path, const std::string& why) {
    return fail(fmt::format("the trace cannot be written ({})", why), Place{.file = path.string()},
                "Choose an existing, writable folder with free space.");
}

}  // namespace

std::vector<std::byte> to_bytes(const Trace& trace) {
    const auto has = [&](Finding::Kind kind) {
        return std::ranges::find(trace.findings, kind, &Finding::kind) != trace.findings.end();
    };
    const bool of_program = !trace.host_steps.empty() || !trace.host_end.empty();
    const bool several = of_program && (!trace.origin.other_sources.empty() || trace.running);
    const bool with_blocks = std::ranges::any_of(
        trace.launches, [](const Launch& launch) { return !launch.blocks.empty() || launch.resident != 0; });
    const bool with_residency =
        std::ranges::any_of(trace.launches, [](const Launch& launch) { return launch.residency.given(); });
    const bool with_calls =
        std::ranges::find(trace.host_steps, HostStep::Kind::call, &HostStep::kind) != trace.host_steps.end();
    const bool with_sources =
        has_sparse_buffers(trace) || several || !trace.remarks.empty() || has(Finding::Kind::infinite_loop);
    const bool with_schedule = has_schedule_or_stacks(trace) || has(Finding::Kind::stack_overflow);
    const bool with_cut =
        std::ranges::any_of(trace.launches, [](const Launch& launch) { return launch.cut.has_value(); });
    return pack(encode(trace), with_cut                            ? file_version
                               : has(Finding::Kind::missing_fence) ? fence_file_version
                               : has_arrays_by_launch(trace)       ? arrays_file_version
                               : has_repeated_findings(trace)      ? again_file_version
                               : with_schedule                     ? schedule_file_version
                               : with_calls                        ? calls_file_version
                               : with_residency                    ? residency_file_version
                               : with_blocks                       ? blocks_file_version
                               : with_sources                      ? sources_file_version
                               : of_program                        ? program_file_version
                                                                   : oldest_file_version);
}

Result<std::shared_ptr<const Trace>> from_bytes(std::span<const std::byte> bytes, const std::string& file) {
    const auto payload = unpack(bytes, oldest_file_version, file_version, file);
    if (!payload) return std::unexpected(payload.error());
    return decode(*payload, file);
}

bool looks_like_trace(std::span<const std::byte> first_bytes) { return has_magic(first_bytes); }

bool is_trace_file(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) return false;
    const File file(std::fopen(path.c_str(), "rb"));
    std::array<std::byte, 8> first{};
    return file && looks_like_trace(std::span(first).first(std::fread(first.data(), 1, first.size(), file.get())));
}

Result<void> save(const Trace& trace, const std::filesystem::path& path) {
    const std::vector<std::byte> bytes = to_bytes(trace);
    if (const auto written = write_file(path, std::span(bytes)); !written) return cannot_write(path, written.error());
    return {};
}

Result<std::shared_ptr<const Trace>> load(const std::filesystem::path& path) {
    const auto cannot_read = [&](const std::string& why) {
        return fail(fmt::format("the trace cannot be read ({})", why), Place{.file = path.string()},
                    "Check the path and the file's permissions.");
    };
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) return cannot_read("it is a folder");
    const File file(std::fopen(path.c_str(), "rb"));
    if (!file) return cannot_read(reason());
    std::vector<std::byte> bytes;
    std::vector<std::byte> piece(std::size_t{1} << 16);
    while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), file.get())) {
        bytes.insert(bytes.end(), piece.begin(), piece.begin() + static_cast<std::ptrdiff_t>(got));
        // A long file that is not a trace is refused before it is read to its end.
        if (bytes.size() <= piece.size() && !has_magic(bytes)) break;
    }
    if (std::ferror(file.get()) != 0) return cannot_read(reason());
    return from_bytes(bytes, path.string());
}

}  // namespace lanescope::trace
