// Short names of passes.
#include "scene/labels.h"

#include <algorithm>
#include <string_view>

namespace lanescope::scene {

ShortNames short_names(std::span<const std::string> names) {
    constexpr std::string_view sign = " = ";
    ShortNames result{{}, {names.begin(), names.end()}};
    std::string head;
    std::size_t with_value = 0;
    for (const std::string& name : names) {
        const std::size_t at = name.find(sign);
        if (at == std::string::npos) continue;
        if (with_value++ == 0) head = name.substr(0, at);
        // Neither of two variables can be omitted.
        if (name.compare(0, at, head) != 0 || name.find(sign, at + 1) != std::string::npos) return result;
    }
    if (with_value < 2) return result;
    for (std::string& name : result.names) {
        if (const std::size_t at = name.find(sign); at != std::string::npos) name.erase(0, at + sign.size());
    }
    result.head = std::move(head);
    return result;
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
