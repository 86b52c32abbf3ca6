#include "session/verification.h"

#include "base/grouped.h"
#include "execute/emulator/rerun.h"
#include "ptx/reached.h"
#include "session/last_writes.h"
#include "session/multiprocessors.h"
#include "session/verdict.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::session {

namespace {

using execute::RecordComparison;
using execute::Recorded;
using execute::RecordedReplay;

/// Each begins with its .version (PTX ISA 11.1.1).
std::size_t units_of(std::string_view ptx) {
    std::size_t units = 0;
    for (std::size_t at = 0; at < ptx.size(); at = std::min(ptx.find('\n', at), ptx.size() - 1) + 1)
        units += ptx.substr(at).starts_with(".version") ? 1U : 0U;
    return units;
}

/// Why this run of the emulator cannot be compared with a machine; empty: it can.
std::string reason_against(const Run& run, std::uint64_t record_blocks) {
    const trace::Trace& trace = run.trace();
    const trace::Finding* const fault = first_fault(trace);
    if (fault != nullptr && !run.program.recipe.expected.fault.empty())
        return fmt::format("it demonstrates a fault ({}), and the effect of a fault is undefined",
                           run.program.recipe.expected.fault);
    if (fault != nullptr) return emulator_found(*fault);
    if (units_of(run.module().text) > 1)
        return "its device code has several translation units, which the GPU's driver loads only after a device linker";
    const auto not_kept = [](const trace::Buffer& buffer) { return buffer.initial.size() != buffer.bytes; };
    if (std::ranges::any_of(trace.buffers, not_kept)) return "a buffer was freed before a kernel used it";
    if (trace.is_cut_short()) return emulator_stopped;
    for (const trace::Launch& launch : trace.launches) {
        const ptx::Function* const kernel = run.module().find(launch.kernel);
        const ptx::Instruction* const access =
            kernel != nullptr ? ptx::first_texel_access(run.module(), *kernel) : nullptr;
        if (access != nullptr)
            return fmt::format("it accesses textures or surfaces (\"{}\"), whose objects exist in the emulator alone",
                               ptx::mnemonic(*access));
    }
    if (run.module().find("malloc") != nullptr) return "it allocates on the device, where addresses are undetermined";
    for (const trace::Launch& launch : trace.launches) {
        const std::uint64_t wanted = std::min(record_blocks, launch.grid.count());
        if (launch.wholly_recorded() < wanted)
            return fmt::format("the emulator's record of {} would be too large: choose a smaller n",
                               counted(wanted, "block"));
    }
    return {};
}

constexpr const char* order_unknown =
    "its result depends on the order of its blocks, and not all of them were recorded: record all blocks";

constexpr const char* approximations_unknown =
    "its results depend on approximate instructions, and not all blocks were recorded: record all blocks";

/// A difference that the PTX ISA does not bound cannot be judged. Empty: there is none.
std::string reason_for_unstated(const std::vector<execute::Approximation>& approximations) {
    for (const execute::Approximation& one : approximations)
        if (one.unstated > 0)
            return fmt::format(
                "{} of {} results of {} differ, and the PTX ISA states no error for their operands; "
                "everything computed from them agrees",
                grouped(one.unstated), grouped(one.results), one.instruction);
    return {};
}

bool any_differ(const std::vector<execute::Approximation>& approximations) {
    return std::ranges::any_of(approximations, [](const auto& one) { return one.differing > 0; });
}

bool is_partial(const trace::Trace& trace) { return !trace.all_recorded(); }

/// Runs the emulator again, with the values that the machine read.
Result<std::shared_ptr<const trace::Trace>> follow(const Run& run, RecordedReplay& replay, const Recorded& recorded,
                                                   std::uint64_t record_blocks, Progress& progress) {
    execute::Program program = execute::rerun_of(run.trace(), run.module());
    program.replay = &replay;
    std::uint64_t entries = 0;
    for (const execute::LaunchLog& launch : recorded.launches)
        for (const execute::ThreadLog& log : launch.logs) entries += log.size();
    // A waiting loop iterates as often as on the machine, and each iteration logs something.
    constexpr std::uint64_t instructions_of_entry = 64;
    const std::uint64_t budget = 4 * run.trace().totals().warp_instructions + instructions_of_entry * entries;
    execute::Limits limits{.record_blocks = record_blocks, .warp_instructions = budget};
    limits.multiprocessors = multiprocessors_of(run.request, run.program.recipe);
    return execute::emulate(run.module(), program, limits, progress);
}

/// The first difference of the final buffers, in words; empty: none, apart from differences that the order of atomics
/// allows.
std::string memory_difference(const trace::Trace& trace, const LastWrites& last, const Recorded& recorded,
                              const RecordedReplay* replay, std::uint64_t& left_to_order) {
    for (std::size_t i = 0; i < trace.buffers.size(); ++i) {
        const trace::Buffer& buffer = trace.buffers[i];
        const std::vector<std::byte>& found = recorded.buffers[i];
        if (found == buffer.final || found.empty()) continue;
        for (std::size_t at = 0; at < buffer.final.size(); ++at) {
            if (found[at] == buffer.final[at] || last.cover(i, at)) continue;
            if (replay != nullptr && replay->is_undetermined(buffer.address + at)) {
                ++left_to_order;
                continue;
            }
            const std::size_t element = at / trace::bytes_of(buffer.element);
            return fmt::format("the final {}[{}] is {} and should be {}", buffer.name, element,
                               trace::text_of(buffer.element, trace::bits_at(buffer.element, found, element)),
                               trace::text_of(buffer.element, trace::bits_at(buffer.element, buffer.final, element)));
        }
    }
    return {};
}

/// The trace to save: the machine's, with the emulator's registers.
std::shared_ptr<const trace::Trace> as_recorded(const trace::Trace& trace, const LastWrites& last,
                                                const Recorded& recorded, const Verifier& verifier,
                                                const Verification& verification) {
    auto kept = std::make_shared<trace::Trace>(trace);
    kept->origin.machine = trace::Machine::gpu;
    kept->origin.device = verifier.on.device;
    for (std::size_t i = 0; i < kept->buffers.size(); ++i)
        if (!recorded.buffers[i].empty()) kept->buffers[i].final = last.after(i, recorded.buffers[i]);
    kept->notes.push_back(
        fmt::format("Recorded on {}, by `{}`: {}, barriers and branches agree with the "
                    "emulator's, which gives the registers.",
                    verifier.on.text(), verifier.on.command, counted(verification.entries, "access")));
    if (verification.replayed > 0) {
        kept->notes.push_back(
            fmt::format("{} of these values depend on the order of blocks and warps; the emulator took them from the "
                        "GPU.",
                        grouped(verification.replayed)));
    }
    for (const execute::Approximation& one : verification.approximations) {
        if (one.differing == 0) continue;
        kept->notes.push_back(fmt::format("{}; the emulator took them from the GPU.", text_of(one)));
    }
    return kept;
}

}  // namespace

