// Types and declarations of host code: what stands before a variable's name, and what the variable begins as.
#include "session/host_arithmetic.h"
#include "session/host_interpreter.h"
#include "session/structure.h"

#include "base/number_type.h"
#include "trace/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace lanescope::session {

using compile::TokenKind;

namespace {

constexpr std::int64_t most_elements_of_array = std::int64_t{1} << 28;

bool is_qualifier(std::string_view text) {
    constexpr std::array<std::string_view, 6> words{"const", "static", "constexpr", "volatile", "register", "struct"};
    return std::ranges::find(words, text) != words.end();
}

/// What cudaGetDeviceProperties says: an H200's numbers, so that programs which ask can be followed.
Structure device_properties() {
    Structure structure{.type = "cudaDeviceProp", .members = {}, .fields = {}};
    for (const auto& [name, value] : device_facts()) {
        structure.fields.push_back({.name = std::string(name),
                                    .type = "int",
                                    .element = trace::Element::s32,
                                    .structure = {},
                                    .extents = {},
                                    .offset = structure.bytes});
        structure.members.push_back({.name = std::string(name), .offset = structure.bytes});
        structure.bytes += 4;
    }
    structure.alignment = 4;
    return structure;
}

}  // namespace

/// Vectors of numbers are no numbers.
std::optional<trace::Element> HostInterpreter::element_of(const std::string& type) {
    const std::optional<NumberType> numbers = number_type(type);
    return numbers && numbers->components == 1 ? trace::element_named(type) : std::nullopt;
}

/// What the file's names of types and constants mean in a structure.
StructureNames HostInterpreter::structure_names() const {
    return {.element = [&](const std::string& type) -> std::optional<ElementType> {
                const auto alias = aliases_.find(type);
                const std::string& own = alias == aliases_.end() ? type : alias->second;
                const auto found = number_type(own);
                if (!found) return std::nullopt;
                return ElementType{*trace::element_named(own), found->components};
            },
            .extent = [&](const std::string& extent) -> std::optional<std::int64_t> {
                const Code code = compile::code_of(compile::tokenize(extent), compile::Branch::first);
                const auto value = compile::evaluate_constant(code, {0, code.size()}, constants_);
                return value && !value->floating ? std::optional(value->whole) : std::nullopt;
            }};
}

/// A structure of the file, one of CUDA's vectors, or what the runtime says of a device.
const Structure* HostInterpreter::structure_named(const std::string& name) const {
    if (const auto known = structures_.find(name); known != structures_.end()) return known->second.get();
    std::optional<Structure> structure;
    if (name == "cudaDeviceProp") {
        structure = device_properties();
    } else if (const auto numbers = number_type(name); numbers && numbers->components > 1) {
        structure = vector_structure(name, {*trace::element_named(name), numbers->components});
    } else if (!numbers) {
        structure = structure_in(whole_, name, structure_names());
    }
    auto& kept = structures_[name];
    if (structure) kept = std::make_unique<const Structure>(*std::move(structure));
    return kept.get();
}

std::optional<HostType> HostInterpreter::type_at(std::size_t& at, std::size_t end) const {
    std::size_t i = at;
    while (i < end && is_qualifier((*code_)[i].text)) ++i;
    if (i >= end || (*code_)[i].kind != TokenKind::identifier) return std::nullopt;
    const auto found = [&](HostType::Kind kind, HostCell cell) {
        while (i < end && is_qualifier((*code_)[i].text)) ++i;
        at = i;
        return HostType{kind, std::move(cell)};
    };
    if (is_number_keyword((*code_)[i].text)) {
        const std::size_t first = i;
        while (i < end && is_number_keyword((*code_)[i].text)) ++i;
        HostCell cell(element_of(compile::spelling(*code_, {first, i})).value_or(trace::Element::s32));
        cell.boolean = i == first + 1 && is(first, "bool");
        return found(HostType::Kind::number, std::move(cell));
    }
    while (i + 2 < end && is(i + 1, "::") && (*code_)[i + 2].kind == TokenKind::identifier) i += 2;
    if (i >= end) return std::nullopt;
    const std::string_view name = (*code_)[i].text;
    if (name == "vector" && is(i + 1, "<")) {
        std::size_t inner = i + 2;
        i = compile::past_angle(*code_, i + 1, end);
        auto item = type_at(inner, i - 1);
        while (item && is(inner, "*") && inner < i - 1) {
            item->point();
            ++inner;
        }
        return found(HostType::Kind::vector, item ? item->own() : HostCell());
    }
    if ((name == "unique_ptr" || name == "shared_ptr") && is(i + 1, "<")) {
        std::size_t inner = i + 2;
        i = compile::past_angle(*code_, i + 1, end);
        auto item = type_at(inner, i - 1);
        for (; item && is(inner, "*") && inner < i - 1; ++inner) item->point();
        if (!item) return std::nullopt;
        item->point();
        return found(HostType::Kind::pointer, item->cell);
    }
    ++i;
    const std::optional<HostType>& known = type_of_name(name);
    if (!known) return std::nullopt;
    return found(known->kind, known->cell);
}

