#include "analysis/picture.h"

#include "analysis/columns.h"
#include "analysis/launch_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;
using trace::Space;

/// Does the value lie, or did it lie from the start, in global memory?
bool is_global(const Value& value) {
    return value.kind == Value::Kind::input || (value.kind == Value::Kind::memory && value.space == Space::global);
}

/// Draws one block, pass by pass, from the values that its stores wrote.
class Painter {
  public:
    Painter(const trace::Trace& trace, const Provenance& provenance, const BlockPasses& passes)
        : trace_(trace), provenance_(provenance), passes_(passes), columns_(trace, provenance, passes) {
        const trace::Launch& launch = trace.launches[passes.launch];
        threads_ = threads_of(launch);
        memory_.resize(shared_bytes_of(launch));
        for (auto& buffer : cells_) buffer.resize(columns_.count());
        shows_other_.resize(columns_.groups().size());
        for (std::uint32_t g = 0; g < columns_.groups().size(); ++g) set_addresses(g);
        if (passes.steps.empty()) return;
        first_value_ = provenance.values_of(passes.steps.front()).first;
        const std::size_t values = provenance.values_of(passes.steps.back()).past_last - first_value_;
        from_.resize(values);
        stored_at_.resize(values);
        last_read_.resize(values);
        visited_.resize(values);
    }

    Picture paint() {
        learn_origins();
        Picture picture;
        picture.groups = columns_.groups();
        picture.columns = columns_.count();
        if (picture.columns == 0) return picture;
        for (const Pass& pass : passes_.passes) {
            PictureRow row;
            row.pass = pass.id;
            row.threads = threads_;
            row_ = static_cast<std::uint32_t>(picture.rows.size());
            pass_begin_ = passes_.steps[pass.first];
            rows_ = picture.rows;
            writers_.assign(threads_, false);
            for (std::size_t i = pass.first; i < pass.past_last; ++i) take_step(passes_.steps[i], row);
            if (row.nodes.empty()) continue;
            finish(row);
            picture.rows.push_back(std::move(row));
        }
        mark_read_again(picture);
        return picture;
    }

  private:
    /// Where a value came from, as far as the cells of this block: not beyond them.
    struct Origins {
        bool cells = false;     ///< by way of registers from shared memory
        bool global = false;    ///< by way of registers from global memory
        bool combines = false;  ///< an operator application on the way
    };
    /// A value on the way back from a store.
    struct Step {
        ValueId value, made;    ///< `made` was made of `value`
        bool combined = false;  ///< between `value` and the store
    };

    void set_addresses(std::uint32_t g);
    void learn_origins();
    void take_step(StepId id, PictureRow& row);
    void take_store(std::uint64_t address, ValueId id, PictureRow& row);
    void finish(PictureRow& row);
    void mark_read_again(Picture& picture) const;

    void find_sources(Node& node);
    void add_source(ValueId cell, StepId reader, Node& node);
    [[nodiscard]] bool still_holds(ValueId stored);
    [[nodiscard]] bool is_copy(const Node& node) const;

    /// Is it one of the values of the block's time, which the tables below cover?
    [[nodiscard]] bool covered(ValueId id) const {
        return id.value >= first_value_ && id.value - first_value_ < from_.size();
    }
    [[nodiscard]] std::size_t at(ValueId id) const { return id.value - first_value_; }
    [[nodiscard]] bool is_cell(const Value& value) const {
        return value.kind == Value::Kind::memory && value.space == Space::shared;
    }
    [[nodiscard]] Cell& cell(const ColumnPlace& place) { return cells_[place.other ? 1 : 0][place.column]; }

    const trace::Trace& trace_;
    const Provenance& provenance_;
    const BlockPasses& passes_;
    Columns columns_;
    unsigned threads_ = 0;

    std::vector<std::uint8_t> memory_;        ///< the block's shared memory
    std::array<std::vector<Cell>, 2> cells_;  ///< by column: of the buffer at `address`, of the one at `folded_address`
    std::vector<std::uint8_t> shows_other_;   ///< by group: the row shows the buffer at `folded_address`

    // By value, from first_value_.
    std::uint32_t first_value_ = 0;
    std::vector<Origins> from_;
    std::vector<ValueId> stored_at_;      ///< of a register: the newest cell that took it
    std::vector<StepId> last_read_;       ///< of a cell
    std::vector<std::uint32_t> visited_;  ///< by the store of that number

