// Trace <-> one versioned, compressed file (.lanescope). Opens anywhere, without the kernel.
#pragma once

#include "base/result.h"
#include "trace/trace.h"

#include <filesystem>
#include <memory>

namespace lanescope::trace {

/// The version that a trace is written with is the oldest one that has what it contains, so that older builds read what
/// they know: 5, the steps of a whole program; 6, remarks, infinite loops, several source files, large buffers, or
/// buffers whose contents are not kept; 7, what each block executed; 8, a requested residency; 9, calls of functions by
/// host code; 10, a requested schedule or stack size, or a stack overflow; 11, where a finding happened again; 12,
/// launches of kernels with other shared arrays; 13, a missing fence; 14, a block that is recorded in part; without any
/// of them, the oldest.
inline constexpr std::uint32_t file_version = 14, fence_file_version = 13, arrays_file_version = 12,
                               again_file_version = 11, schedule_file_version = 10, calls_file_version = 9,
                               residency_file_version = 8, blocks_file_version = 7, sources_file_version = 6,
                               program_file_version = 5, oldest_file_version = 4;

[[nodiscard]] std::vector<std::byte> to_bytes(const Trace& trace);
/// Fails with the reason: not a trace, a newer or an older version, damaged (checksum, lengths, indices out of range).
[[nodiscard]] Result<std::shared_ptr<const Trace>> from_bytes(std::span<const std::byte> bytes,
                                                              const std::string& file);

/// Writes to another file and renames it, so that a failure keeps the old file.
[[nodiscard]] Result<void> save(const Trace& trace, const std::filesystem::path& path);
[[nodiscard]] Result<std::shared_ptr<const Trace>> load(const std::filesystem::path& path);
[[nodiscard]] bool looks_like_trace(std::span<const std::byte> first_bytes);
/// Decides by the first bytes; false for an unreadable file.
[[nodiscard]] bool is_trace_file(const std::filesystem::path& path);

}  // namespace lanescope::trace
