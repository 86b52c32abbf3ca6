#include "analysis/panels/bank_picture.h"

#include "base/grouped.h"

#include "analysis/costs.h"
#include "analysis/expressions/access_text.h"
#include "analysis/launch_shape.h"
#include "analysis/panels/access_near.h"
#include "analysis/panels/excess_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace lanescope::analysis {
namespace {

using trace::Effect;
using trace::EffectKind;
using trace::Space;

/// The words as a function of the lane, if there is one: stride * lane + first, in words; or by rows of `row` lanes, as
/// in two-dimensional blocks: row_stride * (lane div row) + stride * (lane mod row) + first.
struct Affine {
    std::int64_t stride = 0, first = 0;
    unsigned row = warp_size;
    std::int64_t row_stride = 0;

    [[nodiscard]] std::int64_t at(unsigned lane) const {
        return row_stride * (lane / row) + stride * (lane % row) + first;
    }
};

/// The factor of `place` (the lane's number, or its number in its row) in words, from the first two lanes that differ
/// in it but not in `other`. Nothing where there are no two such lanes: the caller can take 0.
template <class Place, class Other>
std::optional<std::int64_t> stride_of(const std::vector<std::pair<unsigned, std::int64_t>>& words, Place place,
                                      Other other) {
    for (const auto& [left, from] : words) {
        for (const auto& [right, to] : words) {
            const auto apart = static_cast<std::int64_t>(place(right)) - static_cast<std::int64_t>(place(left));
            if (apart <= 0 || other(left) != other(right)) continue;
            if ((to - from) % apart != 0) return std::nullopt;
            return (to - from) / apart;
        }
    }
    return 0;
}

std::optional<Affine> affine(const model::Addresses& addresses, LaneMask lanes, unsigned word_bytes) {
    std::vector<std::pair<unsigned, std::int64_t>> words;
    for (const unsigned lane : lanes) {
        if (addresses[lane] % word_bytes != 0) return std::nullopt;
        words.emplace_back(lane, static_cast<std::int64_t>(addresses[lane] / word_bytes));
    }
    if (words.size() < 2) return std::nullopt;
    for (unsigned row = warp_size; row > 1; row /= 2) {
        const auto column = [&](unsigned lane) { return lane % row; };
        const auto line = [&](unsigned lane) { return lane / row; };
        const auto stride = stride_of(words, column, line), row_stride = stride_of(words, line, column);
        if (!stride || !row_stride) continue;
        Affine found{*stride, 0, row, *row_stride};
        found.first = words.front().second - found.at(words.front().first);
        if (std::ranges::all_of(words, [&](const auto& word) { return found.at(word.first) == word.second; }))
            return found;
    }
    return std::nullopt;
}

/// "8·lane", "(lane mod 16)"; empty for 0
std::string times(std::int64_t stride, std::string_view place) {
    if (stride == 0) return {};
    return stride == 1 ? std::string(place) : fmt::format("{}·{}", stride, place);
}

/// "8·lane + 4", "lane", "4", "16·(lane div 16) + (lane mod 16)"
std::string text_of(const Affine& words) {
    std::string text;
    if (words.row == warp_size) {
        text = times(words.stride, "lane");
    } else {
        text = times(words.row_stride, fmt::format("(lane div {})", words.row));
        const std::string column = times(words.stride, fmt::format("(lane mod {})", words.row));
        text += text.empty() || column.empty() ? column : " + " + column;
    }
    if (text.empty()) return std::to_string(words.first);
    if (words.first > 0) text += fmt::format(" + {}", words.first);
    if (words.first < 0) text += fmt::format(" - {}", -words.first);
    return text;
}

/// ", each for 4 lanes (a broadcast)" where loads of one word are served together; else empty.
std::string shared_by(const BankPicture& picture) {
    if (picture.kind != EffectKind::load) return {};
    unsigned least = warp_size, most = 0;
    for (const BankWord& word : picture.words) {
        least = std::min(least, word.lanes.count());
        most = std::max(most, word.lanes.count());
    }
    if (most < 2) return {};
    return least == most ? fmt::format(", each for {} (a broadcast)", counted(most, "lane"))
                         : fmt::format(", some for up to {} (a broadcast)", counted(most, "lane"));
}

/// How many accesses each bank serves one after the other, words or for atomics lanes, in the group of lanes with the
/// most of them.
std::vector<unsigned> degrees(const BankPicture& picture) {
    std::vector<unsigned> most(picture.banks), here(picture.banks);
    for (std::size_t w = 0; w < picture.wavefronts.size(); ++w) {
        if (!picture.begins_group(w)) continue;
        std::ranges::fill(here, 0U);
        for (const BankWord& word : picture.words) {
            const unsigned lanes = (word.lanes & picture.wavefronts[w].group).count();
            here[word.bank] += picture.by_word ? std::min(lanes, 1U) : lanes;
        }
        for (unsigned bank = 0; bank < picture.banks; ++bank) most[bank] = std::max(most[bank], here[bank]);
    }
    return most;
}

std::string fall_of(const BankPicture& picture, const model::Addresses& addresses, unsigned word_bytes) {
    std::string where;
    if (const auto words = affine(addresses, picture.lanes, word_bytes); words && picture.bytes <= word_bytes) {
        const std::string index = text_of(*words);
        const std::string term = index.find(' ') == std::string::npos ? index : fmt::format("({})", index);
        // A long formula is named w instead of being written twice.
        where = words->row < warp_size ? fmt::format("word w = {} is in bank w mod {}: ", index, picture.banks)
                                       : fmt::format("word {} is in bank {} mod {}: ", index, term, picture.banks);
    }
    const auto most = std::ranges::max_element(picture.degree);
    const auto used = std::ranges::count_if(picture.degree, [](unsigned degree) { return degree > 0; });
    if (picture.words.size() == 1) {
        const unsigned lanes = picture.lanes.count();
        if (lanes == 1) return where + "one lane, one word";
        if (picture.kind == EffectKind::load)
            return where + fmt::format("one word for {}, a broadcast", counted(lanes, "lane"));
        return where + fmt::format("{} at one word", counted(lanes, "lane"));
    }
    const bool even = std::ranges::all_of(picture.degree, [&](unsigned d) { return d == 0 || d == *most; });
    const std::string_view what = picture.by_word ? "word" : "lane";
    if (*most == 1) {
        return where +
               fmt::format("{} in {}", counted(picture.words.size(), "word"),
                           used == 1 ? "one bank" : fmt::format("{} different banks", used)) +
               shared_by(picture);
    }
    if (even) {
        return where +
               fmt::format("{}, {} {}", counted(static_cast<std::size_t>(used), "bank"), counted(*most, what),
                           used == 1 ? "in it" : "in each") +
               shared_by(picture);
    }
    return where + fmt::format("{}, up to {} in one (bank {})", counted(used, "bank"), counted(*most, what),
                               most - picture.degree.begin());
}

/// Wide accesses and half-warps are served in groups, whatever the addresses are.
std::string arithmetic_of(const BankPicture& picture, const model::Addresses& addresses, unsigned word_bytes) {
    const std::string text = fall_of(picture, addresses, word_bytes);
    return picture.groups < 2 ? text : text + fmt::format("; served in {} groups of lanes", picture.groups);
}

}  // namespace

