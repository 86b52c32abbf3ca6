// Finds reads of memory that no thread has written. Copying it is no fault (uninitialized_copies.h); using it is one.
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

    /// A piece of the heap that holds nothing yet.
    void allocated(const Region& piece) { uninitialized_pieces_.insert(&piece); }
    /// A block that is not checked writes: which bytes of the piece are written is unknown from here on.
    void written_unseen(const Region& region) { uninitialized_pieces_.erase(&region); }
    [[nodiscard]] bool knows_pieces() const { return !uninitialized_pieces_.empty(); }

    /// Buffers come written by the host; shared memory and what is allocated in the kernel does not.
    [[nodiscard]] bool must_be_written(ptx::Space space, const Region& region) const {
        return space == ptx::Space::shared || (knows_pieces() && uninitialized_pieces_.contains(&region));
    }

    /// What is read of a thread's own memory must have been written, if only in part: structures are copied with their
    /// padding.
    void local(const WarpAccess& access) const;
    /// Parameters and results of a call.
    void call_parameter(const WarpAccess& access) const;
    /// An uninitialized number is stored in a buffer. (Of a structure in a buffer it may be padding.)
    void global_store(const WarpAccess& access) const;
    /// A lane's read of what must be written, `shadow` that of its memory. True: a fault was reported.
    [[nodiscard]] bool shared_or_heap(const WarpAccess& access, unsigned lane, Shadow& shadow) const;
    /// A lane's write to shared memory: of what it stores, some may be a copy of what is not written.
    static void shared_write(const WarpAccess& access, unsigned lane);

  private:
    [[nodiscard]] static ByteMask stored_copies(const WarpAccess& access, unsigned lane);
    /// Whether to read `uninitialized` of what is at `address` of the access's space is a fault there and then: numbers
    /// that are read are used, at the latest where they are stored; of structures only what is used counts.
    [[nodiscard]] bool uses(const WarpAccess& access, std::uint64_t address, ByteMask uninitialized) const;
    static void keep_copy(const WarpAccess& access, unsigned lane, std::uint64_t address, ByteMask uninitialized);
    void report(const WarpStep& step, unsigned lane, const UninitializedCopies::Origin& read) const;

    const Code& code_;
    Faults& faults_;
    std::set<const Region*> uninitialized_pieces_;  ///< of the heap: what is not known to be written there is not
};

}  // namespace lanescope::execute
