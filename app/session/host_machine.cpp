#include "session/host_machine.h"

#include "session/host_arithmetic.h"
#include "session/input.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace lanescope::session {

std::int64_t HostCell::bytes() const {
    std::int64_t count = 1;
    for (const std::int64_t extent : extents) count *= extent;
    if (pointers > 0) return count * 8;
    if (structure != nullptr) return count * std::int64_t(structure->bytes);
    return element ? count * trace::bytes_of(*element) : 0;
}

HostCell HostCell::item() const {
    HostCell cell = *this;
    if (!cell.extents.empty())
        cell.extents.erase(cell.extents.begin());
    else if (cell.pointers > 0)
        --cell.pointers;
    return cell;
}

HostCell HostCell::pointer() const {
    HostCell cell = *this;
    cell.extents.clear();
    ++cell.pointers;
    return cell;
}

std::span<const std::pair<std::string_view, int>> device_facts() {
    static constexpr std::array<std::pair<std::string_view, int>, 16> facts{{{"multiProcessorCount", 132},
                                                                             {"maxThreadsPerBlock", 1024},
                                                                             {"maxThreadsPerMultiProcessor", 2048},
                                                                             {"maxBlocksPerMultiProcessor", 32},
                                                                             {"warpSize", 32},
                                                                             {"sharedMemPerBlock", 49152},
                                                                             {"sharedMemPerMultiprocessor", 233472},
                                                                             {"sharedMemPerBlockOptin", 232448},
                                                                             {"regsPerBlock", 65536},
                                                                             {"totalConstMem", 65536},
                                                                             {"major", 9},
                                                                             {"minor", 0},
                                                                             {"concurrentKernels", 1},
                                                                             {"managedMemory", 1},
                                                                             {"cooperativeLaunch", 1},
                                                                             {"canMapHostMemory", 1}}};
    return facts;
}

std::optional<int> device_fact(std::string_view name) {
    const auto found = std::ranges::find(device_facts(), name, &std::pair<std::string_view, int>::first);
    return found == device_facts().end() ? std::nullopt : std::optional(found->second);
}

HostCell cell_of(const Structure::Field& field) {
    HostCell cell(field.structure ? std::nullopt : field.element);
    cell.structure = field.structure.get();
    cell.pointers = field.pointers;
    cell.extents = field.extents;
    cell.boolean = field.type == "bool";
    return cell;
}

std::int64_t whole_of(const HostValue& value) {
    if (value.kind != HostValue::Kind::real) return value.whole;
    constexpr double most = 9.2e18;
    return std::isnan(value.real) ? 0 : std::int64_t(std::clamp(value.real, -most, most));
}

HostValue converted(const HostValue& value, const HostType& type) {
    if (type.kind == HostType::Kind::number && type.cell.boolean && value.kind != HostValue::Kind::unknown)
        return HostValue::of(std::int64_t{value.truth()}, trace::Element::u8);
    if (type.kind == HostType::Kind::number && value.is_number() && type.cell.element)
        return in_type(value, *type.cell.element);
    HostValue result = value;
    if (type.kind == HostType::Kind::pointer && value.kind == HostValue::Kind::whole && value.whole == 0)
        result = HostValue::to({}, 0, {});
    // A pointer to void keeps what it is known to point to.
    const bool typed = type.cell.element || type.cell.structure != nullptr;
    if (type.kind == HostType::Kind::pointer && result.kind == HostValue::Kind::pointer && typed)
        result.cell = type.cell;
    if (type.kind == HostType::Kind::extent && value.is_number()) {
        result = {};
        result.kind = HostValue::Kind::extent;
        result.extent.x = static_cast<std::uint32_t>(whole_of(value));
    }
    return result;
}

HostValue load_number(const std::byte* at, trace::Element element) {
    const unsigned size = trace::bytes_of(element);
    std::uint64_t bits = 0;
    std::memcpy(&bits, at, size);
    if (is_float(element)) return HostValue::of(decode(element, bits), element);
    const unsigned shift = 64 - size * 8;
    const bool is_signed = element == trace::Element::s8 || element == trace::Element::s16 ||
                           element == trace::Element::s32 || element == trace::Element::s64;
    return HostValue::of(is_signed ? std::int64_t(bits << shift) >> shift : std::int64_t(bits), element);
}

void store_number(std::byte* at, trace::Element element, const HostValue& value) {
    const std::uint64_t bits =
        is_float(element) ? encode_float(element, value.number()) : encode_whole(element, whole_of(value));
    std::memcpy(at, &bits, trace::bytes_of(element));
}

}  // namespace lanescope::session
