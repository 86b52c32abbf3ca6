// What the host does wrong: found where it happens, told, and then left out, so that the rest can still be followed.
#include "session/host_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::session {

namespace {

using Kind = trace::Finding::Kind;

constexpr std::uint64_t most_work_after = 500'000;  // statements behind the last launch: part of a second

bool assigns(std::string_view text) {
    constexpr std::array<std::string_view, 13> words{
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};
    return std::ranges::find(words, text) != words.end();
}

}  // namespace

void HostInterpreter::fault(Kind kind, std::string message, std::string variable) {
    constexpr std::size_t most = 50;
    const unsigned line = line_here();
    const auto known = std::ranges::find_if(run_.faults, [&](const HostFault& other) {
        return other.kind == kind && other.line == line && other.variable == variable;
    });
    if (known != run_.faults.end()) {
        ++known->count;
    } else if (run_.faults.size() < most) {
        run_.faults.push_back({.kind = kind,
                               .line = line,
                               .launches = run_.launches.size(),
                               .message = std::move(message),
                               .variable = std::move(variable)});
    }
}

void HostInterpreter::wild(const std::string& who) {
    fault(Kind::null_access, fmt::format("{} is given a pointer that was never set: nothing was allocated for it", who),
          "");
}

bool HostInterpreter::holds(const std::string& who, Side side, const HostValue& pointer, std::int64_t bytes) {
    const char* const does = side == Side::reads ? "reads" : "writes";
    if (pointer.wild) {
        wild(who);
        return false;
    }
    if (pointer.kind != HostValue::Kind::pointer) refuse("this pointer is not known");
    if (!pointer.memory) {
        fault(Kind::null_access, fmt::format("{} {} through a null pointer", who, does), "");
        return false;
    }
    const HostMemory& memory = memories_[*pointer.memory];
    if (memory.freed_line != 0) {
        fault(Kind::use_after_free,
              fmt::format("{} {} {}, which was freed in line {}", who, does, memory.name, memory.freed_line),
              memory.name);
        return false;
    }
    const auto size = std::int64_t(memory.bytes.size());
    if (pointer.offset >= 0 && bytes >= 0 && bytes <= size - pointer.offset) return true;
    const std::string from = pointer.offset != 0 ? fmt::format(" from byte {} on", pointer.offset) : "";
    fault(Kind::out_of_bounds,
          fmt::format("{} {} {} bytes {} {}{}, which has {} bytes", who, does, bytes, side == Side::reads ? "of" : "to",
                      memory.name, from, size),
          memory.name);
    return false;
}

/// Between memories that both hold it, else what the runtime or the machine would still copy: of the device's nothing past its
/// end, of the host's what is there.
void HostInterpreter::copy(const std::string& who, const HostValue& to, const HostValue& from, std::int64_t bytes) {
    const auto is_end = [](const HostValue& value) { return value.kind == HostValue::Kind::pointer || value.wild; };
    if (!is_end(to) || !is_end(from)) refuse("a copy's end is not known");
    const bool readable = holds(who, Side::reads, from, bytes), writable = holds(who, Side::writes, to, bytes);
    if (!readable || !writable) {
        for (const HostValue& end : {to, from}) {
            if (!end.memory || memories_[*end.memory].freed_line != 0 || end.offset < 0) return;
            const std::int64_t room = std::int64_t(memories_[*end.memory].bytes.size()) - end.offset;
            if (room < bytes && memories_[*end.memory].device) return;
            bytes = std::min(bytes, room);
        }
        if (bytes <= 0) return;
    }
    const std::vector<std::byte> data = read(from, bytes);
    if (const auto& buffer = memories_[*from.memory].buffer; buffer && !memories_[*to.memory].device)
        run_.buffers[*buffer].read_back = true;
    HostMemory& target = memories_[*to.memory];
    const bool unknown = memories_[*from.memory].unknown;
    const bool all = bytes == std::int64_t(target.bytes.size());
    if (target.device) {
        write_device(target, to.offset, data);
    } else {
        std::ranges::copy(data, target.bytes.begin() + to.offset);
    }
    target.unknown = unknown || (target.unknown && !all);
}

