#include "analysis/passes_picture/grid_shape.h"

#include "analysis/costs.h"
#include "analysis/expressions/access_text.h"
#include "analysis/launch_shape.h"
#include "analysis/source/source_line.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

namespace lanescope::analysis {
namespace {

using trace::Space;

/// The most rows of a tile that one thread goes through; a longer run of rows is a chunk.
constexpr std::uint64_t most_rows_of_tile = 16;

/// The most executions of one line by one thread that are kept; later ones have the same strides, or the line has none.
constexpr std::size_t most_executions = 32;

/// How often each difference of two addresses occurs.
struct Strides {
    std::map<std::int64_t, std::uint64_t> count;
    std::uint64_t pairs = 0;

    void add(const std::vector<std::uint64_t>& here, const std::vector<std::uint64_t>& there) {
        for (std::size_t k = 0; k < std::min(here.size(), there.size()); ++k) add(here[k], there[k]);
    }
    void add(std::uint64_t here, std::uint64_t there) {
        ++count[static_cast<std::int64_t>(there - here)];
        ++pairs;
    }
    /// Are more than a few pairs farther apart than `stride`? Clamped borders are nearer, so these threads continue in
    /// another row: a linear index is divided by the width of a tile.
    [[nodiscard]] bool jump_beyond(std::int64_t stride) const {
        std::uint64_t beyond = 0;
        for (auto at = count.upper_bound(stride); at != count.end(); ++at) beyond += at->second;
        return 128 * beyond > pairs;
    }
    /// The difference of at least three quarters of the pairs: borders may be clamped.
    [[nodiscard]] std::optional<std::int64_t> usual() const {
        const auto most = std::ranges::max_element(count, {}, [](const auto& each) { return each.second; });
        if (most == count.end() || 4 * most->second < 3 * pairs) return std::nullopt;
        return most->first;
    }
};

/// The addresses that each thread accesses, on any line of PTX.
template <class Lines>
std::vector<std::set<std::uint64_t>> accessed_by_threads(const Lines& lines) {
    std::vector<std::set<std::uint64_t>> of_thread;
    for (const auto* const line : lines) {
        of_thread.resize(std::max(of_thread.size(), line->of_thread.size()));
        for (std::size_t t = 0; t < line->of_thread.size(); ++t)
            of_thread[t].insert(line->of_thread[t].begin(), line->of_thread[t].end());
    }
    return of_thread;
}

/// The distance of the cells that a thread goes through in its three or more accesses. Two accesses are no column: they
/// may be an element and its copy. An unrolled loop has several lines, each with longer strides.
std::optional<std::int64_t> column_step(const std::vector<std::set<std::uint64_t>>& of_thread) {
    Strides steps;
    std::uint64_t threads = 0;
    for (const std::set<std::uint64_t>& addresses : of_thread) {
        threads += addresses.empty() ? 0 : 1;
        std::optional<std::uint64_t> before;
        for (const std::uint64_t address : addresses) {
            if (before) steps.add(*before, address);
            before = address;
        }
    }
    return steps.pairs >= 2 * threads ? steps.usual() : std::nullopt;
}

/// The stride that explains the votes: at least three quarters of them have it, or all have a multiple of it.
std::optional<std::uint64_t> winner(const std::map<std::uint64_t, std::uint64_t>& votes) {
    if (votes.empty()) return std::nullopt;
    const std::uint64_t least = votes.begin()->first;
    if (std::ranges::all_of(votes, [&](const auto& each) { return each.first % least == 0; })) return least;
    std::uint64_t all = 0;
    for (const auto& [stride, count] : votes) all += count;
    const auto most = std::ranges::max_element(votes, {}, [](const auto& each) { return each.second; });
    return 4 * most->second >= 3 * all ? std::optional(most->first) : std::nullopt;
}

/// The parts between operators, except those in brackets.
std::vector<std::string_view> parts_between(std::string_view text, std::string_view operators) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    int depth = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at];
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (depth != 0 || !operators.contains(c)) continue;
        parts.push_back(trimmed(text.substr(begin, at - begin)));
        begin = at + 1;
    }
    parts.push_back(trimmed(text.substr(begin)));
    return parts;
}

/// A decimal number, with or without a suffix.
std::optional<std::uint64_t> number_in(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
    return rest.find_first_not_of("uUlL") == std::string_view::npos ? std::optional(number) : std::nullopt;
}

