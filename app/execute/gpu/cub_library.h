// cub::DeviceReduce and cub::DeviceScan as a contender (timer.h): a library that nvcc built from cub_helper.cu, loaded
// into this process, so that they run in the same context and rounds as the program beside them.
#pragma once

#include "execute/gpu/timer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace lanescope::execute {

/// `type`: "int", "float" or "double".
struct CubWork {
    bool scan = false;  ///< an inclusive scan; else a reduction
    std::string type;
    std::uint64_t n = 0;
    [[nodiscard]] const char* name() const { return scan ? "cub::DeviceScan" : "cub::DeviceReduce"; }
};

/// Fails if the library cannot be loaded. If CUB fails, the library ends the process.
[[nodiscard]] Result<std::unique_ptr<Contender>> cub_contender(const std::filesystem::path& library, CubWork work);

}  // namespace lanescope::execute
