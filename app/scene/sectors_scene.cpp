#include "scene/sectors_scene.h"

#include "base/grouped.h"
#include "base/lane_list.h"
#include "scene/access_foot.h"
#include "scene/layers.h"
#include "scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace lanescope::scene {
namespace {

constexpr unsigned columns = 32;
constexpr float natural_pitch = 26, natural_row = 20, least_row = 7, least_of_all = 4;  ///< points
constexpr float most_row = 40;
/// A cell that is so wide still has room for a lane's number: in a panel with room, all texts grow until cells are.
constexpr float tight_pitch = 16;
constexpr float above_rows = 24, said_gap = 15, bare_gap = 4, usual_foot = 62;

/// A row of the picture: bytes of a cache line or, for an atomic, an address.
struct Row {
    std::uint64_t begin = 0;      ///< address of its first byte
    std::size_t piece = 0;        ///< index of its first piece
    bool apart = false;           ///< not adjacent to the row before
    std::uint64_t gap_bytes = 0;  ///< between the two
};

std::vector<Row> rows_of(const analysis::SectorPicture& picture) {
    std::vector<Row> rows;
    const std::uint64_t row_bytes = picture.row_bytes();
    for (std::size_t i = 0; i < picture.pieces.size(); ++i) {
        const analysis::SectorPiece& piece = picture.pieces[i];
        if (picture.atomic()) {
            const bool apart = i > 0 && picture.pieces[i - 1].sector != piece.sector;
            rows.push_back({piece.address, i, apart, 0});
            continue;
        }
        const std::uint64_t begin = piece.address / row_bytes * row_bytes;
        if (!rows.empty() && rows.back().begin == begin) continue;
        const std::uint64_t gap = rows.empty() ? 0 : begin - rows.back().begin - row_bytes;
        rows.push_back({begin, i, gap > 0, gap});
    }
    return rows;
}

std::string says(const analysis::SectorPicture& picture, std::size_t number) {
    const model::SectorRequest& request = picture.requests[number];
    const std::string lanes = fmt::format("{} {}", noun(request.lanes.count(), "lane"), lane_list(request.lanes, 8));
    if (picture.atomic()) return fmt::format("{}, turn {} at {}", lanes, picture.turn_of(number) + 1, "this sector");
    return fmt::format("{}: {} of {} {}", lanes, picture.used_bytes_of(request.sector),
                       counted(model::sector_bytes, "byte"),
                       picture.kind == trace::EffectKind::store ? "written" : "used");
}

FootContent foot_content(const analysis::SectorPicture& picture, const AccessOptions& options) {
    FootContent content{.verdict = counted(picture.requests.size(), "sector"),
                        .excess = picture.excess(),
                        .access = picture.access.empty() ? picture.array : picture.access,
                        .arithmetic = picture.arithmetic,
                        .turn = "sector",
                        .turns = {},
                        .chosen = options.turn,
                        .step = picture.step,
                        .width = options.width,
                        .scale = options.scale};
    for (std::size_t i = 0; i < picture.requests.size(); ++i)
        content.turns.push_back({picture.atomic() && picture.turn_of(i) == 0, says(picture, i)});
    return content;
}

/// How the height is divided.
struct Frame {
    std::vector<Row> rows;   ///< the shown rows
    std::size_t beyond = 0;  ///< how many rows more can be scrolled to
    float row = 0, gap = 0;  ///< heights
    AccessFoot foot;
    std::string note;

