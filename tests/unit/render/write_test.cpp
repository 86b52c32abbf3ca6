#include "render/image/image.h"
#include "scratch_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

namespace lanescope::render {
namespace {

namespace fs = std::filesystem;
using scene::Scene;
using scene::Theme;
using testing::HasSubstr;

Scene page(float width, float height) {
    Scene scene;
    scene.width = width, scene.height = height;
    return scene;
}

class WriteImage : public testing::Test {
  protected:
    static std::string content(const fs::path& path) {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    ScratchFolder folder_;
};

TEST_F(WriteImage, WritesSvgByItsEnding) {
    ASSERT_TRUE(write_image(page(10, 10), Theme::dark, folder_ / "a.SVG"));
    EXPECT_EQ(content(folder_ / "a.SVG"), to_svg(page(10, 10), Theme::dark));
}

TEST_F(WriteImage, WritesPngByItsEndingAndLeavesNothingElseBehind) {
    ASSERT_TRUE(write_image(page(10, 20), Theme::dark, folder_ / "a.png", 3));
    const std::string png = content(folder_ / "a.png");
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1A\n");
    EXPECT_EQ(static_cast<unsigned char>(png[19]), 30);  // width, big endian, in the header chunk
    EXPECT_EQ(static_cast<unsigned char>(png[23]), 60);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1);
}

TEST_F(WriteImage, PngKeepsWhereItIsFrom) {
    const Pixels pixels = rasterize(page(10, 20), Theme::dark, 1);
    const auto text = [](const std::vector<std::byte>& bytes) {
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    const std::string png = text(to_png(pixels, "lanescope:reduce/sequential#launch/0"));
    EXPECT_EQ(source_of_png(png), "lanescope:reduce/sequential#launch/0");
    EXPECT_EQ(png.substr(8 + 25 + 4, 11), std::string("tEXtSource\0", 11)) << "after the header";
    // With a wrong length or type the rest would be unreadable: without the chunk it is the picture as it was.
    EXPECT_EQ(png.size(), text(to_png(pixels)).size() + 12 + 7 + 36);
    EXPECT_EQ(source_of_png(text(to_png(pixels))), "");
    for (std::size_t end = 0; end < png.size(); ++end) (void)source_of_png(png.substr(0, end));
    EXPECT_EQ(source_of_png("no picture"), "");
}

TEST_F(WriteImage, RefusesOtherEndingsAndSaysWhichThereAre) {
    const auto result = write_image(page(10, 10), Theme::dark, folder_ / "a.jpg");
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().what, HasSubstr("\".jpg\""));
    EXPECT_THAT(result.error().what, HasSubstr(".svg or .png"));
    EXPECT_TRUE(fs::is_empty(folder_.path()));
}

TEST_F(WriteImage, SaysWhereItCannotWrite) {
    const fs::path path = folder_ / "missing" / "a.png";
    const auto result = write_image(page(10, 10), Theme::dark, path);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().where.file, path.string());
    EXPECT_THAT(result.error().what, HasSubstr("No such file"));
    EXPECT_FALSE(result.error().remedy.empty());
}

TEST_F(WriteImage, KeepsTheOldPictureWhenTheNewOneCannotBe) {
    ASSERT_TRUE(write_image(page(10, 10), Theme::dark, folder_ / "a.png"));
    const std::string before = content(folder_ / "a.png");
    EXPECT_FALSE(write_image(page(10, 10), Theme::dark, folder_ / "a.png", 1e6F));
    EXPECT_EQ(content(folder_ / "a.png"), before);
}

TEST(CheckSize, AllowsWhatAPosterNeeds) { EXPECT_TRUE(check_size(page(1000, 600), 8)); }

TEST(CheckSize, RefusesTooManyPixelsAndNamesAScaleThatFits) {
    const auto result = check_size(page(1000, 600), 40);
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().what, HasSubstr("40000 x 24000 pixels"));
    EXPECT_THAT(result.error().remedy, HasSubstr("at most 10.32"));
    EXPECT_TRUE(check_size(page(1000, 600), 10.32F));
}

TEST(CheckSize, RefusesATallSceneByItsSide) {
    const auto result = check_size(page(10, 10000), 2);
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().remedy, HasSubstr("at most 1.63"));
}

TEST(CheckSize, RefusesScalesThatAreNone) {
    EXPECT_FALSE(check_size(page(100, 100), 0));
    EXPECT_FALSE(check_size(page(100, 100), -1));
    EXPECT_FALSE(check_size(page(100, 100), std::numeric_limits<float>::quiet_NaN()));
    EXPECT_FALSE(check_size(page(100, 100), std::numeric_limits<float>::infinity()));
    EXPECT_FALSE(check_size(Scene{}, 1));
}

}  // namespace
}  // namespace lanescope::render
