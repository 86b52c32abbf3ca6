#include "base/grouped.h"
#include "cli/commands.h"
#include "cli/report.h"
#include "render/image/image.h"
#include "scene/banks_scene.h"
#include "scene/counts_scene.h"
#include "scene/grid_scene.h"
#include "scene/memory_scene.h"
#include "scene/passes_scene.h"
#include "scene/program_scene.h"
#include "scene/warps_scene.h"
#include "session/closed_forms.h"
#include "session/session_verdict.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace lanescope::cli {

namespace {

/// The drawn moment of a run.
struct Moment {
    std::uint32_t launch = 0;
    BlockId block;
    std::size_t position = 0;  ///< in the block's steps
};

/// "This run has passes 0 to 4.", "This program has launch 0 only."
std::string range_text(std::string_view owner, std::string_view one, std::string_view many, std::uint64_t last) {
    return last == 0 ? fmt::format("{} has {} 0 only.", owner, one)
                     : fmt::format("{} has {} 0 to {}.", owner, many, grouped(last));
}

Result<Moment> moment_of(const session::Run& run, const RenderOptions& options) {
    const auto& launches = run.trace().launches;
    const std::uint32_t number = options.in_launch.value_or(0);
    if (number >= launches.size()) {
        return fail(fmt::format("--in-launch {}: there is no such launch", number), {},
                    range_text("This program", "launch", "launches", launches.size() - 1));
    }
    const trace::Launch& launch = launches[number];
    if (launch.recorded.empty()) {
        return fail("no block was recorded, so there is nothing to draw", {}, "Omit --record, or increase it.");
    }
    Moment moment{.launch = number, .block = launch.recorded.front()};
    if (options.in_block) {
        moment.block = BlockId(*options.in_block);
        if (!run.trace().recorded(number, moment.block)) {
            return fail(fmt::format("--in-block {}: that block was not recorded", *options.in_block), {},
                        fmt::format("Blocks {} to {} are recorded; --record records more.",
                                    launch.recorded.front().value, launch.recorded.back().value));
        }
    }
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    moment.position = passes.steps.size();
    if (options.pass) {
        if (*options.pass >= passes.passes.size()) {
            return fail(fmt::format("--pass {}: there is no such pass", *options.pass), {},
                        range_text("This run", "pass", "passes", std::max<std::size_t>(passes.passes.size(), 1) - 1));
        }
        // In the pass, before its last instruction: one step further, the next pass would be current.
        moment.position = passes.passes[*options.pass].past_last - 1;
    }
    if (options.step) {
        if (*options.step > passes.steps.size()) {
            return fail(fmt::format("--step {}: there is no such step", *options.step), {},
                        range_text(fmt::format("Block {}", moment.block.value), "step", "steps", passes.steps.size()));
        }
        moment.position = *options.step;
    }
    return moment;
}

scene::Scene banks_of(const session::Run& run, const Moment& moment, const RenderOptions& options) {
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    const scene::BanksOptions drawn{.width = options.width, .height = 0, .wavefront = {}};
    const auto access = analysis::shared_access_near(run.analysis->view(passes), moment.position, WarpId(0));
    if (!access) {
        const bool none = !analysis::uses_shared_memory(run.trace(), moment.launch);
        return scene::no_banks_scene(drawn, none ? scene::NoBanks::in_kernel : scene::NoBanks::so_far);
    }
    const auto picture = analysis::named_bank_picture(run.analysis->view(passes), *access);
    return picture ? scene::banks_scene(*picture, drawn) : scene::no_banks_scene(drawn);
}

scene::Scene warps_of(const session::Run& run, const Moment& moment, const RenderOptions& options) {
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    const analysis::WarpPicture picture =
        analysis::warp_picture(run.analysis->view(passes), passes.pass_of(moment.position));
    return scene::warps_scene(picture, {.width = options.width, .height = 0, .next = {}});
}

scene::Scene warp_passes_of(const session::Run& run, const Moment& moment, const RenderOptions& options) {
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    scene::WarpPassesOptions drawn{.width = options.width, .height = 0, .pass = {}, .warp = {}, .lane = {}};
    if (options.pass || options.step) drawn.pass = passes.pass_of(moment.position).index();
    return scene::warp_passes_scene(analysis::warp_pictures(run.analysis->view(passes)), passes, drawn);
}

scene::Scene memory_of(const session::Run& run, const Moment& moment, const RenderOptions& options) {
    analysis::MemoryTable table(run.analysis, moment.launch, moment.block);
    table.seek(analysis::memory_moment(run.analysis->view(table.block().passes), moment.position));
    return scene::memory_scene(table, {.width = options.width, .height = 0});
}

scene::Scene counts_of(const session::Run& run, const Moment& moment, const RenderOptions& options) {
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    analysis::PassUnderWay under_way(run.analysis->view(passes));
    analysis::CountsPicture picture = analysis::counts_picture(run.analysis->view(passes), under_way, moment.position);
    picture.forms = session::closed_forms(run);
    return scene::counts_scene(picture, {.width = options.width});
}

scene::Scene program_of(const session::Run& run, const Moment& moment, const RenderOptions& options) {
    const std::vector<analysis::ProgramLine> lines = analysis::program_lines(run.trace());
    const std::vector<scene::ProgramRow> rows = scene::program_rows(lines, options.width);
    return scene::program_scene(lines, rows, {.width = options.width, .launch = moment.launch});
}

scene::Scene grid_of(const session::Run& run, const Moment& moment, const RenderOptions& options) {
    const analysis::GridPicture picture = analysis::grid_picture(run.trace());
    scene::GridOptions drawn{.width = options.width, .shown = std::pair(moment.launch, moment.block), .tick = {}};
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    if ((options.pass || options.step) && moment.position < passes.steps.size())
        drawn.tick = picture.ticks[passes.steps[moment.position].index()];
    return scene::grid_scene(run.trace(), picture, drawn);
}

scene::Scene scene_of(const session::Run& run, const Moment& moment, const RenderOptions& options) {
    if (options.panel == "banks") return banks_of(run, moment, options);
    if (options.panel == "counts") return counts_of(run, moment, options);
    if (options.panel == "grid") return grid_of(run, moment, options);
    if (options.panel == "memory") return memory_of(run, moment, options);
    if (options.panel == "program") return program_of(run, moment, options);
    if (options.panel == "warps") return warps_of(run, moment, options);
    if (options.panel == "warp-passes") return warp_passes_of(run, moment, options);
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    const analysis::Picture& picture = run.analysis->picture(moment.launch, moment.block);
    return scene::passes_scene(run.trace(), passes, picture, *run.analysis->provenance,
                               {.width = options.width,
                                .position = moment.position,
                                .faults = analysis::fault_marks(run.analysis->view(passes), picture)});
}

nlohmann::ordered_json json_of(const session::Run& run, const RenderOptions& options, const scene::Scene& scene) {
    nlohmann::ordered_json json;
    json["kernel"] = display_name(run);
    json["panel"] = options.panel;
    json["title"] = scene.title;
    json["description"] = scene.description;
    json["width"] = scene.width;
    json["height"] = scene.height;
    json["files"] = nlohmann::ordered_json::array();
    for (const std::filesystem::path& file : options.files) json["files"].push_back(file.string());
    json["findings"] = run.trace().findings.size();
    json["result"]["ok"] = run.verdict.ok ? nlohmann::ordered_json(*run.verdict.ok) : nlohmann::ordered_json(nullptr);
    return json;
}

}  // namespace

