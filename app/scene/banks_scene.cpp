#include "scene/banks_scene.h"

#include "base/grouped.h"
#include "base/lane_list.h"
#include "model/device_limits.h"
#include "scene/access_foot.h"
#include "scene/heat_paint.h"
#include "scene/layers.h"
#include "scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace lanescope::scene {
namespace {

constexpr float least_bank_row = 7, least_of_all = 4;  ///< a row's height, points; the least where all then fit
constexpr float most_bank_row = 40, most_upright = 2;  ///< a row's height, in points and in widths of a cell

/// Rows of shared memory, drawn contiguously.
struct Rows {
    std::vector<std::uint64_t> shown;  ///< ascending
    std::size_t beyond = 0;            ///< how many rows more can be scrolled to
    std::string note;                  ///< how many rows are shown, if not all
};

/// The rows to show: all where they fit, otherwise those that the access touches and, if these are few, some more.
std::vector<std::uint64_t> rows_of(const analysis::BankPicture& picture, std::size_t most) {
    std::vector<std::uint64_t> rows;
    if (picture.memory_rows <= most) {
        for (std::uint64_t row = 0; row < picture.memory_rows; ++row) rows.push_back(row);
        return rows;
    }
    const std::vector<std::uint64_t> touched = picture.touched_rows();
    rows = touched;
    for (std::uint64_t row = 0; rows.size() < std::min<std::size_t>(most, 4) && row < picture.memory_rows; ++row) {
        if (!std::ranges::binary_search(touched, row)) rows.push_back(row);
    }
    std::ranges::sort(rows);
    return rows;
}

/// The rows that fit into `room`, from the one scrolled to.
Rows rows_in(const analysis::BankPicture& picture, float room, const AccessOptions& options) {
    const auto place = [&](float row) {
        return std::max<std::size_t>(1, static_cast<std::size_t>(room / (row * options.scale)));
    };
    // Showing all of a conflict at once is worth more than the rows' height.
    std::vector<std::uint64_t> all = rows_of(picture, place(least_bank_row));
    if (all.size() > place(least_bank_row)) all = rows_of(picture, place(least_of_all));
    const std::size_t fitting = all.size() <= place(least_of_all) ? all.size() : place(least_bank_row);
    Rows rows;
    rows.beyond = all.size() - fitting;
    const auto first = static_cast<std::ptrdiff_t>(std::min(options.first_row, rows.beyond));
    rows.shown.assign(all.begin() + first, all.begin() + first + static_cast<std::ptrdiff_t>(fitting));
    if (fitting < picture.memory_rows)
        rows.note = fmt::format("{} of {}", fitting, counted(picture.memory_rows, "row"));
    return rows;
}

struct BanksDrawing {
    const analysis::BankPicture& picture;
    const AccessOptions& options;
    Layer& layer;
    float left = 0, pitch = 0, bars_bottom = 0, top = 0, row_height = 0;
    Rows rows;

