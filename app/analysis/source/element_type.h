// How the bytes of a cell or a register are read: by the type that the source declares, otherwise by the instructions
// that wrote them and the buffers they came from.
#pragma once

#include "analysis/dataflow/provenance.h"
#include "trace/trace.h"

#include <optional>

namespace lanescope::analysis {

/// The signed integer of that many bytes: the default when nothing is known.
[[nodiscard]] trace::Element integer_of(unsigned bytes);

/// How an instruction reads an operand of that type; untyped bits as the signed integer of that many bytes.
[[nodiscard]] trace::Element element_of(ptx::Type type, unsigned bytes);

/// The element type that an access of shared memory implies: a float instruction, or a value that came unchanged from a
/// buffer whose element type is known. Nothing where it implies none.
[[nodiscard]] std::optional<trace::Element> element_evidence(const trace::Trace& trace, const Provenance& provenance,
                                                             StepId step, const trace::Effect& access, unsigned lane);

/// How to read the value: by the instruction that computed it, otherwise by its operands, otherwise as a signed
/// integer.
[[nodiscard]] trace::Element element_of(const trace::Trace& trace, const Provenance& provenance, ValueId value);

/// How a variable or an element that DWARF describes is read. Nothing for types that are not numbers: pointers,
/// structures, bool.
[[nodiscard]] std::optional<trace::Element> element_of_number(ptx::TypeKind kind, ptx::Type value);

}  // namespace lanescope::analysis
