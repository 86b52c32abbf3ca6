#include "execute/emulator/wording.h"

#include "base/grouped.h"
#include "base/number_type.h"
#include "base/text.h"
#include "execute/emulator/variable_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanescope::execute {

namespace {

/// The type of an array's elements, or of a scalar.
struct Shape {
    std::uint64_t element_bytes = 1;
    std::vector<std::uint64_t> inner;       ///< extents of all dimensions but the first
    bool scalar = false;                    ///< it is not an array
    std::optional<trace::Members> members;  ///< of an element that is a structure or a vector
};

/// "[1][3]" for element 35 of [..][32].
std::string subscript(std::uint64_t index, const Shape& shape) {
    std::string text;
    for (auto extent = shape.inner.rbegin(); extent != shape.inner.rend(); ++extent) {
        text = fmt::format("[{}]{}", index % *extent, text);
        index /= *extent;
    }
    return fmt::format("[{}]{}", index, text);
}

/// ".y" if the access is inside one member of an element.
std::string member_of(const Shape& shape, std::int64_t distance, unsigned width) {
    const auto size = static_cast<std::int64_t>(shape.element_bytes);
    if (!shape.members || distance < 0) return {};
    const trace::Member* const member = shape.members->at(static_cast<std::uint64_t>(distance % size), width);
    return member != nullptr ? "." + member->name : std::string();
}

/// "in[16], 1 element past the end of in (16 elements)"; `distance` counts bytes from the array's start, `width` the
/// bytes accessed: several elements are "in[16] to in[19]".
std::string element_of(const std::string& name, std::int64_t distance, unsigned width, std::uint64_t bytes,
                       const Shape& shape) {
    const auto size = static_cast<std::int64_t>(shape.element_bytes);
    const auto index_at = [&](std::int64_t at) { return at >= 0 ? at / size : -((-at + size - 1) / size); };
    const std::int64_t index = index_at(distance);
    const std::int64_t last = index_at(distance + width - 1);
    const auto count = static_cast<std::int64_t>(bytes / shape.element_bytes);
    const std::string total = counted(static_cast<std::uint64_t>(count), "element");
    if (index < 0) {
        const std::string to = last > index ? fmt::format(" to {}[{}]", name, last) : "";
        return fmt::format("{}[{}]{}, {} before the beginning of {} ({})", name, index, to,
                           counted(static_cast<std::uint64_t>(-index), "element"), name, total);
    }
    std::string element = name + subscript(static_cast<std::uint64_t>(index), shape);
    if (last > index) element += fmt::format(" to {}{}", name, subscript(static_cast<std::uint64_t>(last), shape));
    const std::string member = member_of(shape, distance, width);
    if (last < count) return (shape.scalar ? name : element) + member;
    element += member;
    return fmt::format("{}, {} past the end of {} ({})", element,
                       counted(static_cast<std::uint64_t>(last - count + 1), "element"), name, total);
}

void set_members(Shape& shape, std::optional<trace::Members> members) {
    if (members && members->bytes == shape.element_bytes) shape.members = std::move(members);
}

/// The type that the source declares for a variable of that name and size; otherwise elements of the given type.
Shape shape_of(const ptx::Module& module, ptx::Space space, std::string_view name, std::uint64_t bytes,
               trace::Element element) {
    Shape shape{.element_bytes = trace::bytes_of(element), .inner = {}};
    for (const ptx::SourceArray& array : module.arrays) {
        const ptx::Space there = array.space == ptx::Space::constant ? ptx::Space::global : array.space;
        if (array.name != name || there != space || array.element_bytes == 0) continue;
        std::uint64_t declared = array.element_bytes;
        for (const std::uint64_t extent : array.extents) declared *= extent;
        const bool dynamic = declared == 0 && space == ptx::Space::shared;
        if (declared != bytes && !dynamic) continue;
        shape.element_bytes = array.element_bytes;
        shape.scalar = array.extents.empty();
        set_members(shape, trace::members_of(module, array.element_type));
        for (std::size_t i = 1; i < array.extents.size() && array.extents[i] > 0; ++i) {
            shape.inner.push_back(array.extents[i]);
        }
        break;
    }
    return shape;
}

PlaceName place_in(const ptx::Module& module, ptx::Space space, const trace::SharedArray& array, std::int64_t address,
                   unsigned width) {
    const bool whole = address == static_cast<std::int64_t>(array.offset) && width == array.bytes;
    if (whole && !array.element) return {array.name, array.name};  // a barrier object, a structure
    const Shape shape = shape_of(module, space, array.name, array.bytes, array.element.value_or(trace::Element::u32));
    const std::int64_t distance = address - static_cast<std::int64_t>(array.offset);
    return {element_of(array.name, distance, width, array.bytes, shape),
            array.name + member_of(shape, distance, width)};
}

template <class Range>
const Range* range_at(const std::vector<Range>& ranges, std::uint64_t address) {
    const auto found = std::ranges::find_if(
        ranges, [&](const Range& range) { return address - range.begin < range.end - range.begin; });
    return found == ranges.end() ? nullptr : &*found;
}

/// The array that contains the address, or else the last one that begins before it.
const trace::SharedArray* nearest_in(const std::vector<trace::SharedArray>& arrays, std::int64_t address) {
    const trace::SharedArray* nearest = nullptr;
    for (const trace::SharedArray& array : arrays) {
        if (nearest == nullptr || static_cast<std::int64_t>(array.offset) <= address) nearest = &array;
    }
    return nearest;
}

}  // namespace

