// <random> in host code: the engines and distributions of the library that this is built with, so that a program finds the
// numbers that it finds on Linux.
#include "session/host_arithmetic.h"
#include "session/host_interpreter.h"
#include "session/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

namespace lanescope::session {

namespace {

using trace::Element;

/// A number that no two runs of a real program have in common.
constexpr std::uint32_t device_seed = 20'260'401;

template <typename T>
constexpr Element element_for() {
    if constexpr (std::is_same_v<T, float>) return Element::f32;
    if constexpr (std::is_same_v<T, double>) return Element::f64;
    if constexpr (std::is_unsigned_v<T>) return sizeof(T) == 8 ? Element::u64 : Element::u32;
    return sizeof(T) == 8 ? Element::s64 : Element::s32;
}

template <typename T>
HostValue number(T value) {
    if constexpr (std::is_floating_point_v<T>) return HostValue::of(double(value), element_for<T>());
    return HostValue::of(std::int64_t(value), element_for<T>());
}

struct Limits {
    HostValue low, high;
    std::size_t given = 0;

    template <typename T>
    T least(T otherwise) const {
        return given > 0 ? as<T>(low) : otherwise;
    }
    template <typename T>
    T most(T otherwise) const {
        return given > 1 ? as<T>(high) : otherwise;
    }
    template <typename T>
    static T as(const HostValue& value) {
        if constexpr (std::is_floating_point_v<T>) return T(value.number());
        return T(whole_of(value));
    }
};

template <typename T>
std::uniform_int_distribution<T> whole_numbers(const Limits& limits) {
    const T low = limits.least<T>(0), high = limits.most<T>(std::numeric_limits<T>::max());
    return std::uniform_int_distribution<T>(std::min(low, high), std::max(low, high));
}

template <typename T>
std::uniform_real_distribution<T> real_numbers(const Limits& limits) {
    const T low = limits.least<T>(0), high = limits.most<T>(1);
    return std::uniform_real_distribution<T>(std::min(low, high), std::max(low, high));
}

template <typename T>
std::normal_distribution<T> normal_numbers(const Limits& limits) {
    const T deviation = limits.most<T>(1);
    return std::normal_distribution<T>(limits.least<T>(0), deviation > 0 ? deviation : T(1));
}

std::optional<HostSource> engine_of(std::string_view name, const std::optional<HostValue>& seed) {
    const auto made = [&]<typename Engine>(Engine engine) -> HostSource {
        if (seed) engine.seed(static_cast<typename Engine::result_type>(whole_of(*seed)));
        return engine;
    };
    if (name == "mt19937") return made(std::mt19937());
    if (name == "mt19937_64") return made(std::mt19937_64());
    if (name == "minstd_rand") return made(std::minstd_rand());
    if (name == "minstd_rand0" || name == "default_random_engine") return made(std::minstd_rand0());
    if (name == "random_device") return HostSource(std::mt19937(device_seed));
    return std::nullopt;
}

std::optional<HostSource> distribution_of(std::string_view name, std::optional<Element> type, const Limits& limits) {
    const bool single = type == Element::f32;
    if (name == "uniform_int_distribution") {
        if (type == Element::u32) return whole_numbers<unsigned>(limits);
        if (type == Element::s64) return whole_numbers<long>(limits);
        if (type == Element::u64) return whole_numbers<unsigned long>(limits);
        return whole_numbers<int>(limits);
    }
    if (name == "uniform_real_distribution")
        return single ? HostSource(real_numbers<float>(limits)) : HostSource(real_numbers<double>(limits));
    if (name == "normal_distribution")
        return single ? HostSource(normal_numbers<float>(limits)) : HostSource(normal_numbers<double>(limits));
    return std::nullopt;
}

}  // namespace

/// `std::mt19937 gen(42);`, `std::uniform_real_distribution<float> dist(0, 1);`: false where it is another declaration.
bool HostInterpreter::declare_source(std::size_t at, std::size_t end) {
    while (is(at, "static") || is(at, "const") || is(at, "thread_local")) ++at;
    if (is(at, "std") && is(at + 1, "::")) at += 2;
    const std::string_view name = (*code_)[at].text;
    std::size_t i = at + 1;
    std::optional<Element> type;
    if (is(i, "<")) {
        std::size_t inner = i + 1;
        i = compile::past_angle(*code_, i, end);
        if (const auto own = type_at(inner, i - 1)) type = own->cell.element;
    }
    const bool known = engine_of(name, {}).has_value() || distribution_of(name, {}, {}).has_value();
    if (!known || i >= end || (*code_)[i].kind != compile::TokenKind::identifier) return false;
    for (const Range& part : by_commas({i, end})) {
        if (part.empty()) continue;
        std::vector<HostValue> values;
        if (is(part.first + 1, "(") || is(part.first + 1, "{")) {
            for (const Range& value : by_commas({part.first + 2, part.past_last - 1})) {
                const bool device = std::any_of(code_->begin() + std::ptrdiff_t(value.first),
                                                code_->begin() + std::ptrdiff_t(value.past_last),
                                                [](const compile::Token& t) { return t.is("random_device"); });
                if (device) {
                    values.push_back(HostValue::of(std::int64_t{device_seed}));
                } else if (!value.empty()) {
                    values.push_back(evaluate(value));
                    if (!values.back().is_number()) values.back() = HostValue::of(std::int64_t{device_seed});
                }
            }
        }
        Limits limits;
        limits.given = values.size();
        if (!values.empty()) limits.low = values[0];
        if (values.size() > 1) limits.high = values[1];
        auto source = engine_of(name, values.empty() ? std::nullopt : std::optional(values[0]));
        if (!source) source = distribution_of(name, type, limits);
        HostVariable variable;
        variable.value.kind = HostValue::Kind::source;
        variable.value.offset = std::int64_t(sources_.size());
        sources_.push_back(*std::move(source));
        scopes_.back().insert_or_assign(std::string((*code_)[part.first].text), std::move(variable));
    }
    return true;
}

/// `gen()`, `dist(gen)`; nothing where it is neither.
std::optional<HostValue> HostInterpreter::source_call(const HostValue& called, const std::vector<Range>& arguments) {
    HostSource& source = sources_[std::size_t(called.offset)];
    HostSource* engine = arguments.empty() ? &source : nullptr;
    if (arguments.size() == 1) {
        const HostValue given = evaluate(arguments[0]);
        if (given.kind == HostValue::Kind::source) engine = &sources_[std::size_t(given.offset)];
    }
    if (engine == nullptr) return std::nullopt;
    return std::visit(
        [&](auto& from) -> std::optional<HostValue> {
            if constexpr (requires { from.seed(); }) {
                if (engine == &source) return number(from());
                return std::visit(
                    [&](auto& distribution) -> std::optional<HostValue> {
                        if constexpr (requires { distribution.seed(); })
                            return std::nullopt;
                        else
                            return number(distribution(from));
                    },
                    source);
            } else {
                return std::nullopt;
            }
        },
        *engine);
}

}  // namespace lanescope::session
