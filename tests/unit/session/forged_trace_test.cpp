// A trace file with right checksums and wrong content must be refused, or analyzed, drawn and narrated without harm.
#include <gtest/gtest.h>

#include <random>

#include "run_support.h"
#include "session/saved_trace.h"
#include "trace/container.h"
#include "trace/file.h"
#include "trace/sections.h"

namespace lanescope::session {
namespace {

std::vector<std::byte> mutated(std::vector<std::byte> bytes, std::mt19937& random) {
    const unsigned changes = 1 + random() % 3;
    for (unsigned i = 0; i < changes && !bytes.empty(); ++i) {
        const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(random() % bytes.size());
        switch (random() % 4) {
            case 0: *at = static_cast<std::byte>(random()); break;
            case 1: *at ^= static_cast<std::byte>(1U << (random() % 8)); break;
            case 2: *at = static_cast<std::byte>(std::to_integer<unsigned>(*at) + 1); break;
            default: std::iter_swap(at, bytes.begin() + static_cast<std::ptrdiff_t>(random() % bytes.size())); break;
        }
    }
    return bytes;
}

/// Computes everything that panels and commands need of a run.
std::size_t look_at(const Run& run) {
    const analysis::Analysis& analysis = *run.analysis;
    std::size_t seen = analysis.passes.size() + analysis.lines.size();
    for (std::uint32_t launch = 0; launch < run.trace().launches.size(); ++launch) {
        for (const BlockId block : run.trace().launches[launch].recorded) {
            const analysis::BlockPasses& passes = analysis.block_passes(launch, block);
            seen += analysis.picture(launch, block).rows.size();
            for (std::size_t i = 0; i <= passes.steps.size(); i += 7) {
                seen += analysis::narrate(analysis.view(passes), i).size();
            }
        }
    }
    return seen;
}

TEST(ForgedTrace, SevenHundredAreRefusedOrShownWithoutHarm) {
    NEEDS_HOST_CODE();
    const ScratchFolder folder;
    std::mt19937 random(3);
    unsigned shown = 0;
    for (const char* program : {"reduce/sequential", "scan/double-buffered", "scan/sums-on-the-host"}) {
        const auto run = run_of({.program = program, .n = 8, .block = 4});
        ASSERT_NE(run, nullptr);
        // The PTX is parsed as any other; its own mutations are tested where it is parsed.
        const std::vector<std::byte> payload = trace::encode(run->trace());
        const std::size_t ptx = run->trace().origin.ptx.size() + run->trace().origin.source.size();
        const std::vector<std::byte> head(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(ptx + 64));
        for (int i = 0; i < 234; ++i) {
            std::vector<std::byte> forged = head;
            const std::vector<std::byte> tail =
                mutated({payload.begin() + static_cast<std::ptrdiff_t>(head.size()), payload.end()}, random);
            forged.insert(forged.end(), tail.begin(), tail.end());
            const std::vector<std::byte> file = trace::pack(forged, trace::file_version);
            const auto path = folder.path() / "forged.lanescope";
            std::ofstream(path, std::ios::binary)
                .write(reinterpret_cast<const char*>(file.data()), static_cast<std::streamsize>(file.size()));
            const auto opened = open_trace(path);
            if (opened && look_at(**opened) > 0) ++shown;
        }
    }
    EXPECT_GT(shown, 50U) << "a changed value is no damage that can be seen";
}

}  // namespace
}  // namespace lanescope::session
