#include "analysis/passes_picture/picture.h"

#include "analysis/dataflow/host_contents.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/launch_shape.h"
#include "analysis/passes/traffic.h"
#include "analysis/passes_picture/cell_sources.h"
#include "analysis/passes_picture/columns.h"
#include "analysis/passes_picture/halo.h"
#include "analysis/passes_picture/passes_between.h"
#include "analysis/source/element_type.h"
#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <span>
#include <utility>

namespace lanescope::analysis {
namespace {

using trace::Space;

const ColumnGroup& group_at(const std::vector<ColumnGroup>& groups, std::uint32_t column) {
    return *std::prev(std::ranges::upper_bound(groups, column, {}, &ColumnGroup::first_column));
}

/// Draws one block, pass by pass, from the values that its stores wrote and, where lanes exchange values, from those
/// that its threads hold.
class Painter {
  public:
    Painter(const BlockView& block, GlobalCells global, const ArrayShapes& shapes)
        : block_(block),
          global_(global),
          columns_(block, global, shapes),
          lanes_(lane_events(block)),
          sources_(block, lanes_, global),
          threads_(threads_of(block.launch())) {
        if (!lanes_.empty())
            columns_.add_lanes(block.launch(), element_of(block.trace, block.provenance, lanes_.front().value));
        for (auto& buffer : cells_) buffer.resize(columns_.count());
        shows_other_.resize(columns_.groups().size());
        for (std::uint32_t g = 0; g < columns_.groups().size(); ++g) set_addresses(g);
    }

    Picture paint() {
        Picture picture;
        picture.groups = columns_.groups();
        picture.columns = columns_.count();
        if (picture.columns == 0) return picture;
        if (global_ == GlobalCells::all || global_ == GlobalCells::inputs) picture.rows.push_back(start());
        if (global_ == GlobalCells::outputs && !block_.passes.steps.empty()) hold_what_is_read();
        for (const Pass& pass : block_.passes.passes) {
            PictureRow row;
            row.pass = pass.id;
            row.threads = threads_;
            row_ = static_cast<std::uint32_t>(picture.rows.size());
            pass_begin_ = block_.passes.steps[pass.first];
            rows_ = picture.rows;
            writers_.assign(threads_, false);
            for (std::size_t i = pass.first; i < pass.past_last; ++i) take_step(block_.passes.steps[i], row);
            if (row.nodes.empty()) continue;
            finish(row);
            name_passes_between(picture, pass.id);
            picture.rows.push_back(std::move(row));
        }
        mark_read_again(picture);
        return picture;
    }

    /// Was an output computed from columns by an operator that the picture does not show?
    [[nodiscard]] bool computes_on_the_way_out() const { return computes_on_the_way_out_; }
    /// Does a warp store outputs in an order other than that of its lanes? Only the outputs show where each value went.
    [[nodiscard]] bool scatters() const { return scatters_; }
    /// Was a cell's value computed from elements of global memory by an operator that the picture does not show?
    [[nodiscard]] bool computes_on_the_way_in() const { return computes_on_the_way_in_; }

  private:
    [[nodiscard]] PictureRow start();
    void hold_what_is_read();
    void hold_contents(const ColumnGroup& group);
    [[nodiscard]] bool out_of_order(const trace::Step& step) const;
    void set_addresses(std::uint32_t g);
    void take_step(StepId id, PictureRow& row);
    void take_store(ValueId id, PictureRow& row);
    void take_lane(const LaneEvent& event, PictureRow& row);
    void add_node(std::uint32_t column, ValueId id, unsigned thread, StepId step, PictureRow& row);
    [[nodiscard]] bool is_of_another_block(ValueId id) const;
    [[nodiscard]] bool is_shown(const CellSources::Found& found) const;
    void add_from_blocks(Node& node, const CellSources::Sources& sources) const;
    [[nodiscard]] std::optional<Source> source_of(const CellSources::Found& found, std::uint32_t column) const;
    [[nodiscard]] std::span<const CellSources::Found> index_sources_of(ValueId stored);
    static void drop_common_index(std::span<Node> nodes);
    [[nodiscard]] ValueId address_of(ValueId stored) const;
    [[nodiscard]] bool reaches_output(ValueId id) const;
    [[nodiscard]] bool is_immediate(ValueId stored) const;
    void write_cell(Cell& to, std::uint64_t bits, const Node& node);
    [[nodiscard]] std::string elements_text(const PictureRow& row) const;
    void finish(PictureRow& row);
    void name_passes_between(Picture& picture, PassId next) const;
    void show_cells(PictureRow& row) const;
    void mark_read_again(Picture& picture) const;

