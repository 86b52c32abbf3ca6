// A breakpoint: a line of the CUDA or PTX text before which playing stops, as the settings keep it for each program.
#pragma once

#include <cstdint>
#include <string>

namespace lanescope::ui {

struct Breakpoint {
    bool ptx = false;        ///< a line of the PTX text, else of a CUDA source
    std::string file;        ///< the CUDA source: of Origin::other_sources; empty: the main one
    std::uint32_t line = 0;  ///< from 1
    std::string text;        ///< of that line, by which it is found again in a text that has changed
    std::string condition;   ///< "lane == 3"; empty: always
    friend bool operator==(const Breakpoint&, const Breakpoint&) = default;
};

}  // namespace lanescope::ui
