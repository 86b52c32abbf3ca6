#include "analysis/theory/global_elements.h"

#include <algorithm>

namespace lanescope::analysis {

using trace::Effect;

namespace {

/// The elements of a buffer that one launch has read or written so far.
class Touched {
  public:
    void add(std::uint64_t first, std::uint64_t past_last) {
        if (past_last > seen_.size()) seen_.resize(past_last);
        for (std::uint64_t at = first; at < past_last; ++at) {
            if (!seen_[at]) ++count_;
            seen_[at] = true;
        }
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }

  private:
    std::vector<bool> seen_;
    std::uint64_t count_ = 0;
};

struct BufferTouched {
    Touched read, written;
};

void add_effect(const trace::Trace& trace, const Effect& effect, std::vector<BufferTouched>& buffers) {
    const bool reads = trace::is_read(effect.kind), writes = trace::is_write(effect.kind);
    if ((!reads && !writes) || effect.space != trace::Space::global) return;
    for (const unsigned lane : effect.lanes) {
        const std::uint64_t address = trace.address(effect, lane);
        const trace::Buffer* const buffer = trace.buffer_at(address);
        if (buffer == nullptr) continue;
        const std::uint64_t size = trace::bytes_of(buffer->element);
        const std::uint64_t first = address - buffer->address;
        const std::uint64_t past = std::min(first + std::uint64_t{effect.bytes} * effect.elements, buffer->bytes);
        BufferTouched& touched = buffers[static_cast<std::size_t>(buffer - trace.buffers.data())];
        if (reads) touched.read.add(first / size, (past + size - 1) / size);
        if (writes) touched.written.add(first / size, (past + size - 1) / size);
    }
}

}  // namespace

std::vector<std::vector<GlobalElements>> global_elements(const trace::Trace& trace) {
    std::vector<std::vector<GlobalElements>> all;
    for (const trace::Launch& launch : trace.launches) {
        std::vector<BufferTouched> touched(trace.buffers.size());
        for (std::size_t step = launch.first_step.index(); step < launch.past_last_step.index(); ++step) {
            for (const Effect& effect : trace.effects(trace.steps()[step])) add_effect(trace, effect, touched);
        }
        std::vector<GlobalElements>& found = all.emplace_back();
        for (std::size_t buffer = 0; buffer < touched.size(); ++buffer) {
            const std::uint64_t read = touched[buffer].read.count(), written = touched[buffer].written.count();
            if (read + written == 0) continue;
            found.push_back({.buffer = static_cast<std::uint32_t>(buffer),
                             .read = read,
                             .written = written,
                             .element_bytes = trace::bytes_of(trace.buffers[buffer].element)});
        }
    }
    return all;
}

}  // namespace lanescope::analysis
