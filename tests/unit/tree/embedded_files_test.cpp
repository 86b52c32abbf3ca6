#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/embedded.h"
#include "places.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

TEST(EmbeddedFiles, AreTheKernelsAndShadersOfTheTreeByteForByte) {
    const fs::path root = LANESCOPE_SOURCE_DIR;
    for (const char* folder : {"kernels", "shaders"}) {
        if (!fs::exists(root / folder)) continue;
        for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
            if (!entry.is_regular_file() || entry.path().filename().string().starts_with('.')) continue;
            std::ifstream in(entry.path(), std::ios::binary);
            const std::string bytes{std::istreambuf_iterator<char>(in), {}};
            const std::string path = entry.path().lexically_relative(root).generic_string();
            const auto embedded = embedded_file(path);
            ASSERT_TRUE(embedded) << path;
            EXPECT_EQ(*embedded, bytes) << path;
        }
    }
}

TEST(EmbeddedFiles, BringTheFaces) {
    for (const char* face : {"Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "JetBrainsMono-Regular.ttf",
                             "JetBrainsMono-Bold.ttf"}) {
        const auto bytes = embedded_file(std::string("fonts/") + face);
        ASSERT_TRUE(bytes) << face;
        EXPECT_GT(bytes->size(), 10000U) << face;
    }
}

TEST(EmbeddedFiles, AreListedInOrderOfTheirPaths) {
    const auto files = embedded_files();
    for (std::size_t i = 1; i < files.size(); ++i) EXPECT_LT(files[i - 1].path, files[i].path);
}

TEST(EmbeddedFiles, GiveNothingForAPathThatIsNotThere) { EXPECT_FALSE(embedded_file("kernels/none.cu")); }

}  // namespace
}  // namespace lanescope
