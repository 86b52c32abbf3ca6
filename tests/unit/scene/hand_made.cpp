#include "unit/scene/hand_made.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <set>
#include <string>
#include <utility>

namespace lanescope::scene::hand_made {

using analysis::Cell;
using analysis::Node;
using analysis::Picture;
using analysis::PictureRow;
using analysis::ValueId;

Builder::Builder(std::string name, std::uint32_t columns, unsigned threads) {
    analysis::ColumnGroup group;
    group.name = std::move(name);
    group.count = columns;
    picture_.groups.push_back(group);
    picture_.columns = columns;
    PictureRow row;
    row.threads = threads;
    row.cells.resize(columns);
    before_.resize(columns);
    now_.resize(columns);
    picture_.rows.push_back(row);  // the state before anything: dropped by finish
}

Builder& Builder::load(const std::vector<std::int64_t>& values) {
    pass("load", "");
    for (std::uint32_t c = 0; c < values.size(); ++c) {
        store(c, c, values[c], {});
        picture_.rows.back().nodes.back().from_global = true;
        picture_.rows.back().nodes.back().combines = false;
    }
    return *this;
}

Builder& Builder::pass(std::string label, std::string sublabel) {
    PictureRow row;
    row.pass = PassId{static_cast<std::uint32_t>(picture_.rows.size() - 1)};
    row.label = std::move(label);
    row.sublabel = std::move(sublabel);
    row.threads = picture_.rows.back().threads;
    row.cells = picture_.rows.back().cells;
    for (Cell& cell : row.cells) cell.written = cell.copied = false;
    before_ = now_;
    picture_.rows.push_back(std::move(row));
    return *this;
}

Builder& Builder::store(std::uint32_t column, unsigned thread, std::int64_t value, std::vector<std::uint32_t> sources) {
    PictureRow& row = picture_.rows.back();
    Node node;
    node.column = column;
    node.thread = thread;
    for (const std::uint32_t source : sources)
        node.sources.push_back({.column = source,
                                .row = static_cast<std::uint32_t>(picture_.rows.size() - 3),
                                .own = source == column,
                                .reader = StepId{next_step_++}});
    node.step = StepId{next_step_++};
    node.value = ValueId{next_value_++};
    node.combines = true;
    row.nodes.push_back(node);
    Cell& cell = row.cells[column];
    cell.known = cell.written = true;
    cell.copied = false;
    cell.bits = static_cast<std::uint64_t>(value);
    cell.value = node.value;
    cell.writer = node.step;
    cell.thread = thread;
    now_[column] = value;
    return *this;
}

Builder& Builder::copy(std::uint32_t column, unsigned thread, std::uint32_t source) {
    store(column, thread, before_[source], {source});
    picture_.rows.back().nodes.back().combines = false;
    picture_.rows.back().cells[column].copied = true;
    return *this;
}

Picture Builder::finish(const std::vector<std::uint32_t>& outputs) {
    picture_.rows.erase(picture_.rows.begin());
    auto& rows = picture_.rows;
    for (PictureRow& row : rows) {
        std::ranges::stable_sort(row.nodes, {}, &Node::column);
        std::set<std::uint32_t> threads;
        for (const Node& node : row.nodes) threads.insert(node.thread);
        row.lanes = static_cast<unsigned>(threads.size());
    }
    // From the last row up: a value that a row below needs is useful, and read again.
    std::vector<bool> needed(picture_.columns), read(picture_.columns);
    for (const std::uint32_t column : outputs) needed[column] = read[column] = true;
    for (std::size_t r = rows.size(); r-- > 0;) {
        PictureRow& row = rows[r];
        for (std::uint32_t c = 0; c < picture_.columns; ++c) {
            row.cells[c].useful = needed[c];
            row.cells[c].read_again = read[c];
        }
        auto needed_above = needed, read_above = read;
        for (const Node& node : row.nodes) needed_above[node.column] = read_above[node.column] = false;
        std::set<std::uint32_t> useful;
        for (Node& node : row.nodes) {
            node.useful = needed[node.column];
            if (node.useful) useful.insert(node.thread);
            for (const analysis::Source& source : node.sources) {
                if (source.same_row) continue;
                read_above[source.column] = true;
                if (node.useful) needed_above[source.column] = true;
            }
        }
        row.useful = static_cast<unsigned>(useful.size());
        needed = needed_above;
        read = read_above;
    }
    return std::move(picture_);
}

std::vector<std::int64_t> lecture_input(std::uint32_t n) {
    constexpr std::int64_t start[] = {10, 1, 8, -1, 0, -2, 3, 5, -2, -3, 2, 7, 0, 11, 0, 2};
    std::vector<std::int64_t> values(n);
    for (std::uint32_t i = 0; i < n; ++i) values[i] = start[i % 16] + static_cast<std::int64_t>(i / 16);
    return values;
}

namespace {

Picture interleaved(std::uint32_t n, const std::vector<std::int64_t>& input) {
    Builder builder("sdata", n, n);
    builder.load(input);
    unsigned pass = 1;
    for (std::uint32_t s = 1; s < n; s *= 2, ++pass) {
        builder.pass("pass " + std::to_string(pass), "s = " + std::to_string(s));
        for (std::uint32_t t = 0; t + s < n; t += 2 * s)
            builder.store(t, t, builder.value(t) + builder.value(t + s), {t, t + s});
    }
    return builder.finish({0});
}

}  // namespace

Picture interleaved_reduction(std::uint32_t n) { return interleaved(n, lecture_input(n)); }

Picture long_values(std::uint32_t n) {
    std::vector<std::int64_t> input(n);
    for (std::uint32_t i = 0; i < n; ++i) input[i] = -1'600'000'000 + static_cast<std::int64_t>(i) * 123'456'789;
    return interleaved(n, input);
}

Picture sequential_reduction(std::uint32_t n) {
    Builder builder("sdata", n, n);
    builder.load(lecture_input(n));
    unsigned pass = 1;
    for (std::uint32_t s = n / 2; s > 0; s /= 2, ++pass) {
        builder.pass("pass " + std::to_string(pass), "s = " + std::to_string(s));
        for (std::uint32_t t = 0; t < s; ++t) builder.store(t, t, builder.value(t) + builder.value(t + s), {t, t + s});
    }
    return builder.finish({0});
}

Picture folded_scan(std::uint32_t n) {
    Builder builder("temp", n, n);
    builder.group().folded = true;
    builder.group().folded_address = 4 * n;
    builder.load(lecture_input(n));
    std::vector<std::uint32_t> all;
    for (std::uint32_t t = 0; t < n; ++t) all.push_back(t);
    unsigned pass = 1;
    for (std::uint32_t offset = 1; offset < n; offset *= 2, ++pass) {
        builder.pass("pass " + std::to_string(pass), "offset = " + std::to_string(offset));
        for (std::uint32_t t = 0; t < n; ++t) {
            if (t < offset)
                builder.copy(t, t, t);
            else
                builder.store(t, t, builder.value(t) + builder.value(t - offset), {t, t - offset});
        }
    }
    return builder.finish(all);
}

Picture shuffle_tree(std::uint32_t width) {
    Builder builder("lanes", width, width);
    builder.group().lanes = true;
    builder.load(lecture_input(width));
    unsigned pass = 1;
    for (std::uint32_t offset = width / 2; offset > 0; offset /= 2, ++pass) {
        builder.pass("pass " + std::to_string(pass), "offset = " + std::to_string(offset));
        for (std::uint32_t t = 0; t < width; ++t) {
            const std::uint32_t other = std::min(t + offset, width - 1);
            builder.store(t, t, builder.value(t) + builder.value(other), {t, other});
        }
    }
    return builder.finish({0});
}

Picture serial_scan(std::uint32_t n) {
    Builder builder("sdata", n, n);
    builder.load(lecture_input(n));
    builder.pass("pass 1", "");
    std::int64_t sum = builder.value(0);
    for (std::uint32_t t = 1; t < n; ++t) builder.store(t, 0, sum += builder.value(t), {t, t - 1});
    Picture picture = builder.finish({n - 1});
    for (Node& node : picture.rows[1].nodes)
        for (analysis::Source& source : node.sources) {
            source.same_row = !source.own && source.column > 0;
            if (source.same_row) source.row = 1;
        }
    return picture;
}

Picture all_pairs(std::uint32_t n) {
    Builder builder("s", n, n);
    builder.load(lecture_input(n));
    builder.pass("pass 1", "");
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0U);
    std::int64_t sum = 0;
    for (const std::uint32_t column : all) sum += builder.value(column);
    for (const std::uint32_t column : all) builder.store(column, column, sum, all);
    return builder.finish(all);
}

