// Evaluates one PTX instruction on given values, the way a kernel would: parsed, decoded, run.
#pragma once

#include "harness.h"

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::execute {

/// "d" in place of the destination's register, "a", "b", "c" of the sources': evaluate("add.s32 d, a, b", "b32", {..}).
/// Registers have the types given, destination first: "b32 b32 b32". A "pred" source holds bit 0 of its value.
inline std::vector<std::uint64_t> evaluate_all(const std::string& instruction, const std::string& types,
                                               const std::vector<std::vector<std::uint64_t>>& cases) {
    std::vector<std::string> type;
    std::istringstream in(types);
    for (std::string word; in >> word;) type.push_back(word);

    std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry test(.param .u64 test_in, .param .u64 test_out)
{
.reg .u32 %thread;
.reg .u64 %in, %out, %index, %wide;
.reg .b32 %narrow;
)";
    const char* names[] = {"d", "a", "b", "c", "e"};
    for (std::size_t i = 0; i < type.size(); ++i) text += ".reg ." + type[i] + " " + names[i] + ";\n";
    text += R"(
ld.param.u64 %in, [test_in];
ld.param.u64 %out, [test_out];
mov.u32 %thread, %tid.x;
mul.wide.u32 %index, %thread, 8;
add.u64 %out, %out, %index;
mul.lo.u64 %index, %index, )" +
            std::to_string(type.size() - 1) + ";\nadd.u64 %in, %in, %index;\n";
    for (std::size_t i = 1; i < type.size(); ++i) {
        const std::string place = "[%in + " + std::to_string((i - 1) * 8) + "];\n";
        if (type[i] == "pred") {
            text += "ld.global.u32 %narrow, " + place + "setp.ne.u32 " + names[i] + ", %narrow, 0;\n";
        } else {
            text += "ld.global." + type[i] + " " + names[i] + ", " + place;
        }
    }
    text += instruction + ";\n";
    if (type[0] == "pred")
        text += "selp.u32 %narrow, 1, 0, d;\ncvt.u64.u32 %wide, %narrow;\nst.global.u64 [%out], %wide;\n";
    else
        text += "st.global." + type[0] + " [%out], d;\n";
    text += "ret;\n}\n";

    std::vector<std::uint64_t> inputs;
    for (const auto& values : cases) inputs.insert(inputs.end(), values.begin(), values.end());
    const auto trace = Kernel(text)
                           .block(static_cast<unsigned>(cases.size()))
                           .buffer("in", inputs)
                           .buffer("out", std::vector<std::uint64_t>(cases.size()))
                           .run();
    EXPECT_TRUE(trace->findings.empty()) << instruction;
    return final_of<std::uint64_t>(*trace, "out");
}

inline std::uint64_t evaluate(const std::string& instruction, const std::string& types,
                              const std::vector<std::uint64_t>& values) {
    return evaluate_all(instruction, types, {values}).front();
}

inline std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }
inline std::uint64_t s32(std::int32_t value) { return static_cast<std::uint32_t>(value); }
inline std::uint64_t s64(std::int64_t value) { return static_cast<std::uint64_t>(value); }
inline std::uint64_t s16(int value) { return static_cast<std::uint16_t>(value); }
inline float f32(std::uint64_t value) { return std::bit_cast<float>(static_cast<std::uint32_t>(value)); }
inline double f64(std::uint64_t value) { return std::bit_cast<double>(value); }

}  // namespace lanescope::execute