const std::optional<HostType>& HostInterpreter::type_of_name(std::string_view name) const {
    auto known = types_.find(name);
    if (known == types_.end()) known = types_.emplace(name, type_named(std::string(name))).first;
    return known->second;
}

/// What a name of one word stands for.
std::optional<HostType> HostInterpreter::type_named(const std::string& name) const {
    if (const auto bound = template_types_.find(name); bound != template_types_.end()) return bound->second;
    const auto alias = aliases_.find(name);
    std::string spelled = alias == aliases_.end() ? name : alias->second;
    if (const auto element = element_of(spelled)) {
        HostCell cell(element);
        cell.boolean = spelled == "bool";
        return HostType{HostType::Kind::number, std::move(cell)};
    }
    if (name == "dim3") return HostType{HostType::Kind::extent, {}};
    if (name == "auto") return HostType{HostType::Kind::automatic, {}};
    if (name == "void") return HostType{HostType::Kind::opaque, {}};
    if (name == "cudaError_t" || name == "cudaError" || name == "cudaDeviceAttr")
        return HostType{HostType::Kind::number, trace::Element::s32};
    if (spelled.starts_with("struct ")) spelled.erase(0, 7);
    const Structure* const structure = structure_named(spelled);
    if (structure == nullptr) return std::nullopt;
    HostCell cell;
    cell.structure = structure;
    return HostType{HostType::Kind::structure, std::move(cell)};
}

bool HostInterpreter::is_declaration(std::size_t at, std::size_t end) const {
    std::size_t i = at;
    if (const auto type = type_at(i, end)) {
        while (is(i, "*") || is(i, "&") || is(i, "const")) ++i;
        return i < end && (*code_)[i].kind == TokenKind::identifier;
    }
    // `cudaEvent_t start, stop;`, `std::mt19937 gen(1);`: two names in a row, which nothing else has
    while (i + 1 < end && (*code_)[i].kind == TokenKind::identifier && is(i + 1, "::")) i += 2;
    if (i + 1 < end && (*code_)[i].kind == TokenKind::identifier && is(i + 1, "<"))
        i = compile::past_angle(*code_, i + 1, end) - 1;
    while (is(i + 1, "*") || is(i + 1, "&")) ++i;
    return i + 1 < end && (*code_)[at].kind == TokenKind::identifier && (*code_)[i + 1].kind == TokenKind::identifier;
}

void HostInterpreter::declare(std::size_t at, std::size_t end) {
    const auto type = type_at(at, end);
    if (!type && declare_source(at, end)) return;
    if (!type) {  // a type that is passed over: its variables are not known, but what they begin with is done
        count_unknown({at, end});
        std::size_t equals = at;
        while (equals < end && !is(equals, "=")) ++equals;
        if (equals + 1 < end && !is(equals + 1, "{") && !is(equals + 1, "[")) evaluate({equals + 1, end});
        return;
    }
    declare_all(*type, {at, end});
}

void HostInterpreter::declare_all(const HostType& type, Range declarators) {
    for (Range part : by_commas(declarators)) {
        HostType own = type;
        bool reference = false;
        while (part.first < part.past_last && (is(part.first, "*") || is(part.first, "&") || is(part.first, "const") ||
                                               is(part.first, "__restrict__"))) {
            if (is(part.first, "*")) own.point();
            if (is(part.first, "&")) reference = true;
            ++part.first;
        }
        if (part.empty() || (*code_)[part.first].kind != TokenKind::identifier) continue;
        declare_one(std::move(own), reference, part);
    }
}