    [[nodiscard]] Box cell(std::size_t row, unsigned bank) const {
        return {left + pitch * static_cast<float>(bank), top + row_height * static_cast<float>(row), pitch, row_height};
    }
    [[nodiscard]] float text(float size) const { return std::max(smallest_text, size * options.scale); }
    void put(float x, float y, Anchor anchor, Font font, float size, Paint paint, std::string words) const {
        layer.put(x, y, anchor, {font, text(size), paint}, std::move(words));
    }
};

/// How much each bank has to serve: a bar over its column, with one block a word (for atomics, a lane) while there is
/// room.
void draw_degrees(const BanksDrawing& d, float height) {
    const unsigned most = std::max(1U, *std::ranges::max_element(d.picture.degree));
    const float unit = std::min(height / static_cast<float>(most), 7 * d.options.scale);
    for (unsigned bank = 0; bank < d.picture.banks; ++bank) {
        const unsigned degree = d.picture.degree[bank];
        if (degree == 0) continue;
        const float tall = unit * static_cast<float>(degree), inset = std::min(1.0F, d.pitch * 0.1F);
        Rect bar = rect({d.cell(0, bank).x + inset, d.bars_bottom - tall, d.pitch - 2 * inset, tall},
                        std::min(1.5F, d.pitch * 0.15F), {degree > 1 ? Role::cost : Role::useful, 1});
        bar.ref = {TraceRef::Kind::bank, 0, bank, d.picture.step};
        d.layer.rects.push_back(bar);
        const Box inside{bar.x, d.bars_bottom - tall, bar.width, tall};
        const std::string number = std::to_string(degree);
        if (tall < d.text(11) || text_width(Font::code_bold, d.text(11), number) > bar.width) continue;
        d.layer.texts.push_back(
            text_in(inside, {Font::code_bold, d.text(11), {degree > 1 ? Role::on_cost : Role::on_useful, 1}}, number));
    }
}

void draw_memory(const BanksDrawing& d) {
    const unsigned every = d.picture.banks / 8;
    for (unsigned bank = 0; bank < d.picture.banks; bank += every) {
        d.put(d.cell(0, bank).center_x(), d.top - 8 * d.options.scale, Anchor::middle, Font::code, 11, {Role::soft, 1},
              std::to_string(bank));
    }
    const float gap = d.row_height > 8 && d.pitch > 8 ? 1.0F : 0.5F;
    const auto label_every =
        static_cast<std::size_t>(std::max(1.0F, std::ceil(d.text(11) * 1.15F / std::max(d.row_height, 1.0F))));
    for (std::size_t row = 0; row < d.rows.shown.size(); ++row) {
        if (row % label_every == 0) {
            d.put(d.left - 8 * d.options.scale, d.cell(row, 0).center_y(), Anchor::end, Font::code, 11, {Role::soft, 1},
                  fmt::format("{:04x}", d.rows.shown[row] * d.picture.banks * model::bank_bytes));
        }
        for (unsigned bank = 0; bank < d.picture.banks; ++bank) {
            Rect empty = rect(d.cell(row, bank).grown(-gap), std::min(2.0F, d.pitch * 0.12F), {Role::raised, 1});
            empty.ref = {TraceRef::Kind::bank, 0, bank, d.picture.step};
            d.layer.rects.push_back(empty);
        }
    }
}

/// The size of the lanes' names in cells that are `inside` wide; the widest name decides for all. Neighbors keep air
/// between them, or "10" and "11" would read as one number. 0: they do not fit.
float size_of_names(const BanksDrawing& d, float inside) {
    constexpr float air = 3, least_air = 2;  // a digit brings more than half a point of its own on each side
    if (smallest_text > d.row_height) return 0;
    float widest = 0;  // ems
    for (const analysis::BankWord& word : d.picture.words) {
        widest = std::max(widest, text_width(Font::code_bold, 1, name_of_lanes(word.lanes)));
    }
    const auto fitting = [&](float between) {
        return std::min(inside, d.pitch - between * d.options.scale) / std::max(widest, 0.1F);
    };
    if (fitting(least_air) < smallest_text) return 0;
    return std::clamp(std::min(d.text(12), d.row_height * 0.95F), smallest_text, std::max(fitting(air), smallest_text));
}

/// Do the names leave room for outlines around them? Decided for the whole picture: cells of lane 9 and of lane 10 that
/// look different would seem to be two kinds of cells.
bool roomy_for_outlines(const BanksDrawing& d, float size, float inside) {
    constexpr float outline = 1.25F, beside = 1.25F;
    if (d.row_height < 6) return false;
    return std::ranges::all_of(d.picture.words, [&](const analysis::BankWord& word) {
        return size == 0 ||
               text_width(Font::code_bold, size, name_of_lanes(word.lanes)) + 2 * (outline + beside) <= inside;
    });
}

/// The look of a word or, while a wavefront is shown, of the lanes that it serves there.
LookOfCell look_of_word(const BanksDrawing& d, const analysis::BankWord& word, std::size_t wavefront, bool outlined) {
    const std::optional<unsigned> turn = d.options.turn;
    return look_of({.served = !turn || *turn == wavefront,
                    .waits = turn && wavefront > *turn,
                    .shared = d.picture.degree[word.bank] > 1},
                   d.options, outlined);
}

/// The words that the access touches, with their lanes.
void draw_words(const BanksDrawing& d) {
    const float gap = d.row_height > 8 && d.pitch > 8 ? 1.0F : 0.5F;
    const float inside = d.pitch - 2 * gap, size = size_of_names(d, inside);
    const bool outlined = roomy_for_outlines(d, size, inside);
    for (std::size_t index = 0; index < d.picture.words.size(); ++index) {
        const analysis::BankWord& word = d.picture.words[index];
        const auto row = std::ranges::lower_bound(d.rows.shown, word.row);
        if (row == d.rows.shown.end() || *row != word.row) continue;
        const Box box = d.cell(static_cast<std::size_t>(row - d.rows.shown.begin()), word.bank).grown(-gap);
        const LookOfCell look = look_of_word(d, word, word.wavefront, outlined);
        const float radius = std::min(2.5F, box.width * 0.15F);
        Rect shape = rect(box, radius, look.fill, outlined || look.filled ? look.stroke : Paint{}, 1.25F);
        shape.ref = {TraceRef::Kind::lane, static_cast<std::uint32_t>(index), *word.lanes.begin(), d.picture.step};
        d.layer.rects.push_back(shape);
        if (size == 0) continue;
        d.layer.texts.push_back(text_in(box, {Font::code_bold, size, look.ink}, name_of_lanes(word.lanes)));
    }
}

/// Do lanes of an atomic operation meet at a word?
bool lanes_meet(const analysis::BankPicture& picture) {
    return picture.kind == trace::EffectKind::atomic &&
           std::ranges::any_of(picture.words, [](const auto& word) { return word.lanes.count() > 1; });
}

/// Where lanes of an atomic operation meet at a word, a line below it for each wavefront: the lanes that it serves, in
/// the columns of their banks. `room`: the free height. Returns the height that it takes, 0 where not all lines have
/// room.
float draw_wavefronts_of_atomic(const BanksDrawing& d, float top, float room) {
    if (!lanes_meet(d.picture)) return 0;
    constexpr float gap = 1, air = 2, least_air = 1;
    const float above = 6 * d.options.scale, lines = static_cast<float>(d.picture.wavefronts.size());
    const float line = std::min({(room - above) / lines, d.pitch * 1.35F, 24 * d.options.scale});
    const float widest = text_width(Font::code_bold, 1, "31");
    const float size = std::min({(d.pitch - air) / widest, line - 2 * gap, d.text(12)});
    if (std::max(size, smallest_text) * widest + least_air > d.pitch || line < smallest_text + 2 * gap) return 0;
    for (std::size_t w = 0; w < d.picture.wavefronts.size(); ++w) {
        const float y = top + above + line * static_cast<float>(w);
        d.put(d.left - 8 * d.options.scale, y + line / 2, Anchor::end, Font::code, 11, {Role::soft, 1},
              std::to_string(w + 1));
        for (std::size_t index = 0; index < d.picture.words.size(); ++index) {
            const analysis::BankWord& word = d.picture.words[index];
            const LaneMask served = word.lanes & d.picture.wavefronts[w].lanes;
            if (served.none()) continue;
            const Box cell = Box{d.cell(0, word.bank).x, y, d.pitch, line}.grown(-gap);
            const LookOfCell look = look_of_word(d, word, w, false);
            Rect shape = rect(cell, std::min(2.5F, cell.width * 0.15F), look.fill);
            shape.ref = {TraceRef::Kind::lane, static_cast<std::uint32_t>(index), served.lowest(), d.picture.step};
            d.layer.rects.push_back(shape);
            d.layer.texts.push_back(
                text_in(cell, {Font::code_bold, std::max(size, smallest_text), look.ink}, name_of_lanes(served)));
        }
    }
    return above + lines * line;
}

/// Marked whether or not the access at the cursor touches it.
void draw_selected_word(const BanksDrawing& d) {
    if (!d.options.selected) return;
    const std::uint64_t banks = d.picture.banks;
    const auto row = std::ranges::lower_bound(d.rows.shown, *d.options.selected / banks);
    if (row == d.rows.shown.end() || *row != *d.options.selected / banks) return;
    const auto bank = static_cast<unsigned>(*d.options.selected % banks);
    const Box box = d.cell(static_cast<std::size_t>(row - d.rows.shown.begin()), bank);
    d.layer.rings.push_back(ring(box, 2, 0, {Role::selected, 1}, 2));
}

const char* name_of(trace::EffectKind kind) {
    switch (kind) {
        case trace::EffectKind::load: return "load, ";
        case trace::EffectKind::store: return "store, ";
        default: return "atomic, ";
    }
}

/// The columns are wider where there are few banks.
float bank_pitch(const analysis::BankPicture& picture) { return picture.banks == model::half_warp_banks() ? 40 : 26; }

float growth(const analysis::BankPicture& picture, const AccessOptions& options) {
    constexpr float row = 20, around_rows = 6 + 46 + 18 + 62, around_banks = 62;
    const float width = around_banks + bank_pitch(picture) * static_cast<float>(picture.banks);
    const float height = around_rows + row * static_cast<float>(picture.memory_rows);
    return enlargement(options, width * options.scale, height * options.scale);
}

std::string served_in(const analysis::BankPicture& picture, std::size_t wavefront) {
    const LaneMask now = picture.wavefronts[wavefront].lanes;
    const unsigned rest = picture.waiting_in(wavefront).count();
    std::string says = fmt::format("{} {} served", noun(now.count(), "lane"), lane_list(now, 8));
    if (rest > 0) says += fmt::format(", {} wait", rest);
    return says;
}

FootContent foot_content(const analysis::BankPicture& picture, const AccessOptions& options) {
    FootContent content{.verdict = counted(picture.wavefronts.size(), "wavefront"),
                        .excess = picture.conflict(),
                        .access = picture.access,
                        .arithmetic = picture.arithmetic,
                        .turn = "wavefront",
                        .turns = {},
                        .chosen = options.turn,
                        .step = picture.step,
                        .width = options.width,
                        .scale = options.scale};
    for (std::size_t w = 0; w < picture.wavefronts.size(); ++w)
        content.turns.push_back({picture.begins_group(w), served_in(picture, w)});
    return content;
}

/// The division of the height between bars, rows and words.
struct Frame {
    float bars = 0, top = 0, room = 0;  ///< of the rows: top, height of all
    Rows rows;
    AccessFoot foot;
};

Frame frame_of(const analysis::BankPicture& picture, const AccessOptions& options) {
    constexpr float above_bars = 6, below_bars = 18, usual_bars = 46, low_bars = 26, usual_foot = 62, most_natural = 40;
    const float scale = options.scale, around = (above_bars + below_bars) * scale;
    const auto high = [&](float row, std::size_t rows) { return row * scale * static_cast<float>(rows); };
    const std::size_t rows = rows_of(picture, 32).size();
    const FootContent content = foot_content(picture, options);
    Frame frame;
    if (options.height <= 0) {
        constexpr float any = 1e6F;
        frame.bars = usual_bars * scale;
        frame.top = around + frame.bars;
        frame.room = high(least_bank_row, most_natural);
        frame.foot = access_foot(content, {any, any, any});
    } else {
        // Many rows take the height that the bars can spare.
        const float spare = options.height - around - usual_foot * scale - high(least_bank_row, rows);
        // So do the lines of lanes that meet, which are as long as the bars are high.
        const float most = std::min((lanes_meet(picture) ? low_bars : usual_bars) * scale, options.height * 0.16F);
        frame.bars = std::clamp(spare, std::min(low_bars * scale, most), most);
        frame.top = around + frame.bars;
        const float rest = options.height - frame.top;
        constexpr float named_row = 12;
        constexpr std::size_t few = 6;
        frame.foot = access_foot(content, {.easy = rest - high(named_row, rows),
                                           .tight = rest - high(least_of_all, rows),
                                           .most = rest - high(least_bank_row, std::min(rows, few))});
        frame.room = std::max(rest - frame.foot.height, least_bank_row * scale);
    }
    frame.rows = rows_in(picture, frame.room, options);
    return frame;
}

}  // namespace

