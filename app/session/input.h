// The values of a kernel's input, by name or as typed.
//
//   iota                  0, 1, 2, ...
//   ones                  1, 1, 1, ...
//   random SEED           whole numbers from -9 to 9, the same on every machine
//   classic, lecture-scan, blelloch, one-to-five, moderngpu
//                         the lectures' examples, repeated where more elements are needed
//   1 2 3 4 5             typed values, separated by spaces or commas; followed by zeros
//   repeat 1 0 0          typed values that start over: 1, 0, 0, 1, 0, 0, ...
#pragma once

#include "base/result.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

/// An input that has a name, for menus and for help.
struct NamedInput {
    std::string_view name;         ///< "classic"
    std::string_view description;  ///< one sentence
    std::span<const int> values;   ///< of the lectures' examples; empty: made by rule
};
[[nodiscard]] std::span<const NamedInput> named_inputs();

struct Input {
    std::vector<std::byte> bytes;    ///< `count` elements, little-endian
    std::vector<std::string> notes;  ///< where the values were repeated, cut or followed by zeros, a sentence each
};

/// `count` elements of `input`. Refuses an unknown name, and a typed value that does not fit the element type; the
/// place's column counts in `input`.
[[nodiscard]] Result<Input> make_input(std::string_view input, trace::Element element, std::uint64_t count);

/// Whether the buffer held anything but zeros before the first launch: it is an input, not a place for results.
[[nodiscard]] bool holds_input(const trace::Buffer& buffer);

/// The number of typed values, or of the example's: the default n. Nothing for rules.
[[nodiscard]] std::optional<std::uint64_t> natural_size(std::string_view input);

/// The bits of a number in an element type, rounded to nearest for floats; nothing where it does not fit.
[[nodiscard]] std::optional<std::uint64_t> encode(trace::Element element, std::string_view number);

/// The bits of a whole number in an element type: whole types wrap around as a cast in C does, floats round to nearest.
[[nodiscard]] std::uint64_t encode_whole(trace::Element element, std::int64_t value);
/// The bits of a double in a floating element type, rounded to nearest even.
[[nodiscard]] std::uint64_t encode_float(trace::Element element, double value);

/// Little-endian, as trace::bits_at reads it.
void append_element(std::vector<std::byte>& bytes, trace::Element element, std::uint64_t bits);

[[nodiscard]] bool is_float(trace::Element element);

/// The value of an element, from its bits in the low bytes.
[[nodiscard]] double decode(trace::Element element, std::uint64_t bits);

}  // namespace lanescope::session
