// The words of the field and what they mean here: one table, which every panel's headings explain themselves from.
#pragma once

#include "ui/look.h"

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

/// A tooltip for the item before: what the term means, and below it what else there is to say of this one.
void explain(const Look& look, std::string_view term, std::string_view here = {});

}  // namespace lanescope::ui
