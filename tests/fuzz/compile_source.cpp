// libFuzzer target: any bytes as a .cu file: its kernels, launches and `lanescope` comments.
#include "compile/source.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string source(data, data + size);
    const lanescope::compile::SourceScan scan = lanescope::compile::scan_source(source);
    // Masking must not move any byte.
    if (scan.device_text.size() != source.size()) std::abort();
    for (const lanescope::compile::TextRange& range : scan.droppable) {
        if (range.begin > range.end || range.end > source.size()) std::abort();
    }
    return 0;
}
