#include "support.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

/// The first instruction of a body, printed.
std::string printed(std::string_view body) {
    const Module module = parsed_kernel(body);
    return print(module, module.functions[0], module.functions[0].instructions.at(0));
}

TEST(Printer, WritesWhatWasRead) {
    for (const char* text : {
             "add.s32 %r1, %r2, -4;",
             "@%p1 mov.u32 %r1, %tid.x;",
             "@!%p1 mov.f32 %f1, 0f3F800000;",
             "mov.f64 %d1, 0d3FF0000000000000;",
             "ld.volatile.shared.v2.u32 {%r1, %r2}, [%rd1+16];",
             "st.global.cg.u32 [%rd1+-8], 5;",
             "ld.global.nc.L1::no_allocate.L2::128B.u32 %r1, [%rd1];",
             "setp.lt.and.u32 %p1|%p2, %r1, 5, !%p3;",
             "setp.gt.and.f32 %p1, %f1, 0f00000000, %p2;",
             "selp.f32 %f1, 0f00000000, %f2, %p1;",
             "shfl.sync.bfly.b32 %r1|%p1, %r2, 16, 31, -1;",
             "atom.shared.cas.b32 %r1, [%rd1], %r2, 7;",
             "mov.b64 {%r1, _}, %rd1;",
             "cvt.rzi.s32.f32 %r1, %f1;",
             "bar.red.popc.u32 %r1, 0, %p1;",
             "ld.param.u64 %rd1, [k_param_0];",
             "ld.global.u32 %r1, [4096];",
             "bar.sync 0;",
             "ret;",
         })
        EXPECT_EQ(printed(text), text);
}

TEST(Printer, NamesLabelsTablesAndFunctions) {
    EXPECT_EQ(printed("bra.uni L; L: ret;"), "bra.uni L;");
    EXPECT_EQ(printed("T: .branchtargets A, B; brx.idx %r1, T; A: B: ret;"), "brx.idx %r1, T;");
    const Module module = parsed(
        ".version 9.0\n.target sm_75\n.func (.param .b32 r) f(.param .b64 a) { ret; }\n.func g() { ret; }\n"
        ".entry k() {\n.param .b32 x;\n.param .b64 y;\n.reg .b64 %rd1;\ncall.uni (x), f, (y);\ncall g;\nmov.u64 %rd1, "
        "g;\nret;\n}\n");
    const Function& function = *module.find("k");
    EXPECT_EQ(print(module, function, function.instructions[0]), "call.uni (x), f, (y);");
    EXPECT_EQ(print(module, function, function.instructions[1]), "call g;");
    EXPECT_EQ(print(module, function, function.instructions[2]), "mov.u64 %rd1, g;");
}

/// Removes what differs between NVRTC's layout and ours: repeated blanks, comments, "+0".
std::string squeezed(const std::string& text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n'; };
    const auto apart = [](char c) { return c == ',' || c == '(' || c == ')'; };
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 2, "//") == 0) i = text.find('\n', i);
        if (text.compare(i, 3, "+0]") == 0) i += 2;
        if (!blank(text[i])) {
            if (apart(text[i]) && result.ends_with(' ')) result.pop_back();
            result += text[i];
        } else if (!result.empty() && result.back() != ' ' && !apart(result.back())) {
            result += ' ';
        }
    }
    while (result.ends_with(' ')) result.pop_back();
    return result;
}

TEST(Printer, WritesEveryInstructionOfNvrtcAsNvrtcDid) {
    for (const std::string& name : data_names()) {
        const Module module = parsed(read_data(name));
        for (const Function& function : module.functions)
            for (const Instruction& instruction : function.instructions) {
                std::string original;
                for (PtxLine line = instruction.line; original.find(';') == std::string::npos; ++line.value) {
                    ASSERT_LE(line.value, module.line_starts.size());
                    original += std::string(module.text_line(line)) + '\n';
                }
                original.erase(original.find(';') + 1);  // a '}' may follow
                EXPECT_EQ(squeezed(print(module, function, instruction)), squeezed(original)) << name;
            }
    }
}

TEST(Printer, WritesWhatParsesBackToTheSame) {
    // Every function's instructions are replaced by their printed form, line by line.
    for (const std::string& name : data_names()) {
        const Module module = parsed(read_data(name));
        std::string text = module.text;
        for (const Function& function : module.functions)
            for (auto instruction = function.instructions.rbegin(); instruction != function.instructions.rend();
                 ++instruction) {
                if (instruction->opcode == Opcode::call) continue;  // spread over several lines
                const std::string_view line = module.text_line(instruction->line);
                std::size_t begin = module.line_starts[instruction->line.value - 1];
                // Earlier replacements may have moved the line: search again from near its old place.
                begin = text.find(line, begin > 4096 ? begin - 4096 : 0);
                ASSERT_NE(begin, std::string::npos);
                if (std::ranges::count(line, '{') == std::ranges::count(line, '}'))
                    text.replace(begin, line.size(), print(module, function, *instruction));
            }
        const Module again = parsed(text);
        ASSERT_EQ(again.functions.size(), module.functions.size());
        for (std::size_t f = 0; f < module.functions.size(); ++f) {
            const auto& before = module.functions[f];
            const auto& after = again.functions[f];
            ASSERT_EQ(before.instructions.size(), after.instructions.size());
            for (std::size_t i = 0; i < before.instructions.size(); ++i) {
                EXPECT_EQ(print(module, before, before.instructions[i]), print(again, after, after.instructions[i]));
                EXPECT_EQ(before.instructions[i].reconvergence, after.instructions[i].reconvergence);
            }
        }
    }
}

}  // namespace
}  // namespace lanescope::ptx
