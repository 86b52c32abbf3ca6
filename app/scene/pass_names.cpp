// Short names of passes.
#include "scene/labels.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace lanescope::scene {

namespace {

/// "size", "gap" and "2", "1" of "size = 2, gap = 1"; nothing where a part of the name has no value.
struct Values {
    std::string variables, values;
};
std::optional<Values> values_of(std::string_view name) {
    constexpr std::string_view sign = " = ", comma = ", ";
    Values found;
    for (;;) {
        const std::size_t past = std::min(name.find(comma), name.size());
        const std::size_t at = name.substr(0, past).find(sign);
        if (at == std::string_view::npos) return std::nullopt;
        if (!found.variables.empty()) found.variables += comma, found.values += comma;
        found.variables += name.substr(0, at);
        found.values += name.substr(at + sign.size(), past - at - sign.size());
        if (past == name.size()) return found;
        name.remove_prefix(past + comma.size());
    }
}

}  // namespace

ShortNames short_names(std::span<const std::string> names) {
    const ShortNames as_they_are{{}, {names.begin(), names.end()}};
    ShortNames result = as_they_are;
    std::size_t with_value = 0;
    for (std::string& name : result.names) {
        if (name.find(" = ") == std::string::npos) continue;
        std::optional<Values> values = values_of(name);
        if (with_value++ == 0 && values) result.head = values->variables;
        // A variable can be omitted only if it is in all of them.
        if (!values || values->variables != result.head) return as_they_are;
        name = std::move(values->values);
    }
    return with_value < 2 ? as_they_are : result;
}

std::size_t every_that_fits(std::span<const Extent> names, float gap) {
    for (std::size_t every = 1; every < names.size(); ++every) {
        bool fit = true;
        for (std::size_t i = every; fit && i < names.size(); i += every)
            fit = names[i].from >= names[i - every].to + gap;
        if (fit) return every;
    }
    return std::max<std::size_t>(names.size(), 1);
}

}  // namespace lanescope::scene
