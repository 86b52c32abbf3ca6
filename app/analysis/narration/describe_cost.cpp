// The excessive cost of a memory access: wavefronts of shared memory, sectors of global memory.
#include "analysis/narration/narrator.h"
#include "analysis/panels/bank_picture.h"
#include "analysis/panels/excess_counts.h"
#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::analysis {
namespace {

using trace::EffectKind;

/// "4 banks, 8 words in each"; empty where the number of words in a bank alone does not explain the wavefronts: lanes
/// that are served in groups, atomics, banks that broadcast a single word.
std::string words_by_bank(const BankPicture& picture) {
    if (!picture.by_word) return {};
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
std::string lanes_by_address(const Narrator& t, const trace::Effect& atomic) {
    std::map<std::uint64_t, std::size_t> lanes;
    for (const unsigned lane : atomic.lanes) ++lanes[t.trace.address(atomic, lane)];
    std::size_t most = 0;
    for (const auto& [address, count] : lanes) most = std::max(most, count);
    if (most < 2) return {};
    const auto is_most = [&](const auto& each) { return each.second == most; };
    const auto addresses = static_cast<std::size_t>(std::ranges::count_if(lanes, is_most));
    const std::string where = addresses > 1 ? "each of " + counted(addresses, "address")
                                            : memory_name(t.trace, t.module, t.step.launch, atomic.space,
                                                          std::ranges::find_if(lanes, is_most)->first, atomic.bytes);
    return fmt::format("{} meet at {}", counted(most, "lane"), where);
}

/// "8 at s[5], 4 at s[37]" of the lanes in one bank; "4 at each of 8 addresses" where these are too many to name.
std::string lanes_at(const Narrator& t, const trace::Effect& atomic,
                     std::vector<std::pair<std::size_t, std::uint64_t>> lanes) {
    std::ranges::stable_sort(lanes, std::greater(), &std::pair<std::size_t, std::uint64_t>::first);
    constexpr std::size_t most_named = 3;
    const std::size_t each = lanes.front().first;
    if (lanes.size() > most_named && each == lanes.back().first)
        return fmt::format("{} at each of {}", each, counted(lanes.size(), "address"));
    const std::size_t named = lanes.size() > most_named ? 1 : lanes.size();
    std::string text;
    for (const auto& [count, address] : lanes | std::views::take(named))
        text += fmt::format("{}{} at {}", text.empty() ? "" : ", ", count,
                            memory_name(t.trace, t.module, t.step.launch, atomic.space, address, atomic.bytes));
    if (named < lanes.size())
        text += fmt::format(", fewer at each of {} more", counted(lanes.size() - named, "address"));
    return text;
}

/// "12 lanes in bank 5: 8 at s[5], 4 at s[37]": where a bank serves the lanes of an atomic one after the other, at one
/// address or several.
std::string lanes_by_bank(const Narrator& t, const trace::Effect& atomic) {
    const model::BankModel model = banks_of(t.trace);
    std::map<std::uint64_t, std::map<std::uint64_t, std::size_t>> lanes;  // by bank and address
    for (const unsigned lane : atomic.lanes) {
        const std::uint64_t address = t.trace.address(atomic, lane);
        ++lanes[address / model.word_bytes % model.banks][address];
    }
    std::size_t most = 0;
    std::map<std::uint64_t, std::size_t> in_bank;
    for (const auto& [bank, addresses] : lanes) {
        for (const auto& [address, count] : addresses) in_bank[bank] += count;
        most = std::max(most, in_bank[bank]);
    }
    if (most < 2) return {};
    std::erase_if(in_bank, [&](const auto& each) { return each.second < most; });
    const auto meet = [&](const auto& each) { return lanes[each.first].size() == 1; };
    if (std::ranges::all_of(in_bank, meet)) return lanes_by_address(t, atomic);
    if (in_bank.size() > 1)
        return fmt::format("{} in each of {}", counted(most, "lane"), counted(in_bank.size(), "bank"));
    const auto& [bank, addresses] = *lanes.find(in_bank.begin()->first);
    if (addresses.size() == most)
        return fmt::format("{} in bank {}, each at its own address", counted(most, "lane"), bank);
    std::vector<std::pair<std::size_t, std::uint64_t>> counts;
    for (const auto& [address, count] : addresses) counts.emplace_back(count, address);
    return fmt::format("{} in bank {}: {}", counted(most, "lane"), bank, lanes_at(t, atomic, std::move(counts)));
}

}  // namespace

std::string describe_cost(const Narrator& t) {
    std::string text;
    const auto picture = bank_picture(t, t.index);
    if (picture && picture->conflict()) {
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
    if (const trace::Effect* const atomic = t.effect(EffectKind::atomic)) {
        const bool by_bank = picture && !picture->by_word;
        // Where a bank serves words, lanes that meet at one cost nothing: the text says so beside the cost.
        const std::string_view joint = text.empty() ? "" : picture && !by_bank ? "; " : ": ";
        const std::string lanes = by_bank ? lanes_by_bank(t, *atomic) : lanes_by_address(t, *atomic);
        if (!lanes.empty()) text.append(joint).append(lanes);
    }
    return text;
}

}  // namespace lanescope::analysis