/// Cells, and which of them belong together.
class Groups {
  public:
    explicit Groups(std::size_t cells) : parent_(cells) { std::iota(parent_.begin(), parent_.end(), std::size_t{0}); }
    void join(std::size_t one, std::size_t other) { parent_[of(one)] = of(other); }
    [[nodiscard]] std::size_t of(std::size_t cell) {
        while (parent_[cell] != cell) cell = parent_[cell] = parent_[parent_[cell]];
        return cell;
    }
    /// Are the groups the classes that `class_of` makes of the cells, each complete and separate from the others?
    template <class ClassOf>
    [[nodiscard]] bool are(ClassOf class_of) {
        std::map<std::size_t, std::size_t> class_of_group, group_of_class;
        for (std::size_t cell = 0; cell < parent_.size(); ++cell) {
            const std::size_t wanted = class_of(cell), group = of(cell);
            if (class_of_group.try_emplace(group, wanted).first->second != wanted) return false;
            if (group_of_class.try_emplace(wanted, group).first->second != group) return false;
        }
        return true;
    }

  private:
    std::vector<std::size_t> parent_;
};

/// A name, a member of one, or something in brackets.
bool is_operand(std::string_view text) {
    if (text.empty()) return false;
    if (text.front() == '(' && text.back() == ')') return true;
    return std::ranges::all_of(text, [](char c) { return is_identifier_character(c) || c == '.'; });
}

}  // namespace

void IndexTexts::add(std::string_view line, const std::string& array) {
    const std::vector<Subscript> subscripts = subscripts_of(line, array);
    all_ = all_ && !subscripts.empty();
    for (const Subscript& each : subscripts) {
        const std::string_view brackets = std::string_view(each.text).substr(array.size());
        const std::size_t open = brackets.find('[');
        add_index(brackets.substr(open + 1, brackets.size() - open - 2));
    }
}

void IndexTexts::add_index(std::string_view index) {
    std::size_t products = 0, names = 0;
    for (const std::string_view term : parts_between(index, "+-")) {
        const std::vector<std::string_view> factors = parts_between(term, "*");
        all_ = all_ && std::ranges::all_of(factors, is_operand);
        if (factors.size() > 1) {
            ++products;
            std::set<std::string> here(factors.begin(), factors.end());
            const auto is_number = [](const std::string& each) { return number_in(each).has_value(); };
            if (std::ranges::any_of(here, is_number)) std::erase_if(here, std::not_fn(is_number));
            if (!widths_) widths_ = here;
            std::erase_if(*widths_, [&](const std::string& each) { return !here.contains(each); });
        } else if (const auto number = number_in(term)) {
            farthest_ = std::max(farthest_, *number);
        } else {
            ++names;
            columns_.emplace(term);
        }
    }
    all_ = all_ && products < 2 && names < 2 && products + names > 0;
}

bool IndexTexts::have_rows(std::uint64_t width) const {
    if (!all_ || !widths_ || columns_.size() != 1 || farthest_ >= width) return false;
    return std::ranges::any_of(*widths_,
                               [&](const std::string& each) { return number_in(each).value_or(width) == width; });
}

/// The addresses that one line of PTX accesses in one array.
struct ArrayShapes::LineAccesses {
    std::vector<std::vector<std::uint64_t>> of_thread;  ///< in the order of execution
    unsigned bytes = 0;                                 ///< that a thread accesses at once
    std::optional<std::int64_t> along_column;           ///< see column_step(); of its array
};

/// The rows that a thread goes through, where its neighbor begins `near` elements further and that of the next row
/// `far` bytes further: a tile as high as it is wide, a lower one, or one row. `lines`: all that access the array.
std::uint64_t ArrayShapes::rows_of_tile(std::uint64_t near, std::uint64_t far,
                                        std::span<const LineAccesses* const> lines) {
    const std::vector<std::set<std::uint64_t>> of_thread = accessed_by_threads(lines);
    // Do at least three quarters of the threads access an element and also the one that is `distance` bytes after it?
    const auto also_at = [&](std::uint64_t distance) {
        std::size_t some = 0, both = 0;
        for (const std::set<std::uint64_t>& addresses : of_thread) {
            some += addresses.empty() ? 0 : 1;
            both += std::ranges::any_of(addresses, [&](auto each) { return addresses.contains(each + distance); });
        }
        return some > 0 && 4 * both >= 3 * some;
    };
    for (std::uint64_t rows = std::min(near, most_rows_of_tile); rows > 1; --rows) {
        if (far % rows == 0 && also_at(far / rows)) return rows;
    }
    return 1;
}