/// cudaMemcpy, whose argument `direction` says where both ends lie: what says otherwise than the memories are is not copied.
void HostInterpreter::copy_as_told(const std::string& who, const HostValue& to, const HostValue& from,
                                   std::int64_t bytes, const std::vector<Range>& arguments, std::size_t direction) {
    const std::string told = direction < arguments.size() ? compile::spelling(*code_, arguments[direction]) : "";
    constexpr std::string_view begin = "cudaMemcpy";
    if (const std::size_t at = told.rfind(begin); at != std::string::npos) {
        const std::string_view ways = std::string_view(told).substr(at + begin.size());
        const std::size_t middle = ways.find("To");
        for (const auto& [end, word] : {std::pair(&from, ways.substr(0, std::min(middle, ways.size()))),
                                        std::pair(&to, middle < ways.size() ? ways.substr(middle + 2) : "")}) {
            if (!end->memory || (word != "Host" && word != "Device")) continue;
            const HostMemory& memory = memories_[*end->memory];
            if (memory.managed || memory.device == (word == "Device")) continue;
            return fault(
                Kind::out_of_bounds,
                fmt::format("{} is told {}{}, and {}, which it copies {}, is {} memory: it copies nothing", who, begin,
                            ways, memory.name, end == &from ? "from" : "to", memory.device ? "device" : "the host's"),
                memory.name);
        }
    }
    copy(who, to, from, bytes);
    if (!who.ends_with("Async")) synchronise();
}

/// free, delete, cudaFree, cudaFreeHost.
void HostInterpreter::release(const std::string& who, Home home, const HostValue& pointer) {
    if (pointer.wild)
        return fault(Kind::invalid_free, fmt::format("{} is given a pointer that was never set", who), "");
    if (pointer.kind != HostValue::Kind::pointer || !pointer.memory) return;
    HostMemory& memory = memories_[*pointer.memory];
    const bool of_device = home == Home::device;
    if (home != Home::managed && memory.device != of_device)
        return fault(Kind::invalid_free,
                     fmt::format("{} is given {}, which is {} memory", who, memory.name,
                                 memory.device ? "device" : "the host's"),
                     memory.name);
    if (!memory.allocated || pointer.offset != 0)
        return fault(Kind::invalid_free,
                     fmt::format("{} is given {} {}, and not the beginning of what was allocated", who,
                                 pointer.offset != 0 ? "a place in" : "the variable", memory.name),
                     memory.name);
    if (memory.freed_line != 0)
        return fault(
            Kind::double_free,
            fmt::format("{} is given {} again, which was freed in line {}", who, memory.name, memory.freed_line),
            memory.name);
    memory.freed_line = line_here();
    if (of_device) synchronise();
}

std::optional<HostValue> HostInterpreter::freeing_call(const std::string& name, const std::vector<Range>& arguments) {
    static const std::map<std::string_view, Home> known{{"free", Home::host},
                                                        {"cudaFree", Home::device},
                                                        {"cudaFreeAsync", Home::device},
                                                        {"cudaFreeHost", Home::managed}};
    const auto found = known.find(name);
    if (found == known.end() || arguments.empty()) return std::nullopt;
    release(name, found->second, evaluate(arguments[0]));
    return HostValue::of(std::int64_t{0});
}

void HostInterpreter::synchronise() {
    for (HostMemory& memory : memories_) memory.unsynchronised = false;
}

/// Behind the last launch the results need not be known: whatever comes of them is not known either, and no fault.
void HostInterpreter::read_on() {
    if (after_) return;
    after_ = true;
    most_work_ = std::min(most_work_, spent_ + most_work_after);
}

/// What a branch assigns that may or may not be taken is not known from there on.
void HostInterpreter::forget_assigned(Range range) {
    for (std::size_t i = range.first; i < range.past_last; ++i) {
        const bool member = is(i - 1, ".") || is(i - 1, "->");
        if ((*code_)[i].kind != compile::TokenKind::identifier || member) continue;
        HostVariable* const variable = find((*code_)[i].text);
        if (variable == nullptr) continue;
        std::size_t next = i + 1;
        while (next < range.past_last && (is(next, "[") || is(next, ".") || is(next, "->")))
            next = is(next, "[") ? compile::past_bracket(*code_, next, range.past_last) : next + 2;
        const bool before =
            is(i - 1, "++") || is(i - 1, "--") || (is(i - 1, "&") && (is(i - 2, "(") || is(i - 2, ",")));
        const bool shifts = is(next, ">") && is(next + 1, ">=");
        if (!before && !shifts && !(next < range.past_last && assigns((*code_)[next].text))) continue;
        const std::optional<std::uint32_t> pointed =
            variable->value.kind == HostValue::Kind::pointer ? variable->value.memory : std::nullopt;
        if (variable->home) memories_[*variable->home].unknown = true;
        if (pointed && (next > i + 1 || is(i - 1, "*"))) {
            memories_[*pointed].unknown = true;
        } else if (!variable->home) {
            variable->value = {};
        }
    }
}

}  // namespace lanescope::session
