// What host code calls: the file's own functions, the C and C++ library as far as it matters.
#include "session/host_arithmetic.h"
#include "session/host_interpreter.h"
#include "session/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace lanescope::session {

namespace {

/// Of these nothing depends but time, text and order.
bool is_passed_over(std::string_view name) {
    constexpr std::array<std::string_view, 24> names{
        "printf", "fprintf", "puts",  "putchar",      "fflush",  "perror",   "assert",    "setw",
        "system", "usleep",  "sleep", "getchar",      "fclose",  "setbuf",   "swap",      "clock",
        "move",   "time",    "now",   "setprecision", "sprintf", "snprintf", "setlocale", "srand48"};
    constexpr std::array<std::string_view, 12> beginnings{
        "cudaEvent",       "cudaGet",       "cudaDevice", "cudaFree", "cudaStream",   "cudaThread",
        "cudaMemPrefetch", "cudaMemAdvise", "cudaSet",    "cudaFunc", "cudaProfiler", "cudaHostUnregister"};
    return std::ranges::find(names, name) != names.end() ||
           std::ranges::any_of(beginnings, [&](std::string_view begin) { return name.starts_with(begin); });
}

}  // namespace

void HostInterpreter::note(std::string text) {
    if (after_) return;
    text = fmt::format("line {}: {}", line_here(), text);
    constexpr std::size_t most = 5;
    if (run_.notes.size() < most && std::ranges::find(run_.notes, text) == run_.notes.end())
        run_.notes.push_back(std::move(text));
}

/// The one of that name that takes so many; else the first.
const HostInterpreter::Function* HostInterpreter::function_of(const Functions& functions, std::string_view name,
                                                              std::size_t arguments) const {
    const auto found = functions.find(name);
    if (found == functions.end()) return nullptr;
    const auto exact = std::ranges::find_if(
        found->second, [&](const Function& function) { return function.declaration.parameters.size() == arguments; });
    if (exact != found->second.end()) return &*exact;
    const bool constructor = name.find("::") != std::string_view::npos;
    return constructor ? nullptr : &found->second.front();
}

/// What goes wrong in a call is told with the line where its arguments begin.
HostInterpreter::Operand HostInterpreter::called(const std::string& name, Range arguments) {
    const std::size_t at = at_;
    at_ = arguments.first - 1;
    Operand result = called_there(name, arguments);
    at_ = at;
    return result;
}

