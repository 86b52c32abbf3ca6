// libFuzzer target: any bytes as PTX.
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
