#include "session/launched_module.h"

#include "base/whole_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace lanescope::session {

namespace {

/// A function with its body: bytes [first, past_last) of the text.
struct FunctionText {
    std::string_view name;
    std::size_t first = 0, past_last = 0;
    std::set<std::string_view> words;  ///< the words in it, other functions among them
};

struct ModuleText {
    std::vector<FunctionText> functions;
    std::set<std::string_view> elsewhere;  ///< words at module scope: a table keeps its functions
};

constexpr bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$' ||
           c == '%' || c == '.' || c == '@';
}

/// Finds functions by words and braces alone: the text may contain parts that the parser refuses.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    ModuleText scan() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '/' && text_.substr(at_, 2) == "//") {
                skip_past("\n");
            } else if (c == '/' && text_.substr(at_, 2) == "/*") {
                at_ += 2;
                skip_past("*/");
            } else if (c == '"') {
                ++at_;
                skip_past("\"");
            } else if (is_word(c)) {
                word();
            } else {
                punctuation(c);
                ++at_;
            }
        }
        return std::move(found_);
    }

  private:
    void skip_past(std::string_view end) {
        const std::size_t found = text_.find(end, at_);
        at_ = found == std::string_view::npos ? text_.size() : found + end.size();
    }

    void word() {
        const std::size_t first = at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        const std::string_view word = text_.substr(first, at_ - first);
        if (braces_ > 0) {
            (function_ ? function_->words : found_.elsewhere).insert(word);
            return;
        }
        constexpr std::array<std::string_view, 4> linkage{".visible", ".extern", ".weak", ".common"};
        if (std::ranges::find(linkage, word) != linkage.end()) {
            linkage_ = first;
        } else if (word == ".entry" || word == ".func") {
            function_.emplace().first = linkage_.value_or(first);
        } else if (word == ".section") {
            skip_past("}");  // a section of DWARF, whose labels keep no function
        } else if (function_) {
            if (function_->name.empty() && parentheses_ == 0 && !word.starts_with('.')) function_->name = word;
        } else {
            found_.elsewhere.insert(word);
        }
    }

    void punctuation(char c) {
        if (c == '(') ++parentheses_;
        if (c == ')' && parentheses_ > 0) --parentheses_;
        if (c == '{') ++braces_;
        if (c == '}' && braces_ > 0) --braces_;
        if (braces_ > 0 || (c != ';' && c != '}')) return;
        if (c == '}' && function_) {
            function_->past_last = at_ + 1;
            found_.functions.push_back(std::move(*function_));
        }
        if (c == ';' || function_) linkage_.reset();
        function_.reset();
        parentheses_ = 0;
    }

    std::string_view text_;
    ModuleText found_;
    std::size_t at_ = 0, braces_ = 0, parentheses_ = 0;
    std::optional<std::size_t> linkage_;  // where the current declaration begins
    std::optional<FunctionText> function_;
};

/// The functions that the entries reach, by the words in each.
std::set<std::string_view> reached(const ModuleText& module, const std::vector<std::string>& entries) {
    std::set<std::string_view> kept;
    std::vector<std::string_view> open(entries.begin(), entries.end());
    open.insert(open.end(), module.elsewhere.begin(), module.elsewhere.end());
    while (!open.empty()) {
        const std::string_view name = open.back();
        open.pop_back();
        const auto function = std::ranges::find(module.functions, name, &FunctionText::name);
        if (function == module.functions.end() || !kept.insert(function->name).second) continue;
        open.insert(open.end(), function->words.begin(), function->words.end());
    }
    return kept;
}

/// A place that a .loc names.
struct Location {
    std::uint32_t file = 0, line = 0, column = 0;
    friend auto operator<=>(const Location&, const Location&) = default;
};

/// The .loc and .file directives before the refused place.
class Locations {
  public:
    Locations(std::string_view ptx, const std::string& source) : ptx_(ptx) {
        const std::string own = std::filesystem::path(source).filename();
        for (std::size_t at = 0; (at = ptx.find(".file", at)) != std::string_view::npos;) {
            at += 5;
            const std::string_view rest = line_from(at);
            const std::size_t open = rest.find('"'), close = rest.rfind('"');
            if (open == std::string_view::npos || close <= open) continue;
            const std::filesystem::path path(rest.substr(open + 1, close - open - 1));
            if (path.filename() == own) own_file_ = number(rest);
        }
    }

    /// The source line of the byte `at` of the function: of the call where it was inlined, or where another function
    /// calls it; 0: unknown.
    [[nodiscard]] unsigned line_of(const ModuleText& module, const FunctionText& function, std::size_t at,
                                   unsigned deep = 0) const {
        std::map<Location, Location> inlined;  // the place of what was inlined -> of its call
        Location last;
        for (std::size_t loc = function.first; (loc = ptx_.find(".loc", loc)) < function.past_last;) {
            if (loc > at && last.file != 0) break;  // of a directive before the body, the body's first counts
            loc += 4;
            if (is_word(ptx_[loc])) continue;  // .local
            const std::string_view rest = line_from(loc);
            last = location(rest);
            constexpr std::string_view inlined_at = "inlined_at";
            if (const std::size_t site = rest.find(inlined_at); site != std::string_view::npos)
                inlined[last] = location(rest.substr(site + inlined_at.size()));
        }
        for (std::size_t steps = 0; last.file != own_file_ && inlined.contains(last) && steps <= inlined.size();
             ++steps)
            last = inlined[last];
        if (last.file == own_file_ && last.line != 0) return last.line;
        constexpr unsigned deepest = 8;
        for (const FunctionText& caller : module.functions) {
            if (deep == deepest || caller.name == function.name || !caller.words.contains(function.name)) continue;
            const std::size_t call = ptx_.substr(0, caller.past_last).find(function.name, caller.first);
            if (const unsigned line = line_of(module, caller, call, deep + 1); line != 0) return line;
        }
        return 0;
    }

