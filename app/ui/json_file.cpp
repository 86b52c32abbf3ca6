#include "ui/json_file.h"

#include "base/files.h"

#include <fmt/format.h>

#include <string>

namespace lanescope::ui {

using nlohmann::json;

json read_json(const std::filesystem::path& file) {
    json value = json::parse(read_file(file).value_or(""), nullptr, false);
    return value.is_object() ? value : json::object();
}

Result<void> write_json(const json& value, const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    const std::string text = value.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
    if (const auto written = write_file(file, text); !written)
        return fail(fmt::format("{} cannot be written: {}", file.filename().string(), written.error()), {file.string()},
                    "Check that the folder is writable.");
    return {};
}

}  // namespace lanescope::ui
