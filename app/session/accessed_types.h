// Accesses to memory -> the element type that their instructions name, for buffers whose type nothing else states.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <cstdint>
#include <map>
#include <vector>

namespace lanescope::session {

/// By buffer: the floating-point type with which all recorded loads and stores access it, as in ld.global.f32. Buffers
/// that are accessed with other types, or with several, are not among them: compilers load what they only move as .b32
/// or .u32. `buffers`: indices in Trace::buffers.
[[nodiscard]] std::map<std::uint32_t, trace::Element> accessed_types(const trace::Trace& trace,
                                                                     const ptx::Module& module,
                                                                     const std::vector<std::uint32_t>& buffers);

}  // namespace lanescope::session
