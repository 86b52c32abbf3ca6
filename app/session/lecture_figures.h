// The figures in a lecture's words: what `{...}` stands for, counted in the run that the step shows.
//
//   {instructions}                        of the block that is shown, all of its passes
//   {instructions of pass}                of the pass at the step's place; of pass 2, of pass "s = 4": of that one
//   {work of run}                         of all blocks of all launches
//   {adding threads of pass "s = 2"}      "0, 4, 8 and 12"; `adding warps` likewise
//   {steps on 4}, {cost on 1024}          of the greedy schedule of the run's operations on so many processors
//   {sdata[0]}, {output[4..7]}            what cells hold at the place, what elements of a buffer hold at the end
//   {result}, {expected}                  the first element that the run computed, and the CPU reference
//   {recorded time at 2^22 in 128}        what was measured: recorded_figures.h
//
// Names are those of *Counts*. Braces are text in code, and where no lower-case letter follows the opening one.
#pragma once

#include "base/result.h"
#include "session/lecture.h"
#include "session/run.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

/// The words of a step, Markdown: caption, notes, questions with their answers.
struct LectureWords {
    std::string caption, notes;
    std::vector<LectureStep::Question> questions;
};

/// The words with the figures of the run at the step's place. Errors name the figure.
[[nodiscard]] Result<LectureWords> words_with_figures(const LectureStep& step, const Run& run);
/// The words before the step has run: an ellipsis for each figure; of a step that runs nothing, the words as they are.
[[nodiscard]] LectureWords words_without_figures(const LectureStep& step);

[[nodiscard]] bool has_figures(const LectureStep& step);

/// One figure, "work of run", at a place in a run.
[[nodiscard]] Result<std::string> figure_text(std::string_view figure, const Run& run, const LecturePlace& place);

/// Replaces every figure of a text by the result of `each`, called with the text between its braces.
[[nodiscard]] std::string replace_figures(std::string_view markdown,
                                          const std::function<std::string(std::string_view figure)>& each);

}  // namespace lanescope::session
