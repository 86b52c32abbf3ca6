#include "analysis/dataflow/value_builder.h"

#include <algorithm>
#include <bit>

namespace lanescope::analysis {

ValueId ValueBuilder::begin(const FlowStep& step, TracedValue::Kind kind, unsigned lane, unsigned bytes,
                            std::uint64_t bits) {
    TracedValue value;
    value.kind = kind;
    value.lane = static_cast<std::uint8_t>(lane);
    value.bytes = static_cast<std::uint8_t>(bytes);
    value.step = step.id;
    value.bits = bits;
    line_ = step.line;
    passed_ = flags_ = 0;
    has_other_data_ = false;
    return values_.add(value);
}

bool ValueBuilder::take(ValueId parent) {
    if (!parent.valid()) return false;
    values_.add_parent(parent);
    const TracedValue& from = values_[parent];
    TracedValue& value = values_[values_.newest()];
    value.input_dependent |= from.input_dependent;
    value.depth = std::max(value.depth, from.depth);
    const bool passed = from.passed_on || from.is_cell() || line_->flow == Flow::shuffle;
    value.passed_on = value.passed_on || passed;
    if (passed || from.input_dependent) ++passed_;
    const Lineage& like = lineages_[parent];
    if (like.flag)
        ++flags_;
    else if (from.input_dependent && !(from.is_given() && from.bits == 0))
        has_other_data_ = true;
    if (like.kept_by.valid()) values_.add_need(like.kept_by);
    return from.input_dependent;
}

void ValueBuilder::end(unsigned input_dependent) {
    TracedValue& value = values_[values_.newest()];
    // A sum of flags is an operation already.
    if (!value.application && line_->operator_like && input_dependent > 1) {
        const bool reduces = line_->flow == Flow::reduce;
        value.application = true;
        value.operations = static_cast<std::uint16_t>(reduces ? input_dependent - 1 : 1);
        value.depth += reduces ? static_cast<unsigned>(std::bit_width(input_dependent - 1)) : 1;
    }
    value.counts = line_->operator_like && !value.application && passed_ > 1 && value.bytes > 0;
    if (value.kind != TracedValue::Kind::reg) return;
    const bool made_of_data = std::ranges::any_of(values_.parents(values_.newest()), [&](ValueId parent) {
        return values_[parent].kind != TracedValue::Kind::constant;
    });
    if (!made_of_data) value.kind = TracedValue::Kind::constant;
}

}  // namespace lanescope::analysis
