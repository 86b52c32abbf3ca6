#include "scene/theme.h"

#include <array>
#include <cstddef>

namespace lanescope::scene {
namespace {

struct Entry {
    Role role;
    std::uint32_t dark, light;  ///< 0xRRGGBB
};

// Okabe-Ito, tuned for each background. Text on a filled cell (on_*) has a contrast of at least 4.5 : 1 (WCAG 2.1,
// 1.4.3).
constexpr std::array k_palette = {
    Entry{Role::none, 0x000000, 0x000000},
    Entry{Role::useful, 0x56B4E9, 0x0072B2},
    Entry{Role::cost, 0xFF7A33, 0xC44500},
    Entry{Role::read, 0xE69F00, 0xA86F00},
    Entry{Role::selected, 0xE88BC4, 0xA8407F},
    Entry{Role::cursor, 0xF0E442, 0xFFD400},
    Entry{Role::agrees, 0x2FC295, 0x00795A},
    Entry{Role::ground, 0x101216, 0xE9ECF0},
    Entry{Role::panel, 0x181B20, 0xFFFFFF},
    Entry{Role::raised, 0x20252C, 0xF4F6F8},
    Entry{Role::line, 0x2C323B, 0xD3D9E0},
    Entry{Role::text, 0xE8EAED, 0x14181D},
    Entry{Role::soft, 0x9AA4B2, 0x55606E},
    Entry{Role::on_useful, 0x0B1620, 0xFFFFFF},
    Entry{Role::on_cursor, 0x14181D, 0x14181D},
    Entry{Role::on_cost, 0x1A0D05, 0xFFFFFF},
    // Distinguishable with protanopia, deuteranopia and tritanopia, too (tests/unit/scene/theme_test.cpp).
    Entry{Role::program_a, 0xE69F00, 0x9C6500},
    Entry{Role::program_b, 0x56B4E9, 0x0072B2},
    Entry{Role::program_c, 0xA366FF, 0x8A00E6},
    Entry{Role::program_d, 0xE8EAED, 0x14181D},
};

constexpr bool indexed_by_role() {
    for (std::size_t i = 0; i < k_palette.size(); ++i)
        if (k_palette[i].role != static_cast<Role>(i)) return false;
    return k_palette.size() == static_cast<std::size_t>(Role::program_d) + 1;
}
static_assert(indexed_by_role());

}  // namespace

Color color_of(Theme theme, Paint paint) {
    const Entry& entry = k_palette[static_cast<std::size_t>(paint.role)];
    const std::uint32_t rgb = theme == Theme::dark ? entry.dark : entry.light;
    return {static_cast<std::uint8_t>(rgb >> 16U), static_cast<std::uint8_t>(rgb >> 8U), static_cast<std::uint8_t>(rgb),
            paint.role == Role::none ? 0.0F : paint.alpha};
}

}  // namespace lanescope::scene