LaneMask BankPicture::waiting_in(std::size_t wavefront) const {
    LaneMask served;
    for (std::size_t w = 0; w <= wavefront; ++w) served |= wavefronts[w].lanes;
    return lanes & ~served;
}

std::vector<std::uint64_t> BankPicture::touched_rows() const {
    std::vector<std::uint64_t> rows;
    for (const BankWord& word : words)  // ascending
        if (rows.empty() || rows.back() != word.row) rows.push_back(word.row);
    return rows;
}

std::optional<BankPicture> bank_picture(const BlockView& block, std::size_t index,
                                        std::optional<model::BankModel> chosen) {
    const model::BankModel banks = chosen.value_or(banks_of(block.trace));
    const trace::Step& step = block.step_at(index);
    const Effect* const effect = access_in(block.trace, step, Space::shared);
    if (effect == nullptr) return std::nullopt;
    const model::Access access = access_of(*effect, block.instruction_at(index));
    const model::Addresses addresses = addresses_of(block.trace, *effect);

    BankPicture picture;
    picture.step = block.passes.steps[index];
    picture.kind = effect->kind;
    picture.bytes = bytes_per_lane(*effect);
    picture.lanes = effect->lanes;
    picture.by_word = model::is_plain(access) || access == model::Access::atomic_add_one;
    picture.banks = banks.banks;
    picture.wavefronts = model::shared_schedule(access, picture.bytes, addresses, effect->lanes, banks);
    const std::uint64_t row_bytes = std::uint64_t{banks.banks} * banks.word_bytes;
    picture.memory_rows = (shared_bytes_of(block.launch()) + row_bytes - 1) / row_bytes;

    std::map<std::uint64_t, BankWord> words;
    for (const unsigned lane : effect->lanes) {
        const std::uint64_t first = addresses[lane] / banks.word_bytes;
        const std::uint64_t last = (addresses[lane] + picture.bytes - 1) / banks.word_bytes;
        for (std::uint64_t word = first; word <= last; ++word) {
            BankWord& touched = words[word];
            touched.word = word;
            touched.bank = static_cast<unsigned>(word % banks.banks);
            touched.row = word / banks.banks;
            touched.lanes |= LaneMask(1U << lane);
        }
    }
    for (auto& [number, word] : words) {
        for (unsigned w = 0; w < picture.wavefronts.size(); ++w) {
            if ((picture.wavefronts[w].lanes & word.lanes).none()) continue;
            word.wavefront = w;
            break;
        }
        picture.words.push_back(word);
    }
    picture.degree = degrees(picture);
    for (std::size_t w = 0; w < picture.wavefronts.size(); ++w) picture.groups += picture.begins_group(w) ? 1 : 0;

    picture.least = least_wavefronts(access, picture.bytes, effect->lanes, banks);

    for (const trace::SharedArray& array : block.trace.arrays_of(block.launch())) {
        const auto inside = [&](std::uint64_t address) {
            return address >= array.offset && address < array.offset + array.bytes;
        };
        const auto all = std::ranges::all_of(picture.words, [&](const BankWord& word) {
            return inside(word.word * banks.word_bytes) || inside(word.word * banks.word_bytes + banks.word_bytes - 1);
        });
        if (all) picture.array = array.name;
    }
    picture.arithmetic = arithmetic_of(picture, addresses, banks.word_bytes);
    return picture;
}

std::optional<BankPicture> named_bank_picture(const BlockView& block, std::size_t index) {
    std::optional<BankPicture> picture = bank_picture(block, index);
    if (picture) picture->access = access_text(block, index, picture->array);
    return picture;
}

}  // namespace lanescope::analysis