HostInterpreter::Operand HostInterpreter::called_there(const std::string& name, Range arguments) {
    const std::vector<Range> parts = arguments.empty() ? std::vector<Range>{} : by_commas(arguments);
    if (idle_ > 0) return {};
    const std::vector<Range> explicitly = std::exchange(explicitly_, {});
    if (const HostVariable* const variable = find(name); variable != nullptr) {
        if (variable->value.kind == HostValue::Kind::source) {
            if (const auto given = source_call(variable->value, parts)) return {.value = *given};
        }
        if (variable->value.kind == HostValue::Kind::lambda) {
            const HostValue lambda = variable->value;
            std::vector<Operand> values;
            values.reserve(parts.size());
            for (const Range& part : parts) values.push_back(operand_of(part));
            return {.value = lambda_call(lambda, values)};
        }
    }
    const Function* own = function_of(functions_, name, parts.size());
    std::optional<Place> self;
    if (own == nullptr && self_) {
        own = function_of(methods_, self_->structure->type + "::" + name, parts.size());
        self = self_;
    }
    if (own != nullptr) {
        std::vector<Operand> values;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const auto& parameters = own->declaration.parameters;
            const bool refers = i < parameters.size() && parameters[i].type.ends_with('&');
            values.push_back(refers ? operand_of(parts[i]) : Operand{.value = evaluate(parts[i])});
        }
        explicitly_ = explicitly;
        return {.value = function_call(*own, values, self)};
    }
    if (auto value = known_call(name, parts)) return {.value = *value};
    if (auto value = freeing_call(name, parts)) return {.value = *value};
    if (auto value = device_call(name, parts)) return {.value = *value};
    const bool ends = name == "begin" || name == "end" || name == "data" || name == "size";
    if (ends && parts.size() == 1) return {.value = vector_call({.value = evaluate(parts[0])}, name, {})};
    if (auto value = algorithm_call(name, parts)) return {.value = *value};
    if (name == "exit" || name == "abort" || name == "_Exit") throw Exited{};
    if (after_ && name.find("print") != std::string::npos)
        for (const Range& part : parts) evaluate(part);  // a result that is printed is reached for
    if (is_passed_over(name)) return {.value = HostValue::of(std::int64_t{0})};
    // A macro or function of one return: its body with the values for its parameters. Or a check around a call,
    // CHECK(cudaMalloc(...)): what it is given is done, and its value is nobody's business.
    const auto function = constants_.functions.find(name);
    const bool has_body = function != constants_.functions.end() && function->second.parameters.size() == parts.size();
    compile::Constants known;
    if (has_body) known = constants_;
    bool reaches_memory = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const HostValue value = evaluate(parts[i]);
        const bool reaches = value.kind == HostValue::Kind::pointer && value.memory;
        reaches_memory = reaches_memory || reaches;
        // A pointer whose address it was given may point anywhere now.
        if (reaches && value.cell.pointers > 0 && !has_body) memories_[*value.memory].unknown = true;
        if (!has_body) continue;
        if (!value.is_number()) known.numbers.erase(function->second.parameters[i]);
        if (value.is_number())
            known.numbers.insert_or_assign(
                function->second.parameters[i],
                compile::Number{
                    .floating = value.kind == HostValue::Kind::real, .whole = value.whole, .real = value.real});
    }
    if (!has_body) {
        if (reaches_memory) note(fmt::format("what {} does is not known: it is taken to change nothing", name));
        return {};
    }
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
        if (!size.is_number() || size.number() < 0 || size.number() > double(std::int64_t{1} << 30))
            refuse(fmt::format("the size that {} is given is not known", name));
        return std::int64_t(size.number());
    };
    if ((name == "memcpy" || name == "memmove") && count >= 3) {
        copy(name, value(0), value(1), bytes(2));
        return HostValue::of(std::int64_t{0});
    }
    if (name == "memset" && count >= 3) {
        fill(name, value(0), int(whole_of(value(1))), bytes(2));
        return HostValue::of(std::int64_t{0});
    }
    if (name == "move" && count == 1) return value(0);
    if (name == "strlen" && count == 1) {
        HostValue text = value(0);
        if (text.kind != HostValue::Kind::pointer || text.cell.bytes() != 1) return std::nullopt;
        std::int64_t length = 0;
        for (; holds(name, Side::reads, text, 1) && read(text, 1).front() != std::byte{0}; ++text.offset) {
            spend();
            ++length;
        }
        return HostValue::of(length, trace::Element::u64);
    }
    if ((name == "malloc" || name == "calloc") && count >= 1) {
        const std::int64_t size = name == "malloc" ? bytes(0) : bytes(0) * bytes(1);
        const std::uint32_t memory = make_memory("malloc", size, false, {});
        memories_[memory].allocated = true;
        return HostValue::to(memory, 0, {});
    }
    if ((name == "rand" || name == "random") && count == 0) return HostValue::of(random_.next());
    if (name == "drand48" && count == 0) return HostValue::of(double(random_.next()) / (double(HostRandom::most) + 1));
    if ((name == "srand" || name == "srandom") && count == 1) {
        const HostValue seed = value(0);
        random_ = HostRandom(seed.is_number() ? std::uint32_t(whole_of(seed)) : 1);
        return HostValue{};
    }
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
        HostValue extent;
        extent.kind = HostValue::Kind::extent;
        std::array<std::uint32_t*, 3> axes{&extent.extent.x, &extent.extent.y, &extent.extent.z};
        for (std::size_t i = 0; i < std::min<std::size_t>(count, 3); ++i) {
            const HostValue size = value(i);
            if (!size.is_number()) refuse("an extent is not known");
            *axes[i] = static_cast<std::uint32_t>(whole_of(size));
        }
        return extent;
    }
    if (auto result = mathematical_call(name, arguments)) return result;
    if (const auto type = count == 1 ? type_of_name(name) : std::nullopt; type && type->kind == HostType::Kind::number)
        return converted(value(0), *type);
    return std::nullopt;
}

