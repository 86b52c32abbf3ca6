// Kernels of a course's exercises, run on the emulator and compared with a CPU reference.
//
//   tests/course/SUBJECT.cu    kernels as a textbook writes them
//   tests/course/SUBJECT.cpp   for each of them its inputs, its launches and what must come out
//
// Every kernel runs in both views (as written, as compiled), recorded and unrecorded; recording changes neither memory
// nor counts, all give the reference's results, and none has a finding.
#pragma once

#include "execute/emulator/emulator.h"
#include "ptx/module.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lanescope::course {

struct Shape {
    trace::Dim3 grid;
    trace::Dim3 block;
    std::uint64_t shared_bytes = 0;  ///< dynamic
};

constexpr std::uint32_t blocks_for(std::size_t n, std::uint32_t block) {
    return static_cast<std::uint32_t>((n + block - 1) / block);
}
/// Blocks of `block` threads, as many as n threads take; at least one.
constexpr Shape threads(std::size_t n, std::uint32_t block, std::uint64_t shared_bytes = 0) {
    return {.grid = {std::max(1U, blocks_for(n, block))}, .block = {block}, .shared_bytes = shared_bytes};
}

/// One .cu file in one view.
class Cuda {
  public:
    /// Throws what the compiler or the parser refuses. `instances`: of its templates, "scale<float, 4>".
    Cuda(const std::string& subject, trace::View view, const std::vector<std::string>& instances);

    /// Adds a launch. An argument is a scalar or a struct, or a vector: a buffer of its elements. Launches until run()
    /// share a vector's buffer, and variables of the module keep their values from one to the next.
    template <class... Arguments>
    void queue(std::string_view kernel, const Shape& shape, Arguments&&... arguments) {
        execute::LaunchRequest& launch = add(kernel, shape);
        (launch.arguments.push_back(argument(std::forward<Arguments>(arguments))), ...);
    }
    /// Runs what is queued, then writes the buffers back to the vectors that were not const.
    void run();

    template <class... Arguments>
    void launch(std::string_view kernel, const Shape& shape, Arguments&&... arguments) {
        queue(kernel, shape, std::forward<Arguments>(arguments)...);
        run();
    }

    /// The counts depend on the order of the warps' turns, which recording changes: threads try again until they
    /// succeed, or an atomic's result says where they go on.
    void order_shows_in_counts() { order_shows_ = true; }

    [[nodiscard]] trace::View view() const { return view_; }
    /// a * b + c as the view has it: compiled, the compiler contracts it to one rounding; as written, it does not.
    template <class T>
    [[nodiscard]] T multiply_add(T a, T b, T c) const {
        return view_ == trace::View::compiled ? std::fma(a, b, c) : a * b + c;
    }

  private:
    execute::LaunchRequest& add(std::string_view kernel, const Shape& shape);
    std::shared_ptr<const trace::Trace> emulate(std::uint64_t record_blocks) const;
    /// The number of the buffer that stands for the `bytes` at `data`.
    std::uint32_t buffer(const void* data, std::size_t bytes, void* read_back);

    template <class T>
    trace::Argument argument(std::vector<T>& values) {
        return argument(values.data(), values.size() * sizeof(T), values.data());
    }
    template <class T>
    trace::Argument argument(const std::vector<T>& values) {
        return argument(values.data(), values.size() * sizeof(T), nullptr);
    }
    trace::Argument argument(const void* data, std::size_t bytes, void* read_back) {
        trace::Argument made;
        made.buffer = buffer(data, bytes, read_back);
        return made;
    }
    template <class T>
    requires std::is_trivially_copyable_v<T> trace::Argument argument(const T& value) {
        trace::Argument made;
        made.value.resize(sizeof(T));
        std::memcpy(made.value.data(), &value, sizeof(T));
        return made;
    }

    std::string subject_;
    trace::View view_;
    bool order_shows_ = false;
    ptx::Module module_;
    std::map<std::string, std::string, std::less<>> names_;  ///< as written -> in the PTX
    execute::Program program_;
    std::map<const void*, std::uint32_t> buffers_;
    std::vector<void*> read_back_;  ///< for each buffer; null: it stays as it is
};

/// The check of a kernel, for tests/course/SUBJECT.cu in both views.
void in_both_views(const std::string& subject, const std::function<void(Cuda&)>& check,
                   const std::vector<std::string>& instances = {});

/// `count` numbers from `low` to `high`, the same each time. As floating point they are whole numbers too: sums of few
/// of them are exact in any order.
template <class T>
std::vector<T> random_numbers(std::size_t count, unsigned seed, std::int64_t low, std::int64_t high) {
    std::mt19937 random(seed);
    std::vector<T> numbers(count);
    for (T& number : numbers) {
        const auto above = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - low + 1));
        const std::int64_t value = low + above;
        number = static_cast<T>(value);
    }
    return numbers;
}
/// `count` numbers in [low, high) with all their fraction bits.
inline std::vector<float> random_reals(std::size_t count, unsigned seed, float low = 0.0F, float high = 1.0F) {
    std::mt19937 random(seed);
    std::vector<float> numbers(count);
    for (float& number : numbers) {
        number = low + (high - low) * (static_cast<float>(random() >> 8U) / static_cast<float>(1U << 24U));
    }
    return numbers;
}

/// Sizes that meet a block's edge from both sides, and none, one and several blocks.
inline constexpr std::size_t sizes[] = {1, 31, 128, 257, 1000};

}  // namespace lanescope::course
