// One access of global memory by sectors: the bytes that the lanes access, the 32-byte sectors and 128-byte cache lines
// that hold them, and for atomics the lanes that meet at one address. The Sectors panel draws it.
#pragma once

#include "analysis/block_view.h"
#include "model/model.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::analysis {

inline constexpr std::uint64_t cache_line_bytes = 128;

/// The bytes at one address that one or more lanes access.
struct SectorPiece {
    std::uint64_t address = 0;
    LaneMask lanes;
    std::uint64_t sector = 0;  ///< address / model::sector_bytes
    std::string name;          ///< "in[5]"
    std::string index;         ///< "[5]" where all pieces are in one array; otherwise the name
    std::string row;           ///< `index` of the first byte of the piece's row, where that byte is in the array
};

struct SectorPicture {
    StepId step;
    trace::EffectKind kind = trace::EffectKind::load;  ///< load, store or atomic
    unsigned bytes = 4;                                ///< a lane moves, all elements together
    LaneMask lanes;
    std::vector<SectorPiece> pieces;             ///< distinct addresses, ascending
    std::vector<model::SectorRequest> requests;  ///< as many as Counts has sectors for this access
    std::size_t sectors = 0;                     ///< distinct
    std::size_t least = 1;                       ///< as few sectors as can hold these bytes
    std::uint64_t used_bytes = 0;                ///< bytes of the sectors that some lane accesses
    std::string array;                           ///< name of the buffer accessed; empty where several are
    std::string access;                          ///< as in the source, "in[i]" (access_text()); or empty
    std::string arithmetic;                      ///< a sentence without its full stop: the sectors, and why

    [[nodiscard]] bool atomic() const { return kind == trace::EffectKind::atomic; }
    [[nodiscard]] std::uint64_t sector_bytes() const { return sectors * model::sector_bytes; }
    /// Bytes in a row of the picture: 32 elements of up to 4 bytes, at most a cache line.
    [[nodiscard]] std::uint64_t row_bytes() const {
        return std::min(cache_line_bytes, std::uint64_t{warp_size} * bytes);
    }
    /// Are there more requests than the bytes need or, for an atomic, lanes that wait for others at their address?
    [[nodiscard]] bool excess() const { return requests.size() > (atomic() ? sectors : least); }
    /// Bytes of the sector that lanes access.
    [[nodiscard]] std::uint64_t used_bytes_of(std::uint64_t sector) const;
    /// The access takes one turn for each request.
    [[nodiscard]] std::size_t turns() const { return requests.size(); }
    [[nodiscard]] LaneMask lanes_of_turn(std::size_t turn) const { return requests[turn].lanes; }
    /// Requests of the sector: the turns that an atomic takes there; 1 for a load or store.
    [[nodiscard]] std::size_t requests_of(std::uint64_t sector) const;
    /// The number of the sector's first request; requests.size() without one.
    [[nodiscard]] std::size_t first_request_of(std::uint64_t sector) const;
    /// The use of a row of the picture: the bytes that lanes access, and the bytes of the sectors that hold them.
    struct RowUse {
        std::uint64_t used = 0, moved = 0;
        friend bool operator==(const RowUse&, const RowUse&) = default;
    };
    [[nodiscard]] RowUse use_of_row(std::uint64_t begin) const;  ///< `begin`: the row's first address
    /// The turn of request `request` of an atomic at its sector, from 0.
    [[nodiscard]] unsigned turn_of(std::size_t request) const;
};

/// The access of global memory of step `index`, a number in passes.steps; nothing where it makes none.
[[nodiscard]] std::optional<SectorPicture> sector_picture(const BlockView& block, std::size_t index);

}  // namespace lanescope::analysis
