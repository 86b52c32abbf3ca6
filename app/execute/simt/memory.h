// The memory that a kernel sees: one 64-bit address space with windows for what is private to a block or a thread, and
// buffers of global memory far apart, so that an access past the end of one hits no other.
//
//     0x0000_0000        nothing: the null pointer and what is near it
//     0x0100_0000        shared memory of one's block     (16 MiB)
//     0x0200_0000        local memory of one's thread     (16 MiB)
//     0x0300_0000        parameters of the kernel         (16 MiB)
//     0x0400_0000        functions: no memory, values to compare and to call
//     0x7f00_0000_0000   buffers, module variables; 256-byte aligned, at least 1 MiB apart
//
// The window that a generic address is in says its space (PTX ISA 5.1, 6.4.1); an address of the shared, local or param
// space counts from its window's start. Global and constant addresses are generic ones.
#pragma once

#include "base/sparse_bytes.h"
#include "execute/simt/addresses.h"
#include "ptx/module.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace lanescope::execute {

inline constexpr unsigned window_bits = 24;
/// A null pointer plus the offset of a member or a small index is below this address.
inline constexpr std::uint64_t past_null = std::uint64_t{1} << 16U;
/// This far from all allocations nothing is mapped: an H100 maps up to 512 MiB beside them, for itself and for the
/// next.
inline constexpr std::uint64_t past_mapped = std::uint64_t{1} << 30U;
inline constexpr std::uint64_t shared_window = std::uint64_t{1} << window_bits;
inline constexpr std::uint64_t local_window = std::uint64_t{2} << window_bits;
inline constexpr std::uint64_t param_window = std::uint64_t{3} << window_bits;
inline constexpr std::uint64_t function_window = std::uint64_t{4} << window_bits;
/// The generic address of a function of the module, by its index there.
constexpr std::uint64_t address_of_function(std::uint32_t index) { return function_window + 16 * std::uint64_t{index}; }
inline constexpr std::uint64_t first_global_address = 0x7F00'0000'0000;
inline constexpr std::uint64_t global_alignment = 256;

/// The space that a generic address falls in; constant memory counts as global.
[[nodiscard]] inline ptx::Space space_of(std::uint64_t generic_address) {
    switch (generic_address >> window_bits) {
        case shared_window >> window_bits: return ptx::Space::shared;
        case local_window >> window_bits: return ptx::Space::local;
        case param_window >> window_bits: return ptx::Space::param;
        default: return ptx::Space::global;
    }
}
/// The offset from an address of the space to the generic one.
[[nodiscard]] inline std::uint64_t window_of(ptx::Space space) {
    switch (space) {
        case ptx::Space::shared: return shared_window;
        case ptx::Space::local: return local_window;
        case ptx::Space::param: return param_window;
        default: return 0;
    }
}

struct FreeOwned {
    bool owned = true;
    std::uint64_t mapped = 0;  ///< bytes of its own mapping; 0: memory of malloc()
    void operator()(void* bytes) const;
};

/// The marks of a byte of memory: whether it depends on input data (app/README.md, Terms), and whether the host or a
/// thread has written it.
inline constexpr std::uint8_t input_mark = 1, written_mark = 2;

/// Contiguous bytes, each with its marks.
class Region {
  public:
    Region() = default;
    /// All zero, none written.
    explicit Region(std::uint64_t base, std::uint64_t bytes);
    /// Begins with `input`, then zeros; all of it is input data.
    Region(std::uint64_t base, std::uint64_t bytes, std::span<const std::byte> input);
    enum class Input : std::uint8_t { none, all };  ///< the bytes that are written, and input data, from the start
    /// Memory owned by the caller, which outlives the region. Reading an unwritten byte is undefined.
    Region(std::uint64_t base, std::uint64_t bytes, std::byte* memory, Input input = Input::none);

