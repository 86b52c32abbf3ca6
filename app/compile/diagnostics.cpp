#include "compile/diagnostics.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

namespace lanescope::compile {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

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
    const auto [stop, error] = std::from_chars(number.data(), number.data() + number.size(), message.diagnostic.line);
    if (error != std::errc{} || stop != number.data() + number.size()) return std::nullopt;
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

/// The column of a line that is blank but for one `^`: the quoted source stands two places to the right.
std::optional<unsigned> caret(std::string_view line) {
    const std::size_t at = line.find('^');
    if (at == std::string_view::npos || at < 2 || !trimmed(line.substr(0, at)).empty() ||
        !trimmed(line.substr(at + 1)).empty())
        return std::nullopt;
    return unsigned(at - 2 + 1);
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

}  // namespace lanescope::compile