/// `struct Point { int x, y; } a, b;`, `struct { int x; } a;` in a function, and `struct { int x; } Point` behind a typedef, which
/// names it. Nothing is done where it is none, or has functions: those are found in the file's structures only.
bool HostInterpreter::define_structure(std::size_t at, std::size_t end, std::string name) {
    std::size_t open = at + 1;
    if (is(at, "struct") && open < end && (*code_)[open].kind == TokenKind::identifier) {
        if (name.empty()) name = (*code_)[open].text;
        ++open;
    }
    if (!is(at, "struct") || open >= end || !is(open, "{")) return false;
    const std::size_t past = compile::past_bracket(*code_, open, end);
    for (std::size_t i = open; i < past; ++i)
        if (is(i, "(")) return false;
    if (name.empty()) name = fmt::format("structure_{}", (*code_)[at].offset);
    const auto known = structures_.try_emplace(name).first;
    if (const auto [place, first] = defined_at_.try_emplace(name, at); first || place->second != at) {
        place->second = at;
        Code defined{(*code_)[at], (*code_)[at]};
        defined.back().kind = TokenKind::identifier;
        defined.back().text = known->first;
        defined.insert(defined.end(), code_->begin() + std::ptrdiff_t(open), code_->begin() + std::ptrdiff_t(past));
        const Code semicolon = compile::code_of(compile::tokenize(";"), compile::Branch::first);
        defined.insert(defined.end(), semicolon.begin(), semicolon.end());
        defined.insert(defined.end(), whole_.begin(), whole_.end());
        auto structure = structure_in(defined, name, structure_names());
        auto made = structure ? std::make_unique<const Structure>(*std::move(structure)) : nullptr;
        older_.push_back(std::exchange(known->second, std::move(made)));
        types_.erase(name);
    }
    if (known->second == nullptr) return false;
    HostType type{HostType::Kind::structure, {}};
    type.cell.structure = known->second.get();
    if (past < end) declare_all(type, {past, end});
    return true;
}

/// `cudaStream_t streams[4]`: of arrays of what is passed over it is known how many there are.
void HostInterpreter::count_unknown(Range range) {
    for (const Range& part : by_commas(range)) {
        std::size_t open = part.first;
        while (open < part.past_last && !is(open, "[") && !is(open, "=") && !is(open, "(") && !is(open, "{")) ++open;
        if (open >= part.past_last || !is(open, "[") || open == part.first) continue;
        const std::size_t past = compile::past_bracket(*code_, open, part.past_last);
        const HostValue count = past > open + 2 ? evaluate({open + 1, past - 1}) : HostValue{};
        if ((*code_)[open - 1].kind != TokenKind::identifier || count.kind != HostValue::Kind::whole) continue;
        HostVariable variable;
        variable.type.cell.extents = {count.whole};
        scopes_.back().insert_or_assign(std::string((*code_)[open - 1].text), std::move(variable));
    }
}

