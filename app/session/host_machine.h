// The host's side of a program while its code is run: values, variables, memory. Shared by host_*.cpp only.
#pragma once

#include "session/host_code.h"

#include "compile/declarations.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// Thrown where host code goes beyond what is understood; caught by run_host_code.
struct Unreadable {
    unsigned line = 0;
    std::string what;
};

/// A number, a pointer into a memory, an extent, or something that is passed over.
struct HostValue {
    enum class Kind : std::uint8_t { unknown, whole, real, pointer, extent };
    Kind kind = Kind::unknown;
    std::int64_t whole = 0;
    double real = 0;
    std::optional<std::uint32_t> memory;    ///< pointers; nothing: null
    std::int64_t offset = 0;                ///< pointers: bytes
    std::optional<trace::Element> element;  ///< pointers: what they point to
    trace::Dim3 extent;

    static HostValue of(std::int64_t value) { return {.kind = Kind::whole, .whole = value}; }
    static HostValue of(double value) { return {.kind = Kind::real, .real = value}; }

    [[nodiscard]] bool is_number() const { return kind == Kind::whole || kind == Kind::real; }
    [[nodiscard]] double number() const { return kind == Kind::real ? real : double(whole); }
    [[nodiscard]] bool truth() const {
        return kind == Kind::pointer ? memory.has_value() : kind == Kind::real ? real != 0 : whole != 0;
    }
};

/// The type of a variable, as far as it matters.
struct HostType {
    enum class Kind : std::uint8_t { number, pointer, extent, vector, automatic, opaque };
    Kind kind = Kind::opaque;
    std::optional<trace::Element> element;  ///< of numbers; of what pointers and vectors hold
};

struct HostVariable {
    HostType type;
    HostValue value;
    std::optional<std::uint32_t> home;  ///< the memory it lives in since its address was taken
};

/// One allocation, on the host or on the device.
struct HostMemory {
    std::string name;
    bool device = false;
    bool managed = false;                 ///< of the device's: the host may look into it, too
    std::optional<std::uint32_t> buffer;  ///< of the device's: which HostRun::buffers
    std::optional<trace::Element> element;
    std::vector<std::byte> bytes;  ///< of the device's: as last known
};

/// The whole number that a conversion makes of it; the nearest there is where it does not fit.
[[nodiscard]] std::int64_t whole_of(const HostValue& value);

/// The value as a variable of the type holds it.
[[nodiscard]] HostValue converted(const HostValue& value, const HostType& type);

[[nodiscard]] HostValue load(const HostMemory& memory, std::int64_t offset, trace::Element element);
void store(HostMemory& memory, std::int64_t offset, trace::Element element, const HostValue& value);

}  // namespace lanescope::session
