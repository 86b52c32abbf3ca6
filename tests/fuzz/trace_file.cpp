// libFuzzer target: a trace file. If the first byte is even, the rest is the file. If it is odd, the rest is changes to
// the content of a valid file, three bytes each (place, place, value), which then gets right checksums.
#include "trace/container.h"
#include "trace/cursor.h"
#include "trace/file.h"
#include "trace/sections.h"
#include "trace/writer.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace {

namespace trace = lanescope::trace;

/// A small trace with one effect of most kinds.
std::vector<std::byte> sound_content() {
    trace::Writer writer(trace::Origin{.program = "fuzzed", .ptx = ".version 8.0\n"});
    trace::Trace& made = writer.trace();
    made.registers = {{"%r1", 4}, {"%d1", 8}, {"%p1", 0}};
    trace::Buffer buffer;
    buffer.name = "out";
    buffer.address = 0x1000;
    buffer.bytes = 64;
    buffer.initial.resize(buffer.bytes);
    made.buffers = {buffer};
    trace::Launch launch;
    launch.kernel = "kernel";
    launch.grid = {2};
    launch.block = {32};
    launch.static_shared_bytes = 128;
    launch.recorded = {lanescope::BlockId(0)};
    writer.begin_launch(launch);
    std::array<std::uint64_t, 32> addresses{}, values{};
    for (unsigned lane = 0; lane < 32; ++lane) addresses[lane] = 4 * lane;
    const auto lanes = lanescope::LaneMask::all();
    for (std::uint32_t line = 1; line < 9; ++line) {
        writer.begin_step(lanescope::BlockId(0), lanescope::WarpId(0), lanescope::PtxLine(line), line / 4, lanes,
                          lanes);
        writer.register_write(lanescope::RegisterId(1), 8, lanes, addresses);
        writer.predicate_write(lanescope::RegisterId(2), lanes, lanes);
        writer.load(trace::Space::shared, 4, 1, lanes, addresses, values);
        writer.store(trace::Space::global, 4, 1, lanes, addresses, values, addresses);
        writer.atomic(trace::Space::shared, 4, 1, lanes, addresses, values, addresses);
        writer.control(trace::EffectKind::branch, lanes);
    }
    writer.end_launch();
    made.counts.emplace_back(2);
    made.buffers[0].final = made.buffers[0].initial;
    return trace::encode(*writer.finish());
}

std::vector<std::byte> changed(std::vector<std::byte> content, std::span<const std::uint8_t> changes) {
    for (; changes.size() >= 3; changes = changes.subspan(3)) {
        content[(changes[0] * std::size_t{256} + changes[1]) % content.size()] ^= static_cast<std::byte>(changes[2]);
    }
    return content;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<std::byte> content = sound_content();
    if (size == 0) return 0;
    const std::span<const std::uint8_t> rest(data + 1, size - 1);
    const auto bytes = std::as_bytes(rest);
    const auto file = data[0] % 2 == 0 ? std::vector<std::byte>(bytes.begin(), bytes.end())
                                       : trace::pack(changed(content, rest), trace::file_version);
    const auto read = trace::from_bytes(file, "fuzzed");
    if (!read) return 0;
    trace::Cursor cursor(*read);
    cursor.seek(cursor.end());
    while (cursor.back()) {
    }
    return 0;
}
