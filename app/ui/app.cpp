#include "ui/app.h"

#include "base/files.h"
#include "render/image/image.h"
#include "ui/start.h"
#include "ui/window.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace lanescope::ui {
namespace {

void print(const Problem& problem) { fmt::print(stderr, "lanescope: {}\n", problem.message()); }

/// Why nothing is shown.
Problem why_nothing(const Workspace& workspace) {
    for (std::size_t field = 0; field < static_cast<std::size_t>(Field::count); ++field) {
        if (const auto& problem = workspace.form().problem(static_cast<Field>(field))) return *problem;
    }
    if (workspace.refusal()) return *workspace.refusal();
    return {"nothing has run", {}, "Specify a kernel or a file."};
}

// Writes one state of the window to a file: draws frames until the run has ended and all has settled, saves the last.
int take_picture(Window& window, Start& start, const session::WindowOptions& options) {
    using namespace std::chrono_literals;
    Workspace& workspace = window.shell().workspace();
    do {
        window.frame();
        std::this_thread::sleep_for(5ms);
    } while (!start.follow());
    constexpr int settling = 12;
    for (int frame = 0; frame < settling; ++frame) window.frame();
    const std::vector<std::byte> png = render::to_png(window.picture());
    if (const auto written = write_file(options.screenshot, png); !written) {
        print({"the picture cannot be written: " + written.error(),
               {options.screenshot.string()},
               "Check that the folder exists and that the disk is not full."});
        return 2;
    }
    if (workspace.shown() == nullptr) print(why_nothing(workspace));
    return start.went_well() && workspace.shown() != nullptr ? 0 : 2;
}

}  // namespace

int run_window(const session::WindowOptions& options) {
    auto window = Window::open(options);
    if (!window) {
        print(window.error());
        return 2;
    }
    Start start((*window)->shell(), options, (*window)->session_file());
    if (!options.screenshot.empty()) return take_picture(**window, start, options);
    while (!(*window)->should_close()) {
        (*window)->frame();
        start.follow();
        if (!start.hurries()) (*window)->wait();
    }
    (*window)->save();
    return 0;
}

}  // namespace lanescope::ui
