// Host code that is damaged is read as far as it goes, or refused: never a crash, never a hang.
#include "session/host_code.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "places.h"
#include "session/catalog.h"
#include "unit/ptx/mutator.h"

namespace lanescope::session {
namespace {

std::string text_of(const std::string& name) {
    std::ifstream file(std::string(LANESCOPE_SOURCE_DIR) + "/" + name);
    EXPECT_TRUE(file) << name;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Result<std::vector<std::vector<std::byte>>> zeros(const HostRun& run) {
    std::vector<std::vector<std::byte>> contents;
    for (const HostBuffer& buffer : run.buffers) contents.emplace_back(buffer.initial.size());
    return contents;
}

class MutatedHostCode : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Mains, MutatedHostCode,
                         testing::Values("tests/cases/commands/students_program.cu",
                                         "tests/unit/compile/data/vector_add.cu",
                                         "tests/unit/compile/data/histogram.cu"));

TEST_P(MutatedHostCode, IsReadOrRefused) {
    const std::string source = text_of(GetParam());
    ptx::Mutator mutator(11);
    unsigned launched = 0;
    for (int i = 0; i < 100; ++i) {
        const std::string damaged = mutator.mutate(source);
        static_cast<void>(program_from_source(damaged, "damaged.cu"));
        const auto run =
            run_host_code(damaged, "damaged.cu", {.function = "main", .arguments = {}, .most_work = 200'000}, zeros);
        if (run && !run->launches.empty()) ++launched;
    }
    EXPECT_GT(launched, 0U) << "much damage is in what the host does not do";
}

}  // namespace
}  // namespace lanescope::session
