// The SASS of the run in the window, made in the background: its rows as text, and the rows of each PTX line. No ImGui,
// no OpenGL: tests drive it without a display.
#pragma once

#include "base/ids.h"
#include "base/result.h"
#include "sass/sass.h"
#include "trace/trace.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lanescope::ui {

/// A row of the text: an instruction, a label or a function's name.
struct SassRow {
    std::string text;
    std::string address;  ///< of an instruction, hexadecimal; empty for other rows
    PtxLine line;         ///< for which ptxas generated it; invalid: none is stated, or no instruction
};

class SassText {
  public:
    SassText();
    ~SassText();
    SassText(const SassText&) = delete;
    SassText& operator=(const SassText&) = delete;

    /// Requests the PTX of a run for an architecture. Cheap where nothing has changed.
    void follow(const std::shared_ptr<const trace::Trace>& trace, unsigned arch);
    /// Takes the listing, or the problem. True when there is one.
    bool poll();
    [[nodiscard]] bool busy() const;

    /// Null until it is made, and where there is a problem.
    [[nodiscard]] const sass::Listing* listing() const { return listing_ ? &*listing_ : nullptr; }
    /// Why there is none: a tool is missing, or rejects the PTX.
    [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }
    /// Differs for every listing or problem.
    [[nodiscard]] std::uint64_t version() const { return version_; }

    /// Row 0 is line 1 of the text.
    [[nodiscard]] std::span<const SassRow> rows() const { return rows_; }
    /// Lines of the text, from 1, ascending.
    [[nodiscard]] std::span<const std::uint32_t> lines_of(PtxLine line) const;

    /// The kernel's resources and the occupancy that they allow with the launch's blocks: a sentence or two.
    [[nodiscard]] std::string resources_of(const trace::Launch& launch) const;
    /// How many SASS instructions were generated for a line of the PTX, or that the line table names none.
    [[nodiscard]] std::string sentence_of(PtxLine line) const;

  private:
    struct Work;
    void take(Result<sass::Listing> answer);

    std::unique_ptr<Work> work_;
    std::shared_ptr<const trace::Trace> asked_for_;
    unsigned asked_arch_ = 0;
    std::optional<sass::Listing> listing_;
    std::optional<Problem> problem_;
    std::uint64_t version_ = 0;
    std::vector<SassRow> rows_;
    std::map<PtxLine, std::vector<std::uint32_t>> lines_;
};

}  // namespace lanescope::ui
