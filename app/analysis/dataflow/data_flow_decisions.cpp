// Decisions in the walk of a DataFlow: which comparisons of two values of the data decide that one of them stays or
// moves. Each is one operation, however many registers move.
#include "analysis/dataflow/data_flow.h"

#include <algorithm>
#include <bit>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using Kind = ptx::Operand::Kind;

constexpr std::uint64_t one_as_float = 0x3f800000, one_as_double = 0x3ff0000000000000;

bool is_one(std::uint64_t bits, unsigned bytes) {
    return bits == 1 || (bytes == 4 && bits == one_as_float) || (bytes == 8 && bits == one_as_double);
}

/// Does the result hold the bits, or the number, of the one data operand?
bool copies(const InstructionInfo& line) {
    switch (line.flow) {
        case Flow::load:
        case Flow::store:
        case Flow::copy:
        case Flow::select:
        case Flow::shuffle: return true;
        case Flow::compute: {
            const ptx::Opcode opcode = line.instruction->opcode;
            return opcode == ptx::Opcode::mov || opcode == ptx::Opcode::cvt || opcode == ptx::Opcode::cvta;
        }
        default: return false;
    }
}

}  // namespace

const DataFlow::Lineage& DataFlow::lineage(ValueId id) const {
    static const Lineage itself;
    return id.index() < lineages_.size() ? lineages_[id.index()] : itself;
}

DataFlow::Lineage& DataFlow::lineage_of(ValueId id) {
    if (id.index() >= lineages_.size()) lineages_.resize(std::max(id.index() + 1, lineages_.size() * 3 / 2));
    return lineages_[id.index()];
}

ValueId DataFlow::root(ValueId id) const {
    const ValueId found = lineage(id).root;
    return found.valid() ? found : id;
}

bool DataFlow::is_data_condition(ValueId id) const {
    const Lineage& like = lineage(id);
    return out_.values_[id.index()].input_dependent || like.flag || like.conditional;
}

DataFlow::LaneState& DataFlow::lane_state(unsigned lane) {
    if (block_->lanes.empty()) block_->lanes.resize(warps_ * warp_size);
    return block_->lanes[std::size_t{warp_} * warp_size + lane];
}

/// The way that the lane is on where it executes the step.
DataFlow::Way DataFlow::way_of(unsigned lane) const {
    if (line_->guard.valid()) {
        const ValueId predicate = held(line_->guard, lane);
        if (!predicate.valid()) return {};
        const Lineage& like = lineage(predicate);
        if (like.conditional) return {.test = like.test, .function = line_->function, .once = true};
    }
    if (block_->lanes.empty()) return {};
    const std::vector<Way>& ways = block_->lanes[std::size_t{warp_} * warp_size + lane].ways;
    return ways.empty() ? Way{} : ways.back();
}

void DataFlow::decide_by(ValueId id, ValueId test) {
    if (out_.decided_.empty() || out_.decided_.back() != std::pair(id, test)) out_.decided_.emplace_back(id, test);
}

void DataFlow::confirm(ValueId test) {
    TracedValue& comparison = out_.values_[test.index()];
    comparison.application = true;
    comparison.operations = 1;
}

/// Is it 0 or 1 because the code says so? An index may be 0 or 1 as well, but is no flag.
bool DataFlow::is_literal_flag(ValueId id) const {
    const TracedValue& value = out_.values_[id.index()];
    return lineage(id).literal && (value.bits == 0 || is_one(value.bits, value.bytes));
}

/// The values that the comparison compares; a minimum or maximum is one, too.
std::array<ValueId, 2> DataFlow::compared_by(ValueId test) const {
    std::array<ValueId, 2> found;
    std::size_t count = 0;
    const auto add = [&](ValueId value) {
        const TracedValue& compared = out_.values_[value.index()];
        if (count < found.size() && compared.bytes > 0 && compared.input_dependent) found[count++] = value;
    };
    if (out_.values_[test.index()].bytes == 0) {
        for (const auto& [of, value] : out_.decided_by(test)) add(value);
        return found;
    }
    for (const ValueId parent : out_.parents(test)) add(parent);
    return found;
}

// --- Values ------------------------------------------------------------------------------------------------------

