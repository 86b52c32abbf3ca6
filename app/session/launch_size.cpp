#include "session/launch_size.h"

#include "base/grouped.h"
#include "base/text.h"
#include "base/whole_number.h"

#include <fmt/format.h>

#include <array>

namespace lanescope::session {

namespace {

constexpr std::uint64_t largest = std::uint64_t{1} << 40;

std::optional<std::uint64_t> power(std::uint64_t base, std::uint64_t exponent) {
    std::uint64_t result = 1;
    for (std::uint64_t i = 0; i < exponent && i <= 40; ++i) {
        if (base != 0 && result > largest / base) return std::nullopt;
        result *= base;
    }
    return exponent <= 40 ? std::optional(result) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> parse_number(std::string_view text) {
    const std::size_t digits = text.find_first_not_of("0123456789");
    const auto number = whole_number<std::uint64_t>(text.substr(0, digits));
    if (!number || digits == std::string_view::npos) return number;
    const std::string_view suffix = text.substr(digits);
    if (suffix.front() == '^') {
        const auto exponent = whole_number<std::uint64_t>(suffix.substr(1));
        return exponent ? power(*number, *exponent) : std::nullopt;
    }
    std::uint64_t factor = 0;
    if (suffix == "k" || suffix == "K") factor = 1U << 10U;
    if (suffix == "m" || suffix == "M") factor = 1U << 20U;
    return factor != 0 && *number <= largest / factor ? std::optional(*number * factor) : std::nullopt;
}

std::optional<std::uint64_t> parse_count(std::string_view text) {
    const auto number = parse_number(text);
    return number && *number > 0 ? number : std::nullopt;
}

std::optional<trace::Dim3> parse_extent(std::string_view text) {
    std::array<std::uint32_t, 3> sides = {1, 1, 1};
    for (std::uint32_t& side : sides) {
        const std::size_t end = text.find_first_of("x,");
        const auto count = parse_count(trimmed(text.substr(0, end)));
        if (!count || *count > ~std::uint32_t{0}) return std::nullopt;
        side = static_cast<std::uint32_t>(*count);
        if (end == std::string_view::npos) return trace::Dim3{sides[0], sides[1], sides[2]};
        text.remove_prefix(end + 1);
    }
    return std::nullopt;
}

std::string numbers_allowed(std::uint64_t least, std::uint64_t most) {
    return fmt::format("Expected a whole number from {} to {}, such as 1024 or 2^10.", limit_text(least),
                       limit_text(most));
}

std::string extent_text(const trace::Dim3& extent) {
    if (extent.z != 1) return fmt::format("{}x{}x{}", extent.x, extent.y, extent.z);
    if (extent.y != 1) return fmt::format("{}x{}", extent.x, extent.y);
    return fmt::format("{}", extent.x);
}

}  // namespace lanescope::session
