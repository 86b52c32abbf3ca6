// Contiguous bytes; pages that hold nothing but zeros take no memory. Copies share their bytes until one of them is
// written to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace lanescope {

/// [first, first + bytes) of a longer sequence.
struct ByteRun {
    std::uint64_t first = 0, bytes = 0;
};

class SparseBytes {
  public:
    SparseBytes() = default;
    explicit SparseBytes(std::size_t zeros);
    SparseBytes(std::span<const std::byte> bytes);
    SparseBytes(const std::vector<std::byte>& bytes) : SparseBytes(std::span(bytes)) {}
    /// The parts of `bytes` that `filled` names, ascending; the rest is zeros and is not read.
    SparseBytes(std::span<const std::byte> bytes, std::span<const ByteRun> filled);
    /// The same for bytes that are mostly equal to `like`: equal bytes are shared with it, page by page if it is large.
    SparseBytes(const SparseBytes& like, std::span<const std::byte> bytes, std::span<const ByteRun> filled);

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] const std::byte* data() const;
    [[nodiscard]] const std::byte* begin() const { return data(); }
    [[nodiscard]] const std::byte* end() const { return data() + size_; }
    [[nodiscard]] const std::byte& operator[](std::size_t i) const { return data()[i]; }
    [[nodiscard]] std::span<const std::byte> span() const { return {data(), size_}; }
    /// The bytes to write to; those shared with copies are copied first.
    [[nodiscard]] std::byte* writable();

    /// Bytes that are added are zeros.
    void resize(std::size_t bytes);
    void clear() { *this = SparseBytes(); }

    /// All runs that may be other than zero, ascending.
    [[nodiscard]] const std::vector<ByteRun>& filled() const;
    /// The approximate memory of the pages that are not shared with others.
    [[nodiscard]] std::uint64_t memory_bytes() const;

    friend bool operator==(const SparseBytes& a, const SparseBytes& b);

  private:
    class Storage;
    std::shared_ptr<Storage> storage_;
    std::size_t size_ = 0;
};

/// Whether any byte is other than zero.
[[nodiscard]] bool any_set(const SparseBytes& bytes);
[[nodiscard]] bool operator==(const SparseBytes& a, const std::vector<std::byte>& b);

}  // namespace lanescope
