// A lecture: a Markdown file -> its steps, each with the program, the place and the panels that it shows, its caption,
// its notes and its questions. lecture_edits.h changes one.
//
//   ---
//   title: From 2 GB/s to the limit
//   ---
//
//   A paragraph that introduces the lecture.
//
//   ## Reduction #1: the steps              a step begins; its heading
//
//   ```lanescope                            what the window shows; without it, the step is its text alone
//   program: reduce/interleaved-modulo      a kernel of the catalog, or a file beside the lecture; without it, the
//   block: 16                               launch of the step before. Below it: the fields of the launch bar,
//   n: 16                                   `argument NAME: PLAN`, and `anyway: yes`
//   layout: lecture                         lecture, study or compare
//   panels: Passes, Counts                  brought to the front, the last one last
//   maximize: Passes
//   place: block 1, end of pass "s = 4"     lecture_place.h
//   select: sdata[0]                        a cell of the Passes picture there
//   ```
//
//   The caption, Markdown; `{instructions}` and other figures are counted in the run: lecture_figures.h
//
//   ### Notes                               for the speaker alone
//   ### Question                            asked; the answer is hidden until it is revealed
//   ### Answer
#pragma once

#include "base/result.h"
#include "session/launch_values.h"
#include "session/lecture_place.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

/// Bytes [begin, end) of a lecture's text.
struct LectureRange {
    std::size_t begin = 0, end = 0;
};

struct LectureStep {
    struct Question {
        std::string ask, answer;  ///< Markdown
    };
    std::string heading;
    std::optional<LaunchValues> launch;  ///< nothing: the step shows no program
    bool own_program = false;            ///< the step names it, not one before
    std::vector<std::string> panels;     ///< titles, of lecture_panels
    std::string maximized;               ///< likewise; empty: none
    std::string layout;                  ///< "lecture", "study", "compare"; empty: as it is
    LecturePlace place;
    std::string selected;        ///< "sdata[3]"; empty: nothing
    std::string caption, notes;  ///< Markdown
    std::vector<Question> questions;
    unsigned line = 0;  ///< of the heading
    /// In Lecture::text: the step with its heading, the block of keys (empty: none), the caption.
    LectureRange whole, keys_at, caption_at;
};

struct Lecture {
    std::string name;  ///< of the file, without folder and ending
    std::string file;  ///< its path; of one that comes with Lanescope, its path in the tree
    bool built_in = false;
    std::string title, source;  ///< source: whose words it quotes; may be empty
    std::string about;          ///< Markdown, before the first step
    std::vector<LectureStep> steps;
    std::string text;  ///< the file
};

/// The titles of the window's panels, as `panels` and `maximize` name them.
[[nodiscard]] const std::vector<std::string>& lecture_panels();

/// The step's caption in Markdown: `caption` with its figures; in the first step, after the lecture's introduction and
/// source.
[[nodiscard]] std::string caption_of(const Lecture& lecture, std::size_t step, const std::string& caption);

/// Errors name file, line and column.
[[nodiscard]] Result<Lecture> read_lecture(std::string text, const std::string& file);
/// Whether it names a lecture: one that comes with Lanescope, unless a kernel has that name, or a .md file.
[[nodiscard]] bool names_lecture(const std::string& name_or_path);
/// Opens a lecture by the name of one that comes with Lanescope, or by the path of a file.
[[nodiscard]] Result<Lecture> open_lecture(const std::string& name_or_path);
/// Those that come with Lanescope, by title.
[[nodiscard]] const std::vector<Lecture>& shipped_lectures();

}  // namespace lanescope::session
