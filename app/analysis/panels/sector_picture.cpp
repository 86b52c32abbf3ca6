#include "analysis/panels/sector_picture.h"

#include "base/grouped.h"

#include "analysis/costs.h"
#include "analysis/expressions/access_text.h"
#include "analysis/panels/access_near.h"
#include "analysis/source/display_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

namespace lanescope::analysis {
namespace {

using trace::EffectKind;

/// Bytes from each active lane to the next one, where all these distances are equal. `lanes`: from an active lane to
/// the next, 1 where neighbors are active.
struct Stride {
    std::int64_t bytes = 0;
    unsigned lanes = 1;
};
std::optional<Stride> stride_of(const model::Addresses& addresses, LaneMask lanes) {
    std::vector<Stride> gaps;
    std::optional<unsigned> before;
    for (const unsigned lane : lanes) {
        if (before) gaps.push_back({static_cast<std::int64_t>(addresses[lane] - addresses[*before]), lane - *before});
        before = lane;
    }
    if (gaps.empty()) return std::nullopt;
    const Stride least = *std::ranges::min_element(gaps, {}, &Stride::lanes);
    for (const Stride& gap : gaps) {
        if (gap.lanes % least.lanes != 0 || gap.bytes != least.bytes * std::int64_t{gap.lanes / least.lanes})
            return std::nullopt;
    }
    return least;
}

/// Where the lanes' bytes are: "lane i at byte 32·i", "neighboring lanes at neighboring elements".
std::string layout_of(const SectorPicture& picture, const model::Addresses& addresses) {
    if (picture.lanes.count() == 1) return "one lane";
    if (picture.pieces.size() == 1) return fmt::format("{} at one address", counted(picture.lanes.count(), "lane"));
    const auto stride = stride_of(addresses, picture.lanes);
    const std::uint64_t span = picture.pieces.back().address + picture.bytes - picture.pieces.front().address;
    const std::uint64_t into = picture.pieces.front().address % model::sector_bytes;
    const std::string misaligned =
        into == 0 ? "" : fmt::format(", the first {} into its sector", counted(into, "byte"));
    if (stride) {
        const std::string_view lanes = stride->lanes == 1 ? "neighboring lanes" : "active lanes";
        if (std::uint64_t(std::abs(stride->bytes)) == picture.bytes)
            return fmt::format("{} at neighboring elements{}", lanes, stride->bytes < 0 ? " in descending order" : "") +
                   misaligned;
        return fmt::format("{} {} apart", lanes, counted(std::uint64_t(std::abs(stride->bytes)), "byte"));
    }
    if (span == picture.used_bytes) return fmt::format("{} contiguous bytes", grouped(span)) + misaligned;
    return fmt::format("{} at {}", counted(picture.lanes.count(), "lane"), counted(picture.pieces.size(), "address"));
}

std::string sentence_of(const SectorPicture& picture, const model::Addresses& addresses) {
    const std::string where = layout_of(picture, addresses);
    const std::uint64_t fetched = picture.sector_bytes(), unused = fetched - picture.used_bytes;
    const std::string_view use = picture.kind == EffectKind::store ? "written" : "used";
    if (unused == 0) return fmt::format("{}: all {} are {}", where, counted(fetched, "byte"), use);
    const std::string share =
        fmt::format("{} of {} {} not {}", grouped(unused), counted(fetched, "byte"), verb(unused, "are", "is"), use);
    if (picture.sectors == picture.least) return fmt::format("{}: {}", where, share);
    return fmt::format("{}: {} would do; {}", where, counted(picture.least, "sector"), share);
}

std::string atomic_sentence_of(const SectorPicture& picture, bool emulated) {
    const std::string where =
        fmt::format("{} at {}", counted(picture.lanes.count(), "lane"), counted(picture.pieces.size(), "address"));
    unsigned most = 0;
    for (const SectorPiece& piece : picture.pieces) most = std::max(most, piece.lanes.count());
    if (most == 1) return picture.lanes.count() == 1 ? "one lane, it meets no other" : where + ": no two lanes meet";
    const std::string meet = picture.pieces.size() == 1
                                 ? "updated one after the other"
                                 : fmt::format("up to {} at one, updated one after the other", most);
    // PTX leaves the order open; the emulator takes one of those allowed.
    const std::string_view order = emulated ? "the emulator takes the lowest lane first, a GPU in any order"
                                            : "shown lowest lane first, the GPU's order is not recorded";
    return fmt::format("{}: {}; {}", where, meet, order);
}

/// Names of the pieces, shortened where all are in one array.
void name_pieces(const BlockView& block, SectorPicture& picture, unsigned element_bytes) {
    std::string common;
    bool one = true;
    for (SectorPiece& piece : picture.pieces) {
        piece.name = global_name(block.trace, block.module, block.passes.launch, piece.address, element_bytes);
        const trace::Buffer* const buffer = block.trace.buffer_at(piece.address);
        const std::string array = buffer == nullptr ? std::string() : piece.name.substr(0, piece.name.find('['));
        one = one && !array.empty() && array.size() < piece.name.size() && (common.empty() || common == array);
        common = array;
    }
    if (one) picture.array = common;
    for (SectorPiece& piece : picture.pieces) {
        piece.index = one ? piece.name.substr(common.size()) : piece.name;
        const std::uint64_t begin = piece.address / picture.row_bytes() * picture.row_bytes();
        const trace::Buffer* const buffer = block.trace.buffer_at(begin);
        if (buffer == nullptr || buffer != block.trace.buffer_at(piece.address)) {
            piece.row = piece.index;
            continue;
        }
        const std::string row = global_name(block.trace, block.module, block.passes.launch, begin, element_bytes);
        piece.row = one ? row.substr(common.size()) : row;
    }
}

}  // namespace

std::uint64_t SectorPicture::used_bytes_of(std::uint64_t sector) const {
    const std::uint64_t begin = sector * model::sector_bytes, end = begin + model::sector_bytes;
    std::uint64_t used = 0;
    for (const SectorPiece& piece : pieces) {
        const std::uint64_t first = std::max(begin, piece.address), past = std::min(end, piece.address + bytes);
        if (first < past) used += past - first;
    }
    return used;
}

std::size_t SectorPicture::requests_of(std::uint64_t sector) const {
    return static_cast<std::size_t>(std::ranges::count(requests, sector, &model::SectorRequest::sector));
}

std::size_t SectorPicture::first_request_of(std::uint64_t sector) const {
    const auto found = std::ranges::find(requests, sector, &model::SectorRequest::sector);
    return static_cast<std::size_t>(found - requests.begin());
}

SectorPicture::RowUse SectorPicture::use_of_row(std::uint64_t begin) const {
    RowUse use;
    for (std::uint64_t at = begin; at < begin + row_bytes(); at += model::sector_bytes) {
        const std::uint64_t here = used_bytes_of(at / model::sector_bytes);
        use.used += here;
        use.moved += here > 0 ? model::sector_bytes : 0;
    }
    return use;
}

unsigned SectorPicture::turn_of(std::size_t request) const {
    unsigned turn = 0;
    while (request > 0 && requests[request - 1].sector == requests[request].sector) --request, ++turn;
    return turn;
}

std::optional<SectorPicture> sector_picture(const BlockView& block, std::size_t index) {
    const trace::Step& step = block.step_at(index);
    const trace::Effect* const effect = access_in(block.trace, step, trace::Space::global);
    if (effect == nullptr || !has_known_sectors(block.instruction_at(index))) return std::nullopt;
    const model::Access access = access_of(*effect, block.instruction_at(index));
    // Where lanes access several buffers, there is an effect for each of them.
    model::Addresses addresses{};
    LaneMask lanes;
    for (const trace::Effect& each : block.trace.effects(step)) {
        if (each.space != trace::Space::global || each.kind != effect->kind) continue;
        for (const unsigned lane : each.lanes) addresses[lane] = block.trace.address(each, lane);
        lanes |= each.lanes;
    }

    SectorPicture picture;
    picture.step = block.passes.steps[index];
    picture.kind = effect->kind;
    picture.bytes = bytes_per_lane(*effect);
    picture.lanes = lanes;
    picture.requests = model::sector_schedule(access, picture.bytes, addresses, lanes);

    std::map<std::uint64_t, LaneMask> lanes_at;
    for (const unsigned lane : lanes) lanes_at[addresses[lane]] |= LaneMask::only(lane);
    for (const auto& [address, of] : lanes_at) {
        picture.pieces.push_back(
            {.address = address, .lanes = of, .sector = address / model::sector_bytes, .name = {}, .index = {}});
    }
    for (std::size_t request = 0; request < picture.requests.size(); ++request) {
        const std::uint64_t sector = picture.requests[request].sector;
        if (picture.turn_of(request) > 0) continue;
        ++picture.sectors;
        picture.used_bytes += picture.used_bytes_of(sector);
    }
    picture.least = (picture.used_bytes + model::sector_bytes - 1) / model::sector_bytes;

    name_pieces(block, picture, picture.bytes);
    picture.access = access_text(block, index, picture.array, trace::Space::global);
    picture.arithmetic = picture.atomic()
                             ? atomic_sentence_of(picture, block.trace.origin.machine == trace::Machine::emulator)
                             : sentence_of(picture, addresses);
    return picture;
}

}  // namespace lanescope::analysis
