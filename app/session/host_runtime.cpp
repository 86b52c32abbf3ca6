// What host code asks of the CUDA runtime: memory, copies, the device's properties.
#include "execute/emulator/frames.h"
#include "execute/emulator/heap.h"
#include "session/host_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::session {

namespace {

constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
constexpr std::string_view taken_for =
    "the device is taken to be an NVIDIA H200 where the program asks for its properties";
constexpr std::int64_t pitch_unit = 512;  // bytes that cudaMallocPitch rounds a row up to

/// "cudaDevAttrMultiProcessorCount" -> 132.
std::optional<int> attribute(std::string_view name) {
    constexpr std::string_view begin = "cudaDevAttr";
    if (!name.starts_with(begin)) return std::nullopt;
    std::string fact(name.substr(begin.size()));
    if (fact.empty()) return std::nullopt;
    fact[0] = char(fact[0] - 'A' + 'a');
    if (fact == "maxSharedMemoryPerBlock") fact = "sharedMemPerBlock";
    return device_fact(fact);
}

/// Why what cudaDeviceSetLimit asks for is not had here; nothing where it is. The stack and the heap of the emulator have one size.
std::optional<std::string> beyond_limit(std::string_view limit, double asked) {
    struct Limit {
        std::string_view name, of;
        std::uint64_t bytes;
    };
    static constexpr std::array limits{Limit{"cudaLimitStackSize", "a thread's stack", execute::stack_bytes},
                                       Limit{"cudaLimitMallocHeapSize", "the device's heap", execute::Heap::capacity}};
    const auto found = std::ranges::find_if(limits, [&](const Limit& each) { return limit.ends_with(each.name); });
    if (found == limits.end() || asked <= double(found->bytes)) return std::nullopt;
    return fmt::format(
        "{} stays at {} bytes, though cudaDeviceSetLimit asks for {:.0f}: an out-of-memory finding may be due to that",
        found->of, found->bytes, asked);
}

}  // namespace

