#include "analysis/source/members.h"

#include "trace/element.h"

#include <fmt/format.h>

namespace lanescope::analysis {

std::optional<trace::Element> member_element(const trace::Trace& trace, const ptx::Module& module, std::uint32_t launch,
                                             trace::Space space, std::uint64_t address, unsigned bytes) {
    std::optional<Members> members;
    std::uint64_t offset = 0;
    if (space == trace::Space::global) {
        const trace::Buffer* const buffer = trace.buffer_at(address);
        if (buffer == nullptr) return std::nullopt;
        members = members_of(trace, module, *buffer);
        offset = address - buffer->address;
    } else if (space == trace::Space::shared) {
        for (const trace::SharedArray& array : trace.arrays_of(launch)) {
            if (address < array.offset || address - array.offset >= array.bytes) continue;
            members = members_of(module, array);
            offset = address - array.offset;
        }
    }
    const Member* const member = members ? members->at(offset % members->bytes, bytes) : nullptr;
    if (member == nullptr || trace::bytes_of(member->element) != bytes) return std::nullopt;
    return member->element;
}

trace::Element CellNames::element_of(std::uint64_t cell) const {
    return members.empty() ? element : members[cell % members.size()].element;
}

std::string CellNames::index_text(std::uint64_t cell) const {
    if (members.empty()) return fmt::format("{}", cell);
    return fmt::format("{}.{}", cell / members.size(), members[cell % members.size()].name);
}

std::string CellNames::subscript(std::uint64_t cell) const {
    if (members.empty()) return fmt::format("[{}]", cell);
    return fmt::format("[{}].{}", cell / members.size(), members[cell % members.size()].name);
}

CellNames cells_of(trace::Element element, const std::optional<Members>& members) {
    if (!members || !members->are_cells_of(trace::bytes_of(element))) return {.element = element, .members = {}};
    return {.element = element, .members = members->all};
}

}  // namespace lanescope::analysis