ArrayShapes::ArrayShapes(const BlockView& block)
    : trace_(block.trace),
      module_(block.module),
      instructions_(block.provenance.instructions()),
      launch_(block.launch()) {
    if (launch_.block.x < 2 || (launch_.block.y < 2 && launch_.block.z > 1)) return;
    add(block.trace, block.passes.steps);
    if (launch_.block.y < 2 || complete()) return;
    // Blocks in the middle of the grid have most threads at work.
    constexpr std::size_t most_others = 16;
    const std::vector<BlockId>& recorded = launch_.recorded;
    const std::size_t first = recorded.size() > most_others ? (recorded.size() - most_others) / 2 : 0;
    for (std::size_t i = first; i < std::min(first + most_others, recorded.size()) && !complete(); ++i) {
        if (recorded[i] != block.passes.block)
            add(block.trace, steps_of(block.trace, block.passes.launch, recorded[i]));
    }
}

/// Does every array that a line goes through by threads have a stride from row to row, and from plane to plane where
/// the block has several planes?
bool ArrayShapes::complete() const {
    return std::ranges::all_of(votes_, [&](const auto& each) {
        const Votes& votes = each.second;
        return !votes.strong.empty() && (launch_.block.z < 2 || !votes.plane.empty());
    });
}

void ArrayShapes::add(const trace::Trace& trace, std::span<const StepId> steps) {
    const unsigned threads = threads_of(launch_);
    struct Key {
        std::uint32_t line;
        Space space;
        std::size_t array;
        auto operator<=>(const Key&) const = default;
    };
    std::map<Key, LineAccesses> lines;
    for (const StepId id : steps) {
        const trace::Step& step = trace.step(id);
        for (const trace::Effect& effect : trace.effects(step)) {
            const bool access = trace::is_access(effect.kind);
            if (!access || (effect.space != Space::shared && effect.space != Space::global)) continue;
            for (const unsigned lane : effect.lanes) {
                const std::uint64_t address = trace.address(effect, lane);
                const unsigned thread = thread_of(step.warp, lane);
                if (thread >= threads) continue;
                std::optional<std::size_t> array;
                if (effect.space == Space::global) {
                    const trace::Buffer* const buffer = trace.buffer_at(address);
                    if (buffer != nullptr) array = static_cast<std::size_t>(buffer - trace.buffers.data());
                } else {
                    for (const trace::SharedArray& each : trace.arrays_of(launch_))
                        if (!array && address >= each.offset && address - each.offset < each.bytes)
                            array = static_cast<std::size_t>(&each - trace.shared_arrays.data());
                }
                if (!array) continue;
                LineAccesses& line = lines[{step.line.value, effect.space, *array}];
                line.of_thread.resize(threads);
                line.bytes = bytes_per_lane(effect);
                if (line.of_thread[thread].size() < most_executions) line.of_thread[thread].push_back(address);
            }
        }
    }
    std::map<std::pair<Space, std::size_t>, std::vector<const LineAccesses*>> arrays;
    for (const auto& [key, line] : lines) arrays[{key.space, key.array}].push_back(&line);
    std::map<std::pair<Space, std::size_t>, std::optional<std::int64_t>> columns;
    for (const auto& [array, of_array] : arrays) columns[array] = column_step(accessed_by_threads(of_array));
    for (auto& [key, line] : lines) {
        line.along_column = columns.at({key.space, key.array});
        const std::pair array(key.space, key.array);
        Votes& votes = votes_[array];
        count(line, arrays.at(array), votes);
        if (key.space != Space::shared || launch_.block.y < 2) continue;
        const InstructionInfo* const info = instructions_.at(PtxLine(key.line));
        const std::uint32_t source_line = info == nullptr ? 0 : source_line_of(module_, *info->instruction);
        votes.texts.add(trimmed_line(trace.origin.source, source_line), trace.shared_arrays[key.array].name);
    }
    for (const auto& [array, of_array] : arrays) {
        Votes& votes = votes_[array];
        if (votes.strong.empty() && !votes.weak.empty()) votes.joined = votes.joined || joins_rows(of_array);
    }
}

