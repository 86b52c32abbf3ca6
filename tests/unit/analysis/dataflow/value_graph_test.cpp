#include "analysis/dataflow/value_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TracedValue given_input() { return {.kind = TracedValue::Kind::input, .input_dependent = true}; }
TracedValue made_predicate() { return {.kind = TracedValue::Kind::reg, .bytes = 0}; }
TracedValue made_result() { return {.kind = TracedValue::Kind::reg, .input_dependent = true}; }

TEST(ValueGraph, GivesParentsAndNeedsToTheNewestValue) {
    ValueGraph values;
    const ValueId first = values.add(given_input()), second = values.add(given_input());
    const ValueId sum = values.add(made_result());
    values.add_parent(first);
    values.add_parent(second);
    values.add_need(first);
    values.add_need(first);
    const ValueId copy = values.add(made_result());
    values.add_parent(sum);
    EXPECT_THAT(values.parents(first), IsEmpty());
    EXPECT_THAT(values.parents(sum), ElementsAre(first, second));
    EXPECT_THAT(values.parents(copy), ElementsAre(sum));
    EXPECT_THAT(values.decided_by(sum), ElementsAre(Pair(sum, first)));
    EXPECT_THAT(values.decided_by(copy), IsEmpty());
    std::vector<ValueId> needs;
    values.for_each_need(sum, [&](ValueId need) { needs.push_back(need); });
    EXPECT_THAT(needs, ElementsAre(first, second, first));
}

TEST(ValueGraph, FindsTheTwoValuesThatAPredicateOrAMinimumCompares) {
    ValueGraph values;
    const ValueId first = values.add(given_input()), second = values.add(given_input());
    const ValueId test = values.add(made_predicate());
    values.add_need(first);
    values.add_need(second);
    const ValueId minimum = values.add(made_result());
    values.add_parent(second);
    values.add_parent(first);
    const ValueId index = values.add({});
    const ValueId of_index = values.add(made_result());
    values.add_parent(index);
    values.add_parent(first);
    EXPECT_THAT(values.compared_by(test), ElementsAre(first, second));
    EXPECT_THAT(values.compared_by(minimum), ElementsAre(second, first));
    EXPECT_THAT(values.compared_by(of_index), ElementsAre(first, ValueId{})) << "an index is no data";
}

TEST(ValueGraph, CountsAComparisonInTheDepthOnlyWhereItIsConfirmed) {
    for (const bool confirmed : {false, true}) {
        ValueGraph values;
        const ValueId first = values.add(given_input());
        const ValueId test = values.add(made_predicate());
        values.add_need(first);
        const ValueId moved = values.add(made_result());
        values.add_parent(first);
        values.add_need(test);
        if (confirmed) values.confirm(test);
        values.finish_operations();
        EXPECT_EQ(values[moved].depth, confirmed ? 1U : 0U);
        EXPECT_EQ(values.decided_by(moved).size(), confirmed ? 1U : 0U);
        EXPECT_EQ(values.decided_by(test).size(), confirmed ? 1U : 0U);
    }
}

TEST(ValueGraph, KnowsWhichHostWriteAValueIsAnElementOf) {
    ValueGraph values;
    const ValueId given = values.add(given_input());
    const ValueId written = values.add({.kind = TracedValue::Kind::host});
    values.set_host_write(3);
    EXPECT_EQ(values.host_write(given), std::nullopt);
    EXPECT_EQ(values.host_write(written), 3U);
}

}  // namespace
}  // namespace lanescope::analysis
