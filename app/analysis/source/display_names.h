// The displayed names of a place in memory, a value, a set of lanes.
#pragma once

#include "analysis/dataflow/provenance.h"
#include "base/lane_mask.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <optional>
#include <string>

namespace lanescope::analysis {

/// "sdata[12]", "tile[1][3]", "v[3].y" of an array of float4, "best[3].index" of an array of structures; "shared[0x30]"
/// outside all arrays. `bytes`: of the access, for arrays of unknown type. An access wider than a component names the
/// element.
[[nodiscard]] std::string shared_name(const trace::Trace& trace, const ptx::Module& module, std::uint32_t launch,
                                      std::uint64_t address, unsigned bytes);
/// "in[5]", or "in[1].y" where the argument points to float4, by the parameter of the launch's kernel; "global[0x7000]"
/// outside all buffers.
[[nodiscard]] std::string global_name(const trace::Trace& trace, const ptx::Module& module, std::uint32_t launch,
                                      std::uint64_t address, unsigned bytes);
/// The element's name in any space.
[[nodiscard]] std::string memory_name(const trace::Trace& trace, const ptx::Module& module, std::uint32_t launch,
                                      trace::Space space, std::uint64_t address, unsigned bytes);

/// Is there a constant variable at the address? Generic loads read those at addresses of global memory.
[[nodiscard]] bool is_constant(const trace::Trace& trace, const ptx::Module& module, std::uint64_t address);

/// "3 = word 35 mod 32": the bank of an address in shared memory.
[[nodiscard]] std::string bank_name(const trace::Trace& trace, std::uint64_t address);

/// The value as a number of its own type, as far as that is known: "13", "2.5".
[[nodiscard]] std::string number_of(const trace::Trace& trace, const Provenance& provenance, ValueId value);

/// "before launch 1 (line 31)": when the host wrote a value; empty where it did not.
[[nodiscard]] std::string host_words(const Provenance& provenance, ValueId id);

/// The element that the value was loaded from, past copies and conversions that leave it unchanged: "sdata[12]".
/// Nothing for computed values.
[[nodiscard]] std::optional<std::string> origin_of(const trace::Trace& trace, const ptx::Module& module,
                                                   const Provenance& provenance, std::uint32_t launch, ValueId value);
/// The element of an input that the value is an unchanged copy of, through copies in memory, too: "in[12]".
[[nodiscard]] std::optional<std::string> copied_input(const trace::Trace& trace, const ptx::Module& module,
                                                      const Provenance& provenance, std::uint32_t launch,
                                                      ValueId value);

/// "0", "0 and 8", "0, 4 and 8", "0 to 7", "0, 2, ... 14", each number with `first` added. Nothing for more than four
/// lanes without a pattern.
[[nodiscard]] std::optional<std::string> lanes_in_words(LaneMask lanes, unsigned first = 0);

}  // namespace lanescope::analysis
