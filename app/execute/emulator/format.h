// The format and values of the device's printf() -> text (CUDA C++ Programming Guide, "Format Specifiers").
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace lanescope::execute {

/// The values of the format, in order: 4 or 8 bytes at a time (floats are doubles), and strings by their address;
/// nothing if they cannot be read.
struct FormatSource {
    std::function<std::uint64_t(unsigned bytes)> value;
    std::function<std::optional<std::string>(std::uint64_t address)> text;
};

/// Text without specifiers is copied unchanged.
[[nodiscard]] std::string formatted(const std::string& format, const FormatSource& source);

}  // namespace lanescope::execute
