#include "session/set_symbols.h"

#include "session/session_plan.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::session {

std::expected<void, Refusal> set_symbols(const std::map<std::string, std::vector<std::byte>>& symbols,
                                         ptx::Module& module) {
    for (const auto& [name, bytes] : symbols) {
        const auto variable = std::ranges::find_if(module.variables, [&](const ptx::Variable& candidate) {
            return candidate.name == name ||
                   candidate.name.find(fmt::format("{}{}", name.size(), name)) != std::string::npos;  // mangled
        });
        if (variable == module.variables.end()) continue;  // no kernel of the module reads it
        if (bytes.size() > variable->bytes)
            return refuse("source", fmt::format("{} has {} bytes, and {} are to be put into it", name, variable->bytes,
                                                bytes.size()));
        if (variable->initial.size() < bytes.size()) variable->initial.resize(bytes.size());
        std::ranges::copy(bytes, variable->initial.begin());
    }
    return {};
}

}  // namespace lanescope::session
