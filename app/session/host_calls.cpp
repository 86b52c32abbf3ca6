// What host code calls: the file's own functions, the C and C++ library as far as it matters, the CUDA runtime.
#include "session/host_interpreter.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace lanescope::session {

namespace {

constexpr std::int64_t most_host_bytes = std::int64_t{1} << 30;
constexpr unsigned most_calls = 60;

}  // namespace

HostInterpreter::Operand HostInterpreter::called(const std::string& name, Range arguments) {
    const std::vector<Range> parts =
        arguments.empty() ? std::vector<Range>{} : compile::split_commas(*code_, arguments, false);
    if (idle_ > 0) return {};
    if (const auto function = functions_.find(name); function != functions_.end()) {
        std::vector<HostValue> values;
        for (const Range& part : parts) values.push_back(evaluate(part));
        return {.value = function_call(function->second, values)};
    }
    if (auto value = known_call(name, parts)) return {.value = *value};
    if (name.starts_with("cudaEvent") || name.starts_with("cudaGet") || name.starts_with("cudaDevice") ||
        name.starts_with("cudaFree") || name.starts_with("cudaStream") || name == "printf" || name == "fprintf" ||
        name == "free" || name == "srand" || name == "exit" || name == "assert" || name == "time")
        return {};
    // A macro or function of one return: its body with the values for its parameters. Or a check around a call,
    // CHECK(cudaMalloc(...)): what it is given is done, and its value is nobody's business.
    const auto function = constants_.functions.find(name);
    const bool has_body = function != constants_.functions.end() && function->second.parameters.size() == parts.size();
    compile::Constants known;
    if (has_body) known = constants_;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const HostValue value = evaluate(parts[i]);
        if (!has_body) continue;
        if (!value.is_number()) known.numbers.erase(function->second.parameters[i]);
        if (value.is_number())
            known.numbers.insert_or_assign(
                function->second.parameters[i],
                compile::Number{
                    .floating = value.kind == HostValue::Kind::real, .whole = value.whole, .real = value.real});
    }
    if (!has_body) return {};
    const Code& body = function->second.body;
    const auto value = compile::evaluate_constant(body, {0, body.size()}, known);
    if (value) return {.value = value->floating ? HostValue::of(value->real) : HostValue::of(value->whole)};
    return {};
}

std::optional<HostValue> HostInterpreter::known_call(const std::string& name, const std::vector<Range>& arguments) {
    const std::size_t count = arguments.size();
    const auto value = [&](std::size_t index) { return evaluate(arguments[index]); };
    const auto bytes = [&](std::size_t index) {
        const HostValue size = value(index);
        if (!size.is_number() || size.number() < 0 || size.number() > double(most_host_bytes))
            refuse(fmt::format("the size that {} is given is not known", name));
        return std::int64_t(size.number());
    };
    static const std::map<std::string_view, Home> allocations{{"cudaMalloc", Home::device},
                                                              {"cudaMallocManaged", Home::managed},
                                                              {"cudaMallocHost", Home::host},
                                                              {"cudaHostAlloc", Home::host}};
    if (const auto allocation = allocations.find(name); allocation != allocations.end() && count >= 2) {
        allocate(name, allocation->second, arguments);
        return HostValue::of(std::int64_t{0});
    }
    if ((name == "cudaMemcpy" || name == "cudaMemcpyAsync" || name == "memcpy") && count >= 3) {
        copy(value(0), value(1), bytes(2));
        return HostValue::of(std::int64_t{0});
    }
    if ((name == "cudaMemset" || name == "memset") && count >= 3) {
        fill(value(0), int(value(1).whole), bytes(2));
        return HostValue::of(std::int64_t{0});
    }
    if (name == "cudaMemcpyToSymbol" && count >= 3) {
        copy_to_symbol(arguments);
        return HostValue::of(std::int64_t{0});
    }
    if ((name == "malloc" || name == "calloc") && count >= 1) {
        const std::int64_t size = name == "malloc" ? bytes(0) : bytes(0) * bytes(1);
        return HostValue{.kind = HostValue::Kind::pointer, .memory = make_memory("malloc", size, false, {})};
    }
    if (name == "rand" && count == 0) return HostValue::of(std::int64_t(random_() - 1));
    if (name == "swap" && count == 2) {
        const std::size_t at = at_, end = end_;
        std::array<Operand, 2> both;
        for (std::size_t i = 0; i < 2; ++i) {
            at_ = arguments[i].first;
            end_ = arguments[i].past_last;
            both[i] = conditional();
        }
        at_ = at;
        end_ = end;
        assign(both[0], both[1].value);
        assign(both[1], both[0].value);
        return HostValue{};
    }
    if (name == "dim3" || name == "make_uint3") {
        HostValue extent{.kind = HostValue::Kind::extent};
        std::array<std::uint32_t*, 3> axes{&extent.extent.x, &extent.extent.y, &extent.extent.z};
        for (std::size_t i = 0; i < std::min<std::size_t>(count, 3); ++i) {
            const HostValue size = value(i);
            if (!size.is_number()) refuse("an extent is not known");
            *axes[i] = static_cast<std::uint32_t>(whole_of(size));
        }
        return extent;
    }
    if ((name == "max" || name == "min" || name == "fmax" || name == "fmin") && count == 2) {
        const HostValue a = value(0), b = value(1);
        if (!a.is_number() || !b.is_number()) return HostValue{};
        return (a.number() < b.number()) == name.ends_with("min") ? a : b;
    }
    if (name == "pow" && count == 2) return HostValue::of(std::pow(value(0).number(), value(1).number()));
    using Mathematical = double (*)(double);
    static const std::map<std::string_view, Mathematical> functions{
        {"ceil", std::ceil},  {"ceilf", std::ceil}, {"floor", std::floor}, {"floorf", std::floor}, {"sqrt", std::sqrt},
        {"sqrtf", std::sqrt}, {"log2", std::log2},  {"log2f", std::log2},  {"log", std::log},      {"exp", std::exp},
        {"expf", std::exp},   {"sin", std::sin},    {"sinf", std::sin},    {"cos", std::cos},      {"cosf", std::cos},
        {"fabs", std::fabs},  {"fabsf", std::fabs}, {"round", std::round}};
    if (const auto function = functions.find(name); function != functions.end() && count == 1) {
        const HostValue x = value(0);
        return x.is_number() ? HostValue::of(function->second(x.number())) : HostValue{};
    }
    if (name == "abs" && count == 1) {
        const HostValue x = value(0);
        if (x.kind == HostValue::Kind::real) return HostValue::of(std::fabs(x.real));
        return x.whole < 0 ? apply("-", HostValue::of(std::int64_t{0}), x) : x;
    }
    for (const char* type : {"int", "float", "double", "unsigned", "size_t", "long"}) {
        if (name == type && count == 1) {
            const bool real = name == "float" || name == "double";
            return converted(value(0), {HostType::Kind::number, real            ? trace::Element::f64
                                                                : name == "int" ? trace::Element::s32
                                                                                : trace::Element::s64});
        }
    }
    return std::nullopt;
}

