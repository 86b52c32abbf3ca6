// Banks, Warps, Memory and Counts of five kernels in both themes: as SVG, and for one kernel as PNG.
#include "golden/golden.h"
#include "golden/panel_scenes.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace lanescope::golden {
namespace {

using scene::Scene;
using scene::Theme;

class PanelTest : public testing::Test {
  public:
    PanelTest(const Kernel& kernel, std::string_view panel, Theme theme, bool rebaseline)
        : kernel_(kernel), panel_(panel), theme_(theme), rebaseline_(rebaseline) {}

    void TestBody() override {
        const Scene scene = panel_scene(kernel_, panel_);
        const std::string name =
            std::string(panel_) + "-" + std::string(kernel_.name) + (theme_ == Theme::dark ? "-dark" : "-light");
        std::string wrong = check_svg(name, render::to_svg(scene, theme_), rebaseline_);
        if (kernel_.png) wrong += check_png(name, render::rasterize(scene, theme_, 1), rebaseline_);
        EXPECT_EQ(wrong, "");
    }

  private:
    const Kernel& kernel_;
    std::string_view panel_;
    Theme theme_;
    bool rebaseline_;
};

}  // namespace

void register_panels(bool rebaseline) {
    for (const std::string_view panel : panels()) {
        for (const Kernel& kernel : kernels()) {
            for (const Theme theme : {Theme::dark, Theme::light}) {
                const std::string name = test_name(kernel.name, theme);
                testing::RegisterTest(without_hyphens(panel).c_str(), name.c_str(), nullptr, nullptr, __FILE__,
                                      __LINE__, [&kernel, panel, theme, rebaseline]() -> testing::Test* {
                                          return new PanelTest(kernel, panel, theme, rebaseline);
                                      });
            }
        }
    }
}

}  // namespace lanescope::golden