    [[nodiscard]] std::uint64_t base() const { return base_; }  ///< address of the first byte
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] std::byte* data() { return data_.get(); }
    [[nodiscard]] const std::byte* data() const { return data_.get(); }
    [[nodiscard]] std::uint8_t* marks() { return marks_.get(); }  ///< one a byte
    [[nodiscard]] const std::uint8_t* marks() const { return marks_.get(); }
    /// Whether the region may contain bytes that nothing has written.
    [[nodiscard]] bool begins_unwritten() const { return begins_unwritten_; }
    /// Whether all of these bytes are written; they lie in the region.
    [[nodiscard]] bool is_written(std::uint64_t offset, std::uint64_t bytes) const;
    [[nodiscard]] std::uint64_t count_unwritten(std::uint64_t offset, std::uint64_t bytes) const;
    /// These bytes, which lie in the region, are written, and are input data.
    void mark_input(std::uint64_t offset, std::uint64_t bytes);
    [[nodiscard]] bool holds(std::uint64_t address) const { return address - base_ < bytes_; }

    /// Whether a thread has accessed the region, or tried to.
    [[nodiscard]] bool accessed() const { return accessed_; }
    void note_access() { std::atomic_ref(accessed_).store(true, std::memory_order_relaxed); }  // of several threads

    void clear();    ///< all zero again, nothing written
    void give_up();  ///< frees the bytes; the address stays reserved

  private:
    std::uint64_t base_ = 0;
    std::uint64_t bytes_ = 0;
    bool accessed_ = false;
    // Zeros from the system: pages of large buffers that no thread touches cost nothing.
    std::unique_ptr<std::byte[], FreeOwned> data_;
    std::unique_ptr<std::uint8_t[], FreeOwned> marks_;
    bool begins_unwritten_ = false;
};

/// Offsets in a region are 32 bits wide, and records of its accesses are indexed by word, so a longer piece of memory
/// is several regions, one right after the other.
inline constexpr std::uint64_t most_region_bytes = std::uint64_t{256} << 20;

/// Global and constant memory. Regions do not move.
class GlobalMemory {
  public:
    /// Pieces are at least `gap` bytes apart.
    explicit GlobalMemory(std::uint64_t gap = usual_gap) : gap_(gap) {}

    /// Places `bytes` after all that is there.
    Region& add(std::uint64_t bytes);
    /// The same, to begin with `input`.
    Region& add(std::uint64_t bytes, std::span<const std::byte> input);
    /// Adds a buffer that begins with `input`, zeros after it, at a free address; 0: after all that is there. Returns
    /// the address.
    std::uint64_t add_buffer(std::uint64_t base, std::uint64_t bytes, SparseBytes input);
    /// The same in memory owned by the caller.
    void add_owned(std::uint64_t base, std::uint64_t bytes, std::byte* memory, Region::Input input);

    /// The region that holds the address, or null.
    [[nodiscard]] Region* find(std::uint64_t address) { return find(address, last_found_); }
    /// The same with the caller's own cache of the region found last, which threads must not share.
    [[nodiscard]] Region* find(std::uint64_t address, Region*& last_found);
    /// The region that begins at the address, even one that has been given up; or null.
    [[nodiscard]] Region* from(std::uint64_t base) const;
    /// visit(Region&, offset) for each region of a buffer, given up or not.
    template <class Visit>
    void for_each_region(std::uint64_t base, std::uint64_t bytes, Visit visit) const {
        for (std::uint64_t at = 0; at < bytes; at += most_region_bytes) {
            if (Region* const region = from(base + at)) visit(*region, at);
        }
    }
    /// visit(const Region&) for each region that holds something, by address.
    template <class Visit>
    void for_each(Visit visit) const {
        for (const Place& place : by_address_) visit(*place.region);
    }
    /// The bytes of a buffer, in one piece; its memory must not have been given up.
    [[nodiscard]] std::byte* bytes_of_buffer(std::uint64_t base) const { return from(base)->data(); }
    /// Adds the region, and all others of the same piece of memory.
    void add_adjoining(Region& region, std::set<Region*>& to) const;
    /// Frees the bytes of a buffer; its addresses stay reserved.
    void give_up(std::uint64_t base, std::uint64_t bytes);
    /// Whether a region that holds something is at the address, or less than `bytes` from it.
    [[nodiscard]] bool has_within(std::uint64_t address, std::uint64_t bytes) const;
    /// The region nearest to an access that is not inside one, if it is within a gap of one; or null.
    [[nodiscard]] const Region* nearest(std::uint64_t address) const;

  private:
    struct Place {
        std::uint64_t base = 0;
        Region* region = nullptr;
        [[nodiscard]] std::uint64_t distance_to(std::uint64_t address) const;  ///< 0: it holds the address
    };
    Region& placed(Region region);
    [[nodiscard]] std::uint64_t next_address() const;

    std::uint64_t gap_;
    std::deque<Region> regions_;
    std::map<std::uint64_t, SparseBytes> buffers_;  ///< what add_buffer() added, by address
    std::vector<Place> by_address_;                 ///< ascending
    Region* last_found_ = nullptr;
};

}  // namespace lanescope::execute
