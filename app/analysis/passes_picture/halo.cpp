#include "analysis/passes_picture/halo.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace lanescope::analysis {

namespace {

/// An element of a buffer, by its index.
struct Element {
    std::size_t buffer = 0;
    std::uint64_t index = 0, of = 0;  ///< `of`: the elements of the buffer
    friend auto operator<=>(const Element&, const Element&) = default;
};

class Halo {
  public:
    Halo(const BlockView& block, const Picture& picture) : block_(block), picture_(picture) {}

    std::vector<bool> columns() {
        find_outputs();
        for (const auto& [output, value] : outputs_) {
            const auto sources = sources_of(value);
            if (!sources) return {};
            add(output, *sources);
        }
        if (made_of_.empty() && !find_conditions()) return {};
        for (const auto& [buffers, outputs] : made_of_) find_outside(buffers, outputs);
        return stencils_.empty() ? std::vector<bool>() : marked();
    }

  private:
    static constexpr std::size_t most_sources = 128;  // of one output
    using Distances = std::vector<std::int64_t>;
    struct Buffers {
        std::size_t read = 0, written = 0;
        std::uint64_t of = 0;  ///< elements that are read
        bool alike = false;    ///< both numbers of elements are equal
        friend auto operator<=>(const Buffers&, const Buffers&) = default;
    };
    struct Output {
        std::uint64_t index = 0;
        std::vector<std::uint64_t> sources;  ///< indices, ascending
    };

    [[nodiscard]] std::optional<Element> element_at(std::uint64_t address, unsigned bytes) const {
        const trace::Buffer* const buffer = block_.trace.buffer_at(address);
        if (buffer == nullptr || bytes == 0) return std::nullopt;
        return Element{.buffer = static_cast<std::size_t>(buffer - block_.trace.buffers.data()),
                       .index = (address - buffer->address) / bytes,
                       .of = buffer->bytes / bytes};
    }

    [[nodiscard]] static bool is_global(const TracedValue& value) {
        return value.space == trace::Space::global && (value.is_given() || value.kind == TracedValue::Kind::memory ||
                                                       value.kind == TracedValue::Kind::uninitialized);
    }
    [[nodiscard]] bool is_of_block(const TracedValue& value) const {
        if (!value.step.valid()) return false;
        const trace::Step& step = block_.trace.step(value.step);
        return step.launch == block_.passes.launch && step.block == block_.passes.block;
    }

    /// The last value of each element that the block writes.
    void find_outputs() {
        for (const StepId step : block_.passes.steps) {
            const ValueRange range = block_.provenance.values_of(step);
            for (std::uint32_t id = range.first; id < range.past_last; ++id) {
                const TracedValue& value = block_.provenance[ValueId(id)];
                if (value.kind != TracedValue::Kind::memory || value.space != trace::Space::global) continue;
                if (const auto element = element_at(value.address, value.bytes)) outputs_[*element] = ValueId(id);
            }
        }
    }

    /// The elements, with their values from before the block, that the value was made of. Nothing: more than a stencil
    /// has.
    [[nodiscard]] std::optional<std::set<Element>> sources_of(ValueId output) const {
        constexpr std::size_t most_values = 4096;
        std::set<Element> sources;
        std::set<ValueId> seen{output};
        std::vector<ValueId> way{output};
        while (!way.empty()) {
            const ValueId id = way.back();
            way.pop_back();
            const TracedValue& value = block_.provenance[id];
            if (is_global(value) && !is_of_block(value)) {
                if (const auto element = element_at(value.address, value.bytes)) sources.insert(*element);
                if (sources.size() > most_sources) return std::nullopt;
                continue;
            }
            for (const ValueId parent : block_.provenance.parents(id))
                if (seen.insert(parent).second) way.push_back(parent);
            if (seen.size() > most_values) return std::nullopt;
        }
        return sources;
    }

    void add(const Element& output, const std::set<Element>& sources) {
        for (const Element& source : sources) {
            std::vector<Output>& outputs = made_of_[{
                .read = source.buffer, .written = output.buffer, .of = source.of, .alike = source.of == output.of}];
            if (outputs.empty() || outputs.back().index != output.index)
                outputs.push_back({.index = output.index, .sources = {}});
            outputs.back().sources.push_back(source.index);
        }
    }

