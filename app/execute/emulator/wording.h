// The names of threads, lines and places in findings: "block 0, thread 17", "in[17], 2 elements past the end of in".
#pragma once

#include "base/grouped.h"
#include "execute/emulator/code.h"
#include "execute/emulator/heap.h"
#include "execute/emulator/machine.h"
#include "execute/simt/addresses.h"
#include "trace/element.h"
#include "trace/trace.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::execute {

/// "0 to 15, 32 to 47": runs of ascending numbers, the first eight of them.
[[nodiscard]] std::string runs_of(const std::vector<unsigned>& numbers);

/// "byte 4", "bytes 4 to 7".
[[nodiscard]] std::string byte_range(std::int64_t first, unsigned bytes);

/// A place in memory by its source name.
struct PlaceName {
    std::string text;      ///< "in[17]", with its fault: ", 2 elements past the end of in (16 elements)"
    std::string variable;  ///< "in", "in.value" of a structure's member; empty: none
};

/// The names of one launch.
class Wording {
  public:
    Wording(const trace::Trace& trace, const GlobalMemory& memory, const Heap& heap)
        : source_(trace.origin.source), buffers_(trace.buffers), memory_(memory), heap_(heap) {}

    void begin_launch(const Code& code, const trace::Launch& launch, const std::vector<trace::SharedArray>& arrays,
                      const OutOfReach& out_of_reach);

    [[nodiscard]] std::string block(BlockId block) const;
    /// `thread` counts in its block.
    [[nodiscard]] std::string thread(BlockId block, unsigned thread) const;
    [[nodiscard]] std::string threads(WarpId warp, LaneMask lanes) const;
    /// "line 12", or "PTX line 40" if no line of the source is known.
    [[nodiscard]] std::string line(Pc pc) const;
    /// A number shared by all addresses that are named after one allocation, variable or piece of the heap.
    [[nodiscard]] std::uint64_t object_at(ptx::Space space, std::uint64_t address) const;
    /// `address` in its own space; of `array` if it is known which one was meant.
    [[nodiscard]] PlaceName place(ptx::Space space, std::uint64_t address, unsigned bytes,
                                  const ptx::Variable* array = nullptr,
                                  const trace::SharedArray* local_array = nullptr) const;

    /// A value there as text: "3", "2.5".
    [[nodiscard]] std::string value(ptx::Space space, std::uint64_t address, unsigned bytes, std::uint64_t bits) const;
    /// The text of a line of the source, without indentation and an opening brace; empty: the source is not known.
    [[nodiscard]] std::string source_text(std::uint32_t line) const;
    /// The condition of the loop that a branch of that line leaves: "while (flag == 0)" if the line has one loop and
    /// nothing else that could leave it, otherwise the line.
    [[nodiscard]] std::string loop_text(std::uint32_t line) const;

    /// The buffer that the host passes as that parameter of the kernel, index in Trace::buffers.
    [[nodiscard]] std::optional<std::uint32_t> buffer_of_parameter(std::uint32_t parameter) const;
    [[nodiscard]] std::optional<std::uint32_t> buffer_at(std::uint64_t address) const;

    /// Whether the place is known to hold numbers of at least that many bytes: true for buffers unless they are known
    /// to hold something else, for other memory only if that is known.
    [[nodiscard]] bool is_of_numbers(ptx::Space space, std::uint64_t address, unsigned bytes) const;
    /// Whether the host freed the buffer that held the address.
    [[nodiscard]] bool is_freed(std::uint64_t address) const;

  private:
    [[nodiscard]] std::optional<trace::Members> members_of(std::size_t buffer) const;
    [[nodiscard]] std::optional<trace::Element> element_of_parameter(std::size_t buffer) const;
    [[nodiscard]] bool buffer_is_of_numbers(std::uint64_t address) const;
    [[nodiscard]] static PlaceName heap_place(const Heap::Piece& piece, std::uint64_t address);
    [[nodiscard]] PlaceName global_place(std::uint64_t address, unsigned bytes) const;
    [[nodiscard]] std::string unallocated(std::uint64_t address) const;
    [[nodiscard]] PlaceName shared_place(std::uint64_t address, unsigned bytes, const ptx::Variable* array) const;
    [[nodiscard]] PlaceName local_place(std::uint64_t address, unsigned bytes, const trace::SharedArray* meant) const;
    [[nodiscard]] std::string coordinates(unsigned thread) const;

    const std::string& source_;
    const std::vector<trace::Buffer>& buffers_;
    const GlobalMemory& memory_;
    const Heap& heap_;
    const Code* code_ = nullptr;
    trace::Launch launch_;
    std::vector<trace::SharedArray> arrays_;
    OutOfReach out_of_reach_;
};

}  // namespace lanescope::execute
