#include "cli/values.h"

#include "session/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>

namespace lanescope::cli {

namespace {

template <class T>
bool read_all(std::string_view text, T& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

bool read_power(std::string_view text, std::uint64_t& value) {
    const std::size_t caret = text.find('^');
    std::uint64_t base = 0, exponent = 0;
    if (caret == std::string_view::npos || !read_all(text.substr(0, caret), base) ||
        !read_all(text.substr(caret + 1), exponent) || exponent > 63) {
        return false;
    }
    value = 1;
    for (std::uint64_t i = 0; i < exponent; ++i) {
        if (__builtin_mul_overflow(value, base, &value)) return false;
    }
    return true;
}

std::unexpected<Problem> bad_value(const std::string& flag, const std::string& text, std::string allowed) {
    return fail(fmt::format("{} cannot be \"{}\"", flag, text), {}, std::move(allowed));
}

}  // namespace

Result<std::uint64_t> read_number(const std::string& flag, const std::string& text, NumberRange range) {
    std::uint64_t value = 0;
    const bool number = read_all(text, value) || read_power(text, value);
    if (number && value >= range.least && value <= range.most) return value;
    return bad_value(flag, text,
                     fmt::format("It takes a whole number from {} to {}, as 1024 or 2^10.", range.least, range.most));
}

Result<double> read_real(const std::string& flag, const std::string& text, double least, double most) {
    double value = 0;
    if (read_all(text, value) && std::isfinite(value) && value >= least && value <= most) return value;
    return bad_value(flag, text, fmt::format("It takes a number from {} to {}.", least, most));
}

Result<trace::Dim3> read_extent(const std::string& flag, const std::string& text) {
    trace::Dim3 extent;
    std::uint32_t* const sizes[] = {&extent.x, &extent.y, &extent.z};
    std::string_view rest = text;
    for (std::uint32_t* size : sizes) {
        const std::size_t end = rest.find('x');
        std::uint64_t value = 0;
        const std::string_view part = rest.substr(0, end);
        if (!(read_all(part, value) || read_power(part, value)) || value < 1 || value > ~0U) break;
        *size = static_cast<std::uint32_t>(value);
        if (end == std::string_view::npos) return extent;
        rest = rest.substr(end + 1);
    }
    return bad_value(flag, text, "It takes one to three whole numbers from 1, as 256, 2^8, 16x16 or 8x8x4.");
}

Result<trace::View> read_view(const std::string& text) {
    if (text == "written") return trace::View::written;
    if (text == "compiled") return trace::View::compiled;
    return bad_value("--view", text,
                     "It takes `written` (every access of the source) or `compiled` (what the hardware runs).");
}

Result<scene::Theme> read_theme(const std::string& text) {
    if (text == "dark") return scene::Theme::dark;
    if (text == "light") return scene::Theme::light;
    return bad_value("--theme", text, "It takes `dark` or `light`.");
}

Result<unsigned> read_arch(const std::string& text) {
    std::string_view digits = text;
    for (const std::string_view prefix : {"sm_", "compute_"}) {
        if (digits.starts_with(prefix)) digits.remove_prefix(prefix.size());
    }
    unsigned value = 0;
    if (read_all(digits, value) && session::is_arch(value)) return value;
    return bad_value("--arch", text,
                     fmt::format("It takes a compute capability: {}.", fmt::join(session::arches, ", ")));
}

Result<unsigned> read_banks(const std::string& text) {
    if (text == "32") return 32U;
    if (text == "16") return 16U;
    return bad_value("--banks", text, "It takes 32, or 16 for compute capability 1.x.");
}

Result<std::pair<std::string, std::string>> read_argument(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size()) {
        return bad_value("--arg", text,
                         "It takes a parameter and its plan, as --arg \"out=zeros(grid)\" or --arg n=100.");
    }
    return std::pair(text.substr(0, equals), text.substr(equals + 1));
}

}  // namespace lanescope::cli
