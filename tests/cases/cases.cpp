#include "cases/cases.h"

#include "places.h"
#include "session/whole_program.h"

#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <vector>

namespace lanescope::cases {
namespace {

struct Kind {
    std::string_view folder;
    std::string_view suite;
    std::string_view extension;
    std::string (*run)(const std::filesystem::path&);
};
constexpr std::array kinds{
    Kind{"ptx", "Ptx", ".ptx", ptx_case},          Kind{"commands", "Commands", ".args", command_case},
    Kind{"faults", "Faults", ".cu", kernel_case},  Kind{"blocks", "Blocks", ".cu", kernel_case},
    Kind{"guesses", "Guesses", ".cu", guess_case}, Kind{"sweeps", "Sweeps", ".args", command_case},
};

const std::filesystem::path root = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "tests/cases";

void write_file(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

class Case : public testing::Test {
  public:
    Case(const Kind& kind, std::filesystem::path input, bool rebaseline)
        : kind_(kind), input_(std::move(input)), rebaseline_(rebaseline) {}

    void TestBody() override {
        const std::filesystem::path expected = std::filesystem::path(input_).replace_extension(".txt");
        if (read_file(input_).find("# needs programs") != std::string::npos) {
            if (const auto problem = session::cannot_run_programs()) GTEST_SKIP() << problem->message();
        }
        const std::string actual = kind_.run(input_);
        if (rebaseline_) {
            write_file(expected, actual);
            return;
        }
        ASSERT_TRUE(std::filesystem::exists(expected))
            << "write it by: cases --rebaseline --gtest_filter=*" << input_.stem().string();
        if (const std::string kept = read_file(expected); kept != actual) {
            const std::filesystem::path diff =
                std::filesystem::path("case-differences") / kind_.folder / input_.stem().concat(".diff");
            const std::string text = difference(kept, actual);
            write_file(diff, text);
            FAIL() << input_.filename().string() << " gives other text than is kept; "
                   << std::filesystem::absolute(diff).string() << ":\n"
                   << text;
        }
    }

  private:
    const Kind& kind_;
    std::filesystem::path input_;
    bool rebaseline_;
};

void register_cases(bool rebaseline) {
    for (const Kind& kind : kinds) {
        std::vector<std::filesystem::path> inputs;
        for (const auto& entry : std::filesystem::directory_iterator(root / kind.folder))
            if (entry.path().extension() == kind.extension) inputs.push_back(entry.path());
        std::ranges::sort(inputs);
        for (const std::filesystem::path& input : inputs)
            testing::RegisterTest(
                std::string(kind.suite).c_str(), input.stem().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                [&kind, input, rebaseline]() -> testing::Test* { return new Case(kind, input, rebaseline); });
    }
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace lanescope::cases

int main(int count, char** arguments) {
    testing::InitGoogleTest(&count, arguments);
    lanescope::cases::register_cases(
        std::any_of(arguments, arguments + count, [](std::string_view word) { return word == "--rebaseline"; }));
    return RUN_ALL_TESTS();
}
