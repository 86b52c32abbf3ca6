#include "trace/file.h"
#include "scratch_folder.h"

#include "random_trace.h"
#include "trace/container.h"
#include "trace/cursor.h"
#include "trace/sections.h"
#include "trace/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <random>

namespace lanescope::trace {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string refusal(std::span<const std::byte> bytes) {
    const auto trace = from_bytes(bytes, "some.lanescope");
    return trace ? "" : trace.error().message();
}

class FolderTest : public testing::Test {
  protected:
    ScratchFolder scratch_;
    std::filesystem::path folder = scratch_.path();
};

TEST(TraceFile, WhatIsWrittenReadsBackTheSame) {
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const auto trace = random_trace({.seed = seed, .steps = 300});
        const auto read = from_bytes(to_bytes(*trace), "random");
        ASSERT_TRUE(read) << read.error().message();
        expect_equal(**read, *trace);
        if (HasFatalFailure()) return;
    }
}

TEST(TraceFile, AnEmptyTraceReadsBack) {
    const auto trace = Writer{Origin{}}.finish();
    const auto read = from_bytes(to_bytes(*trace), "empty");
    ASSERT_TRUE(read) << read.error().message();
    expect_equal(**read, *trace);
}

std::uint32_t version_of(const Trace& trace) { return static_cast<std::uint32_t>(to_bytes(trace)[8]); }

TEST(TraceFile, IsOfTheNewestVersionOnlyWithWhatThatAdds) {
    Trace trace(*random_trace({.seed = 1, .steps = 20}));
    for (std::vector<Finding>* const list : {&trace.findings, &trace.remarks})
        for (Finding& finding : *list) finding.again.clear();
    EXPECT_LT(version_of(trace), calls_file_version);
    trace.schedule = "hold 0:0 at 3";
    EXPECT_EQ(version_of(trace), schedule_file_version);
    trace.schedule.clear();
    trace.launches.front().stack_bytes = 8192;
    EXPECT_EQ(version_of(trace), schedule_file_version);
    trace.launches.front().stack_bytes = 0;
    trace.findings.push_back({.kind = Finding::Kind::stack_overflow});
    EXPECT_EQ(version_of(trace), schedule_file_version);
    trace.findings.back().again.push_back({.step = StepId(3), .address = 4});
    EXPECT_EQ(version_of(trace), again_file_version);
    trace.launches.front().shared_arrays.emplace();
    ASSERT_FALSE(trace.shared_arrays.empty());
    EXPECT_EQ(version_of(trace), arrays_file_version);
    trace.findings.push_back({.kind = Finding::Kind::missing_fence});
    EXPECT_EQ(version_of(trace), fence_file_version);
    trace.launches.back().cut = trace.launches.back().recorded.front();
    EXPECT_EQ(version_of(trace), file_version);
    const auto read = from_bytes(to_bytes(trace), "arrays");
    ASSERT_TRUE(read) << read.error().message();
    EXPECT_EQ((*read)->launches.front().shared_arrays, std::vector<std::uint32_t>());
    EXPECT_EQ((*read)->launches.back().cut, trace.launches.back().cut);
    EXPECT_FALSE((*read)->launches.back().all_recorded());
    EXPECT_TRUE(std::ranges::empty((*read)->arrays_of(0U)));
}

TEST(TraceFile, TheSameTraceGivesTheSameBytes) {
    EXPECT_EQ(to_bytes(*random_trace({.seed = 4})), to_bytes(*random_trace({.seed = 4})));
}

TEST(TraceFile, IsKnownByItsFirstBytes) {
    const auto bytes = to_bytes(*random_trace({}));
    EXPECT_TRUE(looks_like_trace(std::span(bytes).first(8)));
    EXPECT_FALSE(looks_like_trace(std::span(bytes).first(7)));
    EXPECT_FALSE(looks_like_trace(std::as_bytes(std::span("__global__ void k() {}"))));
}

