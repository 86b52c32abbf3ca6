#include "cli/verify_report.h"

#include "base/grouped.h"
#include "cli/report.h"
#include "cli/table.h"
#include "session/launch_values.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace lanescope::cli {

namespace {

using session::Verification;

const char* name_of(Verification::Verdict verdict) {
    switch (verdict) {
        case Verification::Verdict::agree: return "agree";
        case Verification::Verdict::differ: return "differ";
        case Verification::Verdict::skipped: break;
    }
    return "skipped";
}

/// "launch 1, block 3, thread 37, line 12, its 5th: `ld.shared.u32 ...` reads 5 ..., and the emulator says: ..."
std::string sentence(const execute::RecordDifference& difference, std::uint64_t launches) {
    std::string where = launches > 1 ? fmt::format("launch {}, ", difference.launch) : "";
    where += fmt::format("block {}, thread {}", difference.block, difference.thread);
    if (difference.source_line != 0) where += fmt::format(", line {}", difference.source_line);
    return fmt::format("{}, PTX line {}, entry {} of its log, `{}`: the GPU {}, the emulator {}", where,
                       difference.line.value, difference.entry + 1, difference.instruction, difference.found,
                       difference.expected);
}

std::uint64_t count(const std::vector<Verified>& all, std::string_view verdict) {
    return static_cast<std::uint64_t>(std::ranges::count(all, verdict, &Verified::verdict));
}

std::string summary(const std::vector<Verified>& all) {
    std::string text = fmt::format("{} of {} agree", count(all, "agree"), all.size());
    for (const char* verdict : {"differ", "failed", "skipped"})
        if (const std::uint64_t some = count(all, verdict); some > 0) text += fmt::format(", {} {}", some, verdict);
    return text;
}

}  // namespace

Verified verified(const Verification& verification) {
    Verified result{.kernel = verification.program,
                    .view = session::name_of(verification.view),
                    .n = verification.n,
                    .blocks = verification.blocks,
                    .launches = verification.launches,
                    .compared = verification.entries,
                    .replayed = verification.replayed,
                    .left_to_order = verification.left_to_order,
                    .block = verification.block,
                    .verdict = name_of(verification.verdict),
                    .early_tests = verification.early_tests,
                    .why = verification.why};
    result.approximations = verification.approximations;
    if (const auto& difference = verification.difference) {
        result.why = sentence(*difference, verification.launches);
        result.difference = FirstDifference{.launch = difference->launch,
                                            .thread = difference->thread,
                                            .block = difference->block,
                                            .line = difference->source_line,
                                            .ptx_line = difference->line.value,
                                            .nth = difference->nth};
    }
    return result;
}

nlohmann::ordered_json to_json(const Verified& verified) {
    nlohmann::ordered_json json{{"kernel", verified.kernel},
                                {"view", verified.view},
                                {"n", verified.n},
                                {"block", verified.block},
                                {"blocks", verified.blocks},
                                {"launches", verified.launches},
                                {"verdict", verified.verdict},
                                {"compared", verified.compared},
                                {"told", verified.replayed},
                                {"left_to_order", verified.left_to_order}};
    if (!verified.why.empty()) json["why"] = verified.why;
    if (verified.early_tests > 0) json["early_tests"] = verified.early_tests;
    for (const execute::Approximation& one : verified.approximations)
        json["approximate"].push_back({{"instruction", one.instruction},
                                       {"results", one.results},
                                       {"differing", one.differing},
                                       {"unstated", one.unstated},
                                       {"largest_relative", one.largest_relative}});
    if (const auto& difference = verified.difference) {
        json["first_difference"] = {{"launch", difference->launch},     {"block", difference->block},
                                    {"thread", difference->thread},     {"line", difference->line},
                                    {"ptx_line", difference->ptx_line}, {"nth", difference->nth}};
    }
    return json;
}