Picture histogram() {
    Builder builder("keys", 16, 16);
    builder.load({3, 1, 0, 2, 3, 3, 1, 0, 2, 2, 3, 1, 3, 0, 3, 2});
    analysis::ColumnGroup bins;
    bins.name = "bins";
    bins.first_column = 16;
    bins.count = 6;
    builder.pass("pass 1", "");
    Picture picture = builder.finish({});
    picture.groups.push_back(bins);
    picture.columns = 22;
    for (PictureRow& row : picture.rows) row.cells.resize(22);
    PictureRow& last = picture.rows.back();
    std::uint32_t step = 100;
    for (std::uint32_t bin = 0; bin < 4; ++bin) {
        std::uint64_t count = 0;
        for (std::uint32_t t = 0; t < 16; ++t) {
            if (picture.rows.front().cells[t].bits != bin) continue;
            Node node;
            node.column = 16 + bin;
            node.thread = t;
            node.sources = {{.column = t, .row = 0, .reader = StepId{step}}};
            node.step = StepId{step + 1};
            node.value = ValueId{step};
            node.combines = node.useful = true;
            step += 2;
            last.nodes.push_back(node);
            ++count;
        }
        Cell& cell = last.cells[16 + bin];
        cell.known = cell.written = cell.useful = cell.read_again = true;
        cell.bits = count;
        cell.writer = StepId{step - 1};
        cell.value = last.nodes.back().value;
    }
    last.lanes = last.useful = 16;
    for (Cell& cell : picture.rows.front().cells) cell.useful = cell.read_again = cell.known;
    return picture;
}

