#include "execute/emulator/emulation_notes.h"

#include "base/grouped.h"
#include "trace/record_extent.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace lanescope::execute {

void note_once(trace::Trace& trace, std::string_view note) {
    if (std::ranges::find(trace.notes, note) == trace.notes.end()) trace.notes.emplace_back(note);
}

void make_notes_of_budgets(trace::Trace& trace) {
    std::vector<trace::Finding> findings;
    for (trace::Finding& finding : trace.findings) {
        if (finding.kind == trace::Finding::Kind::step_budget)
            trace.notes.push_back(
                fmt::format("Not known: whether launch {} ends; {}.", finding.launch, finding.message));
        else
            findings.push_back(std::move(finding));
    }
    trace.findings = std::move(findings);
}

std::vector<std::uint32_t> missing_blocks(const trace::BlockOrder& order, std::uint64_t blocks) {
    std::vector<std::uint32_t> missing;
    for (const std::vector<std::uint32_t>* named : {&order.late, &order.stalled})
        std::ranges::copy_if(*named, std::back_inserter(missing), [&](std::uint32_t block) { return block >= blocks; });
    return missing;
}

void note_missing_blocks(trace::Trace& trace, std::uint32_t launch, const trace::BlockOrder& order,
                         std::uint64_t blocks) {
    for (const std::uint32_t block : missing_blocks(order, blocks))
        note_once(trace, fmt::format("Launch {} has no block {}, which the start order names.", grouped(launch),
                                     grouped(block)));
}

void RecordCuts::see(const trace::Trace& trace, std::uint64_t record_blocks) {
    const trace::Launch& launch = trace.launches.back();
    const std::uint64_t wanted = std::min(record_blocks, launch.grid.count());
    const std::size_t number = trace.launches.size() - 1, blocks = launch.recorded.size();
    const bool cut = launch.cut.has_value();
    if (!cut && blocks >= wanted) return;
    const bool goes_on = !cuts_.empty() && cuts_.back().cut == cut && cuts_.back().blocks == blocks &&
                         cuts_.back().wanted == wanted && cuts_.back().last + 1 == number;
    if (goes_on)
        cuts_.back().last = number;
    else
        cuts_.push_back({.first = number, .last = number, .blocks = blocks, .wanted = wanted, .cut = cut});
}

void RecordCuts::add_notes(trace::Trace& trace, std::uint64_t record_bytes) const {
    constexpr std::size_t most = 8;
    for (std::size_t i = 0; i < std::min(cuts_.size(), most); ++i) {
        const Cut& cut = cuts_[i];
        if (cut.cut) {
            const std::size_t others = cut.last - cut.first;
            const std::string also = others == 0   ? ""
                                     : others == 1 ? ", and a part of one block of the next launch"
                                                   : fmt::format(", and a part of one block of each of the next {}",
                                                                 counted(others, "launch"));
            trace.notes.push_back(fmt::format(
                "{}{}. The record is limited to {} MiB. What the block does later is counted, but not shown.",
                cut_text(trace, static_cast<std::uint32_t>(cut.first)), also, record_bytes >> 20));
            continue;
        }
        const std::string which = cut.last == cut.first
                                      ? fmt::format("Launch {}", grouped(cut.first))
                                      : fmt::format("Launches {} to {}", grouped(cut.first), grouped(cut.last));
        trace.notes.push_back(fmt::format("{}: {} of {} {} recorded step by step. The record is limited to {} MiB.",
                                          which, grouped(cut.blocks), counted(cut.wanted, "block"),
                                          verb(cut.blocks, "are", "is"), record_bytes >> 20));
    }
    if (cuts_.size() > most) trace.notes.emplace_back("Fewer blocks of later launches are recorded, too.");
}

}  // namespace lanescope::execute
