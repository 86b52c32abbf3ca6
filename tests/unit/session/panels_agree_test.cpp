// No two panels state different numbers of the same thing: Counts, Banks, Sectors, Warps, the costs of Source's lines
// and Map, of every kernel of the catalog.
#include "analysis/panels/access_map.h"
#include "analysis/panels/bank_picture.h"
#include "analysis/panels/excess_counts.h"
#include "analysis/panels/sector_picture.h"
#include "analysis/panels/warp_picture.h"
#include "unit/session/run_support.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

namespace lanescope::session {
namespace {

using analysis::AccessMap;
using analysis::BlockView;
using analysis::MapColumn;
using analysis::MapRow;
using trace::Counts;
using trace::Space;

/// Of shared memory wavefronts, of global memory sectors.
struct Served {
    std::uint64_t shared = 0, global = 0;
    friend bool operator==(const Served&, const Served&) = default;
    void add(Space space, std::uint64_t number) { (space == Space::shared ? shared : global) += number; }
};
void PrintTo(const Served& served, std::ostream* out) {
    *out << served.shared << " wavefronts, " << served.global << " sectors";
}

Served served_by(const Counts& counts) {
    return {counts.shared_load_wavefronts + counts.shared_store_wavefronts + counts.shared_atomic_wavefronts,
            counts.global_load_sectors + counts.global_store_sectors + counts.global_atomic_sectors};
}

/// Counts, Banks, Sectors and Warps of a block, beside its row in the map.
void expect_same(const BlockView& block, const AccessMap& map, const MapRow& row) {
    Served used, excess, pictures;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        used.add(map.columns[i].space, row.cells[i].used);
        excess.add(map.columns[i].space, row.cells[i].excess());
    }
    Counts counts;
    for (const analysis::Pass& pass : block.passes.passes) counts += pass.counts;
    EXPECT_EQ(used, served_by(counts)) << "Map and Counts";
    const analysis::Excess beyond = analysis::ExcessCounts(block).of(0, block.passes.steps.size());
    EXPECT_EQ(excess, (Served{beyond.wavefronts, beyond.sectors})) << "Map and the excess in Counts";

    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        if (const auto banks = analysis::bank_picture(block, index)) pictures.shared += banks->wavefronts.size();
        if (const auto sectors = analysis::sector_picture(block, index)) pictures.global += sectors->requests.size();
    }
    EXPECT_EQ(pictures, used) << "Banks, Sectors and Map";

    const std::vector<analysis::WarpPicture> warps = analysis::warp_pictures(block);
    ASSERT_EQ(warps.size(), block.passes.passes.size());
    for (std::size_t pass = 0; pass < warps.size(); ++pass) {
        EXPECT_EQ(warps[pass].totals().warp_instructions, block.passes.passes[pass].counts.warp_instructions)
            << "Warps and Counts, pass " << pass;
        EXPECT_EQ(warps[pass].totals().useful_lanes, block.passes.passes[pass].useful_lanes)
            << "efficiency in Warps and Counts, pass " << pass;
        EXPECT_EQ(warps[pass].totals().useful, block.passes.passes[pass].lanes)
            << "useful threads in Warps and Counts, pass " << pass;
    }
}

void expect_panels_agree(trace::View view) {
    std::size_t kernels = 0, blocks = 0;
    for (const Program& program : catalog()) {
        if (!program.recipe.expected.fault.empty()) continue;
        const auto run = run_of({.program = program.name, .view = view});
        ASSERT_NE(run, nullptr) << program.name;
        ++kernels;
        const analysis::Analysis& analysis = *run->analysis;
        std::map<std::uint32_t, Served> map_lines, source_lines;
        for (std::uint32_t launch = 0; launch < run->trace().launches.size(); ++launch) {
            SCOPED_TRACE(program.name + ", launch " + std::to_string(launch));
            const AccessMap map = analysis::access_map(analysis, launch);
            for (const MapColumn& column : map.columns)
                if (column.source_line != 0) map_lines[column.source_line].add(column.space, column.sum.used);
            const auto by_block = analysis::map_view(map, analysis::MapRows::blocks);
            std::size_t seen = 0;
            for (const MapRow& row : by_block.rows) {
                if (!row.recorded || ++seen > 2) continue;
                expect_same(analysis.view(launch, row.block), map, row);
                ++blocks;
            }
        }
        for (const analysis::LineCost& line : analysis.lines)
            if (const Served served = served_by(line.counts); served != Served{})
                source_lines[line.source_line] = served;
        EXPECT_EQ(map_lines, source_lines) << program.name << ": Map and the costs of Source's lines";
    }
    EXPECT_GE(kernels, 40U);
    EXPECT_GE(blocks, kernels);
}

TEST(Panels, StateTheSameNumbersAsWritten) { expect_panels_agree(trace::View::written); }
TEST(Panels, StateTheSameNumbersAsCompiled) { expect_panels_agree(trace::View::compiled); }

}  // namespace
}  // namespace lanescope::session
