// CLI11 validators for the values of flags: each checks the text and rewrites it in CLI11's own form. A refusal names
// the allowed values: `cannot be "abc"`, a line break, "Expected ...".
#pragma once

#include "session/launch_values.h"

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::cli {

struct NumberRange {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
};

/// A whole number, as session::parse_number reads it.
[[nodiscard]] CLI::Validator whole_number(NumberRange range);
/// Two whole numbers separated by a character: "1920x1080". For a vector with that delimiter.
[[nodiscard]] CLI::Validator number_pair(char between, NumberRange range);
struct RealRange {
    double least = 0;
    double most = 0;
};
[[nodiscard]] CLI::Validator real_number(RealRange range);
/// "200 to 8,000", "0.5 to 8"
[[nodiscard]] std::string text_of(RealRange range);

/// Allowed words, each with the text that replaces it: an enumerator's number, "true".
using Words = std::vector<std::pair<std::string, std::string>>;
[[nodiscard]] CLI::Validator one_of(Words words, std::string allowed);
[[nodiscard]] CLI::Validator one_of(Words words);  ///< the refusal lists the words

/// The allowed values of a launch field, as in the window.
[[nodiscard]] CLI::Validator launch_value(session::LaunchField field);

/// One to four values separated by commas.
[[nodiscard]] CLI::Validator one_to_four(CLI::Validator each);

/// The error of a refused text, for validators and conversions.
[[nodiscard]] std::string refused(std::string_view text, std::string_view allowed);

}  // namespace lanescope::cli
