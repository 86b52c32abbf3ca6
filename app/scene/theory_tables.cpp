#include "scene/theory_tables.h"

#include "analysis/theory/greedy_schedule.h"
#include "base/grouped.h"
#include "model/model.h"
#include "scene/labels.h"
#include "timing/measurement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace lanescope::scene {

using analysis::ClosedForm;
using analysis::GlobalElements;
using analysis::LaunchTheory;
using analysis::ScheduledSteps;
using analysis::TheoryPicture;

namespace {

constexpr std::size_t most_launches = 6, most_buffers = 10;

std::string ratio(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? "-" : number_text(static_cast<double>(part) / static_cast<double>(whole));
}

std::string recorded_text(const LaunchTheory& launch) {
    return fmt::format("{} of {}", grouped(launch.recorded_blocks), counted(launch.blocks, "block"));
}

/// Why the recorded operations cannot be scheduled as the whole run, and the option that records all of them.
std::string not_recorded(const TheoryPicture& picture) {
    std::uint64_t most = 0;
    for (const analysis::LaunchTheory& launch : picture.launches) most = std::max(most, launch.blocks);
    for (const analysis::LaunchTheory& launch : picture.launches)
        if (!launch.cut.empty()) return fmt::format("Not known. {}.", launch.cut);
    return fmt::format("Not known: not every block is recorded. --record {} records them all.", most);
}

}  // namespace

TheoryTable work_table(const TheoryPicture& picture) {
    TheoryTable table{.title = "Work and span",
                      .columns = {{"", "", false}, {"", "operations"}, {"", "closed form", false}},
                      .rows = {},
                      .notes = {}};
    const char* const of = picture.complete() ? "" : ", recorded blocks";
    const auto add = [&](const char* words, std::string_view name, std::uint64_t measured) {
        TheoryTable::Row row{.cells = {fmt::format("{}{}", words, of), grouped(measured), "-"}};
        const auto form = std::ranges::find(picture.forms, name, &ClosedForm::name);
        if (form != picture.forms.end()) {
            const bool plain = form->expression == std::to_string(form->value);
            row.cells.back() =
                plain ? form->expression : fmt::format("{} = {}", form->expression, grouped(form->value));
            if (form->measured) row.agrees = form->measured == form->value;
        }
        table.rows.push_back(std::move(row));
    };
    add(picture.of_addresses ? "address work W" : "work W", "work", picture.work);
    add("span t, the longest chain", "span", picture.span);
    if (picture.work == 0 || picture.of_addresses)
        table.notes.emplace_back(
            "No operation that combines two values of the input reaches an output as data. A comparison that only "
            "guards a loop, a bound or a filter does not count.");
    if (picture.of_addresses) {
        table.notes.emplace_back(
            "W and t are of the address work, which is the algorithm here: operations that only decide addresses or "
            "conditions.");
    } else if (picture.address_work > 0) {
        table.notes.push_back(fmt::format("{} of two values only decide addresses or conditions: address work.",
                                          counted(picture.address_work, "combination")));
    }
    return table;
}

TheoryTable cost_table(const TheoryPicture& picture) {
    const bool several = picture.launches.size() > 1;
    TheoryTable table{.title = "Cost of the run: each thread is a processor",
                      .columns = {{"", several ? "launch" : "", false},
                                  {"threads", "P"},
                                  {"steps", "T"},
                                  {"cost", "P x T"},
                                  {"cost", "/ W"}},
                      .rows = {},
                      .notes = {}};
    const auto add = [&](std::string name, std::string threads, std::uint64_t steps, std::uint64_t cost, bool known,
                         bool of_all) {
        table.rows.push_back({{std::move(name), std::move(threads), grouped(steps), known ? grouped(cost) : "not known",
                               known && of_all ? ratio(cost, picture.work) : "-"}});
    };
    std::uint64_t steps = 0;
    bool complete = true;
    for (std::size_t i = 0; i < picture.launches.size(); ++i) {
        const LaunchTheory& launch = picture.launches[i];
        steps += launch.steps;
        complete = complete && launch.complete();
        if (i >= most_launches) continue;
        std::string name = several ? std::to_string(i) : launch.complete() ? "the launch" : "";
        if (!launch.complete()) name += (several ? ", " : "") + recorded_text(launch);
        add(std::move(name), grouped(launch.threads), launch.steps, launch.cost(), launch.complete(), !several);
    }
    if (picture.launches.size() > most_launches)
        table.rows.push_back({{fmt::format("{} more", picture.launches.size() - most_launches), "", "", "", ""}});
    if (several) add("total", "", steps, picture.cost(), complete, true);
    table.notes.emplace_back(
        "In a step, each thread performs at most one operation, in its own order. Only operations that reach an output "
        "count.");
    return table;
}

