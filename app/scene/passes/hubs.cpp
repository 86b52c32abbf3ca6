#include "scene/passes/hubs.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanescope::scene {
namespace {

using analysis::Node;
using analysis::Source;

constexpr std::size_t least_cells = 4, least_readers = 4, least_arcs = 64;

/// The row and the first column of an array.
using Array = std::pair<std::uint32_t, std::uint32_t>;

std::map<Array, std::vector<std::uint32_t>> reads_by_array(const analysis::Picture& picture,
                                                           std::span<const Node> nodes) {
    std::map<Array, std::vector<std::uint32_t>> reads;
    for (const Node& node : nodes) {
        for (const Source& source : node.sources) {
            if (source.same_row) continue;
            reads[{source.row, picture.group_of(source.column).first_column}].push_back(source.column);
        }
    }
    for (auto& [array, columns] : reads) {
        std::ranges::sort(columns);
        columns.erase(std::ranges::unique(columns).begin(), columns.end());
    }
    return reads;
}

}  // namespace

bool Hub::reads(std::uint32_t reader, const Source& source) const {
    return !source.same_row && source.row == row && std::ranges::binary_search(columns, source.column) &&
           std::ranges::binary_search(readers, reader);
}

std::vector<Hub> hubs_of(const analysis::Picture& picture, std::span<const Node> nodes) {
    std::map<std::pair<Array, std::vector<std::uint32_t>>, std::vector<std::uint32_t>> readers;
    for (std::size_t first = 0, past_last = 0; first < nodes.size(); first = past_last) {
        const std::uint32_t reader = nodes[first].column;
        for (past_last = first; past_last < nodes.size() && nodes[past_last].column == reader;) ++past_last;
        for (auto& [array, columns] : reads_by_array(picture, nodes.subspan(first, past_last - first)))
            if (columns.size() >= least_cells) readers[{array, std::move(columns)}].push_back(reader);
    }
    std::vector<Hub> found;
    for (auto& [read, columns] : readers) {
        Hub hub{.row = read.first.first, .columns = read.second, .readers = std::move(columns)};
        if (hub.readers.size() >= least_readers && hub.arcs() >= least_arcs) found.push_back(std::move(hub));
    }
    return found;
}

}  // namespace lanescope::scene