std::string bank_sentence(const analysis::BankPicture& picture) { return foot_content(picture, {}).sentence(); }

Scene banks_scene(const analysis::BankPicture& picture, const AccessOptions& wanted) {
    AccessOptions options = wanted;
    options.scale *= growth(picture, wanted);
    Scene scene;
    scene.title = fmt::format("Banks: {}", counted(picture.wavefronts.size(), "wavefront"));
    scene.description = picture.arithmetic + ".";
    scene.width = options.width;
    scene.height = options.height;

    Layer layer;
    const Frame frame = frame_of(picture, options);
    BanksDrawing d{.picture = picture, .options = options, .layer = layer, .rows = frame.rows};
    const float scale = options.scale;
    d.left = 50 * scale;
    d.pitch = (options.width - d.left - 12 * scale) / static_cast<float>(picture.banks);
    if (options.height <= 0) d.pitch = std::min(d.pitch, bank_pitch(picture) * scale);
    d.bars_bottom = 6 * scale + frame.bars;
    d.top = frame.top;
    d.row_height = std::min(d.pitch, 20 * scale);
    if (options.height > 0) {
        // Where the banks are narrow, rows may be higher than wide: the lanes' numbers need the room.
        d.row_height = std::min(std::max(d.pitch * 1.35F, 18 * scale), std::max(24 * scale, d.pitch * 0.75F));
        // A few rows take all the height that there is.
        if (!lanes_meet(picture))
            d.row_height = std::max(d.row_height, std::min(most_bank_row, d.pitch * most_upright));
        const auto rows = static_cast<float>(std::max<std::size_t>(d.rows.shown.size(), 1));
        d.row_height = std::min(d.row_height, frame.room / rows);
    }

    draw_degrees(d, frame.bars);
    draw_memory(d);
    draw_words(d);
    draw_selected_word(d);
    const float rows_height = d.row_height * static_cast<float>(d.rows.shown.size());
    draw_rows_scrollbar(d.layer, {0, d.top, d.options.width, rows_height},
                        {d.options.first_row, d.rows.shown.size(), d.rows.beyond}, d.options.scale);
    float below = d.top + rows_height;
    if (options.height > 0)
        below += draw_wavefronts_of_atomic(d, below, options.height - below - frame.foot.height - 6 * scale);
    if (options.height <= 0) scene.height = below + frame.foot.height + 6 * scale;
    draw_access_foot(foot_content(picture, options), frame.foot, options.turn ? "" : d.rows.note, below, layer);
    layer.flush(scene);
    return scene;
}