TEST(TraceFile, AForeignFileIsRefusedAsForeign) {
    EXPECT_THAT(refusal(std::as_bytes(std::span("#include <cstdio>\nint main() {}\n"))),
                HasSubstr("not a Lanescope trace"));
    EXPECT_THAT(refusal({}), HasSubstr("not a Lanescope trace"));
}

TEST(TraceFile, AnOlderFormatSaysSoAndWhatToDo) {
    const auto bytes = pack(encode(*random_trace({})), oldest_file_version - 1);
    EXPECT_THAT(refusal(bytes),
                AllOf(HasSubstr("format 3"), HasSubstr("older Lanescope"), HasSubstr("record it again")));
    EXPECT_THAT(refusal(pack(encode(*random_trace({})), 0)), HasSubstr("damaged"));
}

TEST(TraceFile, ANewerVersionIsRefusedAsNewer) {
    const auto bytes = pack(encode(*random_trace({})), file_version + 1);
    EXPECT_THAT(refusal(bytes), HasSubstr("newer Lanescope"));
    EXPECT_THAT(refusal(bytes), Not(HasSubstr("damaged")));
}

TEST(TraceFile, AShortenedFileIsRefusedAsDamagedWhereverItEnds) {
    const auto bytes = to_bytes(*random_trace({.steps = 50}));
    for (std::size_t size = 8; size < bytes.size(); size += 1 + bytes.size() / 97) {
        ASSERT_THAT(refusal(std::span(bytes).first(size)), HasSubstr("damaged")) << size;
    }
}

TEST(TraceFile, AFileWithTrailingBytesIsRefused) {
    auto bytes = to_bytes(*random_trace({.steps = 50}));
    bytes.push_back(std::byte{0});
    EXPECT_THAT(refusal(bytes), HasSubstr("damaged"));
}

TEST(TraceFile, AVersionChangedByDamageIsNotTakenForNewer) {
    auto bytes = to_bytes(*random_trace({.steps = 50}));
    bytes[8] = static_cast<std::byte>(file_version + 1);
    EXPECT_THAT(refusal(bytes), HasSubstr("damaged"));
}

/// Bytes changed, removed and inserted, as by transfers, editors and attackers.
std::vector<std::byte> mutated(std::vector<std::byte> bytes, std::mt19937& random, std::size_t first) {
    const unsigned changes = 1 + random() % 4;
    for (unsigned i = 0; i < changes && bytes.size() > first; ++i) {
        const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(first + random() % (bytes.size() - first));
        switch (random() % 4) {
            case 0: *at = static_cast<std::byte>(random()); break;
            case 1: *at ^= static_cast<std::byte>(1U << (random() % 8)); break;
            case 2: bytes.erase(at, at + std::min<std::ptrdiff_t>(random() % 9, bytes.end() - at)); break;
            default:
                bytes.insert(at, 1 + random() % 4, static_cast<std::byte>(random() % 2 == 0 ? 0xFF : random()));
                break;
        }
    }
    return bytes;
}

/// Ten thousand mutations, as parallel tests of a thousand each.
class MutatedTraceFile : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(TenThousand, MutatedTraceFile, testing::Range(0U, 5U));

TEST_P(MutatedTraceFile, AThousandDamagedAreRefusedOrUnharmed) {
    const auto trace = random_trace({.seed = 21 + GetParam(), .steps = 60});
    const auto bytes = to_bytes(*trace);
    std::mt19937 random(1 + GetParam());
    for (int i = 0; i < 1000; ++i) {
        const auto damaged_bytes = mutated(bytes, random, 0);
        const auto read = from_bytes(damaged_bytes, "damaged");
        // A bit that the compression does not use may change without effect.
        if (!read) continue;
        ASSERT_EQ(encode(**read), encode(*trace)) << "round " << i << ": a checksum let a change through";
    }
}

