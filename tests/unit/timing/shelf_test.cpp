// Recordings at hand: what stands together, what replaces what, and what ships.
#include "timing/shelf.h"

#include "unit/timing/made_up.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <fstream>

namespace lanescope::timing {
namespace {

using testing::HasSubstr;

TEST(Shelf, joins_what_one_machine_measured_on_one_day_and_keeps_the_newer_of_two_points) {
    Shelf shelf;
    shelf.add(made_up_recording({made_up("a", 1024, 128, 5), made_up("b", 1024, 128, 6)}), "one.json");
    shelf.add(made_up_recording({made_up("a", 1024, 128, 4), made_up("a", 2048, 128, 8)}), "two.json");
    ASSERT_EQ(shelf.all().size(), 1U);
    ASSERT_EQ(shelf[0].recording.points.size(), 3U);
    EXPECT_EQ(shelf[0].recording.points[0].time.median, 4);
    EXPECT_THAT(shelf[0].files, testing::ElementsAre("one.json", "two.json"));
    Recording other = made_up_recording({made_up("a", 1024, 128, 5)});
    other.driver = "2";
    EXPECT_EQ(shelf.add(other, "three.json"), 1U);
    EXPECT_EQ(shelf.largest(), 0U);
}

TEST(Shelf, joins_what_was_gone_on_with_on_another_day) {
    Recording first = made_up_recording({made_up("a", 1024, 128, 5)}),
              more = made_up_recording({made_up("b", 1024, 128, 6)});
    first.date = "2026-11-21";
    more.date = "2026-11-21 and 2026-11-22";
    Shelf shelf;
    shelf.add(first, "one.json");
    shelf.add(more, "two.json");
    ASSERT_EQ(shelf.all().size(), 1U);
    EXPECT_EQ(shelf[0].recording.date, more.date);
    first.date = "2026-11-20";
    EXPECT_EQ(shelf.add(first, "three.json"), 1U);
}

TEST(Shelf, tells_what_is_wrong_with_a_file_and_reads_the_others_of_its_folder) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "shelf";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "a.json") << "{}";
    std::ofstream(folder / "b.json") << to_json(made_up_recording({made_up("a", 1024, 128, 5)}));
    std::ofstream(folder / "c.txt") << "no recording, and none is expected";
    Shelf shelf;
    const std::vector<Problem> problems = shelf.add_folder(folder);
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_THAT(problems[0].message(), HasSubstr("a.json"));
    EXPECT_EQ(shelf.all().size(), 1U);
    EXPECT_TRUE(shelf.add_folder(folder / "nowhere").empty());
    EXPECT_FALSE(shelf.add_file(folder / "nowhere.json"));
}

TEST(Shelf, ships_with_the_lectures_table_and_with_recordings_of_hardware) {
    const Shelf shelf = shipped_recordings();
    ASSERT_TRUE(shelf.largest());
    EXPECT_EQ(shelf.all().size(), 2U);
    EXPECT_EQ(shelf[*shelf.largest()].files.size(), 3U) << "over n, over blocks, over elements a thread";
    EXPECT_THAT(label(shelf[*shelf.largest()].recording), HasSubstr("NVIDIA"));
    const auto lecture = std::ranges::find_if(shelf.all(), &Shelved::quoted);
    ASSERT_NE(lecture, shelf.all().end());
    EXPECT_THAT(label(lecture->recording), HasSubstr("as printed in the lecture"));
}

}  // namespace
}  // namespace lanescope::timing