/// The newest value is complete: a register of the lane.
void DataFlow::follow_register(const Effect& write, unsigned lane) {
    const ValueId id(static_cast<std::uint32_t>(out_.values_.size() - 1));
    const RegisterId own(write.id - line_->first_register);
    if (write.bytes == 0) {
        if (line_->flow != Flow::shuffle && line_->flow != Flow::vote) follow_predicate(id, lane);
        const Way way = way_of(lane);
        if (way.function == nullptr || !regions_.merges(*line_->function, own)) return;
        Lineage& like = lineage_of(id);
        like.conditional = true;
        if (!like.test.valid()) like.test = way.test;
        return;
    }
    if (line_->flow == Flow::vote) return;
    learn_address(id, lane);
    if (line_->flow == Flow::select) follow_selection(id, lane);
    if (copies(*line_)) follow_copy(id);
    if (line_->instruction->opcode == ptx::Opcode::mov && line_->instruction->operands[1].kind == Kind::immediate)
        lineage_of(id).literal = true;
    const ptx::Opcode opcode = line_->instruction->opcode;
    if (opcode == ptx::Opcode::min || opcode == ptx::Opcode::max) follow_extreme(id, lane);
    if (line_->flow == Flow::load) follow_chosen_load(id, lane);
    if (line_->flow == Flow::compute) {
        for (const RegisterId reg : data_) {
            const ValueId from = held(reg, lane);
            if (!from.valid() || !lineage(from).chosen_by.valid()) continue;
            const ValueId by = lineage(from).chosen_by;
            lineage_of(id).chosen_by = by;
        }
    }
    if (opcode == ptx::Opcode::and_ || opcode == ptx::Opcode::popc) count_votes(id, lane);
    if (opcode == ptx::Opcode::and_) {  // a bool that a function returns, & 1
        for (const RegisterId reg : data_) {
            const ValueId from = held(reg, lane);
            if (!from.valid() || !lineage(from).conditional) continue;
            const Lineage like = lineage(from);
            Lineage& result = lineage_of(id);
            result.test = like.test;
            result.conditional = true;
            result.flag = like.flag;
        }
    }
    if (flag_operands_ > 0 && !other_operands_ && (opcode == ptx::Opcode::add || line_->flow == Flow::reduce))
        lineage_of(id).flag = true;
    const Way way = way_of(lane);
    if (way.function == nullptr) return;
    if (!line_->guard.valid() && !regions_.merges(*line_->function, own)) return;
    if (way.test.valid()) decide_by(id, way.test);
    if (!way.once || !copies(*line_) || !is_literal_flag(id)) return;
    const ValueId before = held(RegisterId(write.id), lane);
    const bool differs = line_->guard.valid() && before.valid() && is_literal_flag(before) &&
                         out_.values_[before.index()].bits != out_.values_[id.index()].bits;
    if (differs || std::ranges::find(way.flags.registers, own) != way.flags.registers.end()) mark_flag(id, way.test);
}

void DataFlow::follow_predicate(ValueId id, unsigned lane) {
    Lineage like;
    std::array<ValueId, 2> compared;
    std::size_t count = 0;
    const bool compares = line_->instruction->opcode == ptx::Opcode::setp;
    for (const RegisterId reg : data_) {
        const ValueId value = held(reg, lane);
        if (!value.valid()) continue;
        like.conditional = like.conditional || is_data_condition(value);
        if (!like.test.valid()) like.test = lineage(value).test;
        if (count < compared.size() && out_.values_[value.index()].bytes > 0 &&
            out_.values_[value.index()].input_dependent)
            compared[count++] = value;
    }
    if (!like.conditional) return;
    if (compares && count == 2 && !like.test.valid()) {
        const ValueId first = root(compared[0]), second = root(compared[1]);
        Comparison& latest = lane_state(lane).latest;
        if (!latest.is_of(first, second)) {
            latest = {.test = id, .first = first, .second = second};
            for (const ValueId value : compared) {
                decide_by(id, value);
                if (lineage(value).kept_by.valid()) decide_by(id, lineage(value).kept_by);
            }
        }
        like.test = latest.test;
    }
    lineage_of(id) = like;
}

void DataFlow::follow_selection(ValueId id, unsigned lane) {
    const auto steering = index_.instructions.steering(*line_);
    if (steering.empty()) return;
    const ValueId by = held(steering.front(), lane);
    if (!by.valid() || !lineage(by).conditional) return;
    const ValueId test = lineage(by).test;
    const ptx::Operand* const from = &line_->instruction->operands[line_->instruction->destination_count];
    std::array<ValueId, 2> values;
    bool flags = true;
    std::array<std::uint64_t, 2> either{};
    for (unsigned i = 0; i < 2; ++i) {
        if (i < data_.size() && data_[i].valid()) values[i] = held(data_[i], lane);
        either[i] = values[i].valid() ? out_.values_[values[i].index()].bits : from[i].immediate;
        if (values[i].valid())
            flags = flags && (lineage(values[i]).flag || is_literal_flag(values[i]));
        else
            flags = flags && (from[i].immediate == 0 || is_one(from[i].immediate, out_.values_[id.index()].bytes));
    }
    if (test.valid()) {
        decide_by(id, test);
        lineage_of(id).chosen_by = test;
        // The two compared values, by what they were first: one of them is selected.
        const std::array<ValueId, 2> compared = compared_by(test);
        const auto wanted = [&](ValueId value) {
            return value.valid() && std::ranges::any_of(compared, [&](ValueId each) {
                       return each.valid() && root(each) == root(value);
                   });
        };
        if (wanted(values[0]) && wanted(values[1])) confirm(test);
    }
    const bool sum = std::ranges::any_of(values, [&](ValueId value) { return value.valid() && lineage(value).flag; });
    if (flags && (sum || either[0] != either[1])) mark_flag(id, test);
}