void HostInterpreter::declare_one(HostType type, bool reference, Range part) {
    const std::string name((*code_)[part.first].text);
    const std::size_t i = part.first + 1;
    const auto begins = [&](std::string_view text) { return i < part.past_last && is(i, text); };
    const auto whole_text = [&](const std::string& text) {
        HostCell cell = type.cell;
        cell.extents = {std::int64_t(text.size())};
        return cell;
    };
    const auto words = [&]() -> std::optional<std::string> {  // const char* text = "words"
        if (type.kind != HostType::Kind::pointer || !begins("=")) return std::nullopt;
        return text_at({i + 1, part.past_last}, whole_text(""));
    };
    HostVariable variable{.type = type, .value = {}, .home = {}};
    scopes_.back().insert_or_assign(name, variable);  // its initialiser may ask for its size
    if (reference && begins("=")) {
        const Operand target = operand_of({i + 1, part.past_last});
        if (target.memory) {
            variable.home = target.memory;
            variable.home_offset = target.offset;
            if (type.kind == HostType::Kind::automatic) variable.type.kind = HostType::Kind::number;
            if (type.kind == HostType::Kind::automatic && target.cell.is_structure())
                variable.type.kind = HostType::Kind::structure;
            if (type.kind == HostType::Kind::automatic) variable.type.cell = target.cell;
        } else {
            variable.value = converted(target.value, type);
        }
    } else if (begins("[")) {
        declare_array(variable, name, part);
    } else if (type.kind == HostType::Kind::vector) {
        declare_vector(variable, name, part);
    } else if (type.kind == HostType::Kind::structure) {
        declare_structure(variable, name, part);
    } else if (type.kind == HostType::Kind::extent && (begins("(") || begins("{"))) {
        const std::size_t past = compile::past_bracket(*code_, i, part.past_last);
        variable.value = *known_call("dim3", by_commas({i + 1, past - 1}));
    } else if (const auto text = words(); text) {
        const HostCell cell = whole_text(*text);
        const std::uint32_t memory = make_memory(name, cell.bytes(), false, cell);
        write_text(memory, 0, cell, *text);
        variable.value = HostValue::to(memory, 0, type.cell);
    } else if (begins("=")) {
        variable.value = converted(evaluate({i + 1, part.past_last}), type);
    } else if (begins("(") || begins("{")) {
        const std::size_t past = compile::past_bracket(*code_, i, part.past_last);
        Range given{i + 1, past - 1};
        if (type.kind == HostType::Kind::pointer && !given.empty()) given = by_commas(given).front();  // and a deleter
        variable.value = converted(evaluate(given), type);
    } else if (type.kind == HostType::Kind::extent) {
        variable.value.kind = HostValue::Kind::extent;
    } else if (type.kind == HostType::Kind::pointer && scopes_.size() > 1) {
        variable.value.wild = true;
    }
    if (type.kind == HostType::Kind::automatic && variable.value.is_number())
        variable.type = {HostType::Kind::number, variable.value.type};
    if (type.kind == HostType::Kind::automatic && variable.value.kind == HostValue::Kind::structure) {
        variable.home = variable.value.memory;
        variable.home_offset = variable.value.offset;
        variable.type = {HostType::Kind::structure, variable.value.cell};
    }
    if (variable.value.kind == HostValue::Kind::pointer && variable.value.memory) {
        HostMemory& memory = memories_[*variable.value.memory];
        if (memory.name == "malloc" || memory.name == "new") memory.name = name;
    }
    scopes_.back().insert_or_assign(name, std::move(variable));
}

/// `float h[4][5] = {...}`; it is where it is: sizeof knows its bytes.
void HostInterpreter::declare_array(HostVariable& variable, const std::string& name, Range part) {
    HostCell cell = variable.type.own();
    std::size_t i = part.first + 1;
    std::int64_t count = 1;
    while (i < part.past_last && is(i, "[")) {
        const std::size_t past = compile::past_bracket(*code_, i, part.past_last);
        const HostValue size = past - i > 2 ? evaluate({i + 1, past - 1}) : HostValue::of(std::int64_t{-1});
        const bool open = past - i <= 2 && cell.extents.empty();
        if (!open && (size.kind != HostValue::Kind::whole || size.whole < 0 || size.whole > most_elements_of_array ||
                      count > most_elements_of_array))
            refuse(fmt::format("the size of {} is not known", name));
        cell.extents.push_back(open ? 0 : size.whole);
        count *= open ? 1 : size.whole;
        i = past;
    }
    std::optional<Range> list;
    if (i < part.past_last && is(i, "=")) ++i;
    if (i < part.past_last && is(i, "{")) list = Range{i + 1, compile::past_bracket(*code_, i, part.past_last) - 1};
    const std::optional<std::string> text = text_at({i, part.past_last}, cell);
    if (text) list.reset();
    if (text && cell.extents.front() == 0) cell.extents.front() = std::int64_t(text->size());
    if (cell.extents.front() == 0 && list) {
        const std::vector<Range> values = compile::split_commas(*code_, *list, false);
        cell.extents.front() =
            std::int64_t(std::ranges::count_if(values, [](const Range& value) { return !value.empty(); }));
    }
    if (cell.bytes() == 0 && !cell.known()) refuse(fmt::format("the elements of {} are not numbers", name));
    if (cell.bytes() < 0 || cell.bytes() > most_elements_of_array * 8)
        refuse(fmt::format("{} has too many elements", name));
    const std::uint32_t memory = make_memory(name, cell.bytes(), false, cell);
    if (list) initialise(memory, 0, cell, *list);
    if (text) write_text(memory, 0, cell, *text);
    variable.type = {HostType::Kind::vector, cell.item()};
    variable.value = HostValue::to(memory, 0, cell.item());
}