  private:
    [[nodiscard]] std::string_view line_from(std::size_t at) const {
        return ptx_.substr(at, std::min(ptx_.find('\n', at), ptx_.size()) - at);
    }
    /// The number at the front, which is passed.
    static std::uint32_t number(std::string_view& text) {
        text.remove_prefix(std::min(text.find_first_of("0123456789"), text.size()));
        return take_number<std::uint32_t>(text).value_or(0);
    }
    static std::uint32_t number(const std::string_view& text) {
        std::string_view copy = text;
        return number(copy);
    }
    static Location location(std::string_view text) {
        const std::uint32_t file = number(text), line = number(text);
        return {.file = file, .line = line, .column = number(text)};
    }

    std::string_view ptx_;
    std::uint32_t own_file_ = 0;
};

/// Where a line of the text begins, from 1.
std::size_t begin_of_line(std::string_view text, unsigned line) {
    std::size_t at = 0;
    for (unsigned i = 1; i < line && at < text.size(); ++i) at = std::min(text.find('\n', at), text.size() - 1) + 1;
    return at;
}

const FunctionText* function_at(const ModuleText& module, std::size_t at) {
    const auto found = std::ranges::find_if(module.functions, [&](const FunctionText& function) {
        return function.first <= at && at < function.past_last;
    });
    return found == module.functions.end() ? nullptr : &*found;
}

std::string without(std::string text, const ModuleText& module, const std::set<std::string_view>& kept) {
    for (const FunctionText& function : module.functions) {
        if (kept.contains(function.name)) continue;
        std::replace_if(
            text.begin() + std::ptrdiff_t(function.first), text.begin() + std::ptrdiff_t(function.past_last),
            [](char c) { return c != '\n'; }, ' ');
    }
    return text;
}

/// Where the function at fault comes from in the source, beside the line of PTX.
void place_in_source(Problem& problem, const std::string& ptx, const ModuleText& text, const FunctionText& function,
                     const std::string& source) {
    const std::size_t at = begin_of_line(ptx, problem.where.line);
    const unsigned line = Locations(ptx, source).line_of(text, function, at);
    if (line == 0) return;
    problem.what += fmt::format(" ({}:{}:{})", problem.where.file, problem.where.line, problem.where.column);
    problem.where = {source, line, 0};
}

}  // namespace

Result<ptx::Module> launched_module(const std::string& ptx, const std::string& name,
                                    const std::vector<std::string>& entries, const std::string& source) {
    auto module = ptx::parse(ptx, name);
    if (module || module.error().where.line == 0) return module;
    const ModuleText text = Scanner(ptx).scan();
    const std::set<std::string_view> kept = reached(text, entries);
    const auto refused_in = [&] { return function_at(text, begin_of_line(ptx, module.error().where.line)); };
    const FunctionText* function = refused_in();
    if (function != nullptr && !kept.contains(function->name)) {
        module = ptx::parse(without(ptx, text, kept), name);
        if (module || module.error().where.line == 0) return module;
        function = refused_in();
    }
    if (function != nullptr) place_in_source(module.error(), ptx, text, *function, source);
    return module;
}

Result<RunnableModule> runnable_module(const std::string& ptx, const std::string& name, const std::string& source) {
    RunnableModule found;
    auto module = ptx::parse(ptx, name);
    const ModuleText text = module ? ModuleText{} : Scanner(ptx).scan();
    std::set<std::string_view> kept;
    for (const FunctionText& function : text.functions) kept.insert(function.name);
    while (!module && module.error().where.line != 0) {
        Problem problem = module.error();
        const FunctionText* const function = function_at(text, begin_of_line(ptx, problem.where.line));
        if (function == nullptr || kept.erase(function->name) == 0) break;
        // A function that calls one which is left out has the callee's reason.
        const auto cause = std::ranges::find_if(
            found.refused, [&](const auto& refused) { return function->words.contains(refused.first); });
        if (cause != found.refused.end())
            problem = cause->second;
        else
            place_in_source(problem, ptx, text, *function, source);
        found.refused.emplace(function->name, std::move(problem));
        module = ptx::parse(without(ptx, text, kept), name);
    }
    if (!module) return std::unexpected(std::move(module.error()));
    // With a declaration of its own, a caller parses although its callee is left out: it is left out for that reason.
    bool more = !found.refused.empty(), removed = false;
    while (std::exchange(more, false)) {
        for (const FunctionText& function : text.functions) {
            if (!kept.contains(function.name)) continue;
            const auto cause = std::ranges::find_if(
                found.refused, [&](const auto& refused) { return function.words.contains(refused.first); });
            if (cause == found.refused.end()) continue;
            const Problem reason = cause->second;
            found.refused.emplace(function.name, reason);
            kept.erase(function.name);
            more = removed = true;
        }
    }
    if (removed) module = ptx::parse(without(ptx, text, kept), name);
    if (!module) return std::unexpected(std::move(module.error()));
    found.module = *std::move(module);
    return found;
}

}  // namespace lanescope::session