    [[nodiscard]] Cell& cell(const ColumnPlace& place) { return cells_[place.other ? 1 : 0][place.column]; }

    BlockView block_;
    GlobalCells global_;
    Columns columns_;
    std::vector<LaneEvent> lanes_;  ///< in the order of their steps
    std::size_t next_lane_ = 0;
    CellSources sources_;
    unsigned threads_;

    std::array<std::vector<Cell>, 2> cells_;  ///< by column, of the buffers at `address` and at `folded_address`
    std::vector<std::uint8_t> shows_other_;   ///< by group: the row shows the buffer at `folded_address`

    // The pass being painted.
    std::uint32_t row_ = 0;
    StepId pass_begin_;
    std::span<const PictureRow> rows_;
    std::vector<bool> writers_;
    bool copies_ = false;  ///< the newest node copies one cell's value
    bool computes_on_the_way_out_ = false;
    bool scatters_ = false;
    bool computes_on_the_way_in_ = false;
};

void Painter::set_addresses(std::uint32_t g) {
    const ColumnGroup& group = columns_.groups()[g];
    if (group.lanes) return;
    for (std::uint32_t column = group.first_column; column < group.first_column + group.count; ++column) {
        for (const bool other : {false, true}) {
            const ColumnPlace place{g, column, other};
            cell(place).address = columns_.address_of(place);
        }
    }
}

/// The row with the contents of global memory when the block begins.
PictureRow Painter::start() {
    PictureRow row;
    row.pass = PassId(0);
    row.label = "start";
    row.threads = threads_;
    row.initial = true;
    for (const ColumnGroup& group : columns_.groups()) hold_contents(group);
    show_cells(row);
    return row;
}

/// Shows elements that the block reads with their values from when the block began.
void Painter::hold_what_is_read() {
    std::vector<bool> read(block_.trace.buffers.size());
    for (const StepId id : block_.passes.steps) {
        for (const trace::Effect& effect : block_.trace.effects(block_.trace.step(id))) {
            const bool reads = trace::is_read(effect.kind);
            if (!reads || effect.space != Space::global || effect.lanes.none()) continue;
            const trace::Buffer* const buffer =
                block_.trace.buffer_at(block_.trace.address(effect, effect.lanes.lowest()));
            if (buffer != nullptr) read[static_cast<std::size_t>(buffer - block_.trace.buffers.data())] = true;
        }
    }
    for (const ColumnGroup& group : columns_.groups()) {
        if (group.lanes || group.space != Space::global || group.count == 0) continue;
        const trace::Buffer* const buffer = block_.trace.buffer_at(cells_[0][group.first_column].address);
        if (buffer != nullptr && read[static_cast<std::size_t>(buffer - block_.trace.buffers.data())])
            hold_contents(group);
    }
}

void Painter::hold_contents(const ColumnGroup& group) {
    const std::size_t position = block_.passes.steps.front().index();
    const std::uint32_t host_writes = host_writes_at(block_.trace, position);
    const unsigned size = trace::bytes_of(group.element);
    for (std::uint32_t c = 0; c < group.count; ++c) {
        for (const bool other : {false, true}) {
            if (other && !group.folded) continue;
            Cell& to = cells_[other ? 1 : 0][group.first_column + c];
            const trace::Buffer* const buffer = block_.trace.buffer_at(to.address);
            if (buffer == nullptr) continue;
            const std::uint64_t index = (to.address - buffer->address) / size;
            if ((index + 1) * size > buffer->initial.size()) continue;  // half an element at the end of the buffer
            to.known = true;
            const auto number = static_cast<std::uint32_t>(buffer - block_.trace.buffers.data());
            to.bits = host_contents_at(block_.trace, number, index * size, size, host_writes).bits;
            to.value = block_.provenance.memory_at(Space::global, block_.passes.launch, block_.passes.block, to.address,
                                                   position);
            if (!to.value.valid()) continue;
            const TracedValue& value = block_.provenance[to.value];
            if (value.address == to.address && value.bytes == size) to.bits = value.bits;
            to.useful = value.reaches_output;
            sources_.hold(to.value, {}, {});
        }
    }
}

/// Do the lanes store to global memory at addresses that neither ascend nor descend?
bool Painter::out_of_order(const trace::Step& step) const {
    for (const trace::Effect& effect : block_.trace.effects(step)) {
        if (effect.kind != trace::EffectKind::store || effect.space != Space::global) continue;
        std::optional<std::uint64_t> before;
        bool rises = false, falls = false;
        for (const unsigned lane : effect.lanes) {
            const std::uint64_t address = block_.trace.address(effect, lane);
            rises = rises || (before && address > *before);
            falls = falls || (before && address < *before);
            before = address;
        }
        if (rises && falls) return true;
    }
    return false;
}

void Painter::take_step(StepId id, PictureRow& row) {
    const ValueRange written = block_.provenance.values_of(id);
    const std::size_t first_node = row.nodes.size();
    std::optional<std::vector<ValueId>> index_cells;  // of the first lane
    for (std::uint32_t v = written.first; v < written.past_last; ++v) {
        const TracedValue& value = block_.provenance[ValueId(v)];
        if (!value.is_cell()) continue;
        if (value.space == Space::shared || global_ != GlobalCells::none) {
            take_store(ValueId(v), row);
            continue;
        }
        scatters_ = scatters_ || (value.reaches_output && out_of_order(block_.trace.step(id)));
        if (!scatters_ && value.reaches_output) {
            std::vector<ValueId> cells;
            for (const CellSources::Found& found : index_sources_of(ValueId(v))) cells.push_back(found.value);
            scatters_ = index_cells && *index_cells != cells;
            if (!index_cells) index_cells = std::move(cells);
        }
        if (value.reaches_output && !computes_on_the_way_out_) {
            const CellSources::Sources sources = sources_.of(ValueId(v), pass_begin_);
            computes_on_the_way_out_ = sources.combines && !sources.cells.empty();
        }
    }
    drop_common_index(std::span(row.nodes).subspan(first_node));
    for (; next_lane_ < lanes_.size() && lanes_[next_lane_].at <= id; ++next_lane_) take_lane(lanes_[next_lane_], row);
}

/// An offset that all lanes of an instruction add to their index is the place of the block and says nothing about the
/// lanes.
void Painter::drop_common_index(std::span<Node> nodes) {
    const auto columns = [](const Node& node) {
        std::vector<std::uint32_t> found;
        found.reserve(node.index_sources.size());
        for (const Source& source : node.index_sources) found.push_back(source.column);
        return found;
    };
    const bool differ = std::ranges::any_of(nodes, [&](const Node& n) { return columns(n) != columns(nodes.front()); });
    if (differ || nodes.size() < 2) return;
    for (Node& node : nodes) node.index_sources.clear();
}

void Painter::take_store(ValueId id, PictureRow& row) {
    const TracedValue& value = block_.provenance[id];
    const auto first = columns_.place_of(value.space, value.address);
    if (!first) return;
    add_node(first->column, id, thread_of(block_.trace.step(value.step).warp, value.lane), value.step, row);
    if (value.space == Space::global) {
        Node& node = row.nodes.back();
        for (const CellSources::Found& found : index_sources_of(id)) {
            if (const auto source = source_of(found, node.column)) node.index_sources.push_back(*source);
        }
    }
    const std::uint64_t end = value.address + value.bytes;
    for (std::uint64_t byte = value.address; byte < end;) {
        const auto place = columns_.place_of(value.space, byte);
        if (!place) break;
        Cell& to = cell(*place);
        const std::uint64_t past_cell = to.address + trace::bytes_of(columns_.groups()[place->group].element);
        std::uint64_t bits = to.bits;
        for (; byte < std::min(end, past_cell); ++byte) {
            const std::uint64_t number = byte - value.address;
            const std::uint64_t part = number < 8 ? (value.bits >> (8 * number)) & 0xFFU : 0;
            const std::uint64_t shift = 8 * (byte - to.address);
            bits = (bits & ~(std::uint64_t{0xFF} << shift)) | (part << shift);
        }
        write_cell(to, bits, row.nodes.back());
        shows_other_[place->group] = place->other ? 1 : 0;
    }
}

void Painter::take_lane(const LaneEvent& event, PictureRow& row) {
    if (!sources_.covers(event.value) || event.thread >= threads_) return;
    add_node(event.thread, event.value, event.thread, event.at, row);
    write_cell(cells_[0][event.thread], block_.provenance[event.value].bits, row.nodes.back());
}

void Painter::add_node(std::uint32_t column, ValueId id, unsigned thread, StepId step, PictureRow& row) {
    Node& node = row.nodes.emplace_back();
    node.column = column;
    node.thread = thread;
    node.step = step;
    node.value = id;
    node.useful = reaches_output(id);
    const CellSources::Sources sources = sources_.of(id, pass_begin_);
    node.combines = sources.combines;
    node.from_global = sources.global;
    for (const CellSources::Found& found : sources.cells) {
        const std::optional<Source> source = is_shown(found) ? source_of(found, column) : std::nullopt;
        if (source) {
            node.sources.push_back(*source);
        } else {
            node.from_global |= block_.provenance[found.value].space == Space::global;
        }
    }
    node.immediate = is_immediate(id);
    add_from_blocks(node, sources);
    if (sources.global) node.elements = static_cast<std::uint32_t>(sources_.elements_of(id).size());
    computes_on_the_way_in_ = computes_on_the_way_in_ || (node.combines && node.elements > 0);
    const bool carries = std::ranges::any_of(sources.cells, [&](const CellSources::Found& found) {
        return block_.provenance[found.value].bits == block_.provenance[id].bits;
    });
    node.changes = !node.combines && !node.sources.empty() && !carries;
    copies_ = sources.cells.size() == 1 && node.from_blocks.empty() && !sources.combines && !sources.global &&
              block_.provenance[sources.cells.front().value].bits == block_.provenance[id].bits;
    if (thread < writers_.size()) writers_[thread] = true;
}

/// Did another block of the same launch write it?
bool Painter::is_of_another_block(ValueId id) const {
    const StepId writer = block_.provenance[id].step;
    if (!writer.valid()) return false;
    const trace::Step& step = block_.trace.step(writer);
    return step.launch == block_.passes.launch && step.block != block_.passes.block;
}

/// Cells show what memory held when the block began, and what the block wrote.
bool Painter::is_shown(const CellSources::Found& found) const {
    return !is_of_another_block(found.value) || block_.provenance[found.value].step < block_.passes.steps.front();
}

/// The values that came from other blocks of the launch, but not by way of a cell that shows them.
void Painter::add_from_blocks(Node& node, const CellSources::Sources& sources) const {
    const auto add = [&](ValueId id) {
        if (is_of_another_block(id))
            node.from_blocks.push_back({block_.trace.step(block_.provenance[id].step).block, id});
    };
    for (const CellSources::Found& found : sources.cells)
        if (!is_shown(found) || !source_of(found, node.column)) add(found.value);
    for (const ValueId id : sources.older) {
        const TracedValue& value = block_.provenance[id];
        if (!columns_.place_of(value.space, value.address)) add(id);
    }
    if (sources.global)
        for (const ValueId id : sources_.elements_of(node.value)) add(id);
    std::ranges::sort(node.from_blocks, {}, [](const FromBlock& from) { return std::pair(from.block, from.value); });
    const auto repeated = std::ranges::unique(node.from_blocks);
    node.from_blocks.erase(repeated.begin(), repeated.end());
}

/// As data, as an address or as a condition. A thread may continue with the stored value in a register while no
/// instruction reads the cell: the value is still useful.
bool Painter::reaches_output(ValueId id) const {
    if (block_.provenance[id].reaches_output ||
        block_.provenance.useful(block_.provenance[id].step).has(block_.provenance[id].lane))
        return true;
    const auto parents = block_.provenance.parents(id);
    if (!block_.provenance[id].is_cell() || parents.size() != 1) return false;
    const TracedValue& kept = block_.provenance[parents.front()];
    return kept.kind == TracedValue::Kind::reg && kept.bits == block_.provenance[id].bits &&
           block_.provenance[past_register_copies(block_.trace, block_.provenance, parents.front())].reaches_output;
}

/// Is the value an immediate of the code, which only registers carry to the store?
bool Painter::is_immediate(ValueId stored) const {
    const auto parents = block_.provenance.parents(stored);
    if (parents.size() > 1) return false;
    const ValueId first =
        parents.empty() ? stored : past_register_copies(block_.trace, block_.provenance, parents.front());
    const TracedValue& value = block_.provenance[first];
    if (!value.step.valid() || !block_.provenance.parents(first).empty()) return false;
    const InstructionInfo* const line = block_.provenance.instructions().at(block_.trace.step(value.step).line);
    if (line == nullptr) return false;
    const auto& operands = line->instruction->operands;  // a mov's or a store's
    return operands[1].kind == ptx::Operand::Kind::immediate && operands[2].kind == ptx::Operand::Kind::none;
}

/// The cell as a source of a node in that column; nothing where the cell has no column.
std::optional<Source> Painter::source_of(const CellSources::Found& found, std::uint32_t column) const {
    const TracedValue& value = block_.provenance[found.value];
    Source source;
    if (value.kind == TracedValue::Kind::memory || value.is_given()) {
        const auto place = columns_.place_of(value.space, value.address);
        if (!place) return {};
        source.column = place->column;
    } else {
        source.column = thread_of(block_.trace.step(value.step).warp, value.lane);  // threads' columns come first
    }
    source.own = source.column == column;
    source.reader = found.reader;
    source.same_row = value.step.valid() && value.step >= pass_begin_;
    source.row = row_;
    for (std::size_t r = rows_.size(); r-- > 0 && !source.same_row;) {
        source.row = static_cast<std::uint32_t>(r);
        if (rows_[r].cells[source.column].value == found.value) break;
        // The value was overwritten in the pass that wrote it: no row shows it, and this row is the nearest.
        if (value.step.valid() && block_.passes.steps[block_.passes.passes[rows_[r].pass.index()].first] <= value.step)
            break;
    }
    return source;
}

/// The register with the address of a store, as the lane last wrote it; invalid where it is unknown.
ValueId Painter::address_of(ValueId stored) const {
    if (block_.trace.detail != trace::Detail::registers) return {};
    const TracedValue& value = block_.provenance[stored];
    const trace::Step& store = block_.trace.step(value.step);
    const InstructionInfo* const line = block_.provenance.instructions().at(store.line);
    if (line == nullptr || line->flow != Flow::store) return {};
    const auto steering = block_.provenance.instructions().steering(*line);
    if (steering.empty() || !steering.front().valid()) return {};
    const std::vector<StepId>& steps = block_.passes.steps;
    auto at = std::ranges::lower_bound(steps, value.step);
    while (at != steps.begin()) {
        --at;
        if (block_.trace.step(*at).warp != store.warp) continue;
        const ValueId written = block_.provenance.written_to(steering.front(), *at, value.lane);
        if (written.valid()) return written;
    }
    return {};
}

/// The cells that the index of a store was computed from.
std::span<const CellSources::Found> Painter::index_sources_of(ValueId stored) {
    const ValueId address = address_of(stored);
    if (!address.valid()) return {};
    return sources_.of(address, pass_begin_).cells;
}

void Painter::write_cell(Cell& to, std::uint64_t bits, const Node& node) {
    sources_.hold(node.value, to.value, node.step);
    if (to.written && to.combined && !node.combines) {
        to.replaced = true;
        to.replaced_bits = to.bits;
    } else if (node.combines) {
        to.replaced = false;
    }
    to.combined = node.combines;
    to.bits = bits;
    to.known = to.written = true;
    to.copied = copies_;
    to.useful = node.useful;
    to.value = node.value;
    to.writer = node.step;
    to.lane = block_.provenance[node.value].lane;
    to.thread = node.thread;
}

/// "of 4 elements each": the number of elements of global memory, without a cell and an arc of their own, that the pass
/// combines to a cell's value; "m: of 64 elements" where only one of the arrays that it writes has such values. Empty
/// where the pass only copies, and where several arrays have such values.
std::string Painter::elements_text(const PictureRow& row) const {
    std::uint32_t fewest = ~0U, most = 0, columns = 0;
    bool combines = false;
    std::set<const ColumnGroup*> made, others;  // arrays with such a value, and arrays with a value made of no element
    for (std::size_t first = 0, next = 0; first < row.nodes.size(); first = next) {
        std::uint32_t elements = 0;
        for (; next < row.nodes.size() && row.nodes[next].column == row.nodes[first].column; ++next) {
            elements += row.nodes[next].elements;
            combines = combines || row.nodes[next].combines;
        }
        (elements == 0 ? others : made).insert(&group_at(columns_.groups(), row.nodes[first].column));
        if (elements == 0) continue;
        ++columns;
        fewest = std::min(fewest, elements);
        most = std::max(most, elements);
    }
    if (!combines || most < 2) return {};
    if (!others.empty() && (made.size() > 1 || others.contains(*made.begin()))) return {};
    const std::string name = others.empty() ? "" : (*made.begin())->name + ": ";
    if (fewest != most) return fmt::format("{}of {} to {}", name, fewest, counted(most, "element"));
    return fmt::format("{}of {}{}", name, counted(most, "element"), columns > 1 || others.empty() ? " each" : "");
}

void Painter::finish(PictureRow& row) {
    const Pass& pass = block_.passes.passes[row.pass.index()];
    row.label = pass.role == Pass::Role::step ? fmt::format("pass {}", pass.id.value) : pass.label;
    if (pass.label != row.label) row.sublabel = pass.label;
    row.lanes = static_cast<unsigned>(std::ranges::count(writers_, true));
    row.useful = pass.lanes;
    row.use_known = pass.unknown_lanes == 0;
    std::ranges::stable_sort(row.nodes, [](const Node& a, const Node& b) {
        return a.column != b.column ? a.column < b.column : a.step < b.step;
    });
    if (row.sublabel.empty() && global_ != GlobalCells::inputs) row.sublabel = elements_text(row);
    show_cells(row);
    for (auto& buffer : cells_) {
        for (Cell& each : buffer) each.written = each.copied = each.combined = each.replaced = false;
    }
}

/// Names the passes after the last row and before pass `next`.
void Painter::name_passes_between(Picture& picture, PassId next) const {
    if (picture.rows.empty()) return;
    PictureRow& above = picture.rows.back();
    const std::uint32_t first = above.pass.value + (above.initial ? 0 : 1);
    if (first < next.value) above.between = passes_between(block_, columns_, PassId(first), PassId(next.value - 1));
}

void Painter::show_cells(PictureRow& row) const {
    row.cells.reserve(columns_.count());
    for (std::uint32_t g = 0; g < columns_.groups().size(); ++g) {
        const ColumnGroup& group = columns_.groups()[g];
        const auto begin = cells_[shows_other_[g]].begin() + group.first_column;
        row.cells.insert(row.cells.end(), begin, begin + group.count);
    }
}

void Painter::mark_read_again(Picture& picture) const {
    for (PictureRow& row : picture.rows) {
        const StepId end = block_.passes.steps[block_.passes.passes[row.pass.index()].past_last - 1];
        for (Cell& each : row.cells) {
            if (!each.value.valid()) continue;
            const StepId last = sources_.last_read(each.value);
            each.read_again = last.valid() && (row.initial || last > (each.written ? each.writer : end));
        }
    }
}

}  // namespace

bool Picture::has_grids() const {
    return std::ranges::any_of(groups, [](const ColumnGroup& group) {
        return !group.lanes && group.shape && group.shape->width < group.count;
    });
}

const ColumnGroup& Picture::group_of(std::uint32_t column) const { return group_at(groups, column); }

std::vector<std::uint32_t> PictureRow::threads_of(std::uint32_t column) const {
    std::vector<std::uint32_t> found;
    for (const Node& node : std::ranges::equal_range(nodes, column, {}, &Node::column))
        if (std::ranges::find(found, node.thread) == found.end()) found.push_back(node.thread);
    return found;
}

namespace {

/// More columns would leave no room for values in the cells.
constexpr std::uint32_t most_columns_with_inputs = 32;

/// Inputs stand above the cells that are made of them: the wider of the two rows.
std::uint32_t widest_row(const Picture& picture) {
    std::uint32_t inputs = 0;
    for (const ColumnGroup& group : picture.groups) {
        if (!group.lanes && group.space == Space::global) inputs += group.count;
    }
    return std::max(inputs, picture.columns - inputs);
}

/// Do values go through shared memory unchanged, as in a transpose or a reversal? Then only the output shows the
/// purpose.
bool only_moves(const Picture& picture) {
    const bool lanes = std::ranges::any_of(picture.groups, &ColumnGroup::lanes);
    return !picture.rows.empty() && !lanes && std::ranges::all_of(picture.rows, [](const PictureRow& row) {
        return std::ranges::none_of(row.nodes, [](const Node& node) { return node.combines || node.changes; });
    });
}

}  // namespace

namespace {

Picture painted(const BlockView& block) {
    const Traffic traffic(block.trace, block.provenance.instructions(), block.passes.steps);
    const ArrayShapes shapes(block);
    if (traffic.space() == Space::global) return Painter(block, GlobalCells::all, shapes).paint();
    Painter painter(block, GlobalCells::none, shapes);
    Picture picture = painter.paint();
    const bool shows_outputs = painter.computes_on_the_way_out() || painter.scatters() || only_moves(picture);
    if (shows_outputs) return Painter(block, GlobalCells::outputs, shapes).paint();
    if (painter.computes_on_the_way_in()) {
        Picture with_inputs = Painter(block, GlobalCells::inputs, shapes).paint();
        if (widest_row(with_inputs) <= most_columns_with_inputs) return with_inputs;
    }
    return picture;
}

}  // namespace

Picture picture_of(const BlockView& block) {
    Picture picture = painted(block);
    picture.halo = halo_of(block, picture);
    return picture;
}

}  // namespace lanescope::analysis
