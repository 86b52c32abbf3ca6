#include "support.h"

#include "places.h"

#include <fmt/format.h>
#include <algorithm>
#include <fstream>
#include <sstream>

namespace lanescope::ptx {
namespace {

const std::filesystem::path data = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "tests/unit/ptx/data";

}  // namespace

std::string read_data(const std::string& name) {
    std::ifstream file(data / name, std::ios::binary);
    EXPECT_TRUE(file) << name;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> data_names() {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(data))
        if (entry.path().extension() == ".ptx") found.push_back(entry.path().filename());
    std::ranges::sort(found);
    return found;
}

std::string kernel(std::string_view body) {
    return fmt::format(
        ".version 9.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)\n{{\n"
        ".reg .pred %p<9>, %q; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %d<9>;\n"
        "{}\n}}\n",
        body);
}

Module parsed(const std::string& text) {
    Result<Module> module = parse(text);
    if (module) return *std::move(module);
    ADD_FAILURE() << module.error().message();
    return {};
}

Module parsed_kernel(std::string_view body) {
    Module module = parsed(kernel(body));
    if (module.functions.empty()) module.functions.emplace_back();
    return module;
}

Problem refused(const std::string& text) {
    const Result<Module> module = parse(text);
    if (!module) return module.error();
    ADD_FAILURE() << "not refused:\n" << text.substr(0, 400);
    return {};
}

std::string refused_body(std::string_view body) {
    const Problem problem = refused(kernel(body));
    EXPECT_GE(problem.where.line, body_line) << problem.message();
    return fmt::format("{}:{}: {}", problem.where.line - body_line + 1, problem.where.column, problem.what);
}

std::string names(const Function& function, const std::vector<RegisterId>& registers) {
    std::string text;
    for (const RegisterId reg : registers) {
        if (!text.empty()) text += ' ';
        text += reg.valid() ? function.registers[reg.index()].name : "?";
    }
    return text;
}

}  // namespace lanescope::ptx
