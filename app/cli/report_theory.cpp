#include "cli/report.h"
#include "cli/table.h"
#include "scene/theory_tables.h"
#include "session/theory.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace lanescope::cli {

namespace {

using Json = nlohmann::ordered_json;
using scene::TheoryTable;

constexpr std::size_t note_width = 96;

/// Wraps the text at spaces to the width of a terminal.
std::string paragraph(std::string_view text, const std::string& indent) {
    std::string result;
    while (!text.empty()) {
        std::size_t end = text.size();
        if (end > note_width) {
            end = text.rfind(' ', note_width);
            if (end == std::string_view::npos) end = std::min(text.find(' ', note_width), text.size());
        }
        result += fmt::format("{}{}\n", indent, text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::string text_of(const TheoryTable& table) {
    std::string text = fmt::format("  {}\n", table.title);
    if (!table.rows.empty()) {
        const bool two = std::ranges::any_of(table.columns, [](const auto& each) { return !each.upper.empty(); });
        std::vector<Column> columns;
        columns.reserve(table.columns.size());
        for (const TheoryTable::Column& column : table.columns) {
            columns.push_back(
                {two ? std::vector{column.upper, column.lower} : std::vector{column.lower}, column.number});
        }
        Table lines(std::move(columns));
        for (const TheoryTable::Row& row : table.rows) {
            std::vector<std::string> cells = row.cells;
            if (row.agrees == false) cells.back() += "  differs";
            lines.add(std::move(cells));
        }
        text += lines.text("    ");
    }
    for (const std::string& note : table.notes) text += paragraph(note, "    ");
    return text + '\n';
}

Json json_of(const analysis::ScheduledSteps& at) {
    Json json{{"processors", at.processors}, {"steps", at.steps}, {"cost", at.cost()}};
    if (!at.name.empty()) json["name"] = at.name;
    return json;
}

}  // namespace

std::string theory_text(const session::Run& run, Progress& progress) {
    const analysis::TheoryPicture picture = session::theory_with_sizes(run, 0, progress);
    std::string text = "\n  Theory\n";
    for (const std::string& sentence : picture.scope) text += paragraph(sentence, "  ");
    text += '\n';
    for (const TheoryTable& table :
         {scene::work_table(picture), scene::cost_table(picture), scene::brent_table(picture),
          scene::processors_table(picture), scene::work_by_size_table(picture), scene::elements_table(picture),
          scene::occupancy_table(picture)})
        text += text_of(table);
    text.pop_back();
    return text;
}

Json theory_json(const session::Run& run, Progress& progress) {
    const analysis::TheoryPicture picture = session::theory_with_sizes(run, 0, progress);
    Json json{{"exact", picture.exact},
              {"scope", picture.scope},
              {"work", picture.work},
              {"span", picture.span},
              {"of_address_work", picture.of_addresses}};
    json["launches"] = Json::array();
    for (const analysis::LaunchTheory& launch : picture.launches) {
        Json elements = Json::array();
        for (const analysis::GlobalElements& of : launch.elements) {
            elements.push_back({{"array", picture.arrays[of.buffer]},
                                {"read", of.read},
                                {"written", of.written},
                                {"element_bytes", of.element_bytes},
                                {"bytes", of.bytes()}});
        }
        json["launches"].push_back({{"threads", launch.threads},
                                    {"blocks", launch.blocks},
                                    {"recorded_blocks", launch.recorded_blocks},
                                    {"steps", launch.steps},
                                    {"cost", launch.complete() ? Json(launch.cost()) : Json(nullptr)},
                                    {"elements", std::move(elements)},
                                    {"sectors_read", launch.sectors_read},
                                    {"sectors_written", launch.sectors_written}});
    }
    json["schedule"] = json["processors"] = json["work_by_size"] = json["times"] = json["occupancy"] = Json::array();
    for (const analysis::ScheduledSteps& at : picture.schedule) json["schedule"].push_back(json_of(at));
    for (const analysis::ScheduledSteps& at : picture.processors) json["processors"].push_back(json_of(at));
    for (const analysis::WorkAtSize& at : picture.work_by_size) {
        json["work_by_size"].push_back({{"n", at.n},
                                        {"block", at.block},
                                        {"grid", at.grid},
                                        {"work", at.work},
                                        {"span", at.span},
                                        {"formula", at.form ? Json(*at.form) : Json(nullptr)}});
    }
    for (const analysis::TimedBytes& time : picture.times) {
        json["times"].push_back({{"recording", time.device},
                                 {"elements", time.elements},
                                 {"element_bytes", time.element_bytes},
                                 {"microseconds", time.microseconds},
                                 {"gigabytes_per_second", time.gigabytes_per_second()}});
    }
    for (const analysis::OccupancyOf& of : picture.occupancy) {
        Json limits = Json::array();
        for (const model::Occupancy::Limit limit : of.occupancy.limits) limits.push_back(model::name_of(limit));
        json["occupancy"].push_back({{"gpu", of.gpu.name},
                                     {"blocks", of.occupancy.blocks},
                                     {"warps", of.occupancy.warps},
                                     {"most_warps", of.occupancy.most_warps},
                                     {"limits", std::move(limits)}});
    }
    return json;
}

}  // namespace lanescope::cli
