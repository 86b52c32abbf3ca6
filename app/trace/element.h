// How numbers of a source type are read, and the numbers in an array element that holds several: a built-in vector's
// components, a structure's members.
#pragma once

#include "base/number_type.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::trace {

/// The element type of one component.
[[nodiscard]] Element element_of(const NumberType& type);

/// How values of a PTX type are read; nothing for untyped bytes, which NVRTC declares most arrays as, and for types
/// that are no Element.
[[nodiscard]] std::optional<Element> element_of(ptx::Type type);

[[nodiscard]] NumberType number_of(Element element);

/// The element type of one component: "unsigned int" -> u32, "float4" -> f32. Nothing for types that are not numbers.
[[nodiscard]] std::optional<Element> element_named(std::string_view type);

struct Member {
    std::string name;  ///< "y", "index", "position.x"
    Element element = Element::s32;
    std::uint64_t offset = 0;  ///< in bytes, from the element's start
};

struct Members {
    std::string type;         ///< "float4", "Best"
    std::uint64_t bytes = 0;  ///< of the element
    std::vector<Member> all;  ///< ascending by offset

    /// The member that contains those bytes of the element; nullptr if they span several members, or are padding.
    [[nodiscard]] const Member* at(std::uint64_t offset, unsigned size) const;
    /// Whether members of that size fill the element, so that each can be a cell of a picture.
    [[nodiscard]] bool are_cells_of(unsigned size) const;
    /// How memory that holds such elements is read number by number: as the members if all have the same size,
    /// otherwise as words or bytes.
    [[nodiscard]] Element cell() const;
};

/// By the type's name, "const float4*" and "Best" alike; nothing for numbers, and for structures unknown to the module.
[[nodiscard]] std::optional<Members> members_of(const ptx::Module& module, std::string_view type);

/// How the memory that a pointer of this type points to is read, number by number: "const double*" -> f64. Nothing for
/// a type that is no pointer, points to pointers, or points to a type that the module does not describe.
[[nodiscard]] std::optional<Element> element_pointed_to(const ptx::Module& module, std::string_view type);

/// For an array of the source: by the kernel argument that points to the buffer, or by the array's declaration.
[[nodiscard]] std::optional<Members> members_of(const Trace& trace, const ptx::Module& module, const Buffer& buffer);
[[nodiscard]] std::optional<Members> members_of(const ptx::Module& module, const SharedArray& array);

/// How many elements of its source type fit into the buffer; at least 1.
[[nodiscard]] std::uint64_t elements_of(const Trace& trace, const ptx::Module& module, const Buffer& buffer);

}  // namespace lanescope::trace
