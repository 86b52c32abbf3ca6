// Shared by the tests of `compile`: test data, a compiler if there is one, a folder that goes away.
#pragma once

#include "compile/cache.h"
#include "compile/compile.h"
#include "compile/nvrtc.h"
#include "places.h"
#include "scratch_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace lanescope::compile {

inline std::string data_file(const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "tests/unit/compile/data" / name;
    std::ifstream stream(path, std::ios::binary);
    EXPECT_TRUE(stream) << path;
    return {std::istreambuf_iterator<char>(stream), {}};
}

inline const Result<Nvrtc>& any_nvrtc() {
    static const Result<Nvrtc> found = Nvrtc::find(NvrtcPlaces::of_environment());
    return found;
}

/// A test that needs a compiler begins with this.
#define NEEDS_NVRTC() \
    if (!any_nvrtc()) GTEST_SKIP() << any_nvrtc().error().message()

inline std::expected<CompileOutput, CompileFailure> compile_uncached(const CompileRequest& request) {
    return compile_with(any_nvrtc(), Cache(std::nullopt), request);
}

}  // namespace lanescope::compile
