// The picture of two runs side by side in both themes: two kernels, and two bank models with the same passes.
#include "golden/golden.h"
#include "scene/comparison_scene.h"
#include "scene/multiples_scene.h"
#include "scene/passes_scene.h"
#include "session/compared_runs.h"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::golden {
namespace {

using scene::Theme;

struct ComparedPrograms {
    std::string_view name;
    session::Request one, other;
    std::optional<std::size_t> current = {};
};

const std::vector<ComparedPrograms>& comparisons() {
    static const std::vector<ComparedPrograms> all = {
        {"comparison-kernels",
         {.program = "reduce/interleaved-modulo", .n = 64, .block = 64},
         {.program = "reduce/sequential", .n = 64, .block = 64},
         2},
        {"comparison-banks",
         {.program = "reduce/strided-index", .n = 128, .block = 128, .banks = 16},
         {.program = "reduce/strided-index", .n = 128, .block = 128}},
        {"comparison-compiled",
         {.program = "reduce/interleaved-modulo", .n = 1024, .block = 256, .view = trace::View::compiled},
         {.program = "reduce/completely-unrolled", .n = 1024, .block = 256, .view = trace::View::compiled}},
    };
    return all;
}

std::shared_ptr<const session::Run> run_of(const session::Request& request) {
    Progress progress;
    auto run = session::run(request, progress);
    if (!run) throw std::runtime_error(run.error().problem.message());
    return *run;
}

/// From an excerpt of an H200's measurements, so that new recordings do not change the pictures.
timing::ComparedTimes times_of(const session::Run& one, const session::Run& other,
                               const analysis::Comparison& comparison) {
    timing::RecordingLibrary library;
    if (const auto added = library.add_file(golden_path("timing.json")); !added)
        throw std::runtime_error(added.error().message());
    Progress progress;
    return session::times_of(one, other, comparison, library.all(), progress);
}

class ComparisonTest : public testing::Test {
  public:
    ComparisonTest(const ComparedPrograms& programs, Theme theme, bool rebaseline)
        : programs_(programs), theme_(theme), rebaseline_(rebaseline) {}

    void TestBody() override {
        const auto one = run_of(programs_.one), other = run_of(programs_.other);
        const auto names = session::names_of(*one, *other);
        const analysis::Comparison comparison = session::comparison_of(*one, *other);
        const timing::ComparedTimes times = times_of(*one, *other, comparison);
        const scene::Scene scene = scene::comparison_scene({.comparison = comparison,
                                                            .one = names.first,
                                                            .other = names.second,
                                                            .times = &times,
                                                            .caveat = session::caveat_of(*one, *other),
                                                            .waiting = {}},
                                                           {.width = 900, .current = programs_.current, .hovered = {}});
        const std::string name = std::string(programs_.name) + (theme_ == Theme::dark ? "-dark" : "-light");
        EXPECT_EQ(check_svg(name, render::to_svg(scene, theme_), rebaseline_), "");
    }

  private:
    const ComparedPrograms& programs_;
    Theme theme_;
    bool rebaseline_;
};

struct SeveralPrograms {
    std::string_view name;
    std::vector<session::Request> programs;
    float width = 900;
};

const std::vector<SeveralPrograms>& several() {
    static const std::vector<SeveralPrograms> all = {
        {"multiples-kernels",
         {{.program = "reduce/interleaved-modulo", .n = 16, .block = 16},
          {.program = "reduce/strided-index", .n = 16, .block = 16},
          {.program = "reduce/sequential", .n = 16, .block = 16}}},
        // The fourth kernel does another task, and is faulty.
        {"multiples-four",
         {{.program = "scan/double-buffered", .n = 8, .block = 8},
          {.program = "scan/up-sweep-down-sweep", .n = 16, .block = 8},
          {.program = "reduce/sequential", .n = 128, .block = 128},
          {.program = "faulty/missing-barrier", .n = 64, .block = 64}},
         700},
    };
    return all;
}

class MultiplesTest : public testing::Test {
  public:
    MultiplesTest(const SeveralPrograms& programs, Theme theme, bool rebaseline)
        : programs_(programs), theme_(theme), rebaseline_(rebaseline) {}

    void TestBody() override {
        std::vector<std::shared_ptr<const session::Run>> runs;
        runs.reserve(programs_.programs.size());
        for (const session::Request& request : programs_.programs) runs.push_back(run_of(request));
        const std::vector<std::string> names = session::names_of(runs);
        std::vector<scene::Scene> pictures;
        std::vector<analysis::Comparison> comparisons;
        std::vector<timing::ComparedTimes> times;
        for (const auto& run : runs) {
            const analysis::BlockPasses& passes = run->analysis->block_passes(0, BlockId(0));
            pictures.push_back(scene::passes_scene(passes, run->analysis->picture(0, BlockId(0)),
                                                   *run->analysis->provenance,
                                                   {.width = scene::multiple_width(programs_.width, runs.size()),
                                                    .position = passes.steps.size(),
                                                    .legend = false}));
            comparisons.push_back(session::comparison_of(*runs.front(), *run));
            times.push_back(times_of(*runs.front(), *run, comparisons.back()));
        }
        std::vector<scene::Multiple> multiples(runs.size());
        for (std::size_t at = 0; at < runs.size(); ++at) {
            multiples[at].name = names[at];
            multiples[at].place = at == 1 ? "after the last pass" : "";
            multiples[at].picture = &pictures[at];
            if (at == 0) continue;
            multiples[at].comparison = &comparisons[at];
            multiples[at].times = &times[at];
            multiples[at].caveat = session::caveat_of(*runs.front(), *runs[at], static_cast<char>('A' + at));
        }
        const scene::Scene scene = scene::multiples_scene(multiples, {.width = programs_.width, .hovered = 1});
        const std::string name = std::string(programs_.name) + (theme_ == Theme::dark ? "-dark" : "-light");
        EXPECT_EQ(check_svg(name, render::to_svg(scene, theme_), rebaseline_), "");
    }

  private:
    const SeveralPrograms& programs_;
    Theme theme_;
    bool rebaseline_;
};

}  // namespace

void register_comparisons(bool rebaseline) {
    for (const ComparedPrograms& programs : comparisons()) {
        for (const Theme theme : {Theme::dark, Theme::light}) {
            const std::string name = test_name(programs.name, theme);
            testing::RegisterTest("Comparison", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                                  [&programs, theme, rebaseline]() -> testing::Test* {
                                      return new ComparisonTest(programs, theme, rebaseline);
                                  });
        }
    }
    for (const SeveralPrograms& programs : several()) {
        for (const Theme theme : {Theme::dark, Theme::light}) {
            const std::string name = test_name(programs.name, theme);
            testing::RegisterTest("Comparison", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                                  [&programs, theme, rebaseline]() -> testing::Test* {
                                      return new MultiplesTest(programs, theme, rebaseline);
                                  });
        }
    }
}

}  // namespace lanescope::golden
