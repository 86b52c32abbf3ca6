#include "analysis/members.h"

#include "base/number_type.h"
#include "trace/element.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::analysis {

const Member* Members::at(std::uint64_t offset, unsigned size) const {
    const auto past = std::ranges::upper_bound(all, offset, {}, &Member::offset);
    if (past == all.begin()) return nullptr;
    const Member& member = *(past - 1);
    const std::uint64_t end = member.offset + trace::bytes_of(member.element);
    return offset + std::max(size, 1U) <= end ? &member : nullptr;
}

bool Members::are_cells_of(unsigned size) const {
    const auto fits = [&](const Member& member) { return trace::bytes_of(member.element) == size; };
    return all.size() > 1 && all.size() * size == bytes && std::ranges::all_of(all, fits);
}

std::optional<Members> members_of(const ptx::Module& module, std::string_view type) {
    const std::string_view bare = bare_type(type);
    if (const std::optional<NumberType> number = number_type(bare)) {
        if (number->components < 2) return std::nullopt;
        Members members{
            .type = std::string(bare), .bytes = std::uint64_t{number->bytes} * number->components, .all = {}};
        for (unsigned i = 0; i < number->components; ++i) {
            members.all.push_back({.name = std::string(1, "xyzw"[i % 4]),
                                   .element = trace::element_of(*number),
                                   .offset = std::uint64_t{i} * number->bytes});
        }
        return members;
    }
    const auto found = std::ranges::find(module.structures, bare, &ptx::SourceStructure::name);
    if (found == module.structures.end()) return std::nullopt;
    Members members{.type = found->name, .bytes = found->bytes, .all = {}};
    for (const ptx::SourceMember& member : found->members)
        members.all.push_back({member.name, trace::element_of(member.number), member.offset});
    return members;
}

namespace {

std::optional<Members> members_declared(const ptx::Module& module, std::string_view name, bool shared) {
    for (const ptx::SourceArray& array : module.arrays) {
        const bool of_block = array.space == ptx::Space::shared;
        if (of_block != shared || array.space == ptx::Space::local || array.name != name) continue;
        auto members = members_of(module, array.element_type);
        return members && members->bytes == array.element_bytes ? members : std::nullopt;
    }
    return std::nullopt;
}

}  // namespace

std::optional<Members> members_of(const trace::Trace& trace, const ptx::Module& module, const trace::Buffer& buffer) {
    const auto number = static_cast<std::uint32_t>(&buffer - trace.buffers.data());
    for (const trace::Launch& launch : trace.launches) {
        for (const trace::Argument& argument : launch.arguments) {
            if (argument.buffer != number) continue;
            if (auto members = members_of(module, argument.type)) return members;
        }
    }
    return members_declared(module, buffer.name, false);
}

std::optional<Members> members_of(const ptx::Module& module, const trace::SharedArray& array) {
    return members_declared(module, array.name, true);
}

std::optional<trace::Element> member_element(const trace::Trace& trace, const ptx::Module& module, trace::Space space,
                                             std::uint64_t address, unsigned bytes) {
    std::optional<Members> members;
    std::uint64_t offset = 0;
    if (space == trace::Space::global) {
        const trace::Buffer* const buffer = trace.buffer_at(address);
        if (buffer == nullptr) return std::nullopt;
        members = members_of(trace, module, *buffer);
        offset = address - buffer->address;
    } else if (space == trace::Space::shared) {
        for (const trace::SharedArray& array : trace.shared_arrays) {
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
