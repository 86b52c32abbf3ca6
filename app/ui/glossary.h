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

/// The meaning of the term; it must be in the glossary.
[[nodiscard]] std::string_view meaning_of(std::string_view term);

/// A term within a sentence, in any case and number: "wavefronts" is a wavefront.
struct TermInText {
    const Term* term = nullptr;
    std::size_t begin = 0, past_last = 0;  ///< bytes of the sentence
};
/// The longest term that byte `at` of the text is part of. Words that sentences use as verbs ("work") do not count.
[[nodiscard]] std::optional<TermInText> term_in(std::string_view text, std::size_t at);

/// A tooltip for the previous item: the meaning of the term, and further details below it.
void explain(const Look& look, std::string_view term, std::string_view here = {});
/// The same at the mouse, wherever it is; where facts are docked, in their strip.
void show_meaning(const Look& look, const Term& term, std::string_view here = {});

/// For a text drawn from `at` in the current font, wrapped at `width` pixels: underlines and explains the term under
/// the mouse. For a window that the mouse is over.
void explain_terms(const Look& look, std::string_view text, ImVec2 at, float width);

}  // namespace lanescope::ui
