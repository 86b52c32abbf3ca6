#include "analysis/panels/memory_table.h"

#include "analysis/dataflow/host_contents.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/launch_shape.h"
#include "analysis/narration/narrator.h"
#include "analysis/passes_picture/grid_shape.h"
#include "analysis/source/display_names.h"
#include "analysis/source/element_type.h"

#include <algorithm>

namespace lanescope::analysis {
namespace {

/// The width of an access for global_name() that is wider than any component, so that a pointer has the name of the
/// element it points to.
constexpr unsigned whole_element = 32;

using trace::Effect;
using trace::EffectKind;
using trace::Space;

/// How the elements of a shared array are read: as the source says, otherwise as the Passes picture determined.
trace::Element element_of_array(const trace::SharedArray& array, const Picture& picture) {
    if (array.element) return *array.element;
    for (const ColumnGroup& group : picture.groups) {
        if (!group.lanes && group.space == Space::shared && group.name == array.name) return group.element;
    }
    return integer_of(array.bytes % 4 == 0 ? 4 : 1);
}

bool overlap(std::uint64_t a, std::uint64_t a_bytes, std::uint64_t b, std::uint64_t b_bytes) {
    return a < b + b_bytes && b < a + a_bytes;
}

/// How instructions read that register, where they agree: a float register has some float instruction.
trace::Element element_of_register(const ptx::Function& function, RegisterId reg, unsigned bytes) {
    trace::Element found = integer_of(bytes);
    for (const ptx::Instruction& instruction : function.instructions) {
        for (unsigned i = 0; i < instruction.operand_count; ++i) {
            const ptx::Operand& operand = instruction.operands[i];
            if (operand.kind != ptx::Operand::Kind::reg || operand.reg != reg) continue;
            const trace::Element read = element_of(operand.type, bytes);
            if (ptx::is_float(operand.type) && trace::bytes_of(read) == bytes) return read;
            if (read != integer_of(bytes) && trace::bytes_of(read) == bytes) found = read;
        }
    }
    return found;
}

}  // namespace

MemoryMoment memory_moment(const BlockView& block, std::size_t position, std::optional<WarpId> warp,
                           std::optional<unsigned> lane) {
    MemoryMoment moment;
    moment.position = moment.since = std::min(position, block.passes.steps.size());
    if (block.passes.steps.empty()) return moment;
    const StepId shown = block.passes.steps[std::min(moment.position, block.passes.steps.size() - 1)];
    const trace::Step& step = block.trace.step(shown);
    moment.warp = warp.value_or(step.warp);
    moment.lane = lane.value_or(0);
    if (!lane && step.warp == moment.warp) moment.lane = choose_lane(step, block.provenance.useful(shown));
    for (std::size_t i = moment.position; i-- > 0;) {
        if (block.step_at(i).warp != moment.warp) continue;
        moment.since = i;
        break;
    }
    return moment;
}

MemoryTable::MemoryTable(std::shared_ptr<const Analysis> analysis, std::uint32_t launch, BlockId block)
    : analysis_(std::move(analysis)), block_(analysis_->view(launch, block)) {
    add_shared();
    add_local();
    find_local_stores();
    add_buffers();
    find_rows();
    seek({});
}

void MemoryTable::add_shared() {
    const Picture& picture = analysis_->picture(block_.passes.launch, block_.passes.block);
    const std::uint64_t limit = shared_bytes_of(block_.launch());
    auto arrays = block_.trace.arrays_of(block_.launch());
    for (const trace::SharedArray& array : arrays) {
        const trace::Element element = element_of_array(array, picture);
        const std::uint64_t bytes = array.offset < limit ? std::min(array.bytes, limit - array.offset) : 0;
        const std::uint64_t count = bytes / trace::bytes_of(element);
        if (count > 0) {
            areas_.push_back({cells_of(element, members_of(block_.module, array)), array.name, Space::shared,
                              array.offset, count, false});
        }
    }
    if (std::ranges::empty(arrays) && limit >= 4) {
        areas_.push_back({{}, "shared", Space::shared, 0, limit / 4, false});
    }
    std::ranges::stable_sort(areas_, {}, &MemoryArea::address);
}

/// The kernel's own arrays: its frame is the first in a thread's local memory. Where the source names none, the range
/// that the threads access.
void MemoryTable::add_local() {
    const std::size_t before = areas_.size();
    const ptx::Module& module = block_.module;
    for (const ptx::SourceArray& array : module.arrays) {
        if (array.space != ptx::Space::local || array.function >= module.functions.size()) continue;
        const ptx::Function& function = module.functions[array.function];
        if (function.name != block_.launch().kernel || array.variable >= function.variables.size()) continue;
        std::uint64_t count = 1;
        for (const std::uint64_t extent : array.extents) count *= std::max<std::uint64_t>(extent, 1);
        const std::uint64_t address = function.variables[array.variable].offset + array.offset;
        const auto element = element_of_number(array.kind, array.element).value_or(integer_of(array.element_bytes));
        if (address + count * trace::bytes_of(element) > most_local_bytes()) continue;
        areas_.push_back({cells_of(element, {}), array.name, Space::local, address, count, false});
    }
    if (areas_.size() > before) return;

    std::uint64_t first = most_local_bytes(), past_last = 0;
    trace::Element element = trace::Element::s32;
    for (const StepId id : block_.passes.steps) {
        const trace::Step& step = block_.trace.step(id);
        const InstructionInfo* const line = block_.provenance.instructions().at(step.line);
        if (line == nullptr || line->passed != InstructionInfo::none) continue;
        for (const Effect& effect : block_.trace.effects(step)) {
            if (!is_access(effect.kind) || effect.space != Space::local) continue;
            for (const unsigned lane : effect.lanes) {
                const std::uint64_t address = block_.trace.address(effect, lane);
                if (address >= most_local_bytes()) continue;
                if (past_last == 0 && effect.bytes == trace::bytes_of(element)) {
                    element = element_evidence(block_.trace, block_.provenance, id, effect, lane).value_or(element);
                }
                first = std::min(first, address / 4 * 4);
                past_last = std::max(past_last, address + std::uint64_t{effect.bytes} * effect.elements);
            }
        }
    }
    if (first < past_last) {
        areas_.push_back({cells_of(element, {}), "local", Space::local, first, (past_last - first + 3) / 4, false});
    }
}

void MemoryTable::add_buffers() {
    for (const trace::Buffer& buffer : block_.trace.buffers) {
        const std::uint64_t count = buffer.bytes / trace::bytes_of(buffer.element);
        if (count == 0) continue;
        const std::string& name = block_.trace.buffer_name(block_.passes.launch, buffer);
        areas_.push_back({cells_of(buffer.element, members_of(block_.trace, block_.module, buffer)), name,
                          Space::global, buffer.address, count, buffer.output,
                          name == buffer.name ? std::string() : buffer.name});
        areas_.back().constant = is_constant(block_.trace, block_.module, buffer.address);
    }
}

void MemoryTable::find_rows() {
    const ArrayShapes shapes(block_);
    for (MemoryArea& area : areas_) {
        if (area.space == Space::local) continue;
        const unsigned cell_bytes = trace::bytes_of(area.element);
        std::optional<GridShape> shape;
        if (area.space == Space::shared) {
            for (const trace::SharedArray& array : block_.trace.arrays_of(block_.launch()))
                if (!shape && array.offset == area.address && array.name == area.name)
                    shape = shapes.of(array, cell_bytes, area.per_element());
        } else if (const trace::Buffer* const buffer = block_.trace.buffer_at(area.address); buffer != nullptr) {
            shape = shapes.of(*buffer, cell_bytes, area.per_element());
        }
        if (!shape || shape->width >= area.count) continue;
        area.row = shape->width;
        area.row_declared = shape->from == GridShape::From::declaration;
    }
}

void MemoryTable::seek(const MemoryMoment& moment) {
    moment_ = moment;
    const std::vector<StepId>& steps = block_.passes.steps;
    moment_.position = std::min(moment_.position, steps.size());
    moment_.since = std::min(moment_.since, moment_.position);
    const auto time_of = [&](std::size_t position) {
        if (steps.empty()) return std::size_t{0};
        return position < steps.size() ? steps[position].index() : steps.back().index() + 1;
    };
    time_ = time_of(moment_.position);
    fresh_from_ = time_of(moment_.since);
    pass_from_ = time_;
    if (moment_.position > 0 && !block_.passes.passes.empty()) {
        pass_from_ = time_of(block_.passes.passes[block_.passes.pass_of(moment_.position - 1).index()].first);
    }
    find_touched();
    fill_local();
    read_variables();
}

void MemoryTable::find_touched() {
    touched_.clear();
    if (moment_.position >= block_.passes.steps.size()) return;
    const trace::Step& step = block_.trace.step(block_.passes.steps[moment_.position]);
    for (const Effect& effect : block_.trace.effects(step)) {
        if (!is_access(effect.kind)) continue;
        for (const unsigned lane : effect.lanes) {
            if (effect.space == Space::local && (step.warp != moment_.warp || lane != moment_.lane)) continue;
            touched_.push_back({effect.space, block_.trace.address(effect, lane),
                                std::uint64_t{effect.bytes} * effect.elements, effect.kind != EffectKind::load});
        }
    }
}

void MemoryTable::find_local_stores() {
    if (std::ranges::none_of(areas_, [](const MemoryArea& area) { return area.space == Space::local; })) return;
    for (std::uint32_t i = 0; i < block_.passes.steps.size(); ++i) {
        const auto effects = block_.trace.effects(block_.trace.step(block_.passes.steps[i]));
        const bool stores = std::ranges::any_of(effects, [](const Effect& effect) {
            return is_access(effect.kind) && effect.kind != EffectKind::load && effect.space == Space::local;
        });
        if (stores) local_stores_.push_back(i);
    }
}

// Provenance keeps no history of local memory; a thread's history is short and computed again.
void MemoryTable::fill_local() {
    std::uint64_t end = 0;
    for (const MemoryArea& area : areas_) {
        if (area.space == Space::local) end = std::max(end, area.address + area.count * trace::bytes_of(area.element));
    }
    local_.assign(end, {});
    if (end == 0) return;
    for (const std::uint32_t i : local_stores_) {
        if (i >= moment_.position) break;
        const trace::Step& step = block_.trace.step(block_.passes.steps[i]);
        if (step.warp != moment_.warp) continue;
        for (const Effect& effect : block_.trace.effects(step)) {
            const bool writes = trace::is_write(effect.kind);
            if (!writes || effect.space != Space::local || !effect.lanes.has(moment_.lane)) continue;
            for (unsigned e = 0; e < effect.elements; ++e) {
                const std::uint64_t bits = block_.trace.after(effect, moment_.lane, e);
                const std::uint64_t at = block_.trace.address(effect, moment_.lane) + std::uint64_t{e} * effect.bytes;
                for (unsigned byte = 0; byte < effect.bytes && at + byte < end; ++byte) {
                    local_[at + byte] = {static_cast<std::byte>(bits >> (8 * byte)), block_.passes.steps[i]};
                }
            }
        }
    }
}

bool MemoryTable::fresh(StepId writer) const {
    return writer.valid() && writer.index() >= fresh_from_ && writer.index() < time_;
}

ValueId MemoryTable::value_at(Space space, std::uint64_t address) const {
    const ValueId found = block_.provenance.memory_at(space, block_.passes.launch, block_.passes.block, address, time_);
    if (!found.valid()) return found;
    return block_.provenance[found].kind != TracedValue::Kind::uninitialized ? found : ValueId{};
}

MemoryCell MemoryTable::cell(std::size_t area_index, std::uint64_t element) const {
    const MemoryArea& area = areas_[area_index];
    const unsigned bytes = trace::bytes_of(area.element);
    const std::uint64_t address = area.address + element * bytes;
    MemoryCell cell;
    const Provenance& provenance = block_.provenance;
    const auto put = [&](unsigned byte, std::uint64_t value) {
        cell.bits &= ~(std::uint64_t{0xFF} << (8 * byte));
        cell.bits |= (value & 0xFF) << (8 * byte);
    };
    if (area.space == Space::global) {
        const trace::Buffer& buffer = *block_.trace.buffer_at(address);
        const auto number = static_cast<std::uint32_t>(&buffer - block_.trace.buffers.data());
        cell.state = MemoryCell::State::initial;
        cell.bits =
            host_contents_at(block_.trace, number, address - buffer.address, bytes, host_writes_at(block_.trace, time_))
                .bits;
    }
    for (unsigned byte = 0; byte < bytes; ++byte) {
        StepId writer;
        std::uint64_t held = 0;
        if (area.space == Space::local) {
            const LocalByte& local = local_[address + byte];
            writer = local.writer;
            held = std::to_integer<std::uint64_t>(local.value);
        } else if (const ValueId found = value_at(area.space, address + byte); found.valid()) {
            const TracedValue& value = provenance[found];
            writer = value.step;
            held = value.bits >> (8 * (address + byte - value.address));
            if (!cell.value.valid()) {
                cell.value = found;
                cell.lane = value.lane;
            }
            // A value that the host wrote between launches.
            if (!writer.valid()) put(byte, held);
        }
        if (!writer.valid()) continue;
        put(byte, held);
        if (cell.state != MemoryCell::State::written) {
            cell.state = MemoryCell::State::written;
            cell.writer = writer;
            if (area.space == Space::local) cell.lane = moment_.lane;
        }
        cell.changed |= fresh(writer);
        cell.in_pass |= writer.index() >= pass_from_;
    }
    for (const Touched& touched : touched_) {
        if (touched.space != area.space || !overlap(touched.address, touched.bytes, address, bytes)) continue;
        (touched.writes ? cell.written_next : cell.read_next) = true;
    }
    return cell;
}

std::optional<MemoryTable::Place> MemoryTable::place_of(Space space, std::uint64_t address) const {
    for (std::size_t index = 0; index < areas_.size(); ++index) {
        const MemoryArea& area = areas_[index];
        const unsigned bytes = trace::bytes_of(area.element);
        if (area.space != space || address < area.address || address - area.address >= area.count * bytes) continue;
        return Place{index, (address - area.address) / bytes};
    }
    return {};
}

std::optional<MemoryTable::Place> MemoryTable::focus() const {
    for (const Touched& touched : touched_) {
        if (const auto place = place_of(touched.space, touched.address)) return place;
    }
    for (std::size_t i = moment_.position; i-- > moment_.since;) {
        for (const Effect& effect : block_.trace.effects(block_.trace.step(block_.passes.steps[i]))) {
            const bool writes = trace::is_write(effect.kind);
            if (!writes || effect.lanes.none()) continue;
            if (const auto place = place_of(effect.space, block_.trace.address(effect, effect.lanes.lowest())))
                return place;
        }
    }
    return {};
}

// --- registers -------------------------------------------------------------------------------------------------

/// The step of the moment's warp that executes next, or the last one in a function whose variables the source names,
/// because compiler-generated code has none. Invalid once the lane has returned.
StepId MemoryTable::standing_at() const {
    const std::vector<StepId>& steps = block_.passes.steps;
    StepId next;
    for (std::size_t i = moment_.position; i < steps.size() && !next.valid(); ++i) {
        if (block_.trace.step(steps[i]).warp == moment_.warp) next = steps[i];
    }
    if (!next.valid() || block_.provenance.exited(next).has(moment_.lane)) return {};
    const auto is_shown = [&](StepId id) {
        const InstructionInfo* const line = block_.provenance.instructions().at(block_.trace.step(id).line);
        return line != nullptr && (line->function->entry || !line->function->source_variables.empty());
    };
    if (is_shown(next)) return next;
    for (std::size_t i = std::min(moment_.position, steps.size()); i-- > 0;) {
        if (block_.trace.step(steps[i]).warp == moment_.warp && is_shown(steps[i])) return steps[i];
    }
    return {};
}

LaneVariable MemoryTable::read(RegisterId reg, unsigned bytes) const {
    LaneVariable variable;
    variable.reg = reg;
    variable.bytes = bytes;
    variable.truth = bytes == 0;
    variable.written = cursor_->register_written(block_.passes.block, moment_.warp, reg, moment_.lane);
    variable.bits = cursor_->register_value(block_.passes.block, moment_.warp, reg, moment_.lane);
    if (bytes > 0 && bytes < 8) variable.bits &= (std::uint64_t{1} << (8 * bytes)) - 1;
    return variable;
}

void MemoryTable::read_variables() {
    variables_.clear();
    named_ = false;
    const StepId at = standing_at();
    if (!at.valid()) return;
    if (!cursor_) cursor_ = std::make_unique<trace::Cursor>(analysis_->trace);
    cursor_->seek(time_);
    const PtxLine here = block_.trace.step(at).line;
    const ptx::Function& function = *block_.provenance.instructions().at(here)->function;
    const std::uint32_t first = first_register_of(function, block_.trace.registers);
    named_ = !function.source_variables.empty();
    if (!named_) {
        read_registers(function);
        return mark_variables();
    }
    for (const ptx::SourceVariable& source : function.source_variables) {
        const bool in_scope = source.scope_first_line == 0 ||
                              (source.scope_first_line <= here.value && here.value <= source.scope_last_line);
        if (!in_scope) continue;
        LaneVariable variable;
        for (const ptx::VariableRange& range : source.ranges) {
            if (range.first <= here && here < range.past_last) {
                variable = read(RegisterId(range.reg.value + first), source.bytes);
            }
        }
        variable.name = source.name;
        variable.type = source.type;
        variable.truth = variable.truth || source.kind == ptx::TypeKind::boolean;
        variable.element = element_of_number(source.kind, source.value);
        if (!variable.element && variable.bytes == 8 && variable.written &&
            block_.trace.buffer_at(variable.bits) != nullptr)
            variable.points_at =
                global_name(block_.trace, block_.module, block_.passes.launch, variable.bits, whole_element);
        variable.in_pass = value_to_come(variable);
        variables_.push_back(std::move(variable));
    }
    mark_variables();
}

/// A loop updates its variable after the barrier, when the pass that is named by the new value has begun.
std::string MemoryTable::value_to_come(const LaneVariable& variable) const {
    if (!variable.element || !variable.written || moment_.position >= block_.passes.steps.size()) return {};
    const Pass& pass = block_.passes.passes[block_.passes.pass_of(moment_.position).index()];
    const auto named = std::ranges::find(pass.variables, variable.name, &LoopVariable::name);
    if (named == pass.variables.end() || named->value == trace::text_of(*variable.element, variable.bits)) return {};
    return named->value;
}

/// For code without the source's names: the function's registers that have been written.
void MemoryTable::read_registers(const ptx::Function& function) {
    const std::uint32_t first = first_register_of(function, block_.trace.registers);
    for (std::uint32_t number = 0; number < function.registers.size(); ++number) {
        const RegisterId reg(first + number);
        if (reg.index() >= block_.trace.registers.size()) break;
        LaneVariable variable = read(reg, block_.trace.registers[reg.index()].bytes);
        if (!variable.written) continue;
        variable.name = function.registers[number].name;
        if (variable.bytes > 0) variable.element = element_of_register(function, RegisterId(number), variable.bytes);
        if (variable.bytes == 8 && block_.trace.buffer_at(variable.bits) != nullptr)
            variable.points_at =
                global_name(block_.trace, block_.module, block_.passes.launch, variable.bits, whole_element);
        variables_.push_back(std::move(variable));
    }
}

void MemoryTable::mark_variables() {
    const auto mark = [&](RegisterId reg, bool LaneVariable::*what) {
        for (LaneVariable& variable : variables_) {
            if (variable.reg.valid() && variable.reg == reg) variable.*what = true;
        }
    };
    const auto writes = [&](StepId id, bool LaneVariable::*what) {
        const trace::Step& step = block_.trace.step(id);
        if (step.warp != moment_.warp) return;
        for (const Effect& effect : block_.trace.effects(step)) {
            if (effect.kind == EffectKind::register_write && effect.lanes.has(moment_.lane))
                mark(RegisterId(effect.id), what);
        }
    };
    for (std::size_t i = moment_.since; i < moment_.position; ++i)
        writes(block_.passes.steps[i], &LaneVariable::changed);
    if (moment_.position >= block_.passes.steps.size()) return;
    const StepId next = block_.passes.steps[moment_.position];
    const trace::Step& step = block_.trace.step(next);
    if (step.warp != moment_.warp || !step.executed.has(moment_.lane)) return;
    writes(next, &LaneVariable::written_next);
    const InstructionTable& code = block_.provenance.instructions();
    if (const InstructionInfo* const line = code.at(step.line)) {
        for (const RegisterId reg : code.data(*line)) mark(reg, &LaneVariable::read_next);
        for (const RegisterId reg : code.steering(*line)) mark(reg, &LaneVariable::read_next);
    }
}

}  // namespace lanescope::analysis
