#include "execute/emulator/builtins.h"

#include "base/grouped.h"
#include "execute/emulator/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace lanescope::execute {

namespace {

/// The longest text that is read from the kernel's memory.
constexpr std::size_t longest_text = 4096;

/// The most text that printf keeps: more than the device's own buffer holds (DeviceLimits::printf_bytes).
constexpr std::size_t most_printed = 100'000;

}  // namespace

std::optional<Builtin> builtin_named(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, Builtin>, 4> names{{{"vprintf", Builtin::print},
                                                                         {"__assertfail", Builtin::fail_assertion},
                                                                         {"malloc", Builtin::allocate},
                                                                         {"free", Builtin::release}}};
    const auto* const found = std::ranges::find(names, name, &std::pair<std::string_view, Builtin>::first);
    return found == names.end() ? std::nullopt : std::optional(found->second);
}

std::byte* Builtins::bytes_at(const WarpStep& step, unsigned lane, std::uint64_t address, std::uint64_t bytes) {
    Block& block = step.block;
    const ptx::Space space = space_of(address);
    const std::uint64_t offset = address - window_of(space);
    const auto within = [&](std::uint64_t size) { return offset <= size && bytes <= size - offset; };
    switch (space) {
        case ptx::Space::shared: return within(block.shared.bytes()) ? block.shared.data() + offset : nullptr;
        case ptx::Space::local: {
            const std::uint64_t own = std::uint64_t{step.thread(lane)} * code_.local_bytes;
            return within(code_.local_bytes) ? block.local.data() + own + offset : nullptr;
        }
        case ptx::Space::param:
            return within(launch_.parameters.bytes()) ? launch_.parameters.data() + offset : nullptr;
        default: {
            Region* region = launch_.find(address);
            if (region == nullptr || bytes > region->base() + region->bytes() - address) return nullptr;
            return region->data() + (address - region->base());
        }
    }
}

std::optional<std::string> Builtins::text_at(const WarpStep& step, unsigned lane, std::uint64_t address) {
    std::string text;
    for (; text.size() < longest_text; ++address) {
        const std::byte* letter = bytes_at(step, lane, address, 1);
        if (letter == nullptr) return std::nullopt;
        if (*letter == std::byte{0}) break;
        text += static_cast<char>(*letter);
    }
    return text;
}

std::uint64_t Builtins::parameter(const WarpStep& step, unsigned lane, const BuiltinCall& call, unsigned number) {
    if (number >= call.function->parameters.size()) return 0;
    const ptx::Variable& declared = call.function->parameters[number];
    std::uint64_t value = 0;
    const std::byte* from = bytes_at(step, lane, local_window + call.parameters + declared.offset, declared.bytes);
    if (from != nullptr) std::memcpy(&value, from, std::min<std::size_t>(declared.bytes, sizeof value));
    return value;
}

void Builtins::set_result(const WarpStep& step, unsigned lane, const BuiltinCall& call, std::uint64_t value) {
    if (call.function->results.empty()) return;
    const ptx::Variable& declared = call.function->results.front();
    std::byte* to = bytes_at(step, lane, local_window + call.results + declared.offset, declared.bytes);
    if (to != nullptr) std::memcpy(to, &value, std::min<std::size_t>(declared.bytes, sizeof value));
}

void Builtins::execute(const WarpStep& step) {
    Block& block = step.block;
    Warp& warp = step.warp;
    const Micro& micro = step.micro;
    const LaneMask executed = step.executed;
    const BuiltinCall& call = code_.builtins[micro.access];
    const WarpStep caller{block, warp, code_.micros[warp.control.caller()],
                          executed};  // findings name the line of the call
    switch (call.builtin) {
        case Builtin::print: return print(step, call, caller.micro);
        case Builtin::fail_assertion: {
            const unsigned lane = executed.lowest();
            const auto message = text_at(step, lane, parameter(step, lane, call, 0));
            launch_.faults.assertion(caller, message.value_or("(unreadable)"));
            launch_.stopped = true;
            return;
        }
        case Builtin::allocate:
            if (launch_.loops != nullptr) launch_.loops->changed();
            for (const unsigned lane : executed) {
                const std::uint64_t wanted = parameter(step, lane, call, 0);
                const std::uint64_t address = launch_.heap.allocate(wanted, launch_.faults.caller(caller, lane));
                if (address == 0) {
                    launch_.faults.out_of_memory(caller, lane, wanted, launch_.heap.left());
                } else if (block.checked) {
                    launch_.check.uninitialized().allocated(*launch_.find(address));
                }
                set_result(step, lane, call, address);
            }
            return;
        case Builtin::release:
            if (launch_.loops != nullptr) launch_.loops->changed();
            for (const unsigned lane : executed) {
                const std::uint64_t address = parameter(step, lane, call, 0);
                if (!launch_.heap.release(address, launch_.faults.caller(caller, lane))) {
                    launch_.faults.bad_free(caller, lane, address);
                }
            }
            return;
    }
}

/// vprintf: the format's address, and that of the values, each at a multiple of its size.
void Builtins::print(const WarpStep& step, const BuiltinCall& call, const Micro& caller) {
    Block& block = step.block;
    Warp& warp = step.warp;
    const LaneMask executed = step.executed;
    trace::Trace& trace = launch_.writer.trace();
    for (const unsigned lane : executed) {
        std::uint64_t next = parameter(step, lane, call, 1);
        int values = 0;
        const FormatSource source{.value =
                                      [&](unsigned bytes) {
                                          next = (next + bytes - 1) / bytes * bytes;
                                          std::uint64_t value = 0;
                                          const std::byte* from = bytes_at(step, lane, next, bytes);
                                          if (from != nullptr) std::memcpy(&value, from, bytes);
                                          next += bytes;
                                          ++values;
                                          return value;
                                      },
                                  .text = [&](std::uint64_t address) { return text_at(step, lane, address); }};
        const auto format = text_at(step, lane, parameter(step, lane, call, 0));
        const std::string text = formatted(format.value_or("(unreadable)"), source);
        set_result(step, lane, call, static_cast<std::uint64_t>(values));
        if (trace.printed.size() >= most_printed) {
            if (!std::exchange(launch_.drops_text, true)) {
                trace.notes.push_back(
                    fmt::format("Only the first {} of printf output are kept.", counted(most_printed, "line")));
            }
            continue;
        }
        trace::Printed printed{.launch = static_cast<std::uint32_t>(trace.launches.size()) - 1,
                               .block = block.id,
                               .warp = warp.id,
                               .lane = LaneId(lane),
                               .step = std::nullopt,
                               .text = text};
        if (block.recorded && caller.instruction != nullptr) printed.step = warp.step;
        trace.printed.push_back(std::move(printed));
    }
}

}  // namespace lanescope::execute
