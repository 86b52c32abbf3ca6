// Where blocks run, as a request says it and as a recipe does.
#include "session/multiprocessors.h"

#include "model/device_limits.h"
#include "session/launch_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

TEST(Multiprocessors, AreANumberOrAGpu) {
    EXPECT_EQ(multiprocessors_named("16")->count, 16U);
    EXPECT_EQ(multiprocessors_named("16")->device, &model::emulated_device());
    EXPECT_EQ(multiprocessors_named("g80")->count, 16U);
    EXPECT_EQ(multiprocessors_named("G80")->device->capability, 10U);
    EXPECT_EQ(multiprocessors_named("h200")->count, 132U);
    EXPECT_EQ(multiprocessors_named("B200")->device->capability, 100U);
    for (const std::string_view text : {"", "0", "1025", "-1", "G8", "H200 "})
        EXPECT_FALSE(multiprocessors_named(text));
}

TEST(Multiprocessors, OfTheRecipeAreThoseThatTheRequestLeavesOut) {
    Recipe recipe;
    EXPECT_FALSE(multiprocessors_of({}, recipe)) << "neither asks for any";
    recipe.placement = {.multiprocessors = "2", .resident = "1", .order = "descending"};
    Request request;
    request.placement.resident = "3";
    const auto found = multiprocessors_of(request, recipe);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->count, 2U);
    EXPECT_EQ(found->blocks_each, 3U);
    EXPECT_EQ(found->order.kind, trace::BlockOrder::Kind::descending);
    request.placement = {.multiprocessors = "H200", .resident = {}, .order = {}};
    EXPECT_EQ(multiprocessors_of(request, recipe)->blocks_each, 0U) << "as many as fit on those";
}

TEST(Multiprocessors, AreFieldsOfALaunch) {
    LaunchValues values;
    values[LaunchField::multiprocessors] = "G80";
    values[LaunchField::resident] = "2";
    values[LaunchField::order] = "stall 3";
    const Request request = request_of(values);
    EXPECT_EQ(request.placement, (PlacementText{.multiprocessors = "G80", .resident = "2", .order = "stall 3"}));
    EXPECT_EQ(values_of(request), values);
    EXPECT_THAT(problem_of(LaunchField::multiprocessors, "G81")->remedy, HasSubstr("G80, H200, B200"));
    EXPECT_TRUE(problem_of(LaunchField::order, "late"));
    EXPECT_FALSE(problem_of(LaunchField::order, "late 0"));
}

}  // namespace
}  // namespace lanescope::session
