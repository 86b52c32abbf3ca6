#include "ptx/source_types.h"

#include <fmt/format.h>
#include <algorithm>

namespace lanescope::ptx::dwarf {
namespace {

constexpr std::size_t longest_name = 256;   ///< a template's name can fill pages
constexpr unsigned deepest_type = 16;       ///< const pointer to const pointer to ...
constexpr std::size_t most_members = 4096;  ///< of one structure, members without a value included

/// DWARF 4, 7.8: base type encodings.
enum Encoding : std::uint64_t { boolean = 2, floating = 4, with_sign = 5, signed_char = 6, unsigned_char = 8 };
Type scalar_type(std::uint64_t encoding, std::uint64_t bytes) {
    const bool sign = encoding == with_sign || encoding == signed_char;
    if (encoding == floating)
        return bytes == 4 ? Type::f32 : bytes == 8 ? Type::f64 : bytes == 2 ? Type::f16 : Type::none;
    switch (bytes) {
        case 1: return sign ? Type::s8 : Type::u8;
        case 2: return sign ? Type::s16 : Type::u16;
        case 4: return sign ? Type::s32 : Type::u32;
        case 8: return sign ? Type::s64 : Type::u64;
        default: return Type::none;
    }
}

/// CUDA's 16-bit floats are structures of one `unsigned short` in its headers (cuda_fp16.h, cuda_bf16.h).
Type half_type(const Entry& entry) {
    if (entry.tag != Tag::structure || entry.bytes != 2) return Type::none;
    return entry.name == "__half" ? Type::f16 : entry.name == "__nv_bfloat16" ? Type::bf16 : Type::none;
}

NumberType number_of(Type value) {
    using enum NumberType::Kind;
    if (value == Type::bf16) return {bfloat, 2};
    return {is_float(value) ? ieee : is_signed(value) ? signed_whole : unsigned_whole, bytes_of(value)};
}

}  // namespace

SourceTypes::SourceTypes(const Info& info) : info_(info) {
    for (std::uint32_t i = 0; i < info.entries.size(); ++i) {
        const Entry& entry = info.entries[i];
        if (entry.parent == no_entry) continue;
        if (entry.tag == Tag::subrange) extents_[entry.parent].push_back(entry.extent);
        if (entry.tag == Tag::member || entry.tag == Tag::inheritance) members_[entry.parent].push_back(i);
    }
}

SourceType SourceTypes::of(std::optional<std::size_t> type, unsigned depth) const {
    SourceType result;
    if (!type) {
        result.name = "void";
        return result;
    }
    const std::uint32_t index = info_.at(*type);
    if (index == no_entry || depth == deepest_type) return result;
    const Entry& entry = info_.entries[index];
    const auto below = [&] { return of(entry.type, depth + 1); };
    const auto pointer = [&](char mark) {
        result.name = below().name;
        if (!result.name.empty()) result.name += mark;
        result.kind = TypeKind::pointer;
        result.value = Type::u64;
        result.bytes = 8;
    };
    switch (entry.tag) {
        case Tag::base:
            result.name = entry.name.substr(0, longest_name);
            result.bytes = entry.bytes;
            result.value = scalar_type(entry.encoding, entry.bytes);
            result.kind = entry.encoding == boolean    ? TypeKind::boolean
                          : result.value != Type::none ? TypeKind::number
                                                       : TypeKind::unknown;
            break;
        case Tag::enumeration:
            result.kind = TypeKind::enumeration;
            result.name = entry.name.substr(0, longest_name);
            result.bytes = entry.bytes;
            result.value = entry.bytes == 4 ? Type::s32 : scalar_type(0, entry.bytes);
            break;
        case Tag::pointer: pointer('*'); break;
        case Tag::reference:
        case Tag::rvalue_reference: pointer('&'); break;
        case Tag::constant:
        case Tag::volatile_type: {
            result = below();
            const std::string word = entry.tag == Tag::constant ? "const" : "volatile";
            if (result.name.empty()) break;
            // const follows a pointer's star and precedes any other type
            result.name = result.name.ends_with('*') ? result.name + " " + word : word + " " + result.name;
            break;
        }
        case Tag::restrict_type: result = below(); break;
        case Tag::type_definition:
            result = below();
            if (!result.array) result.name = entry.name.substr(0, longest_name);
            break;
        case Tag::array: {
            result = below();
            const auto own = extents_.find(index);
            const std::vector<std::uint64_t> extents =
                own == extents_.end() ? std::vector<std::uint64_t>{0} : own->second;
            result.extents.insert(result.extents.begin(), extents.begin(), extents.end());
            result.array = true;
            break;
        }
        case Tag::structure:
        case Tag::class_type:
        case Tag::union_type:
            result.name = entry.name.substr(0, longest_name);
            result.bytes = entry.bytes;
            result.value = half_type(entry);
            result.kind = result.value != Type::none ? TypeKind::number : TypeKind::structure;
            break;
        case Tag::unspecified: result.name = entry.name.substr(0, longest_name); break;
        default: break;
    }
    return result;
}

std::uint32_t SourceTypes::bare(std::optional<std::size_t> type) const {
    for (unsigned hop = 0; type && hop < deepest_type; ++hop) {
        const std::uint32_t index = info_.at(*type);
        if (index == no_entry) return no_entry;
        const Entry& entry = info_.entries[index];
        const bool qualified = entry.tag == Tag::type_definition || entry.tag == Tag::constant ||
                               entry.tag == Tag::volatile_type || entry.tag == Tag::restrict_type;
        if (!qualified) return index;
        type = entry.type;
    }
    return no_entry;
}

std::optional<std::size_t> SourceTypes::element_of(std::optional<std::size_t> type) const {
    for (unsigned hop = 0; hop < deepest_type; ++hop) {
        const std::uint32_t index = bare(type);
        if (index == no_entry || info_.entries[index].tag != Tag::array) return type;
        type = info_.entries[index].type;
    }
    return std::nullopt;
}

TypeKind SourceTypes::target_kind_of(std::optional<std::size_t> type) const {
    const std::uint32_t pointer = bare(type);
    if (pointer == no_entry || info_.entries[pointer].tag != Tag::pointer) return TypeKind::unknown;
    const SourceType described = of(info_.entries[pointer].type);
    return described.array ? TypeKind::unknown : described.kind;
}

std::optional<NumberType> SourceTypes::target_of(std::optional<std::size_t> type) const {
    switch (target_kind_of(type)) {
        case TypeKind::number:
        case TypeKind::boolean:
        case TypeKind::enumeration: {
            const Type value = of(info_.entries[bare(type)].type).value;
            return value == Type::none ? std::nullopt : std::optional(number_of(value));
        }
        case TypeKind::structure: {
            const std::uint32_t index = bare(info_.entries[bare(type)].type);
            return index == no_entry ? std::nullopt : number_type(info_.entries[index].name);
        }
        default: return std::nullopt;
    }
}

std::optional<SourceStructure> SourceTypes::structure_of(std::optional<std::size_t> type) {
    std::string name;
    for (unsigned depth = 0; type && depth < deepest_type; ++depth) {
        const std::uint32_t index = info_.at(*type);
        if (index == no_entry) return std::nullopt;
        const Entry& entry = info_.entries[index];
        switch (entry.tag) {
            case Tag::structure:
            case Tag::class_type: {
                if (half_type(entry) != Type::none) return std::nullopt;
                SourceStructure structure{.name = name.empty() ? std::string(entry.name.substr(0, longest_name)) : name,
                                          .bytes = entry.bytes,
                                          .members = {}};
                visits_left_ = most_members;
                add_members(structure, index, "", 0, depth);
                std::ranges::stable_sort(structure.members, {}, &SourceMember::offset);
                if (structure.name.empty() || structure.members.empty()) return std::nullopt;
                return structure;
            }
            case Tag::type_definition:
                if (name.empty()) name = entry.name.substr(0, longest_name);
                [[fallthrough]];
            case Tag::pointer:
            case Tag::reference:
            case Tag::rvalue_reference:
            case Tag::constant:
            case Tag::volatile_type:
            case Tag::restrict_type:
            case Tag::array: type = entry.type; break;
            default: return std::nullopt;
        }
    }
    return std::nullopt;
}

void SourceTypes::add_members(SourceStructure& structure, std::uint32_t entry, const std::string& prefix,
                              std::uint64_t offset, unsigned depth) {
    const auto found = members_.find(entry);
    if (found == members_.end() || depth >= deepest_type) return;
    for (const std::uint32_t index : found->second) {
        const Entry& member = info_.entries[index];
        const std::uint64_t at = offset + member.placed_at;
        if (visits_left_ == 0 || member.bit_field) structure.complete = false;
        if (visits_left_ == 0) return;
        --visits_left_;
        if (member.bit_field) continue;
        // NVRTC writes a base as a member that it names "__b_4Base".
        if (member.tag == Tag::member && !member.name.starts_with("__b_")) {
            add_member(structure, member.type, prefix + std::string(member.name.substr(0, longest_name)), at,
                       depth + 1);
        } else if (const std::uint32_t base = member.type ? info_.at(*member.type) : no_entry; base != no_entry) {
            add_members(structure, base, prefix, at, depth + 1);
        }
    }
}

void SourceTypes::add_member(SourceStructure& structure, std::optional<std::size_t> type, const std::string& name,
                             std::uint64_t offset, unsigned depth) {
    const SourceType described = of(type);
    std::uint64_t count = 1;
    for (const std::uint64_t extent : described.extents) {
        if (extent > most_members / std::max<std::uint64_t>(count, 1)) structure.complete = false;
        if (!structure.complete) return;
        count *= extent;
    }
    const std::optional<NumberType> target =
        described.kind == TypeKind::pointer ? target_of(element_of(type)) : std::nullopt;
    // The structure that is the type of the member or of its elements.
    std::uint32_t inner = no_entry;
    for (unsigned hop = 0; type && described.kind == TypeKind::structure && hop < deepest_type; ++hop) {
        inner = info_.at(*type);
        if (inner == no_entry) return;
        const Tag tag = info_.entries[inner].tag;
        if (tag == Tag::union_type) structure.complete = false;
        if (tag == Tag::union_type) return;
        if (tag == Tag::structure || tag == Tag::class_type) break;
        type = info_.entries[inner].type;
    }
    for (std::uint64_t k = 0; k < count && visits_left_ > 0; ++k, --visits_left_) {
        std::string subscripts;
        std::uint64_t rest = k;
        for (auto extent = described.extents.rbegin(); extent != described.extents.rend(); ++extent) {
            subscripts = fmt::format("[{}]{}", rest % *extent, subscripts);
            rest /= *extent;
        }
        const std::string own = name + subscripts;
        const std::uint64_t at = offset + k * described.bytes;
        if (described.kind == TypeKind::structure) {
            if (inner != no_entry) add_members(structure, inner, own + ".", at, depth + 1);
        } else if (described.value != Type::none) {
            structure.members.push_back(
                {own, number_of(described.value), at, described.kind == TypeKind::pointer, target});
        } else {
            structure.complete = false;
        }
    }
}

}  // namespace lanescope::ptx::dwarf
