// A request and its program -> everything that a launch needs, each field checked and refused where it is wrong.
#pragma once

#include "session/catalog.h"
#include "session/session.h"

#include <cstddef>
#include <expected>
#include <map>
#include <string>
#include <vector>

namespace lanescope::session {

struct Plan {
    Program program;      ///< with the kernel chosen
    Variables variables;  ///< n, threads of a block, blocks of the grid
    trace::Dim3 grid, block;
    std::uint64_t shared_bytes = 0;
    std::string input;
    unsigned arch = least_arch;
    std::string instance;  ///< what NVRTC is to instantiate: "reduce<128>", or the kernel's name
    std::vector<ArgumentPlan> plans;
    std::vector<trace::Buffer> buffers;
    std::vector<trace::Argument> arguments;
    std::map<std::string, std::vector<std::byte>> symbols;  ///< __constant__ variables that the file's lines set
    std::vector<std::string> notes;
};

[[nodiscard]] std::expected<Plan, Refusal> plan(const Request& request);

/// A capital at its beginning and a full stop at its end.
[[nodiscard]] std::string sentence(std::string text);

[[nodiscard]] std::unexpected<Refusal> refuse(std::string field, Problem problem);
[[nodiscard]] std::unexpected<Refusal> refuse(std::string field, std::string what, std::string remedy = {});

}  // namespace lanescope::session