HostValue HostInterpreter::function_call(const Function& function, const std::vector<HostValue>& arguments) {
    if (++calls_ > most_calls) refuse("the host's calls are nested too deep");
    std::vector<Scope> outer;
    outer.swap(scopes_);
    scopes_.push_back(std::move(outer.front()));
    Scope& scope = scopes_.emplace_back();
    const auto& parameters = function.declaration.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        HostVariable variable;
        const std::string spelled = parameters[i].pointer ? parameters[i].element : parameters[i].type;
        const Code type_code = compile::code_of(compile::tokenize(spelled), compile::Branch::first);
        const Code* outside = code_;
        code_ = &type_code;
        std::size_t at = 0;
        if (const auto type = type_at(at, type_code.size())) variable.type = *type;
        code_ = outside;
        if (parameters[i].pointer) variable.type.kind = HostType::Kind::pointer;
        if (i < arguments.size()) variable.value = converted(arguments[i], variable.type);
        scope.insert_or_assign(parameters[i].name, std::move(variable));
    }
    const std::size_t at = at_, end = end_;
    const Flow flow = flow_;
    flow_ = Flow::on;
    returned_ = {};
    statements(function.body);
    flow_ = flow;
    at_ = at;
    end_ = end;
    outer.front() = std::move(scopes_.front());
    scopes_.swap(outer);
    --calls_;
    return returned_;
}

// --- Memory --------------------------------------------------------------------------------------------------------

std::uint32_t HostInterpreter::make_memory(std::string name, std::int64_t bytes, bool device,
                                           std::optional<trace::Element> element) {
    std::int64_t all = std::min(bytes, most_host_bytes);
    for (const HostMemory& memory : memories_) all += std::int64_t(memory.bytes.size());
    if (bytes < 0 || bytes > most_host_bytes || all > most_host_bytes)
        refuse(fmt::format("{} would have {} bytes", name, bytes));
    HostMemory& memory = memories_.emplace_back();
    memory.name = std::move(name);
    memory.device = device;
    memory.element = element;
    memory.bytes.resize(std::size_t(bytes));
    if (device) {
        memory.buffer = static_cast<std::uint32_t>(run_.buffers.size());
        run_.buffers.push_back({.name = memory.name, .element = element, .initial = memory.bytes});
    }
    return static_cast<std::uint32_t>(memories_.size() - 1);
}

