// From an access of memory to its text in the source, "sdata[index + s]", and from a line of the source to the
// index expressions that it writes after an array's name.
#pragma once

#include "analysis/block_view.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::analysis {

/// `tile[threadIdx.y][threadIdx.x]`: an element of an array, as a line of CUDA C++ names it.
struct Subscript {
    enum class Use : std::uint8_t {
        read,      ///< its value is taken
        assigned,  ///< stands before `=`
        changed,   ///< before `+=`, beside `++`: read and written
        address,   ///< its address is taken: `atomicAdd(&hist[i], 1)`
    };
    std::string text;  ///< name and brackets, with one blank where the source has some
    Use use = Use::read;
};

/// The subscripts of `array` on the line, from left to right. Comments and quoted texts do not count, nor do brackets
/// that the line does not close.
[[nodiscard]] std::vector<Subscript> subscripts_of(std::string_view line, std::string_view array);

/// The element that the access at `index` (a number in passes.steps) to `array` names, in the names of the source:
/// "sdata[index + s]". Empty where the address is not an array plus an index times its elements' size, and where
/// neither the source's line has the expression nor all lanes agree on it.
[[nodiscard]] std::string access_text(const BlockView& block, std::size_t index, const std::string& array,
                                      trace::Space space = trace::Space::shared);

}  // namespace lanescope::analysis
