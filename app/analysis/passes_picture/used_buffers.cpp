#include "analysis/passes_picture/columns.h"

#include "analysis/costs.h"
#include "analysis/source/members.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace lanescope::analysis {
namespace {

using trace::Effect;

/// A buffer as the block used it; elements count from its start.
struct UsedBuffer {
    const trace::Buffer* buffer = nullptr;
    std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), past_last = 0;
    bool read = false, written = false;
    std::optional<GridShape> shape;
    std::uint32_t first_in_row = std::numeric_limits<std::uint32_t>::max(), last_in_row = 0;  ///< where it has a shape
    std::uint32_t first_in_plane = std::numeric_limits<std::uint32_t>::max(), last_in_plane = 0;  ///< rows, with planes
    std::vector<std::pair<std::uint64_t, std::uint64_t>> accesses;  ///< of an input without a shape: first, past last
};

/// The cells of an element in the unit that the buffer's shape counts in.
std::uint64_t cells_per_element(const BlockView& block, const trace::Buffer& buffer) {
    return cells_of(buffer.element, members_of(block.trace, block.module, buffer)).per_element();
}

/// Visits every access to global memory once.
std::vector<UsedBuffer> used(const BlockView& block, GlobalCells cells, const ArrayShapes& shapes) {
    std::vector<UsedBuffer> result(block.trace.buffers.size());
    for (std::size_t b = 0; b < result.size(); ++b) {
        const trace::Buffer& buffer = block.trace.buffers[b];
        result[b].shape = shapes.of(buffer, trace::bytes_of(buffer.element), cells_per_element(block, buffer));
    }
    std::size_t last = 0;
    for (const StepId id : block.passes.steps) {
        for (const Effect& effect : block.trace.effects(block.trace.step(id))) {
            const bool reads = trace::is_read(effect.kind);
            const bool writes = trace::is_write(effect.kind);
            const bool left_out = cells == GlobalCells::outputs && !writes;
            if ((!reads && !writes) || left_out || effect.space != trace::Space::global) continue;
            for (const unsigned lane : effect.lanes) {
                const std::uint64_t address = block.trace.address(effect, lane);
                if (const trace::Buffer* const at = block.trace.buffer_at(address); at != nullptr) {
                    last = static_cast<std::size_t>(at - block.trace.buffers.data());
                } else {
                    continue;
                }
                const trace::Buffer& buffer = block.trace.buffers[last];
                const unsigned size = trace::bytes_of(buffer.element);
                const std::uint64_t end = std::min(address - buffer.address + bytes_per_lane(effect), buffer.bytes);
                result[last].buffer = &buffer;
                result[last].first = std::min(result[last].first, (address - buffer.address) / size);
                result[last].past_last = std::max(result[last].past_last, (end + size - 1) / size);
                if (result[last].shape) {
                    const auto begin = (address - buffer.address) / size;
                    for (std::uint64_t cell = begin; cell < (end + size - 1) / size; ++cell) {
                        const auto in_row = static_cast<std::uint32_t>(cell % result[last].shape->width);
                        result[last].first_in_row = std::min(result[last].first_in_row, in_row);
                        result[last].last_in_row = std::max(result[last].last_in_row, in_row);
                        if (result[last].shape->height == 0) continue;
                        const auto in_plane =
                            static_cast<std::uint32_t>(cell / result[last].shape->width % result[last].shape->height);
                        result[last].first_in_plane = std::min(result[last].first_in_plane, in_plane);
                        result[last].last_in_plane = std::max(result[last].last_in_plane, in_plane);
                    }
                } else if (cells == GlobalCells::inputs) {
                    result[last].accesses.emplace_back((address - buffer.address) / size, (end + size - 1) / size);
                }
                result[last].read |= reads;
                result[last].written |= writes;
            }
        }
    }
    std::erase_if(result, [&](const UsedBuffer& each) {
        return each.buffer == nullptr || (cells == GlobalCells::inputs && each.written);
    });
    std::ranges::sort(result, {}, [](const UsedBuffer& each) { return each.buffer->address; });
    return result;
}

