// The list that drops down from a control: kernels, inputs, blocks, machines, files. Typing filters it; Up, Down and
// Enter choose, Escape closes it. Sizes in points.
#pragma once

#include "ui/look.h"

#include <functional>
#include <string>
#include <vector>

namespace lanescope::ui {

struct ListEntry {
    std::string name;
    std::string detail{};  ///< below the name
    std::string group{};   ///< the heading above the group's first entry
    bool current = false;  ///< the current choice
    std::function<void()> act{};
    std::string also{};  ///< another name that finds the entry
};

struct ListLook {
    float width = 0;     ///< 0: as wide as its entries
    bool above = false;  ///< grows upwards, its right edge at the place
    std::string note{};  ///< below the entries
};

/// Opens the list of that id; drop_list() draws it.
void open_list(const char* id);
/// Draws the list while it is open, from the corner `at` (pixels) on, and acts when an entry is chosen. `entries` is
/// called only then.
void drop_list(const Look& look, const char* id, ImVec2 at, const ListLook& how,
               const std::function<std::vector<ListEntry>()>& entries);

}  // namespace lanescope::ui
