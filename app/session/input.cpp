#include "session/input.h"

#include "base/float16.h"
#include "base/grouped.h"
#include "base/whole_number.h"
#include "execute/simt/half.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

namespace lanescope::session {

namespace {

using trace::Element;

constexpr std::array<int, 16> classic{10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2};
constexpr std::array<int, 8> lecture_scan{6, 4, 16, 10, 16, 14, 2, 8};
constexpr std::array<int, 8> blelloch{4, 2, 1, 3, 2, 6, 5, 1};

constexpr std::array<int, 5> one_to_five{1, 2, 3, 4, 5};
constexpr std::array<int, 20> moderngpu{1, 7, 4, 0, 9, 4, 8, 8, 2, 4, 5, 5, 1, 7, 1, 1, 5, 2, 7, 6};

constexpr std::array<NamedInput, 8> names{
    {{"iota", "0, 1, 2, 3, ...", {}},
     {"ones", "1, 1, 1, ...", {}},
     {"random", "whole numbers from -9 to 9, the same for the same seed: random 7", {}},
     {"classic", "the reduction's example: 10 1 8 -1 0 -2 3 5 -2 -3 2 7 0 11 0 2", classic},
     {"lecture-scan", "the scan's example: 6 4 16 10 16 14 2 8", lecture_scan},
     {"blelloch", "the work-efficient scan's example: 4 2 1 3 2 6 5 1", blelloch},
     {"one-to-five", "the definition's example of both scans: 1 2 3 4 5", one_to_five},
     {"moderngpu", "the reduction to 87: 1 7 4 0 9 4 8 8 2 4 5 5 1 7 1 1 5 2 7 6", moderngpu}}};

/// "inputs are iota, ones, random SEED, classic, ..., or numbers"
std::string what_inputs_are() {
    std::string text = "inputs are ";
    for (const NamedInput& each : names) text += fmt::format("{}{}, ", each.name, each.name == "random" ? " SEED" : "");
    return text + "numbers, or repeat NUMBERS";
}

constexpr std::string_view separators = " \t,;";
constexpr std::string_view repeat = "repeat";

struct Word {
    std::string_view text;
    unsigned column = 0;  ///< from 1
};

std::vector<Word> words_of(std::string_view text) {
    std::vector<Word> words;
    for (std::size_t at = text.find_first_not_of(separators); at != std::string_view::npos;) {
        const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
        words.push_back({text.substr(at, end - at), unsigned(at + 1)});
        at = text.find_first_not_of(separators, end);
    }
    return words;
}

const NamedInput* find_named(std::string_view name) {
    const auto found = std::ranges::find(names, name, &NamedInput::name);
    return found == names.end() ? nullptr : &*found;
}

struct Range {
    std::int64_t lowest;
    std::uint64_t highest;
};

std::optional<Range> range_of(Element element) {
    switch (element) {
        case Element::s8: return Range{INT8_MIN, INT8_MAX};
        case Element::u8: return Range{0, UINT8_MAX};
        case Element::s16: return Range{INT16_MIN, INT16_MAX};
        case Element::u16: return Range{0, UINT16_MAX};
        case Element::s32: return Range{INT32_MIN, INT32_MAX};
        case Element::u32: return Range{0, UINT32_MAX};
        case Element::s64: return Range{INT64_MIN, INT64_MAX};
        case Element::u64: return Range{0, UINT64_MAX};
        default: return std::nullopt;
    }
}

/// Text of digits with an optional sign: the whole number, or nothing.
struct Whole {
    bool negative = false;
    std::uint64_t magnitude = 0;
};
std::optional<Whole> signed_number(std::string_view text) {
    Whole result;
    if (text.starts_with('-') || text.starts_with('+')) {
        result.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    const bool hex = text.starts_with("0x") || text.starts_with("0X");
    if (hex) text.remove_prefix(2);
    if (!read_whole_number(text, result.magnitude, hex ? 16 : 10)) return std::nullopt;
    return result;
}

Result<Input> typed_input(std::span<const Word> words, Element element, std::uint64_t count) {
    Input input;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::optional<std::uint64_t> bits = encode(element, words[i].text);
        if (!bits) {
            const bool number = encode(Element::f64, words[i].text).has_value();
            if (number)
                return fail(fmt::format("the value {} does not fit {}", words[i].text, trace::name_of(element)),
                            {"", 0, words[i].column});
            return fail(fmt::format("\"{}\" is neither a number nor the name of an input", words[i].text),
                        {"", 0, words[i].column}, what_inputs_are());
        }
        if (i < count) append_element(input.bytes, element, *bits);
    }
    if (words.size() > count) {
        input.notes.push_back(
            fmt::format("only the first {1} of the {0} typed values are used", grouped(words.size()), grouped(count)));
    } else if (words.size() < count) {
        input.bytes.resize(count * trace::bytes_of(element));
        input.notes.push_back(fmt::format("zeros follow the {}, up to {}", counted(words.size(), "typed value"),
                                          counted(count, "element")));
    }
    return input;
}

Result<Input> repeated_input(std::span<const Word> values, Element element, std::uint64_t count) {
    if (values.empty()) return fail("repeat names no values", {}, "repeat 1 0 0 is 1, 0, 0, 1, 0, 0, ...");
    Result<Input> input = typed_input(values, element, std::min<std::uint64_t>(count, values.size()));
    if (!input || count <= values.size()) return input;
    std::vector<std::byte>& bytes = input->bytes;
    const std::size_t period = bytes.size();
    bytes.resize(count * trace::bytes_of(element));
    for (std::size_t i = period; i < bytes.size(); ++i) bytes[i] = bytes[i - period];
    input->notes.push_back(fmt::format("the {} {} repeated, up to {}", counted(values.size(), "typed value"),
                                       verb(values.size(), "are", "is"), counted(count, "element")));
    return input;
}

}  // namespace

std::uint64_t encode_float(Element element, double value) {
    switch (element) {
        case Element::f16: return execute::encode16(half_format, value, ptx::Rounding::rn);
        case Element::bf16: return execute::encode16(brain_float_format, value, ptx::Rounding::rn);
        case Element::f32: return std::bit_cast<std::uint32_t>(float(value));
        default: return std::bit_cast<std::uint64_t>(value);
    }
}

std::uint64_t encode_whole(Element element, std::int64_t value) {
    if (is_float(element)) return encode_float(element, double(value));
    const unsigned bits = trace::bytes_of(element) * 8;
    const auto unsigned_value = std::uint64_t(value);
    return bits == 64 ? unsigned_value : unsigned_value & ((std::uint64_t{1} << bits) - 1);
}

void append_element(std::vector<std::byte>& bytes, Element element, std::uint64_t bits) {
    std::array<std::byte, sizeof bits> all{};
    std::memcpy(all.data(), &bits, sizeof bits);  // the lowest byte first, as on a GPU
    bytes.insert(bytes.end(), all.begin(), all.begin() + trace::bytes_of(element));
}

bool is_float(Element element) {
    return element == Element::f16 || element == Element::bf16 || element == Element::f32 || element == Element::f64;
}

std::span<const NamedInput> named_inputs() { return names; }

bool holds_input(const trace::Buffer& buffer) { return any_set(buffer.initial); }

std::optional<std::uint64_t> natural_size(std::string_view input) {
    std::vector<Word> words = words_of(input);
    if (!words.empty() && words[0].text == repeat) words.erase(words.begin());
    if (words.empty()) return std::nullopt;
    if (const NamedInput* named = find_named(words[0].text))
        return named->values.empty() ? std::nullopt : std::optional<std::uint64_t>(named->values.size());
    const bool numbers =
        std::ranges::all_of(words, [](const Word& word) { return encode(Element::f64, word.text).has_value(); });
    return numbers ? std::optional<std::uint64_t>(words.size()) : std::nullopt;
}

Result<Input> make_input(std::string_view input, Element element, std::uint64_t count) {
    const std::vector<Word> words = words_of(input);
    if (words.empty()) return fail("no input is specified", {}, what_inputs_are());
    if (words[0].text == repeat) return repeated_input(std::span(words).subspan(1), element, count);
    const NamedInput* named = find_named(words[0].text);
    if (named == nullptr) return typed_input(words, element, count);

    const bool random = named->name == "random";
    if (words.size() > (random ? 2U : 1U))
        return fail(fmt::format("unexpected \"{}\" after the input {}", words.back().text, named->name),
                    {"", 0, words.back().column});
    std::uint64_t seed = 0;
    if (random && words.size() == 2) {
        const std::optional<Whole> number = signed_number(words[1].text);
        if (!number || number->negative || number->magnitude > UINT32_MAX)
            return fail(
                fmt::format("the seed \"{}\" is not a whole number from 0 to {}", words[1].text, grouped(UINT32_MAX)),
                {"", 0, words[1].column});
        seed = number->magnitude;
    }

    Input result;
    result.bytes.reserve(count * trace::bytes_of(element));
    // The standard fixes mt19937 and not the distributions, so the mapping to -9..9 is our own.
    std::mt19937 generator(std::uint32_t{std::uint32_t(seed)});
    for (std::uint64_t i = 0; i < count; ++i) {
        std::int64_t value = 1;
        if (named->name == "iota") value = std::int64_t(i);
        if (random) value = std::int64_t(generator() % 19) - 9;
        if (!named->values.empty()) value = named->values[i % named->values.size()];
        append_element(result.bytes, element, encode_whole(element, value));
    }
    if (!named->values.empty() && count > named->values.size())
        result.notes.push_back(fmt::format("the {} of {} {} repeated, up to {}", counted(named->values.size(), "value"),
                                           named->name, verb(named->values.size(), "are", "is"),
                                           counted(count, "element")));
    return result;
}

std::optional<std::uint64_t> encode(Element element, std::string_view number) {
    if (number.empty()) return std::nullopt;
    const std::optional<Whole> whole = signed_number(number);
    if (const std::optional<Range> range = range_of(element)) {
        if (!whole) return std::nullopt;
        const std::uint64_t most = whole->negative ? std::uint64_t(-(range->lowest + 1)) + 1 : range->highest;
        const bool fits = whole->magnitude <= (whole->negative && range->lowest == 0 ? 0 : most);
        if (!fits) return std::nullopt;
        return encode_whole(element, std::int64_t(whole->negative ? 0 - whole->magnitude : whole->magnitude));
    }
    std::string text(number);
    if (text.ends_with('f') && text.find_first_of("xX") == std::string::npos) text.pop_back();
    if (text.empty() || std::isspace(static_cast<unsigned char>(text.front())) != 0) return std::nullopt;
    char* stop = nullptr;
    // Straight to float: by way of double it would be rounded twice.
    const double value =
        element == Element::f32 ? double(std::strtof(text.c_str(), &stop)) : std::strtod(text.c_str(), &stop);
    if (stop != text.c_str() + text.size() || !std::isfinite(value)) return std::nullopt;
    const std::uint64_t bits = encode_float(element, value);
    return std::isfinite(decode(element, bits)) ? std::optional(bits) : std::nullopt;
}

double decode(Element element, std::uint64_t bits) {
    switch (element) {
        case Element::s8: return std::int8_t(bits);
        case Element::u8: return std::uint8_t(bits);
        case Element::s16: return std::int16_t(bits);
        case Element::u16: return std::uint16_t(bits);
        case Element::s32: return std::int32_t(bits);
        case Element::u32: return std::uint32_t(bits);
        case Element::s64: return double(std::int64_t(bits));
        case Element::u64: return double(bits);
        case Element::f16: return decode16(half_format, std::uint16_t(bits));
        case Element::bf16: return decode16(brain_float_format, std::uint16_t(bits));
        case Element::f32: return std::bit_cast<float>(std::uint32_t(bits));
        case Element::f64: return std::bit_cast<double>(bits);
    }
    return 0;
}

}  // namespace lanescope::session