/// The parts of an input that the block reads: in a grid-stride loop, other blocks' elements are between them.
std::vector<UsedBuffer> parts_of(UsedBuffer buffer) {
    constexpr std::uint64_t least_gap = 8;  // shorter ones do not interrupt a row
    constexpr std::size_t most_separate = 8;
    std::ranges::sort(buffer.accesses);
    std::vector<UsedBuffer> parts;
    for (const auto& [first, past_last] : buffer.accesses) {
        if (parts.empty() || first >= parts.back().past_last + least_gap) {
            if (parts.size() == most_separate) return {std::move(buffer)};
            UsedBuffer& part = parts.emplace_back();
            part.buffer = buffer.buffer;
            part.read = buffer.read;
            part.first = first;
        }
        parts.back().past_last = std::max(parts.back().past_last, past_last);
    }
    if (parts.empty()) parts.push_back(std::move(buffer));
    return parts;
}

ColumnGroup group_of(const BlockView& block, const UsedBuffer& of) {
    ColumnGroup group;
    group.name = block.trace.buffer_name(block.passes.launch, *of.buffer);
    group.element = of.buffer->element;
    group.members = cells_of(group.element, members_of(block.trace, block.module, *of.buffer)).members;
    group.space = trace::Space::global;
    std::uint64_t first = of.first, count = of.past_last - of.first, most = most_buffer_columns;
    if (of.shape && of.first_in_row <= of.last_in_row) {
        group.shape = of.shape;
        group.window = std::min<std::uint64_t>(of.last_in_row - of.first_in_row + 1, most_buffer_columns);
        std::uint64_t first_row = of.first / of.shape->width, last_row = (of.past_last - 1) / of.shape->width;
        std::uint64_t rows = last_row - first_row + 1;
        if (const std::uint64_t height = of.shape->height; height > 0 && of.first_in_plane <= of.last_in_plane) {
            group.window_rows = of.last_in_plane - of.first_in_plane + 1;
            rows = (last_row / height - first_row / height + 1) * group.window_rows;
            first_row = first_row / height * height + of.first_in_plane;
        }
        first = first_row * of.shape->width + of.first_in_row;
        count = rows * group.window;
        most = std::max<std::uint64_t>(most / group.window, 1) * group.window;
    }
    group.first_index = static_cast<std::uint32_t>(first);
    group.address = of.buffer->address + first * trace::bytes_of(group.element);
    group.count = static_cast<std::uint32_t>(std::min(count, most));
    return group;
}

/// Do the elements read of one buffer and those written of the other about coincide: is their common range at most
/// twice as long as either one?
bool run_along(const UsedBuffer& in, const UsedBuffer& out) {
    const std::uint64_t together = std::max(in.past_last, out.past_last) - std::min(in.first, out.first);
    const unsigned size = trace::bytes_of(in.buffer->element);
    return in.buffer->element == out.buffer->element && together <= 2 * (in.past_last - in.first) &&
           together <= 2 * (out.past_last - out.first) && together <= most_buffer_columns &&
           std::max(in.past_last, out.past_last) * size <= std::min(in.buffer->bytes, out.buffer->bytes);
}

/// Are there one read-only and one write-only buffer, and no others?
bool is_in_and_out(const std::vector<UsedBuffer>& buffers) {
    return buffers.size() == 2 && buffers[0].read != buffers[0].written && buffers[1].read != buffers[1].written &&
           buffers[0].read != buffers[1].read && !buffers[0].shape && !buffers[1].shape;
}

ColumnGroup folded(const BlockView& block, const UsedBuffer& in, const UsedBuffer& out) {
    UsedBuffer both = in;
    both.first = std::min(in.first, out.first);
    both.past_last = std::max(in.past_last, out.past_last);
    ColumnGroup group = group_of(block, both);
    group.name += " / " + block.trace.buffer_name(block.passes.launch, *out.buffer);
    group.folded = true;
    group.folded_address = out.buffer->address + both.first * trace::bytes_of(group.element);
    return group;
}

}  // namespace

std::vector<ColumnGroup> used_buffers(const BlockView& block, GlobalCells cells, const ArrayShapes& shapes) {
    const std::vector<UsedBuffer> buffers = used(block, cells, shapes);
    if (is_in_and_out(buffers)) {
        const UsedBuffer& in = buffers[0].read ? buffers[0] : buffers[1];
        const UsedBuffer& out = buffers[0].read ? buffers[1] : buffers[0];
        if (run_along(in, out)) return {folded(block, in, out)};
    }
    std::vector<ColumnGroup> groups;
    groups.reserve(buffers.size());
    for (const UsedBuffer& each : buffers) {
        for (const UsedBuffer& part : parts_of(each)) groups.push_back(group_of(block, part));
    }
    return groups;
}

}  // namespace lanescope::analysis
