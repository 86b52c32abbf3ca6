// Pages of handouts: steps of lectures that ship, with their words and their pictures.
#include "cli/lecture_picture.h"
#include "golden/golden.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace lanescope::golden {
namespace {

struct Step {
    std::string_view name, lecture, heading;
};

constexpr std::array steps = {
    Step{"lecture-passes", "reduction-and-scan", "What is Reduction?"},
    Step{"lecture-warps", "to-the-limit", "Kernel 1 loses lanes"},
    Step{"lecture-banks", "optimizing-reduction", "Reduction #2: Problem"},
    Step{"lecture-words", "optimizing-reduction", "The Problem with Global Synchronization"},
    Step{"lecture-deadlock", "optimizing-reduction", "Deadlock"},
};

class LecturePageTest : public testing::Test {
  public:
    LecturePageTest(const Step& step, bool rebaseline) : step_(step), rebaseline_(rebaseline) {}

    void TestBody() override {
        const auto lecture = session::open_lecture(std::string(step_.lecture));
        ASSERT_TRUE(lecture);
        const auto found = std::ranges::find(lecture->steps, step_.heading, &session::LectureStep::heading);
        ASSERT_NE(found, lecture->steps.end());
        Progress progress;
        const cli::LecturePage page =
            cli::lecture_page(*lecture, std::size_t(found - lecture->steps.begin()), false, progress);
        EXPECT_FALSE(page.problem) << page.problem->message();
        EXPECT_EQ(check_svg(std::string(step_.name), render::to_svg(page.scene, scene::Theme::light), rebaseline_), "");
    }

  private:
    const Step& step_;
    bool rebaseline_;
};

}  // namespace

void register_lectures(bool rebaseline) {
    for (const Step& step : steps) {
        testing::RegisterTest(
            "Lecture", without_hyphens(step.name).c_str(), nullptr, nullptr, __FILE__, __LINE__,
            [&step, rebaseline]() -> testing::Test* { return new LecturePageTest(step, rebaseline); });
    }
}

}  // namespace lanescope::golden
