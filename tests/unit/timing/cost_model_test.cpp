// Estimates from counts: the coefficients that a fit recovers, and the stated error.
#include "timing/cost_model.h"

#include "timing/recording_library.h"

#include "unit/timing/made_up.h"

#include <gmock/gmock.h>

#include <numeric>

namespace lanescope::timing {
namespace {

/// A machine that takes 4 µs a launch and 0.5 ns an instruction, 2 ns a wavefront and nothing else.
Point on_made_up_machine(std::uint64_t n, std::uint32_t block, std::uint64_t instructions, std::uint64_t wavefronts) {
    Point point = made_up("k" + std::to_string(instructions), n, block, 1);
    point.counts = CostCounts{.instructions = instructions,
                              .wavefronts = wavefronts,
                              .sectors = n / 8,
                              .barriers = n / block,
                              .operations = n};
    const double time = 4 + (0.5 * static_cast<double>(instructions) + 2 * static_cast<double>(wavefronts)) / 1e3;
    point.time = spread_of({time});
    return point;
}

std::vector<Point> made_up_points() {
    std::vector<Point> points;
    for (const std::uint32_t block : {128U, 256U}) {
        for (const std::uint64_t n : {1U << 10U, 1U << 14U, 1U << 18U, 1U << 20U}) {
            for (const std::uint64_t each : {1U, 3U, 7U})
                points.push_back(on_made_up_machine(n, block, n * each, n * (each % 3)));
        }
    }
    return points;
}

TEST(CostModel, FindsAgainWhatEachThingCosts) {
    const std::vector<Point> points = made_up_points();
    const auto model = fit(points, ModeledGpu{});
    ASSERT_TRUE(model);
    EXPECT_EQ(model->points, points.size());
    for (const double each : model->nanoseconds) EXPECT_GE(each, 0);
    const auto error = error_of(*model, points);
    ASSERT_TRUE(error);
    EXPECT_LT(error->median_relative, 0.01);
    EXPECT_GT(error->rank_correlation, 0.99);
}

TEST(CostModel, ChargesForAtomicsAtOneWord) {
    std::vector<Point> points = made_up_points();
    for (const std::uint64_t n : {1U << 14U, 1U << 18U, 1U << 20U}) {
        Point contended = on_made_up_machine(n, 256, n, 0);
        contended.kernel = "contended";
        contended.counts->atomics_at_one_word = n / 32;
        contended.time =
            spread_of({contended.time.median + 2e-3 * static_cast<double>(contended.counts->atomics_at_one_word)});
        points.push_back(contended);
    }
    const auto model = fit(points, ModeledGpu{});
    ASSERT_TRUE(model);
    EXPECT_NEAR(model->nanoseconds.back(), 2, 0.1);
    EXPECT_EQ(kind_of({0, 0, 0, 0, 0, 0, 0, 0, 0, 1}), CostKind::contention);
}

TEST(CostModel, HasAPartForEachCountAndTheyAddUp) {
    const std::vector<Point> points = made_up_points();
    const auto model = fit(points, ModeledGpu{});
    ASSERT_TRUE(model);
    for (const Point& point : points) {
        const CostParts parts = parts_of(*model, point);
        EXPECT_NEAR(std::accumulate(parts.begin(), parts.end(), 0.0), estimate(*model, point), 1e-9);
        // Two parts of the counts cost what both together cost, but for launches and blocks.
        CostCounts half = *point.counts, rest = *point.counts;
        half.instructions /= 2, half.wavefronts /= 2, half.sectors /= 2, half.barriers /= 2;
        rest.instructions -= half.instructions, rest.wavefronts -= half.wavefronts;
        rest.sectors -= half.sectors, rest.barriers -= half.barriers;
        EXPECT_NEAR(estimate_of_part(*model, point, half) + estimate_of_part(*model, point, rest),
                    estimate(*model, point) - parts[0] - parts[1] - parts[5], 1e-9);
    }
}

TEST(CostModel, IsJudgedOnKernelsThatItHasNotSeen) {
    const auto judged = judged_model(made_up_recording(made_up_points()));
    ASSERT_TRUE(judged);
    EXPECT_EQ(judged->error.points, made_up_points().size()) << "each is left out once";
    EXPECT_LT(judged->error.median_relative, 0.05);
    EXPECT_THAT(judged->sentence(),
                testing::AllOf(testing::HasSubstr("the 90th percentile"),
                               testing::HasSubstr("each left out in turn); rank correlation 1.00")));
}

TEST(CostModel, NamesTheKernelThatNoCountExplains) {
    std::vector<Point> points = made_up_points();
    Point& strange = points.front();
    strange.kernel = "waits for another block";
    strange.time = spread_of({1000 * strange.time.median});
    const auto judged = judged_model(made_up_recording(points));
    ASSERT_TRUE(judged);
    EXPECT_EQ(judged->error.farthest, "waits for another block");
    EXPECT_LT(judged->error.farthest_ratio, 0.01);
    EXPECT_LT(judged->error.median_relative, 0.05) << "the others are estimated as before";
    EXPECT_THAT(judged->sentence(), testing::HasSubstr("Largest error: waits for another block, "));
}

TEST(CostModel, HoldsForTheRecordingThatShipsAsREADMESays) {
    const RecordingLibrary& library = shipped_recordings();
    const auto judged = judged_model(library[*library.largest()].recording);
    ASSERT_TRUE(judged);
    EXPECT_LT(judged->error.median_relative, 0.14) << judged->sentence();
    EXPECT_LT(judged->error.p90_relative, 0.80) << judged->sentence();
    EXPECT_GT(judged->error.rank_correlation, 0.88);
    ASSERT_TRUE(judged->error.rank_of_variants);
    EXPECT_GT(*judged->error.rank_of_variants, 0.68);
}

TEST(CostModel, IsWorseForAFolderOfKernelsThatItHasNotSeenAsREADMESays) {
    const RecordingLibrary& library = shipped_recordings();
    const auto judged = judged_model(library[*library.largest()].recording, LeaveOut::folder);
    ASSERT_TRUE(judged);
    EXPECT_GT(judged->error.median_relative, 0.13) << "better than README says: " << judged->sentence();
    EXPECT_LT(judged->error.median_relative, 0.17) << judged->sentence();
}

TEST(CostModel, DistinguishesTheErrorsOfKinds) {
    const RecordingLibrary& library = shipped_recordings();
    const auto judged = judged_model(library[*library.largest()].recording);
    ASSERT_TRUE(judged);
    std::size_t points = 0;
    for (const auto& kind : judged->by_kind) points += kind ? kind->points : 0;
    EXPECT_LE(points, judged->error.points);
    const auto& launches = judged->by_kind.at(static_cast<std::size_t>(CostKind::launches));
    const auto& latency = judged->by_kind.at(static_cast<std::size_t>(CostKind::latency));
    ASSERT_TRUE(launches && latency);
    EXPECT_LT(launches->median_relative, latency->median_relative);
}

/// Nothing but launches and the sectors of the whole device cost anything.
JudgedModel two_kinds() {
    JudgedModel judged{.model = {.machine = {}, .nanoseconds = {4000, 0, 0, 0, 1}, .points = 9}, .kernels = 9};
    judged.model.largest.fill(1000);
    judged.error.median_relative = 0.17;
    judged.by_kind.at(static_cast<std::size_t>(CostKind::launches)) =
        ModelError{.median_relative = 0.11, .p90_relative = 0.4};
    return judged;
}

TEST(CostModel, StatesTheErrorOfItsKindAndNoneWhereTooFewWereMeasured) {
    const JudgedModel judged = two_kinds();
    Point small = made_up("k", 1024, 256, 1);
    small.counts = CostCounts{.instructions = 1, .sectors = 900};
    Point large = small;
    large.counts->sectors = 9000;
    EXPECT_EQ(kind_of(parts_of(judged.model, small)), CostKind::launches);
    EXPECT_EQ(kind_of(parts_of(judged.model, large)), CostKind::memory);
    EXPECT_DOUBLE_EQ(judged.median_error_of(small), 0.11);
    EXPECT_DOUBLE_EQ(judged.median_error_of(large), 0.17) << "that of all";
    EXPECT_EQ(judged.sentence_for({&small, 1}),
              "Where launches take most of the time, the median error is 11 %, the 90th percentile 40 %.");
    EXPECT_EQ(judged.sentence_for({&large, 1}),
              "Where memory traffic takes most of the time, too few kernels were measured to state an error. Warning: "
              "more than twice as much as in any measurement: sectors; the estimate is extrapolated.");
    EXPECT_EQ(judged.sentence_for({}), "");
}

TEST(CostModel, WarnsOnlyOfWhatMakesUpTheEstimate) {
    const JudgedModel judged = two_kinds();
    Point point = made_up("k", 1024, 256, 1);
    point.counts = CostCounts{.instructions = 1'000'000, .sectors = 10};
    EXPECT_THAT(outside_of_fit(judged.model, point), testing::IsEmpty()) << "instructions cost nothing here";
    point.counts->sectors = 2001;
    EXPECT_THAT(outside_of_fit(judged.model, point), testing::ElementsAre("sectors"));
}

TEST(CostModel, IsNotMadeFromTooFewPointsOrWithoutCounts) {
    std::vector<Point> points = made_up_points();
    EXPECT_FALSE(fit(std::span(points).first(5), ModeledGpu{}));
    for (Point& point : points) point.counts.reset();
    EXPECT_FALSE(fit(points, ModeledGpu{}));
    EXPECT_FALSE(judged_model(made_up_recording(points)));
}

TEST(CostModel, HasTheOrderWrongWhereItIs) {
    const std::vector<Point> points = made_up_points();
    CostModel upside_down{.machine = {}, .nanoseconds = {0, 0, 0, 0, 0, 1}, .points = 1};
    std::vector<Point> few;
    for (const Point& point : points) {
        few.push_back(point);
        few.back().time = spread_of({1 / estimate(upside_down, point)});
    }
    EXPECT_LT(error_of(upside_down, few)->rank_correlation, -0.9);
}

}  // namespace
}  // namespace lanescope::timing
