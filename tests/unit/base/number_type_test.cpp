#include "base/number_type.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

using Kind = NumberType::Kind;

TEST(NumberType, WordsMayStandInAnyOrder) {
    for (const char* name : {"unsigned long long", "long long unsigned int", "unsigned long int", "long unsigned",
                             "std::size_t", "uint64_t", "ulonglong"}) {
        EXPECT_EQ(number_type(name), (NumberType{Kind::unsigned_whole, 8})) << name;
    }
    EXPECT_EQ(number_type("short int"), (NumberType{Kind::signed_whole, 2}));
    EXPECT_EQ(number_type("signed"), (NumberType{Kind::signed_whole, 4}));
    EXPECT_EQ(number_type("char"), (NumberType{Kind::signed_whole, 1}));
    EXPECT_EQ(number_type("unsigned char"), (NumberType{Kind::unsigned_whole, 1}));
    EXPECT_EQ(number_type("bool"), (NumberType{Kind::unsigned_whole, 1}));
    EXPECT_EQ(number_type("double"), (NumberType{Kind::ieee, 8}));
    EXPECT_EQ(number_type("__nv_bfloat16"), (NumberType{Kind::bfloat, 2}));
}

TEST(NumberType, VectorsHaveComponents) {
    EXPECT_EQ(number_type("float4"), (NumberType{Kind::ieee, 4, 4}));
    EXPECT_EQ(number_type("uint3"), (NumberType{Kind::unsigned_whole, 4, 3}));
    EXPECT_EQ(number_type("__half2"), (NumberType{Kind::ieee, 2, 2}));
    EXPECT_EQ(number_type("longlong2"), (NumberType{Kind::signed_whole, 8, 2}));
}

TEST(NumberType, WhatIsNoneIsNone) {
    for (const char* name :
         {"", "void", "const int", "unsigned float", "long short", "long long long", "int int", "unsigned signed",
          "char int", "Particle", "float5", "2", "unsigned int2", "int*", "std::"}) {
        EXPECT_FALSE(number_type(name)) << name;
    }
}

TEST(NumberType, KnowsFloatingPointTypes) {
    for (const char* name : {"float", "const double", "__half", "__nv_bfloat16", "float4", "long double"})
        EXPECT_TRUE(is_floating_point(name)) << name;
    for (const char* name : {"int", "unsigned long", "float_pair", "Notfloat", ""})
        EXPECT_FALSE(is_floating_point(name)) << name;
}

TEST(NumberType, DistinguishesPointersFromWhatHoldsThem) {
    for (const char* name : {"int*", "const float* __restrict__", "View&", "Buffer<int*>*", "float[4]"})
        EXPECT_TRUE(is_pointer_type(name)) << name;
    for (const char* name : {"int", "View", "Buffer<int*>", "main::{lambda(int*)#1}", ""})
        EXPECT_FALSE(is_pointer_type(name)) << name;
}

TEST(NumberType, KnowsItsKeywords) {
    EXPECT_TRUE(is_number_keyword("unsigned"));
    EXPECT_FALSE(is_number_keyword("half")) << "a name like any other";
}

}  // namespace
}  // namespace lanescope
