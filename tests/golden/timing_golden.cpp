// The Timing panel's charts in both themes, of a recording of five sizes in a file beside this one.
#include "golden/golden.h"
#include "scene/timing_scene.h"
#include "timing/recording_library.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace lanescope::golden {
namespace {

using scene::Theme;
using scene::TimingChart;

/// An excerpt of an H200's measurements, so that new recordings do not change the pictures.
const timing::Recording& recording() {
    static const timing::Recording read = [] {
        const std::string path = golden_path("timing.json").string();
        std::ifstream in(path);
        auto found = timing::from_json({std::istreambuf_iterator<char>(in), {}}, path);
        if (!found) throw std::runtime_error(found.error().message());
        return *found;
    }();
    return read;
}

const timing::Recording& lecture() {
    static const timing::RecordingLibrary library = timing::shipped_recordings();
    return std::ranges::find_if(library.all(), &timing::LibraryEntry::quoted)->recording;
}

const std::vector<timing::Variant>& variants() {
    static const std::vector<timing::Variant> all = {
        {"reduce/interleaved-modulo", "Reduction 1: interleaved, modulo"},
        {"reduce/strided-index", "Reduction 2: interleaved, strided index"},
        {"reduce/sequential", "Reduction 3: sequential"},
        {"reduce/first-add-during-load", "Reduction 4: first add during load"},
        {"reduce/unrolled-last-warp", "Reduction 5: unrolled last warp"},
        {"reduce/completely-unrolled", "Reduction 6: completely unrolled"},
        {"reduce/grid-stride", "Reduction 7: multiple adds per thread (grid-stride)"},
        {"scan/in-place", "Scan 2: in place, two barriers"}};
    return all;
}

class TimingTest : public testing::Test {
  public:
    TimingTest(TimingChart chart, Theme theme, bool rebaseline)
        : chart_(chart), theme_(theme), rebaseline_(rebaseline) {}

    void TestBody() override {
        const scene::Scene scene =
            scene::timing_scene({.recording = recording(),
                                 .lecture = &lecture(),
                                 .variants = variants(),
                                 .resident = timing::shipped_recordings().with_resident_reads(recording())},
                                {.chart = chart_, .current = "reduce/sequential"}, {.width = 820, .height = 420});
        const std::string name =
            "timing-" + std::string(scene::name_of(chart_)) + (theme_ == Theme::dark ? "-dark" : "-light");
        EXPECT_EQ(check_svg(name, render::to_svg(scene, theme_), rebaseline_), "");
    }

  private:
    TimingChart chart_;
    Theme theme_;
    bool rebaseline_;
};

}  // namespace

void register_timings(bool rebaseline) {
    for (const TimingChart chart : {TimingChart::bandwidth, TimingChart::limit, TimingChart::steps,
                                    TimingChart::residency, TimingChart::roofline, TimingChart::claims}) {
        for (const Theme theme : {Theme::dark, Theme::light}) {
            const std::string name = test_name(scene::name_of(chart), theme);
            testing::RegisterTest(
                "timing", name.c_str(), nullptr, nullptr, __FILE__, __LINE__,
                [chart, theme, rebaseline]() -> testing::Test* { return new TimingTest(chart, theme, rebaseline); });
        }
    }
}

}  // namespace lanescope::golden
