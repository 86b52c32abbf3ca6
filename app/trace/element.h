// How the numbers of a source type are read.
#pragma once

#include "base/number_type.h"
#include "trace/trace.h"

#include <optional>
#include <string_view>

namespace lanescope::trace {

/// Of one component.
[[nodiscard]] Element element_of(const NumberType& type);

[[nodiscard]] NumberType number_of(Element element);

/// Of one component: "unsigned int" -> u32, "float4" -> f32. Nothing for types that are not numbers.
[[nodiscard]] std::optional<Element> element_named(std::string_view type);

}  // namespace lanescope::trace
