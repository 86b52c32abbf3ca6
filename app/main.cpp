// The program: the command line and, where the build and the machine have one, the window.
#include "base/child_process.h"
#include "base/tune_malloc.h"
#include "cli/cli.h"

#ifdef LANESCOPE_WINDOW
#include "ui/app.h"
#endif

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iostream>

namespace {

using namespace lanescope;

Progress progress;  // global, so that Ctrl+C reaches it

void stop(int signal) {
    progress.cancel();
    std::signal(signal, SIG_DFL);  // a second Ctrl+C ends the program at once
}

[[maybe_unused]] bool has_display() {
    const auto set = [](const char* name) {
        const char* const value = std::getenv(name);
        return value != nullptr && *value != '\0';
    };
    return set("DISPLAY") || set("WAYLAND_DISPLAY");
}

#ifdef LANESCOPE_WINDOW
int open_window(const session::WindowOptions& options) {
    std::signal(SIGINT, SIG_DFL);
    return ui::run_window(options);
}
#endif

}  // namespace

int main(int argc, char** argv) {
    tune_malloc();
    std::signal(SIGINT, stop);
    cli::Environment environment{.out = std::cout,
                                 .err = std::cerr,
                                 .out_is_terminal = isatty(STDOUT_FILENO) != 0,
                                 .err_is_terminal = isatty(STDERR_FILENO) != 0,
                                 .progress_every = std::chrono::seconds(isatty(STDERR_FILENO) != 0 ? 1 : 5),
                                 .progress = progress,
                                 .version = LANESCOPE_VERSION,
                                 .program = own_program(),
                                 .open_window = {}};
#ifdef LANESCOPE_WINDOW
    if (has_display()) environment.open_window = open_window;
#endif
    return cli::run({argv + 1, argv + argc}, environment);
}
