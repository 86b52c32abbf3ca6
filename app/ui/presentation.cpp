#include "ui/presentation.h"

#include "base/files.h"
#include "session/lecture_edits.h"
#include "ui/picture_export.h"
#include "ui/shell.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace lanescope::ui {

void Presentation::open(Shell& shell, session::Lecture lecture) {
    filed_ = !lecture.built_in;
    lecture_ = std::move(lecture);
    past_.clear();
    modified_ = warned_ = editing = black = false;
    go(shell, 0);
    coming_.emplace_back("Lecture");
}

void Presentation::close() {
    lecture_.reset();
    past_.clear();
    coming_.clear();
    problem_.clear();
    awaited_ = modified_ = editing = black = false;
}

const session::LectureStep* Presentation::current() const {
    return lecture_ && step_ < lecture_->steps.size() ? &lecture_->steps[step_] : nullptr;
}

void Presentation::go(Shell& shell, std::size_t step) {
    if (!lecture_) return;
    step_ = lecture_->steps.empty() ? 0 : std::min(step, lecture_->steps.size() - 1);
    revealed_ = 0;
    black = editing = false;
    problem_.clear();
    coming_.clear();
    awaited_ = false;
    const session::LectureStep* const now = current();
    if (now == nullptr) return;
    words_ = session::words_without_figures(*now);
    if (const auto arrangement = arrangement_of(now->layout)) shell.arrange(*arrangement);
    shell.maximize(now->maximized);
    coming_.assign(now->panels.begin(), now->panels.end());
    if (!now->launch) return;
    Workspace& workspace = shell.workspace();
    workspace.play(false);
    awaited_ = true;
    const bool there = workspace.shown() != nullptr && !workspace.busy() && !workspace.refusal() &&
                       workspace.form().ran() == *now->launch && workspace.form().values() == *now->launch;
    if (!there) workspace.begin(*now->launch);
}

bool Presentation::waits() const {
    const session::LectureStep* const now = current();
    return now != nullptr && revealed_ < now->questions.size();
}

void Presentation::reveal() {
    if (waits()) ++revealed_;
}

void Presentation::next(Shell& shell) {
    if (black) {
        black = false;
    } else if (waits()) {
        reveal();
    } else if (lecture_ && step_ + 1 < lecture_->steps.size()) {
        go(shell, step_ + 1);
    }
}

void Presentation::back(Shell& shell) {
    if (black) {
        black = false;
    } else if (step_ > 0) {
        go(shell, step_ - 1);
    }
}

std::string Presentation::running_text(const Shell& shell) const {
    constexpr double soon = 0.5;  // seconds
    if (!awaited_ || !shell.workspace().busy() || shell.workspace().busy_seconds() < soon) return {};
    return fmt::format("{} is running; the panels show the previous run.", (*current()->launch)[Field::program]);
}

void Presentation::follow(Shell& shell) {
    if (!lecture_) return;
    if (awaited_ && !shell.workspace().busy()) arrive(shell);
    // Two panels of one dock cannot be selected in one frame, nor while an arrangement is being made.
    if (settling_ > 0) --settling_;
    if (!shell.settled()) {
        rearranged_ = true;
        return;
    }
    if (std::exchange(rearranged_, false) && coming_.empty() && current() != nullptr)
        coming_.assign(current()->panels.begin(), current()->panels.end());
    if (coming_.empty()) return;
    shell.raise(coming_.front());
    coming_.pop_front();
    constexpr int frames = 4;
    settling_ = frames;
}

void Presentation::arrive(Shell& shell) {
    Workspace& workspace = shell.workspace();
    if (workspace.question()) return;  // the user decides whether the program runs
    awaited_ = false;
    const session::LectureStep& step = *current();
    const std::string& program = (*step.launch)[Field::program];
    const bool ran = workspace.shown() != nullptr && workspace.form().ran() == *step.launch;
    if (workspace.refusal() || !ran) {
        problem_ = fmt::format("{} does not open: {}", program,
                               workspace.refusal() ? workspace.refusal()->message() : "the run was cancelled");
        return;
    }
    const auto place = session::find_place(*workspace.shown()->run, step.place, step.selected);
    if (!place) {
        problem_ = place.error().message();
        return;
    }
    workspace.go_to(
        {.launch = place->launch, .block = place->block, .position = place->position, .selected = place->selected});
    update_words(shell);
}

void Presentation::update_words(const Shell& shell) {
    const session::LectureStep* const now = current();
    if (now == nullptr) return;
    const Workspace& workspace = shell.workspace();
    const bool runs = now->launch && workspace.shown() != nullptr && !workspace.busy() && !workspace.refusal() &&
                      workspace.form().ran() == *now->launch;
    auto words = runs ? session::words_with_figures(*now, *workspace.shown()->run)
                      : Result<session::LectureWords>(session::words_without_figures(*now));
    if (runs) problem_ = words ? std::string() : words.error().message();
    if (words) words_ = *std::move(words);
}

