// A lecture in the window: its current step, which runs its program, goes to its place and shows its panels; the
// answers that are revealed; the black screen and the pointer; its edits. No ImGui.
#pragma once

#include "session/lecture.h"
#include "session/lecture_figures.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

class Shell;

class Presentation {
  public:
    /// Shows its first step; edits that were not saved are lost.
    void open(Shell& shell, session::Lecture lecture);
    void close();
    [[nodiscard]] bool running() const { return lecture_.has_value(); }
    [[nodiscard]] const session::Lecture& lecture() const { return *lecture_; }  ///< of one that is running
    [[nodiscard]] std::size_t step() const { return step_; }
    /// Nothing where the lecture has no step yet.
    [[nodiscard]] const session::LectureStep* current() const;

    /// The words of the step, with the figures of its run.
    [[nodiscard]] const session::LectureWords& words() const { return words_; }

    void go(Shell& shell, std::size_t step);
    /// The forward key of a remote: reveals the answer of a question that waits, else goes to the next step.
    void next(Shell& shell);
    void back(Shell& shell);
    void reveal();
    [[nodiscard]] bool waits() const;                                 ///< an answer is not revealed yet
    [[nodiscard]] std::size_t revealed() const { return revealed_; }  ///< answers
    /// Why the step's program does not open, or its place is not found; empty: it is shown.
    [[nodiscard]] const std::string& problem() const { return problem_; }
    /// Set once the step's program has run for more than a moment: the panels still show the previous run. Else empty.
    [[nodiscard]] std::string running_text(const Shell& shell) const;
    /// Call once a frame: goes to the place as soon as the program has run, and brings its panels up.
    void follow(Shell& shell);
    /// The next frame must not wait.
    [[nodiscard]] bool hurries() const { return running() && (!coming_.empty() || settling_ > 0); }

    bool black = false, pointer = false, notes = false;  ///< notes: the speaker's are shown

    // --- edits, in memory until they are saved ---
    /// Adds the place on the screen as a step after the current one; begins a lecture where none is open.
    void add_place(Shell& shell);
    void set_words(Shell& shell, const std::string& heading, const std::string& caption);
    void remove_step(Shell& shell);
    void move_step(Shell& shell, bool down);
    void undo_edit(Shell& shell);
    [[nodiscard]] bool can_undo() const { return !past_.empty(); }
    [[nodiscard]] bool modified() const { return modified_; }
    /// Whether the lecture may be closed: where there are edits that are not saved, the first call warns.
    [[nodiscard]] bool may_close(Shell& shell);
    /// A lecture that comes with Lanescope, or that has no file, is saved to a new file in the current folder.
    void save(Shell& shell);
    /// The file, to be watched; empty: there is none.
    [[nodiscard]] std::string file() const;
    /// The file has changed on disk: reads it again, unless there are edits that are not saved.
    void reread(Shell& shell);
    bool editing = false;  ///< the caption's fields are open

  private:
    void take(Shell& shell, Result<session::Lecture> edited, std::size_t step);
    void arrive(Shell& shell);
    void update_words(const Shell& shell);

    std::optional<session::Lecture> lecture_;
    std::size_t step_ = 0, revealed_ = 0;
    bool awaited_ = false;  // the step's program runs
    std::string problem_;
    session::LectureWords words_;
    std::deque<std::string> coming_;  // panels to bring up, one a frame
    bool rearranged_ = false;         // the arrangement was made again, with other tabs selected
    int settling_ = 0;                // frames until the tabs show which one is selected
    std::vector<session::Lecture> past_;
    bool modified_ = false, warned_ = false;
    bool filed_ = false;  // the lecture has a file of the user's own
};

}  // namespace lanescope::ui
