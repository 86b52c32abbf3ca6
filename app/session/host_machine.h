// The host's side of a program while its code is run: values, variables, memory. Shared by host_*.cpp only.
#pragma once

#include "session/host_code.h"

#include "compile/declarations.h"
#include "session/catalog.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::session {

/// Thrown where host code goes beyond what is understood; caught by run_host_code.
struct Unreadable {
    unsigned line = 0;
    std::string what;
    bool too_much = false;  ///< all of it is understood, but it goes on and on
};

/// Thrown where it calls exit.
struct Exited {};

/// What lies at a place in memory: a number, a structure, a pointer to such, or an array of any of these.
struct HostCell {
    std::optional<trace::Element> element;
    const Structure* structure = nullptr;
    unsigned pointers = 0;              ///< levels; 1 is a pointer to the number or structure
    std::vector<std::int64_t> extents;  ///< of an array, outermost first
    bool boolean = false;               ///< the number is a bool: 0 or 1

    HostCell() = default;
    HostCell(std::optional<trace::Element> number) : element(number) {}
    HostCell(trace::Element number) : element(number) {}

    [[nodiscard]] bool known() const { return element || structure != nullptr || pointers > 0; }
    [[nodiscard]] bool is_number() const { return element && pointers == 0 && extents.empty(); }
    [[nodiscard]] bool is_structure() const { return structure != nullptr && pointers == 0 && extents.empty(); }
    [[nodiscard]] std::int64_t bytes() const;  ///< 0: not known
    [[nodiscard]] HostCell item() const;       ///< of an array; of a pointer, what it points to
    [[nodiscard]] HostCell pointer() const;    ///< a pointer to this
};

/// What the runtime says of the device, by name: the numbers of an H200.
[[nodiscard]] std::span<const std::pair<std::string_view, int>> device_facts();
[[nodiscard]] std::optional<int> device_fact(std::string_view name);

/// The cell of a structure's field.
[[nodiscard]] HostCell cell_of(const Structure::Field& field);

/// A number, a pointer into a memory, a structure there, an extent, or something that is passed over.
struct HostValue {
    /// source: of random numbers, lambda: a function; by their index, which is the offset
    enum class Kind : std::uint8_t { unknown, whole, real, pointer, extent, structure, source, lambda };
    Kind kind = Kind::unknown;
    trace::Element type = trace::Element::s32;  ///< of numbers: floating ones' real, others' whole, u64 by its bits
    std::int64_t whole = 0;
    double real = 0;
    std::optional<std::uint32_t> memory;  ///< pointers, structures; nothing: null
    std::int64_t offset = 0;              ///< pointers, structures: bytes
    HostCell cell;                        ///< pointers: what they point to; structures: what they are
    trace::Dim3 extent;
    bool wild = false;  ///< unknown: a pointer that was never given anything

    /// An int where it fits, else a long.
    static HostValue of(std::int64_t value) {
        return of(value, value == std::int64_t(std::int32_t(value)) ? trace::Element::s32 : trace::Element::s64);
    }
    static HostValue of(std::int64_t value, trace::Element type) {
        HostValue result;
        result.kind = Kind::whole;
        result.type = type;
        result.whole = value;
        return result;
    }
    static HostValue of(double value, trace::Element type = trace::Element::f64) {
        HostValue result;
        result.kind = Kind::real;
        result.type = type;
        result.real = value;
        return result;
    }
    static HostValue to(std::optional<std::uint32_t> memory, std::int64_t offset, HostCell cell) {
        HostValue result;
        result.kind = Kind::pointer;
        result.memory = memory;
        result.offset = offset;
        result.cell = std::move(cell);
        return result;
    }

    [[nodiscard]] bool is_number() const { return kind == Kind::whole || kind == Kind::real; }
    [[nodiscard]] double number() const {
        return kind == Kind::real ? real : type == trace::Element::u64 ? double(std::uint64_t(whole)) : double(whole);
    }
    [[nodiscard]] bool truth() const {
        return kind == Kind::pointer ? memory.has_value() : kind == Kind::real ? real != 0 : whole != 0;
    }
};

/// The type of a variable, as far as it matters.
struct HostType {
    enum class Kind : std::uint8_t { number, pointer, extent, vector, automatic, opaque, structure };
    Kind kind = Kind::opaque;
    HostCell cell;  ///< of numbers and structures; of what pointers and vectors hold

    [[nodiscard]] HostCell own() const { return kind == Kind::pointer ? cell.pointer() : cell; }
    void point() {  ///< one star more
        if (kind == Kind::pointer) cell = cell.pointer();
        kind = Kind::pointer;
    }
};

struct HostVariable {
    HostType type;
    HostValue value;
    std::optional<std::uint32_t> home;  ///< the memory it lives in: structures, and what the address was taken of
    std::int64_t home_offset = 0;
};

/// One allocation, on the host or on the device.
struct HostMemory {
    std::string name;
    bool device = false;
    bool managed = false;                 ///< of the device's: the host may look into it, too
    std::optional<std::uint32_t> buffer;  ///< of the device's: which HostRun::buffers
    unsigned freed_line = 0;              ///< where it was freed; 0: it was not
    bool allocated = false;               ///< by a call, so that it can be freed
    bool unknown = false;                 ///< it holds what a launch left, and that was not looked at
    bool unsynchronised = false;          ///< managed: a launch that may write it has not been waited for
    std::uint64_t base = 0;               ///< address of the first byte; of the device's the one that kernels see
    std::vector<std::byte> bytes;         ///< of the device's: as last known
};

/// The whole number that a conversion makes of it; the nearest there is where it does not fit.
[[nodiscard]] std::int64_t whole_of(const HostValue& value);

/// The value as a variable of the type holds it.
[[nodiscard]] HostValue converted(const HostValue& value, const HostType& type);

[[nodiscard]] HostValue load_number(const std::byte* at, trace::Element element);
void store_number(std::byte* at, trace::Element element, const HostValue& value);

}  // namespace lanescope::session
