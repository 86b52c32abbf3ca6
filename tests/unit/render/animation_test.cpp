// Scenes become a GIF that reads back frame by frame, or an MP4 where ffmpeg is installed.
#include "render/image/animation.h"
#include "scratch_folder.h"

#include "render/image/palette.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#if __has_include(<gif_lib.h>)
#include <gif_lib.h>
#define LANESCOPE_READS_GIF
#endif

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

namespace lanescope::render {
namespace {

namespace fs = std::filesystem;
using scene::Scene;
using scene::Theme;
using testing::HasSubstr;

/// A bar that grows by 10 points a frame; the frames grow, too.
Scene bar(std::size_t frame) {
    Scene scene;
    scene.width = 50 + static_cast<float>(frame);
    scene.height = 21;
    scene::Rect rect;
    rect.width = 10 * static_cast<float>(frame + 1);
    rect.height = 10;
    rect.fill = {.role = scene::Role::cost};
    scene.shapes.emplace_back(rect);
    return scene;
}

class Animations : public testing::Test {
  protected:
    [[nodiscard]] std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_.path()), {}); }

    ScratchFolder folder_;
    Progress progress_;
};

#ifdef LANESCOPE_READS_GIF
TEST_F(Animations, GifReadsBackWithAllFramesTheirTimesAndPixels) {
    const fs::path path = folder_ / "bar.gif";
    const auto written = write_animation({.count = 4, .draw = bar}, {.scale = 1, .seconds = 0.5}, path, progress_);
    ASSERT_TRUE(written) << written.error().message();
    EXPECT_EQ(files(), 1);
    EXPECT_EQ(progress_.share(), 1);

    int error = 0;
    GifFileType* const gif = DGifOpenFileName(path.c_str(), &error);
    ASSERT_NE(gif, nullptr);
    ASSERT_EQ(DGifSlurp(gif), GIF_OK);
    EXPECT_EQ(gif->ImageCount, 4);
    EXPECT_EQ(gif->SWidth, 53);
    EXPECT_EQ(gif->SHeight, 21);
    std::vector<std::uint32_t> shown(53 * 21);
    for (int frame = 0; frame < gif->ImageCount; ++frame) {
        GraphicsControlBlock control{};
        ASSERT_EQ(DGifSavedExtensionToGCB(gif, frame, &control), GIF_OK);
        EXPECT_EQ(control.DelayTime, 50);
        const SavedImage& image = gif->SavedImages[frame];
        const GifImageDesc& part = image.ImageDesc;
        for (int at = 0; at < part.Width * part.Height; ++at) {
            const GifColorType color = part.ColorMap->Colors[image.RasterBits[at]];
            shown[static_cast<std::size_t>((part.Top + at / part.Width) * 53 + part.Left + at % part.Width)] =
                static_cast<std::uint32_t>(color.Red << 16 | color.Green << 8 | color.Blue);
        }
        Scene expected = bar(static_cast<std::size_t>(frame));
        expected.width = 53;
        const Pixels pixels = rasterize(expected, Theme::dark, 1);
        for (std::size_t at = 0; at < shown.size(); ++at) {
            const std::uint8_t* const rgba = &pixels.rgba[4 * at];
            ASSERT_EQ(shown[at], std::uint32_t{rgba[0]} << 16U | std::uint32_t{rgba[1]} << 8U | rgba[2])
                << "frame " << frame << ", pixel " << at;
        }
    }
    DGifCloseFile(gif, &error);
}

TEST_F(Animations, FrameInWhichNothingChangesIsAFrame) {
    const fs::path path = folder_ / "still.gif";
    ASSERT_TRUE(write_animation({.count = 3, .draw = [](std::size_t) { return bar(1); }}, {}, path, progress_));
    int error = 0;
    GifFileType* const gif = DGifOpenFileName(path.c_str(), &error);
    ASSERT_NE(gif, nullptr);
    ASSERT_EQ(DGifSlurp(gif), GIF_OK);
    EXPECT_EQ(gif->ImageCount, 3);
    DGifCloseFile(gif, &error);
}

TEST_F(Animations, CancelledOneLeavesTheOldFile) {
    const fs::path path = folder_ / "bar.gif";
    std::ofstream(path) << "old";
    const auto written = write_animation({.count = 9,
                                          .draw =
                                              [&](std::size_t frame) {
                                                  if (frame == 3) progress_.cancel();
                                                  return bar(frame);
                                              }},
                                         {}, path, progress_);
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().what, "cancelled");
    EXPECT_EQ(files(), 1);
    EXPECT_EQ(fs::file_size(path), 3U);
}
#else
TEST_F(Animations, BuildWithoutGiflibSaysWhatToInstall) {
    const auto written = can_animate(folder_ / "bar.gif");
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message(), HasSubstr("libgif-dev"));
}
#endif

