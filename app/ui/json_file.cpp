#include "ui/json_file.h"

#include "base/files.h"

#include <fmt/format.h>

#include <unistd.h>

#include <fstream>

namespace lanescope::ui {

using nlohmann::json;

json read_json(const std::filesystem::path& file) {
    json value = json::parse(read_file(file).value_or(""), nullptr, false);
    return value.is_object() ? value : json::object();
}

Result<void> write_json(const json& value, const std::filesystem::path& file) {
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    // Two windows may write at once: each has its own temporary file.
    const std::filesystem::path beside = fmt::format("{}.{}", file.string(), getpid());
    {
        std::ofstream stream(beside);
        stream << value.dump(2, ' ', false, json::error_handler_t::replace) << '\n';
        if (!stream.flush()) {
            return fail(fmt::format("{} cannot be written", file.filename().string()), {beside.string()},
                        "Check that the folder is writable.");
        }
    }
    std::filesystem::rename(beside, file, error);
    if (error) {
        return fail(fmt::format("{} cannot be written: {}", file.filename().string(), error.message()),
                    {file.string()});
    }
    return {};
}

}  // namespace lanescope::ui
