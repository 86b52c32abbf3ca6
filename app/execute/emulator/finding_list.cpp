#include "execute/emulator/finding_list.h"

#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::execute {

/// Keyed by source line, because one source line has several PTX instructions; by PTX line if no source line is known.
FindingList::Key FindingList::key_of(const trace::Finding& finding) {
    const auto line_of = [](std::uint32_t source, PtxLine line) {
        return source != 0 ? std::pair(true, source) : std::pair(false, line.value);
    };
    const std::string array = finding.variable.substr(0, finding.variable.find('.'));  // without the member
    const Line other = finding.other ? line_of(finding.other->source_line, finding.other->line) : Line();
    return {finding.kind, finding.launch, line_of(finding.source_line, finding.line), other, array};
}

std::size_t FindingList::report(trace::Finding finding, bool from_data) {
    const auto [known, is_new] = known_.try_emplace(key_of(finding), unlisted);
    if (is_new) {
        if (++distinct_[finding.kind] > limit_) return unlisted;
        known->second = writer_.trace().findings.size();
        if (from_data) from_data_.insert(known->second);
        writer_.finding(std::move(finding));
    } else {
        count_again(writer_.trace().findings, known->second, finding);
    }
    return known->second;
}

std::size_t FindingList::remark(trace::Finding finding) {
    std::vector<trace::Finding>& remarks = writer_.trace().remarks;
    const std::size_t next = remarks.size() < limit_ ? remarks.size() : unlisted;
    const auto [known, is_new] = remarked_.try_emplace(key_of(finding), next);
    if (!is_new)
        count_again(remarks, known->second, finding);
    else if (next != unlisted)
        writer_.remark(std::move(finding));
    return known->second;
}

void FindingList::count_again(std::vector<trace::Finding>& listed, std::size_t index, const trace::Finding& same) {
    if (index != unlisted) writer_.again(listed[index], same.block, same.warp, same.line, same.address);
}

void FindingList::withdraw(const std::function<bool(const trace::Finding&, bool from_data)>& wrong) {
    std::vector<trace::Finding>& findings = writer_.trace().findings;
    std::vector<trace::Finding> kept;
    for (std::size_t i = 0; i < findings.size(); ++i)
        if (!wrong(findings[i], from_data_.contains(i))) kept.push_back(std::move(findings[i]));
    findings = std::move(kept);
    from_data_.clear();
    // Unlisted findings are treated as the listed ones of their kind.
    for (auto& [kind, distinct] : distinct_) {
        if (std::ranges::find(findings, kind, &trace::Finding::kind) == findings.end()) distinct = 0;
    }
}

void FindingList::finish(std::uint32_t launch) {
    std::erase_if(writer_.trace().remarks,
                  [&](const trace::Finding& remark) { return known_.contains(key_of(remark)); });
    for (const auto& [kind, distinct] : distinct_) {
        if (distinct <= limit_) continue;
        trace::Finding more;
        more.kind = kind;
        more.launch = launch;
        more.message = fmt::format("{} more {} {} not listed", grouped(distinct - limit_),
                                   noun(distinct - limit_, fmt::format("{} finding", trace::name_of(kind))),
                                   verb(distinct - limit_, "are", "is"));
        writer_.finding(std::move(more));
    }
}

}  // namespace lanescope::execute
