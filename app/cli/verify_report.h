// The results of `lanescope verify`, one line of JSON for each kernel and view, from the worker that uses the GPU to
// the process that reports.
#pragma once

#include "session/verification.h"
#include "timing/recording_header.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace lanescope::cli {

/// The first difference between the GPU and the emulator.
struct FirstDifference {
    std::uint32_t launch = 0, thread = 0;
    std::uint64_t block = 0;
    std::uint32_t line = 0, ptx_line = 0;  ///< of the source, 0: unknown; of the PTX
    std::uint64_t nth = 0;                 ///< earlier executions of this instruction by the thread
};

/// One kernel in one view, in words.
struct Verified {
    std::string kernel;
    std::string view;  ///< "written", "compiled"
    std::uint64_t n = 0, blocks = 0, launches = 0, compared = 0, replayed = 0, left_to_order = 0;
    std::uint32_t block = 0;
    std::string verdict;            ///< "agree", "differ", "skipped", "failed": the machine could not run it
    std::uint64_t early_tests = 0;  ///< as in session::Verification
    std::string why = {};           ///< a sentence, unless it agrees
    std::optional<FirstDifference> difference = {};
    std::vector<execute::Approximation> approximations = {};  ///< as in session::Verification
};
[[nodiscard]] Verified verified(const session::Verification& verification);

[[nodiscard]] nlohmann::ordered_json to_json(const Verified& verified);
[[nodiscard]] std::optional<Verified> verified_of(const nlohmann::json& json);

[[nodiscard]] std::string verify_text(const timing::RecordingHeader& on, const std::vector<Verified>& all);
[[nodiscard]] std::string verify_json(const timing::RecordingHeader& on, const std::vector<Verified>& all);

}  // namespace lanescope::cli