std::string runs_of(const std::vector<unsigned>& numbers) {
    std::vector<std::string> runs;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
        runs.push_back(first == last ? fmt::format("{}", numbers[first])
                                     : fmt::format("{} to {}", numbers[first], numbers[last]));
        first = last + 1;
    }
    constexpr std::size_t shown = 8;
    if (runs.size() > shown) {
        runs.resize(shown);
        runs.emplace_back("...");
    }
    return fmt::format("{}", fmt::join(runs, ", "));
}

std::string byte_range(std::int64_t first, unsigned bytes) {
    return bytes == 1 ? fmt::format("byte {}", first) : fmt::format("bytes {} to {}", first, first + bytes - 1);
}

void Wording::begin_launch(const Code& code, const trace::Launch& launch, const std::vector<trace::SharedArray>& arrays,
                           const OutOfReach& out_of_reach) {
    out_of_reach_ = out_of_reach;
    code_ = &code;
    launch_ = launch;
    arrays_ = arrays;
}

std::string Wording::block(BlockId block) const {
    const trace::Dim3& grid = launch_.grid;
    if (grid.y == 1 && grid.z == 1) return fmt::format("block {}", block.value);
    return fmt::format("block ({}, {}, {})", block.value % grid.x, block.value / grid.x % grid.y,
                       block.value / grid.x / grid.y);
}

std::string Wording::coordinates(unsigned thread) const {
    const trace::Dim3& size = launch_.block;
    if (size.y == 1 && size.z == 1) return fmt::format("{}", thread);
    return fmt::format("({}, {}, {})", thread % size.x, thread / size.x % size.y, thread / size.x / size.y);
}

std::string Wording::thread(BlockId block_id, unsigned thread) const {
    return fmt::format("{}, thread {}", block(block_id), coordinates(thread));
}

std::string Wording::threads(WarpId warp, LaneMask lanes) const {
    std::vector<unsigned> numbers;
    for (const unsigned lane : lanes) numbers.push_back(warp.value * warp_size + lane);
    if (numbers.size() == 1) return fmt::format("thread {}", coordinates(numbers.front()));
    const bool several = launch_.block.y > 1 || launch_.block.z > 1;
    return fmt::format("threads {}{}", runs_of(numbers), several ? " (counted along x, then y)" : "");
}

std::string Wording::line(Pc pc) const {
    const Micro& micro = code_->micros[pc];
    const std::uint32_t source = code_->source_line(micro);
    return source != 0 ? fmt::format("line {}", source) : fmt::format("PTX line {}", micro.line.value);
}

/// Pieces of the heap have no names; the malloc and free calls describe them.
PlaceName Wording::heap_place(const Heap::Piece& piece, std::uint64_t address) {
    const std::uint64_t byte = address - piece.address;
    std::string text = address < piece.address ? fmt::format("{} before the beginning", counted(-byte, "byte"))
                       : byte < piece.bytes    ? fmt::format("byte {}", byte)
                                            : fmt::format("{} past the end", counted(byte - piece.bytes + 1, "byte"));
    text += fmt::format(" of the {} that {} allocated by malloc in {}", counted(piece.bytes, "byte"),
                        piece.allocated.thread, piece.allocated.line);
    if (piece.freed) text += fmt::format(" and that {} freed in {}", piece.freed->thread, piece.freed->line);
    return {text, "malloc"};
}

