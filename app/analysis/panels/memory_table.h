// The contents of memory at a position of a block as tables of elements: shared arrays, buffers, a thread's local
// arrays, and a lane's variables by their names in the source. Each element has its last writer, whether the last steps
// changed it, and whether the next step accesses it.
#pragma once

#include "analysis/analysis.h"
#include "analysis/source/members.h"
#include "trace/cursor.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::analysis {

/// One array. Element i lies at `address` + i * bytes_of(element), i < count.
struct MemoryArea : CellNames {
    std::string name;                           ///< "sdata", "in"
    trace::Space space = trace::Space::shared;  ///< or global, local
    std::uint64_t address = 0;                  ///< offset in shared or local memory, virtual address in global memory
    std::uint64_t count = 0;                    ///< of cells
    bool output = false;                        ///< a buffer that the host reads back
    std::string host_name = {};                 ///< name of the buffer in the host code, where the kernel uses another
    std::uint32_t row = 0;                      ///< cells of a row, where the array has rows and columns
    bool row_declared = false;                  ///< by its declaration, "tile[16][17]"; false: by its accesses
    bool constant = false;                      ///< a constant variable, at an address of global memory
};

/// One element at the table's position.
struct MemoryCell {
    enum class State : std::uint8_t {
        never_written,  ///< uninitialized, which is not a zero
        initial,        ///< set by the host
        written,        ///< by a thread
    };
    State state = State::never_written;
    bool changed = false;    ///< by the steps since the previous stop
    bool in_pass = false;    ///< in the pass of the last step
    bool read_next = false;  ///< by the step that executes next
    bool written_next = false;
    std::uint64_t bits = 0;  ///< zero-extended
    ValueId value;           ///< of the last write to its first byte; invalid where not written
    StepId writer;           ///< invalid where not written
    unsigned lane = 0;       ///< of the writer
};

/// A variable of the source, or a register where the source's names are not known.
struct LaneVariable {
    std::string name;                       ///< "tid", "%r7"
    std::string type;                       ///< "unsigned int"; empty: a register
    RegisterId reg;                         ///< in Trace::registers; invalid: the variable is in no register here
    std::optional<trace::Element> element;  ///< nothing: a predicate, or an address
    unsigned bytes = 4;                     ///< 0: a predicate
    bool truth = false;                     ///< a predicate or a bool: shown as true or false
    bool written = false;
    bool changed = false, read_next = false, written_next = false;
    std::uint64_t bits = 0;
    std::string in_pass;    ///< the value that names the pass, where the variable does not have it yet: "64"
    std::string points_at;  ///< "in[5]", where the value is the address of a buffer's element
};

/// The table's position. Positions count in BlockPasses::steps.
struct MemoryMoment {
    std::size_t position = 0;
    std::size_t since = 0;  ///< changes by the steps from here to `position` are new
    WarpId warp{0};         ///< whose registers and local memory
    unsigned lane = 0;
    friend bool operator==(const MemoryMoment&, const MemoryMoment&) = default;
};

/// The moment at a position for a view that follows one warp: changes since the warp's last step are new. Without
/// `warp` and `lane`, those of the step that narrate() describes.
[[nodiscard]] MemoryMoment memory_moment(const BlockView& block, std::size_t position, std::optional<WarpId> warp = {},
                                         std::optional<unsigned> lane = {});

class MemoryTable {
  public:
    /// The table of a recorded block. Cheap: expensive parts are computed on demand.
    MemoryTable(std::shared_ptr<const Analysis> analysis, std::uint32_t launch, BlockId block);

    void seek(const MemoryMoment& moment);
    [[nodiscard]] const MemoryMoment& moment() const { return moment_; }
    [[nodiscard]] const BlockView& block() const { return block_; }
    [[nodiscard]] unsigned banks() const { return block_.trace.origin.banks; }

    /// Shared arrays by offset, local ones, then buffers in the order of the program.
    [[nodiscard]] const std::vector<MemoryArea>& areas() const { return areas_; }
    [[nodiscard]] MemoryCell cell(std::size_t area, std::uint64_t element) const;

    /// The variables of the moment's lane in its current function; empty once it has returned.
    [[nodiscard]] const std::vector<LaneVariable>& variables() const { return variables_; }
    /// Are variables() those of the source? Otherwise they are registers.
    [[nodiscard]] bool named() const { return named_; }

    /// An element of one of the areas.
    struct Place {
        std::size_t area = 0;
        std::uint64_t element = 0;
    };
    [[nodiscard]] std::optional<Place> place_of(trace::Space space, std::uint64_t address) const;
    /// The element to scroll to: the first element that the next step accesses, otherwise the last one changed.
    [[nodiscard]] std::optional<Place> focus() const;

  private:
    struct Touched {
        trace::Space space = trace::Space::shared;
        std::uint64_t address = 0;
        std::uint64_t bytes = 0;
        bool writes = false;
    };
    /// A byte of one thread's local memory.
    struct LocalByte {
        std::byte value{};
        StepId writer;
    };

    void add_shared();
    void add_local();
    void add_buffers();
    void find_rows();
    void find_touched();
    void find_local_stores();
    void fill_local();
    void read_variables();
    [[nodiscard]] std::string value_to_come(const LaneVariable& variable) const;
    void read_registers(const ptx::Function& function);
    void mark_variables();
    [[nodiscard]] StepId standing_at() const;
    [[nodiscard]] LaneVariable read(RegisterId reg, unsigned bytes) const;
    /// The last write to that byte before the position; invalid: none.
    [[nodiscard]] ValueId value_at(trace::Space space, std::uint64_t address) const;
    [[nodiscard]] bool fresh(StepId writer) const;

    std::shared_ptr<const Analysis> analysis_;
    BlockView block_;
    std::vector<MemoryArea> areas_;
    std::vector<std::uint32_t> local_stores_;  ///< positions of the steps that store to local memory

    MemoryMoment moment_;
    std::size_t time_ = 0;          ///< the position in steps of the whole trace
    std::size_t fresh_from_ = 0;    ///< position of moment_.since in the same steps
    std::size_t pass_from_ = 0;     ///< position where the last step's pass began, in the same steps
    std::vector<Touched> touched_;  ///< what the next step accesses
    std::vector<LocalByte> local_;  ///< of moment_'s thread
    std::vector<LaneVariable> variables_;
    bool named_ = false;
    std::unique_ptr<trace::Cursor> cursor_;  ///< for registers; made when first needed
};

}  // namespace lanescope::analysis