    /// Where outputs depend on elements only through conditions, takes the elements that their thread reads or, if the
    /// thread reads shared memory, those that it reads there.
    bool find_conditions() {
        struct Reads {
            std::set<Element> shared, global;
        };
        std::map<std::pair<WarpId, unsigned>, Reads> threads;
        for (const StepId id : block_.passes.steps) {
            const trace::Step& step = block_.trace.step(id);
            for (const trace::Effect& effect : block_.trace.effects(step)) {
                const bool shared = effect.space == trace::Space::shared;
                if (effect.kind != trace::EffectKind::load || (!shared && effect.space != trace::Space::global))
                    continue;
                for (const unsigned lane : effect.lanes) {
                    const ValueId loaded = block_.provenance.written_by(id, lane);
                    const auto sources = loaded.valid() ? sources_of(loaded) : std::set<Element>();
                    Reads& reads = threads[{step.warp, lane}];
                    std::set<Element>& all = shared ? reads.shared : reads.global;
                    if (sources) all.insert(sources->begin(), sources->end());
                    if (!sources || all.size() > most_sources) return false;
                }
            }
        }
        for (const auto& [output, value] : outputs_) {
            const TracedValue& stored = block_.provenance[value];
            const Reads& reads = threads[{block_.trace.step(stored.step).warp, stored.lane}];
            add(output, reads.shared.empty() ? reads.global : reads.shared);
        }
        return true;
    }

    /// The element at the output's own place: the one with its index or, in a buffer with a border, the middle one.
    static std::optional<std::uint64_t> center_of(const Buffers& buffers, const Output& output) {
        if (buffers.alike) return output.index;
        const std::size_t number = output.sources.size();
        return number % 2 == 1 ? std::optional(output.sources[number / 2]) : std::nullopt;
    }

    /// The distances of at least a quarter of the outputs. Others, at the border of the array or by their condition,
    /// are made of no more elements.
    static std::optional<Distances> usual(const std::map<Distances, std::size_t>& distances) {
        std::size_t all = 0, most = 0;
        const Distances* found = nullptr;
        for (const auto& [each, count] : distances) {
            all += count;
            if (found != nullptr && std::pair(each.size(), count) <= std::pair(found->size(), most)) continue;
            most = count;
            found = &each;
        }
        const bool is_usual = found != nullptr && !found->empty() && most >= 2 && 4 * most >= all;
        return is_usual ? std::optional(*found) : std::nullopt;
    }

    void find_outside(const Buffers& buffers, const std::vector<Output>& outputs) {
        struct Placed {
            std::uint64_t center = 0;
            bool uses_it = false;
            Distances others;  ///< distances of the elements it is made of, besides the one at its own place
        };
        std::vector<Placed> placed;
        std::map<Distances, std::size_t> distances;
        std::map<std::uint64_t, std::size_t> uses;
        std::size_t use_center = 0;
        for (const Output& output : outputs) {
            const auto center = center_of(buffers, output);
            if (!center) return;
            Placed each{.center = *center, .others = {}};
            for (const std::uint64_t source : output.sources) {
                ++uses[source];
                if (source == *center)
                    each.uses_it = true;
                else
                    each.others.push_back(static_cast<std::int64_t>(source) - static_cast<std::int64_t>(*center));
            }
            use_center += each.uses_it ? 1 : 0;
            ++distances[each.others];
            placed.push_back(std::move(each));
        }
        const auto stencil = usual(distances);
        // A copy from elsewhere has one distance.
        if (!stencil || (stencil->size() == 1 && 2 * use_center < placed.size())) return;
        std::set<std::uint64_t> own;
        std::size_t shared = 0;  // elements in common; sums of parts of an array have none
        for (const Placed& each : placed) {
            if (!buffers.alike && each.others != *stencil) continue;
            own.insert(each.center);
            const auto used = uses.find(each.center);
            shared += used != uses.end() && used->second > (each.uses_it ? 1 : 0) ? 1 : 0;
        }
        if (2 * shared < own.size()) return;
        stencils_[buffers.read] = *stencil;
        for (const auto& [index, count] : uses) {
            const Element source{.buffer = buffers.read, .index = index, .of = buffers.of};
            (own.contains(index) ? inside_ : outside_).insert(source);
        }
    }

