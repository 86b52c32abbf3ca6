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
            // The call site is itself a place; if it was inlined, too, its own .loc came before this one.
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

void Places::end_unit(const std::map<std::uint32_t, std::string>& files,
                      const std::map<std::string, std::string, std::less<>>& strings) {
    for (const auto& [place, label] : function_labels_)
        if (const auto name = strings.find(label); name != strings.end()) module_.places[place].function = name->second;

    // The first unit's files keep their numbers. A file that several units have is one file.
    std::map<std::uint32_t, std::uint32_t> renumbered;
    const auto number_of = [&](std::uint32_t number) {
        const auto [known, fresh] = renumbered.try_emplace(number, number);
        if (fresh && !first_unit_) {
            while (module_.files.contains(next_file_)) ++next_file_;
            known->second = next_file_++;
        }
        return known->second;
    };
    for (const auto& [number, name] : files) {
        if (const auto known = numbers_of_files_.find(name); known != numbers_of_files_.end() && !first_unit_)
            renumbered.emplace(number, known->second);
        module_.files.emplace(number_of(number), name);
        numbers_of_files_.emplace(name, number_of(number));
    }
    for (std::size_t i = unit_begin_; i < module_.places.size(); ++i)
        module_.places[i].file = number_of(module_.places[i].file);
    if (first_unit_ && !renumbered.empty()) next_file_ = renumbered.rbegin()->first + 1;

    first_unit_ = false;
    unit_begin_ = module_.places.size();
    known_.clear();
    latest_.clear();
    function_labels_.clear();
}

}  // namespace lanescope::ptx
