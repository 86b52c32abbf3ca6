// Storage for a trace's millions of plain values, contiguous. Unlike a vector it provides uninitialized room, so that a
// row of values is written in place, and it grows without copying: the system remaps its pages.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace lanescope::trace {

template <class T>
class Pool {
  public:
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

    Pool() = default;
    Pool(const Pool& other) {
        std::copy(other.begin(), other.end(), room(other.size()));
        take(other.size());
    }
    Pool(Pool&& other) noexcept { swap(other); }
    Pool& operator=(Pool other) noexcept {
        swap(other);
        return *this;
    }
    ~Pool() { std::free(first_); }

    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(past_last_ - first_); }
    [[nodiscard]] std::size_t capacity() const { return static_cast<std::size_t>(end_of_room_ - first_); }
    [[nodiscard]] bool empty() const { return past_last_ == first_; }
    [[nodiscard]] T* data() { return first_; }
    [[nodiscard]] const T* data() const { return first_; }
    [[nodiscard]] T* begin() { return first_; }
    [[nodiscard]] T* end() { return past_last_; }
    [[nodiscard]] const T* begin() const { return first_; }
    [[nodiscard]] const T* end() const { return past_last_; }
    [[nodiscard]] T& operator[](std::size_t i) {
        assert(i < size());
        return first_[i];
    }
    [[nodiscard]] const T& operator[](std::size_t i) const {
        assert(i < size());
        return first_[i];
    }
    [[nodiscard]] T& back() {
        assert(!empty());
        return past_last_[-1];
    }

    /// The place of the next value, with room for `count`. Its contents are undefined until take() says how many were
    /// written.
    [[nodiscard]] T* room(std::size_t count) {
        if (static_cast<std::size_t>(end_of_room_ - past_last_) < count) grow(count);
        return past_last_;
    }
    void take(std::size_t count) {
        assert(count <= static_cast<std::size_t>(end_of_room_ - past_last_));
        past_last_ += count;
    }
    /// Appends one value, constructed from `parts`.
    template <class... Parts>
    T& add(Parts&&... parts) {
        T* const place = room(1);
        std::construct_at(place, std::forward<Parts>(parts)...);
        ++past_last_;
        return *place;
    }

    /// Keeps only the first `count`.
    void cut(std::size_t count) {
        assert(count <= size());
        past_last_ = first_ + count;
    }
    void reserve(std::size_t count) {
        if (count > capacity()) move_to(count);
    }
    /// Releases unused memory.
    void trim() {
        if (capacity() > size()) move_to(size());
    }
    void swap(Pool& other) noexcept {
        std::swap(first_, other.first_);
        std::swap(past_last_, other.past_last_);
        std::swap(end_of_room_, other.end_of_room_);
    }

  private:
    void grow(std::size_t count) {
        constexpr std::size_t least = 64;
        move_to(std::max({least, 2 * capacity(), size() + count}));
    }
    void move_to(std::size_t room) {
        const std::size_t held = size();
        void* const moved = std::realloc(first_, std::max<std::size_t>(room, 1) * sizeof(T));
        if (moved == nullptr) throw std::bad_alloc();
        first_ = static_cast<T*>(moved);
        past_last_ = first_ + held;
        end_of_room_ = first_ + room;
    }

    T* first_ = nullptr;
    T* past_last_ = nullptr;
    T* end_of_room_ = nullptr;
};

}  // namespace lanescope::trace
