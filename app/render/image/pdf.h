// Scenes -> a PDF with one A4 page each and selectable text: rsvg-convert makes it from an SVG for each page, with the
// fonts embedded in this program.
#pragma once

#include "base/result.h"
#include "scene/scene.h"
#include "scene/theme.h"

#include <filesystem>
#include <span>

namespace lanescope::render {

/// Fails where rsvg-convert is not installed, or the file cannot be written. An existing file is replaced only by a
/// complete new one.
[[nodiscard]] Result<void> write_pdf(std::span<const scene::Scene> pages, scene::Theme theme,
                                     const std::filesystem::path& path);

}  // namespace lanescope::render
