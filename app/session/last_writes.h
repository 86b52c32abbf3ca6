// The host's writes after the last launch, which a machine that repeats the launches does not repeat.
#pragma once

#include "trace/trace.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace lanescope::session {

/// The trace must outlive it.
class LastWrites {
  public:
    explicit LastWrites(const trace::Trace& trace) {
        for (const trace::HostWrite& write : trace.host_writes)
            if (trace.is_after_launches(write)) writes_.push_back(&write);
    }

    /// Whether one of them is into the buffer.
    [[nodiscard]] bool reach(std::size_t buffer) const {
        return std::ranges::any_of(writes_, [&](const trace::HostWrite* write) { return write->buffer == buffer; });
    }
    [[nodiscard]] bool cover(std::size_t buffer, std::size_t at) const {
        return std::ranges::any_of(writes_, [&](const trace::HostWrite* write) {
            return write->buffer == buffer && at >= write->offset && at - write->offset < write->after.size();
        });
    }
    /// The buffer's bytes with these writes applied.
    [[nodiscard]] std::vector<std::byte> after(std::size_t buffer, std::vector<std::byte> bytes) const {
        for (const trace::HostWrite* write : writes_)
            if (write->buffer == buffer && write->offset + write->after.size() <= bytes.size())
                std::ranges::copy(write->after, bytes.begin() + static_cast<std::ptrdiff_t>(write->offset));
        return bytes;
    }

  private:
    std::vector<const trace::HostWrite*> writes_;
};

}  // namespace lanescope::session
