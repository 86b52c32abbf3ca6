// The output of printf for its arguments.
#include "execute/emulator/format.h"

#include <gtest/gtest.h>
#include <bit>
#include <vector>

namespace lanescope::execute {
namespace {

std::string print(const std::string& format, const std::vector<std::uint64_t>& values = {}) {
    std::size_t next = 0;
    return formatted(format, {.value = [&](unsigned) { return next < values.size() ? values[next++] : 0; },
                              .text = [](std::uint64_t address) -> std::optional<std::string> {
                                  if (address == 0) return std::nullopt;
                                  return "text";
                              }});
}

TEST(Printf, WritesIntegersOfEveryKind) {
    EXPECT_EQ(print("%d|%5d|%-5d|%05d|%+d", {0xFFFF'FFFFU, 7, 7, 7, 7}), "-1|    7|7    |00007|+7");
    EXPECT_EQ(print("%u %x %X %#o", {0xFFFF'FFFFU, 255, 255, 8}), "4294967295 ff FF 010");
    EXPECT_EQ(print("%lld %llu %lx", {~std::uint64_t{0}, ~std::uint64_t{0}, 1}), "-1 18446744073709551615 1");
    EXPECT_EQ(print("%*d|%.*f", {4, 7, 1, std::bit_cast<std::uint64_t>(2.25)}), "   7|2.2");
}

TEST(Printf, WritesFloatsLettersAndTexts) {
    const std::uint64_t half = std::bit_cast<std::uint64_t>(0.5);
    EXPECT_EQ(print("%f %.2f %e %g", {half, half, half, half}), "0.500000 0.50 5.000000e-01 0.5");
    EXPECT_EQ(print("%c%c %s %s %p", {'a', 'b', 1, 0, 16}), "ab text (unreadable) 0x10");
}

TEST(Printf, KeepsWhatIsNoSpecifier) {
    EXPECT_EQ(print("100%% %k %"), "100% %k %");
    EXPECT_LT(print("%999999999d", {1}).size(), 2000U) << "a field is not wider than is sensible";
}

}  // namespace
}  // namespace lanescope::execute
