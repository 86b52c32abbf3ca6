#include "execute/emulator/format.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdio>
#include <string_view>

namespace lanescope::execute {

namespace {

constexpr int widest = 1000;  // of a field: a wrong width must not take all memory

/// %[flags][width][.precision][size]type
struct Specifier {
    std::string flags;
    int width = 0;
    int precision = -1;
    bool wide = false;  ///< an integer of 8 bytes
    char type = 0;
};

template <class T>
std::string print(const Specifier& specifier, const char* size, T value) {
    std::string format = "%" + specifier.flags + "*";
    if (specifier.precision >= 0) format += ".*";
    format += size;
    format += specifier.type;
    std::string text(static_cast<std::size_t>(widest) * 2 + 512, '\0');
    // The format consists of checked parts and fits the value's type.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int length =
        specifier.precision >= 0
            ? std::snprintf(text.data(), text.size(), format.c_str(), specifier.width, specifier.precision, value)
            : std::snprintf(text.data(), text.size(), format.c_str(), specifier.width, value);
#pragma GCC diagnostic pop
    text.resize(static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(text.size()) - 1)));
    return text;
}

class Formatter {
  public:
    Formatter(std::string_view format, const FormatSource& source) : format_(format), source_(source) {}

    std::string run() {
        while (at_ < format_.size()) {
            if (format_[at_] != '%') {
                result_ += format_[at_++];
                continue;
            }
            const std::size_t begin = at_++;
            if (!one()) {
                result_ += format_.substr(begin, at_ - begin);
            }
        }
        return std::move(result_);
    }

  private:
    [[nodiscard]] char peek() const { return at_ < format_.size() ? format_[at_] : '\0'; }

    int number() {
        if (peek() == '*') {
            ++at_;
            return std::clamp(static_cast<int>(source_.value(4)), -widest, widest);
        }
        int value = 0;
        for (; std::isdigit(static_cast<unsigned char>(peek())) != 0; ++at_) {
            value = std::min(value * 10 + (peek() - '0'), widest);
        }
        return value;
    }

    bool one() {
        if (peek() == '%') {
            result_ += '%';
            ++at_;
            return true;
        }
        Specifier specifier;
        for (; peek() != '\0' && std::string_view("-+ #0").find(peek()) != std::string_view::npos; ++at_) {
            if (specifier.flags.find(peek()) == std::string::npos) specifier.flags += peek();
        }
        specifier.width = number();
        if (peek() == '.') {
            ++at_;
            specifier.precision = number();
        }
        for (; peek() != '\0' && std::string_view("hlLqjzt").find(peek()) != std::string_view::npos; ++at_) {
            specifier.wide = specifier.wide || peek() != 'h';  // long has 8 bytes
        }
        specifier.type = peek();
        if (specifier.type == '\0') return false;
        ++at_;
        return convert(specifier);
    }

    bool convert(const Specifier& specifier) {
        switch (specifier.type) {
            case 'd':
            case 'i': {
                const auto value = specifier.wide ? static_cast<std::int64_t>(source_.value(8))
                                                  : std::int64_t{static_cast<std::int32_t>(source_.value(4))};
                result_ += print(specifier, "ll", static_cast<long long>(value));
                return true;
            }
            case 'u':
            case 'o':
            case 'x':
            case 'X': {
                const std::uint64_t value = source_.value(specifier.wide ? 8 : 4);
                result_ += print(specifier, "ll", static_cast<unsigned long long>(value));
                return true;
            }
            case 'c': result_ += print(specifier, "", static_cast<int>(source_.value(4))); return true;
            case 'e':
            case 'E':
            case 'f':
            case 'F':
            case 'g':
            case 'G':
            case 'a':
            case 'A': result_ += print(specifier, "", std::bit_cast<double>(source_.value(8))); return true;
            case 'p': {
                Specifier pointer = specifier;
                pointer.type = 'x';
                pointer.flags += '#';
                result_ += print(pointer, "ll", static_cast<unsigned long long>(source_.value(8)));
                return true;
            }
            case 's': {
                const std::optional<std::string> text = source_.text(source_.value(8));
                result_ += text ? print(specifier, "", text->c_str()) : "(unreadable)";
                return true;
            }
            default: return false;
        }
    }

    std::string_view format_;
    const FormatSource& source_;
    std::size_t at_ = 0;
    std::string result_;
};

}  // namespace

std::string formatted(const std::string& format, const FormatSource& source) { return Formatter(format, source).run(); }

}  // namespace lanescope::execute
