// The available recordings: which are merged, which replace others, and which ship.
#include "timing/recording_library.h"

#include "unit/timing/made_up.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

namespace lanescope::timing {
namespace {

using testing::HasSubstr;

TEST(RecordingLibrary, JoinsWhatOneMachineMeasuredOnOneDayAndKeepsTheNewerOfTwoPoints) {
    RecordingLibrary library;
    library.add(made_up_recording({made_up("a", 1024, 128, 5), made_up("b", 1024, 128, 6)}), "one.json");
    library.add(made_up_recording({made_up("a", 1024, 128, 4), made_up("a", 2048, 128, 8)}), "two.json");
    ASSERT_EQ(library.all().size(), 1U);
    ASSERT_EQ(library[0].recording.points.size(), 3U);
    EXPECT_EQ(library[0].recording.points[0].time.median, 4);
    EXPECT_THAT(library[0].files, testing::ElementsAre("one.json", "two.json"));
    Recording other = made_up_recording({made_up("a", 1024, 128, 5)});
    other.driver = "2";
    EXPECT_EQ(library.add(other, "three.json"), 1U);
    EXPECT_EQ(library.largest(), 0U);
}

TEST(RecordingLibrary, JoinsWhatWasGoneOnWithOnAnotherDay) {
    Recording first = made_up_recording({made_up("a", 1024, 128, 5)}),
              more = made_up_recording({made_up("b", 1024, 128, 6)});
    first.date = "2026-11-21";
    more.date = "2026-11-21 and 2026-11-22";
    RecordingLibrary library;
    library.add(first, "one.json");
    library.add(more, "two.json");
    ASSERT_EQ(library.all().size(), 1U);
    EXPECT_EQ(library[0].recording.date, more.date);
    first.date = "2026-11-20";
    EXPECT_EQ(library.add(first, "three.json"), 1U);
}

TEST(RecordingLibrary, ReportsWhatIsWrongWithAFileAndReadsTheOthersOfItsFolder) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "library";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "a.json") << "{}";
    std::ofstream(folder / "b.json") << to_json(made_up_recording({made_up("a", 1024, 128, 5)}));
    std::ofstream(folder / "c.txt") << "no recording, and none is expected";
    RecordingLibrary library;
    const std::vector<Problem> problems = library.add_folder(folder);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_THAT(problems[0].message(), HasSubstr("a.json"));
    EXPECT_EQ(library.all().size(), 1U);
    EXPECT_TRUE(library.add_folder(folder / "nowhere").empty());
    EXPECT_FALSE(library.add_file(folder / "nowhere.json"));
}

TEST(RecordingLibrary, ShipsWithTheLecturesTableAndWithRecordingsOfHardware) {
    const RecordingLibrary& library = shipped_recordings();
    ASSERT_TRUE(library.largest());
    EXPECT_EQ(library.all().size(), 7U) << "the lecture, two of an H100 and four of an H200";
    EXPECT_EQ(library[*library.largest()].files.size(), 3U) << "over block sizes, every kernel, beside CUB";
    EXPECT_THAT(label(library[*library.largest()].recording), HasSubstr("NVIDIA"));
    const Recording* const resident = library.with_resident_reads(library[*library.largest()].recording);
    ASSERT_NE(resident, nullptr);
    EXPECT_EQ(library.with_resident_reads(*resident), resident) << "a recording's own are preferred";
    const auto lecture = std::ranges::find_if(library.all(), &LibraryEntry::quoted);
    ASSERT_NE(lecture, library.all().end());
    EXPECT_THAT(label(lecture->recording), HasSubstr("as printed in the lecture"));
}

}  // namespace
}  // namespace lanescope::timing
