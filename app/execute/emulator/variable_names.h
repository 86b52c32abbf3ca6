// The source name of a PTX variable, and its element type: from DWARF if there is any, else from the mangled name.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::execute {

/// "sdata" for "_ZZ6reducePKiPiE5sdata".
[[nodiscard]] std::string source_name(const ptx::Module& module, const ptx::Variable& variable);

/// The element type, if DWARF or the PTX says more than bytes.
[[nodiscard]] std::optional<trace::Element> element_of(const ptx::Module& module, const ptx::Variable& variable);
[[nodiscard]] std::optional<trace::Element> element_of(const ptx::SourceArray& array);

/// The shared arrays among `variables`, by offset, as a launch has them.
[[nodiscard]] std::vector<trace::SharedArray> shared_arrays(const ptx::Module& module, const ptx::Function& kernel,
                                                            const std::vector<const ptx::Variable*>& variables,
                                                            std::uint64_t dynamic_bytes);

}  // namespace lanescope::execute
