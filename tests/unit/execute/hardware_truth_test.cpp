// Every operator form whose result IEEE 754 or PTX defines, compared with the results of an H200
// (data/operators_h200.txt).
#include "operators.h"
#include "places.h"

namespace lanescope::execute {
namespace {

std::vector<std::string> split(const std::string& text, const std::string& separator) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + separator.size();
    }
    return parts;
}

std::uint64_t hexadecimal(const std::string& text) { return std::stoull(text, nullptr, 16); }

TEST(Operators, ComputeWhatTheHardwareComputes) {
    std::ifstream in(std::string(LANESCOPE_SOURCE_DIR) + "/tests/unit/execute/data/operators_h200.txt");
    std::size_t forms = 0;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("#")) continue;
        const std::vector<std::string> fields = split(line, " | ");
        ASSERT_EQ(fields.size(), 3U) << line;
        std::vector<std::vector<std::uint64_t>> sources;
        std::vector<std::uint64_t> expected;
        for (const std::string& given : split(fields[2], ", ")) {
            const std::vector<std::string> sides = split(given, " = ");
            std::vector<std::uint64_t> values;
            for (const std::string& value : split(sides[0], " ")) values.push_back(hexadecimal(value));
            sources.push_back(std::move(values));
            expected.push_back(hexadecimal(sides[1]));
        }
        EXPECT_EQ(evaluate_all(fields[0], fields[1], sources), expected) << line;
        ++forms;
    }
    EXPECT_EQ(forms, 768U);
}

}  // namespace
}  // namespace lanescope::execute
