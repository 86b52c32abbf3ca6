#include "render/image/pdf.h"

#include "base/child_process.h"
#include "base/embedded.h"
#include "render/image/image.h"

#include <fmt/format.h>

#include <cstdlib>

#include <chrono>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace lanescope::render {

namespace {

/// A temporary folder, removed with the object.
class Scratch {
  public:
    Scratch() {
        std::error_code error;
        std::string pattern = (std::filesystem::temp_directory_path(error) / "lanescope-pdf-XXXXXX").string();
        if (mkdtemp(pattern.data()) != nullptr) path_ = pattern;
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch() {
        std::error_code ignored;
        if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    /// Empty where the file cannot be written.
    [[nodiscard]] std::string add(const std::string& name, std::string_view bytes) const {
        std::ofstream stream(path_ / name, std::ios::binary);
        stream << bytes;
        stream.close();
        return stream ? (path_ / name).string() : std::string();
    }

  private:
    std::filesystem::path path_;
};

/// Writes the fonts, and a configuration that makes them take precedence over the system's.
std::string add_fonts(const Scratch& scratch) {
    for (const EmbeddedFile& file : embedded_files()) {
        constexpr std::string_view folder = "fonts/";
        if (!file.path.starts_with(folder)) continue;
        if (scratch.add(std::string(file.path.substr(folder.size())), file.bytes).empty()) return {};
    }
    return scratch.add("fonts.conf",
                       fmt::format("<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig>\n"
                                   "<dir>{0}</dir>\n<include ignore_missing=\"yes\">/etc/fonts/fonts.conf</include>\n"
                                   "<cachedir>{0}</cachedir>\n</fontconfig>\n",
                                   scratch.path().string()));
}

Result<void> convert(const std::vector<std::string>& arguments) {
    constexpr std::chrono::seconds longest{60};
    auto child = ChildProcess::start({.program = "env", .arguments = arguments, .longest_silence = longest});
    if (!child) return std::unexpected(child.error());
    std::optional<Ending> ending;
    while (!(ending = child->ending())) {
        child->wait(std::chrono::milliseconds(100));
        (void)child->lines();
    }
    if (ending->fine()) return {};
    constexpr int not_found = 127;  // env's exit status
    if (ending->how == Ending::How::exited && ending->code == not_found)
        return fail("rsvg-convert, which makes the PDF, is not installed", {},
                    "Install it (apt-get install librsvg2-bin), or write the pages as SVG: -o FOLDER.");
    return fail(fmt::format("rsvg-convert failed: {}", text_of(*ending)), {}, child->errors());
}

}  // namespace

Result<void> write_pdf(std::span<const scene::Scene> pages, scene::Theme theme, const std::filesystem::path& path) {
    const Scratch scratch;
    const auto no_room = [&] { return fail("the folder for temporary files cannot be written"); };
    if (scratch.path().empty()) return no_room();
    const std::string fonts = add_fonts(scratch);
    if (fonts.empty()) return no_room();
    const std::filesystem::path part = path.string() + ".part";
    std::vector<std::string> arguments{"FONTCONFIG_FILE=" + fonts, "rsvg-convert",        "--format=pdf",
                                       "--page-width=210mm",       "--page-height=297mm", "--width=210mm",
                                       "--height=297mm",           "--keep-aspect-ratio", "--output=" + part.string()};
    for (std::size_t page = 0; page < pages.size(); ++page) {
        if (const auto size = check_size(pages[page], 1); !size) return size;
        arguments.push_back(scratch.add(fmt::format("{}.svg", page), to_svg(pages[page], theme)));
        if (arguments.back().empty()) return no_room();
    }
    const Result<void> made = convert(arguments);
    std::error_code error;
    if (made) std::filesystem::rename(part, path, error);
    if (!made || error) {
        std::error_code ignored;
        std::filesystem::remove(part, ignored);
    }
    if (!made) return made;
    if (error) return fail(fmt::format("the file cannot be written: {}", error.message()), {path.string(), 0, 0});
    return {};
}

}  // namespace lanescope::render
