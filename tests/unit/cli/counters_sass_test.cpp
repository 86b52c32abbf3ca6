// Evidence of the machine code for counters that differ: from listings made up from the PTX of built-in kernels, access
// by access, and from the tools' own where they are installed.
#include "cli/counters_sass.h"

#include "analysis/costs.h"
#include "cli/gpu_commands.h"
#include "session/run.h"
#include "unit/cli/command_answer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <functional>

namespace lanescope::cli {
namespace {

using session::DifferenceCause;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::shared_ptr<const session::Run> run_of(const std::string& program, trace::View view) {
    Progress progress;
    const auto run = session::run(usual_request({}, program, view), progress);
    EXPECT_TRUE(run.has_value());
    return run ? *run : nullptr;
}

/// A listing with one SASS access of the same width for each PTX access; `text_of` may change or remove its text.
sass::Listing listing_of(const session::Run& run, const std::function<std::string(PtxLine, std::string)>& text_of) {
    sass::Listing listing{.arch = 90, .assembler = "ptxas", .disassembler = "nvdisasm", .functions = {}};
    for (const ptx::Function& function : run.module().functions) {
        sass::Function& made = listing.functions.emplace_back();
        made.name = function.name;
        std::uint32_t address = 0;
        for (const ptx::Instruction& instruction : function.instructions) {
            const bool load = instruction.action() == ptx::Action::load;
            if (!load && instruction.action() != ptx::Action::store && instruction.action() != ptx::Action::atomic)
                continue;
            const ptx::Space space = instruction.modifiers.space;
            const std::string opcode = instruction.action() == ptx::Action::atomic ? "ATOMG"
                                       : space == ptx::Space::shared               ? (load ? "LDS" : "STS")
                                       : space == ptx::Space::global               ? (load ? "LDG" : "STG")
                                                                                   : "";
            const std::string text = text_of(instruction.line, opcode);
            if (!text.empty())
                made.instructions.push_back({.address = address, .line = instruction.line, .text = text});
            address += 16;
        }
    }
    return listing;
}

ComparedCounters compared_of(const session::Run& run, trace::View view,
                             const std::function<void(timing::Counters&)>& change) {
    ComparedCounters compared;
    compared.emulated.trial = {.program = run.trace().origin.program, .view = view, .optimized = true};
    compared.emulated.take(run);
    compared.counted = compared.emulated.launches;
    change(compared.counted.front());
    return compared;
}

/// The lines whose shared loads the emulator counts.
std::vector<PtxLine> lines_of_shared_loads(const session::Run& run) {
    std::vector<PtxLine> lines;
    for (const ptx::Function& function : run.module().functions)
        for (const ptx::Instruction& instruction : function.instructions)
            if (instruction.action() == ptx::Action::load && instruction.modifiers.space == ptx::Space::shared)
                lines.push_back(instruction.line);
    return lines;
}

TEST(SassEvidence, CitesTheLoadThatTheSassLacksAndItsShareOfTheDifference) {
    const auto run = run_of("scan/double-buffered", trace::View::compiled);
    ASSERT_NE(run, nullptr);
    const std::vector<PtxLine> loads = lines_of_shared_loads(*run);
    ASSERT_GE(loads.size(), 2U);
    const PtxLine removed = loads.front();
    const sass::Listing listing =
        listing_of(*run, [&](PtxLine line, std::string text) { return line == removed ? std::string() : text; });
    const ComparedCounters one = compared_of(*run, trace::View::compiled,
                                             [](timing::Counters& counters) { counters.shared_load_wavefronts -= 1; });
    const SassEvidence evidence = sass_evidence(one, DifferenceCause::compiler, *run, listing);
    EXPECT_TRUE(evidence.supports_cause);
    EXPECT_THAT(
        evidence.citations,
        Contains(AllOf(HasSubstr(fmt::format("wavefronts of shared loads: PTX line {} (source line ", removed.value)),
                       HasSubstr("the line table names no access: LDS at "), HasSubstr("loads the same bytes"))));
    EXPECT_THAT(evidence.citations, Contains(HasSubstr("the hardware counts 1 fewer")));
}

TEST(SassEvidence, ClaimsNoCauseThatTheSassDoesNotShow) {
    const auto run = run_of("scan/double-buffered", trace::View::compiled);
    ASSERT_NE(run, nullptr);
    const sass::Listing listing = listing_of(*run, [](PtxLine, std::string text) { return text; });
    for (const auto cause : {DifferenceCause::compiler, DifferenceCause::waiting, DifferenceCause::widths,
                             DifferenceCause::generic_atomics, DifferenceCause::generic_accesses}) {
        const ComparedCounters one = compared_of(
            *run, trace::View::compiled, [](timing::Counters& counters) { counters.shared_load_wavefronts += 1; });
        const SassEvidence evidence = sass_evidence(one, cause, *run, listing);
        EXPECT_FALSE(evidence.supports_cause);
        EXPECT_THAT(evidence.citations, ElementsAre("wavefronts of shared loads: this SASS shows no cause"));
    }
}

TEST(SassEvidence, TakesStoresThatOnlyHaveMoreConflictsForArbitration) {
    const auto run = run_of("scan/double-buffered", trace::View::compiled);
    ASSERT_NE(run, nullptr);
    const sass::Listing listing = listing_of(*run, [](PtxLine, std::string text) { return text; });
    const ComparedCounters one = compared_of(*run, trace::View::compiled, [](timing::Counters& counters) {
        counters.shared_store_wavefronts += 2;
        counters.shared_store_conflicts = counters.shared_store_conflicts.value_or(0) + 2;
    });
    EXPECT_THAT(sass_evidence(one, DifferenceCause::arbitration, *run, listing).citations,
                ElementsAre("wavefronts of shared stores: the 2 more are 2 conflicts more: arbitration between warps, "
                            "which SASS does not show"));
}

TEST(SassEvidence, DoesNotTakeARemovedLoadForTheCauseOfMore) {
    const auto run = run_of("scan/double-buffered", trace::View::compiled);
    ASSERT_NE(run, nullptr);
    const PtxLine removed = lines_of_shared_loads(*run).front();
    const sass::Listing listing =
        listing_of(*run, [&](PtxLine line, std::string text) { return line == removed ? std::string() : text; });
    const ComparedCounters one = compared_of(*run, trace::View::compiled,
                                             [](timing::Counters& counters) { counters.shared_load_wavefronts += 1; });
    EXPECT_FALSE(sass_evidence(one, DifferenceCause::compiler, *run, listing).supports_cause);
}

TEST(SassEvidence, CitesGenericAtomicsOnGlobalMemory) {
    const auto run = run_of("reduce/atomic", trace::View::compiled);
    ASSERT_NE(run, nullptr);
    const sass::Listing listing = listing_of(*run, [](PtxLine, std::string text) {
        return text == "ATOMG" ? std::string("ATOM.E.ADD.STRONG.GPU PT, R4, [R4], R6") : text;
    });
    const ComparedCounters one = compared_of(
        *run, trace::View::compiled, [](timing::Counters& counters) { counters.shared_atomic_wavefronts += 1; });
    const SassEvidence evidence = sass_evidence(one, DifferenceCause::generic_atomics, *run, listing);
    EXPECT_TRUE(evidence.supports_cause);
    EXPECT_THAT(evidence.citations, Contains(AllOf(HasSubstr("ATOM.E.ADD.STRONG.GPU at "), HasSubstr("is generic"))));
}

TEST(SassEvidence, CitesCopiesThatTheHardwareDoesNotCountAsStores) {
    const auto run = run_of("reduce/copy-ahead", trace::View::compiled);
    ASSERT_NE(run, nullptr);
    std::uint64_t copied = 0;
    const auto counts = analysis::access_counts(run->trace(), run->module());
    sass::Listing listing = listing_of(*run, [](PtxLine, std::string text) { return text; });
    for (const ptx::Function& function : run->module().functions) {
        for (const ptx::Instruction& instruction : function.instructions) {
            if (instruction.action() != ptx::Action::copy) continue;
            copied += counts.at(instruction.line).shared_store_wavefronts;
            listing.functions.front().instructions.push_back(
                {.address = 4096, .line = instruction.line, .text = "@!P0 LDGSTS.E [R7], desc[UR8][R2.64]"});
        }
    }
    ASSERT_GT(copied, 0U);
    const ComparedCounters one = compared_of(
        *run, trace::View::compiled, [&](timing::Counters& counters) { counters.shared_store_wavefronts -= copied; });
    const SassEvidence evidence = sass_evidence(one, DifferenceCause::none, *run, listing);
    EXPECT_THAT(evidence.citations,
                Contains(AllOf(HasSubstr("LDGSTS.E at "), HasSubstr("does not count it as a shared store"))));
    EXPECT_THAT(evidence.citations,
                Contains(fmt::format("wavefronts of shared stores: these {} are the difference", copied)));
}

TEST(SassEvidence, CitesAStoreWhereLanesMeetBeforeThePostDominator) {
    const auto run = run_of("apply/arg-max", trace::View::compiled);
    ASSERT_NE(run, nullptr);
    // As ptxas generates it: a barrier that lanes leave, and lanes meet before the stores of the larger pair.
    sass::Listing listing = listing_of(*run, [](PtxLine, std::string text) { return text; });
    auto& code = listing.functions.front().instructions;
    const auto stores = [](const sass::Instruction& instruction) { return instruction.text.starts_with("STS"); };
    auto last = std::find_if(code.rbegin(), code.rend(), stores).base() - 1;
    const auto cited = [&](const sass::Listing& of) {
        const ComparedCounters one = compared_of(
            *run, trace::View::compiled, [](timing::Counters& counters) { counters.shared_store_wavefronts -= 1; });
        return sass_evidence(one, DifferenceCause::none, *run, of).citations;
    };
    EXPECT_THAT(cited(listing), Not(Contains(HasSubstr("BSYNC"))));
    const std::uint32_t place = last->address;
    code.insert(last, {.address = place - 1, .line = {}, .text = "BSYNC B1"});
    EXPECT_THAT(cited(listing), Not(Contains(HasSubstr("BSYNC")))) << "no lane leaves the barrier";
    code.insert(code.begin(), {.address = 0, .line = {}, .text = "@P0 BREAK B1"});
    EXPECT_THAT(cited(listing), Contains(AllOf(HasSubstr("STS at "), HasSubstr("follows BSYNC B1 at "))));
}

TEST(SassEvidence, CitesAdditionsThatAreNoPopulationCount) {
    const auto run = run_of("apply/histogram", trace::View::compiled);
    ASSERT_NE(run, nullptr);
    for (const bool counts_lanes : {false, true}) {
        const sass::Listing listing = listing_of(*run, [&](PtxLine, std::string text) {
            if (!text.starts_with("ATOM")) return text;
            return std::string(counts_lanes ? "ATOMS.POPC.INC.32 RZ, [R6+URZ]" : "ATOMS.ADD RZ, [R14], R15");
        });
        const ComparedCounters one = compared_of(
            *run, trace::View::compiled, [](timing::Counters& counters) { counters.shared_atomic_wavefronts += 9; });
        const SassEvidence evidence = sass_evidence(one, DifferenceCause::none, *run, listing);
        const auto cites = Contains(AllOf(HasSubstr("ATOMS.ADD at "), HasSubstr("adds lane after lane")));
        if (counts_lanes)
            EXPECT_THAT(evidence.citations, Not(cites));
        else
            EXPECT_THAT(evidence.citations, cites);
    }
}

TEST(AccessCounts, OfAllLinesAddUpToTheTotals) {
    for (const char* program : {"scan/double-buffered", "reduce/atomic", "scan/padded"}) {
        const auto run = run_of(program, trace::View::compiled);
        ASSERT_NE(run, nullptr);
        trace::Counts all;
        for (const auto& [line, counts] : analysis::access_counts(run->trace(), run->module())) all += counts;
        const trace::Counts totals = run->trace().totals();
        EXPECT_GT(all.global_load_sectors, 0U);
        EXPECT_EQ(all.shared_load_wavefronts, totals.shared_load_wavefronts);
        EXPECT_EQ(all.shared_store_wavefronts, totals.shared_store_wavefronts);
        EXPECT_EQ(all.global_load_sectors, totals.global_load_sectors);
        EXPECT_EQ(all.global_store_sectors, totals.global_store_sectors);
        EXPECT_EQ(all.global_atomic_sectors, totals.global_atomic_sectors);
    }
}

TEST(CountersCommand, SaysWhatToInstallWhereNothingDisassembles) {
    setenv("LANESCOPE_NVDISASM", "none", 1);
    const CommandAnswer answer = counters_without_profiler({"scan/double-buffered", "--view", "compiled"});
    const CommandAnswer json = counters_without_profiler({"scan/double-buffered", "--view", "compiled", "--json"});
    unsetenv("LANESCOPE_NVDISASM");
    EXPECT_EQ(answer.code, fine) << answer.err;
    EXPECT_THAT(answer.out, AllOf(HasSubstr("No instruction is cited: SASS needs nvdisasm, which is not installed"),
                                  HasSubstr("nvidia-cuda-nvdisasm"), HasSubstr("at -O0 all are equal")));
    EXPECT_THAT(json.out, HasSubstr("\"sass\": \"No instruction is cited"));
}

TEST(CountersCommand, CitesTheSassOfWhatAnH200CountedOtherwise) {
    if (!sass::tools_found()) GTEST_SKIP() << "ptxas or nvdisasm is not installed";
    const CommandAnswer answer =
        counters_without_profiler({"scan/double-buffered", "apply/partition", "--view", "compiled"});
    EXPECT_EQ(answer.code, fine) << answer.err;
    EXPECT_THAT(answer.out, AllOf(testing::ContainsRegex(
                                      "\\(source line 16\\), where the emulator counts [0-9]+: the line table names "
                                      "no access: LDS at [0-9a-f]+, made for line [0-9]+, loads the same bytes"),
                                  HasSubstr("the hardware counts 20 fewer"), HasSubstr("these 8 are the difference"),
                                  HasSubstr("SASS is for sm_90, assembled by ptxas")));
    EXPECT_THAT(counters_without_profiler({"reduce/sequential"}).out, Not(HasSubstr("SASS is for")))
        << "nothing differs there";
}

}  // namespace
}  // namespace lanescope::cli
