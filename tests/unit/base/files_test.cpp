#include "base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

namespace lanescope {
namespace {

class WriteFile : public testing::Test {
  protected:
    void SetUp() override { std::filesystem::create_directories(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::filesystem::path file() const { return folder_ / "a.txt"; }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(folder_)) found.push_back(entry.path().filename());
        return found;
    }

    const std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "lanescope-write-file";
};

TEST_F(WriteFile, ReplacesTheOldFileAndLeavesNothingBeside) {
    ASSERT_TRUE(write_file(file(), std::string_view("a longer first text")));
    ASSERT_TRUE(write_file(file(), std::string_view("second\0", 7)));
    EXPECT_EQ(read_file(file()).value_or(""), std::string("second\0", 7));
    EXPECT_THAT(names(), testing::ElementsAre("a.txt"));
}

TEST_F(WriteFile, SaysWhyAFolderThatIsNotThereTakesNothing) {
    const auto written = write_file(folder_ / "nowhere" / "a.txt", std::string_view("x"));
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error(), "No such file or directory");
}

TEST_F(WriteFile, LeavesTheOldFileWhereItCannotBeReplaced) {
    std::filesystem::create_directories(file());  // a folder of that name, which is not empty
    std::ofstream(file() / "inside") << "kept";
    const auto written = write_file(file(), std::string_view("x"));
    ASSERT_FALSE(written);
    EXPECT_FALSE(written.error().empty());
    EXPECT_EQ(read_file(file() / "inside").value_or(""), "kept");
    EXPECT_THAT(names(), testing::ElementsAre("a.txt")) << "no part of the new file stays";
}

TEST_F(WriteFile, ReplacesWhatALinkNames) {
    const std::filesystem::path link = folder_ / "link";
    std::ofstream(file()) << "old";
    std::filesystem::create_symlink("a.txt", link);
    ASSERT_TRUE(write_file(link, std::string_view("new")));
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    EXPECT_EQ(read_file(file()).value_or(""), "new");
    EXPECT_THAT(names(), testing::UnorderedElementsAre("a.txt", "link"));
}

TEST_F(WriteFile, WritesIntoAPipe) {
    const std::filesystem::path pipe = folder_ / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    std::string read;
    {
        std::jthread reader([&] { read = read_file(pipe).value_or("unread"); });
        EXPECT_TRUE(write_file(pipe, std::string_view("through")));
    }
    EXPECT_EQ(read, "through");
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(WriteFile, OfSeveralThreadsOneIsWhole) {
    constexpr std::size_t size = 200'000;
    {
        std::vector<std::jthread> writers;
        for (const char letter : {'a', 'b', 'c', 'd'})
            writers.emplace_back([&, letter] { EXPECT_TRUE(write_file(file(), std::string(size, letter))); });
    }
    const std::string text = read_file(file()).value_or("");
    ASSERT_EQ(text.size(), size);
    EXPECT_EQ(text, std::string(size, text.front()));
}

}  // namespace
}  // namespace lanescope
