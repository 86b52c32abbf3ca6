#include "analysis/passes_picture/joint_values.h"

#include "analysis/dataflow/instruction_table.h"
#include "analysis/launch_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <utility>

namespace lanescope::analysis {
namespace {

/// A cell has no room for more lines.
constexpr std::size_t most_arrays = 4;

/// A thread and the index that it writes.
using Write = std::pair<std::uint32_t, std::uint32_t>;

/// A thread compares the cell's value: whether it stores or not, and what, may depend on the cell.
struct Compared {
    std::uint32_t thread = 0, column = 0;
    friend auto operator<=>(const Compared&, const Compared&) = default;
};

/// The cells of shared arrays that threads compare, pass by pass, with the values of the rows above.
class ComparedCells {
  public:
    ComparedCells(const BlockView& block, const Picture& picture) : block_(block), picture_(picture) {}

    /// Ascending.
    [[nodiscard]] std::span<const Compared> of(std::size_t row) {
        if (rows_.empty()) find();
        return rows_[row];
    }

  private:
    using Lanes = std::array<ValueId, warp_size>;

    /// Once, and only if an array may have parts: it goes through all that the block did.
    void find() {
        rows_.resize(picture_.rows.size());
        if (block_.trace.detail != trace::Detail::registers) return;
        std::size_t row = 0;
        for (const Pass& pass : block_.passes.passes) {
            const auto earlier = [&](const PictureRow& of) { return of.initial || of.pass < pass.id; };
            while (row < rows_.size() && earlier(picture_.rows[row])) ++row;
            const bool shown = row < rows_.size() && picture_.rows[row].pass == pass.id;
            begin_ = block_.passes.steps[pass.first];
            for (std::size_t i = pass.first; i < pass.past_last; ++i) {
                if (shown) compare(i, rows_[row]);
                remember(i);
            }
        }
        for (std::vector<Compared>& of : rows_) {
            std::ranges::sort(of);
            of.erase(std::unique(of.begin(), of.end()), of.end());
        }
    }

    void compare(std::size_t index, std::vector<Compared>& compared) {
        const InstructionInfo* const line = block_.instruction_at(index);
        if (line == nullptr || line->instruction->opcode != ptx::Opcode::setp) return;
        const trace::Step& step = block_.step_at(index);
        std::vector<Lanes>& registers = registers_[step.warp];
        for (const RegisterId reg : block_.provenance.instructions().data(*line)) {
            if (!reg.valid() || reg.index() >= registers.size()) continue;
            for (const unsigned lane : step.executed)
                if (registers[reg.index()][lane].valid())
                    add_cells(registers[reg.index()][lane], thread_of(step.warp, lane), compared);
        }
    }

    void add_cells(ValueId of, std::uint32_t thread, std::vector<Compared>& compared) const {
        std::set<ValueId> way{of};
        while (!way.empty()) {
            const ValueId id = *way.rbegin();  // parents are older
            way.erase(id);
            const TracedValue& value = block_.provenance[id];
            if (value.kind == TracedValue::Kind::memory && value.space == trace::Space::shared) {
                const auto column = value.step < begin_ ? column_of(value.address) : std::nullopt;
                if (column) compared.push_back({.thread = thread, .column = *column});
            } else if (value.kind == TracedValue::Kind::reg) {
                for (const ValueId parent : block_.provenance.parents(id)) way.insert(parent);
            }
        }
    }

    [[nodiscard]] std::optional<std::uint32_t> column_of(std::uint64_t address) const {
        for (const ColumnGroup& group : picture_.groups) {
            if (group.lanes || group.space != trace::Space::shared) continue;
            const std::uint64_t bytes = std::uint64_t{group.count} * trace::bytes_of(group.element);
            for (const bool folded : {false, true}) {
                const std::uint64_t begin = folded ? group.folded_address : group.address;
                if ((folded && !group.folded) || address < begin || address - begin >= bytes) continue;
                return group.first_column +
                       static_cast<std::uint32_t>((address - begin) / trace::bytes_of(group.element));
            }
        }
        return std::nullopt;
    }

    /// Which value each register of a lane has now.
    void remember(std::size_t index) {
        const trace::Step& step = block_.step_at(index);
        std::vector<Lanes>& registers = registers_[step.warp];
        registers.resize(block_.trace.registers.size());
        std::uint32_t value = block_.provenance.values_of(block_.passes.steps[index]).first;
        for (const trace::Effect& effect : block_.trace.effects(step))  // memory comes before registers
            if (trace::is_write(effect.kind)) value += effect.lanes.count() * effect.elements;
        for (const trace::Effect& effect : block_.trace.effects(step)) {
            if (effect.kind != trace::EffectKind::register_write) continue;
            for (const unsigned lane : effect.lanes) {
                if (effect.id < registers.size()) registers[effect.id][lane] = ValueId(value);
                ++value;
            }
        }
    }

