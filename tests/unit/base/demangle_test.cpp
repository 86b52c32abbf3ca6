#include "base/demangle.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(Demangle, a_mangled_name_is_the_sources) {
    EXPECT_EQ(source_name_of("_Z8warp_sumi"), "warp_sum");
    EXPECT_EQ(demangled("_Z6reducePKiPi"), "reduce(int const*, int*)");
    EXPECT_EQ(variable_name_of("_ZZ6reducePKiPiE5sdata"), "sdata");
}

TEST(Demangle, a_name_that_is_not_mangled_stays_as_it_is_also_where_it_would_encode_a_type) {
    for (const std::string name : {"f", "i", "d", "v", "b", "Ss", "Kf", "reduce"}) {
        EXPECT_EQ(demangled(name), std::nullopt) << name;
        EXPECT_EQ(source_name_of(name), name);
        EXPECT_EQ(variable_name_of(name), name);
    }
}

}  // namespace
}  // namespace lanescope
