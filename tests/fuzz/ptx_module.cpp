// libFuzzer target: any bytes as PTX. Built by hand, with clang 16 (14 cannot compile std::expected) from the top:
//   clang++-16 -std=c++2b -g -O1 -fsanitize=fuzzer,address,undefined -Wno-builtin-macro-redefined
//       -D__cpp_concepts=202002L -I app -I tests tests/fuzz/ptx_module.cpp tests/unit/ptx/exercise.cpp app/ptx/*.cpp
//       app/base/result.cpp -lfmt -o build/fuzz_ptx
//   build/fuzz_ptx -max_total_time=3600 -max_len=20000 build/corpus tests/unit/ptx/data tests/cases/ptx
#include "ptx/module.h"
#include "unit/ptx/exercise.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto module = lanescope::ptx::parse(std::string(data, data + size));
    if (module) lanescope::ptx::exercise(*module);
    return 0;
}
