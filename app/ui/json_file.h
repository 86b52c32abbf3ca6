// Small JSON files that the window keeps: read without failing, written whole or not at all.
#pragma once

#include "base/result.h"

#include <nlohmann/json.hpp>

#include <concepts>
#include <filesystem>
#include <string>

namespace lanescope::ui {

/// The object in the file; empty where there is none, or it is damaged.
[[nodiscard]] nlohmann::json read_json(const std::filesystem::path& file);

/// Written beside and renamed, so that whoever is interrupted leaves the old one. Creates the folder.
[[nodiscard]] Result<void> write_json(const nlohmann::json& value, const std::filesystem::path& file);

/// Takes the value of a key where it is there and of the kind of `into`; leaves `into` as it is otherwise.
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
