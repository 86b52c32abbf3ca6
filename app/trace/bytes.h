// Writes and reads little-endian bytes and variable-length numbers, which a trace file consists of. A reader never
// reads past its end: it fails once, stays failed, and returns zeros from then on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::trace {

/// Small magnitudes of either sign become small numbers: 0, -1, 1, -2 -> 0, 1, 2, 3.
[[nodiscard]] constexpr std::uint64_t zigzag(std::int64_t value) {
    return (static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63);
}
[[nodiscard]] constexpr std::int64_t unzigzag(std::uint64_t value) {
    return static_cast<std::int64_t>((value >> 1) ^ (~(value & 1) + 1));
}

class ByteWriter {
  public:
    void u8(std::uint8_t value) { bytes_.push_back(static_cast<std::byte>(value)); }
    /// The low `width` bytes, lowest first.
    void fixed(std::uint64_t value, unsigned width) {
        for (unsigned i = 0; i < width; ++i) u8(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    /// LEB128: seven bits a byte, lowest first; the top bit of a byte says that more follow.
    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7) u8(static_cast<std::uint8_t>(value | 0x80));
        u8(static_cast<std::uint8_t>(value));
    }
    void signed_number(std::int64_t value) { number(zigzag(value)); }
    void raw(std::span<const std::byte> bytes) { bytes_.insert(bytes_.end(), bytes.begin(), bytes.end()); }
    /// The bytes, preceded by their number.
    void block(std::span<const std::byte> bytes) {
        number(bytes.size());
        raw(bytes);
    }
    void text(std::string_view text) { block(std::as_bytes(std::span(text))); }

    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }
    [[nodiscard]] std::vector<std::byte> take() { return std::move(bytes_); }

  private:
    std::vector<std::byte> bytes_;
};

class ByteReader {
  public:
    ByteReader() = default;
    explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

    [[nodiscard]] bool failed() const { return failed_; }
    [[nodiscard]] bool done() const { return !failed_ && rest_.empty(); }
    [[nodiscard]] std::size_t left() const { return rest_.size(); }

    std::uint8_t u8() {
        if (rest_.empty()) return fail(), std::uint8_t{0};
        const auto value = std::to_integer<std::uint8_t>(rest_.front());
        rest_ = rest_.subspan(1);
        return value;
    }
    std::uint64_t fixed(unsigned width) {
        std::uint64_t value = 0;
        if (rest_.size() < width) return fail(), 0;
        for (unsigned i = 0; i < width; ++i) value |= std::to_integer<std::uint64_t>(rest_[i]) << (8 * i);
        rest_ = rest_.subspan(width);
        return value;
    }
    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t byte = u8();
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80) return value;
        }
        return fail(), 0;
    }
    std::int64_t signed_number() { return unzigzag(number()); }
    /// A number that must not exceed `most`.
    std::uint64_t number_up_to(std::uint64_t most) {
        const std::uint64_t value = number();
        if (value > most) return fail(), 0;
        return value;
    }
    /// A count of items of at least `least_bytes` each: never more than the remaining bytes can hold.
    std::size_t count(std::size_t least_bytes) { return number_up_to(rest_.size() / least_bytes); }
    std::span<const std::byte> raw(std::uint64_t size) {
        if (size > rest_.size()) return fail(), std::span<const std::byte>();
        const auto bytes = rest_.first(size);
        rest_ = rest_.subspan(size);
        return bytes;
    }
    std::span<const std::byte> block() { return raw(number()); }
    std::string text() {
        const auto bytes = block();
        std::string text(bytes.size(), '\0');
        if (!bytes.empty()) std::memcpy(text.data(), bytes.data(), bytes.size());
        return text;
    }
    void fail() {
        failed_ = true;
        rest_ = {};
    }

  private:
    std::span<const std::byte> rest_;
    bool failed_ = false;
};

}  // namespace lanescope::trace
