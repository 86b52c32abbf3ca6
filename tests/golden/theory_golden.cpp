// Theory: a reduction whose cost with N processors is ten times its work, a scan that is not work-efficient in a narrow
// panel, and a grid with four recorded blocks.
#include "golden/golden.h"
#include "scene/theory_scene.h"
#include "session/run.h"
#include "session/theory.h"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

namespace lanescope::golden {
namespace {

using scene::Theme;

struct Theory {
    std::string_view name, program;
    std::uint64_t n = 16;
    std::uint32_t block = 16;
    std::uint64_t record = 1024;  ///< blocks
    float width = 900;
};

constexpr std::array theories = {
    Theory{.name = "theory-sequential", .program = "reduce/sequential", .n = 1024, .block = 1024},
    Theory{.name = "theory-double_buffered", .program = "scan/double-buffered", .width = 420},
    Theory{.name = "theory-part", .program = "reduce/sequential", .n = 4096, .block = 64, .record = 4},
};

class TheoryTest : public testing::Test {
  public:
    TheoryTest(const Theory& theory, Theme theme, bool rebaseline)
        : theory_(theory), theme_(theme), rebaseline_(rebaseline) {}

    void TestBody() override {
        Progress progress;
        const auto run = session::run({.program = std::string(theory_.program),
                                       .n = theory_.n,
                                       .block = theory_.block,
                                       .record_blocks = theory_.record},
                                      progress);
        if (!run) throw std::runtime_error(run.error().problem.message());
        const scene::Scene scene = scene::theory_scene(session::theory_with_sizes(**run, 0, progress),
                                                       {.width = theory_.width, .measuring = {}});
        const std::string name = std::string(theory_.name) + (theme_ == Theme::dark ? "-dark" : "-light");
        EXPECT_EQ(check_svg(name, render::to_svg(scene, theme_), rebaseline_), "");
    }

  private:
    const Theory& theory_;
    Theme theme_;
    bool rebaseline_;
};

}  // namespace

void register_theories(bool rebaseline) {
    for (const Theory& theory : theories) {
        for (const Theme theme : {Theme::dark, Theme::light}) {
            const std::string name = test_name(theory.name, theme);
            testing::RegisterTest(
                "Theory", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                [&theory, theme, rebaseline]() -> testing::Test* { return new TheoryTest(theory, theme, rebaseline); });
        }
    }
}

}  // namespace lanescope::golden
