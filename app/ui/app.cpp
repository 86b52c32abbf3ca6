#include "ui/app.h"

#include "render/image/image.h"
#include "ui/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <span>
#include <thread>

namespace lanescope::ui {
namespace {

void tell(const Problem& problem) { fmt::print(stderr, "lanescope: {}\n", problem.message()); }

// Asks for what the command line says, or for the first program of the catalog.
void begin(Model& model, const Options& options) {
    LaunchValues values;
    values[Field::program] = options.open;
    if (options.open.empty() && !session::catalog().empty()) values[Field::program] = session::catalog().front().name;
    values[Field::kernel] = options.kernel;
    if (options.n) values[Field::n] = fmt::format("{}", *options.n);
    if (options.block) values[Field::block] = fmt::format("{}", *options.block);
    if (options.grid) values[Field::grid] = fmt::format("{}", *options.grid);
    values[Field::input] = options.input;
    if (options.compiled.value_or(false)) values[Field::view] = "compiled";
    model.begin(std::move(values));
}

/// False where there is no such pass.
bool go_to(Model& model, const Options& options) {
    if (model.shown() == nullptr) return true;
    if (options.pass) {
        const std::vector<analysis::Pass>& passes = model.shown()->passes->passes;
        if (*options.pass >= passes.size()) {
            tell({fmt::format("--pass {}: there is no such pass", *options.pass),
                  {},
                  fmt::format("This run has passes 0 to {}.", std::max<std::size_t>(passes.size(), 1) - 1)});
            return false;
        }
        // In the pass, before its last instruction: a step further, the next one would be under way.
        model.seek(passes[*options.pass].past_last - 1);
    }
    if (options.progress) {
        model.seek(static_cast<std::size_t>(
            std::llround(std::clamp(*options.progress, 0.0, 1.0) * static_cast<double>(model.at().end()))));
    }
    if (options.select_row && options.select_column) model.select(*options.select_row, *options.select_column);
    return true;
}

/// Why nothing is shown.
Problem why_nothing(const Model& model) {
    for (std::size_t field = 0; field < static_cast<std::size_t>(Field::count); ++field) {
        if (const auto& problem = model.form().problem(static_cast<Field>(field))) return *problem;
    }
    return {"nothing has run", {}, "Name a kernel or a file."};
}

// One state, as a file: frames until the run is there and all has settled, then the last one.
int take_picture(Window& window, const Options& options) {
    using namespace std::chrono_literals;
    Model& model = window.shell().model();
    while (model.busy()) {
        window.frame();
        std::this_thread::sleep_for(5ms);
    }
    window.frame();
    const bool there = go_to(model, options);
    constexpr int settling = 6;
    for (int frame = 0; frame < settling; ++frame) window.frame();
    const std::vector<std::byte> png = render::to_png(window.picture());
    std::ofstream file(options.screenshot, std::ios::binary);
    file.write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
    if (!file.flush()) {
        tell({"the picture cannot be written",
              {options.screenshot.string()},
              "Check the folder and the room on the disk."});
        return 2;
    }
    if (model.shown() == nullptr) tell(why_nothing(model));
    return there && model.shown() != nullptr ? 0 : 2;
}

}  // namespace

int run_window(const Options& options) {
    auto window = Window::open(options);
    if (!window) {
        tell(window.error());
        return 2;
    }
    Model& model = (*window)->shell().model();
    begin(model, options);
    if (!options.screenshot.empty()) return take_picture(**window, options);

    bool placed = false;
    while (!(*window)->should_close()) {
        (*window)->frame();
        if (!placed && model.shown() != nullptr) {
            go_to(model, options);
            placed = true;
        }
        (*window)->wait();
    }
    (*window)->save();
    return 0;
}

}  // namespace lanescope::ui
