#include "session/unmeasured.h"

#include "session/input.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace lanescope::session {

timing::CostCounts counts_of(const trace::Trace& trace) {
    timing::CostCounts counts = cost_of(trace.totals());
    for (const trace::Launch& launch : trace.launches)
        counts.atomics_at_one_word += launch.atomics_at_one_word.value_or(0);
    return counts;
}

timing::CostCounts cost_of(const trace::Counts& counts) {
    return {
        .instructions = counts.warp_instructions,
        .wavefronts = counts.shared_load_wavefronts + counts.shared_store_wavefronts + counts.shared_atomic_wavefronts,
        .sectors = counts.global_load_sectors + counts.global_store_sectors + counts.global_atomic_sectors,
        .barriers = counts.barriers,
        .operations = counts.operations};
}

bool is_filled(const trace::Buffer& buffer, std::uint64_t n) {
    const std::uint64_t element = trace::bytes_of(buffer.element);
    const std::uint64_t held = std::min(buffer.initial.size(), buffer.final.size()) / element;
    if (held < n) return false;
    std::uint64_t changed = 0;
    for (std::uint64_t at = 0; at < n * element; at += element) {
        if (std::memcmp(buffer.initial.data() + at, buffer.final.data() + at, element) != 0) ++changed;
    }
    return 2 * changed >= n;
}

std::uint64_t bytes_moved(const Run& run) {
    std::uint64_t bytes = 0;
    for (const trace::Buffer& buffer : run.trace().buffers) {
        const std::uint64_t element = trace::bytes_of(buffer.element);
        if (holds_input(buffer) || (buffer.output && is_filled(buffer, run.n)))
            bytes += std::min(buffer.bytes, run.n * element);
    }
    return bytes;
}

bool reads_what_is_given(const Run& run) {
    const trace::Trace& trace = run.trace();
    std::vector<std::vector<bool>> read(trace.buffers.size());
    std::uint64_t given = 0, found = 0;  // bytes
    for (std::size_t i = 0; i < trace.buffers.size(); ++i) {
        const trace::Buffer& buffer = trace.buffers[i];
        if (!holds_input(buffer)) continue;
        read[i].resize(std::min(buffer.bytes, run.n * trace::bytes_of(buffer.element)));
        given += read[i].size();
    }
    for (const trace::Step& step : trace.steps()) {
        for (const trace::Effect& effect : trace.effects(step)) {
            if (!is_read(effect.kind) || effect.space != trace::Space::global) continue;
            for (const unsigned lane : effect.lanes) {
                const std::uint64_t address = trace.address(effect, lane);
                const trace::Buffer* const buffer = trace.buffer_at(address);
                if (buffer == nullptr) continue;
                std::vector<bool>& bytes = read[static_cast<std::size_t>(buffer - trace.buffers.data())];
                const std::uint64_t first = address - buffer->address;
                const std::uint64_t past =
                    std::min<std::uint64_t>(first + effect.bytes * effect.elements, bytes.size());
                for (std::uint64_t at = first; at < past; ++at) {
                    if (!bytes[at]) ++found;
                    bytes[at] = true;
                }
            }
        }
    }
    const trace::Launch& first = trace.launches.front();
    return 2 * found * first.grid.count() >= given * first.recorded.size();
}

timing::Point unmeasured(const Run& run) {
    timing::Point point{.kernel = run.program.name,
                        .element = std::string(trace::name_of(run.verdict.element)),
                        .n = run.n,
                        .block = run.block,
                        .grid = run.grid,
                        .launches = static_cast<std::uint32_t>(run.trace().launches.size()),
                        .time = {},
                        .check = {},
                        .counts = counts_of(run.trace())};
    point.bytes = bytes_moved(run);
    return point;
}

}  // namespace lanescope::session
