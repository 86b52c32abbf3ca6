// Bytes whose zeros take no memory, and that copies share.
#include "base/sparse_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace lanescope {
namespace {

std::vector<std::byte> with(std::size_t size, std::size_t at, int value) {
    std::vector<std::byte> bytes(size);
    bytes[at] = static_cast<std::byte>(value);
    return bytes;
}

TEST(SparseBytes, HoldWhatTheyWereMadeFrom) {
    for (const std::size_t size : {std::size_t{1}, std::size_t{5000}, std::size_t{1} << 20, std::size_t{40} << 20}) {
        const std::vector<std::byte> bytes = with(size, size - 1, 7);
        const SparseBytes sparse(bytes);
        EXPECT_TRUE(sparse == bytes) << size;
        EXPECT_TRUE(any_set(sparse));
        EXPECT_LE(sparse.memory_bytes(), 4096U) << "of the one page that is not zero";
    }
}

TEST(SparseBytes, ZerosTakeNothing) {
    const SparseBytes zeros(std::size_t{1} << 36);
    EXPECT_EQ(zeros.size(), std::size_t{1} << 36);
    EXPECT_FALSE(any_set(zeros));
    EXPECT_EQ(zeros[zeros.size() - 1], std::byte{});
    EXPECT_EQ(zeros.memory_bytes(), 0U);
}

TEST(SparseBytes, ACopyIsItsOwnOnceItIsWrittenTo) {
    const SparseBytes first(with(100'000, 3, 1));
    SparseBytes second = first;
    second.writable()[3] = std::byte{2};
    EXPECT_EQ(first[3], std::byte{1});
    EXPECT_EQ(second[3], std::byte{2});
    EXPECT_FALSE(first == second);
}

TEST(SparseBytes, WhatIsLikeAnotherSharesThePagesThatAreTheSame) {
    constexpr std::size_t size = std::size_t{32} << 20;
    std::vector<std::byte> bytes(size, std::byte{5});
    const SparseBytes before(bytes);
    bytes[size / 2] = std::byte{6};
    const ByteRun all{0, size};
    const SparseBytes after(before, bytes, std::span(&all, 1));
    EXPECT_TRUE(after == bytes);
    EXPECT_EQ(before[size / 2], std::byte{5});
    EXPECT_EQ(after.memory_bytes(), 4096U);
    bytes[size / 2] = std::byte{5};
    const SparseBytes same(before, bytes, std::span(&all, 1));
    EXPECT_TRUE(same == before);
}

TEST(SparseBytes, WhatBecomesZeroIsZero) {
    constexpr std::size_t size = std::size_t{32} << 20;
    const SparseBytes before(std::vector<std::byte>(size, std::byte{5}));
    const std::vector<std::byte> zeros(size);
    const SparseBytes after(before, zeros, {});
    EXPECT_TRUE(after == zeros);
}

TEST(SparseBytes, GrowWithZerosAndShrink) {
    SparseBytes bytes(with(10, 9, 4));
    bytes.resize(1'000'000);
    EXPECT_EQ(bytes[9], std::byte{4});
    EXPECT_EQ(bytes[999'999], std::byte{});
    bytes.resize(9);
    EXPECT_FALSE(any_set(bytes));
}

}  // namespace
}  // namespace lanescope
