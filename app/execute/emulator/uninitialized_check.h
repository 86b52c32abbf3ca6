// Finds reads of memory that no thread has written. Copying it is not a fault (uninitialized_copies.h); using it is.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/faults.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/shadow.h"
#include "execute/emulator/uninitialized_copies.h"
#include "execute/emulator/warp_access.h"

#include <cstdint>
#include <set>

namespace lanescope::execute {

class UninitializedCheck {
  public:
    UninitializedCheck(const Code& code, Faults& faults) : code_(code), faults_(faults) {}

    /// A new piece of the heap is uninitialized.
    void allocated(const Region& piece) { uninitialized_pieces_.insert(&piece); }
    /// An unchecked block writes: from here on it is unknown which bytes of the piece are initialized.
    void written_unseen(const Region& region) { uninitialized_pieces_.erase(&region); }
    [[nodiscard]] bool knows_pieces() const { return !uninitialized_pieces_.empty(); }

    /// Shared memory and memory allocated in the kernel begin uninitialized.
    [[nodiscard]] bool must_be_written(ptx::Space space, const Region& region) const {
        return space == ptx::Space::shared || (knows_pieces() && uninitialized_pieces_.contains(&region));
    }

    /// A read of a thread's own memory must find at least one initialized byte: structures are copied with their
    /// padding.
    void local(const WarpAccess& access) const;
    /// Parameters and results of a call.
    void call_parameter(const WarpAccess& access) const;
    /// Reports an uninitialized number stored in a buffer. (In a structure it may be padding.)
    void global_store(const WarpAccess& access) const;
    /// A lane's read of memory that must be initialized, `shadow` that of its memory. True: a fault was reported.
    [[nodiscard]] bool shared_or_heap(const WarpAccess& access, unsigned lane, Shadow& shadow) const;
    /// A lane's read of global memory, which the program allocated: what neither the host nor any thread has written is
    /// uninitialized. True: a fault was reported.
    [[nodiscard]] bool buffer(const WarpAccess& access, unsigned lane) const;
    /// A lane's write to shared memory: part of the stored value may be a copy of uninitialized bytes.
    static void shared_write(const WarpAccess& access, unsigned lane);

  private:
    /// Reports the read, or keeps track of what it copies.
    [[nodiscard]] bool found(const WarpAccess& access, unsigned lane, ByteMask uninitialized) const;
    [[nodiscard]] static ByteMask stored_copies(const WarpAccess& access, unsigned lane);
    /// Whether reading `uninitialized` of the value at `address` of the access's space is a fault immediately: numbers
    /// count as used once read, at the latest when they are stored; of structures only the used bytes count.
    [[nodiscard]] bool uses(const WarpAccess& access, std::uint64_t address, ByteMask uninitialized) const;
    static void keep_copy(const WarpAccess& access, unsigned lane, std::uint64_t address, ByteMask uninitialized);
    void report(const WarpStep& step, unsigned lane, const UninitializedCopies::Origin& read) const;

    const Code& code_;
    Faults& faults_;
    std::set<const Region*> uninitialized_pieces_;  ///< of the heap: bytes not known to be written are uninitialized
};

}  // namespace lanescope::execute
