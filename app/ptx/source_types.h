// A DWARF type -> its CUDA spelling, how to read it, the extents of an array, the members of a structure.
#pragma once

#include "ptx/dwarf_entries.h"

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace lanescope::ptx::dwarf {

struct SourceType {
    std::string name;  ///< "int", "const float*", "word"; of an array its element's; empty: not known
    TypeKind kind = TypeKind::unknown;
    Type value = Type::none;  ///< of a scalar, typedefs and const seen through
    std::uint64_t bytes = 0;  ///< of the whole, of an array of its element
    bool array = false;
    std::vector<std::uint64_t> extents;  ///< outermost first; 0: open
};

class SourceTypes {
  public:
    explicit SourceTypes(const Info& info);
    [[nodiscard]] SourceType of(std::optional<std::size_t> type) const { return of(type, 0); }
    /// The structure that the type is, points to, or is an array of. Members of bases, inner structures and arrays are
    /// among its members, "position.x" and "corner[2]". Unions and bit fields are left out: the meaning of their bytes
    /// is unknown, and the structure is not complete.
    [[nodiscard]] std::optional<SourceStructure> structure_of(std::optional<std::size_t> type);
    /// The target of a pointer to numbers, or to vectors such as float4.
    [[nodiscard]] std::optional<NumberType> target_of(std::optional<std::size_t> type) const;
    /// The kind of what a pointer points to; unknown for other types, and for arrays.
    [[nodiscard]] TypeKind target_kind_of(std::optional<std::size_t> type) const;

  private:
    [[nodiscard]] SourceType of(std::optional<std::size_t> type, unsigned depth) const;
    /// The entry of the type, typedefs, const and volatile seen through; none: void.
    [[nodiscard]] std::uint32_t bare(std::optional<std::size_t> type) const;
    /// The element type of an array in all its dimensions; any other type is its own.
    [[nodiscard]] std::optional<std::size_t> element_of(std::optional<std::size_t> type) const;
    void add_members(SourceStructure& structure, std::uint32_t entry, const std::string& prefix, std::uint64_t offset,
                     unsigned depth);
    void add_member(SourceStructure& structure, std::optional<std::size_t> type, const std::string& name,
                    std::uint64_t offset, unsigned depth);

    const Info& info_;
    std::size_t visits_left_ = 0;                                            ///< of members, while a structure is read
    std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> extents_;  ///< of an array entry, by index
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> members_;  ///< of a structure: members and bases
};

}  // namespace lanescope::ptx::dwarf