TheoryTable brent_table(const TheoryPicture& picture) {
    TheoryTable table{.title = brent_title,
                      .columns = {{"processors", "p"},
                                  {"no fewer than", "max(t, W / p)"},
                                  {"greedy", "schedule"},
                                  {"at most", "t + (W - t) / p"}},
                      .rows = {},
                      .notes = {}};
    for (const ScheduledSteps& at : picture.schedule) {
        const auto p = static_cast<double>(at.processors);
        table.rows.push_back(
            {{grouped(at.processors), number_text(analysis::least_steps(picture.work, picture.span, p)),
              grouped(at.steps), number_text(analysis::brent_bound(picture.work, picture.span, p))}});
    }
    table.notes.emplace_back(
        "The schedule is of the recorded operations: in each step every processor performs one that is ready, those "
        "with the longest chain after them first.");
    return table;
}

TheoryTable processors_table(const TheoryPicture& picture) {
    TheoryTable table{.title = fmt::format("Cost by processors, N = {}", grouped(picture.n)),
                      .columns = {{"", "processors", false},
                                  {"", "p"},
                                  {"greedy", "steps"},
                                  {"cost", "p x steps"},
                                  {"cost", "/ W"},
                                  {"cost", "/ (N - 1)"}},
                      .rows = {},
                      .notes = {}};
    for (const ScheduledSteps& at : picture.processors) {
        table.rows.push_back({{at.name, grouped(at.processors), grouped(at.steps), grouped(at.cost()),
                               ratio(at.cost(), picture.work), ratio(at.cost(), picture.n - 1)}});
    }
    if (table.rows.empty()) {
        table.title = "Cost by processors";
        table.notes.emplace_back(picture.work == 0     ? "There is no operation to schedule."
                                 : !picture.complete() ? not_recorded(picture)
                                                       : "The program has no N.");
    } else {
        table.notes.emplace_back(
            "A serial reduction or scan of N elements takes N - 1 operations. A parallel one is cost-optimal where the "
            "last ratio stays bounded as N grows. For other algorithms that ratio says nothing.");
    }
    return table;
}

TheoryTable work_by_size_table(const TheoryPicture& picture) {
    TheoryTable table{.title = "Work over N",
                      .columns = {{"", "N"},
                                  {"threads", "per block"},
                                  {"", "blocks"},
                                  {picture.of_addresses ? "address" : "", "work W"},
                                  {"", "N - 1"},
                                  {"", "N log2 N"},
                                  {"", "closed form"}},
                      .rows = {},
                      .notes = {}};
    for (const analysis::WorkAtSize& at : picture.work_by_size) {
        const auto n = static_cast<double>(at.n);
        TheoryTable::Row row{{grouped(at.n), grouped(at.block), grouped(at.grid), grouped(at.work), grouped(at.n - 1),
                              number_text(n * std::log2(n)), at.form ? grouped(*at.form) : "-"}};
        if (at.form) row.agrees = at.form == at.work;
        table.rows.push_back(std::move(row));
    }
    if (!picture.work_note.empty()) table.notes.push_back(picture.work_note);
    return table;
}

