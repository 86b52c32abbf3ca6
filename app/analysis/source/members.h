// Members of structures: shown as cells of their element's array, and read as numbers of their own type.
#pragma once

#include "trace/element.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::analysis {

using trace::Member;
using trace::Members;
using trace::members_of;

/// How to read the number at an address of shared or global memory, where a member is there.
[[nodiscard]] std::optional<trace::Element> member_element(const trace::Trace& trace, const ptx::Module& module,
                                                           std::uint32_t launch, trace::Space space,
                                                           std::uint64_t address, unsigned bytes);

/// The cells of an array in a picture or a table: elements, or their members, where an element has several.
struct CellNames {
    trace::Element element = trace::Element::s32;  ///< element of all cells; for members, its size is that of a cell
    std::vector<Member> members;                   ///< one for each cell of an element; empty: a cell is an element

    [[nodiscard]] std::uint64_t per_element() const { return members.empty() ? 1 : members.size(); }
    [[nodiscard]] trace::Element element_of(std::uint64_t cell) const;
    /// "5" for cell 5; "2.y" where an element has two members.
    [[nodiscard]] std::string index_text(std::uint64_t cell) const;
    /// "[5]", "[2].y".
    [[nodiscard]] std::string subscript(std::uint64_t cell) const;
};

/// Cells that are as long as `element`.
[[nodiscard]] CellNames cells_of(trace::Element element, const std::optional<Members>& members);

}  // namespace lanescope::analysis
