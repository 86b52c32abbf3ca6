// How members of elements are shown: as cells of an array of their own, read as numbers of their type.
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

/// How the number at an address of shared or global memory is read, where it is such a member.
[[nodiscard]] std::optional<trace::Element> member_element(const trace::Trace& trace, const ptx::Module& module,
                                                           std::uint32_t launch, trace::Space space,
                                                           std::uint64_t address, unsigned bytes);

/// The cells of an array in a picture or a table: elements, or their members, where an element has several.
struct CellNames {
    trace::Element element = trace::Element::s32;  ///< of all cells alike; of members, how long each is
    std::vector<Member> members;                   ///< a cell each; empty: a cell is an element

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