    // The pass being painted.
    std::uint32_t row_ = 0;
    StepId pass_begin_;
    std::span<const PictureRow> rows_;
    std::vector<bool> writers_;
    std::uint32_t store_ = 0;  ///< number of the store, from 1
    std::vector<Step> way_;    ///< still to go back from
    ValueId only_source_;      ///< the cell that the newest node's first source is
};

void Painter::set_addresses(std::uint32_t g) {
    const ColumnGroup& group = columns_.groups()[g];
    for (std::uint32_t column = group.first_column; column < group.first_column + group.count; ++column) {
        for (const bool other : {false, true}) {
            ColumnPlace place{g, column, other};
            cell(place).address = columns_.address_of(place);
        }
    }
}

void Painter::learn_origins() {
    for (const StepId id : passes_.steps) {
        const Provenance::Range written = provenance_.values_of(id);
        for (std::uint32_t i = written.first; i < written.past_last; ++i) {
            Origins& from = from_[i - first_value_];
            from.combines = provenance_[ValueId(i)].application;
            for (const ValueId parent : provenance_.parents(ValueId(i))) {
                const Value& value = provenance_[parent];
                if (is_cell(value)) {
                    from.cells = true;
                    if (covered(parent)) last_read_[at(parent)] = id;
                } else if (is_global(value)) {
                    from.global = true;
                } else if (covered(parent)) {
                    const Origins& before = from_[at(parent)];
                    from.cells |= before.cells;
                    from.global |= before.global;
                    from.combines |= before.combines;
                }
            }
        }
    }
}

void Painter::take_step(StepId id, PictureRow& row) {
    const trace::Step& step = trace_.step(id);
    const Provenance::Range written = provenance_.values_of(id);
    std::uint32_t value = written.first;
    for (const Effect& effect : trace_.effects(step)) {
        if (value == written.past_last) return;
        if (effect.kind != EffectKind::store && effect.kind != EffectKind::atomic) continue;
        for (const unsigned lane : effect.lanes) {
            for (unsigned e = 0; e < effect.elements; ++e, ++value) {
                if (effect.space != Space::shared) continue;
                take_store(trace_.address(effect, lane) + std::uint64_t{e} * effect.bytes, ValueId(value), row);
            }
        }
    }
}

void Painter::take_store(std::uint64_t address, ValueId id, PictureRow& row) {
    const Value& value = provenance_[id];
    const auto first = columns_.place_of(address);
    if (!first || !covered(id) || address + value.bytes > memory_.size()) return;

    Node& node = row.nodes.emplace_back();
    node.column = first->column;
    node.thread = thread_of(trace_.step(value.step).warp, value.lane);
    node.step = value.step;
    node.value = id;
    node.useful = value.reaches_output;
    find_sources(node);
    for (const ValueId parent : provenance_.parents(id)) {
        if (covered(parent)) stored_at_[at(parent)] = id;
    }
    if (node.thread < writers_.size()) writers_[node.thread] = true;

    for (unsigned i = 0; i < value.bytes; ++i) {
        memory_[address + i] = static_cast<std::uint8_t>(i < 8 ? value.bits >> (8 * i) : 0);
    }
    for (std::uint64_t byte = address; byte < address + value.bytes;) {
        const auto place = columns_.place_of(byte);
        if (!place) break;
        Cell& to = cell(*place);
        const unsigned size = trace::bytes_of(columns_.groups()[place->group].element);
        to.bits = 0;
        for (unsigned i = 0; i < size && to.address + i < memory_.size(); ++i) {
            to.bits |= std::uint64_t{memory_[to.address + i]} << (8 * i);
        }
        to.known = to.written = true;
        to.copied = is_copy(node);
        to.useful = node.useful;
        to.value = id;
        to.writer = value.step;
        to.lane = value.lane;
        to.thread = node.thread;
        shows_other_[place->group] = place->other ? 1 : 0;
        byte = to.address + size;
    }
}