std::optional<HostValue> HostInterpreter::device_call(const std::string& name, const std::vector<Range>& arguments) {
    if (!name.starts_with("cuda")) return std::nullopt;
    const std::size_t count = arguments.size();
    const HostValue success = HostValue::of(std::int64_t{0});
    const auto value = [&](std::size_t index) { return evaluate(arguments[index]); };
    const auto bytes = [&](std::size_t index) {
        const HostValue size = value(index);
        if (!size.is_number() || size.number() < 0 || size.number() > double(most_bytes))
            refuse(fmt::format("the size that {} is given is not known", name));
        return std::int64_t(size.number());
    };
    static const std::map<std::string_view, Home> allocations{{"cudaMalloc", Home::device},
                                                              {"cudaMallocAsync", Home::device},
                                                              {"cudaMallocManaged", Home::managed},
                                                              {"cudaMallocHost", Home::host},
                                                              {"cudaHostAlloc", Home::host}};
    if (const auto allocation = allocations.find(name); allocation != allocations.end() && count >= 2) {
        const bool mapped = name == "cudaHostAlloc" && count >= 3 &&
                            compile::spelling(*code_, arguments[2]).find("Mapped") != std::string::npos;
        allocate(name, mapped ? Home::managed : allocation->second, arguments[0], bytes(1));
        return success;
    }
    if ((name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel") && count >= 4) {
        launch_call(arguments);
        return success;
    }
    if (name == "cudaMallocPitch" && count == 4) {
        const std::int64_t pitch = (bytes(2) + pitch_unit - 1) / pitch_unit * pitch_unit;
        allocate(name, Home::device, arguments[0], pitch * bytes(3));
        put(value(1), HostValue::of(pitch, trace::Element::u64));
        return success;
    }
    if (name == "cudaHostGetDevicePointer" && count == 3) {
        put(value(0), value(1));
        return success;
    }
    if ((name == "cudaMemcpy" || name == "cudaMemcpyAsync") && count >= 3) {
        const HostValue to = value(0), from = value(1);
        copy_as_told(name, to, from, bytes(2), arguments, 3);
        return success;
    }
    if ((name == "cudaMemcpy2D" || name == "cudaMemcpy2DAsync") && count >= 6) {
        copy_rows(name, value(0), bytes(1), value(2), bytes(3), bytes(4), bytes(5));
        if (name == "cudaMemcpy2D") synchronise();
        return success;
    }
    if ((name == "cudaMemset" || name == "cudaMemsetAsync") && count >= 3) {
        fill(name, value(0), int(whole_of(value(1))), bytes(2));
        return success;
    }
    if (name == "cudaMemset2D" && count >= 5) {
        const HostValue to = value(0);
        const std::int64_t pitch = bytes(1), width = bytes(3), height = bytes(4);
        for (std::int64_t row = 0; row < height; ++row) {
            spend();
            HostValue target = to;
            target.offset += row * pitch;
            fill(name, target, int(whole_of(value(2))), width);
        }
        return success;
    }
    if (name.ends_with("Synchronize")) {
        synchronise();
        return success;
    }
    if (name == "cudaMemcpyToSymbol" && count >= 3) {
        copy_to_symbol(arguments);
        return success;
    }
    if (name == "cudaMemcpyFromSymbol" || name == "cudaGetSymbolAddress")
        refuse(fmt::format("{} looks into a variable of the device between launches", name));
    if (name == "cudaGetDeviceProperties" && count == 2) {
        const HostValue to = value(0);
        if (to.kind != HostValue::Kind::pointer || !to.memory || !to.cell.is_structure()) return success;
        note(std::string(taken_for));
        for (const Structure::Field& field : to.cell.structure->fields) {
            if (const auto fact = device_fact(field.name))
                store(*to.memory, to.offset + std::int64_t(field.offset), cell_of(field),
                      HostValue::of(std::int64_t{*fact}));
        }
        return success;
    }
    if (name == "cudaDeviceGetAttribute" && count == 3) {
        const auto fact = attribute(compile::spelling(*code_, arguments[1]));
        if (!fact) refuse("this attribute of the device is not known");
        note(std::string(taken_for));
        put(value(0), HostValue::of(std::int64_t{*fact}));
        return success;
    }
    if (name == "cudaDeviceSetLimit" && count == 2) {
        const HostValue asked = value(1);
        if (const auto beyond =
                beyond_limit(compile::spelling(*code_, arguments[0]), asked.is_number() ? asked.number() : 0))
            note(*beyond);
        return success;
    }
    if (name == "cudaGetDeviceCount" && count == 1) {
        put(value(0), HostValue::of(std::int64_t{1}));
        return success;
    }
    if (name == "cudaGetDevice" && count == 1) {
        put(value(0), success);
        return success;
    }
    if (name == "cudaFuncSetAttribute" && count == 3) {
        if (compile::spelling(*code_, arguments[1]).find("MaxDynamicSharedMemorySize") != std::string::npos)
            large_shared_.insert(kernel_named_in(arguments[0]));
        return success;
    }
    if (name == "cudaOccupancyMaxPotentialBlockSize" && count >= 3) {
        note("the block size that fills the device best is taken to be 1024 threads, two blocks a multiprocessor");
        put(value(0), HostValue::of(std::int64_t{264}));
        put(value(1), HostValue::of(std::int64_t{1024}));
        return success;
    }
    if (name == "cudaOccupancyMaxActiveBlocksPerMultiprocessor" && count >= 4) {
        note("as many blocks as 2048 threads allow are taken to be active on a multiprocessor");
        const std::int64_t threads = std::max<std::int64_t>(whole_of(value(2)), 1);
        put(value(0), HostValue::of(std::min<std::int64_t>(32, 2048 / threads)));
        return success;
    }
    return std::nullopt;
}

/// The kernel of `(void*)scale<float, 4>`; nothing where it is known only when the program runs.
std::string HostInterpreter::kernel_named_in(const Range& function) const {
    for (std::size_t i = function.first; i < function.past_last; ++i) {
        if (kernels_.contains((*code_)[i].text)) return std::string((*code_)[i].text);
    }
    return {};
}

void HostInterpreter::put(const HostValue& pointer, const HostValue& value) {
    if (pointer.kind != HostValue::Kind::pointer || !pointer.memory) refuse("where a result is put is not known");
    assign({.memory = pointer.memory, .offset = pointer.offset, .cell = pointer.cell}, value);
}

/// `cudaMalloc((void**)&d_a, bytes)`: the buffer is called after the last names of the first argument.
void HostInterpreter::allocate(const std::string& by, Home home, const Range& target, std::int64_t bytes) {
    const HostValue pointer = evaluate(target);
    if (pointer.kind != HostValue::Kind::pointer || !pointer.memory || pointer.cell.pointers == 0)
        refuse(fmt::format("{} is given something else than the address of a pointer", by));
    std::size_t first = target.past_last - 1;
    while (first > target.first + 1 && (is(first - 1, ".") || is(first - 1, "->"))) first -= 2;
    std::string spelled;
    for (std::size_t i = first; i < target.past_last; ++i) spelled += is(i, "->") ? "." : (*code_)[i].text;
    // What a function was handed, or a structure's own member, is called as its caller calls it.
    const bool named = (*code_)[first].kind == compile::TokenKind::identifier && is(first - 1, "&");
    const std::string& owner = memories_[*pointer.memory].name;
    if (!named) {
        spelled = owner;
    } else if (const std::size_t dot = spelled.find('.'); dot != std::string::npos) {
        spelled = owner + spelled.substr(dot);
    } else if (self_ && find(spelled) == nullptr) {
        spelled = fmt::format("{}.{}", owner, spelled);
    }
    std::string name = spelled;
    std::size_t same = 1;
    while (std::ranges::find(run_.buffers, name, &HostBuffer::name) != run_.buffers.end())
        name = fmt::format("{} {}", spelled, ++same);
    const HostCell cell = pointer.cell.item();
    const auto memory = make_memory(name, bytes, home != Home::host, cell);
    memories_[memory].managed = home == Home::managed;
    memories_[memory].allocated = true;
    put(pointer, HostValue::to(memory, 0, cell));
}

/// `cudaMemcpyToSymbol(coefficients, h_c, sizeof(h_c))`. Before the first launch only: a module's variables begin with it.
void HostInterpreter::copy_to_symbol(const std::vector<Range>& arguments) {
    const std::string symbol((*code_)[arguments[0].past_last - 1].text);
    if (!run_.launches.empty()) refuse(fmt::format("{} is set again after a launch", symbol));
    const HostValue bytes = evaluate(arguments[2]);
    const std::int64_t offset = arguments.size() > 3 ? evaluate(arguments[3]).whole : 0;
    if (!bytes.is_number() || offset < 0 || offset > most_bytes) refuse("a size is not known");
    const HostValue from = evaluate(arguments[1]);
    if (!holds("cudaMemcpyToSymbol", Side::reads, from, whole_of(bytes))) return;
    const std::vector<std::byte> data = read(from, whole_of(bytes));
    std::vector<std::byte>& known = run_.symbols[symbol];
    known.resize(std::max(known.size(), std::size_t(offset) + data.size()));
    std::ranges::copy(data, known.begin() + offset);
}

}  // namespace lanescope::session