/// The name of the kernel's parameter that points to the buffer.
std::optional<trace::Members> Wording::members_of(std::size_t buffer) const {
    for (const trace::Argument& argument : launch_.arguments) {
        if (argument.buffer != buffer || !is_pointer_type(argument.type)) continue;
        if (auto members = trace::members_of(*code_->module, argument.type)) return members;
    }
    return std::nullopt;
}

/// The type that the kernel's own parameter points to: other launches may access the buffer as another type.
std::optional<trace::Element> Wording::element_of_parameter(std::size_t buffer) const {
    for (const trace::Argument& argument : launch_.arguments) {
        if (argument.buffer != buffer) continue;
        if (const auto element = trace::element_pointed_to(*code_->module, argument.type)) return element;
    }
    return std::nullopt;
}

std::string Wording::unallocated(std::uint64_t address) const {
    const std::string text = fmt::format("address {}", address_text(address));
    if (const FreedRange* const freed = range_at(out_of_reach_.freed, address))
        return fmt::format("{}{}, which the host freed before the launch", text,
                           freed->name.empty() ? "" : fmt::format(" in {}", freed->name));
    if (const HostRange* const range = range_at(out_of_reach_.host, address)) {
        const std::string there = *range->what == 0 ? "host memory" : fmt::format("host memory ({})", range->what);
        // The parameter that the address was computed from points into the same memory, mostly below it.
        for (const trace::Argument& argument : launch_.arguments) {
            std::uint64_t value = 0;
            if (argument.buffer || argument.value.size() != sizeof value) continue;
            std::memcpy(&value, argument.value.data(), sizeof value);
            if (value >= range->begin && value < range->end)
                return fmt::format("{} in {}: {} is a host pointer", text, there, argument.name);
        }
        return fmt::format("{} in {}", text, there);
    }
    if (address < past_null) return text + ": a null pointer";
    // Farther arrays are not worth naming.
    constexpr std::uint64_t far = past_mapped;
    const trace::Buffer* before = nullptr;
    for (const trace::Buffer& buffer : buffers_)
        if (buffer.bytes > 0 && buffer.address <= address && address - buffer.address < far &&
            (before == nullptr || buffer.address > before->address))
            before = &buffer;
    if (before == nullptr) return text + ", outside all allocations";
    return fmt::format("{}, outside all allocations: {} past the end of {} ({})", text,
                       counted(address - before->address - before->bytes + 1, "byte"),
                       name_in(launch_, buffers_, static_cast<std::size_t>(before - buffers_.data())),
                       counted(before->bytes, "byte"));
}

PlaceName Wording::global_place(std::uint64_t address, unsigned bytes) const {
    const auto holds = [&](const trace::Buffer& buffer) { return address - buffer.address < buffer.bytes; };
    const auto inside = std::ranges::find_if(buffers_, holds);
    if (const Heap::Piece* piece = heap_.piece_at(address)) return heap_place(*piece, address);
    const auto near = [&] {
        if (inside != buffers_.end()) return inside;
        const Region* const region = memory_.nearest(address);
        if (region == nullptr) return buffers_.end();
        return std::ranges::find_if(buffers_, [&](const trace::Buffer& buffer) {
            return region->base() == buffer.address || region->base() - buffer.address < buffer.bytes;
        });
    }();
    if (near == buffers_.end()) {
        const Region* const region = memory_.nearest(address);
        const Heap::Piece* const piece = region == nullptr ? nullptr : heap_.piece_from(region->base());
        if (piece != nullptr) return heap_place(*piece, address);
        return {unallocated(address), {}};
    }
    const trace::Buffer& buffer = *near;
    const auto index = static_cast<std::size_t>(near - buffers_.begin());
    const std::string& name = name_in(launch_, buffers_, index);
    Shape shape = shape_of(*code_->module, ptx::Space::global, buffer.name, buffer.bytes,
                           element_of_parameter(index).value_or(buffer.element));
    if (std::optional<trace::Members> members = members_of(index); members && members->bytes > 0 && !shape.members) {
        shape.element_bytes = members->bytes;
        shape.members = std::move(members);
    }
    const auto distance = static_cast<std::int64_t>(address - buffer.address);
    return {element_of(name, distance, bytes, buffer.bytes, shape) +
                (is_freed(address) ? ", which the host freed before the launch" : ""),
            name + member_of(shape, distance, bytes)};
}

