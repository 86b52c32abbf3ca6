#include "golden/panel_scenes.h"

#include "analysis/panels/access_near.h"
#include "analysis/panels/memory_table.h"
#include "scene/banks_scene.h"
#include "scene/counts_scene.h"
#include "scene/memory_scene.h"
#include "scene/passes_scene.h"
#include "scene/warps_scene.h"
#include "session/theory.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>
#include <tuple>

namespace lanescope::golden {
namespace {

using scene::Scene;

constexpr std::array all_kernels = {
    Kernel{"two_elements", "reduce/two-elements", 16, 8, 2},
    Kernel{"interleaved_modulo", "reduce/interleaved-modulo", 16, 16, 3, true},
    Kernel{"strided_index", "reduce/strided-index", 16, 16, 2},
    Kernel{"sequential", "reduce/sequential", 16, 16, 1},
    Kernel{"double_buffered", "scan/double-buffered", 8, 8, 2},
};

/// A run and the moment that its pictures show.
struct Moment {
    std::shared_ptr<const session::Run> run;
    const analysis::BlockPasses& passes;
    std::size_t position;
};

Scene banks_of(const Moment& moment) {
    const auto access = analysis::access_near(moment.run->analysis->view(moment.passes), moment.position, WarpId(0),
                                              trace::Space::shared);
    if (!access) return scene::no_access_scene(trace::Space::shared, {.height = 0, .turn = {}});
    return scene::banks_scene(*analysis::bank_picture(moment.run->analysis->view(moment.passes), *access),
                              {.height = 0, .turn = {}});
}

Scene warps_of(const Moment& moment) {
    const analysis::WarpPicture picture =
        analysis::warp_picture(moment.run->analysis->view(moment.passes), moment.passes.pass_of(moment.position));
    return scene::warps_scene(picture, {.height = 0, .next = {}});
}

Scene warp_passes_of(const Moment& moment) {
    const auto pictures = analysis::warp_pictures(moment.run->analysis->view(moment.passes));
    return scene::warp_passes_scene(
        pictures, moment.passes,
        {.width = 640, .height = 0, .pass = moment.passes.pass_of(moment.position).index(), .warp = {}, .lane = {}});
}

Scene memory_of(const Moment& moment) {
    analysis::MemoryTable table(moment.run->analysis, 0, BlockId(0));
    table.seek(analysis::memory_moment(moment.run->analysis->view(moment.passes), moment.position));
    return scene::memory_scene(table, {.width = 640, .height = 0});
}

Scene counts_of(const Moment& moment) {
    analysis::PassUnderWay under_way(moment.run->analysis->view(moment.passes));
    const analysis::ExcessCounts excess(moment.run->analysis->view(moment.passes));
    analysis::CountsPicture picture =
        analysis::counts_picture(moment.run->analysis->view(moment.passes), under_way, excess, moment.position);
    picture.forms = session::closed_forms(*moment.run);
    return scene::counts_scene(picture, {.width = 560});
}

Scene passes_of(const Moment& moment) {
    return scene::passes_scene(moment.passes, moment.run->analysis->picture(0, BlockId(0)),
                               *moment.run->analysis->provenance, {.width = 640, .position = moment.position});
}

/// After the pass's last store to shared memory, so that the written values are new.
std::size_t position_of(const session::Run& run, const analysis::BlockPasses& passes, std::uint32_t number) {
    const analysis::Pass& pass = passes.passes.at(number);
    for (std::size_t i = pass.past_last; i-- > pass.first;) {
        for (const trace::Effect& effect : run.trace().effects(run.trace().step(passes.steps[i]))) {
            if (effect.kind == trace::EffectKind::store && effect.space == trace::Space::shared) return i + 1;
        }
    }
    return pass.past_last - 1;
}

constexpr std::array<std::string_view, 5> all_panels = {"banks", "warps", "warp-passes", "memory", "counts"};

}  // namespace

std::span<const Kernel> kernels() { return all_kernels; }

std::shared_ptr<const session::Run> run_of(std::string_view program, std::uint64_t n, std::uint32_t block) {
    static std::map<std::tuple<std::string_view, std::uint64_t, std::uint32_t>, std::shared_ptr<const session::Run>>
        runs;
    auto& known = runs[{program, n, block}];
    if (known != nullptr) return known;
    session::Request request;
    request.program = program;
    request.n = n;
    request.block = block;
    Progress progress;
    auto run = session::run(request, progress);
    if (!run) throw std::runtime_error(run.error().problem.message());
    return known = *run;
}

std::span<const std::string_view> panels() { return all_panels; }

Scene panel_scene(const Kernel& kernel, std::string_view panel) {
    const auto run = run_of(kernel.program, kernel.n, kernel.block);
    const analysis::BlockPasses& passes = run->analysis->block_passes(0, BlockId(0));
    const Moment moment{run, passes, position_of(*run, passes, kernel.pass)};
    if (panel == "banks") return banks_of(moment);
    if (panel == "warps") return warps_of(moment);
    if (panel == "warp-passes") return warp_passes_of(moment);
    if (panel == "memory") return memory_of(moment);
    return panel == "counts" ? counts_of(moment) : passes_of(moment);
}

}  // namespace lanescope::golden
