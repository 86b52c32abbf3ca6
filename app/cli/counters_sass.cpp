#include "cli/counters_sass.h"

#include "analysis/costs.h"
#include "analysis/source/source_line.h"
#include "base/demangle.h"
#include "base/grouped.h"
#include "cli/gpu_commands.h"
#include "model/device_limits.h"
#include "ptx/access.h"
#include "sass/accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <map>
#include <optional>
#include <tuple>

namespace lanescope::cli {

namespace {

using session::DifferenceCause;
using timing::Counters;

constexpr std::size_t most_citations = 8;  // of a counter

/// A compared counter, and the emulator's count of it by line.
struct LineCounter {
    std::uint64_t Counters::*place;
    std::uint64_t trace::Counts::*by_line;
    const char* words;
};
constexpr std::array line_counters{
    LineCounter{&Counters::shared_load_wavefronts, &trace::Counts::shared_load_wavefronts,
                "wavefronts of shared loads"},
    LineCounter{&Counters::shared_store_wavefronts, &trace::Counts::shared_store_wavefronts,
                "wavefronts of shared stores"},
    LineCounter{&Counters::shared_atomic_wavefronts, &trace::Counts::shared_atomic_wavefronts,
                "wavefronts of shared atomics"},
    LineCounter{&Counters::global_load_sectors, &trace::Counts::global_load_sectors, "sectors of global loads"},
    LineCounter{&Counters::global_store_sectors, &trace::Counts::global_store_sectors, "sectors of global stores"},
    LineCounter{&Counters::global_atomic_sectors, &trace::Counts::global_atomic_sectors, "sectors of global atomics"},
};

/// Collects the evidence of one kernel.
class Evidence {
  public:
    Evidence(const ComparedCounters& one, DifferenceCause cause, const session::Run& run, const sass::Listing& listing)
        : cause_(cause),
          run_(run),
          listing_(listing),
          here_(one.emulator()),
          there_(one.hardware()),
          by_line_(analysis::access_counts(run.trace(), run.module())),
          accesses_(sass::accesses(listing)),
          changed_(sass::changed_accesses(listing, run.module())) {
        partial_ = !run.trace().all_recorded();
        const std::uint32_t own = analysis::own_file(run.module());
        for (const ptx::Function& function : run.module().functions)
            for (const ptx::Instruction& instruction : function.instructions)
                source_lines_[instruction.line] = analysis::source_line_of(run.module(), instruction, own);
    }

    SassEvidence operator()() {
        if (cause_ == DifferenceCause::arbitration) evidence_.supports_cause = true;  // SASS cannot show it
        if (partial_) say("the emulator's counts by line are of the recorded blocks alone");
        bool any = false;
        for (const LineCounter& counter : line_counters) {
            if (here_.*counter.place == there_.*counter.place) continue;
            any = true;
            cite(counter);
        }
        // Only the conflicts differ: cite changed accesses, which may have other conflicts.
        for (std::size_t i = 0; !any && i < 2; ++i) cite_changed(line_counters.at(i), true);
        if (evidence_.citations.empty()) say("no access is merged, removed, wider or narrower in this SASS");
        return std::move(evidence_);
    }

  private:
    void say(std::string text) { evidence_.citations.push_back(std::move(text)); }
    void support(DifferenceCause cause) { evidence_.supports_cause = evidence_.supports_cause || cause_ == cause; }

    std::uint64_t at(PtxLine line, std::uint64_t trace::Counts::*place) const {
        const auto found = by_line_.find(line);
        return found == by_line_.end() ? 0 : found->second.*place;
    }

    /// "PTX line 86 (source line 16)"
    std::string place_of(PtxLine line) const {
        const auto found = source_lines_.find(line);
        if (found == source_lines_.end() || found->second == 0) return fmt::format("PTX line {}", line.value);
        return fmt::format("PTX line {} (source line {})", line.value, found->second);
    }

