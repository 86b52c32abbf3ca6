#include "compile/diagnostics.h"

#include "base/text.h"
#include "base/whole_number.h"
#include "compile/declarations.h"
#include "compile/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::compile {

namespace {

struct Heading {
    std::string_view word;
    Diagnostic::Severity severity;
};
constexpr std::array<Heading, 4> headings{{{"error", Diagnostic::Severity::error},
                                           {"catastrophic error", Diagnostic::Severity::error},
                                           {"warning", Diagnostic::Severity::warning},
                                           {"note", Diagnostic::Severity::note}}};

/// `name(12): error: text`, `name(12): warning #177-D: text`.
std::optional<LogMessage> heading(std::string_view line) {
    const std::size_t close = line.find("): ");
    if (close == std::string_view::npos || line.starts_with(' ')) return std::nullopt;
    const std::size_t open = line.rfind('(', close);
    if (open == std::string_view::npos || open == 0) return std::nullopt;
    LogMessage message;
    message.file = line.substr(0, open);
    const std::string_view number = line.substr(open + 1, close - open - 1);
    if (!read_whole_number(number, message.diagnostic.line)) return std::nullopt;
    const std::string_view rest = line.substr(close + 3);
    for (const Heading& candidate : headings) {
        if (!rest.starts_with(candidate.word)) continue;
        const std::string_view after = rest.substr(candidate.word.size());
        if (!after.starts_with(':') && !after.starts_with(" #")) continue;
        message.diagnostic.severity = candidate.severity;
        const std::size_t colon = after.find(": ");
        message.diagnostic.text = trimmed(colon == std::string_view::npos ? "" : after.substr(colon + 2));
        return message;
    }
    return std::nullopt;
}

/// The column that a line with a single `^` marks; the quoted source line is indented by two.
std::optional<unsigned> caret(std::string_view line) {
    const std::size_t at = line.find('^');
    if (at == std::string_view::npos || at < 2 || !trimmed(line.substr(0, at)).empty() ||
        !trimmed(line.substr(at + 1)).empty())
        return std::nullopt;
    return unsigned(at - 2 + 1);
}

bool may_be_macro(const Token& token, const Macros& macros) {
    return macros.contains(token.text) || std::ranges::none_of(token.text, [](char c) { return c >= 'a' && c <= 'z'; });
}

std::optional<Diagnostic> unterminated_in(const std::vector<Token>& code, const Macros& macros) {
    const auto ends = [](const Token& token) { return token.is(";") || token.is("}"); };
    std::size_t first = code.size();
    while (first > 0 && !ends(code[first - 1])) --first;
    if (code.size() < first + 2) return std::nullopt;  // a single word may be a header's macro
    const bool words = std::ranges::all_of(
        code.begin() + std::ptrdiff_t(first), code.begin() + std::ptrdiff_t(first + 2),
        [&](const Token& token) { return token.kind == TokenKind::identifier && !may_be_macro(token, macros); });
    // For an open brace the compiler's own message is more precise.
    const bool open =
        std::any_of(code.begin() + std::ptrdiff_t(first), code.end(), [](const Token& token) { return token.is("{"); });
    if (!words || open) return std::nullopt;
    return Diagnostic{.severity = Diagnostic::Severity::error,
                      .line = code[first].line,
                      .column = code[first].column,
                      .text = fmt::format("\"{}\" at the end of the file is not a declaration: it ends without a \";\"",
                                          as_written(code, {first, std::min(code.size(), first + 8)}))};
}

}  // namespace

std::vector<LogMessage> parse_log(std::string_view log) {
    std::vector<LogMessage> messages;
    const std::string_view whole = trimmed(log);
    std::vector<std::string_view> continuation;  // lines since the heading, among them the quoted source
    bool inside = false;
    const auto finish = [&] {
        if (inside) {
            for (const std::string_view line : continuation)
                messages.back().diagnostic.text += fmt::format(" ({})", trimmed(line));
        }
        continuation.clear();
        inside = false;
    };
    while (!log.empty()) {
        const std::size_t newline = log.find('\n');
        const std::string_view line = log.substr(0, newline);
        log.remove_prefix(newline == std::string_view::npos ? log.size() : newline + 1);
        if (std::optional<LogMessage> message = heading(line)) {
            finish();
            messages.push_back(std::move(*message));
            inside = true;
        } else if (trimmed(line).empty()) {
            finish();
        } else if (const std::optional<unsigned> column = caret(line); inside && column) {
            messages.back().diagnostic.column = *column;
            if (!continuation.empty()) continuation.pop_back();  // the quoted source
        } else if (inside) {
            continuation.push_back(line);
        }
    }
    finish();
    if (messages.empty() && !whole.empty()) messages.push_back({{.text = std::string(whole)}, {}});
    return messages;
}

std::vector<Diagnostic> diagnostics_for(const std::vector<LogMessage>& messages, const std::string& file) {
    std::vector<Diagnostic> result;
    for (const LogMessage& message : messages) {
        Diagnostic diagnostic = message.diagnostic;
        if (message.file != file) {
            if (!message.file.empty())
                diagnostic.text = fmt::format("{} (in {}, line {})", diagnostic.text, message.file, diagnostic.line);
            diagnostic.line = diagnostic.column = 0;
        }
        result.push_back(std::move(diagnostic));
    }
    return result;
}

std::optional<Diagnostic> unterminated_declaration(const std::string& source) {
    const std::vector<Token> tokens = tokenize(source);
    const Macros macros = macros_of(tokens);
    const auto found = unterminated_in(code_of(tokens, Branch::first), macros);
    return found && unterminated_in(code_of(tokens, Branch::last), macros) ? found : std::nullopt;
}

bool may_need_newer_gpu(std::string_view log) {
    constexpr std::array<std::string_view, 4> signs{"identifier \"__", "sm_", "compute_", "rchitecture"};
    return std::ranges::any_of(signs, [&](std::string_view sign) { return log.contains(sign); });
}

}  // namespace lanescope::compile