/// What an array of characters begins as: `"words"`, several of them, in braces or not. Nothing of other arrays and values.
std::optional<std::string> HostInterpreter::text_at(Range value, const HostCell& cell) const {
    const bool characters = cell.element && cell.pointers == 0 && cell.extents.size() == 1 && cell.item().bytes() == 1;
    if (characters && is(value.first, "{")) value = {value.first + 1, value.past_last - 1};
    if (!characters || value.empty()) return std::nullopt;
    std::string all;
    for (std::size_t i = value.first; i < value.past_last; ++i) {
        if ((*code_)[i].kind != TokenKind::string) return std::nullopt;
        const std::optional<std::string> text = string_of((*code_)[i].text);
        if (!text) return std::nullopt;
        if (!all.empty()) all.pop_back();  // the zero
        all += *text;
    }
    return all;
}

/// The zero may be left out where there is no room for it.
void HostInterpreter::write_text(std::uint32_t memory, std::int64_t offset, const HostCell& cell,
                                 const std::string& text) {
    const auto length = std::min(std::int64_t(text.size()), cell.bytes());
    for (std::int64_t i = 0; i < length; ++i)
        memories_[memory].bytes[std::size_t(offset + i)] = static_cast<std::byte>(text[std::size_t(i)]);
}

void HostInterpreter::declare_vector(HostVariable& variable, const std::string& name, Range part) {
    const HostCell& cell = variable.type.cell;
    std::size_t i = part.first + 1;
    std::vector<HostValue> values;
    bool listed = false;
    if (i < part.past_last && (is(i, "(") || is(i, "{") || is(i, "="))) {
        if (is(i, "=")) ++i;
        if (!is(i, "{") && !is(i, "(")) {  // = another one, or what a function gives
            const HostValue other = evaluate({i, part.past_last});
            if (other.kind != HostValue::Kind::pointer || !other.memory) refuse(fmt::format("{} is not known", name));
            const std::vector<std::byte> bytes = memories_[*other.memory].bytes;
            const std::uint32_t memory = make_memory(name, std::int64_t(bytes.size()), false, cell, true);
            memories_[memory].bytes = bytes;
            variable.value = HostValue::to(memory, 0, cell);
            return;
        }
        listed = is(i, "{");
        const std::size_t past = compile::past_bracket(*code_, i, part.past_last);
        for (const Range& value : by_commas({i + 1, past - 1}))
            if (!value.empty()) values.push_back(evaluate(value));
    }
    const std::int64_t size = cell.bytes();
    if (!cell.known() && !listed && values.size() == 1 && values[0].kind == HostValue::Kind::whole) {
        variable.type = {};
        variable.type.cell.extents = {values[0].whole};
        return;
    }
    if (size == 0) refuse(fmt::format("the elements of {} are not numbers", name));
    // vector(begin, end)
    if (!listed && values.size() == 2 && values[0].kind == HostValue::Kind::pointer && values[0].memory) {
        const std::int64_t bytes = values[1].offset - values[0].offset;
        const std::vector<std::byte> all = read(values[0], bytes);
        const std::uint32_t memory = make_memory(name, bytes, false, cell, true);
        memories_[memory].bytes = all;
        variable.value = HostValue::to(memory, 0, cell);
        return;
    }
    if (!listed && !values.empty() && values[0].kind != HostValue::Kind::whole)
        refuse(fmt::format("the size of {} is not known", name));
    const std::int64_t count = listed ? std::int64_t(values.size()) : values.empty() ? 0 : values[0].whole;
    if (count < 0 || count > most_elements_of_array) refuse(fmt::format("{} has too many elements", name));
    const std::uint32_t memory = make_memory(name, count * size, false, cell, true);
    for (std::int64_t k = 0; k < count; ++k) {
        const HostValue& value = listed ? values[std::size_t(k)] : values.size() == 2 ? values[1] : HostValue();
        if (value.kind != HostValue::Kind::unknown) store(memory, k * size, cell, value);
    }
    variable.value = HostValue::to(memory, 0, cell);
}

