#include "unit/tree/include_rules.h"
#include "places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace lanescope::tree {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const fs::path k_root = LANESCOPE_SOURCE_DIR;

std::string text_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string below_root(const fs::path& file) { return file.lexically_relative(k_root).generic_string(); }

std::vector<fs::path> files_in(std::string_view folder) {
    std::vector<fs::path> files;
    if (!fs::exists(k_root / folder)) return files;
    for (const auto& entry : fs::recursive_directory_iterator(k_root / folder))
        if (entry.is_regular_file()) files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

bool is_source(const fs::path& file) {
    const auto extension = file.extension();
    return extension == ".h" || extension == ".cpp" || extension == ".inc";
}

class IncludeRules : public ::testing::Test {
  protected:
    FolderRules rules = folder_rules();
    std::set<std::string> headers = {"base/result.h", "ptx/module.h", "trace/trace.h", "execute/simt/mask.h",
                                     "ui/window.h"};

    std::vector<std::string> check(std::string_view path, std::string_view text) const {
        return check_includes(path, text, rules, headers);
    }
};

TEST_F(IncludeRules, HoldInEverySource) {
    std::vector<fs::path> sources;
    headers.clear();
    for (const fs::path& file : files_in("app")) {
        if (!is_source(file) || below_root(file).starts_with("app/setup/")) continue;
        sources.push_back(file);
        headers.insert(file.lexically_relative(k_root / "app").generic_string());
    }
    ASSERT_FALSE(sources.empty());
    for (const fs::path& file : sources)
        for (const std::string& violation : check(below_root(file), text_of(file))) ADD_FAILURE() << violation;
}

TEST_F(IncludeRules, AreThoseOfTheDesign) {
    EXPECT_THAT(rules.at("base"), IsEmpty());
    EXPECT_THAT(rules.at("model"), ElementsAre("base"));
    EXPECT_THAT(rules.at("scene"), ElementsAre("analysis", "base", "model", "ptx", "timing", "trace"));
    for (const auto& [folder, used] : rules) EXPECT_FALSE(used.contains("ui")) << folder << " knows of the window";
}

TEST_F(IncludeRules, NameFileLineAndRuleOfAnIncludeThatPointsUpwards) {
    EXPECT_THAT(check("app/ptx/parser.cpp", "#include \"ptx/module.h\"\n\n#include \"trace/trace.h\"\n"),
                ElementsAre("app/ptx/parser.cpp:3: includes trace/trace.h, but ptx may include of base, model only "
                            "(USES in app/CMakeLists.txt)"));
}

TEST_F(IncludeRules, TakeTheInnermostFolder) {
    EXPECT_THAT(check("app/execute/simt/mask.cpp", "#include \"execute/simt/mask.h\"\n"), IsEmpty());
    EXPECT_THAT(check("app/execute/emulator/emulator.cpp", "#include \"execute/simt/mask.h\"\n"), IsEmpty());
    EXPECT_THAT(check("app/analysis/passes.cpp", "#include \"execute/simt/mask.h\"\n"), testing::SizeIs(1));
}

TEST_F(IncludeRules, LetTheProgramItselfIncludeAnything) {
    EXPECT_THAT(check("app/main.cpp", "#include \"ui/window.h\"\n"), IsEmpty());
}

TEST_F(IncludeRules, KeepForeignHeadersWhereTheyBelong) {
    EXPECT_THAT(check("app/ui/window.cpp", "#include <imgui.h>\n#include <GLFW/glfw3.h>\n"), IsEmpty());
    EXPECT_THAT(check("app/compile/nvrtc.cpp", "#include <nvrtc.h>\n"), IsEmpty());
    EXPECT_THAT(check("app/scene/chart.cpp", "#include <GL/gl.h>\n"),
                ElementsAre("app/scene/chart.cpp:1: includes GL/gl.h, but OpenGL may be used in render/gl only"));
    EXPECT_THAT(check("app/ui/window.cpp", "  #  include \"glad/gl.h\"\n"), ElementsAre(HasSubstr("OpenGL")));
    EXPECT_THAT(check("app/session/session.cpp", "#include <cuda.h>\n"), ElementsAre(HasSubstr("CUDA")));
    EXPECT_THAT(check("app/ui/window.cpp", "#include <imgui_te_engine.h>\n"), ElementsAre(HasSubstr("in tests only")));
}

TEST_F(IncludeRules, WantOurHeadersNamedFromTheTop) {
    EXPECT_THAT(check("app/ptx/parser.cpp", "#include \"module.h\"\n"), ElementsAre(HasSubstr("no such file")));
    EXPECT_THAT(check("app/ptx/parser.cpp", "#include <ptx/module.h>\n"), ElementsAre(HasSubstr("quotes")));
}

TEST_F(IncludeRules, WantEverySourceInALibrary) {
    EXPECT_THAT(check("app/extra/file.cpp", ""), ElementsAre(StartsWith("app/extra/file.cpp:1: ")));
}

TEST_F(IncludeRules, SeeNothingInWordsThatOnlyMentionAnInclude) {
    EXPECT_THAT(check("app/ptx/parser.cpp", "// #include \"trace/trace.h\" would be wrong here\n"), IsEmpty());
}

TEST(UnfinishedWork, IsMarkedNowhere) {
    for (const char* folder : {"app", "kernels", "shaders", "assets", "tests"})
        for (const fs::path& file : files_in(folder)) {
            const std::string text = text_of(file);
            if (text.find('\0') != std::string::npos) continue;  // a picture
            for (const std::string& violation : check_marks(below_root(file), text)) ADD_FAILURE() << violation;
        }
    for (const char* file : {"README.md", "CMakeLists.txt", "run.sh", "test.sh"})
        if (fs::exists(k_root / file))
            for (const std::string& violation : check_marks(file, text_of(k_root / file))) ADD_FAILURE() << violation;
}

TEST(UnfinishedWork, IsFoundByItsMarkAsAWordOfItsOwn) {
    const std::string mark = std::string("TO") + "DO";
    EXPECT_THAT(check_marks("app/a.cpp", "int x;\n// " + mark + ": the rest\n"),
                ElementsAre(StartsWith("app/a.cpp:2: ")));
    EXPECT_THAT(check_marks("app/a.cpp", "int " + mark + "S;\n"), IsEmpty());
}

}  // namespace
}  // namespace lanescope::tree
