// An array whose values begin as zeros that take no memory until they are written.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace lanescope {

template <class T>
class ZeroedArray {
  public:
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

    using value_type = T;
    using iterator = T*;
    using const_iterator = const T*;

    ZeroedArray() = default;
    explicit ZeroedArray(std::size_t size) : size_(size) {
        if (size == 0) return;
        // Not calloc(): it fails if the whole array is larger than the machine's memory.
        const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
        const bool maps = size * sizeof(T) >= least_mapped;
        void* const zeros =
            maps ? mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE, flags, -1, 0) : std::calloc(size, sizeof(T));
        if (zeros == nullptr || zeros == MAP_FAILED) throw std::bad_alloc();
        values_ = std::unique_ptr<T[], Free>(static_cast<T*>(zeros), Free{.mapped = maps ? size * sizeof(T) : 0});
    }
    ZeroedArray(ZeroedArray&& other) noexcept
        : values_(std::move(other.values_)), size_(std::exchange(other.size_, 0)) {}
    ZeroedArray& operator=(ZeroedArray&& other) noexcept {
        values_ = std::move(other.values_);
        size_ = std::exchange(other.size_, 0);
        return *this;
    }
    ~ZeroedArray() = default;
    ZeroedArray(const ZeroedArray& other) : ZeroedArray(other.size_) {
        for (std::size_t i = 0; i < size_; ++i) {
            if (other.values_[i] != T{}) values_[i] = other.values_[i];
        }
    }
    ZeroedArray& operator=(const ZeroedArray& other) {
        *this = ZeroedArray(other);
        return *this;
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] T* data() { return values_.get(); }
    [[nodiscard]] const T* data() const { return values_.get(); }
    [[nodiscard]] T* begin() { return values_.get(); }
    [[nodiscard]] T* end() { return values_.get() + size_; }
    [[nodiscard]] const T* begin() const { return values_.get(); }
    [[nodiscard]] const T* end() const { return values_.get() + size_; }
    [[nodiscard]] T& operator[](std::size_t i) { return values_[i]; }
    [[nodiscard]] const T& operator[](std::size_t i) const { return values_[i]; }

    friend bool operator==(const ZeroedArray& a, const ZeroedArray& b) { return std::ranges::equal(a, b); }

  private:
    static constexpr std::size_t least_mapped = std::size_t{1} << 16;
    struct Free {
        std::size_t mapped = 0;  ///< bytes of its own mapping; 0: memory of calloc()
        void operator()(T* values) const {
            if (mapped > 0)
                munmap(values, mapped);
            else
                std::free(values);
        }
    };
    std::unique_ptr<T[], Free> values_;
    std::size_t size_ = 0;
};

}  // namespace lanescope
