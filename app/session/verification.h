// Runs a program on the emulator and on a real machine, and compares them, thread by thread and access by access.
//
// Where the order of accesses is not determined (an atomic's old value, a ticket, a flag that is polled) the emulator
// runs once more with the machine's values; everything else is still compared. So it does with the results of
// approximate instructions, once each is found to be within the error that the PTX ISA states for it. Where not all
// blocks were recorded, the effects of the others are unknown: then a difference that depends on the order, or on such
// a result, is not a verdict.
#pragma once

#include "execute/gpu/record_compare.h"
#include "session/run.h"
#include "timing/recording_header.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace lanescope::session {

struct Verification {
    enum class Verdict : std::uint8_t { agree, differ, skipped };

    std::string program;
    trace::View view = trace::View::written;
    std::uint64_t n = 0;
    std::uint32_t block = 0;   ///< threads
    std::uint64_t blocks = 0;  ///< recorded, of all launches
    std::uint64_t launches = 0;
    Verdict verdict = Verdict::skipped;
    std::string why;                  ///< why it was skipped, or how the final memory differs; a sentence
    std::uint64_t entries = 0;        ///< compared: accesses, barriers, branches, values from other lanes
    std::uint64_t replayed = 0;       ///< of these, reads that the emulator replayed
    std::uint64_t left_to_order = 0;  ///< bytes of final memory that differ only by the order of atomics
    /// Results of approximate instructions; empty where all are equal.
    std::vector<execute::Approximation> approximations;
    std::uint64_t log_bytes = 0;
    std::uint64_t early_tests = 0;  ///< of mbarriers whose phase was not complete, on both machines: not compared
    std::optional<execute::RecordDifference> difference;
    /// The execution on the machine, as the emulator's trace of it; null where they differ.
    std::shared_ptr<const trace::Trace> recorded;
};

/// The machine to verify with, and its description.
struct Verifier {
    timing::RecordingHeader on;
    /// For one program: ready to run the rewritten PTX.
    std::function<Result<std::unique_ptr<execute::RecordingMachine>>(
        const trace::Trace& trace, const ptx::Module& module, const execute::Rewritten& rewritten)>
        open;
    /// Blocks of each launch that are recorded and compared, the first ones; as many as there are otherwise.
    std::uint64_t record_blocks = ~std::uint64_t{0};
};

/// Fails where the machine does; a program that cannot be verified is skipped, with the reason.
[[nodiscard]] Result<Verification> verify(const Request& request, const Verifier& verifier, Progress& progress);

}  // namespace lanescope::session