    [[nodiscard]] float y(std::size_t row_number) const {
        float at = 0;
        for (std::size_t i = 0; i <= row_number; ++i) at += i > 0 && rows[i].apart ? gap : 0;
        return at + row * static_cast<float>(row_number);
    }
    [[nodiscard]] float height() const { return rows.empty() ? 0 : y(rows.size() - 1) + row; }
};

float height_of(const std::vector<Row>& rows, float row, float gap) {
    const auto gaps = std::ranges::count_if(rows, &Row::apart);
    return row * static_cast<float>(rows.size()) + gap * static_cast<float>(gaps);
}

Frame frame_of(const analysis::SectorPicture& picture, const AccessOptions& options) {
    const float scale = options.scale;
    const FootContent content = foot_content(picture, options);
    Frame frame;
    frame.rows = rows_of(picture);
    const float wide_gap = (picture.atomic() ? 2 * bare_gap : said_gap) * scale, narrow_gap = bare_gap * scale;
    if (options.height <= 0) {
        constexpr float any = 1e6F;
        frame.foot = access_foot(content, {any, any, any});
        frame.row = natural_row * scale;
        frame.gap = wide_gap;
        return frame;
    }
    const float rest = options.height - above_rows * scale;
    constexpr float named_row = 12;
    constexpr std::size_t few = 6;
    const std::vector<Row> first_few(frame.rows.begin(),
                                     frame.rows.begin() + std::ptrdiff_t(std::min(few, frame.rows.size())));
    frame.foot = access_foot(content, {.easy = rest - height_of(frame.rows, named_row * scale, narrow_gap),
                                       .tight = rest - height_of(frame.rows, least_of_all * scale, narrow_gap),
                                       .most = rest - height_of(first_few, least_row * scale, narrow_gap)});
    const float room = std::max(rest - frame.foot.height, least_row * scale);
    const std::vector<Row> all = frame.rows;
    if (height_of(all, least_of_all * scale, narrow_gap) > room) {
        std::size_t fitting = 1;
        const auto from = [&](std::size_t first, std::size_t count) {
            return std::vector<Row>(all.begin() + std::ptrdiff_t(first), all.begin() + std::ptrdiff_t(first + count));
        };
        while (fitting < all.size() && height_of(from(0, fitting + 1), least_row * scale, narrow_gap) <= room)
            ++fitting;
        frame.beyond = all.size() - fitting;
        frame.rows = from(std::min(options.first_row, frame.beyond), fitting);
        frame.rows.front().apart = false;
        frame.note = fmt::format("{} of {} {}", fitting, all.size(), picture.atomic() ? "addresses" : "rows");
    }
    // Gaps are labeled where the rows keep the lanes' names.
    frame.gap = height_of(frame.rows, named_row * scale, wide_gap) <= room ? wide_gap : narrow_gap;
    const float of_gaps = height_of(frame.rows, 0, frame.gap);
    frame.row = std::clamp((room - of_gaps) / static_cast<float>(std::max<std::size_t>(frame.rows.size(), 1)), 1.0F,
                           most_row * scale);
    return frame;
}

struct Drawing {
    const analysis::SectorPicture& picture;
    const AccessOptions& options;
    const Frame& frame;
    Layer& layer;
    float left = 0, pitch = 0, top = 0;

