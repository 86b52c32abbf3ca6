// Pages of handouts: steps of the lectures that ship, with their words and their pictures. And the picture of every
// step of every lecture, as its text and digests of its shapes: a picture for each would be too many to look through.
#include "base/files.h"
#include "base/fnv1a.h"
#include "cli/lecture_picture.h"
#include "golden/golden.h"
#include "session/catalog.h"
#include "session/whole_program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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

/// "circle 3 09f1, rect 12 77ab": the elements of an SVG by kind, with their number and a digest.
std::string drawn_in(std::string_view svg) {
    struct Elements {
        std::size_t count = 0;
        std::uint64_t digest = fnv1a_basis;
    };
    std::map<std::string_view, Elements> kinds;
    const std::size_t text_alternative = svg.find("</desc>");
    svg.remove_prefix(text_alternative == std::string_view::npos ? 0 : text_alternative + 1);
    for (std::size_t at = svg.find('<'); at != std::string_view::npos;) {
        const std::size_t next = svg.find('<', at + 1);
        const std::string_view element = svg.substr(at, next - at);
        if (element.size() > 1 && element[1] != '/') {
            Elements& kind = kinds[element.substr(1, element.find_first_of(" />", 1) - 1)];
            ++kind.count;
            kind.digest = fnv1a(element, kind.digest);
        }
        at = next;
    }
    std::string text;
    for (const auto& [name, kind] : kinds)
        text += fmt::format("{}{} {} {:08x}", text.empty() ? "" : ", ", name, kind.count,
                            static_cast<std::uint32_t>(kind.digest ^ kind.digest >> 32U));
    return text;
}

/// The steps of a file of golden steps, by their heading; the second of two with one heading has "(2)" appended.
using Pictures = std::map<std::string, std::string>;
constexpr std::string_view step_mark = "== ";

Pictures read_pictures(const std::string& text) {
    Pictures pictures;
    std::istringstream lines(text);
    std::string* into = nullptr;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(step_mark)) {
            into = &pictures[line.substr(step_mark.size())];
        } else if (into != nullptr) {
            *into += line + '\n';
        }
    }
    return pictures;
}

/// The first line that differs.
std::string difference(const std::string& expected, const std::string& actual) {
    std::istringstream before(expected), now(actual);
    std::string was, is;
    while (was == is) {
        const bool more = static_cast<bool>(std::getline(before, was));
        if (!more) was.clear();
        if (!std::getline(now, is)) {
            is.clear();
            if (!more) break;
        }
    }
    return fmt::format("    was: {}\n    is:  {}", was, is);
}

/// One lecture that ships. The name begins with Sweep, so that it runs in the optimized build.
class SweepLectureTest : public testing::Test {
  public:
    SweepLectureTest(const session::Lecture& lecture, bool rebaseline) : lecture_(lecture), rebaseline_(rebaseline) {}

    void TestBody() override {
        const std::string file = fmt::format("lectures/{}.txt", lecture_.name);
        const Pictures expected = read_pictures(lanescope::read_file(golden_path(file)).value_or(""));
        Pictures actual;
        std::string text;
        std::vector<std::string> different;
        for (std::size_t number = 0; number < lecture_.steps.size(); ++number) {
            const session::LectureStep& step = lecture_.steps[number];
            if (!step.launch) continue;
            std::string name = step.heading;
            for (unsigned same = 2; actual.contains(name); ++same) name = fmt::format("{} ({})", step.heading, same);
            const session::Program* const program =
                session::find_program((*step.launch)[session::LaunchField::program]);
            ASSERT_NE(program, nullptr) << name;
            const auto known = expected.find(name);
            if (program->recipe.host && session::cannot_run_programs()) {
                // The step needs nvcc: keep its expectation.
                actual[name] = known == expected.end() ? "" : known->second;
            } else {
                Progress progress;
                const cli::LecturePage page = cli::lecture_page(lecture_, number, false, progress);
                EXPECT_FALSE(page.problem) << name << ": " << page.problem->message();
                if (!page.picture) continue;
                const std::string svg = render::to_svg(*page.picture, scene::Theme::light);
                actual[name] = fmt::format("{}\n{}\n", page.picture->description, drawn_in(svg));
                actual[name] = read_pictures(fmt::format("{}x\n{}", step_mark, actual[name])).begin()->second;
                if (!rebaseline_ && (known == expected.end() || known->second != actual[name])) {
                    const auto kept =
                        keep_difference(fmt::format("lectures/{}-{}.svg", lecture_.name, number + 1), svg);
                    different.push_back(fmt::format(
                        "step {}, {}: {}\n    drawn now: {}", number + 1, name,
                        known == expected.end() ? "it is new" : "\n" + difference(known->second, actual[name]),
                        kept.string()));
                }
            }
            text += fmt::format("{}{}\n{}", step_mark, name, actual[name]);
        }
        if (rebaseline_) {
            ASSERT_TRUE(lanescope::write_file(golden_path(file), text));
            return;
        }
        for (const auto& [name, picture] : expected)
            if (!actual.contains(name)) different.push_back(name + ": there is no such step any more");
        EXPECT_TRUE(different.empty()) << fmt::format("{}", fmt::join(different, "\n"))
                                       << "\nthese are written by: golden --rebaseline --gtest_filter=SweepLecture.*";
    }

  private:
    const session::Lecture& lecture_;
    bool rebaseline_;
};

}  // namespace

void register_lectures(bool rebaseline) {
    for (const session::Lecture& lecture : session::shipped_lectures()) {
        testing::RegisterTest(
            "SweepLecture", without_hyphens(lecture.name).c_str(), nullptr, nullptr, __FILE__, __LINE__,
            [&lecture, rebaseline]() -> testing::Test* { return new SweepLectureTest(lecture, rebaseline); });
    }
    for (const Step& step : steps) {
        testing::RegisterTest(
            "Lecture", without_hyphens(step.name).c_str(), nullptr, nullptr, __FILE__, __LINE__,
            [&step, rebaseline]() -> testing::Test* { return new LecturePageTest(step, rebaseline); });
    }
}

}  // namespace lanescope::golden
