#include "analysis/dataflow/lineage.h"

#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

TEST(Lineages, ACopyOfACopyStandsForTheFirstValue) {
    ValueGraph values;
    Lineages lineages(values);
    const ValueId first = values.add({}), test = values.add({});
    lineages.mark_flag(first, test);
    const ValueId copy = values.add({});
    lineages.mark_copy(copy, first, nullptr);
    const ValueId again = values.add({});
    lineages.mark_copy(again, copy, nullptr);
    EXPECT_EQ(lineages.root(first), first);
    EXPECT_EQ(lineages.root(again), first);
    EXPECT_EQ(lineages[again].test, test);
    EXPECT_TRUE(lineages[again].flag);
    EXPECT_TRUE(lineages.is_data_condition(again));
}

TEST(Lineages, OnlyAZeroOrOneThatTheCodeNamesIsALiteralFlag) {
    ValueGraph values;
    Lineages lineages(values);
    const ValueId index = values.add({.bits = 1});
    const ValueId one = values.add({.bits = 1}), two = values.add({.bits = 2});
    const ValueId one_as_float = values.add({.bits = 0x3f800000});
    for (const ValueId id : {one, two, one_as_float}) lineages.change(id).literal = true;
    EXPECT_FALSE(lineages.is_literal_flag(index));
    EXPECT_TRUE(lineages.is_literal_flag(one));
    EXPECT_FALSE(lineages.is_literal_flag(two));
    EXPECT_TRUE(lineages.is_literal_flag(one_as_float));
    EXPECT_FALSE(is_zero_or_one(0x3f800000, 8)) << "1.0f is no 1.0 of 8 bytes";
}

TEST(Lineages, TheFirstComparisonThatDecidesAValueStays) {
    ValueGraph values;
    Lineages lineages(values);
    const ValueId first = values.add({}), second = values.add({}), value = values.add({});
    lineages.mark_conditional(value, first);
    lineages.mark_conditional(value, second);
    EXPECT_EQ(lineages[value].test, first);
    EXPECT_FALSE(lineages[value].flag);
}

}  // namespace
}  // namespace lanescope::analysis
