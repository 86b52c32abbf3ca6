// A request and its program -> everything that a launch needs, each field checked and refused where it is wrong.
#pragma once

#include "execute/simt/addresses.h"
#include "session/catalog.h"
#include "session/refusal.h"
#include "session/request.h"

#include <cstddef>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// Other values for what neither the request nor the file states (guessed_run.h); the usual ones where there is none.
struct Guess {
    std::optional<trace::Dim3> block;
    std::optional<std::uint64_t> n;
    std::optional<std::uint64_t> shared_bytes;      ///< dynamic
    std::map<std::string, std::uint64_t> elements;  ///< of buffers, by name
    std::string fill;                               ///< of buffers of whole numbers: "iota", "ones"; empty: the input
    std::string filled_alone;                       ///< the one buffer that `fill` is of; the others have ones
    std::optional<std::uint64_t> scalar;            ///< whole numbers whose names are not those of sizes
    std::map<std::string, std::uint64_t> scalars;   ///< of the same, by name: overrides `scalar`
    bool sizes_too = false;                         ///< `scalar` is for all whole numbers
};

struct Plan {
    Program program;      ///< with the kernel chosen
    Variables variables;  ///< n, threads of a block, blocks of the grid
    trace::Dim3 grid, block;
    std::uint64_t shared_bytes = 0;
    std::string input;
    unsigned arch = least_arch;
    std::string instance;  ///< what NVRTC is to instantiate: "reduce<128>", or the kernel's name
    std::vector<ArgumentPlan> plans;
    std::optional<trace::Dim3> bounded_block;  ///< where the guessed one does not fit the kernel's own bounds
    GuessedParts guessed;  ///< what neither the request nor the file states; arguments: ArgumentPlan::guessed
    std::uint64_t gap = execute::usual_gap;  ///< between buffers
    std::vector<trace::Buffer> buffers;
    std::vector<trace::Argument> arguments;
    std::map<std::string, std::vector<std::byte>> symbols;  ///< __constant__ variables that the file's lines set
    std::vector<std::string> notes;
};

[[nodiscard]] std::expected<Plan, Refusal> plan(const Request& request, const Guess& guess = {});

/// The plans that are buffers, structures' pointers among them: in the order of Plan::buffers.
[[nodiscard]] std::vector<const ArgumentPlan*> buffers_of(const std::vector<ArgumentPlan>& plans);
/// The bytes of one of the source's elements in the plan's buffer.
[[nodiscard]] std::uint64_t bytes_of_element(const ArgumentPlan& plan);

}  // namespace lanescope::session