void Presentation::take(Shell& shell, Result<session::Lecture> edited, std::size_t step) {
    if (!edited) return shell.notice().say(edited.error().message(), true);
    past_.push_back(*std::exchange(lecture_, *std::move(edited)));
    modified_ = true;
    warned_ = editing = false;
    step_ = lecture_->steps.empty() ? 0 : std::min(step, lecture_->steps.size() - 1);
    update_words(shell);
}

void Presentation::add_place(Shell& shell) {
    const Workspace& workspace = shell.workspace();
    if (workspace.shown() == nullptr || workspace.of_trace()) return;
    const Shown& shown = *workspace.shown();
    session::FoundPlace place{
        .launch = shown.launch, .block = shown.block, .position = workspace.position(), .selected = {}};
    if (workspace.selection()) place.selected = std::pair(workspace.selection()->row, workspace.selection()->column);
    session::LectureStep step;
    step.launch = workspace.form().ran();
    step.own_program = true;
    step.place = session::name_place(*shown.run, place);
    step.selected = session::name_selection(*shown.run, place);
    // A step has one program: the panels of a comparison do not belong to it.
    const auto is_foreign = [](const std::string& title) {
        return std::ranges::find(session::lecture_panels(), title) == session::lecture_panels().end();
    };
    if (shell.alone() != nullptr && !is_foreign(shell.alone()->title())) {
        step.maximized = shell.alone()->title();
    } else {
        step.panels = shell.settings().front;
        std::erase_if(step.panels, is_foreign);
        std::erase(step.panels, "Lecture");
    }
    const session::Program& program = shown.run->program;
    step.heading = program.lesson.title.empty() ? program.name : program.lesson.title;
    step.caption = workspace.narration();
    if (!lecture_) {
        lecture_ = session::new_lecture("A new lecture", "lecture.md");
        filed_ = false;
        step_ = 0;
        coming_.emplace_back("Lecture");
    }
    const bool first = lecture_->steps.empty();
    take(shell, session::with_step(*lecture_, first ? std::nullopt : std::optional(step_), step),
         first ? 0 : step_ + 1);
    revealed_ = 0;
    problem_.clear();
    editing = current() != nullptr;
    shell.bring_up("Lecture");
}

void Presentation::set_words(Shell& shell, const std::string& heading, const std::string& caption) {
    if (current() != nullptr) take(shell, session::with_words(*lecture_, step_, heading, caption), step_);
}

void Presentation::remove_step(Shell& shell) {
    if (current() == nullptr) return;
    take(shell, session::without_step(*lecture_, step_), step_);
    go(shell, step_);
}

void Presentation::move_step(Shell& shell, bool down) {
    if (current() == nullptr || (down ? step_ + 1 >= lecture_->steps.size() : step_ == 0)) return;
    const std::size_t to = down ? step_ + 1 : step_ - 1;
    take(shell, session::with_step_moved(*lecture_, step_, to), to);
}

bool Presentation::may_close(Shell& shell) {
    if (!modified_ || std::exchange(warned_, true)) return true;
    shell.notice().say(
        "The lecture has edits that are not saved. Save lecture keeps them; repeat the command to discard them.", true);
    return false;
}

void Presentation::undo_edit(Shell& shell) {
    if (past_.empty()) return;
    const std::size_t step = step_;
    lecture_ = std::move(past_.back());
    past_.pop_back();
    modified_ = true;
    go(shell, step);
}

std::string Presentation::file() const { return lecture_ && filed_ ? lecture_->file : std::string(); }

void Presentation::save(Shell& shell) {
    if (!lecture_) return;
    session::Lecture written = *lecture_;
    if (!filed_) written.file = picture_path(written.name, ".md").string();
    if (const auto saved = session::save_lecture(written); !saved)
        return shell.notice().say(saved.error().message(), true);
    if (!filed_) {
        // Its name, and the folder that the paths of its programs are relative to, are now the new file's.
        if (auto read = session::open_lecture(written.file)) lecture_ = *std::move(read);
        filed_ = true;
    }
    modified_ = false;
    shell.notice().say(fmt::format("Written: {}", written.file));
}

void Presentation::reread(Shell& shell) {
    const std::string path = file();
    const auto text = read_file(path);
    if (!text || *text == lecture_->text) return;
    if (modified_)
        return shell.notice().say(fmt::format("{} has changed on disk, and has edits here that are not saved. Save "
                                              "lecture overwrites the file; Open lecture discards the edits.",
                                              path),
                                  true);
    auto read = session::read_lecture(*text, path);
    if (!read) return shell.notice().say(read.error().message(), true);
    lecture_ = *std::move(read);
    past_.clear();
    go(shell, step_);
}

}  // namespace lanescope::ui
