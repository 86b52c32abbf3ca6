// The payload of a trace file: sections in a fixed order, each a four-letter name and its length. Everything read is
// checked: every index, enumerator, length and mask, and every size before memory is allocated for it.
#pragma once

#include "base/result.h"
#include "trace/bytes.h"
#include "trace/trace.h"

#include <memory>

namespace lanescope::trace {

/// The parts of a Trace that only its writer and the file format may access.
struct FileAccess {
    static Pool<Step>& steps(Trace& trace) { return trace.steps_; }
    static Pool<Effect>& effects(Trace& trace) { return trace.effects_; }
    static Pool<std::uint32_t>& narrow(Trace& trace) { return trace.narrow_; }
    static Pool<std::uint64_t>& wide(Trace& trace) { return trace.wide_; }
    static Pool<std::uint64_t>& addresses(Trace& trace) { return trace.addresses_; }
};

[[nodiscard]] std::vector<std::byte> encode(const Trace& trace);
[[nodiscard]] Result<std::shared_ptr<const Trace>> decode(std::span<const std::byte> payload, const std::string& file);

/// 1 and up: an index in Origin::other_sources, plus 1; 0: the main source, or not known.
[[nodiscard]] std::uint64_t number_of_source(const Origin& origin, const std::string& name);

// One function to write each part, and one to read it. Readers fail on invalid data, and return nothing then.
void write_origin(ByteWriter& out, const Trace& trace);
void write_launches(ByteWriter& out, const Trace& trace);
void write_buffers(ByteWriter& out, const Trace& trace);
[[nodiscard]] bool has_sparse_buffers(const Trace& trace);  ///< large ones, and such without contents
void write_host(ByteWriter& out, const Trace& trace);       ///< what the host wrote, and its steps
/// Whether a launch lacks a shared array that another has, so that the names must say which it has.
[[nodiscard]] bool has_arrays_by_launch(const Trace& trace);
void write_names(ByteWriter& out, const Trace& trace);  ///< shared arrays and registers
void write_counts(ByteWriter& out, const Trace& trace);
void write_findings(ByteWriter& out, const Trace& trace);
void write_texts(ByteWriter& out, const Trace& trace);          ///< printf output, notes, and what was requested
[[nodiscard]] bool has_repeated_findings(const Trace& trace);   ///< Finding::again
[[nodiscard]] bool has_schedule_or_stacks(const Trace& trace);  ///< whether a schedule or stacks were requested
void write_steps(ByteWriter& out, const Trace& trace);
void write_effects(ByteWriter& out, const Trace& trace);
void write_values(ByteWriter& out, const Trace& trace);

void read_origin(ByteReader& in, Trace& trace);
void read_launches(ByteReader& in, Trace& trace);
void read_buffers(ByteReader& in, Trace& trace);
void read_host(ByteReader& in, Trace& trace);
void read_names(ByteReader& in, Trace& trace);
void read_counts(ByteReader& in, Trace& trace);
void read_findings(ByteReader& in, Trace& trace);
void read_texts(ByteReader& in, Trace& trace);
void read_steps(ByteReader& in, Trace& trace);
void read_effects(ByteReader& in, Trace& trace);
void read_values(ByteReader& in, Trace& trace);

}  // namespace lanescope::trace
