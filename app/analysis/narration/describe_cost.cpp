// The cost of a memory access beyond the least: wavefronts of shared memory, sectors of global memory.
#include "analysis/narration/narrator.h"
#include "analysis/panels/bank_picture.h"
#include "analysis/panels/excess_counts.h"
#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lanescope::analysis {
namespace {

using trace::EffectKind;

/// "4 banks, 8 words in each"; empty where the number of words in a bank alone does not explain the wavefronts: lanes
/// that are served in groups, atomics, banks that broadcast a single word.
std::string words_by_bank(const BankPicture& picture) {
    if (picture.kind == EffectKind::atomic) return {};
    std::map<unsigned, std::size_t> words;
    for (const BankWord& word : picture.words) ++words[word.bank];
    std::size_t most = 0;
    for (const auto& [bank, count] : words) most = std::max(most, count);
    if (picture.groups != 1 || most != picture.wavefronts.size()) return {};
    const auto is_worst = [&](const auto& each) { return each.second == most; };
    const auto worst = static_cast<std::size_t>(std::ranges::count_if(words, is_worst));
    if (worst == 1)
        return fmt::format("{} in bank {}", counted(most, "word"), std::ranges::find_if(words, is_worst)->first);
    return worst == words.size() ? fmt::format("{}, {} in each", counted(worst, "bank"), counted(most, "word"))
                                 : fmt::format("{} in each of {}", counted(most, "word"), counted(worst, "bank"));
}

/// "6 lanes meet at local[1]", "2 lanes meet at each of 4 addresses": where atomics of several lanes change the same
/// memory, one after the other. Empty where each lane has an address of its own.
std::string meeting_lanes(const Narrator& t) {
    const trace::Effect* const atomic = t.effect(EffectKind::atomic);
    if (atomic == nullptr) return {};
    std::map<std::uint64_t, std::size_t> lanes;
    for (const unsigned lane : atomic->lanes) ++lanes[t.trace.address(*atomic, lane)];
    std::size_t most = 0;
    for (const auto& [address, count] : lanes) most = std::max(most, count);
    if (most < 2) return {};
    const auto is_most = [&](const auto& each) { return each.second == most; };
    const auto addresses = static_cast<std::size_t>(std::ranges::count_if(lanes, is_most));
    const std::string where = addresses > 1 ? "each of " + counted(addresses, "address")
                                            : memory_name(t.trace, t.module, t.step.launch, atomic->space,
                                                          std::ranges::find_if(lanes, is_most)->first, atomic->bytes);
    return fmt::format("{} meet at {}", counted(most, "lane"), where);
}

}  // namespace

std::string describe_cost(const Narrator& t) {
    std::string text;
    if (const auto picture = bank_picture(t, t.index); picture && picture->conflict()) {
        const std::string words = words_by_bank(*picture);
        text = counted(picture->wavefronts.size(), "wavefront");
        text += words.empty() ? fmt::format(" where {} would do", picture->least) : ": " + words;
    }
    std::uint64_t sectors = 0, least = 0;
    for (const trace::Effect& effect : t.trace.effects(t.step)) {
        const SectorNeed need = sector_need(t.trace, effect, t.line);
        sectors += need.sectors;
        least += need.least;
    }
    if (sectors > least)
        text += fmt::format("{}{} where {} would do", text.empty() ? "" : "; ", counted(sectors, "sector"), least);
    if (const std::string meeting = meeting_lanes(t); !meeting.empty()) text += (text.empty() ? "" : ": ") + meeting;
    return text;
}

}  // namespace lanescope::analysis
