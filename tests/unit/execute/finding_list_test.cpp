#include "execute/emulator/finding_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::execute {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::SizeIs;

trace::Finding race_at(std::uint32_t source_line, std::uint32_t ptx_line = 1) {
    trace::Finding finding;
    finding.kind = trace::Finding::Kind::race;
    finding.line = PtxLine(ptx_line);
    finding.source_line = source_line;
    finding.message = "a race";
    return finding;
}

TEST(FindingList, FaultsOfOneSourceLineAreOneFindingWithACount) {
    trace::Writer writer(trace::Origin{});
    FindingList list(writer, 10);
    EXPECT_EQ(list.report(race_at(7, 20)), 0U);
    EXPECT_EQ(list.report(race_at(7, 21)), 0U) << "another instruction of the line";
    EXPECT_EQ(list.report(race_at(8, 22)), 1U);
    const auto& findings = writer.trace().findings;
    ASSERT_THAT(findings, SizeIs(2));
    EXPECT_EQ(findings[0].count, 2U);
    EXPECT_EQ(findings[1].count, 1U);
}

TEST(FindingList, SaysHowManyFindingsAreNotListed) {
    trace::Writer writer(trace::Origin{});
    FindingList list(writer, 2);
    for (std::uint32_t line = 1; line <= 5; ++line) list.report(race_at(line));
    EXPECT_EQ(list.report(race_at(5)), FindingList::unlisted);
    list.finish(0);
    ASSERT_THAT(writer.trace().findings, SizeIs(3));
    EXPECT_EQ(writer.trace().findings.back().message, "3 more race findings are not listed");
}

TEST(FindingList, ARemarkAtTheLineOfAFindingIsLeftOut) {
    trace::Writer writer(trace::Origin{});
    FindingList list(writer, 10);
    list.remark(race_at(3));
    list.remark(race_at(4));
    list.report(race_at(3));
    list.finish(0);
    EXPECT_THAT(writer.trace().remarks, ElementsAre(Field(&trace::Finding::source_line, 4U)));
}

TEST(FindingList, TakesBackWhatTurnsOutToBeNone) {
    trace::Writer writer(trace::Origin{});
    FindingList list(writer, 1);
    list.report(race_at(3), true);
    list.report(race_at(4), true);
    list.withdraw([](const trace::Finding&, bool from_data) { return from_data; });
    list.finish(0);
    EXPECT_THAT(writer.trace().findings, SizeIs(0)) << "nor is the second counted, which is not listed";
}

}  // namespace
}  // namespace lanescope::execute
