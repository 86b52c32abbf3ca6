#include "session/opened_folder.h"

#include "host/program_sources.h"
#include "session/catalog.h"

#include <filesystem>

namespace lanescope::session {

Result<std::string> opened_source(const std::string& path) {
    std::error_code error;
    if (path.empty() || find_program(path) != nullptr || !std::filesystem::is_directory(path, error)) return path;
    auto main = host::source_with_main(path);
    if (!main) return std::unexpected(std::move(main.error()));
    return main->string();
}

}  // namespace lanescope::session