    /// "ATOM.E.ADD at 0090 of __iAtomicAdd"
    static std::string name_of(const sass::Access& access) {
        return fmt::format("{} at {:04x} of {}", access.opcode, access.address, source_name_of(access.function));
    }

    void list(const char* words, const std::vector<std::string>& found) {
        for (std::size_t i = 0; i < std::min(found.size(), most_citations); ++i)
            say(fmt::format("{}: {}", words, found[i]));
        if (found.size() > most_citations) say(fmt::format("{}: {} more", words, found.size() - most_citations));
    }

    void cite(const LineCounter& counter) {
        const std::size_t before = evidence_.citations.size();
        const bool more = there_.*counter.place > here_.*counter.place;
        cite_changed(counter, !more);
        if (counter.place == &Counters::global_load_sectors || counter.place == &Counters::global_atomic_sectors)
            cite_waiting(counter);
        if (counter.place == &Counters::shared_atomic_wavefronts || counter.place == &Counters::shared_load_wavefronts)
            cite_swap_loops(counter, more);
        if (counter.place == &Counters::shared_atomic_wavefronts && more) cite_generic_atomics(counter);
        if ((counter.place == &Counters::shared_load_wavefronts ||
             counter.place == &Counters::shared_store_wavefronts) &&
            more)
            cite_generic_accesses(counter);
        if (counter.place == &Counters::shared_store_wavefronts && !more)
            cite_uncounted(counter, {"LDGSTS"},
                           "copies to shared memory; the hardware does not count it as a shared store");
        if (counter.place == &Counters::shared_atomic_wavefronts && !more)
            cite_uncounted(counter, {"SYNCS", "ARRIVES"},
                           "works on an mbarrier; the hardware does not count it as a shared atomic");
        if (counter.place == &Counters::shared_atomic_wavefronts && more) cite_separate_additions(counter);
        if (!more) cite_early_meeting(counter);
        if (evidence_.citations.size() != before) return;
        const std::uint64_t conflicts = further_conflicts(counter);
        if (more && conflicts == there_.*counter.place - here_.*counter.place)
            say(fmt::format("{}: the {} more are {} more: arbitration between warps, which SASS does not show",
                            counter.words, grouped(conflicts), counted(conflicts, "conflict")));
        else
            say(fmt::format("{}: this SASS shows no cause{}", counter.words,
                            partial_ ? " in the recorded blocks" : ""));
    }

    /// The shared loads' or stores' conflicts of the hardware beyond the emulator's; 0 where they were not counted.
    [[nodiscard]] std::uint64_t further_conflicts(const LineCounter& counter) const {
        const auto place = counter.place == &Counters::shared_load_wavefronts    ? &Counters::shared_load_conflicts
                           : counter.place == &Counters::shared_store_wavefronts ? &Counters::shared_store_conflicts
                                                                                 : nullptr;
        if (place == nullptr) return 0;
        const std::uint64_t there = (there_.*place).value_or(0), here = (here_.*place).value_or(0);
        return there > here ? there - here : 0;
    }

    /// Removed accesses explain smaller counts; merged, narrower and wider ones smaller or larger counts.
    void cite_changed(const LineCounter& counter, bool fewer) {
        std::vector<std::string> found;
        std::uint64_t removed = 0;
        bool wider = false;
        for (const sass::ChangedAccess& access : changed_) {
            const std::uint64_t count = at(access.line, counter.by_line);
            const bool is_removed = access.kind == sass::ChangedAccess::Kind::removed;
            if (count == 0 || access.kind == sass::ChangedAccess::Kind::predicated || (is_removed && !fewer)) continue;
            if (is_removed) removed += count;
            wider = wider || !is_removed;
            found.push_back(fmt::format("{}, where the emulator counts {}: {}", place_of(access.line), grouped(count),
                                        access.what));
        }
        if (found.empty()) return;
        support(DifferenceCause::compiler);
        support(DifferenceCause::widths);
        list(counter.words, found);
        const std::uint64_t here = here_.*counter.place, there = there_.*counter.place;
        // Counts by line cover the recorded blocks only, so they cannot explain a difference over all blocks.
        if (removed == 0 || here <= there || partial_) return;
        if (removed == here - there && !wider)
            say(fmt::format("{}: these {} are the difference", counter.words, grouped(removed)));
        else
            say(fmt::format(
                "{}: at lines without an access of their own the emulator counts {}; the hardware counts {} fewer",
                counter.words, grouped(removed), grouped(here - there)));
    }

