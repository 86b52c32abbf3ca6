// Scenes as a PDF: a page each, its text selectable.
#include "render/image/pdf.h"
#include "scratch_folder.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace lanescope::render {
namespace {

using testing::HasSubstr;

scene::Scene page(const std::string& text) {
    scene::Scene scene{.title = text, .width = 760, .height = 1075};
    scene.shapes.emplace_back(scene::Text{.x = 40, .y = 60, .text = text});
    return scene;
}

class Pdf : public testing::Test {
  protected:
    ScratchFolder folder_;
};

TEST_F(Pdf, HasAPageForEachSceneAndTheProgramsOwnFonts) {
    const std::vector<scene::Scene> pages{page("One"), page("Two")};
    const auto written = write_pdf(pages, scene::Theme::light, folder_ / "x.pdf");
    if (!written && written.error().what.find("not installed") != std::string::npos) GTEST_SKIP();
    ASSERT_TRUE(written) << written.error().message();
    std::ostringstream text;
    text << std::ifstream(folder_ / "x.pdf", std::ios::binary).rdbuf();
    EXPECT_THAT(text.str(), testing::StartsWith("%PDF"));
    EXPECT_THAT(text.str(), HasSubstr("/Count 2"));
    EXPECT_THAT(text.str(), HasSubstr("+Inter-Regular")) << "text is text, in the program's own face";
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), std::filesystem::directory_iterator()),
              1);
}

TEST_F(Pdf, ThatCannotBeWrittenSaysSoAndLeavesNothing) {
    const std::vector<scene::Scene> pages{page("One")};
    EXPECT_FALSE(write_pdf(pages, scene::Theme::light, folder_ / "no" / "x.pdf"));
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
    scene::Scene empty;
    const std::vector<scene::Scene> none{empty};
    const auto written = write_pdf(none, scene::Theme::light, folder_ / "x.pdf");
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().what, HasSubstr("no pixels"));
}

}  // namespace
}  // namespace lanescope::render
