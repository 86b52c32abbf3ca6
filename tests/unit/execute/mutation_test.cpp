// Executes damaged PTX that still parses: the result is findings or a refusal, in bounded time, never a crash.
#include "harness.h"

#include "unit/ptx/mutator.h"

namespace lanescope::execute {
namespace {

const std::vector<std::string> kernels{"interleaved_modulo.compiled", "interleaved_modulo.written",
                                       "double_buffered.compiled",    "double_buffered.written",
                                       "two_elements.compiled",       "strided_index.written"};

/// Arguments for any kernel: a buffer for each pointer, 40 for each number.
Program program_for(const ptx::Function& kernel) {
    Program program;
    LaunchRequest launch{
        .kernel = kernel.name, .grid = {2}, .block = {40}, .dynamic_shared_bytes = 4 * 40, .arguments = {}};
    for (const ptx::Variable& parameter : kernel.parameters) {
        trace::Argument argument;
        argument.name = parameter.name;
        if (parameter.bytes == 8) {
            argument.buffer = static_cast<std::uint32_t>(program.buffers.size());
            trace::Buffer buffer;
            buffer.name = parameter.name;
            buffer.bytes = 4 * 160;
            program.buffers.push_back(std::move(buffer));
        } else {
            argument.value.assign(std::min<std::uint64_t>(parameter.bytes, 4096), std::byte{0});
            if (!argument.value.empty()) argument.value.front() = std::byte{40};
        }
        launch.arguments.push_back(std::move(argument));
    }
    program.launches.push_back(std::move(launch));
    return program;
}

class MutatedKernels : public testing::TestWithParam<unsigned> {};

TEST_P(MutatedKernels, DoNoHarmWhenTheyRun) {
    const Limits limits{.record_blocks = 1, .warp_instructions = 3000};
    unsigned ran = 0;
    for (unsigned seed = 300 * GetParam(); seed < 300 * (GetParam() + 1); ++seed) {
        SCOPED_TRACE(seed);
        const std::string text = ptx::Mutator(seed).mutate(ptx_of(kernels[seed % kernels.size()]));
        const Result<ptx::Module> module = ptx::parse(text);
        if (!module || module->entries().empty()) continue;
        Progress progress;
        const auto trace = emulate(*module, program_for(*module->entries().front()), limits, progress);
        if (!trace) {
            EXPECT_FALSE(trace.error().what.empty());
            continue;
        }
        ++ran;
        EXPECT_LE((*trace)->totals().warp_instructions, 4000U);
    }
    EXPECT_GT(ran, 50U);
}

INSTANTIATE_TEST_SUITE_P(ThreeThousand, MutatedKernels, testing::Range(0U, 10U));

}  // namespace
}  // namespace lanescope::execute
