// All panels state the same number for the same quantity: Counts, Banks, Sectors, Warps, Passes, Source's lines and
// their costs, and Map, for every kernel of the catalog and for other kernels.
#include "analysis/panels/access_map.h"
#include "analysis/panels/bank_picture.h"
#include "analysis/panels/excess_counts.h"
#include "analysis/panels/sector_picture.h"
#include "analysis/panels/warp_picture.h"
#include "analysis/panels/warp_progress.h"
#include "analysis/passes_picture/picture.h"
#include "analysis/source/source_map.h"
#include "unit/session/run_support.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
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

/// Wavefronts of shared memory, sectors of global memory.
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

/// The lanes of Warps, of its rows by instruction, of the lines of Source and of the rows of Passes.
void expect_same_lanes(const BlockView& block, const analysis::Picture& picture, const analysis::SourceMap& map) {
    const std::vector<analysis::WarpPicture> warps = analysis::warp_pictures(block);
    for (const analysis::Pass& pass : block.passes.passes) {
        SCOPED_TRACE("pass " + std::to_string(pass.id.value));
        unsigned served = 0, executed = 0;  // of the block
        std::set<std::uint32_t> lines;
        for (const analysis::WarpRow& row : warps[pass.id.index()].rows) {
            LaneMask of_some_use, ran;
            for (const auto& instruction : analysis::instruction_rows(block, pass.id, row.warp, false)) {
                ran |= instruction.executed;
                of_some_use |= instruction.useful;
                lines.insert(map.cuda_line(instruction.line));
            }
            EXPECT_EQ(row.useful | row.decided | row.ran, ran) << "Warps and its instructions, warp " << row.warp.value;
            EXPECT_EQ((row.useful | row.decided) & ~of_some_use, LaneMask{})
                << "lanes of use without an instruction of use, warp " << row.warp.value;
            served += (row.useful | row.decided).count();
            executed += ran.count();
        }
        unsigned most_executed = 0;
        for (const std::uint32_t line : lines) {
            if (line == 0) continue;
            const analysis::LineActivity activity = analysis::line_activity(block, pass.id, line);
            EXPECT_LE(activity.useful, activity.executed) << "line " << line;
            most_executed = std::max(most_executed, activity.executed);
        }
        EXPECT_LE(most_executed, executed) << "Source and Warps";
        EXPECT_LE(pass.lanes, served) << "Counts and Warps";
    }
    for (const analysis::PictureRow& row : picture.rows) {
        if (row.initial) continue;
        const analysis::WarpTotals totals = warps[row.pass.index()].totals();
        EXPECT_EQ(row.useful, totals.useful) << "Passes and Warps, pass " << row.pass.value;
        EXPECT_EQ(row.threads, totals.threads) << "pass " << row.pass.value;
    }
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
                expect_same_lanes(analysis.view(launch, row.block), analysis.picture(launch, row.block),
                                  analysis::SourceMap(analysis.trace, *analysis.module));
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

/// In each pass of a bitonic sort half of the lanes compare, and those swap whose pair is in the wrong order.
constexpr const char* comparators = R"(__global__ void sort(int* data) {
    __shared__ int s[32];
    int i = threadIdx.x;
    s[i] = data[i];
    __syncthreads();
    for (int k = 2; k <= 32; k *= 2)
        for (int j = k / 2; j > 0; j /= 2) {
            int p = i ^ j;
            if (p > i) {
                bool up = (i & k) == 0;
                if ((s[i] > s[p]) == up) { int t = s[i]; s[i] = s[p]; s[p] = t; }
            }
            __syncthreads();
        }
    data[i] = s[i];
}
)";

TEST(Panels, CountLanesThatCompareWithoutSwapping) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("sort.cu", comparators), .n = 32, .block = 32});
    ASSERT_NE(run, nullptr);
    const BlockView block = run->analysis->view(0, BlockId(0));
    const analysis::Picture& picture = run->analysis->picture(0, BlockId(0));
    expect_same_lanes(block, picture, analysis::SourceMap(run->analysis->trace, *run->analysis->module));
    bool some_wait = false;
    for (const analysis::PictureRow& row : picture.rows) {
        const analysis::Pass& pass = block.passes.passes[row.pass.index()];
        if (pass.role != analysis::Pass::Role::step) continue;
        EXPECT_EQ(row.useful, 16U) << pass.label;
        EXPECT_EQ(analysis::line_activity(block, pass.id, 11).executed, 16U) << pass.label;
        some_wait = some_wait || row.lanes < row.useful;
    }
    EXPECT_TRUE(some_wait) << "some pairs are in order already";
}

TEST(Panels, StateTheSameNumbersAsWritten) { expect_panels_agree(trace::View::written); }
TEST(Panels, StateTheSameNumbersAsCompiled) { expect_panels_agree(trace::View::compiled); }

}  // namespace
}  // namespace lanescope::session
