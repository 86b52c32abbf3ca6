// The comparison of the passes of two runs: which ones correspond, which have no counterpart, and what changed.
#include "analysis/comparison/comparison.h"

#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace lanescope::analysis {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

MeasuredPass pass_of(Pass::Role role, const std::string& label, std::uint32_t launch = 0) {
    MeasuredPass made{.launch = launch, .pass = {}};
    made.pass.role = role;
    made.pass.label = label;
    if (const std::size_t at = label.find(" = "); at != std::string::npos)
        made.pass.variables = {{label.substr(0, at), label.substr(at + 3)}};
    return made;
}

/// "load, s = 2, s = 1, store"
std::vector<MeasuredPass> passes_named(std::initializer_list<const char*> labels, std::uint32_t launch = 0) {
    std::vector<MeasuredPass> passes;
    for (const std::string label : labels) {
        const Pass::Role role = label == "load"    ? Pass::Role::load
                                : label == "store" ? Pass::Role::store
                                                   : Pass::Role::step;
        passes.push_back(pass_of(role, label, launch));
    }
    return passes;
}

PassPair pair_of(std::optional<std::size_t> one, std::optional<std::size_t> other) { return {one, other}; }

TEST(PassAlignment, PairsTheSameValuesOfTheLoopsVariable) {
    const auto found = aligned(passes_named({"load", "s = 2", "s = 1", "store"}),
                               passes_named({"load", "s = 4", "s = 2", "s = 1", "store"}));
    EXPECT_EQ(found.alignment, Alignment::by_variable);
    EXPECT_THAT(found.pairs,
                ElementsAre(pair_of(0, 0), pair_of(std::nullopt, 1), pair_of(1, 2), pair_of(2, 3), pair_of(3, 4)));
}

TEST(PassAlignment, IsInOrderWhereTheVariableRunsTheOtherWay) {
    const auto found = aligned(passes_named({"load", "s = 1", "s = 2", "s = 4", "store"}),
                               passes_named({"load", "s = 4", "s = 2", "s = 1", "store"}));
    EXPECT_EQ(found.alignment, Alignment::in_order);
    EXPECT_THAT(found.pairs, ElementsAre(pair_of(0, 0), pair_of(1, 1), pair_of(2, 2), pair_of(3, 3), pair_of(4, 4)));
}

TEST(PassAlignment, LeavesLaterPassesWithoutCounterpartAndPairsTheStores) {
    const auto found = aligned(passes_named({"load", "pass 1", "pass 2", "pass 3", "store"}),
                               passes_named({"load", "pass 1", "store"}));
    EXPECT_EQ(found.alignment, Alignment::in_order) << "a generic name says no more than the order";
    EXPECT_THAT(found.pairs, ElementsAre(pair_of(0, 0), pair_of(1, 1), pair_of(2, std::nullopt),
                                         pair_of(3, std::nullopt), pair_of(4, 2)));
}

TEST(PassAlignment, OfLaunchesPairsEachWithItsOwnNumber) {
    std::vector<MeasuredPass> two = passes_named({"load", "s = 1"});
    for (MeasuredPass& each : passes_named({"load", "s = 1"}, 1)) two.push_back(each);
    const auto found = aligned(two, passes_named({"load", "s = 1"}));
    EXPECT_THAT(found.pairs,
                ElementsAre(pair_of(0, 0), pair_of(1, 1), pair_of(2, std::nullopt), pair_of(3, std::nullopt)));
}

TEST(PassAlignment, HoldsEveryPassOnceAndKeepsTheOrder) {
    const std::vector<std::vector<MeasuredPass>> all = {
        {},
        passes_named({"pass 0"}),
        passes_named({"load"}),
        passes_named({"s = 1", "s = 2", "s = 4", "s = 8"}),
        passes_named({"load", "s = 8", "s = 4", "u = 1", "s = 2", "store"}),
        passes_named({"s = 4", "s = 2", "store"}),
    };
    for (const auto& one : all) {
        for (const auto& other : all) {
            std::size_t next_of_one = 0, next_of_other = 0;
            for (const PassPair& pair : aligned(one, other).pairs) {
                EXPECT_TRUE(pair.one || pair.other);
                EXPECT_EQ(pair.one.value_or(next_of_one), next_of_one);
                EXPECT_EQ(pair.other.value_or(next_of_other), next_of_other);
                next_of_one += pair.one ? 1 : 0;
                next_of_other += pair.other ? 1 : 0;
            }
            EXPECT_EQ(next_of_one, one.size());
            EXPECT_EQ(next_of_other, other.size());
        }
    }
}