int render(const RenderOptions& options, Environment& environment) {
    const std::string command = "lanescope render";
    if (options.panel == "timing" || options.request.program.ends_with(".json"))
        return render_timing(options, environment);
    const Outcome outcome = run_or_open(options.request, command, environment);
    if (outcome.run == nullptr) return outcome.code;
    const session::Run& run = *outcome.run;
    const auto moment = moment_of(run, options);
    if (!moment) {
        complain(environment, command, moment.error());
        return request_wrong;
    }
    if (options.panel == "program" && !analysis::is_program(run.trace())) {
        complain(environment, command,
                 {.what = "--panel program: no host code has run",
                  .where = {},
                  .remedy = "It shows programs that run with their main."});
        return request_wrong;
    }
    const scene::Scene scene = scene_of(run, *moment, options);
    for (const std::filesystem::path& file : options.files) {
        if (const auto written = render::write_image(scene, options.theme, file, options.scale); !written) {
            complain(environment, command, written.error());
            return request_wrong;
        }
    }
    if (options.json) environment.out << dump(json_of(run, options, scene));
    for (const std::string& note : run.notes) environment.err << note << '\n';
    if (session::first_fault(run.trace()) != nullptr) {
        environment.err << fmt::format("The kernel is faulty: {}; `lanescope trace` lists them.\n",
                                       counted(run.trace().findings.size(), "finding"));
    } else if (run.verdict.ok == false) {
        environment.err << "The kernel's result is wrong; `lanescope trace` shows it.\n";
    } else if (!analysis::ended_well(run.trace())) {
        environment.err << fmt::format("The program ended: {}.\n", run.trace().host_end);
    }
    return code_of(run);
}

}  // namespace lanescope::cli