/// Each thread has a cell of its own, in the order of the threads. Rows are certain where the other cells that it
/// accesses join exactly the cells of each row or of each column, or are the cells around it on all four sides. A
/// linear algorithm joins cells of several rows, or goes by halves of a row, which are farther away than neighbors.
bool ArrayShapes::joins_rows(std::span<const LineAccesses* const> lines) const {
    const std::size_t wide = launch_.block.x, cells = wide * launch_.block.y;
    if (launch_.block.z > 1 || lines.empty()) return false;
    const std::uint64_t one = lines.front()->bytes;
    std::optional<std::uint64_t> base;
    for (const LineAccesses* const line : lines) {
        if (line->bytes != one) return false;
        bool own = line->of_thread.size() == cells && !line->of_thread.front().empty();
        for (std::size_t t = 0; t < line->of_thread.size(); ++t) {
            const std::vector<std::uint64_t>& of_thread = line->of_thread[t];
            if (of_thread.size() >= most_executions) return false;  // there may be more
            own = own && !of_thread.empty() && of_thread.front() == line->of_thread.front().front() + t * one;
        }
        if (own && !base) base = line->of_thread.front().front();
    }
    if (!base) return false;
    Groups groups(cells);
    std::set<std::pair<std::int64_t, std::int64_t>> around;
    std::int64_t farthest = 0;
    for (const LineAccesses* const line : lines) {
        for (std::size_t t = 0; t < line->of_thread.size(); ++t) {
            for (const std::uint64_t address : line->of_thread[t]) {
                if (address < *base || (address - *base) % one != 0 || (address - *base) / one >= cells) return false;
                const std::size_t cell = (address - *base) / one;
                groups.join(t, cell);
                const auto apart = [](std::size_t to, std::size_t from) {
                    return static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from);
                };
                const std::int64_t x = apart(cell % wide, t % wide), y = apart(cell / wide, t / wide);
                around.emplace(x, y);
                farthest = std::max({farthest, std::abs(x), std::abs(y)});
            }
        }
    }
    constexpr std::int64_t most_around = 3;
    const bool four_sides =
        around.contains({1, 0}) && around.contains({-1, 0}) && around.contains({0, 1}) && around.contains({0, -1});
    if (four_sides && farthest <= most_around && 2 * farthest < static_cast<std::int64_t>(wide)) return true;
    return groups.are([&](std::size_t cell) { return cell / wide; }) ||
           groups.are([&](std::size_t cell) { return cell % wide; });
}

/// The line's vote on the stride from row to row. Along one of threadIdx.x, threadIdx.y and its own repetition it
/// advances by one element, along another by a row; or along threadIdx.x by a few elements of a tile that the thread
/// goes through, and along threadIdx.y by as many rows, or by one.
void ArrayShapes::count(const LineAccesses& line, std::span<const LineAccesses* const> of_array, Votes& votes) const {
    Strides x, y, z, again;
    std::uint64_t accesses = 0;
    const std::size_t wide = launch_.block.x, tall = launch_.block.y, plane = wide * tall;
    for (std::size_t t = 0; t < line.of_thread.size(); ++t) {
        const std::vector<std::uint64_t>& here = line.of_thread[t];
        accesses += here.size();
        if (t % wide + 1 < wide && t + 1 < line.of_thread.size()) x.add(here, line.of_thread[t + 1]);
        if (t / wide % tall + 1 < tall && t + wide < line.of_thread.size()) y.add(here, line.of_thread[t + wide]);
        if (t + plane < line.of_thread.size()) z.add(here, line.of_thread[t + plane]);
        for (std::size_t k = 1; k < here.size(); ++k) again.add(here[k - 1], here[k]);
    }
    const auto size = [](std::optional<std::int64_t> stride) {
        return stride ? static_cast<std::uint64_t>(std::abs(*stride)) : std::numeric_limits<std::uint64_t>::max();
    };
    const std::uint64_t one = line.bytes, none = size({});
    const std::uint64_t by_x = size(x.usual()), by_y = size(y.usual()), by_z = size(z.usual());
    const std::uint64_t by_repeat = size(again.usual());
    const std::uint64_t by_column = size(line.along_column);
    const auto is_row = [&](std::uint64_t stride) { return stride != none && stride > one && stride % one == 0; };
    const auto jumps = [one](const Strides& strides) { return strides.jump_beyond(static_cast<std::int64_t>(one)); };
    if ((by_x == one && jumps(x)) || (by_y == one && jumps(y))) return;
    std::optional<std::uint64_t> row;
    if (tall == 1) {
        // A loop over a line advances by the threads of the block, or of the grid.
        if (by_x == one && is_row(by_column) && by_column > one * wide && by_column % (one * wide) != 0)
            row = by_column;
    } else if (by_x == one && is_row(by_y)) {
        if (by_y == one * wide)
            votes.weak[by_y] += accesses;
        else
            row = by_y;
    } else if (by_y == one && is_row(by_x)) {
        row = by_x;
    } else if (by_x == 0 && is_row(by_y) && by_repeat == one) {
        row = by_y;
    } else if (by_x == one && by_y == 0 && is_row(by_column) && by_column != one * wide) {
        row = by_column;
    } else if (is_row(by_x) && is_row(by_y)) {
        const bool along_x = by_x < by_y;
        const std::uint64_t near = std::min(by_x, by_y), far = std::max(by_x, by_y), threads = along_x ? wide : tall;
        if (far == near * threads)
            votes.weak[far] += accesses;
        else if (far > near * (threads - 1) && !(along_x ? x : y).jump_beyond(static_cast<std::int64_t>(near)))
            row = far / rows_of_tile(near / one, far, of_array);
    }
    if (row) votes.strong[*row] += accesses;
    if (is_row(by_z)) votes.plane[by_z] += accesses;
    // A loop that advances by more rows than the grid has threads goes from plane to plane; one that advances by as
    // many covers the rows of one plane in turns.
    const std::uint64_t rows_of_grid = std::uint64_t{launch_.grid.y} * tall;
    if (row && by_x == one && *row == by_y && is_row(by_repeat) && by_repeat % *row == 0 &&
        by_repeat / *row > rows_of_grid)
        votes.plane[by_repeat] += accesses;
}