bool Wording::is_freed(std::uint64_t address) const {
    if (range_at(out_of_reach_.freed, address) != nullptr) return true;
    return std::ranges::any_of(buffers_, [&](const trace::Buffer& buffer) {
        if (address - buffer.address >= buffer.bytes) return false;
        const Region* const region = memory_.from(buffer.address);
        return region != nullptr && region->bytes() == 0;
    });
}

PlaceName Wording::shared_place(std::uint64_t address, unsigned bytes, const ptx::Variable* array) const {
    // A negative index wraps: an address far past the end is before the beginning.
    const auto place = static_cast<std::int64_t>(static_cast<std::int32_t>(address));
    const trace::SharedArray* nearest = nearest_in(arrays_, place);
    if (nearest == nullptr) {
        return {fmt::format("shared memory at byte {}, of {}", place, counted(launch_.shared_bytes(), "byte")), {}};
    }
    PlaceName there = place_in(*code_->module, ptx::Space::shared, *nearest, place, bytes);
    if (nearest->bytes == 0 && launch_.dynamic_shared_bytes == 0)
        there.text += ": the launch gives no dynamic shared memory (third argument of <<<>>>)";
    if (array == nullptr) return there;
    const std::string name = source_name(*code_->module, *array);
    const auto meant = std::ranges::find(arrays_, name, &trace::SharedArray::name);
    if (meant == arrays_.end() || &*meant == nearest) return there;
    PlaceName named = place_in(*code_->module, ptx::Space::shared, *meant, place, bytes);
    named.text += fmt::format(": it is {}", there.text);
    return named;
}

PlaceName Wording::local_place(std::uint64_t address, unsigned bytes, const trace::SharedArray* meant) const {
    const auto place = static_cast<std::int64_t>(address);
    std::optional<PlaceName> there;
    for (const trace::SharedArray& array : code_->local_arrays) {
        if (address - array.offset >= array.bytes) continue;
        there = place_in(*code_->module, ptx::Space::local, array, place, bytes);
        // A scalar is not an array of one.
        if (array.element && array.bytes == trace::bytes_of(*array.element)) there->text = array.name;
        if (meant == nullptr || meant == &array) return *there;
        break;
    }
    if (meant != nullptr) {
        PlaceName named = place_in(*code_->module, ptx::Space::local, *meant, place, bytes);
        if (there) named.text += fmt::format(": it is {}", there->text);
        return named;
    }
    if (const trace::SharedArray* nearest = nearest_in(code_->local_arrays, place)) {
        return place_in(*code_->module, ptx::Space::local, *nearest, place, bytes);
    }
    return {fmt::format("local memory at {}", byte_range(place, bytes)), {}};
}

PlaceName Wording::place(ptx::Space space, std::uint64_t address, unsigned bytes, const ptx::Variable* array,
                         const trace::SharedArray* local_array) const {
    switch (space) {
        case ptx::Space::global:
        case ptx::Space::constant: return global_place(address, bytes);
        case ptx::Space::shared: return shared_place(address, bytes, array);
        case ptx::Space::local: return local_place(address, bytes, local_array);
        default:
            return {fmt::format("the parameters at {}", byte_range(static_cast<std::int64_t>(address), bytes)), {}};
    }
}

std::uint64_t Wording::object_at(ptx::Space space, std::uint64_t address) const {
    if (space != ptx::Space::global && space != ptx::Space::constant) {
        const auto& arrays = space == ptx::Space::shared ? arrays_ : code_->local_arrays;
        const auto* const nearest = nearest_in(arrays, static_cast<std::int64_t>(static_cast<std::int32_t>(address)));
        constexpr unsigned above_addresses = 56;
        const std::uint64_t array = nearest == nullptr ? 0 : nearest->offset + 1;
        return static_cast<std::uint64_t>(space) << above_addresses | array;
    }
    if (const Heap::Piece* const piece = heap_.piece_at(address)) return piece->address;
    if (const auto buffer = buffer_at(address)) return buffers_[*buffer].address;
    const Region* const region = memory_.nearest(address);
    return region == nullptr ? 0 : region->base();
}

