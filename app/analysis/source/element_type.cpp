#include "analysis/source/element_type.h"

#include "analysis/dataflow/instruction_table.h"
#include "analysis/source/members.h"

namespace lanescope::analysis {
namespace {

using trace::Element;

std::optional<Element> float_of(ptx::Type type) {
    const auto element = trace::element_of(type);
    if (!element) return {};
    const NumberType::Kind kind = trace::number_of(*element).kind;
    return kind == NumberType::Kind::ieee || kind == NumberType::Kind::bfloat ? element : std::nullopt;
}

/// Follows the value back through copies and the first operand that depends on input, as far as `hops`.
std::optional<Element> evidence_of(const trace::Trace& trace, const Provenance& provenance, ValueId id,
                                   unsigned bytes) {
    constexpr unsigned hops = 16;
    for (unsigned hop = 0; hop < hops && id.valid(); ++hop) {
        const TracedValue& value = provenance[id];
        if (value.is_given()) {
            const auto member = member_element(trace, provenance.module(), 0, value.space, value.address, bytes);
            if (member) return member;
            const trace::Buffer* const buffer = trace.buffer_at(value.address);
            if (buffer == nullptr || trace::bytes_of(buffer->element) != bytes) return {};
            return buffer->element;
        }
        if (value.step.valid()) {
            const InstructionInfo* const line = provenance.instructions().at(trace.step(value.step).line);
            if (line != nullptr) {
                const auto type = float_of(line->instruction->modifiers.type);
                if (type && trace::bytes_of(*type) == bytes) return type;
                // A conversion's operand has another type, which says nothing about this value.
                if (line->instruction->meaning().group == ptx::Group::convert) return {};
            }
        }
        ValueId next;
        for (const ValueId parent : provenance.parents(id)) {
            if (!next.valid() || (provenance[parent].input_dependent && !provenance[next].input_dependent))
                next = parent;
        }
        id = next;
    }
    return {};
}

}  // namespace

Element integer_of(unsigned bytes) {
    switch (bytes) {
        case 1: return Element::s8;
        case 2: return Element::s16;
        case 8: return Element::s64;
        default: return Element::s32;
    }
}

Element element_of(ptx::Type type, unsigned bytes) {
    if (const auto number = float_of(type)) return *number;
    switch (type) {
        case ptx::Type::u8: return Element::u8;
        case ptx::Type::u16: return Element::u16;
        case ptx::Type::u32: return Element::u32;
        case ptx::Type::u64: return bytes == 8 ? Element::u64 : Element::u32;
        default: return integer_of(bytes);
    }
}

std::optional<Element> element_evidence(const trace::Trace& trace, const Provenance& provenance, StepId step,
                                        const trace::Effect& access, unsigned lane) {
    const ValueId written = provenance.written_by(step, lane);
    return written.valid() ? evidence_of(trace, provenance, written, access.bytes) : std::nullopt;
}

Element element_of(const trace::Trace& trace, const Provenance& provenance, ValueId value) {
    const unsigned bytes = provenance[value].bytes;
    return evidence_of(trace, provenance, value, bytes).value_or(integer_of(bytes));
}

std::optional<Element> element_of_number(ptx::TypeKind kind, ptx::Type value) {
    if (kind != ptx::TypeKind::number) return {};
    return element_of(value, ptx::bytes_of(value));
}

}  // namespace lanescope::analysis