std::optional<GridShape> ArrayShapes::of(const trace::SharedArray& array, unsigned cell_bytes,
                                         std::uint64_t per_element) const {
    if (auto declared = declared_shape(module_, ptx::Space::shared, array.name, per_element)) return declared;
    return by_accesses(Space::shared, static_cast<std::size_t>(&array - trace_.shared_arrays.data()), cell_bytes);
}

std::optional<GridShape> ArrayShapes::of(const trace::Buffer& buffer, unsigned cell_bytes,
                                         std::uint64_t per_element) const {
    if (auto declared = declared_shape(module_, ptx::Space::global, buffer.name, per_element)) return declared;
    return by_accesses(Space::global, static_cast<std::size_t>(&buffer - trace_.buffers.data()), cell_bytes);
}

std::optional<GridShape> ArrayShapes::by_accesses(Space space, std::size_t array, unsigned cell_bytes) const {
    const auto found = votes_.find({space, array});
    if (found == votes_.end() || cell_bytes == 0) return std::nullopt;
    const Votes& votes = found->second;
    GridShape shape;
    shape.from = votes.strong.empty() ? GridShape::From::block : GridShape::From::addresses;
    const std::optional<std::uint64_t> row = winner(votes.strong.empty() ? votes.weak : votes.strong);
    if (shape.from == GridShape::From::block && row && found->second.texts.have_rows(launch_.block.x))
        shape.from = GridShape::From::subscripts;
    if (shape.from == GridShape::From::block && votes.joined) shape.from = GridShape::From::addresses;
    if (!row || *row % cell_bytes != 0 || *row / cell_bytes < 2) return std::nullopt;
    if (*row / cell_bytes > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    shape.width = static_cast<std::uint32_t>(*row / cell_bytes);
    if (const auto plane = winner(votes.plane); plane && *plane % *row == 0 && *plane > *row)
        shape.height = static_cast<std::uint32_t>(*plane / *row);
    return shape;
}

std::optional<GridShape> declared_shape(const ptx::Module& module, ptx::Space space, const std::string& name,
                                        std::uint64_t per_element) {
    const ptx::SourceArray* source = nullptr;
    for (const ptx::SourceArray& array : module.arrays) {
        if (array.space != space || array.name != name) continue;
        // Two functions may each have an array of that name, and either declaration may be the one: trust it only where
        // they agree.
        if (source != nullptr && source->extents != array.extents) return std::nullopt;
        source = &array;
    }
    if (source == nullptr || source->extents.size() < 2) return std::nullopt;
    const std::vector<std::uint64_t>& extents = source->extents;
    const std::uint64_t width = extents.back() * per_element;
    if (width < 2 || width > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    GridShape shape;
    shape.width = static_cast<std::uint32_t>(width);
    if (extents.size() > 2) shape.height = static_cast<std::uint32_t>(extents[extents.size() - 2]);
    for (const std::uint64_t extent : extents) shape.extents += extent > 0 ? fmt::format("[{}]", extent) : "[]";
    return shape;
}

}  // namespace lanescope::analysis
