// libFuzzer target: any bytes as a .cu file with `lanescope` comments, which are evaluated as for a run.
#include "session/catalog.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace session = lanescope::session;
    const auto program = session::program_from_source(std::string(data, data + size), "fuzzed.cu");
    if (!program) return 0;
    const session::Variables variables{.n = 100, .block = 32, .grid = 4};
    static_cast<void>(session::evaluate(program->recipe.shared, variables));
    static_cast<void>(session::evaluate_extent(program->recipe.grid, variables));
    static_cast<void>(session::instance_of(*program, variables));
    static_cast<void>(session::check_block(*program, variables.block));
    for (const session::ArgumentPlan& argument : program->recipe.arguments) {
        // As a run does, evaluate the size before allocating.
        const auto elements = session::evaluate(argument.size.empty() ? argument.count : argument.size, variables);
        if (argument.kind != session::ArgumentPlan::Kind::value && (!elements || *elements > 10'000)) continue;
        static_cast<void>(session::make_argument(argument, "iota", variables));
    }
    return 0;
}
