#include "compile/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace lanescope::compile {

namespace {

bool is_name_start(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name(char c) { return is_name_start(c) || is_digit(c); }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

/// Punctuators of more than one character, longest first, except those that begin with `>` (see TokenKind).
constexpr std::array<std::string_view, 23> punctuators{
    "<<=", "...", "->*", "<=>", "::", "->", "<<", "<=", ">=", "==", "!=", "&&",
    "||",  "++",  "--",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^="};

class Lexer {
  public:
    explicit Lexer(std::string_view source) : source_(source) {}

    std::vector<Token> run() {
        while (at_ < source_.size()) {
            const char c = source_[at_];
            if (c == '\n') {
                line_starts_ = true;
                advance(1);
            } else if (is_blank(c)) {
                advance(1);
            } else if (continuation(at_) != 0) {
                advance(continuation(at_));
            } else {
                token(c);
            }
        }
        return std::move(tokens_);
    }

  private:
    [[nodiscard]] char peek(std::size_t ahead) const {
        return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
    }

    /// Length of a backslash-newline at `at`, or 0.
    [[nodiscard]] std::size_t continuation(std::size_t at) const {
        if (source_[at] != '\\') return 0;
        std::size_t next = at + 1;
        while (next < source_.size() && is_blank(source_[next])) ++next;
        return next < source_.size() && source_[next] == '\n' ? next + 1 - at : 0;
    }

    void advance(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i, ++at_) {
            if (source_[at_] == '\n') {
                ++line_;
                line_begin_ = at_ + 1;
            }
        }
    }

    void emit(TokenKind kind, std::size_t end) {
        const std::size_t begin = at_;
        tokens_.push_back({kind, source_.substr(begin, end - begin), begin, line_, unsigned(begin - line_begin_ + 1)});
        advance(end - begin);
        if (kind != TokenKind::comment) line_starts_ = false;
    }

    void token(char c) {
        if (c == '/' && peek(1) == '/') return emit(TokenKind::comment, end_of_line(at_));
        if (c == '/' && peek(1) == '*') {
            const std::size_t close = source_.find("*/", at_ + 2);
            return emit(TokenKind::comment, close == std::string_view::npos ? source_.size() : close + 2);
        }
        if (c == '#' && line_starts_) return emit(TokenKind::directive, end_of_directive());
        if (c == '"') return emit(TokenKind::string, end_of_quoted(at_, '"'));
        if (c == '\'') return emit(TokenKind::character, end_of_quoted(at_, '\''));
        if (is_name_start(c)) return name();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return emit(TokenKind::number, end_of_number());
        if (source_.substr(at_, 3) == "<<<") return emit(TokenKind::launch, at_ + 3);
        for (const std::string_view punctuator : punctuators) {
            if (source_.substr(at_, punctuator.size()) == punctuator)
                return emit(TokenKind::punctuation, at_ + punctuator.size());
        }
        emit(TokenKind::punctuation, at_ + 1);
    }

    /// An identifier, or the prefix of a string: R"x(...)x", u8"...", L'...'.
    void name() {
        std::size_t end = at_;
        while (end < source_.size() && is_name(source_[end])) ++end;
        const std::string_view text = source_.substr(at_, end - at_);
        const char quote = end < source_.size() ? source_[end] : '\0';
        if (quote == '"' && text.size() <= 3 && text.ends_with('R')) return emit(TokenKind::string, end_of_raw(end));
        const bool prefix = text == "L" || text == "u" || text == "U" || text == "u8";
        if (prefix && quote == '"') return emit(TokenKind::string, end_of_quoted(end, '"'));
        if (prefix && quote == '\'') return emit(TokenKind::character, end_of_quoted(end, '\''));
        emit(TokenKind::identifier, end);
    }

    [[nodiscard]] std::size_t end_of_number() const {
        std::size_t end = at_;
        while (end < source_.size()) {
            const char c = source_[end];
            const bool separator = c == '\'' && end + 1 < source_.size() && is_name(source_[end + 1]);
            const char before = end > at_ ? source_[end - 1] : '\0';
            const bool exponent = (c == '+' || c == '-') &&
                                  (before == 'e' || before == 'E' || before == 'p' || before == 'P') &&
                                  !(source_.substr(at_, 2) == "0x" && (before == 'e' || before == 'E'));
            if (!is_name(c) && c != '.' && !separator && !exponent) break;
            ++end;
        }
        return end;
    }

    /// The end of the line, before its newline: comments and directives do not include the newline.
    [[nodiscard]] std::size_t end_of_line(std::size_t from) const {
        while (from < source_.size() && source_[from] != '\n') {
            const std::size_t skip = continuation(from);
            from += skip != 0 ? skip : 1;
        }
        return from;
    }

    /// A directive ends at its line's end; a block comment inside may carry it over several lines.
    [[nodiscard]] std::size_t end_of_directive() const {
        std::size_t from = at_;
        while (from < source_.size() && source_[from] != '\n') {
            if (const std::size_t skip = continuation(from); skip != 0) {
                from += skip;
            } else if (source_[from] == '"') {
                from = end_of_quoted(from, '"');
            } else if (source_.substr(from, 2) == "//") {
                return from;  // the comment is its own token: it may contain a `lanescope` line
            } else if (source_.substr(from, 2) == "/*") {
                const std::size_t close = source_.find("*/", from + 2);
                if (close == std::string_view::npos) return source_.size();
                from = close + 2;
            } else {
                ++from;
            }
        }
        return from;
    }

    [[nodiscard]] std::size_t end_of_quoted(std::size_t from, char quote) const {
        for (++from; from < source_.size() && source_[from] != '\n'; ++from) {
            if (const std::size_t skip = continuation(from); skip != 0) {
                from += skip - 1;
            } else if (source_[from] == '\\' && from + 1 < source_.size() && source_[from + 1] != '\n') {
                ++from;
            } else if (source_[from] == quote) {
                return from + 1;
            }
        }
        return from;
    }

    /// [lex.string]: R"delimiter( ... )delimiter"
    [[nodiscard]] std::size_t end_of_raw(std::size_t quote) const {
        const std::size_t open = source_.find('(', quote);
        if (open == std::string_view::npos || open - quote > 17) return end_of_quoted(quote, '"');
        std::string close(")");
        close.append(source_.substr(quote + 1, open - quote - 1));
        close.push_back('"');
        const std::size_t found = source_.find(close, open);
        return found == std::string_view::npos ? source_.size() : found + close.size();
    }

    std::string_view source_;
    std::size_t at_ = 0;
    std::size_t line_begin_ = 0;
    unsigned line_ = 1;
    bool line_starts_ = true;
    std::vector<Token> tokens_;
};

enum class Conditional : std::uint8_t { none, open, next, close };

Conditional conditional(std::string_view name) {
    if (name == "if" || name == "ifdef" || name == "ifndef") return Conditional::open;
    if (name == "else" || name.starts_with("elif")) return Conditional::next;
    return name == "endif" ? Conditional::close : Conditional::none;
}

/// For every directive that opens a branch, by index among the directives: whether it is the last branch of its `#if`.
std::vector<bool> last_branches(const std::vector<DirectiveText>& directives) {
    std::vector<bool> last(directives.size(), false);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < directives.size(); ++i) {
        const Conditional kind = conditional(directives[i].name);
        if (kind == Conditional::none || (kind != Conditional::open && open.empty())) continue;
        if (kind != Conditional::open) {
            last[open.back()] = kind == Conditional::close;
            open.pop_back();
        }
        if (kind != Conditional::close) open.push_back(i);
    }
    for (const std::size_t i : open) last[i] = true;
    return last;
}

}  // namespace