    /// The cell's first value, where that is an unchanged element.
    [[nodiscard]] std::optional<Element> first_of(const Cell& cell) const {
        for (ValueId id = cell.value; id.valid();) {
            const TracedValue& value = block_.provenance[id];
            if (is_global(value) && !is_of_block(value)) return element_at(value.address, value.bytes);
            const auto parents = block_.provenance.parents(id);
            if (parents.size() != 1 || value.application) return std::nullopt;
            id = parents.front();
        }
        return std::nullopt;
    }

    /// Columns of an array with the element that each held first.
    using Held = std::map<std::int64_t, Element>;

    /// At a border that repeats elements, several cells hold the same one. For each distance of the stencil: how far
    /// its cell is from the cell of the place itself, by a majority of the cells.
    [[nodiscard]] std::map<std::int64_t, std::int64_t> steps_of(const Held& held) const {
        std::map<Element, std::vector<std::int64_t>> cells;
        for (const auto& [cell, element] : held) cells[element].push_back(cell);
        std::map<std::int64_t, std::map<std::int64_t, std::size_t>> found;
        for (const auto& [element, own] : cells) {
            for (const std::int64_t distance : stencils_.at(element.buffer)) {
                const auto other = cells.find(moved(element, distance));
                if (own.size() == 1 && other != cells.end() && other->second.size() == 1)
                    ++found[distance][other->second.front() - own.front()];
            }
        }
        std::map<std::int64_t, std::int64_t> steps;
        for (const auto& [distance, counts] : found)
            steps[distance] =
                std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; })->first;
        return steps;
    }
    static Element moved(Element element, std::int64_t distance) {
        element.index += static_cast<std::uint64_t>(distance);
        return element;
    }

    /// Of several cells that hold the same element, those that are not at its own place.
    [[nodiscard]] std::set<std::int64_t> repeated(const Held& held) const {
        const std::map<std::int64_t, std::int64_t> steps = steps_of(held);
        std::map<Element, std::vector<std::pair<std::size_t, std::int64_t>>> places;  // how well it fits, cell
        for (const auto& [cell, element] : held) {
            std::size_t fits = 0;
            for (const auto& [distance, step] : steps) {
                const auto other = held.find(cell + step);
                fits += other != held.end() && other->second == moved(element, distance) ? 1 : 0;
            }
            places[element].emplace_back(fits, cell);
        }
        std::set<std::int64_t> cells;
        for (const auto& [element, all] : places) {
            const std::size_t best = std::ranges::max(all).first;
            for (const auto& [fits, cell] : all)
                if (fits < best) cells.insert(cell);
        }
        return cells;
    }

    [[nodiscard]] std::vector<bool> marked() const {
        std::vector<bool> columns(picture_.columns);
        for (const ColumnGroup& group : picture_.groups) {
            if (group.lanes) continue;
            Held inside;
            std::vector<std::uint32_t> instead;  // cells whose value is not that of an element
            for (std::uint32_t c = group.first_column; c < group.first_column + group.count; ++c) {
                const Cell* first = nullptr;
                for (const PictureRow& row : picture_.rows) {
                    first = &row.cells[c];
                    if (first->known) break;
                }
                if (first == nullptr || !first->known) continue;
                const auto element = group.space == trace::Space::global
                                         ? element_at(first->address, trace::bytes_of(group.element))
                                         : first_of(*first);
                columns[c] = element && outside_.contains(*element);
                if (element && inside_.contains(*element)) inside.emplace(c, *element);
                const bool depends = first->value.valid() && block_.provenance[first->value].input_dependent;
                if (!element && !depends && first->read_again) instead.push_back(c);
            }
            if (group.space != trace::Space::shared || inside.empty()) continue;
            for (const std::uint32_t c : instead) columns[c] = true;
            for (const std::int64_t c : repeated(inside)) columns[static_cast<std::size_t>(c)] = true;
        }
        return std::ranges::find(columns, true) == columns.end() ? std::vector<bool>() : columns;
    }

    const BlockView& block_;
    const Picture& picture_;
    std::map<Element, ValueId> outputs_;
    std::map<Buffers, std::vector<Output>> made_of_;
    std::map<std::size_t, Distances> stencils_;  ///< by the buffer that is read
    std::set<Element> inside_, outside_;
};

}  // namespace

std::vector<bool> halo_of(const BlockView& block, const Picture& picture) { return Halo(block, picture).columns(); }

}  // namespace lanescope::analysis