std::string Wording::value(ptx::Space space, std::uint64_t address, unsigned bytes, std::uint64_t bits) const {
    std::optional<trace::Element> element;
    if (space == ptx::Space::global) {
        if (const auto buffer = buffer_at(address)) element = buffers_[*buffer].element;
    } else {
        for (const trace::SharedArray& array : arrays_) {
            if (address - array.offset < array.bytes) element = array.element;
        }
    }
    if (!element || trace::bytes_of(*element) != bytes) {
        element = bytes == 8   ? trace::Element::s64
                  : bytes == 4 ? trace::Element::s32
                  : bytes == 2 ? trace::Element::s16
                               : trace::Element::s8;
    }
    return trace::text_of(*element, bits);
}

std::string Wording::source_text(std::uint32_t line) const {
    std::string_view rest = source_;
    for (std::uint32_t at = 1; at < line && !rest.empty(); ++at) {
        const std::size_t end = rest.find('\n');
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    if (line == 0) return {};
    std::string_view text = rest.substr(0, rest.find('\n'));
    const auto first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    text = text.substr(first, text.find_last_not_of(" \t\r{") + 1 - first);
    return std::string(text);
}

std::string Wording::loop_text(std::uint32_t line) const {
    std::string text = source_text(line);
    std::optional<std::size_t> begin;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = end_of_identifier(text, at);
        const std::string_view word = std::string_view(text).substr(at, end - at);
        if (word == "break" || word == "return" || word == "goto" || word == "do" || word == "__trap") return text;
        if (word == "while" || word == "for") {
            if (begin) return text;
            begin = at;
        }
        at = std::max(end, at + 1);
    }
    if (!begin) return text;
    unsigned depth = 0;
    for (std::size_t at = *begin; at < text.size(); ++at) {
        if (text[at] == '(') ++depth;
        if (text[at] == ')' && --depth == 0) return text.substr(*begin, at + 1 - *begin);
    }
    return text.substr(*begin);
}

std::optional<std::uint32_t> Wording::buffer_of_parameter(std::uint32_t parameter) const {
    return parameter < launch_.arguments.size() ? launch_.arguments[parameter].buffer : std::nullopt;
}

std::optional<std::uint32_t> Wording::buffer_at(std::uint64_t address) const {
    const auto holds = [&](const trace::Buffer& buffer) { return address - buffer.address < buffer.bytes; };
    const auto buffer = std::ranges::find_if(buffers_, holds);
    if (buffer == buffers_.end()) return std::nullopt;
    return static_cast<std::uint32_t>(buffer - buffers_.begin());
}

bool Wording::is_of_numbers(ptx::Space space, std::uint64_t address, unsigned bytes) const {
    if (space == ptx::Space::global || space == ptx::Space::constant) return buffer_is_of_numbers(address);
    const bool shared = space == ptx::Space::shared;
    if (!shared && space != ptx::Space::local) return false;
    for (const trace::SharedArray& array : shared ? arrays_ : code_->local_arrays) {
        if (address - array.offset < array.bytes) return array.element && trace::bytes_of(*array.element) >= bytes;
    }
    return false;
}

bool Wording::buffer_is_of_numbers(std::uint64_t address) const {
    const auto holds = [&](const trace::Buffer& buffer) { return address - buffer.address < buffer.bytes; };
    const auto buffer = std::ranges::find_if(buffers_, holds);
    if (buffer == buffers_.end()) return false;
    const auto index = static_cast<std::uint32_t>(buffer - buffers_.begin());
    for (const trace::Argument& argument : launch_.arguments) {
        if (argument.buffer != index || !is_pointer_type(argument.type)) continue;
        const std::optional<NumberType> number = number_type(bare_type(argument.type));
        return number && number->components == 1;
    }
    for (const ptx::SourceArray& array : code_->module->arrays) {
        const bool global = array.space == ptx::Space::global || array.space == ptx::Space::constant;
        if (global && array.name == buffer->name && !array.element_type.empty())
            return array.element != ptx::Type::none;
    }
    return true;
}

}  // namespace lanescope::execute
