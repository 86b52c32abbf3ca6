#include "ui/start.h"

#include "base/grouped.h"
#include "session/lecture.h"
#include "session/place_link.h"
#include "session/request.h"
#include "ui/last_session.h"
#include "ui/shell.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace lanescope::ui {
namespace {

/// A session that has crashed the program twice is not restored.
constexpr unsigned most_tries = 2;

/// A recording of timings opens beside any kernel, and a lecture opens its own.
bool opens_beside(const session::WindowOptions& options) {
    const std::string& file = options.launch[Field::program];
    return file.ends_with(".json") || session::names_lecture(file);
}

bool asks_for_launch(const session::WindowOptions& options) {
    LaunchValues launch = options.launch;
    if (opens_beside(options)) launch[Field::program].clear();
    return launch != LaunchValues{};
}

/// The initial fields: the requested launch, of the first program where none was named.
LaunchValues first_values(const session::WindowOptions& options) {
    LaunchValues values = options.launch;
    std::string& program = values[Field::program];
    if (opens_beside(options)) program.clear();
    std::error_code error;
    if (program.empty()) {
        if (!session::catalog().empty()) program = session::catalog().front().name;
    } else if (session::find_program(program) == nullptr && std::filesystem::exists(program, error)) {
        if (auto opened = session::opened_source(program)) {
            program = std::move(opened->path);
            if (values[Field::working_folder].empty()) values[Field::working_folder] = std::move(opened->folder);
        }
        program = std::filesystem::absolute(program, error).string();
    }
    return values;
}

}  // namespace

Start::Start(Shell& shell, const session::WindowOptions& options, std::filesystem::path session)
    : shell_(shell), options_(options), session_(std::move(session)) {
    if (!asks_for_launch(options) && !session_.empty()) {
        if (auto last = load_session(session_); last && last->tries < most_tries) {
            if (options.screenshot.empty()) {
                ++last->tries;  // reset once it has run
                [[maybe_unused]] const Result<void> saved = save_session(*last, session_);
            }
            restoring_ = true;
            shell_.workspace().begin(std::move(last->launch), last->bookmark);
            return;
        }
    }
    if (session::is_link(options.launch[Field::program])) {
        // A link that names a program is no consent to run it.
        shell_.open_link(options.launch[Field::program]);
        return;
    }
    LaunchValues values = first_values(options);
    shell_.workspace().permit(values[Field::program]);  // naming a file is the permission to run it
    shell_.workspace().begin(std::move(values));
}

void Start::begin_with_the_first() {
    const std::string program = shell_.workspace().form().values()[Field::program];
    shell_.notice().say(fmt::format("The last session cannot be restored: {}", program), true);
    shell_.workspace().begin(first_values({}));
}

bool Start::follow() {
    if (done_) return true;
    ++frames_;
    Workspace& workspace = shell_.workspace();
    if (workspace.busy()) return false;
    workspace.poll();  // it may have become idle after the frame
    if (workspace.question()) return done_ = true;
    if (workspace.shown() == nullptr) {
        // A refusal is shown at its field, a compiler error of the last file at its lines.
        const bool restoring = std::exchange(restoring_, false);
        if (!restoring || !workspace.diagnostics().empty()) return done_ = true;
        begin_with_the_first();
        return false;
    }
    if (hurries_ = opens_beside(options_) && !open_in_front(); hurries_) return false;
    went_well_ = go_to_place();
    return done_ = true;
}

// Docking the panels selects other tabs and takes some frames.
bool Start::open_in_front() {
    constexpr int settling = 9, coming = 4;
    if (frames_ < settling) return false;
    if (opened_at_ == 0) {
        opened_at_ = frames_;
        shell_.open(options_.launch[Field::program]);
    }
    return frames_ >= opened_at_ + coming;
}

bool Start::go_to_place() {
    Workspace& workspace = shell_.workspace();
    if (options_.pass) {
        const std::vector<analysis::Pass>& passes = workspace.shown()->passes->passes;
        if (*options_.pass >= passes.size()) {
            const Problem problem{fmt::format("--pass {}: no such pass", *options_.pass),
                                  {},
                                  numbers_of("This run", "pass", std::max<std::size_t>(passes.size(), 1) - 1)};
            fmt::print(stderr, "lanescope: {}\n", problem.message());
            return false;
        }
        // The last position within the pass: one step further, the next pass would have begun.
        workspace.seek(passes[*options_.pass].past_last - 1);
    }
    if (options_.progress) {
        workspace.seek(static_cast<std::size_t>(
            std::llround(std::clamp(*options_.progress, 0.0, 1.0) * static_cast<double>(workspace.at().end()))));
    }
    if (options_.select) workspace.select(options_.select->first, options_.select->second);
    return true;
}

}  // namespace lanescope::ui
