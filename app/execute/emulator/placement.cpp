#include "execute/emulator/placement.h"

#include "base/demangle.h"
#include "base/grouped.h"
#include "base/machine_memory.h"
#include "execute/emulator/decode/frames.h"
#include "execute/emulator/variable_names.h"
#include "execute/simt/addresses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace lanescope::execute {

namespace {

constexpr std::uint64_t most_variable_bytes = std::uint64_t{1} << 30;  ///< of a module together

/// The address of a variable or function, as stored in another variable's initial bytes.
std::uint64_t value_of(const ptx::Module& module, const ptx::Relocation& relocation,
                       const VariableAddresses& addresses) {
    if (relocation.of_function) return address_of_function(relocation.index);
    const ptx::Variable& variable = module.variables[relocation.index];
    std::uint64_t address = addresses[relocation.index];
    if (!variable.in_global_memory()) {
        address = variable.offset + (relocation.generic ? window_of(variable.space) : 0);
    }
    return address + static_cast<std::uint64_t>(relocation.addend);
}

}  // namespace

Result<void> place(trace::Buffer& buffer, GlobalMemory& memory) {
    if (buffer.bytes > machine_memory()) {
        return fail(
            fmt::format("the buffer {} of {} is larger than the memory", buffer.name, counted(buffer.bytes, "byte")),
            {}, fmt::format("This machine has {} of memory.", counted(machine_memory(), "byte")));
    }
    buffer.initial.resize(buffer.bytes);
    buffer.address = memory.add_buffer(buffer.address, buffer.bytes, buffer.initial);
    return {};
}

Result<PlacedVariables> place_variables(const ptx::Module& module, GlobalMemory& memory,
                                        const std::optional<OwnedMemory>& owned, std::span<const std::uint64_t> known) {
    PlacedVariables placed;
    placed.addresses.assign(module.variables.size(), 0);
    std::uint64_t variable_bytes = 0;
    std::uint64_t next = owned ? owned->address : 0;
    std::size_t in_memory = 0;
    for (std::size_t i = 0; i < module.variables.size(); ++i) {
        const ptx::Variable& variable = module.variables[i];
        if (!variable.in_global_memory()) continue;
        if (variable.bytes > most_variable_bytes - variable_bytes) {
            return fail(
                fmt::format("the variable {} has {}", source_name(module, variable), counted(variable.bytes, "byte")),
                {.file = "PTX", .line = variable.line.value},
                "The emulator supports 1 GiB of global and constant variables.");
        }
        variable_bytes += variable.bytes;
        if (owned) {
            memory.add_owned(next, variable.bytes, owned->bytes + (next - owned->address), Region::Input::all);
            placed.addresses[i] = next;
            std::ranges::copy(variable.initial, memory.bytes_of_buffer(next));
            next = next_global_address(next + variable.bytes);
        } else {
            const std::uint64_t address = in_memory < known.size() ? known[in_memory] : 0;
            placed.addresses[i] = memory.add_buffer(address, variable.bytes, variable.initial);
            ++in_memory;
        }
    }
    for (std::size_t i = 0; i < module.variables.size(); ++i) {
        const ptx::Variable& variable = module.variables[i];
        if (placed.addresses[i] == 0) continue;
        std::byte* const bytes = memory.bytes_of_buffer(placed.addresses[i]);
        for (const ptx::Relocation& relocation : variable.relocations) {
            const std::uint64_t value = value_of(module, relocation, placed.addresses);
            if (relocation.offset + relocation.bytes > variable.bytes) continue;
            std::memcpy(bytes + relocation.offset, &value, relocation.bytes);
        }
        trace::Buffer buffer;
        buffer.name = source_name(module, variable);
        // The initializer of a structure in a function is a constant of the source, as it is if registers hold it.
        if (is_initializer(buffer.name)) {
            memory.for_each_region(placed.addresses[i], variable.bytes, [](Region& region, std::uint64_t) {
                std::fill_n(region.marks(), region.bytes(), written_mark);
            });
        }
        buffer.element = element_of(module, variable).value_or(trace::Element::u8);
        buffer.address = placed.addresses[i];
        buffer.bytes = variable.bytes;
        buffer.initial = SparseBytes(std::span<const std::byte>(bytes, variable.bytes));
        placed.buffers.push_back(std::move(buffer));
    }
    return placed;
}

}  // namespace lanescope::execute
