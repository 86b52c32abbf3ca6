// The files that the build put into the program: kernels, shaders and fonts. Paths are as in the tree
// ("kernels/reduce/sequential.cu", "shaders/rect.vert") or made up for fonts ("fonts/Inter-Regular.otf").
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace lanescope {

struct EmbeddedFile {
    std::string_view path;
    std::string_view bytes;
};

// All of them, ordered by path. They live as long as the program.
std::span<const EmbeddedFile> embedded_files();

std::optional<std::string_view> embedded_file(std::string_view path);

}  // namespace lanescope