/// Reads every part of a trace; sanitizers detect invalid accesses.
std::uint64_t read_all(const std::shared_ptr<const Trace>& trace) {
    std::uint64_t sum = trace->totals().warp_instructions + trace->memory_bytes();
    for (const Step& step : trace->steps()) {
        for (const Effect& effect : trace->effects(step)) {
            const bool memory = effect.kind == EffectKind::load || effect.kind == EffectKind::store ||
                                effect.kind == EffectKind::atomic;
            for (const unsigned lane : effect.lanes) {
                if (memory) sum += trace->address(effect, lane);
                for (unsigned element = 0; element < effect.elements; ++element) {
                    sum += trace->after(effect, lane, element);
                    if (effect.kind != EffectKind::register_write) sum += trace->before(effect, lane, element);
                }
            }
        }
    }
    Cursor cursor(trace);
    cursor.seek(cursor.end() / 2);
    cursor.seek(cursor.end());
    while (cursor.back()) {
    }
    return sum;
}

TEST_P(MutatedTraceFile, AThousandForgedPayloadsNeverHarm) {
    const auto payload = encode(*random_trace({.seed = 22 + GetParam(), .steps = 60, .launches = 1}));
    std::mt19937 random(2 + GetParam());
    unsigned accepted = 0;
    std::uint64_t sum = 0;
    for (int i = 0; i < 1000; ++i) {
        const auto read = from_bytes(pack(mutated(payload, random, 0), file_version), "forged");
        if (!read) {
            ASSERT_THAT(read.error().what, HasSubstr("damaged"));
            continue;
        }
        ++accepted;
        sum += read_all(*read);
    }
    EXPECT_GT(accepted, 20U) << "mutations of names and values are no damage that can be seen";
    EXPECT_NE(sum, 0U);
}

TEST(TraceFile, AClaimOfMoreThanThereIsTakesNoMemory) {
    // A payload of a steps section that claims 2^32 steps, and a header that claims 2^40 bytes.
    const auto trace = random_trace({.steps = 5, .launches = 1});
    auto bytes = to_bytes(*trace);
    ByteWriter header;
    header.raw(std::span(bytes).first(16));
    header.fixed(std::uint64_t{1} << 40, 8);
    header.raw(std::span(bytes).subspan(24));
    EXPECT_THAT(refusal(header.bytes()), HasSubstr("damaged"));

    std::vector<std::byte> zeros(std::size_t{8} << 20);
    EXPECT_THAT(refusal(pack(zeros, file_version)), HasSubstr("damaged"));
}

TEST_F(FolderTest, ASavedTraceLoadsAndLeavesNoOtherFile) {
    const auto trace = random_trace({.seed = 6});
    const auto path = folder / "a trace.lanescope";
    ASSERT_TRUE(save(*trace, path));
    const auto read = load(path);
    ASSERT_TRUE(read) << read.error().message();
    expect_equal(**read, *trace);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

TEST_F(FolderTest, SavingWhereNothingCanBeWrittenSaysWhyAndKeepsTheOldFile) {
    const auto trace = random_trace({});
    const auto nowhere = save(*trace, folder / "missing" / "t.lanescope");
    ASSERT_FALSE(nowhere);
    EXPECT_THAT(nowhere.error().message(), HasSubstr("No such file or directory"));
    std::filesystem::create_directory(folder / "t.lanescope");
    EXPECT_FALSE(save(*trace, folder / "t.lanescope"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1) << "no half-written file stays";
}

TEST_F(FolderTest, LoadingWhatIsNotThereSaysSo) {
    const auto missing = load(folder / "none.lanescope");
    ASSERT_FALSE(missing);
    EXPECT_THAT(missing.error().message(), HasSubstr("No such file or directory"));
    const auto directory = load(folder);
    ASSERT_FALSE(directory);
    EXPECT_THAT(directory.error().message(), HasSubstr("it is a folder"));
}

}  // namespace
}  // namespace lanescope::trace
