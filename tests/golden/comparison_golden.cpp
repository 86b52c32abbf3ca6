// The picture of two runs beside each other in both themes: two kernels, and two bank models with the same passes.
#include "golden/golden.h"
#include "scene/comparison_scene.h"
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

/// By an excerpt of what an H200 measured, so that new recordings leave the pictures alone.
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
}

}  // namespace lanescope::golden