    [[nodiscard]] float text(float size) const { return std::max(smallest_text, size * options.scale); }
    [[nodiscard]] Box cells(std::size_t row, float first, float count) const {
        return {left + pitch * first, top + frame.y(row), pitch * count, frame.row};
    }
    void put(float x, float y, Anchor anchor, Font font, Paint paint, std::string words) const {
        layer.put(x, y, anchor, {font, text(11), paint}, std::move(words));
    }
    [[nodiscard]] bool chosen_sector(std::uint64_t sector) const {
        return !options.turn || picture.requests[*options.turn].sector == sector;
    }
    /// Does the row have a label? Every so many rows have one, as fits.
    [[nodiscard]] bool labeled(std::size_t row) const {
        const auto every = static_cast<std::size_t>(std::max(1.0F, std::ceil(text(11) * 1.1F / frame.row)));
        return row % every == 0;
    }
    [[nodiscard]] std::uint32_t first_request_of(std::uint64_t sector) const {
        return static_cast<std::uint32_t>(picture.first_request_of(sector));
    }
};

/// The size of the lanes' names in cells that are `inside` wide, with air around them; the widest name decides for all.
/// 0: they do not fit.
float size_of_names(const Drawing& d, float inside) {
    if (smallest_text > d.frame.row) return 0;
    float widest = 0.1F;  // ems
    for (const analysis::SectorPiece& piece : d.picture.pieces) {
        if (!d.picture.atomic()) widest = std::max(widest, text_width(Font::code_bold, 1, name_of_lanes(piece.lanes)));
    }
    if (d.picture.atomic()) widest = text_width(Font::code_bold, 1, "31");
    if (inside / widest < smallest_text) return 0;
    constexpr float air = 2;
    return std::max(std::min({(inside - air) / widest, d.text(12), d.frame.row * 0.95F}), smallest_text);
}

/// A row of bytes is labeled by its first byte, so that the lane below "byte 0" has that index.
const std::string& label_of(const analysis::SectorPicture& picture, const analysis::SectorPiece& piece) {
    return picture.atomic() ? piece.index : piece.row;
}

void draw_labels(const Drawing& d) {
    const float above = d.top - 10 * d.options.scale, beside = 8 * d.options.scale;
    const Paint soft{Role::soft, 1};
    const std::uint64_t unit = d.picture.row_bytes() / columns;
    for (unsigned column = 0; column < columns; column += 8) {
        const std::string number = d.picture.atomic() ? std::to_string(column + 1) : std::to_string(column * unit);
        d.put(d.cells(0, static_cast<float>(column) + 0.5F, 0).x, above, Anchor::middle, Font::code, soft, number);
    }
    d.put(d.left - beside, above, Anchor::end, Font::words, soft, d.picture.atomic() ? "turn" : "byte");
    const float right = d.left + d.pitch * columns + beside;
    const bool written = d.picture.kind == trace::EffectKind::store;
    d.put(right, above, Anchor::start, Font::words, soft,
          d.picture.atomic() ? "sectors"
          : written          ? "written"
                             : "used");
    for (std::size_t row = 0; row < d.frame.rows.size(); ++row) {
        const Row& each = d.frame.rows[row];
        const float y = d.cells(row, 0, 0).center_y();
        if (d.frame.rows[row].apart) {
            const float middle = d.top + d.frame.y(row) - d.frame.gap / 2, end = d.left + d.pitch * columns;
            Curve dashes = line(d.left, middle, end, middle, {Role::line, 1}, 1);
            dashes.dashed = true;
            d.layer.curves.push_back(dashes);
            if (each.gap_bytes > 0 && d.frame.gap >= d.text(11)) {
                const std::string words = fmt::format("{} not accessed", counted(each.gap_bytes, "byte"));
                const float wide = text_width(Font::words, d.text(11), words) + 12, x = (d.left + end) / 2;
                d.layer.rings.push_back(
                    rect({x - wide / 2, middle - d.frame.gap / 2, wide, d.frame.gap}, 0, {Role::panel, 1}));
                d.put(x, middle, Anchor::middle, Font::words, soft, words);
            }
            Rect gap = rect({d.left, middle - d.frame.gap / 2, end - d.left, d.frame.gap}, 0, {});
            gap.ref = ref_to(TraceRef::Kind::heading, each.piece);
            d.layer.rects.push_back(gap);
        }
        if (!d.labeled(row)) continue;
        const analysis::SectorPiece& piece = d.picture.pieces[each.piece];
        const float room = d.left - 2 * beside;
        d.put(d.left - beside, y, Anchor::end, Font::code, soft,
              fitted(Font::code, d.text(11), label_of(d.picture, piece), room));
        if (d.picture.atomic()) {
            const std::size_t turns = d.picture.requests_of(piece.sector);
            const bool first = row == 0 || d.picture.pieces[each.piece - 1].sector != piece.sector;
            if (first)
                d.put(right, y, Anchor::start, Font::code, {turns > 1 ? Role::cost : Role::soft, 1},
                      std::to_string(turns));
            continue;
        }
        const analysis::SectorPicture::RowUse use = d.picture.use_of_row(each.begin);
        d.put(right, y, Anchor::start, Font::code, {use.used < use.moved ? Role::cost : Role::soft, 1},
              fmt::format("{} of {}", use.used, use.moved));
    }
}

/// Hatches the bytes of a sector that no lane accesses, from `begin` on.
void draw_unused(const Drawing& d, std::size_t row, std::uint64_t begin, bool strong) {
    const std::uint64_t end = begin + model::sector_bytes, unit = d.picture.row_bytes() / columns;
    const auto hatch = [&](std::uint64_t from, std::uint64_t past) {
        if (from >= past) return;
        const float first = static_cast<float>(from - d.frame.rows[row].begin) / static_cast<float>(unit);
        const float count = static_cast<float>(past - from) / static_cast<float>(unit);
        Rect unused = rect(d.cells(row, first, count).grown(-1.5F), 2, {Role::cost, strong ? 0.14F : 0.05F});
        if (strong) unused.hatch = {Role::cost, 0.55F};
        unused.ref = {TraceRef::Kind::bank, 0, d.first_request_of(begin / model::sector_bytes), d.picture.step};
        d.layer.rects.push_back(unused);
    };
    std::uint64_t at = begin;
    for (const analysis::SectorPiece& piece : d.picture.pieces) {
        if (piece.address + d.picture.bytes <= begin || piece.address >= end) continue;
        hatch(at, std::min(end, piece.address));
        at = std::max(at, piece.address + d.picture.bytes);
    }
    hatch(at, end);
}

/// The sectors of each row, hatched where bytes are moved and no lane accesses them.
void draw_sectors(const Drawing& d) {
    const std::uint64_t row_bytes = d.picture.row_bytes(), unit = row_bytes / columns;
    const std::uint64_t units = model::sector_bytes / unit;
    const auto in_sector = static_cast<float>(units);
    for (std::size_t row = 0; row < d.frame.rows.size(); ++row) {
        for (std::uint64_t at = 0; at < row_bytes; at += model::sector_bytes) {
            const std::uint64_t sector = (d.frame.rows[row].begin + at) / model::sector_bytes;
            const std::uint64_t first = at / unit;
            const Box box = d.cells(row, static_cast<float>(first), in_sector).grown(-0.5F);
            if (d.picture.used_bytes_of(sector) == 0) {
                d.layer.rects.push_back(rect(box, 2, {Role::raised, 0.6F}));
                continue;
            }
            const bool strong = d.chosen_sector(sector);
            Rect moved = rect(box, 2, {Role::raised, 1}, {Role::line, 1});
            moved.ref = {TraceRef::Kind::bank, 0, d.first_request_of(sector), d.picture.step};
            d.layer.rects.push_back(moved);
            draw_unused(d, row, sector * model::sector_bytes, strong);
            if (strong && d.options.turn) d.layer.rings.push_back(rect(box, 2, {}, {Role::text, 0.9F}, 1.5F));
        }
    }
}

/// Where cells are too narrow for their lanes' numbers: the lanes of each sector, "0-7", in its widest part that no
/// lane accesses, or over its cells where most bytes are accessed.
void draw_lanes_of_sectors(const Drawing& d) {
    const std::uint64_t unit = d.picture.row_bytes() / columns;
    const float size = d.text(11), air = 4;
    if (d.frame.row < size) return;
    for (const model::SectorRequest& request : d.picture.requests) {
        const std::uint64_t begin = request.sector * model::sector_bytes, end = begin + model::sector_bytes;
        const std::uint64_t row_begin = begin / d.picture.row_bytes() * d.picture.row_bytes();
        const auto row = std::ranges::find(d.frame.rows, row_begin, &Row::begin);
        if (row == d.frame.rows.end() || !d.chosen_sector(request.sector)) continue;
        std::uint64_t from = begin, past = begin, at = begin;
        const auto consider = [&](std::uint64_t next) {
            if (next > at && next - at > past - from) from = at, past = next;
        };
        for (const analysis::SectorPiece& piece : d.picture.pieces) {
            if (piece.sector != request.sector) continue;
            consider(piece.address);
            at = piece.address + d.picture.bytes;
        }
        consider(end);
        const std::string lanes = lane_list(request.lanes, 3);
        const float wide = text_width(Font::code_bold, size, lanes);
        const auto box_of_bytes = [&](std::uint64_t first, std::uint64_t last) {
            return d.cells(static_cast<std::size_t>(row - d.frame.rows.begin()),
                           static_cast<float>(first - row_begin) / static_cast<float>(unit),
                           static_cast<float>(last - first) / static_cast<float>(unit));
        };
        Box box = box_of_bytes(from, past);
        Role ground = Role::panel, ink = Role::text;
        if (wide + 2 * air > box.width) {
            if (d.picture.used_bytes_of(request.sector) * 2 < model::sector_bytes) continue;
            box = box_of_bytes(begin, end);
            ground = Role::useful;
            ink = Role::on_useful;
        }
        if (wide + 2 * air > box.width) continue;
        const Box back{box.center_x() - wide / 2 - air / 2, box.y + 1.5F, wide + air, box.height - 3};
        d.layer.rings.push_back(rect(back, 2, {ground, 1}));
        d.layer.texts.push_back(text_in(box, {Font::code_bold, size, {ink, 1}}, lanes));
    }
}

/// The bytes that lanes access, with the lanes' numbers.
void draw_pieces(const Drawing& d) {
    const std::uint64_t row_bytes = d.picture.row_bytes(), unit = row_bytes / columns;
    const float wide = static_cast<float>(d.picture.bytes) / static_cast<float>(unit);
    const float gap = d.frame.row > 8 && d.pitch > 8 ? 1.5F : 0.5F;
    const float size = size_of_names(d, d.pitch * wide - 2 * gap);
    for (std::size_t i = 0; i < d.picture.pieces.size(); ++i) {
        const analysis::SectorPiece& piece = d.picture.pieces[i];
        const std::uint64_t begin = piece.address / row_bytes * row_bytes;
        const auto row = std::ranges::find(d.frame.rows, begin, &Row::begin);
        if (row == d.frame.rows.end()) continue;
        const float first = static_cast<float>(piece.address - begin) / static_cast<float>(unit);
        const Box box = d.cells(static_cast<std::size_t>(row - d.frame.rows.begin()), first, wide).grown(-gap);
        const bool strong = d.chosen_sector(piece.sector);
        Rect cell = rect(box, 2.5F, {Role::useful, strong ? 1.0F : 0.2F});
        cell.ref = {TraceRef::Kind::lane, static_cast<std::uint32_t>(i), piece.lanes.lowest(), d.picture.step};
        d.layer.rects.push_back(cell);
        if (size == 0) continue;
        const Paint ink = strong ? Paint{Role::on_useful, 1} : Paint{Role::text, 0.6F};
        d.layer.texts.push_back(text_in(box, {Font::code_bold, size, ink}, name_of_lanes(piece.lanes)));
    }
    if (size == 0) draw_lanes_of_sectors(d);
}

/// The lanes at each address in the order served.
void draw_turns(const Drawing& d) {
    const float gap = d.frame.row > 8 && d.pitch > 8 ? 1.0F : 0.5F;
    const float inside = d.pitch - 2 * gap, size = size_of_names(d, inside);
    // Numbers that fill their cells have no outlines, as in Banks.
    constexpr float outline_and_air = 5;
    const bool outlined = size == 0 || text_width(Font::code_bold, size, "31") + outline_and_air <= inside;
    for (std::size_t row = 0; row < d.frame.rows.size(); ++row) {
        const std::size_t number = d.frame.rows[row].piece;
        const analysis::SectorPiece& piece = d.picture.pieces[number];
        unsigned turn = 0;
        for (const unsigned lane : piece.lanes) {
            const Box box = d.cells(row, static_cast<float>(turn), 1).grown(-gap);
            TurnOfCell of{.shared = piece.lanes.count() > 1};
            if (d.options.turn) {
                const unsigned shown = d.picture.turn_of(*d.options.turn);
                of.served = d.chosen_sector(piece.sector) && turn == shown;
                of.waits = d.chosen_sector(piece.sector) && turn > shown;
            }
            const LookOfCell look = look_of(of, d.options, outlined);
            Rect cell = rect(box, 2.5F, look.fill, outlined ? look.stroke : Paint{}, 1.25F);
            cell.ref = {TraceRef::Kind::lane, static_cast<std::uint32_t>(number), lane, d.picture.step};
            d.layer.rects.push_back(cell);
            ++turn;
            if (size == 0) continue;
            d.layer.texts.push_back(text_in(box, {Font::code_bold, size, look.ink}, std::to_string(lane)));
        }
    }
}

float growth(const analysis::SectorPicture& picture, const AccessOptions& options) {
    constexpr float beside = 150;
    const float width = beside + tight_pitch * columns;
    const float height = above_rows + usual_foot, rows = height_of(rows_of(picture), natural_row, said_gap);
    return enlargement(options, width * options.scale, height * options.scale + rows * options.scale);
}

}  // namespace

