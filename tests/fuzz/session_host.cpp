// libFuzzer target: any bytes as a .cu file whose main is followed: its loops, copies and launches.
#include "session/host_code.h"

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    namespace session = lanescope::session;
    // As if every kernel left zeros.
    const session::DeviceContents zeros =
        [](const session::HostRun& run) -> lanescope::Result<std::vector<std::vector<std::byte>>> {
        std::vector<std::vector<std::byte>> contents;
        for (const session::HostBuffer& buffer : run.buffers) contents.emplace_back(buffer.initial.size());
        return contents;
    };
    static_cast<void>(session::run_host_code(std::string(data, data + size), "fuzzed.cu",
                                             {.function = "main", .arguments = {}, .most_work = 200'000}, zeros));
    return 0;
}
