// A place in a run, named by what stays true when a program or the emulator changes: launch, block, pass, line -> the
// position in that run, and back.
//
//   start                     before the first instruction of the block
//   pass 3, pass "s = 4"      the start of a pass, by its number or its label
//   end of pass "s = 4"       before the last instruction of the pass: what it did is drawn
//   end                       after the last instruction; the default
//   line 12                   from there, the next instruction of the line in the source
//   block 1, launch 2         of which block, of which launch of the program; the first ones otherwise
//
// Several of them are joined by commas: `launch 1, block 2, pass "s = 4", line 12`.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace lanescope::session {

struct Run;

struct LecturePlace {
    enum class At : std::uint8_t { start, pass, end_of_pass, end };
    std::uint32_t launch = 0;
    std::optional<std::uint32_t> block;  ///< nothing: the first one recorded
    At at = At::end;
    std::uint32_t pass = 0;  ///< where there is no label
    std::string label;       ///< of the pass
    std::optional<std::uint32_t> line;
    friend bool operator==(const LecturePlace&, const LecturePlace&) = default;
};

/// Errors have the column in `text`, from 1.
[[nodiscard]] Result<LecturePlace> read_place(std::string_view text);
[[nodiscard]] std::string text_of(const LecturePlace& place);

/// That place in a run.
struct FoundPlace {
    std::uint32_t launch = 0;
    BlockId block{0};
    std::size_t position = 0;                                         ///< in the block's steps
    std::optional<std::pair<std::uint32_t, std::uint32_t>> selected;  ///< row and column of the Passes picture
};
/// `selected`: a cell of the Passes picture, "sdata[3]"; empty: none.
[[nodiscard]] Result<FoundPlace> find_place(const Run& run, const LecturePlace& place, const std::string& selected);

/// The name of a place in the run; within a pass, by the line that executes next.
[[nodiscard]] LecturePlace name_place(const Run& run, const FoundPlace& place);
/// "sdata[3]"; empty where nothing is selected, or the latest row does not have it.
[[nodiscard]] std::string name_selection(const Run& run, const FoundPlace& place);

}  // namespace lanescope::session
