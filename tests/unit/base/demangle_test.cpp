#include "base/demangle.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(Demangle, AMangledNameIsTheSources) {
    EXPECT_EQ(source_name_of("_Z8warp_sumi"), "warp_sum");
    EXPECT_EQ(source_name_of("_ZN37_INTERNAL_f9b8eae0_7_main_cu_bad5a1f19atomicAddEPii"), "atomicAdd");
    EXPECT_EQ(source_name_of("_ZN12_GLOBAL__N_15scaleEPf"), "scale");
    EXPECT_EQ(demangled("_Z6reducePKiPi"), "reduce(int const*, int*)");
    EXPECT_EQ(variable_name_of("_ZZ6reducePKiPiE5sdata"), "sdata");
    EXPECT_EQ(variable_name_of("_Z4scanP3Map$4"), "initializer in scan");
    EXPECT_EQ(variable_name_of("_Z4scanP3Map$str"), "_Z4scanP3Map$str");
    EXPECT_EQ(variable_name_of("kernel$2"), "initializer in kernel") << "of extern C";
    EXPECT_EQ(variable_name_of("$str$1"), "$str$1");
    EXPECT_TRUE(is_initializer("initializer in scan"));
    EXPECT_FALSE(is_initializer("$str$1") || is_initializer("sdata"));
}

TEST(Demangle, WhatIsStaticInAFileOfSeveralIsNamedAsInTheSource) {
    const std::string file = "__nv_static_28__1c9ff20f_8_first_cu_counter_";
    EXPECT_EQ(source_name_of(file + "_Z5resetPi"), "reset");
    EXPECT_EQ(source_name_of(file + "offset"), "offset");
    EXPECT_EQ(variable_name_of(file + "offset"), "offset");
    EXPECT_EQ(variable_name_of(file + "_ZZ6reducePKiPiE5sdata"), "sdata");
    EXPECT_EQ(demangled(file + "_Z5resetPi"), "reset(int*)");
    EXPECT_EQ(with_source_names(file + "_Z5resetPi is launched"), "reset is launched");
    for (const std::string name : {"__nv_static_", "__nv_static_28_", "__nv_static_28__1c9", "__nv_static_9999999_x"})
        EXPECT_EQ(source_name_of(name), name);
}

TEST(Demangle, ANameThatIsNotMangledStaysAsItIsAlsoWhereItWouldEncodeAType) {
    for (const std::string name : {"f", "i", "d", "v", "b", "Ss", "Kf", "reduce"}) {
        EXPECT_EQ(demangled(name), std::nullopt) << name;
        EXPECT_EQ(source_name_of(name), name);
        EXPECT_EQ(variable_name_of(name), name);
    }
}

}  // namespace
}  // namespace lanescope
