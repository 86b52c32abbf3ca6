// Small JSON files of the window: reading never fails, writing is atomic.
#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>

#include <concepts>
#include <filesystem>
#include <string>

namespace lanescope::ui {

/// The object in the file; empty where the file is missing or damaged.
[[nodiscard]] nlohmann::json read_json(const std::filesystem::path& file);

/// Writes a temporary file and renames it, so that an interruption leaves the old one. Creates the folder.
[[nodiscard]] Result<void> write_json(const nlohmann::json& value, const std::filesystem::path& file);

/// Reads a key into `into` if it exists and has its type; leaves `into` unchanged otherwise.
template <class T>
void take(const nlohmann::json& from, const char* key, T& into) {
    const auto found = from.find(key);
    if (found == from.end()) return;
    if constexpr (std::same_as<T, bool>) {
        if (found->is_boolean()) into = found->get<bool>();
    } else if constexpr (std::unsigned_integral<T>) {
        if (found->is_number_unsigned()) into = found->get<T>();
    } else if constexpr (std::is_arithmetic_v<T>) {
        if (found->is_number()) into = found->get<T>();
    } else {
        if (found->is_string()) into = found->get<std::string>();
    }
}

}  // namespace lanescope::ui
