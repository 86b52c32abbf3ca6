#include "compile/given_headers.h"

#include "compile/lexer.h"

#include <fmt/format.h>

#include <array>
#include <set>

namespace lanescope::compile {

namespace {

constexpr std::string_view prelude_text = R"(#pragma once
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef long long intptr_t;
typedef unsigned long long uintptr_t;
typedef long ptrdiff_t;
typedef long ssize_t;
namespace std {
using ::size_t;
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
}
#ifndef NULL
#define NULL 0
#endif
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#define INT8_MIN SCHAR_MIN
#define INT8_MAX SCHAR_MAX
#define UINT8_MAX UCHAR_MAX
#define INT16_MIN SHRT_MIN
#define INT16_MAX SHRT_MAX
#define UINT16_MAX USHRT_MAX
#define INT32_MIN INT_MIN
#define INT32_MAX INT_MAX
#define UINT32_MAX UINT_MAX
#define INT64_MIN LLONG_MIN
#define INT64_MAX LLONG_MAX
#define UINT64_MAX ULLONG_MAX
#define SIZE_MAX ULONG_MAX
#define RAND_MAX INT_MAX
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_EPSILON 1.19209290e-7F
#define FLT_MIN 1.17549435e-38F
#define FLT_MAX 3.40282347e+38F
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_MIN 2.2250738585072014e-308
#define DBL_MAX 1.7976931348623157e+308
#ifndef INFINITY
#define INFINITY (__int_as_float(0x7f800000))
#endif
#ifndef NAN
#define NAN (__int_as_float(0x7fffffff))
#endif
#define HUGE_VALF INFINITY
#define HUGE_VAL ((double)INFINITY)
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#ifndef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) \
    ((condition) ? (void)0 : __assertfail(#condition, __FILE__, __LINE__, __func__, sizeof(char)))
#endif
#endif
)";

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

/// "BlockRadixSort" -> "block_radix_sort".
std::string file_of(std::string_view name) {
    std::string file;
    for (const char c : name) {
        if (is_upper(c) && !file.empty()) file += '_';
        file += is_upper(c) ? char(c - 'A' + 'a') : c;
    }
    return file;
}

}  // namespace

std::string_view prelude() { return prelude_text; }

std::string cub_header_for(std::string_view device_text) {
    if (device_text.find(cub_header_name) == std::string_view::npos) return {};
    std::set<std::string> files;
    for (const Token& token : tokenize(device_text)) {
        for (const std::string_view folder : std::array<std::string_view, 2>{"Block", "Warp"}) {
            const bool named = token.kind == TokenKind::identifier && token.text.starts_with(folder) &&
                               token.text.size() > folder.size() && is_upper(token.text[folder.size()]);
            if (named) files.insert(fmt::format("cub/{}/{}.cuh", file_of(folder), file_of(token.text)));
        }
    }
    std::string text = "#pragma once\n";
    for (const std::string& file : files)
        text += fmt::format("#if __has_include(<{0}>)\n#include <{0}>\n#endif\n", file);
    return text;
}

}  // namespace lanescope::compile
