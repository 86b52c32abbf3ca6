// Programs read from text, and the students' files, for tests of the catalog.
#pragma once

#include "places.h"
#include "session/catalog.h"
#include "session/program.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace lanescope::session {

inline std::string student(const std::string& name) {
    std::ifstream stream(std::filesystem::path(LANESCOPE_SOURCE_DIR) / "tests/unit/compile/data" / name,
                         std::ios::binary);
    EXPECT_TRUE(stream) << name;
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline Program read(const std::string& source, const std::string& name = "file.cu") {
    Result<Program> program = program_from_source(source, name);
    EXPECT_TRUE(program) << program.error().message();
    return program ? *std::move(program) : Program();
}

/// The file's only kernel by itself, as for a request with another launch than main's.
inline Program read_alone(const std::string& source, std::string kernel = "") {
    Program program = read(source);
    if (kernel.empty()) kernel = kernel_alone(program);
    if (kernel.empty()) return program;
    Result<Program> alone = with_kernel(program, kernel);
    EXPECT_TRUE(alone) << alone.error().message();
    return alone ? *std::move(alone) : Program();
}

inline std::vector<std::string> plans(const Program& program) {
    std::vector<std::string> result;
    result.reserve(program.recipe.arguments.size());
    for (const ArgumentPlan& plan : program.recipe.arguments) result.push_back(plan.parameter + " = " + plan.plan);
    return result;
}

}  // namespace lanescope::session
