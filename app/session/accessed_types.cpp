#include "session/accessed_types.h"

#include "trace/element.h"

#include <iterator>
#include <optional>

namespace lanescope::session {

namespace {

std::optional<trace::Element> type_at(const ptx::Module& module, PtxLine line) {
    for (const ptx::Function& function : module.functions) {
        const std::optional<std::uint32_t> found = function.instruction_at(line);
        if (!found) continue;
        const ptx::Type type = function.instructions[*found].modifiers.type;
        return ptx::is_float(type) ? trace::element_of(type) : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

std::map<std::uint32_t, trace::Element> accessed_types(const trace::Trace& trace, const ptx::Module& module,
                                                       const std::vector<std::uint32_t>& buffers) {
    std::map<std::uint32_t, std::optional<trace::Element>> types;  // nothing: of several types, or of none
    std::map<PtxLine, std::optional<trace::Element>> of_line;
    std::map<std::uint64_t, std::uint32_t> by_address;
    for (const std::uint32_t buffer : buffers) by_address.emplace(trace.buffers[buffer].address, buffer);
    if (buffers.empty()) return {};
    for (const trace::Step& step : trace.steps()) {
        for (const trace::Effect& effect : trace.effects(step)) {
            if (!is_access(effect.kind) || effect.space != trace::Space::global || effect.lanes.none()) continue;
            const std::uint64_t address = trace.address(effect, effect.lanes.lowest());
            const auto after = by_address.upper_bound(address);
            if (after == by_address.begin()) continue;
            const std::uint32_t index = std::prev(after)->second;
            if (address - trace.buffers[index].address >= trace.buffers[index].bytes) continue;
            const auto [line, is_new] = of_line.try_emplace(step.line);
            if (is_new) line->second = type_at(module, step.line);
            const auto [type, first] = types.try_emplace(index, line->second);
            if (!first && type->second != line->second) type->second.reset();
        }
    }
    std::map<std::uint32_t, trace::Element> known;
    for (const auto& [buffer, type] : types)
        if (type) known.emplace(buffer, *type);
    return known;
}

}  // namespace lanescope::session