    /// Float adds and 64-bit atomics in shared memory. Another warp causes more rounds; a minimum or maximum that does
    /// not change the word causes fewer.
    void cite_swap_loops(const LineCounter& counter, bool more) {
        std::vector<std::string> found;
        for (const sass::Access& access : accesses_) {
            const std::uint64_t count = at(access.line, counter.by_line);
            if (count == 0 || access.opcode.find(".CAST.SPIN") == std::string::npos) continue;
            found.push_back(fmt::format("{}, where the emulator counts {}: {} loops {}", place_of(access.line),
                                        grouped(count), name_of(access),
                                        more ? "again where another warp has changed the word since the load"
                                             : "only for lanes that change the word"));
        }
        if (found.empty()) return;
        support(DifferenceCause::swap_loops);
        list(counter.words, found);
    }

    /// Atomics, and loads of memory that other threads write, in a loop.
    void cite_waiting(const LineCounter& counter) {
        std::vector<std::string> found;
        for (const sass::Access& access : accesses_) {
            if (at(access.line, counter.by_line) == 0 || !(access.atomic || access.strong)) continue;
            const auto loop = sass::loop_around(listing_, access);
            if (!loop) continue;
            const std::string inside = loop->function == access.function
                                           ? fmt::format("in the loop from {:04x} to {:04x}", loop->first, loop->last)
                                           : fmt::format("called in the loop of {} from {:04x} to {:04x}",
                                                         source_name_of(loop->function), loop->first, loop->last);
            found.push_back(fmt::format("{}: {}, {}", place_of(access.line), name_of(access), inside));
        }
        if (found.empty()) return;
        support(DifferenceCause::waiting);
        list(counter.words, found);
    }

    /// "BSSY B0, `(.L_x_0)" -> "BSSY"; without its guard.
    static std::string_view opcode_of(const sass::Instruction& instruction) {
        std::string_view text = instruction.text;
        if (text.starts_with('@')) text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
        return text.substr(0, text.find(' '));
    }

    /// Instructions that the emulator counts at their line, and that no compared hardware counter includes.
    void cite_uncounted(const LineCounter& counter, std::initializer_list<std::string_view> opcodes, const char* why) {
        std::vector<std::string> found;
        std::map<PtxLine, std::uint64_t> counts;
        for (const sass::Function& function : listing_.functions) {
            for (const sass::Instruction& instruction : function.instructions) {
                const std::string_view opcode = opcode_of(instruction);
                const std::uint64_t count = at(instruction.line, counter.by_line);
                const auto begins = [&](std::string_view name) { return opcode.starts_with(name); };
                if (count == 0 || std::ranges::none_of(opcodes, begins)) continue;
                if (!counts.emplace(instruction.line, count).second) continue;
                found.push_back(fmt::format("{}, where the emulator counts {}: {} at {:04x} of {} {}",
                                            place_of(instruction.line), grouped(count), opcode, instruction.address,
                                            source_name_of(function.name), why));
            }
        }
        if (found.empty()) return;
        list(counter.words, found);
        std::uint64_t sum = 0;
        for (const auto& [line, count] : counts) sum += count;
        const std::uint64_t fewer = here_.*counter.place - there_.*counter.place;
        if (partial_) return;
        say(sum == fewer ? fmt::format("{}: these {} are the difference", counter.words, grouped(sum))
                         : fmt::format("{}: these are {}, and the hardware counts {} fewer", counter.words,
                                       grouped(sum), grouped(fewer)));
    }

