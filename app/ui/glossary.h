// The terms of the window and their meanings: one table, which feeds the tooltips of every panel's headings.
#pragma once

#include "ui/look.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace lanescope::ui {

struct Term {
    std::string_view name;     ///< "wavefront"
    std::string_view meaning;  ///< a sentence or two, with their full stops
};

/// In alphabetical order.
[[nodiscard]] std::span<const Term> glossary();

/// What the term means; must be in the glossary.
[[nodiscard]] std::string_view meaning_of(std::string_view term);

/// A term within a sentence, in any case and number: "wavefronts" is a wavefront.
struct TermInText {
    const Term* term = nullptr;
    std::size_t begin = 0, past_last = 0;  ///< bytes of the sentence
};
/// The longest that byte `at` of the text is part of. Words that sentences use as verbs ("work") count as none.
[[nodiscard]] std::optional<TermInText> term_in(std::string_view text, std::size_t at);

/// A tooltip for the item before: what the term means, and below it what else there is to say of this one.
void explain(const Look& look, std::string_view term, std::string_view here = {});
/// The same at the mouse, wherever it is.
void show_meaning(const Look& look, const Term& term, std::string_view here = {});

/// Of a text that was drawn from `at` on in the current font, wrapped at `width` pixels: the term under the mouse is
/// underlined and explained. For a window that the mouse is over.
void explain_terms(const Look& look, std::string_view text, ImVec2 at, float width);

}  // namespace lanescope::ui
