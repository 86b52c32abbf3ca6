// The heap of malloc() and free() on the device: 8 MiB as in CUDA (cudaLimitMallocHeapSize), in pieces far apart like
// buffers, so that an access past the end of one hits no other. No address is returned twice, so a use after free is
// always recognized.
#pragma once

#include "base/ids.h"
#include "execute/simt/memory.h"
#include "model/device_limits.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::execute {

class Heap {
  public:
    explicit Heap(GlobalMemory& memory) : memory_(memory) {}

    /// The thread that called malloc or free, and where, as text: "block 0, thread 3", "line 12".
    struct Caller {
        std::string thread;
        std::string line;
        std::uint32_t source_line = 0;  ///< 0: not known
    };

    struct Piece {
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;  ///< as requested
        Caller allocated;
        std::optional<Caller> freed;
    };

    /// An address, or 0 if the heap has too little left.
    [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes, Caller caller);
    /// False if allocate() did not return the address, or it is already free; 0 is always allowed.
    bool release(std::uint64_t address, Caller caller);
    [[nodiscard]] std::uint64_t left() const { return capacity_ - used_; }

    /// The piece that contains the address, in use or freed; or null.
    [[nodiscard]] const Piece* piece_at(std::uint64_t address) const;
    /// The piece that begins at the address, or null.
    [[nodiscard]] const Piece* piece_from(std::uint64_t address) const;

    /// Memory that was allocated in one line and not freed.
    struct Leak {
        Caller first;
        std::uint64_t pieces = 0, bytes = 0;
    };
    [[nodiscard]] std::vector<Leak> leaks() const;

  private:
    GlobalMemory& memory_;
    std::uint64_t capacity_ = model::emulated_device().heap_bytes, used_ = 0;
    std::map<std::uint64_t, Piece> pieces_;  ///< by address
};

}  // namespace lanescope::execute