std::string sector_sentence(const analysis::SectorPicture& picture) { return foot_content(picture, {}).sentence(); }

Scene sectors_scene(const analysis::SectorPicture& picture, const AccessOptions& wanted) {
    AccessOptions options = wanted;
    options.scale *= growth(picture, wanted);
    const float scale = options.scale;
    Scene scene;
    scene.title = fmt::format("Sectors: {}", picture.requests.size());
    scene.description = sector_sentence(picture) + ".";
    scene.width = options.width;
    scene.height = options.height;

    Layer layer;
    const Frame frame = frame_of(picture, options);
    Drawing d{.picture = picture, .options = options, .frame = frame, .layer = layer};
    float widest = text_width(Font::words, d.text(11), "byte");
    for (const Row& row : frame.rows)
        widest = std::max(widest, text_width(Font::code, d.text(11), label_of(picture, picture.pieces[row.piece])));
    d.left = std::min(widest, options.width * 0.22F) + 18 * scale;
    const float widest_right = picture.atomic() ? text_width(Font::words, d.text(11), "sectors")
                                                : text_width(Font::code, d.text(11), "128 of 128");
    const float right = widest_right + 12 * scale;
    d.pitch = (options.width - d.left - right) / static_cast<float>(columns);
    if (options.height <= 0) d.pitch = std::min(d.pitch, natural_pitch * scale);
    d.top = above_rows * scale;

    if (picture.atomic()) {
        draw_turns(d);
    } else {
        draw_sectors(d);
        draw_pieces(d);
    }
    draw_labels(d);
    draw_rows_scrollbar(d.layer, {0, d.top, options.width, frame.height()},
                        {options.first_row, frame.rows.size(), frame.beyond}, scale);
    const float below = d.top + frame.height();
    if (options.height <= 0) scene.height = below + frame.foot.height + 6 * scale;
    draw_access_foot(foot_content(picture, options), frame.foot, options.turn ? "" : frame.note, below, layer);
    layer.flush(scene);
    return scene;
}

std::size_t sectors_rows_beyond(const analysis::SectorPicture& picture, const AccessOptions& wanted) {
    AccessOptions options = wanted;
    options.scale *= growth(picture, wanted);
    return frame_of(picture, options).beyond;
}

}  // namespace lanescope::scene
