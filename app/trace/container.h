// The container of a trace file: a header that names format, version and sizes, then one zstd frame with its checksum.
//
//   offset  bytes
//        0      8  magic: 89 'L' 'S' 'C' 0D 0A 1A 0A (a transfer that rewrites line ends breaks it, as PNG's does)
//        8      4  version
//       12      4  zero
//       16      8  size of the payload
//       24      8  size of the zstd frame that follows the header
//       32      8  FNV-1a of bytes 0 to 31: distinguishes a newer version from a damaged one
//
// Numbers are little-endian. Magic, version and the header's checksum keep their places in every future version.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lanescope::trace {

/// No payload is larger; a file that states a larger one is damaged.
inline constexpr std::uint64_t largest_payload = std::uint64_t{2} << 30;

[[nodiscard]] std::vector<std::byte> pack(std::span<const std::byte> payload, std::uint32_t version);
/// The payload of a file with a version from `oldest` to `newest`. Memory grows with the data that is there, never with
/// the size that the header states.
[[nodiscard]] Result<std::vector<std::byte>> unpack(std::span<const std::byte> bytes, std::uint32_t oldest,
                                                    std::uint32_t newest, const std::string& file);
[[nodiscard]] bool has_magic(std::span<const std::byte> bytes);
/// The message for every kind of damage; `how` names the kind.
[[nodiscard]] std::unexpected<Problem> damaged(const std::string& file, const std::string& how);

}  // namespace lanescope::trace