std::optional<Verified> verified_of(const nlohmann::json& json) {
    if (!json.is_object() || !json.contains("verdict")) return std::nullopt;
    Verified result;
    result.kernel = json.value("kernel", "");
    result.view = json.value("view", "");
    result.verdict = json.value("verdict", "");
    result.why = json.value("why", "");
    result.early_tests = json.value("early_tests", std::uint64_t{0});
    result.n = json.value("n", std::uint64_t{0});
    result.block = json.value("block", std::uint32_t{0});
    result.blocks = json.value("blocks", std::uint64_t{0});
    result.launches = json.value("launches", std::uint64_t{0});
    result.compared = json.value("compared", std::uint64_t{0});
    result.replayed = json.value("told", std::uint64_t{0});
    result.left_to_order = json.value("left_to_order", std::uint64_t{0});
    if (const auto at = json.find("approximate"); at != json.end() && at->is_array()) {
        for (const nlohmann::json& one : *at) {
            if (!one.is_object()) continue;
            const auto largest = one.find("largest_relative");
            result.approximations.push_back({.instruction = one.value("instruction", ""),
                                             .results = one.value("results", std::uint64_t{0}),
                                             .differing = one.value("differing", std::uint64_t{0}),
                                             .unstated = one.value("unstated", std::uint64_t{0}),
                                             // JSON has no infinity.
                                             .largest_relative = largest != one.end() && largest->is_number()
                                                                     ? largest->get<double>()
                                                                     : std::numeric_limits<double>::infinity()});
        }
    }
    if (const auto at = json.find("first_difference"); at != json.end() && at->is_object()) {
        result.difference = FirstDifference{.launch = at->value("launch", 0U),
                                            .thread = at->value("thread", 0U),
                                            .block = at->value("block", std::uint64_t{0}),
                                            .line = at->value("line", 0U),
                                            .ptx_line = at->value("ptx_line", 0U),
                                            .nth = at->value("nth", std::uint64_t{0})};
    }
    return result;
}

std::string verify_text(const timing::RecordingHeader& on, const std::vector<Verified>& all) {
    Table table({{{"kernel"}, false},
                 {{"view"}, false},
                 {{"n"}},
                 {{"block"}},
                 {{"blocks"}},
                 {{"compared"}},
                 {{"replayed"}},
                 {{"verdict"}, false}});
    for (const Verified& one : all) {
        table.add({one.kernel, one.view, size_text(one.n), grouped(one.block), grouped(one.blocks),
                   grouped(one.compared), grouped(one.replayed), one.verdict});
    }
    std::string text = fmt::format("{}\n\n{}\n", on.text(), table.text("  "));
    for (const Verified& one : all)
        if (!one.why.empty()) text += fmt::format("  {} as {}: {}\n", one.kernel, one.view, one.why);
    for (const Verified& one : all) {
        for (const execute::Approximation& approximation : one.approximations) {
            if (approximation.differing == 0) continue;
            text +=
                fmt::format("  {} as {}: {}; what is computed from them is compared with the GPU's in their place\n",
                            one.kernel, one.view, execute::text_of(approximation));
        }
    }
    for (const Verified& one : all) {
        if (one.early_tests == 0) continue;
        text += fmt::format(
            "  {} as {}: {} of an mbarrier, of GPU and emulator, found the phase not complete and {} repeated; how "
            "often is a question of time, and is not compared\n",
            one.kernel, one.view, counted(one.early_tests, "test"), one.early_tests == 1 ? "was" : "were");
    }
    return text +
           fmt::format(
               "\n  compared: accesses, copies, barriers, branches and values from other lanes, thread by thread\n"
               "  replayed: values among these that depend on the order of blocks and warps\n\n{}\n",
               summary(all));
}

std::string verify_json(const timing::RecordingHeader& on, const std::vector<Verified>& all) {
    nlohmann::ordered_json json = timing::json::of(on);
    json["agree"] = count(all, "agree");
    json["differ"] = count(all, "differ");
    json["skipped"] = count(all, "skipped");
    json["failed"] = count(all, "failed");
    nlohmann::ordered_json& list = json["kernels"] = nlohmann::ordered_json::array();
    for (const Verified& one : all) list.push_back(to_json(one));
    return dump(json);
}

}  // namespace lanescope::cli