Picture scan_of_maps(std::uint32_t n) {
    Builder builder("slope", 2 * n, n);
    builder.pass("load", "");
    for (std::uint32_t i = 0; i < n; ++i) builder.store(i, i, i % 3 + 1, {}).store(n + i, i, i, {});
    std::vector<std::uint32_t> outputs;
    for (std::uint32_t d = 1; d < n; d *= 2) {
        builder.pass("pass", "d = " + std::to_string(d));
        for (std::uint32_t i = d; i < n; ++i) {
            builder.store(n + i, i, builder.value(n + i) + builder.value(i) * builder.value(n + i - d),
                          {n + i, i, n + i - d});
            builder.store(i, i, builder.value(i) * builder.value(i - d), {i, i - d});
        }
    }
    for (std::uint32_t i = 0; i < n; ++i) outputs.push_back(n + i);
    return builder.finish(outputs);
}

analysis::JointValue maps(std::uint32_t n) { return {{0, n}, n, {"slope", "offset"}}; }

PassesState finished() { return {}; }

PassesState after(const Picture& picture, std::size_t row) {
    PassesState state;
    state.current = picture.rows[row].pass;
    state.next = StepId{0};
    for (const Node& node : picture.rows[row].nodes) state.next = std::max(state.next, StepId{node.step.value + 1});
    return state;
}

PassesState before(const Picture& picture, std::size_t row) {
    PassesState state = after(picture, row);
    for (const Node& node : picture.rows[row].nodes) {
        state.next = std::min(state.next, node.step);
        for (const analysis::Source& source : node.sources) state.next = std::min(state.next, source.reader);
    }
    return state;
}

PassesState selecting(const Picture& picture, PassesState state, std::size_t row, std::uint32_t column) {
    state.past.selected = picture.rows[row].cells[column].value;
    state.past.values.resize(10'000);
    state.past.values[state.past.selected.index()] = true;
    for (std::size_t r = picture.rows.size(); r-- > 0;)
        for (const Node& node : picture.rows[r].nodes) {
            if (!state.past.values[node.value.index()] || r == 0) continue;
            for (const analysis::Source& source : node.sources)
                state.past.values[picture.rows[source.row].cells[source.column].value.index()] = true;
        }
    return state;
}

}  // namespace lanescope::scene::hand_made
