// `lanescope render --panel timing`: recordings of hardware as a picture.
#include "cli/commands.h"
#include "cli/report.h"
#include "render/image/image.h"
#include "scene/timing_scene.h"
#include "session/algorithm_counts.h"
#include "session/catalog.h"
#include "timing/families.h"
#include "timing/recording_library.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <ostream>
#include <utility>

namespace lanescope::cli {

namespace {

constexpr std::string_view render_command = "lanescope render";

bool measured(const timing::Recording& recording, const std::string& kernel) {
    return std::ranges::find(recording.points, kernel, &timing::Point::kernel) != recording.points.end();
}

/// The recording with the kernel, or the largest one, among those that ship and the user's own.
Result<timing::Recording> recording_for(const std::string& kernel) {
    const timing::RecordingLibrary library = timing::all_recordings();
    const auto largest = library.largest();
    if (!largest)
        return fail("no recording ships with this program", {}, "Name one: `lanescope time --out FILE` makes it.");
    if (measured(library[*largest].recording, kernel)) return library[*largest].recording;
    const auto own = std::ranges::find_if(library.all(), [&](const timing::LibraryEntry& each) {
        return !each.quoted() && measured(each.recording, kernel);
    });
    return own == library.all().end() ? library[*largest].recording : own->recording;
}

/// Estimates from counts that the emulator makes now. Reads `request.block`.
timing::Estimates estimated(const session::Request& request, const timing::Recording& recording, Progress& progress) {
    timing::Estimates estimates;
    const auto model = timing::judged_model(recording);
    if (!model) return estimates;
    session::count_algorithm(request, timing::sizes_to_estimate(recording), model->model.machine, progress,
                             [&](session::AlgorithmCounts counts) {
                                 timing::add(estimates, std::move(counts.point), counts.emulated, *model);
                             });
    return estimates;
}

}  // namespace

Result<scene::Scene> timing_picture(const RenderOptions& options, Progress& progress) {
    timing::Recording recording;
    timing::Estimates estimates;
    std::string kernel;
    std::optional<session::Program> own;
    if (options.request.program.ends_with(".json")) {
        timing::RecordingLibrary named;
        const auto added = named.add_file(options.request.program);
        if (!added) return std::unexpected(added.error());
        recording = named[*added].recording;
    } else {
        const auto program = session::find_requested(options.request);
        if (!program) return std::unexpected(program.error().problem);
        kernel = program->name;
        const auto chosen = recording_for(kernel);
        if (!chosen) return std::unexpected(chosen.error());
        recording = *chosen;
        own = *program;
    }
    scene::TimingView view;
    view.chart = options.chart.value_or(view.chart);
    const std::vector<std::string> families = timing::families(recording);
    if (!families.empty()) view.family = families.front();
    if (!kernel.empty()) {
        view.current = kernel;
        const std::string family(timing::family_of(kernel));
        if (std::ranges::find(families, family) != families.end()) view.family = family;
    }
    if (options.request.n) view.n = *options.request.n;
    if (options.request.block) view.block = *options.request.block;
    if (own && !measured(recording, kernel)) {
        session::Request request = options.request;
        if (!request.block) {
            const auto setting = scene::setting_of(recording, view);
            request.block = session::block_to_estimate(*own, setting ? setting->block : scene::usual_block);
        }
        estimates = estimated(request, recording, progress);
    }
    const scene::TimingSubject subject{.recording = recording,
                                       .lecture = timing::shipped_recordings().quoted(),
                                       .variants = session::catalog_variants(),
                                       .estimates = &estimates,
                                       .resident = timing::shipped_recordings().with_resident_reads(recording)};
    return scene::timing_scene(subject, view, {.width = options.width, .height = options.width * 0.5F});
}

int render_timing(const RenderOptions& options, Environment& environment) {
    const auto picture = timing_picture(options, environment.progress);
    if (!picture) {
        complain(environment, std::string(render_command), picture.error());
        return request_wrong;
    }
    const scene::Scene& scene = *picture;
    for (const std::filesystem::path& file : options.files) {
        if (const auto written = render::write_image(scene, options.theme, file, options.scale); !written) {
            complain(environment, std::string(render_command), written.error());
            return request_wrong;
        }
    }
    if (options.json) {
        nlohmann::ordered_json json{{"panel", "timing"},
                                    {"chart", scene::name_of(options.chart.value_or(scene::TimingView().chart))},
                                    {"title", scene.title},
                                    {"description", scene.description},
                                    {"width", scene.width},
                                    {"height", scene.height},
                                    {"files", nlohmann::ordered_json::array()}};
        for (const std::filesystem::path& file : options.files) json["files"].push_back(file.string());
        environment.out << dump(json);
    }
    return fine;
}

}  // namespace lanescope::cli