Result<Verification> verify(const Request& request, const Verifier& verifier, Progress& progress) {
    Verification result{.program = request.program, .view = request.view};
    Request whole = request;
    whole.record_blocks = verifier.record_blocks;
    const auto answer = run(whole, progress);
    if (!answer) {
        if (answer.error().field == "cancelled") return std::unexpected(answer.error().problem);
        result.why = answer.error().problem.message();
        return result;
    }
    const Run& run = **answer;
    const trace::Trace& trace = run.trace();
    result.program = run.program.name;
    result.n = run.n;
    result.block = run.block;
    result.launches = trace.launches.size();
    for (const trace::Launch& launch : trace.launches) result.blocks += launch.recorded.size();
    if (result.why = reason_against(run, verifier.record_blocks); !result.why.empty()) return result;

    const auto rewritten = execute::rewrite(run.module());
    if (!rewritten) return std::unexpected(rewritten.error());
    auto machine = verifier.open(trace, run.module(), *rewritten);
    if (!machine) return std::unexpected(machine.error());
    const execute::RecordingRange range{.blocks = verifier.record_blocks};
    const auto recorded = execute::record(**machine, trace, run.module(), *rewritten, range);
    if (!recorded) return std::unexpected(recorded.error());
    result.log_bytes = recorded->log_bytes;

    const auto compare_with = [&](const trace::Trace& emulated) {
        return execute::compare(execute::expected_logs(emulated, *rewritten, range), *recorded, *rewritten,
                                run.module());
    };
    const LastWrites last(trace);
    RecordComparison comparison = compare_with(trace);
    std::string memory = memory_difference(trace, last, *recorded, nullptr, result.left_to_order);
    const trace::Trace* emulated = &trace;
    std::shared_ptr<const trace::Trace> followed;
    if (comparison.first || !memory.empty()) {
        RecordedReplay replay(*recorded, *rewritten);
        const bool undecided = is_partial(trace) && replay.any();
        auto replayed = follow(run, replay, *recorded, verifier.record_blocks, progress);
        if (!replayed && (!undecided || progress.cancelled())) return std::unexpected(replayed.error());
        if (!replayed) {
            result.why = order_unknown;
            return result;
        }
        followed = std::move(*replayed);
        emulated = followed.get();
        comparison = compare_with(*followed);
        memory = memory_difference(*followed, last, *recorded, &replay, result.left_to_order);
        if (any_differ(replay.approximations())) result.approximations = replay.approximations();
        const bool depends = undecided || (is_partial(trace) && !result.approximations.empty());
        if (depends && (comparison.first || !memory.empty())) {
            result.why = undecided ? order_unknown : approximations_unknown;
            return result;
        }
        result.replayed = replay.replayed();
    }
    result.entries = comparison.entries;
    result.early_tests = comparison.early_tests;
    if (comparison.first && comparison.first->at_early_test) {
        result.why = fmt::format(
            "it tests an mbarrier (`{}`) and does something else where it is early, which is a "
            "question of time",
            comparison.first->instruction);
        return result;
    }
    if (!comparison.first && memory.empty()) {
        if (result.why = reason_for_unstated(result.approximations); !result.why.empty()) return result;
    }
    result.difference = comparison.first;
    result.why = memory;
    const bool same = !comparison.first && memory.empty();
    result.verdict = same ? Verification::Verdict::agree : Verification::Verdict::differ;
    if (same) result.recorded = as_recorded(*emulated, last, *recorded, verifier, result);
    return result;
}

}  // namespace lanescope::session