    const BlockView& block_;
    const Picture& picture_;
    std::map<WarpId, std::vector<Lanes>> registers_;
    StepId begin_;  ///< of the pass
    std::vector<std::vector<Compared>> rows_;
};

bool written_alike(const Picture& picture, const JointValue& value) {
    bool written = false;
    for (const PictureRow& row : picture.rows) {
        std::vector<std::vector<Write>> writes(value.first_columns.size());
        for (const Node& node : row.nodes) {
            if (const auto place = value.place_of(node.column))
                writes[place->part].emplace_back(node.thread, place->index);
        }
        for (std::vector<Write>& part : writes) {
            std::ranges::sort(part);
            part.erase(std::unique(part.begin(), part.end()), part.end());
            if (part != writes.front()) return false;
        }
        written = written || !writes.front().empty();
    }
    return written;
}

/// The parts that the node takes from one index, where there are several: as data, or one as data and another because
/// its thread compares it. Sets `any` where the data has earlier values.
std::vector<std::uint32_t> read_together(std::span<const Compared> compared_in_pass, const Node& node,
                                         const JointValue& value, bool& any) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> read;  // index, part
    for (const Source& source : node.sources) {
        const auto place = source.same_row ? std::nullopt : value.place_of(source.column);
        if (place) read.emplace_back(place->index, place->part);
    }
    any = !read.empty();
    const std::size_t data = read.size();
    for (const Compared& compared : std::ranges::equal_range(compared_in_pass, node.thread, {}, &Compared::thread)) {
        const auto place = value.place_of(compared.column);
        const auto same = [&](const auto& of) { return place && of.first == place->index; };
        if (std::any_of(read.begin(), read.begin() + static_cast<std::ptrdiff_t>(data), same))
            read.emplace_back(place->index, place->part);
    }
    std::ranges::sort(read);
    read.erase(std::unique(read.begin(), read.end()), read.end());
    std::vector<std::uint32_t> parts;
    for (std::size_t first = 0, next = 0; first < read.size(); first = next) {
        while (next < read.size() && read[next].first == read[first].first) ++next;
        if (next - first < 2) continue;
        for (std::size_t i = first; i < next; ++i) parts.push_back(read[i].second);
    }
    return parts;
}

/// Are the parts combined together, or kept and replaced together by a comparison, in at least `passes` passes, and in
/// every pass that combines earlier values?
bool combined_as_one(const Picture& picture, ComparedCells& compared, const JointValue& value, std::size_t passes) {
    std::vector<bool> together(value.first_columns.size());
    std::size_t combining = 0;
    for (std::size_t r = 0; r < picture.rows.size(); ++r) {
        const PictureRow& row = picture.rows[r];
        bool combines = false, whole = false;
        for (const Node& node : row.nodes) {
            if (!value.place_of(node.column)) continue;
            bool any = false;
            for (const std::uint32_t part : read_together(compared.of(r), node, value, any))
                whole = together[part] = true;
            combines = combines || (any && node.combines);
        }
        if (combines && !whole) return false;
        combining += combines || whole ? 1 : 0;
    }
    return combining >= passes && std::ranges::all_of(together, [](bool part) { return part; });
}

bool may_join(const ColumnGroup& group) {
    const bool grid = group.shape && group.shape->width < group.count;
    return !group.lanes && group.space == trace::Space::shared && group.members.empty() && !grid && group.count > 1;
}

JointValue joined(const std::vector<const ColumnGroup*>& arrays) {
    JointValue value;
    for (const ColumnGroup* array : arrays) {
        value.first_columns.push_back(array->first_column);
        value.names.push_back(array->name);
    }
    value.count = arrays.front()->count;
    return value;
}

bool may_join(const ColumnGroup& one, const ColumnGroup& other) {
    return may_join(other) && other.count == one.count && other.folded == one.folded &&
           trace::bytes_of(other.element) == trace::bytes_of(one.element);
}

std::optional<JointValue> joint_arrays(const Picture& picture, ComparedCells& compared, std::size_t first,
                                       const std::vector<bool>& taken) {
    std::vector<const ColumnGroup*> arrays{&picture.groups[first]};
    for (std::size_t g = first + 1; g < picture.groups.size() && arrays.size() < most_arrays; ++g) {
        const ColumnGroup& other = picture.groups[g];
        if (taken[g] || !may_join(picture.groups[first], other)) continue;
        arrays.push_back(&other);
        const JointValue value = joined(arrays);
        if (!written_alike(picture, value) || !combined_as_one(picture, compared, value, 1)) arrays.pop_back();
    }
    if (arrays.size() < 2) return std::nullopt;
    return joined(arrays);
}

/// The pointer of the source whose value is that shared address.
std::string pointer_to(const BlockView& block, std::uint64_t shared_address) {
    constexpr std::uint64_t in_window = (std::uint64_t{1} << 24U) - 1;  // the rest of a generic address is the window
    for (std::size_t i = 0; i < block.passes.steps.size(); ++i) {
        const InstructionInfo* const info = block.instruction_at(i);
        if (info == nullptr || info->function == nullptr) continue;
        const ptx::Function& function = *info->function;
        const std::uint32_t first = info->first_register;
        const trace::Step& step = block.step_at(i);
        for (const trace::Effect& effect : block.trace.effects(step)) {
            if (effect.kind != trace::EffectKind::register_write || effect.lanes.none() || effect.id < first) continue;
            const std::uint64_t bits = block.trace.after(effect, effect.lanes.lowest());
            if ((bits & in_window) != shared_address || block.trace.buffer_at(bits) != nullptr) continue;
            const RegisterId reg(effect.id - first);
            for (const ptx::SourceVariable& variable : function.source_variables) {
                const bool holds = std::ranges::any_of(variable.ranges, [&](const ptx::VariableRange& range) {
                    return range.reg == reg && range.past_last > step.line;
                });
                if (holds && variable.kind == ptx::TypeKind::pointer && !variable.parameter) return variable.name;
            }
        }
    }
    return {};
}

/// The pointers to the parts of an array; empty where the source has none.
std::vector<std::string> pointers_to(const BlockView& block, const ColumnGroup& array, std::uint32_t count) {
    std::vector<std::string> names{array.name};
    for (std::uint32_t begin = count; begin < array.count; begin += count)
        names.push_back(pointer_to(block, array.address + std::uint64_t{begin} * trace::bytes_of(array.element)));
    return names;
}

/// The parts of an array that the kernel itself divides, as with dynamic shared memory. Where no pointers name the
/// parts, a single pass is not enough: it could be any exchange of the array's halves.
std::optional<JointValue> joint_parts(const BlockView& block, const Picture& picture, ComparedCells& compared,
                                      const ColumnGroup& array) {
    for (std::uint32_t parts = 2; parts <= most_arrays; ++parts) {
        if (array.count % parts != 0 || array.count / parts < 2) continue;
        JointValue value;
        value.count = array.count / parts;
        for (std::uint32_t part = 0; part < parts; ++part)
            value.first_columns.push_back(array.first_column + part * value.count);
        if (!written_alike(picture, value) || !combined_as_one(picture, compared, value, 1)) continue;
        value.names = pointers_to(block, array, value.count);
        const bool named = std::ranges::none_of(value.names, &std::string::empty);
        if (!named && !combined_as_one(picture, compared, value, 2)) continue;
        for (std::uint32_t part = 0; part < parts; ++part) {
            if (value.names[part].empty())
                value.names[part] =
                    fmt::format("{}[{}..{}]", array.name, part * value.count, (part + 1) * value.count - 1);
        }
        return value;
    }
    return std::nullopt;
}

}  // namespace

std::optional<JointValue::Place> JointValue::place_of(std::uint32_t column) const {
    for (std::uint32_t part = 0; part < first_columns.size(); ++part) {
        if (column >= first_columns[part] && column - first_columns[part] < count)
            return Place{part, column - first_columns[part]};
    }
    return std::nullopt;
}

std::string JointValue::title() const { return fmt::format("{}: one value", fmt::join(names, ", ")); }

std::vector<JointValue> joint_values_of(const BlockView& block, const Picture& picture) {
    std::vector<JointValue> found;
    std::vector<bool> taken(picture.groups.size());
    ComparedCells compared(block, picture);
    for (std::size_t g = 0; g < picture.groups.size(); ++g) {
        const ColumnGroup& array = picture.groups[g];
        if (taken[g] || !may_join(array)) continue;
        std::optional<JointValue> value = joint_arrays(picture, compared, g, taken);
        if (!value && !array.folded) value = joint_parts(block, picture, compared, array);
        if (!value) continue;
        for (std::size_t other = g; other < picture.groups.size(); ++other)
            taken[other] = taken[other] || value->place_of(picture.groups[other].first_column).has_value();
        found.push_back(std::move(*value));
    }
    return found;
}

}  // namespace lanescope::analysis
