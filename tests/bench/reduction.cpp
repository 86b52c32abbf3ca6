#include "bench/reduction.h"

#include "base/tune_malloc.h"
#include "places.h"

#include <cstring>
#include <fstream>
#include <sstream>

namespace lanescope::bench {

namespace {

/// Set as in the program, before anything is measured.
[[maybe_unused]] const bool as_in_the_program = (tune_malloc(), true);

}  // namespace

ptx::Module module_of(const std::string& name) {
    const std::string tests = std::string(LANESCOPE_SOURCE_DIR) + "/tests/";
    std::ifstream in(tests + (name == "scattered" ? "bench/" : "unit/execute/data/") + name + ".ptx");
    std::ostringstream text;
    text << in.rdbuf();
    return ptx::parse(text.str()).value();
}

execute::Program reduction_of(unsigned count) {
    execute::Program program;
    trace::Buffer in{.name = "in", .bytes = std::uint64_t{count} * sizeof(int)};
    in.initial.resize(in.bytes);
    std::byte* const initial = in.initial.writable();
    for (unsigned i = 0; i < count; ++i) {
        const int value = static_cast<int>(i % 1000);
        std::memcpy(initial + std::size_t{i} * sizeof(int), &value, sizeof value);
    }
    trace::Buffer out{.name = "out", .bytes = std::uint64_t{count} / block_size * sizeof(int)};
    out.initial.resize(out.bytes);
    program.buffers = {std::move(in), std::move(out)};
    execute::LaunchRequest launch{.kernel = "_Z6reducePKiPi", .grid = {count / block_size}, .block = {block_size}};
    launch.dynamic_shared_bytes = block_size * sizeof(int);
    launch.arguments = {{.name = "in", .buffer = 0}, {.name = "out", .buffer = 1}};
    program.launches = {launch};
    return program;
}

std::shared_ptr<const trace::Trace> emulate(const ptx::Module& module, const execute::Program& program,
                                            execute::Limits limits) {
    Progress progress;
    limits.threads = 1;
    return execute::emulate(module, program, limits, progress).value();
}

}  // namespace lanescope::bench