/// `Matrix m;`, `Matrix m = {w, h, nullptr};`, `Matrix m(w, h);`, `Matrix m = other;`
void HostInterpreter::declare_structure(HostVariable& variable, const std::string& name, Range part) {
    const HostCell& cell = variable.type.cell;
    const std::uint32_t memory = make_memory(name, cell.bytes(), false, cell);
    variable.home = memory;
    const Place place{memory, 0, cell.structure};
    std::size_t i = part.first + 1;
    if (i >= part.past_last) {
        const auto constructors = methods_.find(cell.structure->type + "::" + cell.structure->type);
        const bool plain = constructors == methods_.end() || function_of(methods_, constructors->first, 0) == nullptr;
        if (!plain) construct(place, {});
        return;
    }
    if (is(i, "=") && !is(i + 1, "{")) {
        const HostValue value = evaluate({i + 1, part.past_last});
        if (value.kind != HostValue::Kind::structure) refuse(fmt::format("what {} begins with is not known", name));
        store(memory, 0, cell, value);
        return;
    }
    if (is(i, "=")) ++i;
    const std::size_t past = compile::past_bracket(*code_, i, part.past_last);
    const Range list{i + 1, past - 1};
    const bool constructed = methods_.contains(cell.structure->type + "::" + cell.structure->type);
    if (is(i, "{") && !constructed) return initialise(memory, 0, cell, list);
    std::vector<Operand> arguments;
    for (const Range& value : by_commas(list))
        if (!value.empty()) arguments.push_back(operand_of(value));
    if (!constructed && arguments.size() == 1 && arguments[0].value.kind == HostValue::Kind::structure)
        return store(memory, 0, cell, arguments[0].value);
    construct(place, arguments);
}

/// What stands between the braces, member by member, item by item; the rest stays zero.
void HostInterpreter::initialise(std::uint32_t memory, std::int64_t offset, const HostCell& whole, Range list) {
    std::int64_t next = 0;
    HostCell cell = whole;
    const bool rows = is(list.first, "{") || (*code_)[list.first].kind == TokenKind::string;
    if (cell.extents.size() > 1 && !rows) {  // int a[2][3] = {1, 2, 3, 4}: row after row
        std::int64_t count = 1;
        for (const std::int64_t extent : cell.extents) count *= extent;
        cell.extents = {count};
    }
    for (Range value : by_commas(list)) {
        if (value.empty()) continue;
        HostCell inner;
        std::int64_t at = offset;
        if (!cell.extents.empty()) {
            inner = cell.item();
            if (next >= cell.extents.front()) refuse("there are more values than elements");
            at += next * inner.bytes();
        } else if (cell.is_structure()) {
            const auto& fields = cell.structure->fields;
            if (is(value.first, ".") && is(value.first + 2, "=")) {  // .width = 4
                const auto named =
                    std::ranges::find(fields, std::string((*code_)[value.first + 1].text), &Structure::Field::name);
                next = named - fields.begin();
                value.first += 3;
            }
            if (next >= std::int64_t(fields.size())) refuse("there are more values than members");
            inner = cell_of(fields[std::size_t(next)]);
            at += std::int64_t(fields[std::size_t(next)].offset);
        } else {
            inner = cell;
        }
        ++next;
        if (const auto text = text_at(value, inner)) {
            write_text(memory, at, inner, *text);
            continue;
        }
        if (is(value.first, "{")) {
            initialise(memory, at, inner, {value.first + 1, value.past_last - 1});
            continue;
        }
        const HostValue given = evaluate(value);
        if (given.kind != HostValue::Kind::unknown) store(memory, at, inner, given);
    }
}

void HostInterpreter::construct(const Place& place, const std::vector<Operand>& arguments) {
    const std::string name = place.structure->type + "::" + place.structure->type;
    const Function* constructor = function_of(methods_, name, arguments.size());
    if (constructor == nullptr)
        refuse(fmt::format("{} has no constructor of {} values", place.structure->type, arguments.size()));
    function_call(*constructor, arguments, place);
}

}  // namespace lanescope::session
