#include "places.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

namespace lanescope::host {
namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::set<std::string> matches(const std::string& text, const std::regex& pattern) {
    std::set<std::string> found;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), pattern); at != std::sregex_iterator(); ++at)
        found.insert((*at)[1]);
    return found;
}

TEST(HostReadme, NamesEachFunctionThatTheRuntimeDefines) {
    const std::filesystem::path host = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "app" / "host";
    std::set<std::string> defined;
    for (const auto& file : std::filesystem::directory_iterator(host / "runtime")) {
        // A definition of the API begins its line.
        const std::regex definition(
            R"((?:^|\n)(?:cudaError_t|cudaChannelFormatDesc|const char\*|CUresult) (cu(?:da)?[A-Z]\w*)\()");
        defined.merge(matches(text_of(file.path()), definition));
    }
    const std::string readme = text_of(host / "README.md");
    const std::string from = readme.substr(readme.find("## What the runtime implements"));
    const std::string table = from.substr(0, from.find("## Libraries"));
    EXPECT_GT(defined.size(), 100U);
    EXPECT_EQ(matches(table, std::regex(R"([|,] (cu(?:da)?[A-Z]\w*))")), defined);
}

}  // namespace
}  // namespace lanescope::host