    /// ptxas turns additions of 1 whose result is unused into a population count of the lanes with the same word, but
    /// not at -O0.
    void cite_separate_additions(const LineCounter& counter) {
        std::vector<std::string> found;
        for (const ptx::Function& function : run_.module().functions) {
            for (const ptx::Instruction& instruction : function.instructions) {
                if (instruction.action() != ptx::Action::atomic ||
                    ptx::access_of_atomic(function, instruction) != model::Access::atomic_add_one)
                    continue;
                const std::uint64_t count = at(instruction.line, counter.by_line);
                for (const sass::Access& access : accesses_) {
                    if (count == 0 || access.line != instruction.line || !access.atomic ||
                        access.opcode.find("POPC") != std::string::npos)
                        continue;
                    found.push_back(fmt::format(
                        "{}, where the emulator counts {}: {} adds lane after lane; the emulator's count is "
                        "of ATOMS.POPC.INC, which counts the lanes that add 1 to a word and adds once",
                        place_of(instruction.line), grouped(count), name_of(access)));
                }
            }
        }
        list(counter.words, found);
    }

    /// The emulator reconverges at the immediate post-dominator. ptxas may place an earlier reconvergence point (BSYNC)
    /// for the paths that reach it, and removes the lanes of other paths from the barrier (BREAK). The code after it is
    /// then executed once by the hardware, and once for each path by the emulator.
    void cite_early_meeting(const LineCounter& counter) {
        std::vector<std::string> found;
        for (const sass::Access& access : accesses_) {
            const std::uint64_t count = at(access.line, counter.by_line);
            if (count == 0 || !executed_in_parts(access.line)) continue;
            const sass::Function* const function = listing_.function(access.function);
            if (function == nullptr) continue;
            const sass::Instruction* meeting = nullptr;
            for (const sass::Instruction& instruction : function->instructions) {
                if (instruction.address >= access.address) break;
                const std::string_view opcode = opcode_of(instruction);
                if (opcode == "BSYNC") meeting = &instruction;
                if (opcode == "BRA" || opcode == "EXIT" || opcode == "RET") meeting = nullptr;
            }
            if (meeting == nullptr) continue;
            const std::string barrier = meeting->text.substr(meeting->text.rfind(' ') + 1);
            const auto leaves = [&](const sass::Instruction& instruction) {
                return opcode_of(instruction) == "BREAK" && instruction.text.ends_with(" " + barrier);
            };
            if (std::ranges::none_of(function->instructions, leaves)) continue;
            found.push_back(
                fmt::format("{}, where the emulator counts {}: {} follows BSYNC {} at {:04x}, where lanes meet before "
                            "the immediate post-dominator; the emulator's execute it in parts",
                            place_of(access.line), grouped(count), name_of(access), barrier, meeting->address));
        }
        list(counter.words, found);
    }

    /// Whether disjoint sets of lanes of a warp execute the line one after the other, without a block barrier between.
    [[nodiscard]] bool executed_in_parts(PtxLine line) const {
        std::map<std::tuple<std::uint32_t, std::uint64_t, std::uint32_t, std::uint32_t>, LaneMask> before;
        for (const trace::Step& step : run_.trace().steps()) {
            if (step.line != line || step.executed.none()) continue;
            LaneMask& lanes = before[{step.launch, step.block.value, step.warp.value, step.epoch}];
            if (lanes.any() && (lanes & step.executed).none()) return true;
            lanes |= step.executed;
        }
        return false;
    }