/// <cmath>: of floats the overloads for floats, of whole numbers those for doubles.
std::optional<HostValue> HostInterpreter::mathematical_call(const std::string& name,
                                                            const std::vector<Range>& arguments) {
    struct Mathematical {
        double (*of_doubles)(double);
        float (*of_floats)(float);
    };
    static const std::map<std::string_view, Mathematical> functions{
        {"ceil", {std::ceil, std::ceil}}, {"floor", {std::floor, std::floor}}, {"sqrt", {std::sqrt, std::sqrt}},
        {"log2", {std::log2, std::log2}}, {"log10", {std::log10, std::log10}}, {"log", {std::log, std::log}},
        {"exp", {std::exp, std::exp}},    {"exp2", {std::exp2, std::exp2}},    {"sin", {std::sin, std::sin}},
        {"cos", {std::cos, std::cos}},    {"tan", {std::tan, std::tan}},       {"atan", {std::atan, std::atan}},
        {"asin", {std::asin, std::asin}}, {"acos", {std::acos, std::acos}},    {"tanh", {std::tanh, std::tanh}},
        {"fabs", {std::fabs, std::fabs}}, {"round", {std::round, std::round}}, {"trunc", {std::trunc, std::trunc}},
        {"rint", {std::rint, std::rint}}, {"cbrt", {std::cbrt, std::cbrt}},    {"sinh", {std::sinh, std::sinh}},
        {"cosh", {std::cosh, std::cosh}}, {"erf", {std::erf, std::erf}}};
    using trace::Element;
    const std::size_t count = arguments.size();
    const std::string_view whole_name = name;
    const bool single = name.size() > 1 && name.ends_with('f') && name != "erf";
    const std::string_view base = single ? whole_name.substr(0, name.size() - 1) : whole_name;
    if (const auto function = functions.find(base); function != functions.end() && count == 1) {
        const HostValue x = evaluate(arguments[0]);
        if (!x.is_number()) return HostValue{};
        if (!single && x.type != Element::f32) return HostValue::of(function->second.of_doubles(x.number()));
        return HostValue::of(double(function->second.of_floats(float(x.number()))), Element::f32);
    }
    if (count == 2 && (base == "pow" || base == "fmod" || base == "hypot" || base == "atan2")) {
        const HostValue x = evaluate(arguments[0]), y = evaluate(arguments[1]);
        if (!x.is_number() || !y.is_number()) return HostValue{};
        const auto of = [&](auto a, auto b) {
            return double(base == "pow"     ? std::pow(a, b)
                          : base == "fmod"  ? std::fmod(a, b)
                          : base == "hypot" ? std::hypot(a, b)
                                            : std::atan2(a, b));
        };
        const bool floats = single || (x.type == Element::f32 && y.type == Element::f32);
        return floats ? HostValue::of(of(float(x.number()), float(y.number())), Element::f32)
                      : HostValue::of(of(x.number(), y.number()));
    }
    if (count == 2 && (base == "max" || base == "min" || base == "fmax" || base == "fmin")) {
        const HostValue a = evaluate(arguments[0]), b = evaluate(arguments[1]);
        if (!a.is_number() || !b.is_number()) return HostValue{};
        Element type = common_type(a.type, b.type);
        if (base.starts_with('f') && !is_float(type)) type = Element::f64;
        const bool less = apply("<", a, b).truth();
        return in_type(less == base.ends_with("min") ? a : b, single ? Element::f32 : type);
    }
    if ((name == "abs" || name == "labs" || name == "llabs") && count == 1) {
        const HostValue x = evaluate(arguments[0]);
        if (x.kind == HostValue::Kind::real) return HostValue::of(std::fabs(x.real), x.type);
        return x.whole < 0 ? apply("-", HostValue::of(std::int64_t{0}), x) : x;
    }
    return std::nullopt;
}

/// <algorithm> and <numeric> as far as they fill.
std::optional<HostValue> HostInterpreter::algorithm_call(const std::string& name, const std::vector<Range>& arguments) {
    if ((name == "sort" || name == "stable_sort" || name == "reverse") && arguments.size() == 2) {
        const HostValue first = evaluate(arguments[0]), last = evaluate(arguments[1]);
        const std::int64_t unit = first.cell.bytes();
        if (!first.memory || first.memory != last.memory || !first.cell.is_number()) return std::nullopt;
        if (!holds(name, Side::writes, first, last.offset - first.offset)) return HostValue{};
        if (memories_[*first.memory].device) return std::nullopt;
        std::vector<HostValue> values;
        for (std::int64_t at = first.offset; at + unit <= last.offset; at += unit) {
            spend();
            values.push_back(load(*first.memory, at, first.cell));
        }
        if (memories_[*first.memory].unknown) return HostValue{};
        if (name == "reverse") {
            std::ranges::reverse(values);
        } else {
            std::ranges::stable_sort(
                values, [](const HostValue& a, const HostValue& b) { return arithmetic("<", a, b)->value.truth(); });
        }
        for (std::size_t i = 0; i < values.size(); ++i)
            store(*first.memory, first.offset + std::int64_t(i) * unit, first.cell, values[i]);
        return HostValue{};
    }
    const bool fills = name == "fill" || name == "iota" || name == "fill_n" || name == "generate";
    if (!fills || arguments.size() != 3) return std::nullopt;
    const HostValue first = evaluate(arguments[0]);
    const std::int64_t unit = first.cell.bytes();
    if (first.kind != HostValue::Kind::pointer || !first.memory || unit == 0) return std::nullopt;
    const HostValue last = evaluate(arguments[1]);
    const std::int64_t end = name == "fill_n" ? first.offset + whole_of(last) * unit : last.offset;
    if (!holds(name, Side::writes, first, end - first.offset)) return HostValue{};
    const bool random = name == "generate" && is(arguments[2].first, "rand");
    HostValue value = random ? HostValue() : evaluate(arguments[2]);
    const bool lambda = name == "generate" && value.kind == HostValue::Kind::lambda;
    if (name == "generate" && !random && !lambda) refuse("what this generator gives is not known");
    for (std::int64_t at = first.offset; at + unit <= end; at += unit) {
        spend();
        assign({.memory = first.memory, .offset = at, .cell = first.cell}, random   ? HostValue::of(random_.next())
                                                                           : lambda ? lambda_call(value, {})
                                                                                    : value);
        if (name == "iota") value = apply("+", value, HostValue::of(std::int64_t{1}));
    }
    return HostValue{};
}

}  // namespace lanescope::session
