#include "session/place_link.h"

#include "base/whole_number.h"

#include <fmt/format.h>

#include <cctype>
#include <utility>

namespace lanescope::session {

namespace {

constexpr std::string_view scheme = "lanescope:", argument = "arg.";
constexpr std::string_view form =
    "A link is lanescope:PROGRAM?block=128&n=1024#launch/0/block/0/step/41, as Copy link writes it.";

std::string encoded(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("-_./,()*").contains(c);
        out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

std::string decoded(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '%' && at + 2 < text.size()) {
            if (const auto value = whole_number<unsigned>(text.substr(at + 1, 2), 16)) {
                out += static_cast<char>(*value);
                at += 2;
                continue;
            }
        }
        out += text[at];
    }
    return out;
}

/// The text up to `end`, which is taken off; all of it without one.
std::string_view take_until(std::string_view& text, char end) {
    const std::size_t at = text.find(end);
    const std::string_view taken = text.substr(0, at);
    text = at == std::string_view::npos ? std::string_view() : text.substr(at + 1);
    return taken;
}

bool set_field(PlaceLink& link, const std::string& name, const std::string& value) {
    if (name == "anyway" || name == "sanitize") {
        (name == "anyway" ? link.launch.anyway : link.launch.sanitize) = true;
        return value == "1";
    }
    if (name.starts_with(argument)) return link.launch.arguments[name.substr(argument.size())] = value, true;
    const std::optional<LaunchField> field = launch_field(name);
    if (!field || *field == LaunchField::program) return false;
    return link.launch[*field] = value, true;
}

bool read_part(PlaceLink& link, std::string_view name, std::string_view& rest) {
    const std::string_view value = take_until(rest, '/');
    if (name == "launch") return read_whole_number(value, link.place.launch);
    if (name == "block") return read_whole_number(value, link.place.block.value);
    if (name == "step") return read_whole_number(value, link.place.position);
    if (name == "ptx") return read_whole_number(value, link.ptx.emplace(), 16);
    if (name != "cell") return false;
    auto& [row, column] = link.place.selected.emplace();
    return read_whole_number(value, row) && read_whole_number(take_until(rest, '/'), column);
}

}  // namespace

bool is_link(std::string_view text) { return text.starts_with(scheme); }

std::uint32_t checksum_of(std::string_view ptx) {
    std::uint32_t sum = 2166136261U;  // FNV-1a
    for (const char c : ptx) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619U;
    return sum;
}

std::string text_of(const PlaceLink& link) {
    std::string text = std::string(scheme) + encoded(link.launch[LaunchField::program]);
    char separator = '?';
    const auto add = [&](std::string_view name, std::string_view value) {
        text += fmt::format("{}{}={}", std::exchange(separator, '&'), encoded(name), encoded(value));
    };
    for (std::size_t index = 0; index < link.launch.text.size(); ++index) {
        const auto field = static_cast<LaunchField>(index);
        if (field != LaunchField::program && !link.launch[field].empty()) add(name_of(field), link.launch[field]);
    }
    for (const auto& [name, plan] : link.launch.arguments) add(std::string(argument) + name, plan);
    if (link.launch.anyway) add("anyway", "1");
    if (link.launch.sanitize) add("sanitize", "1");
    if (!link.has_place) return text;
    text += fmt::format("#launch/{}/block/{}/step/{}", link.place.launch, link.place.block.value, link.place.position);
    if (link.place.selected)
        text += fmt::format("/cell/{}/{}", link.place.selected->first, link.place.selected->second);
    if (link.ptx) text += fmt::format("/ptx/{:08x}", *link.ptx);
    return text;
}

Result<PlaceLink> read_link(std::string_view text) {
    if (!is_link(text)) return fail(fmt::format("\"{}\" is not a link", text), {}, std::string(form));
    PlaceLink link;
    std::string_view place = text.substr(scheme.size());
    std::string_view fields = take_until(place, '#');
    link.launch[LaunchField::program] = decoded(take_until(fields, '?'));
    if (link.launch[LaunchField::program].empty()) return fail("the link names no program", {}, std::string(form));
    while (!fields.empty()) {
        std::string_view value = take_until(fields, '&');
        const std::string name = decoded(take_until(value, '='));
        const std::string field_text = decoded(value);
        if (!set_field(link, name, field_text))
            return fail(fmt::format("the link sets \"{}\", which is not a field of a launch", name), {},
                        std::string(form));
        if (const auto field = launch_field(name); field && !field_text.empty()) {
            if (auto problem = problem_of(*field, field_text)) return std::unexpected(*std::move(problem));
        }
    }
    link.has_place = !place.empty();
    while (!place.empty()) {
        const std::string_view name = take_until(place, '/');
        if (!read_part(link, name, place))
            return fail(fmt::format("the link's place has an invalid part \"{}\"", name), {}, std::string(form));
    }
    return link;
}

}  // namespace lanescope::session
