// A command line as a shell reads it.
#include "base/command_line.h"

#include <gtest/gtest.h>

namespace lanescope {
namespace {

TEST(CommandLine, IsReadAsAShellReadsIt) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(command_words("  --n 10 'two words' \"a \\\"b\\\"\" c\\ d \"\""),
              (Words{"--n", "10", "two words", "a \"b\"", "c d", ""}));
    EXPECT_EQ(command_words(R"(a "b c" d\ e 'f\' "" "g\"h")"), (Words{"a", "b c", "d e", "f\\", "", "g\"h"}));
    EXPECT_EQ(command_words("\"no end"), std::nullopt);
    EXPECT_EQ(command_words(""), Words{});
    for (const Words& words : {Words{"plain", "-x=1"}, Words{"two words", "", "\"", "\\", "$HOME", "'"}})
        EXPECT_EQ(command_words(command_text(words)), words);
}

}  // namespace
}  // namespace lanescope
