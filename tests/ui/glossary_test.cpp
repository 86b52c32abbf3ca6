// The glossary explains every word that headings ask it for.
#include "ui/glossary.h"

#include "analysis/counts_picture.h"
#include "scene/counts_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lanescope::ui {
namespace {

bool explained(std::string_view term) {
    return std::ranges::any_of(glossary(), [&](const Term& each) { return each.name == term; });
}

TEST(Glossary, ExplainsEveryColumnAndChartOfCounts) {
    trace::Trace trace;
    trace.launches.emplace_back();
    trace.origin.banks = 16;
    analysis::BlockPasses passes;
    passes.passes.emplace_back();
    passes.passes.back().counts.shared_atomic_wavefronts = 1;
    analysis::CountsPicture picture;
    picture.columns = analysis::count_columns(trace, passes);
    EXPECT_EQ(picture.columns.size(), 11U) << "with those of atomics and ways";
    for (const analysis::CountColumn& column : picture.columns) EXPECT_TRUE(explained(column.term)) << column.term;
    for (const scene::Chart& chart : scene::counts_charts(picture)) EXPECT_TRUE(explained(chart.term)) << chart.term;
}

TEST(Glossary, HasTheWordsOfTheField) {
    for (const char* term : {"bank", "wavefront", "warp", "pass", "span", "work", "sector", "useful lane", "efficiency",
                             "bank conflict", "broadcast", "never written", "lane", "block", "grid"}) {
        EXPECT_TRUE(explained(term)) << term;
        EXPECT_THAT(std::string(meaning_of(term)), testing::EndsWith(".")) << term;
    }
}

}  // namespace
}  // namespace lanescope::ui
