#include "execute/emulator/placement.h"

#include "execute/emulator/frames.h"
#include "execute/emulator/variable_names.h"
#include "execute/simt/addresses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace lanescope::execute {

namespace {

constexpr std::uint64_t most_buffer_bytes = std::uint64_t{1} << 32;
constexpr std::uint64_t most_variable_bytes = std::uint64_t{1} << 30;  ///< of a module together

bool lies_in_global_memory(const ptx::Variable& variable) {
    return variable.space == ptx::Space::global || variable.space == ptx::Space::constant;
}

/// The address of a variable or function, as stored in another variable's initial bytes.
std::uint64_t value_of(const ptx::Module& module, const ptx::Relocation& relocation,
                       const VariableAddresses& addresses) {
    if (relocation.of_function) return address_of_function(relocation.index);
    const ptx::Variable& variable = module.variables[relocation.index];
    std::uint64_t address = addresses[relocation.index];
    if (!lies_in_global_memory(variable)) {
        address = variable.offset + (relocation.generic ? window_of(variable.space) : 0);
    }
    return address + static_cast<std::uint64_t>(relocation.addend);
}

}  // namespace

Result<void> place(trace::Buffer& buffer, GlobalMemory& memory) {
    if (buffer.bytes >= most_buffer_bytes) {
        return fail(fmt::format("the buffer {} has {} bytes", buffer.name, buffer.bytes), {},
                    "The emulator takes buffers of less than 4 GiB.");
    }
    buffer.initial.resize(buffer.bytes);
    if (buffer.address != 0)
        memory.add_at(buffer.address, buffer.bytes, buffer.initial);
    else
        buffer.address = memory.add(buffer.bytes, buffer.initial).base();
    return {};
}

Result<PlacedVariables> place_variables(const ptx::Module& module, GlobalMemory& memory,
                                        const std::optional<OwnedMemory>& owned) {
    PlacedVariables placed;
    placed.addresses.assign(module.variables.size(), 0);
    std::vector<Region*> regions(module.variables.size());
    std::uint64_t variable_bytes = 0;
    std::uint64_t next = owned ? owned->address : 0;
    for (std::size_t i = 0; i < module.variables.size(); ++i) {
        const ptx::Variable& variable = module.variables[i];
        if (!lies_in_global_memory(variable)) continue;
        if (variable.bytes > most_variable_bytes - variable_bytes) {
            return fail(fmt::format("the variable {} has {} bytes", source_name(module, variable), variable.bytes),
                        {.file = "PTX", .line = variable.line.value},
                        "The emulator takes 1 GiB of global and constant variables.");
        }
        variable_bytes += variable.bytes;
        if (owned) {
            regions[i] = &memory.add_at(next, variable.bytes, owned->bytes + (next - owned->address));
            std::ranges::copy(variable.initial, regions[i]->data());
            std::fill_n(regions[i]->marks(), variable.bytes, std::uint8_t{input_mark | written_mark});
            next = next_global_address(next + variable.bytes);
        } else {
            regions[i] = &memory.add(variable.bytes, variable.initial);
        }
        placed.addresses[i] = regions[i]->base();
    }
    for (std::size_t i = 0; i < module.variables.size(); ++i) {
        const ptx::Variable& variable = module.variables[i];
        if (placed.addresses[i] == 0) continue;
        Region& region = *regions[i];
        for (const ptx::Relocation& relocation : variable.relocations) {
            const std::uint64_t value = value_of(module, relocation, placed.addresses);
            if (relocation.offset + relocation.bytes > region.bytes()) continue;
            std::memcpy(region.data() + relocation.offset, &value, relocation.bytes);
        }
        trace::Buffer buffer;
        buffer.name = source_name(module, variable);
        buffer.element = element_of(module, variable).value_or(trace::Element::u8);
        buffer.address = region.base();
        buffer.bytes = variable.bytes;
        buffer.initial.assign(region.data(), region.data() + region.bytes());
        placed.buffers.push_back(std::move(buffer));
    }
    return placed;
}

}  // namespace lanescope::execute
