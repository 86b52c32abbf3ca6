#include "ptx/places.h"

namespace lanescope::ptx {

Places::Position Places::parse_position(TokenStream& tokens) {
    constexpr std::uint64_t most = 0xffff'ffff;
    const auto number = [&](std::string_view what) {
        return static_cast<std::uint32_t>(tokens.expect_count(what, most));
    };
    const std::uint32_t file = number("a file number");
    const std::uint32_t line = number("a line number");
    return {file, line, number("a column number")};
}

std::uint32_t Places::intern(const Key& key) {
    const auto [found, fresh] = known_.try_emplace(key, static_cast<std::uint32_t>(module_.places.size()));
    if (fresh) {
        const auto& [file, line, column] = key.position;
        module_.places.push_back(
            {.file = file, .line = line, .column = column, .inlined_at = key.inlined_at, .function = {}});
        if (!key.function_label.empty()) function_labels_.emplace_back(found->second, key.function_label);
    }
    return found->second;
}

std::uint32_t Places::parse(TokenStream& tokens) {
    Key key{.position = parse_position(tokens), .inlined_at = SourcePlace::none, .function_label = {}};
    while (tokens.accept(',')) {
        const Token attribute = tokens.expect_word("function_name or inlined_at");
        if (attribute.text == "function_name") {
            key.function_label = tokens.expect_word("a label of .debug_str").text;
            if (tokens.accept('+')) tokens.expect_count("an offset", 0xffff'ffff);
        } else if (attribute.text == "inlined_at") {
            // The call site is itself a place; where it was inlined too, its own .loc came before this one.
            const Position site = parse_position(tokens);
            const auto seen = latest_.find(site);
            key.inlined_at = seen != latest_.end()
                                 ? seen->second
                                 : intern({.position = site, .inlined_at = SourcePlace::none, .function_label = {}});
        } else {
            tokens.refuse(attribute, "expected function_name or inlined_at");
        }
    }
    const std::uint32_t place = intern(key);
    latest_[key.position] = place;
    return place;
}

void Places::name_functions(const std::map<std::string, std::string, std::less<>>& strings) {
    for (const auto& [place, label] : function_labels_)
        if (const auto name = strings.find(label); name != strings.end()) module_.places[place].function = name->second;
}

}  // namespace lanescope::ptx
