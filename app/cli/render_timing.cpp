// `lanescope render --panel timing`: what recordings of hardware say, as a picture.
#include "cli/commands.h"
#include "cli/report.h"
#include "render/image/image.h"
#include "scene/timing_scene.h"
#include "session/catalog.h"
#include "session/oracle.h"
#include "timing/shelf.h"

#include <algorithm>
#include <ostream>

namespace lanescope::cli {

namespace {

constexpr std::string_view command = "lanescope render";

/// The recording that is named, by itself, or the largest that ships.
Result<timing::Recording> choose(const timing::Shelf& shipped, const std::string& what) {
    if (what.ends_with(".json")) {
        timing::Shelf named;
        const auto added = named.add_file(what);
        if (!added) return std::unexpected(added.error());
        return named[*added].recording;
    }
    if (const auto largest = shipped.largest()) return shipped[*largest].recording;
    return fail("no recording ships with this program", {}, "Name one: `lanescope time --out FILE` makes it.");
}

}  // namespace

int render_timing(const RenderOptions& options, Environment& environment) {
    const timing::Shelf shelf = timing::shipped_recordings();
    const auto lecture = std::ranges::find_if(shelf.all(), &timing::Shelved::quoted);
    const std::string& what = options.request.program;
    const auto chosen = choose(shelf, what);
    if (!chosen) {
        complain(environment, std::string(command), chosen.error());
        return request_wrong;
    }
    std::vector<scene::Variant> variants;
    for (const session::Program& program : session::catalog())
        variants.push_back(
            {.kernel = program.name, .title = program.title, .parts = session::of_parts(program.oracle)});
    const scene::TimingSubject subject{.recording = *chosen,
                                       .lecture = lecture == shelf.all().end() ? nullptr : &lecture->recording,
                                       .variants = variants};
    scene::TimingView view;
    view.chart = options.chart;
    const std::vector<std::string> measured = scene::families(subject.recording);
    if (!measured.empty()) view.family = measured.front();
    if (!what.ends_with(".json")) {
        view.current = what;
        const std::string family(scene::family_of(what));
        if (std::ranges::find(measured, family) != measured.end()) view.family = family;
    }
    if (options.request.n) view.n = *options.request.n;
    if (options.request.block) view.block = *options.request.block;
    const scene::Scene scene =
        scene::timing_scene(subject, view, {.width = options.width, .height = options.width * 0.5F});
    for (const std::filesystem::path& file : options.files) {
        if (const auto written = render::write_image(scene, options.theme, file, options.scale); !written) {
            complain(environment, std::string(command), written.error());
            return request_wrong;
        }
    }
    if (options.json) {
        nlohmann::ordered_json json{{"panel", "timing"},
                                    {"chart", scene::name_of(options.chart)},
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