TheoryTable elements_table(const TheoryPicture& picture) {
    const bool several = picture.launches.size() > 1;
    TheoryTable table{.title = "Global memory: elements x size",
                      .columns = {{"", several ? "launch, array" : "array", false},
                                  {"", "read"},
                                  {"", "written"},
                                  {"bytes", "each"},
                                  {"", "bytes"}},
                      .rows = {},
                      .notes = {}};
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < picture.launches.size(); ++i) {
        const LaunchTheory& launch = picture.launches[i];
        const std::string prefix = several ? fmt::format("{}: ", i) : "";
        if (table.rows.size() >= most_buffers) {
            left_out += launch.elements.size() + 1;
            continue;
        }
        for (const GlobalElements& of : launch.elements) {
            std::string name = prefix + picture.arrays[of.buffer];
            if (!launch.complete()) name += fmt::format(", by {}", recorded_text(launch));
            table.rows.push_back({{std::move(name), grouped(of.read), grouped(of.written), grouped(of.element_bytes),
                                   grouped(of.bytes())}});
        }
        table.rows.push_back({{prefix + "sectors, all blocks", grouped(launch.sectors_read),
                               grouped(launch.sectors_written), grouped(std::uint64_t{model::sector_bytes}),
                               grouped((launch.sectors_read + launch.sectors_written) * model::sector_bytes)}});
    }
    if (left_out > 0) table.rows.push_back({{fmt::format("{} more rows", left_out), "", "", "", ""}});
    table.notes.emplace_back(
        "An element counts once in a launch, however often it is accessed; sectors count as often as they are moved.");
    for (const analysis::TimedBytes& time : picture.times) {
        table.notes.push_back(fmt::format("{}: {} x {} / {} = {} GB/s for the whole algorithm.", time.device,
                                          size_text(time.elements), counted(time.element_bytes, "byte"),
                                          timing::time_text(time.microseconds),
                                          number_text(time.gigabytes_per_second())));
    }
    if (picture.times.empty())
        table.notes.emplace_back("No recording has a time of this program at this N and block size.");
    return table;
}

TheoryTable occupancy_table(const TheoryPicture& picture) {
    TheoryTable table{.title = "Occupancy",
                      .columns = {{"", "GPU", false},
                                  {"blocks", "resident"},
                                  {"warps", "resident"},
                                  {"", "occupancy"},
                                  {"blocks to", "fill the GPU"},
                                  {"", "limited by", false}},
                      .rows = {},
                      .notes = {}};
    if (picture.launch >= picture.launches.size()) return table;
    const LaunchTheory& launch = picture.launches[picture.launch];
    if (picture.launches.size() > 1) table.title += fmt::format(" of launch {}", picture.launch);
    for (const analysis::OccupancyOf& of : picture.occupancy) {
        const model::Occupancy& at = of.occupancy;
        std::vector<std::string_view> limits;
        limits.reserve(at.limits.size());
        for (const model::Occupancy::Limit limit : at.limits) limits.push_back(model::name_of(limit));
        table.rows.push_back(
            {{std::string(of.gpu.name), at.excess.empty() ? grouped(at.blocks) : "none",
              fmt::format("{} of {}", at.warps, at.most_warps), fmt::format("{:.0f} %", 100 * at.share()),
              at.blocks > 0 ? grouped(at.blocks * of.gpu.multiprocessors) : "-",
              at.excess.empty() ? fmt::format("{}", fmt::join(limits, ", ")) : at.excess}});
    }
    table.notes.push_back(fmt::format("Per multiprocessor, for blocks of {} with {} of shared memory; the grid has {}.",
                                      counted(launch.threads_of_block, "thread"), counted(launch.shared_bytes, "byte"),
                                      counted(launch.blocks, "block")));
    table.notes.emplace_back("Registers are not known: they may allow fewer blocks.");
    return table;
}

}  // namespace lanescope::scene