    void cite_generic_atomics(const LineCounter& counter) {
        std::vector<std::string> found;
        for (const sass::Access& access : accesses_) {
            const std::uint64_t times = at(access.line, &trace::Counts::global_atomic_instructions);
            if (times == 0 || !access.atomic || !access.generic) continue;
            found.push_back(fmt::format("{}: {} is generic; the emulator executes the line {}, on global memory",
                                        place_of(access.line), name_of(access), counted(times, "time")));
        }
        if (found.empty()) return;
        support(DifferenceCause::generic_atomics);
        list(counter.words, found);
    }

    void cite_generic_accesses(const LineCounter& counter) {
        std::vector<std::string> found;
        for (const sass::Access& access : accesses_) {
            const std::uint64_t count = at(access.line, counter.by_line);
            if (count == 0 || access.atomic || !access.generic) continue;
            found.push_back(fmt::format("{}, where the emulator counts {}: {} is generic", place_of(access.line),
                                        grouped(count), name_of(access)));
        }
        if (found.empty()) return;
        support(DifferenceCause::generic_accesses);
        list(counter.words, found);
    }

    DifferenceCause cause_;
    const session::Run& run_;
    const sass::Listing& listing_;
    Counters here_, there_;
    bool partial_ = false;  // blocks are not recorded
    std::map<PtxLine, trace::Counts> by_line_;
    std::map<PtxLine, std::uint32_t> source_lines_;
    std::vector<sass::Access> accesses_;
    std::vector<sass::ChangedAccess> changed_;
    SassEvidence evidence_;
};

/// The compute capability of a GPU by its name; for an unknown name that of the emulated device.
unsigned arch_of(std::string_view device) {
    const model::GpuModel* gpu = model::gpu_model_of(device);
    return gpu != nullptr && gpu->capability >= sass::arches().front() ? gpu->capability : sass::usual_arch();
}

Result<sass::Listing> listing_of(const ComparedCounters& one, const session::Run& run, unsigned arch,
                                 Progress& progress) {
    return sass::disassemble(run.trace().origin.ptx, arch, progress,
                             one.emulated.trial.optimized ? sass::Optimization::usual : sass::Optimization::none);
}

}  // namespace

SassEvidence sass_evidence(const ComparedCounters& one, DifferenceCause cause, const session::Run& run,
                           const sass::Listing& listing) {
    return Evidence(one, cause, run, listing)();
}

std::string cite_sass(std::string_view device, const CountersOptions& options, std::vector<ComparedCounters>& all,
                      Progress& progress) {
    const auto differs = [](const ComparedCounters& one) { return !one.counted.empty() && !one.equal(); };
    if (std::ranges::none_of(all, differs)) return {};
    if (const auto found = sass::tools_found(); !found)
        return fmt::format("No instruction is cited: {}. {}", found.error().what, found.error().remedy);
    const unsigned arch = arch_of(device);
    std::string tools;
    for (ComparedCounters& one : all) {
        if (!differs(one) || progress.cancelled()) continue;
        const EmulatedCounts& emulated = one.emulated;
        session::Request request = usual_request(options.sizes, emulated.trial.program, emulated.trial.view);
        request.n = emulated.n;
        request.block = emulated.block;
        request.block_extent.reset();
        request.input = emulated.input;
        const auto run = session::run(request, progress);
        if (!run) {
            one.sass =
                SassEvidence{.supports_cause = true,
                             .citations = {"no instruction is cited, because the kernel did not run in the emulator: " +
                                           run.error().problem.message()}};
            continue;
        }
        const auto listing = listing_of(one, **run, arch, progress);
        if (!listing) {
            one.sass = SassEvidence{.supports_cause = true,
                                    .citations = {"no instruction is cited: " + listing.error().message()}};
            continue;
        }
        one.sass = sass_evidence(one, cause_of(one, all), **run, *listing);
        tools = fmt::format(
            "SASS is for sm_{}, assembled by {}, disassembled by {}, and cited by address; the driver's own assembler "
            "may differ.",
            arch, listing->assembler, listing->disassembler);
    }
    return tools;
}

}  // namespace lanescope::cli
