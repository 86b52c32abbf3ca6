#include "analysis/panels/program_lines.h"
#include "base/grouped.h"
#include "cli/animation.h"
#include "cli/commands.h"
#include "cli/panel_picture.h"
#include "cli/report.h"
#include "render/image/image.h"
#include "session/verdict.h"
#include "trace/record_extent.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <vector>

namespace lanescope::cli {

namespace {

Result<Moment> moment_of(const session::Run& run, const RenderOptions& options) {
    const auto& launches = run.trace().launches;
    const std::uint32_t number = options.in_launch.value_or(0);
    if (number >= launches.size()) {
        return fail(fmt::format("--in-launch {}: there is no such launch", number), {},
                    numbers_of("This program", "launch", launches.size() - 1));
    }
    const trace::Launch& launch = launches[number];
    if (launch.recorded.empty()) {
        return std::unexpected(trace::nothing_recorded(run.trace(), number));
    }
    Moment moment{.launch = number, .block = launch.recorded.front(), .selected = {}};
    moment.named = options.pass || options.step;
    moment.joint = options.pairs;
    if (options.in_block) {
        moment.block = BlockId(*options.in_block);
        if (!run.trace().recorded(number, moment.block)) {
            return std::unexpected(trace::block_not_recorded(run.trace(), number, *options.in_block));
        }
    }
    const analysis::BlockPasses& passes = run.analysis->block_passes(moment.launch, moment.block);
    moment.position = passes.steps.size();
    if (options.pass) {
        if (*options.pass >= passes.passes.size()) {
            return fail(fmt::format("--pass {}: there is no such pass", *options.pass), {},
                        numbers_of("This run", "pass", std::max<std::size_t>(passes.passes.size(), 1) - 1));
        }
        // Before the last instruction of the pass: after it, the next pass would be current.
        moment.position = passes.passes[*options.pass].past_last - 1;
    }
    if (options.step) {
        if (*options.step > passes.steps.size()) {
            return fail(fmt::format("--step {}: there is no such step", *options.step), {},
                        numbers_of(fmt::format("Block {}", moment.block.value), "step", passes.steps.size()));
        }
        moment.position = *options.step;
    }
    return moment;
}

nlohmann::ordered_json json_of(const session::Run& run, const RenderOptions& options, const scene::Scene& scene,
                               std::size_t frames) {
    nlohmann::ordered_json json;
    json["kernel"] = display_name(run);
    json["panel"] = options.panel;
    json["title"] = scene.title;
    json["description"] = scene.description;
    json["width"] = scene.width;
    json["height"] = scene.height;
    json["files"] = nlohmann::ordered_json::array();
    for (const std::filesystem::path& file : options.files) json["files"].push_back(file.string());
    if (!options.animation.empty()) json["animation"] = {{"file", options.animation.string()}, {"frames", frames}};
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
    if (const trace::Dim3& block = run.trace().launches[moment->launch].block;
        options.panel == "warp-block" && block.y == 1 && block.z == 1) {
        complain(environment, command,
                 {.what = "--panel warp-block: the block has one dimension",
                  .where = {},
                  .remedy = "It shows blocks such as --block 16x16; --panel warps shows this one."});
        return request_wrong;
    }
    const scene::Scene scene = panel_picture(run, *moment, options.panel, options.width, environment.progress);
    for (const std::filesystem::path& file : options.files) {
        if (const auto written = render::write_image(scene, options.theme, file, options.scale); !written) {
            complain(environment, command, written.error());
            return request_wrong;
        }
    }
    std::size_t frames = 0;
    if (!options.animation.empty()) {
        const std::vector<Moment> moments = moments_of_animation(run, *moment, options.frame_unit);
        frames = moments.size();
        if (const auto written = animate(run, moments, options, environment); !written) {
            if (environment.progress.cancelled()) {
                environment.err << command << ": cancelled\n";
                return interrupted;
            }
            complain(environment, command, written.error());
            return request_wrong;
        }
    }
    if (options.json) environment.out << dump(json_of(run, options, scene, frames));
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
