// The heap of malloc() and free() on the device: 8 MiB as in CUDA (cudaLimitMallocHeapSize), in pieces far apart like
// buffers, so that what lies past the end of one is nothing.
#pragma once

#include "execute/simt/memory.h"

#include <cstdint>
#include <map>

namespace lanescope::execute {

class Heap {
  public:
    explicit Heap(GlobalMemory& memory) : memory_(memory) {}

    /// An address, or 0 where so much is not left.
    [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes);
    /// False where the address is not one that allocate() gave and that is still in use; 0 is always fine.
    bool release(std::uint64_t address);
    [[nodiscard]] std::uint64_t left() const { return capacity - used_; }

    static constexpr std::uint64_t capacity = std::uint64_t{8} << 20;

  private:
    GlobalMemory& memory_;
    std::uint64_t used_ = 0;
    std::map<std::uint64_t, std::uint64_t> pieces_;  ///< address -> bytes
};

}  // namespace lanescope::execute