/// `cudaMalloc((void**)&d_a, bytes)`: the variable is the last name of the first argument.
void HostInterpreter::allocate(const std::string& by, Home home, const std::vector<Range>& arguments) {
    const compile::Token& last = (*code_)[arguments[0].past_last - 1];
    HostVariable* variable = last.kind == compile::TokenKind::identifier ? find(last.text) : nullptr;
    if (variable == nullptr || variable->type.kind != HostType::Kind::pointer)
        refuse(fmt::format("{} is given something else than the address of a pointer", by));
    const HostValue bytes = evaluate(arguments[1]);
    if (!bytes.is_number()) refuse(fmt::format("the size that {} is given is not known", by));
    std::string name(last.text);
    std::size_t same = 1;
    while (std::ranges::find(run_.buffers, name, &HostBuffer::name) != run_.buffers.end())
        name = fmt::format("{} {}", last.text, ++same);
    const auto memory = make_memory(name, whole_of(bytes), home != Home::host, variable->type.element);
    memories_[memory].managed = home == Home::managed;
    variable->value = {.kind = HostValue::Kind::pointer, .memory = memory, .element = variable->type.element};
}

HostMemory& HostInterpreter::checked(const HostValue& pointer, std::int64_t bytes) {
    if (pointer.kind != HostValue::Kind::pointer || !pointer.memory) refuse("this pointer is not known");
    HostMemory& memory = memories_[*pointer.memory];
    if (pointer.offset < 0 || bytes < 0 || bytes > std::int64_t(memory.bytes.size()) - pointer.offset)
        refuse(
            fmt::format("host code reaches past the end of {}, which has {} bytes", memory.name, memory.bytes.size()));
    return memory;
}

void HostInterpreter::refresh() {
    if (!stale_) return;
    Result<std::vector<std::vector<std::byte>>> contents = contents_(run_);
    if (!contents) refuse(contents.error().what);
    for (HostMemory& memory : memories_) {
        if (memory.buffer && *memory.buffer < contents->size()) memory.bytes = (*contents)[*memory.buffer];
    }
    for (const execute::HostWrite& write : writes_) {  // younger than the launches
        for (HostMemory& memory : memories_) {
            if (memory.buffer == write.buffer)
                std::ranges::copy(write.bytes, memory.bytes.begin() + std::ptrdiff_t(write.offset));
        }
    }
    stale_ = false;
}

std::vector<std::byte> HostInterpreter::read(const HostValue& from, std::int64_t bytes) {
    HostMemory& memory = checked(from, bytes);
    if (memory.device) refresh();
    const auto begin = memory.bytes.begin() + from.offset;
    return {begin, begin + bytes};
}

void HostInterpreter::write_device(HostMemory& memory, std::int64_t offset, const std::vector<std::byte>& bytes) {
    std::ranges::copy(bytes, memory.bytes.begin() + offset);
    if (run_.launches.empty()) {
        std::ranges::copy(bytes, run_.buffers[*memory.buffer].initial.begin() + offset);
        return;
    }
    // A loop over managed memory writes element by element: one write.
    const bool goes_on = !writes_.empty() && writes_.back().buffer == *memory.buffer &&
                         writes_.back().offset + writes_.back().bytes.size() == std::uint64_t(offset) &&
                         writes_.back().source_line == line_here();
    if (goes_on) {
        writes_.back().bytes.insert(writes_.back().bytes.end(), bytes.begin(), bytes.end());
    } else {
        writes_.push_back(
            {.buffer = *memory.buffer, .offset = std::uint64_t(offset), .bytes = bytes, .source_line = line_here()});
    }
}

void HostInterpreter::copy(const HostValue& to, const HostValue& from, std::int64_t bytes) {
    if (to.kind != HostValue::Kind::pointer || from.kind != HostValue::Kind::pointer)
        refuse("a copy's end is not known");
    const std::vector<std::byte> data = read(from, bytes);
    HostMemory& target = checked(to, bytes);
    if (target.device) {
        write_device(target, to.offset, data);
    } else {
        std::ranges::copy(data, target.bytes.begin() + to.offset);
    }
}

void HostInterpreter::fill(const HostValue& to, int byte, std::int64_t bytes) {
    HostMemory& target = checked(to, bytes);
    const std::vector<std::byte> data(static_cast<std::size_t>(bytes), static_cast<std::byte>(byte));
    if (target.device) {
        write_device(target, to.offset, data);
    } else {
        std::ranges::copy(data, target.bytes.begin() + to.offset);
    }
}

/// `cudaMemcpyToSymbol(coefficients, h_c, sizeof(h_c))`. Before the first launch only: a module's variables begin with it.
void HostInterpreter::copy_to_symbol(const std::vector<Range>& arguments) {
    const std::string symbol((*code_)[arguments[0].past_last - 1].text);
    if (!run_.launches.empty()) refuse(fmt::format("{} is set again after a launch", symbol));
    const HostValue bytes = evaluate(arguments[2]);
    const std::int64_t offset = arguments.size() > 3 ? evaluate(arguments[3]).whole : 0;
    if (!bytes.is_number() || offset < 0 || offset > most_host_bytes) refuse("a size is not known");
    const std::vector<std::byte> data = read(evaluate(arguments[1]), whole_of(bytes));
    std::vector<std::byte>& known = run_.symbols[symbol];
    known.resize(std::max(known.size(), std::size_t(offset) + data.size()));
    std::ranges::copy(data, known.begin() + offset);
}

}  // namespace lanescope::session
