// .debug_abbrev and .debug_info -> a flat list of entries with the attributes that names need (32-bit DWARF 2 to 4).
#pragma once

#include "ptx/dwarf_section.h"

namespace lanescope::ptx::dwarf {

/// DW_TAG_...; the rest keep their numbers.
enum class Tag : std::uint16_t {
    none = 0,
    array = 0x01,
    class_type = 0x02,
    enumeration = 0x04,
    parameter = 0x05,
    lexical_block = 0x0b,
    member = 0x0d,
    pointer = 0x0f,
    reference = 0x10,
    compile_unit = 0x11,
    structure = 0x13,
    type_definition = 0x16,
    union_type = 0x17,
    inheritance = 0x1c,
    inlined_subroutine = 0x1d,
    subrange = 0x21,
    base = 0x24,
    constant = 0x26,
    subprogram = 0x2e,
    variable = 0x34,
    volatile_type = 0x35,
    restrict_type = 0x37,
    unspecified = 0x3b,
    rvalue_reference = 0x42,
};

inline constexpr std::uint32_t no_entry = ~std::uint32_t{0};

struct Entry {
    std::size_t offset = 0;  ///< in .debug_info; other entries refer to it
    Tag tag = Tag::none;
    std::uint32_t parent = no_entry;  ///< index
    std::string_view name;
    std::optional<std::size_t> type, origin;  ///< offsets of entries
    std::uint64_t bytes = 0;
    std::uint64_t encoding = 0;   ///< DW_ATE_...
    std::uint64_t line = 0;       ///< in the CUDA source
    std::uint64_t extent = 0;     ///< of a subrange, in elements; 0: open
    std::uint64_t placed_at = 0;  ///< of a member or base: bytes from the structure's start
    bool bit_field = false;
    std::string_view low, high;  ///< labels of the code it spans; high excluded
    std::optional<Location> location;
    std::optional<std::size_t> location_list;  ///< offset in .debug_loc
};

struct Info {
    Section abbreviations, information, strings;  ///< own the bytes of the names
    std::vector<Entry> entries;                   ///< ascending by offset

    /// The index of the entry at that offset, or no_entry.
    [[nodiscard]] std::uint32_t at(std::size_t offset) const;
};

/// Reads the sections as far as they are intact.
[[nodiscard]] Info read_info(const std::vector<SectionText>& sections);

}  // namespace lanescope::ptx::dwarf
