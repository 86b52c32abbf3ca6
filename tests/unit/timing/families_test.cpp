// Kernels of a recording by family, and the sizes at which most of them were measured.
#include "timing/families.h"

#include "unit/timing/made_up.h"

#include <gmock/gmock.h>

namespace lanescope::timing {
namespace {

using testing::ElementsAre;

TEST(Families, AreWhatStandsBeforeTheSlash) {
    EXPECT_EQ(family_of("reduce/sequential"), "reduce");
    EXPECT_EQ(family_of("my_kernel.cu"), "file");
    EXPECT_EQ(family_of("cub::DeviceReduce"), "reduce");
    EXPECT_EQ(family_of("cub::DeviceScan"), "scan");
    EXPECT_TRUE(of_library("cub::DeviceScan"));
    EXPECT_FALSE(of_library("scan/double-buffered"));
    EXPECT_FALSE(of_library("scan/cub-block")) << "a kernel of the catalog that calls the library";
    EXPECT_FALSE(of_library("cubic.cu"));
    const Recording recording = made_up_recording(
        {made_up("scan/a", 1024, 64, 1), made_up("reduce/a", 1024, 64, 1), made_up("scan/b", 1024, 64, 1)});
    EXPECT_THAT(families(recording), ElementsAre("scan", "reduce"));
}

TEST(Families, UseTheSettingWithMostKernels) {
    Recording recording = made_up_recording({});
    for (const char* kernel : {"reduce/a", "reduce/b", "reduce/c", "reduce/d"}) {
        recording.points.push_back(made_up(kernel, 1 << 10, 128, 1));
        recording.points.push_back(made_up(kernel, 1 << 20, 128, 2));
    }
    for (const char* kernel : {"reduce/a", "reduce/b", "reduce/c"})
        recording.points.push_back(made_up(kernel, 1 << 22, 128, 3));
    recording.points.push_back(made_up("reduce/a", 1 << 24, 256, 4));
    recording.points.push_back(made_up("cub::DeviceReduce", 1 << 26, 512, 4));
    const auto setting = usual_setting(recording, "reduce", "");
    ASSERT_TRUE(setting.has_value());
    EXPECT_EQ(setting->n, 1U << 22) << "three of four kernels go that far";
    EXPECT_EQ(setting->block, 128U);
    EXPECT_EQ(setting->element, "int");
    EXPECT_EQ(usual_setting(recording, "reduce", "double")->element, "double");
    EXPECT_FALSE(usual_setting(recording, "scan", "").has_value());
}

TEST(Families, HaveEachMeasuredValueOnceInOrder) {
    const Recording recording = made_up_recording({made_up("reduce/a", 4096, 64, 1), made_up("reduce/a", 1024, 128, 1),
                                                   made_up("reduce/b", 4096, 64, 1), made_up("scan/a", 512, 32, 1)});
    EXPECT_THAT(measured_values(recording, "reduce", &Point::n), ElementsAre(1024, 4096));
    EXPECT_THAT(measured_values(recording, "reduce", &Point::block), ElementsAre(64, 128));
}

TEST(Overhead, IsThatOfTheRunWithMostPoints) {
    Recording recording = made_up_recording(
        {made_up("a", 64, 64, 1), made_up("a", 128, 64, 1), made_up("a", 256, 64, 1), made_up("a", 512, 64, 1)});
    recording.overhead = spread_of({5});
    recording.points[0].overhead = recording.points[1].overhead = 2;
    recording.points[2].overhead = 3;
    EXPECT_EQ(overhead_of(recording, {0, 1, 2, 3}), 2);
    EXPECT_EQ(overhead_of(recording, {2, 3}), 3) << "a point without one has no vote";
    EXPECT_EQ(overhead_of(recording, {3}), 5) << "the recording's";
}

}  // namespace
}  // namespace lanescope::timing