/// PATH for one test.
class OtherPath {
  public:
    explicit OtherPath(const std::string& path) : before_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
    OtherPath(const OtherPath&) = delete;
    OtherPath& operator=(const OtherPath&) = delete;
    ~OtherPath() { setenv("PATH", before_.c_str(), 1); }

  private:
    std::string before_;
};

TEST_F(Animations, Mp4WithoutFfmpegSaysWhatToInstall) {
    const OtherPath none(folder_.path().string());
    const auto written = write_animation({.count = 1, .draw = bar}, {}, folder_ / "a.mp4", progress_);
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message(), HasSubstr("apt-get install ffmpeg"));
    EXPECT_EQ(files(), 0);
}

/// Installs a script in place of ffmpeg that saves its input to the file of its last argument.
void install_ffmpeg(const fs::path& folder, const std::string& script) {
    std::ofstream(folder / "ffmpeg") << "#!/bin/bash\n" << script << '\n';
    fs::permissions(folder / "ffmpeg", fs::perms::owner_all);
}

TEST_F(Animations, FfmpegIsFedEveryPixelOfEveryFrame) {
    fs::create_directories(folder_ / "bin");
    install_ffmpeg(
        folder_ / "bin",
        "for last; do case $last in pipe:*) from=${last#pipe:};; esac; done; cat <&$from > \"${last#file:}\"");
    const OtherPath ours((folder_ / "bin").string() + ":/bin:/usr/bin");
    const auto written = write_animation({.count = 5, .draw = bar}, {.scale = 1}, folder_ / "a.mp4", progress_);
    ASSERT_TRUE(written) << written.error().message();
    EXPECT_EQ(fs::file_size(folder_ / "a.mp4"), 5U * 54 * 22 * 4);
    EXPECT_EQ(files(), 2);
}

TEST_F(Animations, FailingFfmpegIsReportedInItsOwnWords) {
    fs::create_directories(folder_ / "bin");
    install_ffmpeg(folder_ / "bin", "echo 'no such codec' >&2; exit 3");
    const OtherPath ours((folder_ / "bin").string() + ":/bin:/usr/bin");
    const auto written = write_animation({.count = 5, .draw = bar}, {.scale = 1}, folder_ / "a.mp4", progress_);
    ASSERT_FALSE(written);
    EXPECT_THAT(written.error().message(), HasSubstr("exit status 3"));
    EXPECT_THAT(written.error().message(), HasSubstr("no such codec"));
    EXPECT_EQ(files(), 1);
}

TEST_F(Animations, OtherEndingsNoFrameAndTooManyAreRefused) {
    EXPECT_THAT(can_animate(folder_ / "a.avi").error().message(), HasSubstr("\".avi\""));
    EXPECT_FALSE(write_animation({.count = 0, .draw = bar}, {}, folder_ / "a.gif", progress_));
    const auto many = write_animation({.count = most_frames + 1, .draw = bar}, {}, folder_ / "a.gif", progress_);
    ASSERT_FALSE(many);
    EXPECT_THAT(many.error().message(), HasSubstr("2,001 frames"));
}

TEST(Palettes, FewColorsStayAsTheyAre) {
    const std::vector<std::uint32_t> pixels{0x102030, 0xFFFFFF, 0x102030, 0x000001};
    const Palette palette = palette_of(pixels);
    ASSERT_EQ(palette.colors.size(), 3U);
    for (std::size_t at = 0; at < pixels.size(); ++at) EXPECT_EQ(palette.colors[palette.indices[at]], pixels[at]);
}

TEST(Palettes, ManyColorsKeepTheFrequentOnesAndApproachTheOthers) {
    std::vector<std::uint32_t> pixels(5000, 0x17191C);
    for (std::uint32_t shade = 0; shade < 4096; ++shade)
        pixels.push_back((shade & 15U) << 20U | (shade >> 4U & 15U) << 12U | (shade >> 8U) << 4U);
    const Palette palette = palette_of(pixels);
    EXPECT_EQ(palette.colors.size(), 256U);
    EXPECT_EQ(palette.colors[palette.indices[0]], 0x17191CU);
    std::set<std::uint8_t> used;
    int farthest = 0;
    for (std::size_t at = 0; at < pixels.size(); ++at) {
        used.insert(palette.indices[at]);
        for (const unsigned shift : {0U, 8U, 16U})
            farthest =
                std::max(farthest, std::abs(static_cast<int>(palette.colors[palette.indices[at]] >> shift & 255U) -
                                            static_cast<int>(pixels[at] >> shift & 255U)));
    }
    EXPECT_EQ(used.size(), 256U);
    EXPECT_LE(farthest, 64);
}

}  // namespace
}  // namespace lanescope::render
