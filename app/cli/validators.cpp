#include "cli/validators.h"

#include "base/grouped.h"
#include "cli/options.h"
#include "session/launch_size.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace lanescope::cli {

namespace {

/// A validator that tests and rewrites a text; `read` returns the rewritten text, or nullopt to refuse it.
template <class Read>
CLI::Validator validator(Read read, std::string allowed) {
    return {[read = std::move(read), allowed = std::move(allowed)](std::string& text) -> std::string {
                auto value = read(text);
                if (!value) return refused(text, allowed);
                text = std::move(*value);
                return {};
            },
            ""};
}

std::optional<std::string> in_range(std::string_view text, NumberRange range) {
    const auto number = session::parse_number(text);
    if (!number || *number < range.least || *number > range.most) return std::nullopt;
    return std::to_string(*number);
}

}  // namespace

std::string refused(std::string_view text, std::string_view allowed) {
    return fmt::format("cannot be \"{}\"\n{}", text, allowed);
}

CLI::Validator whole_number(NumberRange range) {
    return validator([range](const std::string& text) { return in_range(text, range); },
                     session::numbers_allowed(range.least, range.most));
}

CLI::Validator number_pair(char between, NumberRange range) {
    return validator(
        [between, range](const std::string& text) -> std::optional<std::string> {
            const std::size_t middle = text.find(between);
            if (middle == std::string::npos) return std::nullopt;
            const auto first = in_range(text.substr(0, middle), range);
            const auto second = in_range(text.substr(middle + 1), range);
            if (!first || !second) return std::nullopt;
            return fmt::format("{} {}", *first, *second);
        },
        fmt::format("Expected two whole numbers from {} to {}, such as {}{}{}.", limit_text(range.least),
                    limit_text(range.most), range.least + 1, between, range.least + 2));
}

std::string text_of(RealRange range) {
    const auto text = [](double limit) { return limit < 1000 ? fmt::format("{}", limit) : rounded(limit); };
    return fmt::format("{} to {}", text(range.least), text(range.most));
}

CLI::Validator real_number(RealRange range) {
    return validator(
        [range](const std::string& text) -> std::optional<std::string> {
            double value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            const bool number = error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
            if (!number || value < range.least || value > range.most) return std::nullopt;
            return text;
        },
        fmt::format("Expected a number from {}.", text_of(range)));
}

CLI::Validator one_of(Words words, std::string allowed) {
    return validator(
        [words = std::move(words)](const std::string& text) -> std::optional<std::string> {
            const auto found = std::ranges::find(words, text, &Words::value_type::first);
            return found == words.end() ? std::nullopt : std::optional(found->second);
        },
        std::move(allowed));
}

CLI::Validator one_of(Words words) {
    std::string allowed = "Expected ";
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool last = i + 1 == words.size();
        allowed += fmt::format("{}`{}`", i == 0 ? "" : last ? " or " : ", ", words[i].first);
    }
    return one_of(std::move(words), allowed + ".");
}

CLI::Validator one_to_four(CLI::Validator each) {
    return {[each = std::move(each)](std::string& text) -> std::string {
                if (std::ranges::count(text, ',') >= static_cast<std::ptrdiff_t>(most_compared))
                    return refused(text, "Expected one value, or up to four with commas between them.");
                std::istringstream values(text);
                for (std::string value; std::getline(values, value, ',');)
                    if (std::string error = each(value); !error.empty()) return error;
                // The last value may be empty.
                std::string none;
                return text.empty() || text.ends_with(',') ? each(none) : std::string();
            },
            ""};
}

CLI::Validator launch_value(session::LaunchField field) {
    return {[field](std::string& text) {
                const auto problem = session::problem_of(field, text);
                return problem ? refused(text, problem->remedy) : std::string();
            },
            ""};
}

}  // namespace lanescope::cli
