#include "execute/emulator/placement.h"

#include "execute/emulator/frames.h"
#include "execute/emulator/variable_names.h"

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

Result<Placement> place(const ptx::Module& module, std::vector<trace::Buffer> buffers) {
    Placement placement;
    placement.addresses.assign(module.variables.size(), 0);
    for (trace::Buffer& buffer : buffers) {
        if (buffer.bytes >= most_buffer_bytes) {
            return fail(fmt::format("the buffer {} has {} bytes", buffer.name, buffer.bytes), {},
                        "The emulator takes buffers of less than 4 GiB.");
        }
        buffer.initial.resize(buffer.bytes);
        buffer.address = placement.memory.add(buffer.bytes, buffer.initial).base();
        placement.buffers.push_back(std::move(buffer));
    }
    std::vector<std::size_t> region_of(module.variables.size());
    std::uint64_t variable_bytes = 0;
    for (std::size_t i = 0; i < module.variables.size(); ++i) {
        const ptx::Variable& variable = module.variables[i];
        if (!lies_in_global_memory(variable)) continue;
        if (variable.bytes > most_variable_bytes - variable_bytes) {
            return fail(fmt::format("the variable {} has {} bytes", source_name(module, variable), variable.bytes),
                        {.file = "PTX", .line = variable.line.value},
                        "The emulator takes 1 GiB of global and constant variables.");
        }
        variable_bytes += variable.bytes;
        region_of[i] = placement.memory.size();
        placement.addresses[i] = placement.memory.add(variable.bytes, variable.initial).base();
    }
    for (std::size_t i = 0; i < module.variables.size(); ++i) {
        const ptx::Variable& variable = module.variables[i];
        if (placement.addresses[i] == 0) continue;
        Region& region = placement.memory.region(region_of[i]);
        for (const ptx::Relocation& relocation : variable.relocations) {
            const std::uint64_t value = value_of(module, relocation, placement.addresses);
            if (relocation.offset + relocation.bytes > region.bytes()) continue;
            std::memcpy(region.data() + relocation.offset, &value, relocation.bytes);
        }
        trace::Buffer buffer;
        buffer.name = source_name(module, variable);
        buffer.element = element_of(module, variable).value_or(trace::Element::u8);
        buffer.address = region.base();
        buffer.bytes = variable.bytes;
        buffer.initial.assign(region.data(), region.data() + region.bytes());
        placement.buffers.push_back(std::move(buffer));
    }
    return placement;
}

void read_back(const GlobalMemory& memory, std::vector<trace::Buffer>& buffers) {
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const Region& region = memory.region(i);
        buffers[i].final.assign(region.data(), region.data() + region.bytes());
    }
}

}  // namespace lanescope::execute