/// The smaller or larger of two values. Where the lane compares the same two as well, to move what belongs to them,
/// that is the same operation.
void DataFlow::follow_extreme(ValueId id, unsigned lane) {
    TracedValue& value = out_.values_[id.index()];
    if (!value.application) return;
    const std::array<ValueId, 2> compared = compared_by(id);
    if (!compared[0].valid() || !compared[1].valid()) return;
    const ValueId first = root(compared[0]), second = root(compared[1]);
    Comparison& latest = lane_state(lane).latest;
    if (!latest.is_of(first, second) || out_.values_[latest.test.index()].bytes > 0) {
        latest = {.test = id, .first = first, .second = second};
        return;
    }
    confirm(latest.test);
    decide_by(id, latest.test);
    value.operations = 0;
}

/// A compiler may choose between two addresses instead of the two values that lie there.
void DataFlow::follow_chosen_load(ValueId id, unsigned lane) {
    for (const RegisterId reg : index_.instructions.steering(*line_)) {
        const ValueId address = reg.valid() ? held(reg, lane) : ValueId{};
        if (!address.valid() || !lineage(address).chosen_by.valid()) continue;
        const ValueId test = lineage(address).chosen_by;
        const auto parents = out_.parents(id);
        if (parents.size() != 1) continue;
        for (const ValueId compared : compared_by(test)) {
            if (!compared.valid() || root(compared) != root(parents.front())) continue;
            confirm(test);
            decide_by(id, test);
            return;
        }
    }
}

/// The newest value is a copy of its one parent.
void DataFlow::follow_copy(ValueId id) {
    const auto parents = out_.parents(id);
    if (parents.size() != 1) return;
    const ValueId from = parents.front();
    const Lineage like = lineage(from);
    Lineage& own = lineage_of(id);
    own.root = root(from);
    if (!own.test.valid()) own.test = like.test;
    own.conditional = own.conditional || like.conditional;
    own.flag = own.flag || like.flag;
    own.literal = like.literal;
    own.loaded_from = like.loaded_from;
    if (line_->flow == Flow::load && out_.values_[from.index()].kind != TracedValue::Kind::constant)
        own.loaded_from = loaded_from_;
    if (const auto votes = votes_.find(from.value); votes != votes_.end()) {
        const std::uint32_t lanes = votes->second;
        votes_[id.value] = lanes;
    }
}

void DataFlow::follow_stored(ValueId id, unsigned lane) {
    follow_copy(id);
    if (line_->flow == Flow::store && line_->instruction->operands[1].kind == Kind::immediate)
        lineage_of(id).literal = true;
    const Way way = way_of(lane);
    if (way.test.valid()) decide_by(id, way.test);
    if (way.flags.cells && is_literal_flag(id)) mark_flag(id, way.test);
}

/// Leaves out what comparisons decided that turned out to move none of their values, and computes the depth of every
/// value again with those that did.
void DataFlow::finish_operations() {
    std::erase_if(out_.decided_, [&](const auto& pair) {
        const TracedValue& of = out_.values_[pair.first.index()];
        const TracedValue& need = out_.values_[pair.second.index()];
        const bool compares = of.bytes == 0 && of.kind != TracedValue::Kind::memory;
        return (compares && of.operations == 0) || (need.bytes == 0 && need.operations == 0);
    });
    auto decided = out_.decided_.begin();
    for (std::size_t i = 0; i < out_.values_.size(); ++i) {
        TracedValue& value = out_.values_[i];
        std::uint32_t depth = 0;
        for (const ValueId parent : out_.parents(ValueId(static_cast<std::uint32_t>(i))))
            depth = std::max(depth, out_.values_[parent.index()].depth);
        for (; decided != out_.decided_.end() && decided->first.index() == i; ++decided)
            depth = std::max(depth, out_.values_[decided->second.index()].depth);
        value.depth = depth + (value.application ? static_cast<std::uint32_t>(std::bit_width(value.operations)) : 0);
    }
}

}  // namespace lanescope::analysis