const CountColumn& column_named(const Comparison& comparison, std::string_view heading) {
    return *std::ranges::find(comparison.columns, heading, &CountColumn::heading);
}

TEST(Comparison, HasOneShareOfLanesTheUsefulOnesWhereTheyAreKnown) {
    const auto headings = [](const Pass& one, const Pass& other) {
        std::vector<std::string> all;
        for (const CountColumn& column : compared_columns(std::array{&one, &other})) all.emplace_back(column.heading);
        return all;
    };
    const Pass known;
    Pass unknown;
    unknown.unknown_lanes = 1;
    EXPECT_THAT(headings(known, known), ElementsAre("instructions", "efficiency", "wavefronts", "sectors"));
    EXPECT_THAT(headings(known, unknown), ElementsAre("instructions", "active lanes", "wavefronts", "sectors"));
}

TEST(Comparison, OfTwoReductionsHasTheCountsOfBoth) {
    const auto modulo = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 256, iota(256)));
    const auto sequential = analysis_of(kernel_run("reduce/sequential", trace::View::written, 256, iota(256)));
    const Comparison both = compared(measured_passes(modulo->passes), measured_passes(sequential->passes));
    ASSERT_THAT(both.passes, SizeIs(10)) << "the load, eight levels, the store";
    EXPECT_EQ(both.one_total.counts, modulo->totals);
    EXPECT_EQ(both.other_total.counts, sequential->totals);
    const CountColumn& instructions = column_named(both, "instructions");
    EXPECT_EQ(instructions.value(both.one_total, 0), static_cast<double>(modulo->totals.warp_instructions));
    EXPECT_EQ(change_of(instructions, 1939, 1207), Change::better);
    EXPECT_EQ(change_of(column_named(both, "efficiency"), 68, 94), Change::better);
    EXPECT_EQ(change_of(column_named(both, "efficiency"), 94, 68), Change::worse);
    EXPECT_THAT(change_sentence(both), HasSubstr("times fewer shared wavefronts"));
    EXPECT_THAT(change_sentence(both), HasSubstr("unchanged: sectors of global memory (33)"));
    EXPECT_THAT(change_sentence(both, false), testing::Not(HasSubstr("unchanged")));
    EXPECT_EQ(change_sentence(both, false, 1), "3.33 times fewer shared wavefronts (150 to 45); 2 more counts differ.");
    // One block has the same comparison as the grid of one block.
    const Comparison of_blocks = compared(measured_passes(modulo->block_passes(0, BlockId(0))),
                                          measured_passes(sequential->block_passes(0, BlockId(0))));
    EXPECT_EQ(change_sentence(of_blocks), change_sentence(both));
}

TEST(Comparison, OfARunWithItselfHasNoChange) {
    const auto run = analysis_of(kernel_run("scan/double_buffered", trace::View::written, 16, iota(16)));
    const Comparison both = compared(measured_passes(run->passes), measured_passes(run->passes));
    EXPECT_EQ(change_sentence(both), "No count differs.");
    for (const ComparedPass& pass : both.passes) {
        ASSERT_TRUE(pass.one && pass.other);
        for (const CountColumn& column : both.columns)
            EXPECT_EQ(delta_text(column, value_of(column, pass.one), value_of(column, pass.other)), "0");
    }
}

TEST(Comparison, SaysThatAPassHasNoCounterpart) {
    const Comparison both = compared(passes_named({"load", "s = 1"}), passes_named({"load", "s = 2", "s = 1"}));
    ASSERT_FALSE(both.passes[1].one.has_value());
    const CountColumn& instructions = column_named(both, "instructions");
    EXPECT_TRUE(std::isnan(value_of(instructions, both.passes[1].one)));
    EXPECT_EQ(delta_text(instructions, value_of(instructions, both.passes[1].one), 0), "");
    EXPECT_EQ(alignment_sentence(both),
              "Passes are aligned by the loop's variable; 1 pass has no counterpart. Changes of shares are in "
              "percentage points.");
}

TEST(Comparison, LeavesOutWhatIsUnknownInBoth) {
    std::vector<MeasuredPass> passes = passes_named({"load"});
    passes.front().pass.counts.warp_instructions = 1;
    passes.front().pass.unknown_lanes = 1;
    const Comparison both = compared(passes, passes);
    EXPECT_EQ(std::ranges::count(both.columns, "efficiency", &CountColumn::heading), 0);
}

}  // namespace
}  // namespace lanescope::analysis