std::vector<Token> tokenize(std::string_view source) { return Lexer(source).run(); }

DirectiveText directive_text(std::string_view line) {
    std::size_t at = line.find('#');
    at = at == std::string_view::npos ? line.size() : at + 1;
    while (at < line.size() && is_blank(line[at])) ++at;
    const std::size_t begin = at;
    while (at < line.size() && is_name(line[at])) ++at;
    DirectiveText result{line.substr(begin, at - begin), line.substr(at)};
    if (const std::size_t comment = result.rest.find("/*");
        comment != std::string_view::npos && result.name != "define")
        result.rest = result.rest.substr(0, comment);
    while (!result.rest.empty() && is_blank(result.rest.front())) result.rest.remove_prefix(1);
    while (!result.rest.empty() && is_blank(result.rest.back())) result.rest.remove_suffix(1);
    return result;
}

std::vector<Token> code_of(const std::vector<Token>& tokens, Branch branch) {
    std::vector<DirectiveText> directives;
    for (const Token& token : tokens) {
        if (token.kind == TokenKind::directive) directives.push_back(directive_text(token.text));
    }
    const std::vector<bool> last = last_branches(directives);

    struct Open {
        bool outer;  ///< the code around the `#if` is read
        bool taken;  ///< a branch was already read
    };
    std::vector<Token> code;
    std::vector<Open> open;
    bool counts = true;
    std::size_t next = 0;
    for (const Token& token : tokens) {
        if (token.kind == TokenKind::comment) continue;
        if (token.kind != TokenKind::directive) {
            if (counts) code.push_back(token);
            continue;
        }
        const std::size_t index = next++;
        const auto [name, rest] = directives[index];
        const Conditional kind = conditional(name);
        if (kind == Conditional::none || (kind != Conditional::open && open.empty())) continue;
        if (kind == Conditional::open) open.push_back({counts, false});
        if (kind == Conditional::close) {
            counts = open.back().outer;
            open.pop_back();
            continue;
        }
        const bool never = kind == Conditional::open && (rest == "0" || rest == "false");
        const bool chosen = branch == Branch::first ? !open.back().taken : bool{last[index]};
        counts = open.back().outer && chosen && !never;
        open.back().taken = open.back().taken || (chosen && !never);
    }
    return code;
}

}  // namespace lanescope::compile
