#include "trace/element.h"

#include "base/number_type.h"

#include <algorithm>

namespace lanescope::trace {

Element element_of(const NumberType& type) {
    const bool is_signed = type.kind == NumberType::Kind::signed_whole;
    if (type.kind == NumberType::Kind::bfloat) return Element::bf16;
    if (type.kind == NumberType::Kind::ieee) {
        return type.bytes == 2 ? Element::f16 : type.bytes == 4 ? Element::f32 : Element::f64;
    }
    switch (type.bytes) {
        case 1: return is_signed ? Element::s8 : Element::u8;
        case 2: return is_signed ? Element::s16 : Element::u16;
        case 4: return is_signed ? Element::s32 : Element::u32;
        default: return is_signed ? Element::s64 : Element::u64;
    }
}

std::optional<Element> element_of(ptx::Type type) {
    switch (type) {
        case ptx::Type::u16: return Element::u16;
        case ptx::Type::s16: return Element::s16;
        case ptx::Type::b32:
        case ptx::Type::u32: return Element::u32;
        case ptx::Type::s32: return Element::s32;
        case ptx::Type::b64:
        case ptx::Type::u64: return Element::u64;
        case ptx::Type::s64: return Element::s64;
        case ptx::Type::f16: return Element::f16;
        case ptx::Type::bf16: return Element::bf16;
        case ptx::Type::f32: return Element::f32;
        case ptx::Type::f64: return Element::f64;
        default: return std::nullopt;
    }
}

NumberType number_of(Element element) {
    using enum NumberType::Kind;
    const auto kind = [&] {
        switch (element) {
            case Element::s8:
            case Element::s16:
            case Element::s32:
            case Element::s64: return signed_whole;
            case Element::u8:
            case Element::u16:
            case Element::u32:
            case Element::u64: return unsigned_whole;
            case Element::bf16: return bfloat;
            default: return ieee;
        }
    };
    return {kind(), bytes_of(element)};
}

std::optional<Element> element_named(std::string_view name) {
    const std::optional<NumberType> type = number_type(name);
    return type ? std::optional(element_of(*type)) : std::nullopt;
}

const Member* Members::at(std::uint64_t offset, unsigned size) const {
    const auto past = std::ranges::upper_bound(all, offset, {}, &Member::offset);
    if (past == all.begin()) return nullptr;
    const Member& member = *(past - 1);
    const std::uint64_t end = member.offset + bytes_of(member.element);
    return offset + std::max(size, 1U) <= end ? &member : nullptr;
}

bool Members::are_cells_of(unsigned size) const {
    const auto fits = [&](const Member& member) { return bytes_of(member.element) == size; };
    return all.size() > 1 && all.size() * size == bytes && std::ranges::all_of(all, fits);
}

Element Members::cell() const {
    if (all.size() == 1 && bytes_of(all.front().element) == bytes) return all.front().element;
    if (!all.empty() && are_cells_of(bytes_of(all.front().element))) return all.front().element;
    return bytes % 4 == 0 ? Element::u32 : Element::u8;
}

std::optional<Members> members_of(const ptx::Module& module, std::string_view type) {
    const std::string_view bare = bare_type(type);
    if (const std::optional<NumberType> number = number_type(bare)) {
        if (number->components < 2) return std::nullopt;
        Members members{
            .type = std::string(bare), .bytes = std::uint64_t{number->bytes} * number->components, .all = {}};
        for (unsigned i = 0; i < number->components; ++i) {
            members.all.push_back({.name = std::string(1, "xyzw"[i % 4]),
                                   .element = element_of(*number),
                                   .offset = std::uint64_t{i} * number->bytes});
        }
        return members;
    }
    const auto found = std::ranges::find(module.structures, bare, &ptx::SourceStructure::name);
    if (found == module.structures.end()) return std::nullopt;
    Members members{.type = found->name, .bytes = found->bytes, .all = {}};
    for (const ptx::SourceMember& member : found->members)
        members.all.push_back({member.name, element_of(member.number), member.offset});
    return members;
}

std::optional<Element> element_pointed_to(const ptx::Module& module, std::string_view type) {
    const auto indirections = std::ranges::count_if(type, [](char c) { return c == '*' || c == '&' || c == '['; });
    if (!is_pointer_type(type) || indirections != 1) return std::nullopt;
    const std::string_view bare = bare_type(type.substr(0, type.find_first_of("*&[")));
    if (const auto number = element_named(bare)) return number;
    const auto members = members_of(module, bare);
    return members ? std::optional(members->cell()) : std::nullopt;
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

std::optional<Members> members_of(const Trace& trace, const ptx::Module& module, const Buffer& buffer) {
    const auto number = static_cast<std::uint32_t>(&buffer - trace.buffers.data());
    for (const Launch& launch : trace.launches) {
        for (const Argument& argument : launch.arguments) {
            if (argument.buffer != number || !is_pointer_type(argument.type)) continue;
            if (auto members = members_of(module, argument.type)) return members;
        }
    }
    return members_declared(module, buffer.name, false);
}

std::optional<Members> members_of(const ptx::Module& module, const SharedArray& array) {
    return members_declared(module, array.name, true);
}

std::uint64_t elements_of(const Trace& trace, const ptx::Module& module, const Buffer& buffer) {
    const auto members = members_of(trace, module, buffer);
    const std::uint64_t bytes = members && members->bytes > 0 ? members->bytes : bytes_of(buffer.element);
    return std::max<std::uint64_t>(buffer.bytes / bytes, 1);
}

}  // namespace lanescope::trace
