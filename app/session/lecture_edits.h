// Edits of a lecture: the lecture with one change, read again. All other text of the file stays as it is, and the other
// steps show what they showed before; an edit that would change what is around it is refused.
#pragma once

#include "base/result.h"
#include "session/lecture.h"

#include <cstddef>
#include <optional>
#include <string>

namespace lanescope::session {

/// A lecture of that title with no step.
[[nodiscard]] Lecture new_lecture(const std::string& title, const std::string& file);
/// `step` is written after step number `after`; before all others without one.
[[nodiscard]] Result<Lecture> with_step(const Lecture& lecture, std::optional<std::size_t> after,
                                        const LectureStep& step);
[[nodiscard]] Result<Lecture> without_step(const Lecture& lecture, std::size_t step);
/// Step number `from` becomes step number `to`.
[[nodiscard]] Result<Lecture> with_step_moved(const Lecture& lecture, std::size_t from, std::size_t to);
[[nodiscard]] Result<Lecture> with_words(const Lecture& lecture, std::size_t step, const std::string& heading,
                                         const std::string& caption);
/// Writes it to its file; an existing file is replaced only by a complete new one.
[[nodiscard]] Result<void> save_lecture(const Lecture& lecture);

}  // namespace lanescope::session
