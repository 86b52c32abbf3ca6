#include "analysis/passes_picture/columns.h"

#include "analysis/costs.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/launch_shape.h"
#include "analysis/passes/traffic.h"
#include "analysis/source/element_type.h"
#include "analysis/source/members.h"

#include <algorithm>
#include <limits>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::Space;

/// A shared array as the block used it.
struct UsedArray {
    const trace::SharedArray* array = nullptr;  ///< nullptr: memory that no array claims
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), past_last = 0;  ///< bytes touched
    std::vector<bool> touched;                                                       ///< by byte, from `array` on
    unsigned narrowest = 16;                                                         ///< narrowest access, in bytes
    bool only_copied = true;  ///< its narrowest access is a copy, whose words say nothing about the element
    std::optional<trace::Element> evidence;  ///< the element type that instructions and values imply
};

bool in(const trace::SharedArray& array, std::uint64_t address) {
    return address >= array.offset && address - array.offset < array.bytes;
}

/// Visits every access to shared memory once.
std::vector<UsedArray> used_arrays(const BlockView& block) {
    std::vector<UsedArray> used;
    for (const trace::SharedArray& array : block.trace.arrays_of(block.launch())) used.emplace_back().array = &array;
    used.emplace_back();  // memory that is in none of the arrays
    std::size_t last = 0;
    for (const StepId id : block.passes.steps) {
        const InstructionInfo* const line = block.provenance.instructions().at(block.trace.step(id).line);
        const bool copies = line != nullptr && line->flow == Flow::copy;
        for (const Effect& effect : block.trace.effects(block.trace.step(id))) {
            const bool access = trace::is_access(effect.kind);
            if (!access || effect.space != Space::shared || is_of_mbarrier(effect)) continue;
            for (const unsigned lane : effect.lanes) {
                const std::uint64_t address = block.trace.address(effect, lane);
                if (address >= most_shared_bytes()) continue;
                if (used[last].array == nullptr || !in(*used[last].array, address)) {
                    last = 0;
                    while (used[last].array != nullptr && !in(*used[last].array, address)) ++last;
                }
                used[last].first = std::min(used[last].first, address);
                used[last].past_last = std::max(used[last].past_last, address + bytes_per_lane(effect));
                if (used[last].array != nullptr) {
                    const std::uint64_t begin = address - used[last].array->offset;
                    used[last].touched.resize(std::max(used[last].touched.size(), begin + bytes_per_lane(effect)));
                    std::fill_n(used[last].touched.begin() + static_cast<std::ptrdiff_t>(begin), bytes_per_lane(effect),
                                true);
                }
                if (used[last].only_copied || !copies) {
                    const unsigned narrowest = used[last].only_copied && !copies ? 16 : used[last].narrowest;
                    used[last].narrowest = std::min<unsigned>(narrowest, effect.bytes);
                    used[last].only_copied = copies;
                }
                if (!used[last].evidence)
                    used[last].evidence = element_evidence(block.trace, block.provenance, id, effect, lane);
            }
        }
    }
    std::erase_if(used, [](const UsedArray& array) { return array.past_last == 0; });
    return used;
}

/// Cells at the end of each row that are never accessed.
std::uint32_t padding_of(const UsedArray& used, std::uint32_t width, unsigned size) {
    std::uint32_t most = 0;
    for (std::uint64_t byte = 0; byte < used.touched.size(); ++byte)
        if (used.touched[byte]) most = std::max(most, static_cast<std::uint32_t>(byte / size % width));
    return width - 1 - most;
}

std::optional<GridShape> shape_of(const UsedArray& used, const ColumnGroup& group, const ArrayShapes& shapes) {
    if (used.array == nullptr) return std::nullopt;
    const unsigned size = trace::bytes_of(group.element);
    auto shape = shapes.of(*used.array, size, group.per_element());
    if (shape) shape->padding = padding_of(used, shape->width, size);
    return shape;
}

ColumnGroup group_of(const BlockView& block, const UsedArray& used, const ArrayShapes& shapes) {
    const ptx::Module& module = block.module;
    ColumnGroup group;
    group.name = used.array != nullptr ? used.array->name : "shared";
    group.element = integer_of(used.narrowest);
    if (used.evidence && trace::bytes_of(*used.evidence) == used.narrowest) group.element = *used.evidence;
    if (used.array != nullptr && used.array->element) group.element = *used.array->element;
    if (used.array != nullptr) group.members = cells_of(group.element, members_of(module, *used.array)).members;
    const unsigned size = trace::bytes_of(group.element);
    // Columns count from the start of the array, so that a column's number is the array's index.
    const std::uint64_t base = used.array != nullptr ? used.array->offset : used.first / size * size;
    group.address = base;
    group.count = static_cast<std::uint32_t>((used.past_last - base + size - 1) / size);
    group.shape = shape_of(used, group, shapes);
    if (group.shape) {
        // A corner that no thread accesses, as in a tile with a halo, is an empty cell of its row.
        const std::uint64_t width = group.shape->width;
        const std::uint64_t whole_rows = (group.count + width - 1) / width * width - group.shape->padding;
        const std::uint64_t cells = used.array->bytes / size;
        group.count = std::max(group.count, static_cast<std::uint32_t>(std::min(whole_rows, cells)));
    }
    return group;
}

}  // namespace

Columns::Columns(const BlockView& block, GlobalCells global, const ArrayShapes& shapes) {
    for (const UsedArray& used : used_arrays(block)) groups_.push_back(group_of(block, used, shapes));
    std::ranges::sort(groups_, {}, &ColumnGroup::address);
    fold_double_buffers(block, groups_);
    if (global != GlobalCells::none) {
        const auto buffers = used_buffers(block, global, shapes);
        groups_.insert(global == GlobalCells::inputs ? groups_.begin() : groups_.end(), buffers.begin(), buffers.end());
    }
    number();
}

void Columns::number() {
    count_ = 0;
    for (ColumnGroup& group : groups_) {
        group.first_column = count_;
        count_ += group.count;
    }
}

void Columns::add_lanes(const trace::Launch& launch, trace::Element element) {
    ColumnGroup group;
    group.name = "lanes";
    group.element = element;
    group.lanes = true;
    group.count = threads_of(launch);
    if (launch.block.x > 1 && launch.block.y * launch.block.z > 1) {
        group.shape = {.from = GridShape::From::block, .width = launch.block.x, .extents = {}};
        if (launch.block.z > 1) group.shape->height = launch.block.y;
    }
    groups_.insert(groups_.begin(), group);
    number();
}

std::optional<ColumnPlace> Columns::place_of(trace::Space space, std::uint64_t address) const {
    for (std::uint32_t g = 0; g < groups_.size(); ++g) {
        const ColumnGroup& group = groups_[g];
        if (group.lanes || group.space != space) continue;
        const unsigned size = trace::bytes_of(group.element);
        for (const bool other : {false, true}) {
            const std::uint64_t base = other ? group.folded_address : group.address;
            if ((other && !group.folded) || address < base) continue;
            if (const auto number = group.number_of((address - base) / size))
                return ColumnPlace{g, group.first_column + *number, other};
        }
    }
    return {};
}

std::uint64_t Columns::address_of(const ColumnPlace& place) const {
    const ColumnGroup& group = groups_[place.group];
    return (place.other ? group.folded_address : group.address) +
           (group.cell_of(place.column) - group.first_index) * trace::bytes_of(group.element);
}

}  // namespace lanescope::analysis
