// The glossary has every term that headings look up.
#include "ui/glossary.h"
#include "analysis/comparison/comparison.h"

#include "analysis/panels/counts_picture.h"
#include "scene/counts_scene.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace lanescope::ui {
namespace {

bool explained(std::string_view term) {
    return std::ranges::any_of(glossary(), [&](const Term& each) { return each.name == term; });
}

TEST(Glossary, ExplainsEveryColumnAndChartOfCounts) {
    analysis::BlockPasses passes;
    passes.passes.emplace_back();
    passes.passes.back().counts.shared_atomic_wavefronts = 1;
    analysis::CountsPicture picture;
    picture.columns = analysis::count_columns(passes, 16);
    EXPECT_EQ(picture.columns.size(), 12U) << "with those of atomics and ways";
    analysis::Pass unknown;
    unknown.unknown_lanes = 1;
    for (const analysis::Pass* const total : {&unknown, &passes.passes.back()})
        for (const analysis::CountColumn& column : analysis::compared_columns(std::array{total}))
            EXPECT_TRUE(explained(column.term)) << column.term;
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

TEST(Glossary, IsTrueForBothNumbersOfBanks) {
    for (const char* term : {"bank", "shared memory"}) {
        EXPECT_THAT(std::string(meaning_of(term)), testing::HasSubstr("32 banks (16 on compute capability 1.x)"))
            << term;
    }
}

std::string found_in(std::string_view text, std::string_view at) {
    const auto term = term_in(text, text.find(at));
    return term ? std::string(term->term->name) + "/" +
                      std::string(text.substr(term->begin, term->past_last - term->begin))
                : std::string();
}

TEST(Glossary, FindsItsTermsInASentence) {
    constexpr std::string_view text = "Pass 3. Wavefronts of shared memory: 2 of 16 lanes work; barriers wait.";
    EXPECT_EQ(found_in(text, "Pass"), "pass/Pass");
    EXPECT_EQ(found_in(text, "fronts"), "wavefront/Wavefronts");
    EXPECT_EQ(found_in(text, "memory"), "shared memory/shared memory") << "the longest";
    EXPECT_EQ(found_in(text, "lanes"), "lane/lanes");
    EXPECT_EQ(found_in(text, "barriers"), "barrier/barriers");
    EXPECT_EQ(found_in(text, "work;"), "") << "a verb here";
    EXPECT_EQ(found_in(text, "16"), "");
    EXPECT_EQ(found_in("lanescope", "lane"), "") << "part of another word";
    EXPECT_FALSE(term_in("", 0));
}

}  // namespace
}  // namespace lanescope::ui