/// Goes back from a store to the cells that its value came from, through registers and local memory.
void Painter::find_sources(Node& node) {
    ++store_;
    only_source_ = {};
    const auto push_parents = [&](ValueId of, bool combined) {
        const auto parents = provenance_.parents(of);
        for (std::size_t i = parents.size(); i-- > 0;) way_.push_back({parents[i], of, combined});
    };
    node.combines = provenance_[node.value].application;  // of an atomic
    way_.clear();
    push_parents(node.value, node.combines);
    while (!way_.empty()) {
        const Step step = way_.back();
        way_.pop_back();
        const Value& value = provenance_[step.value];
        if (is_global(value)) node.from_global = true;
        if (!covered(step.value) || visited_[at(step.value)] == store_) continue;
        visited_[at(step.value)] = store_;
        if (is_cell(value)) {
            add_source(step.value, provenance_[step.made].step, node);
            continue;
        }
        // A register that a cell took and still holds stands for that cell, but for a second copy in the same pass.
        const ValueId stored = stored_at_[at(step.value)];
        if (stored.valid() && still_holds(stored) && (step.combined || provenance_[stored].step < pass_begin_)) {
            add_source(stored, StepId{}, node);
            continue;
        }
        const Origins& from = from_[at(step.value)];
        if (!from.cells) {
            node.from_global |= from.global;
            node.combines |= from.combines;
            continue;
        }
        node.combines |= value.application;
        push_parents(step.value, step.combined || value.application);
    }
}

bool Painter::still_holds(ValueId stored) {
    const auto place = columns_.place_of(provenance_[stored].address);
    return place && cell(*place).value == stored;
}

void Painter::add_source(ValueId id, StepId reader, Node& node) {
    const auto place = columns_.place_of(provenance_[id].address);
    if (!place) return;
    if (node.sources.empty()) only_source_ = id;
    Source& source = node.sources.emplace_back();
    source.column = place->column;
    source.own = place->column == node.column;
    source.reader = reader;
    source.same_row = provenance_[id].step >= pass_begin_;
    source.row = row_;
    if (source.same_row) return;
    for (std::size_t r = rows_.size(); r-- > 0;) {
        source.row = static_cast<std::uint32_t>(r);
        if (rows_[r].cells[place->column].value == id) return;
        // Overwritten in the pass that wrote it: no row ever showed it, that pass comes nearest.
        if (passes_.steps[passes_.passes[rows_[r].pass.index()].first] <= provenance_[id].step) return;
    }
}

bool Painter::is_copy(const Node& node) const {
    return node.sources.size() == 1 && !node.combines && !node.from_global &&
           provenance_[only_source_].bits == provenance_[node.value].bits;
}

void Painter::finish(PictureRow& row) {
    const Pass& pass = passes_.passes[row.pass.index()];
    row.label = pass.role == Pass::Role::step ? fmt::format("pass {}", pass.id.value) : pass.label;
    if (pass.role == Pass::Role::step && !pass.variables.empty()) row.sublabel = pass.label;
    row.lanes = static_cast<unsigned>(std::ranges::count(writers_, true));
    std::ranges::stable_sort(row.nodes, [](const Node& a, const Node& b) {
        return a.column != b.column ? a.column < b.column : a.step < b.step;
    });
    row.cells.reserve(columns_.count());
    for (std::uint32_t g = 0; g < columns_.groups().size(); ++g) {
        const ColumnGroup& group = columns_.groups()[g];
        const auto& shown = cells_[shows_other_[g]];
        row.cells.insert(row.cells.end(), shown.begin() + group.first_column,
                         shown.begin() + group.first_column + group.count);
    }
    for (auto& buffer : cells_) {
        for (Cell& each : buffer) each.written = each.copied = false;
    }
}

void Painter::mark_read_again(Picture& picture) const {
    for (PictureRow& row : picture.rows) {
        const StepId end = passes_.steps[passes_.passes[row.pass.index()].past_last - 1];
        for (Cell& each : row.cells) {
            if (!each.value.valid() || !covered(each.value)) continue;
            const StepId last = last_read_[at(each.value)];
            each.read_again = last.valid() && last > (each.written ? each.writer : end);
        }
    }
}

}  // namespace

const ColumnGroup& Picture::group_of(std::uint32_t column) const {
    const auto after = std::ranges::upper_bound(groups, column, {}, &ColumnGroup::first_column);
    return *std::prev(after);
}

Picture picture_of(const trace::Trace& trace, const ptx::Module&, const Provenance& provenance,
                   const BlockPasses& passes) {
    return Painter(trace, provenance, passes).paint();
}

}  // namespace lanescope::analysis
