#include "ui/last_session.h"

#include "ui/json_file.h"

#include <algorithm>

namespace lanescope::ui {
namespace {

using nlohmann::json;

constexpr double moment = 0.4;  // seconds: not every step of a dragged slider is written

}  // namespace

std::optional<Session> session_of(const Workspace& workspace) {
    if (workspace.shown() == nullptr) return std::nullopt;
    return Session{.launch = workspace.form().ran(), .bookmark = workspace.bookmark()};
}

std::optional<Session> load_session(const std::filesystem::path& file) {
    const json saved = read_json(file);
    Session session;
    const json launch = saved.value("launch", json::object());
    if (!launch.is_object()) return std::nullopt;
    for (std::size_t index = 0; index < session.launch.text.size(); ++index) {
        take(launch, std::string(name_of(static_cast<Field>(index))).c_str(), session.launch.text[index]);
    }
    if (session.launch[Field::program].empty()) return std::nullopt;
    if (const auto arguments = saved.find("arguments"); arguments != saved.end() && arguments->is_object()) {
        for (const auto& [name, plan] : arguments->items()) {
            if (plan.is_string()) session.launch.arguments[name] = plan;
        }
    }
    take(saved, "anyway", session.launch.anyway);
    take(saved, "sanitize", session.launch.sanitize);
    take(saved, "in launch", session.bookmark.launch);
    take(saved, "block", session.bookmark.block.value);
    take(saved, "position", session.bookmark.position);
    take(saved, "tries", session.tries);
    std::uint32_t row = 0, column = 0;
    if (saved.contains("row") && saved.contains("column")) {
        take(saved, "row", row);
        take(saved, "column", column);
        session.bookmark.selected = std::pair(row, column);
    }
    return session;
}

Result<void> save_session(const Session& session, const std::filesystem::path& file) {
    json launch = json::object();
    for (std::size_t index = 0; index < session.launch.text.size(); ++index) {
        if (!session.launch.text[index].empty())
            launch[std::string(name_of(static_cast<Field>(index)))] = session.launch.text[index];
    }
    json saved{{"launch", launch},
               {"arguments", session.launch.arguments},
               {"anyway", session.launch.anyway},
               {"sanitize", session.launch.sanitize},
               {"in launch", session.bookmark.launch},
               {"block", session.bookmark.block.value},
               {"position", session.bookmark.position},
               {"tries", session.tries}};
    if (session.bookmark.selected) {
        saved["row"] = session.bookmark.selected->first;
        saved["column"] = session.bookmark.selected->second;
    }
    return write_json(saved, file);
}

void SessionKeeper::follow(const Workspace& workspace, double now) {
    if (file_.empty()) return;
    if (std::optional<Session> current = session_of(workspace); current && current != seen_) {
        seen_ = std::move(current);
        if (!changed_at_) changed_at_ = now;
    }
    if (changed_at_ && due_in(now) <= 0) write();
}

double SessionKeeper::due_in(double now) const { return changed_at_ ? std::max(0.0, *changed_at_ + moment - now) : -1; }

void SessionKeeper::write() {
    if (!changed_at_ || file_.empty()) return;
    changed_at_.reset();
    // A failure is harmless: the next start begins with the first kernel.
    [[maybe_unused]] const Result<void> saved = save_session(*seen_, file_);
}

}  // namespace lanescope::ui
