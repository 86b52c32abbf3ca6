// A source -> its object file, and Lanescope's runtime -> its library: compiled once, cached by the content of all
// files that were read.
#pragma once

#include "base/progress.h"
#include "host/build.h"
#include "host/build_log.h"

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::host {

/// The folder of cached builds; a folder of this process alone where caching is off.
[[nodiscard]] std::filesystem::path build_folder();
/// Creates the parent folder, too.
bool write_file(const std::filesystem::path& path, std::string_view text);

struct Object {
    std::filesystem::path file;
    std::string log;  ///< warnings
    bool cached = false;
};
/// `relocatable`: device code may refer to symbols that other files define (-rdc=true).
[[nodiscard]] std::expected<Object, BuildFailure> compile_object(const BuildRequest& request,
                                                                 const std::filesystem::path& source, bool relocatable,
                                                                 Progress& progress);

/// The PTX alone, identical to the object's; host code is not compiled.
[[nodiscard]] std::expected<Object, BuildFailure> compile_device_code(const BuildRequest& request,
                                                                      const std::filesystem::path& source,
                                                                      bool relocatable, Progress& progress);

/// The files that the object was compiled from, without the toolkit's own headers and the system's.
[[nodiscard]] std::vector<std::filesystem::path> files_read_for(const Object& object);

/// The runtime that programs are linked with, compiled against the toolkit's headers.
[[nodiscard]] std::expected<std::filesystem::path, BuildFailure> runtime_library(const Toolchain& tools,
                                                                                 Progress& progress);

/// Whether nvcc compiles it for the device, too.
[[nodiscard]] bool has_device_code(const std::filesystem::path& source);

inline constexpr std::string_view relocatable_option = "-rdc=true";
/// The options that the source is compiled with: the request's, then its own.
[[nodiscard]] compile::CompilerOptions options_of(const BuildRequest& request, const std::filesystem::path& source);
/// Whether device code of its sources is linked by symbol: there are several, or an option says so.
[[nodiscard]] bool links_device_code(const BuildRequest& request);

/// Compiles all sources side by side and links them.
[[nodiscard]] std::expected<Built, BuildFailure> build_program(const BuildRequest& request, Progress& progress);

}  // namespace lanescope::host