std::size_t banks_rows_beyond(const analysis::BankPicture& picture, const AccessOptions& wanted) {
    AccessOptions options = wanted;
    options.scale *= growth(picture, wanted);
    return frame_of(picture, options).rows.beyond;
}

Scene bank_heat_scene(const analysis::BankHeat& heat, const HeatOptions& options) {
    Scene scene;
    scene.title = fmt::format("Banks of a pass: {}", counted(heat.rows.size(), "access"));
    scene.width = options.width;
    Layer layer;
    const float scale = options.scale, left = 150 * scale, right = 62 * scale, top = 24 * scale;
    const auto text = [&](float size) { return std::max(smallest_text, size * scale); };
    const auto put = [&](float x, float y, Anchor anchor, Font font, Paint paint, std::string words) {
        layer.put(x, y, anchor, {font, text(11), paint}, std::move(words));
    };
    const float pitch = std::min((options.width - left - right) / static_cast<float>(heat.banks), 40 * scale);
    const float end = left + pitch * static_cast<float>(heat.banks) + right - 12 * scale;
    const auto rows = static_cast<float>(std::max<std::size_t>(heat.rows.size(), 1));
    const float row_height = std::clamp((options.height - top - 8 * scale) / rows, 7 * scale, 18 * scale);
    scene.height = std::max(options.height, top + rows * row_height + 8 * scale);

    for (unsigned bank = 0; bank < heat.banks; bank += 4) {
        put(left + pitch * (static_cast<float>(bank) + 0.5F), 11 * scale, Anchor::middle, Font::code, {Role::soft, 1},
            std::to_string(bank));
    }
    put(left - 8 * scale, 11 * scale, Anchor::end, Font::words, {Role::soft, 1}, "bank");
    put(end, 11 * scale, Anchor::end, Font::words, {Role::soft, 1}, "wavefr.");

    const unsigned most = std::max(2U, heat.most_degree());
    const auto every = static_cast<std::size_t>(std::max(1.0F, std::ceil(text(11) * 1.15F / row_height)));
    for (std::size_t index = 0; index < heat.rows.size(); ++index) {
        const analysis::BankHeatRow& row = heat.rows[index];
        const auto number = static_cast<std::uint32_t>(index);
        const float y = top + row_height * static_cast<float>(index), middle = y + row_height / 2;
        if (options.chosen == index)
            layer.rects.push_back(rect({6 * scale, y, 3 * scale, row_height}, 1, {Role::cursor, 1}));
        Rect label = rect({0, y, left, row_height}, 0, {});
        label.ref = {TraceRef::Kind::row, number, 0, {}};
        layer.rects.push_back(label);
        if (index % every == 0) {
            const bool strong = row.conflict || options.chosen == index;
            put(left - 8 * scale, middle, Anchor::end, Font::words, {strong ? Role::text : Role::soft, 1},
                fmt::format("{}line {}, warp {}", name_of(row.kind), row.source_line, row.warp.value));
            put(end, middle, Anchor::end, Font::code, {row.conflict ? Role::cost : Role::soft, 1},
                std::to_string(row.wavefronts));
        }
        for (unsigned bank = 0; bank < heat.banks; ++bank) {
            const unsigned degree = row.degree[bank];
            const Box box = Box{left + pitch * static_cast<float>(bank), y, pitch, row_height}.grown(-0.5F);
            Paint paint{Role::raised, 1};
            if (degree > 0) paint = heat_paint(degree, most);
            Rect cell = rect(box, std::min(2.0F, pitch * 0.12F), paint);
            cell.ref = {TraceRef::Kind::bank, number, bank, {}};
            layer.rects.push_back(cell);
            if (degree < 2 || row_height < text(11) || pitch < text(11) * 1.4F) continue;
            layer.texts.push_back(
                text_in(box, {Font::code_bold, text(10.5F), {Role::on_cost, 1}}, std::to_string(degree)));
        }
        scene.description += fmt::format("Line {}, warp {}: {}. ", row.source_line, row.warp.value,
                                         counted(row.wavefronts, "wavefront"));
    }
    layer.flush(scene);
    return scene;
}

}  // namespace lanescope::scene
