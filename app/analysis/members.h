// What lies in an element of an array that is several numbers: a built-in vector's components, a structure's members.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::analysis {

struct Member {
    std::string name;  ///< "y", "index", "position.x"
    trace::Element element = trace::Element::s32;
    std::uint64_t offset = 0;  ///< in bytes, from the element's start
};

struct Members {
    std::string type;         ///< "float4", "Best"
    std::uint64_t bytes = 0;  ///< of the element
    std::vector<Member> all;  ///< ascending by offset

    /// The member that those bytes of the element lie in; nullptr where they are more than one member, or padding.
    [[nodiscard]] const Member* at(std::uint64_t offset, unsigned size) const;
    /// Whether members of that size fill the element, so that each is a cell of a picture.
    [[nodiscard]] bool are_cells_of(unsigned size) const;
};

/// By the type's name, "const float4*" and "Best" alike; nothing for numbers, and for structures that the module does not
/// know.
[[nodiscard]] std::optional<Members> members_of(const ptx::Module& module, std::string_view type);

/// Of an array of the source: what the kernel's argument that points to the buffer, or its declaration, says.
[[nodiscard]] std::optional<Members> members_of(const trace::Trace& trace, const ptx::Module& module,
                                                const trace::Buffer& buffer);
[[nodiscard]] std::optional<Members> members_of(const ptx::Module& module, const trace::SharedArray& array);

/// How the number at an address of shared or global memory is read, where it is such a member.
[[nodiscard]] std::optional<trace::Element> member_element(const trace::Trace& trace, const ptx::Module& module,
                                                           trace::Space space, std::uint64_t address, unsigned bytes);

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
