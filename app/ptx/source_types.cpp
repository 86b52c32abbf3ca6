#include "ptx/source_types.h"

namespace lanescope::ptx::dwarf {
namespace {

constexpr std::size_t longest_name = 256;  ///< a template's name can fill pages
constexpr unsigned deepest = 16;           ///< const pointer to const pointer to ...

/// DWARF 4, 7.8: base type encodings.
Type scalar_type(std::uint64_t encoding, std::uint64_t bytes) {
    enum : std::uint64_t { boolean = 2, floating = 4, with_sign = 5, signed_char = 6, unsigned_char = 8 };
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

}  // namespace

SourceTypes::SourceTypes(const Info& info) : info_(info) {
    for (const Entry& entry : info.entries)
        if (entry.tag == Tag::subrange && entry.parent != no_entry) extents_[entry.parent].push_back(entry.extent);
}

SourceType SourceTypes::of(std::optional<std::size_t> type, unsigned depth) const {
    SourceType result;
    if (!type) {
        result.name = "void";
        return result;
    }
    const std::uint32_t index = info_.at(*type);
    if (index == no_entry || depth == deepest) return result;
    const Entry& entry = info_.entries[index];
    const auto below = [&] { return of(entry.type, depth + 1); };
    const auto pointer = [&](char mark) {
        result.name = below().name;
        if (!result.name.empty()) result.name += mark;
        result.value = Type::u64;
        result.bytes = 8;
    };
    switch (entry.tag) {
        case Tag::base:
            result.name = entry.name.substr(0, longest_name);
            result.bytes = entry.bytes;
            result.value = scalar_type(entry.encoding, entry.bytes);
            break;
        case Tag::enumeration:
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
            // const behind a pointer's star, before anything else
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
            break;
        case Tag::unspecified: result.name = entry.name.substr(0, longest_name); break;
        default: break;
    }
    return result;
}

}  // namespace lanescope::ptx::dwarf
