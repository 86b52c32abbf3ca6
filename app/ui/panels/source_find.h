// Find in Source: a typed text -> its matches in the texts that Source shows, and a field above them to go from one
// match to the next.
#pragma once

#include "ui/panel.h"
#include "ui/source_text.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::ui {

class SourceFind {
  public:
    struct Match {
        Language language = Language::cuda;
        std::uint32_t line = 0;          ///< from 1
        std::size_t begin = 0, end = 0;  ///< bytes of the line as drawn
    };
    /// A text that is searched; it lives as long as the call.
    struct Searched {
        Language language;
        const SourceText* text;
    };

    void open();
    void close() { open_ = false; }
    [[nodiscard]] bool is_open() const { return open_; }
    /// The field has the keyboard, or gets it in the next frame: no key is a command.
    [[nodiscard]] bool takes_keys() const;

    /// Pixels; 0: closed.
    [[nodiscard]] float height(const Look& look) const;
    /// Draws the field at the cursor, `width` pixels wide.
    void draw(const Look& look, float width);
    /// Searches again where the words or the texts have changed; `version` differs for different texts.
    void follow(std::span<const Searched> texts, std::uint64_t version);

    /// In the order of the texts, then of their lines; not case sensitive.
    [[nodiscard]] const std::vector<Match>& matches() const { return matches_; }
    [[nodiscard]] std::size_t current() const { return current_; }
    /// The match to bring into view, once after it became the current one; null: none.
    [[nodiscard]] const Match* take_asked();
    /// The matches on one line, in their order.
    [[nodiscard]] std::span<const Match> on_line(Language language, std::uint32_t line) const;

  private:
    void go(bool forwards);
    [[nodiscard]] std::string count() const;

    bool open_ = false, focus_ = false, active_ = false, asked_ = false;
    std::string words_, searched_for_;
    std::uint64_t searched_in_ = 0;
    std::vector<Match> matches_;
    std::size_t current_ = 0;
    int in_view_until_ = 0;  // ImGui's number of the frame: keys are commands again once it is out of view
};

}  // namespace lanescope::ui
