#include "session/host_machine.h"

#include "session/input.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace lanescope::session {

std::int64_t whole_of(const HostValue& value) {
    if (value.kind != HostValue::Kind::real) return value.whole;
    constexpr double most = 9.2e18;
    return std::isnan(value.real) ? 0 : std::int64_t(std::clamp(value.real, -most, most));
}

HostValue converted(const HostValue& value, const HostType& type) {
    HostValue result = value;
    if (type.kind == HostType::Kind::pointer && value.kind == HostValue::Kind::whole && value.whole == 0)
        result = {.kind = HostValue::Kind::pointer};
    if (type.kind == HostType::Kind::pointer && result.kind == HostValue::Kind::pointer && type.element)
        result.element = type.element;
    if (type.kind == HostType::Kind::extent && value.is_number()) {
        result = {.kind = HostValue::Kind::extent};
        result.extent.x = static_cast<std::uint32_t>(whole_of(value));
    }
    if (type.kind != HostType::Kind::number || !value.is_number() || !type.element) return result;
    const trace::Element element = *type.element;
    if (is_float(element)) {
        const double wanted = value.number();
        return HostValue::of(element == trace::Element::f32 ? double(static_cast<float>(wanted)) : wanted);
    }
    const std::uint64_t bits = encode_whole(element, whole_of(value));
    HostMemory cell{.bytes = std::vector<std::byte>(8)};
    std::memcpy(cell.bytes.data(), &bits, sizeof bits);
    return load(cell, 0, element);
}

HostValue load(const HostMemory& memory, std::int64_t offset, trace::Element element) {
    const unsigned size = trace::bytes_of(element);
    std::uint64_t bits = 0;
    std::memcpy(&bits, memory.bytes.data() + offset, size);
    if (is_float(element)) return HostValue::of(decode(element, bits));
    const unsigned shift = 64 - size * 8;
    const bool is_signed = element == trace::Element::s8 || element == trace::Element::s16 ||
                           element == trace::Element::s32 || element == trace::Element::s64;
    return HostValue::of(is_signed ? std::int64_t(bits << shift) >> shift : std::int64_t(bits));
}

void store(HostMemory& memory, std::int64_t offset, trace::Element element, const HostValue& value) {
    const std::uint64_t bits =
        is_float(element) ? encode_float(element, value.number()) : encode_whole(element, whole_of(value));
    std::memcpy(memory.bytes.data() + offset, &bits, trace::bytes_of(element));
}

}  // namespace lanescope::session
