#include "analysis/dataflow/decisions.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace lanescope::analysis {

void Decisions::predicate(const FlowStep& step, unsigned lane) {
    const ValueId id = values_.newest();
    Lineage like;
    std::array<ValueId, 2> compared;
    std::size_t count = 0;
    for (const RegisterId reg : step.data) {
        const ValueId value = step.held(reg, lane);
        if (!value.valid()) continue;
        like.conditional = like.conditional || lineages_.is_data_condition(value);
        if (!like.test.valid()) like.test = lineages_[value].test;
        if (count < compared.size() && values_[value].bytes > 0 && values_[value].input_dependent)
            compared[count++] = value;
    }
    if (!like.conditional) return;
    if (step.instruction().opcode == ptx::Opcode::setp && count == 2 && !like.test.valid()) {
        const ValueId first = lineages_.root(compared[0]), second = lineages_.root(compared[1]);
        Latest& latest = latest_.at(step.thread(lane));
        if (!latest.is_of(first, second)) {
            latest = {.test = id, .first = first, .second = second};
            for (const ValueId value : compared) {
                values_.add_need(value);
                if (lineages_[value].kept_by.valid()) values_.add_need(lineages_[value].kept_by);
            }
        }
        like.test = latest.test;
    }
    lineages_.change(id) = like;
}

void Decisions::selection(const FlowStep& step, unsigned lane) {
    const ValueId id = values_.newest();
    if (step.steering.empty()) return;
    const ValueId by = step.held(step.steering.front(), lane);
    if (!by.valid() || !lineages_[by].conditional) return;
    const ValueId test = lineages_[by].test;
    const ptx::Operand* const from = &step.instruction().operands[step.instruction().destination_count];
    std::array<ValueId, 2> values;
    bool flags = true;
    std::array<std::uint64_t, 2> either{};
    for (unsigned i = 0; i < 2; ++i) {
        if (i < step.data.size() && step.data[i].valid()) values[i] = step.held(step.data[i], lane);
        either[i] = values[i].valid() ? values_[values[i]].bits : from[i].immediate;
        if (values[i].valid())
            flags = flags && (lineages_[values[i]].flag || lineages_.is_literal_flag(values[i]));
        else
            flags = flags && is_zero_or_one(from[i].immediate, values_[id].bytes);
    }
    if (test.valid()) {
        values_.add_need(test);
        lineages_.change(id).chosen_by = test;
        // The two compared values, by what they were first: one of them is selected.
        const std::array<ValueId, 2> compared = values_.compared_by(test);
        const auto wanted = [&](ValueId value) {
            return value.valid() && std::ranges::any_of(compared, [&](ValueId each) {
                       return each.valid() && lineages_.root(each) == lineages_.root(value);
                   });
        };
        if (wanted(values[0]) && wanted(values[1])) values_.confirm(test);
    }
    const bool sum = std::ranges::any_of(values, [&](ValueId value) { return value.valid() && lineages_[value].flag; });
    if (flags && (sum || either[0] != either[1])) lineages_.mark_flag(id, test);
}

void Decisions::extreme(const FlowStep& step, unsigned lane) {
    const ValueId id = values_.newest();
    if (!values_[id].application) return;
    const std::array<ValueId, 2> compared = values_.compared_by(id);
    if (!compared[0].valid() || !compared[1].valid()) return;
    const ValueId first = lineages_.root(compared[0]), second = lineages_.root(compared[1]);
    Latest& latest = latest_.at(step.thread(lane));
    if (!latest.is_of(first, second) || values_[latest.test].bytes > 0) {
        latest = {.test = id, .first = first, .second = second};
        return;
    }
    values_.confirm(latest.test);
    values_.add_need(latest.test);
    values_[id].operations = 0;
}

void Decisions::chosen_load(const FlowStep& step, unsigned lane) {
    for (const RegisterId reg : step.steering) {
        const ValueId address = reg.valid() ? step.held(reg, lane) : ValueId{};
        if (!address.valid() || !lineages_[address].chosen_by.valid()) continue;
        const ValueId test = lineages_[address].chosen_by;
        const auto parents = values_.parents(values_.newest());
        if (parents.size() != 1) continue;
        for (const ValueId compared : values_.compared_by(test)) {
            if (!compared.valid() || lineages_.root(compared) != lineages_.root(parents.front())) continue;
            values_.confirm(test);
            values_.add_need(test);
            return;
        }
    }
}

void Decisions::computed_address(const FlowStep& step, unsigned lane) {
    for (const RegisterId reg : step.data) {
        const ValueId from = step.held(reg, lane);
        if (!from.valid() || !lineages_[from].chosen_by.valid()) continue;
        const ValueId by = lineages_[from].chosen_by;
        lineages_.change(values_.newest()).chosen_by = by;
    }
}

void Decisions::masked_condition(const FlowStep& step, unsigned lane) {
    for (const RegisterId reg : step.data) {
        const ValueId from = step.held(reg, lane);
        if (!from.valid() || !lineages_[from].conditional) continue;
        const Lineage like = lineages_[from];
        Lineage& result = lineages_.change(values_.newest());
        result.test = like.test;
        result.conditional = true;
        result.flag = like.flag;
    }
}

void Decisions::forget(const FlowStep& step) {
    for (const unsigned lane : step.active) {
        Latest* const latest = latest_.find(step.thread(lane));
        if (latest == nullptr) return;
        *latest = {};
    }
}

}  // namespace lanescope::analysis
