#include "compile/expand.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace lanescope::compile {

namespace {

constexpr std::size_t most_tokens = 2'000'000;  // of code written out: macros of macros grow fast
constexpr unsigned most_levels = 32;

bool is_written_out(const Macro& macro) {
    constexpr std::array<std::string_view, 12> others{"exit",        "abort",
                                                      "return",      "goto",
                                                      "throw",       "cudaGetErrorString",
                                                      "__VA_ARGS__", "cudaGetErrorName",
                                                      "__global__",  "__device__",
                                                      "__host__",    "assert"};
    for (std::size_t i = 0; i < macro.body.size(); ++i) {
        if (std::ranges::find(others, macro.body[i].text) != others.end()) return false;
        if (macro.body[i].is("#") && i + 1 < macro.body.size() && macro.body[i + 1].is("#")) return false;
    }
    return !macro.body.empty();
}

class Expander {
  public:
    explicit Expander(const Macros& macros) : macros_(macros) {}

    void expand(const std::vector<Token>& code, unsigned line) {
        if (out_.size() > most_tokens) return;
        for (std::size_t i = 0; i < code.size(); ++i) {
            const std::size_t past = replaced(code, i, line);
            if (past > i) {
                i = past - 1;
                continue;
            }
            out_.push_back(code[i]);
            if (line != 0) out_.back().line = line;
        }
    }

    std::vector<Token> take() { return std::move(out_); }

  private:
    /// Index past what was replaced; `at`: nothing was.
    std::size_t replaced(const std::vector<Token>& code, std::size_t at, unsigned line) {
        if (code[at].kind != TokenKind::identifier) return at;
        const auto found = macros_.find(code[at].text);
        const bool member = at > 0 && (code[at - 1].is(".") || code[at - 1].is("->") || code[at - 1].is("::"));
        if (found == macros_.end() || member || !is_written_out(found->second)) return at;
        if (open_.size() > most_levels || std::ranges::find(open_, &found->second) != open_.end()) return at;
        const Macro& macro = found->second;
        const unsigned own_line = line != 0 ? line : code[at].line;
        if (!macro.function) {
            open_.push_back(&macro);
            expand(macro.body, own_line);
            open_.pop_back();
            return at + 1;
        }
        if (at + 1 >= code.size() || !code[at + 1].is("(")) return at;
        const std::size_t past = past_bracket(code, at + 1, code.size());
        std::vector<TokenRange> arguments = split_commas(code, {at + 2, past - 1}, false);
        if (arguments.size() == 1 && arguments[0].empty() && macro.parameters.empty()) arguments.clear();
        if (macro.parameters.size() == 1 && macro.parameters[0].empty() && arguments.empty()) arguments.resize(1);
        if (arguments.size() != macro.parameters.size()) return at;
        std::vector<Token> body;
        for (std::size_t i = 0; i < macro.body.size(); ++i) {
            const Token& token = macro.body[i];
            const bool names = token.is("#") && i + 1 < macro.body.size();
            const auto parameter = std::ranges::find(macro.parameters, (names ? macro.body[i + 1] : token).text);
            if (parameter == macro.parameters.end()) {
                body.push_back(token);
            } else if (names) {
                body.push_back({.kind = TokenKind::string, .text = "\"\"", .offset = 0, .line = own_line});
                ++i;
            } else {
                const TokenRange& own = arguments[std::size_t(parameter - macro.parameters.begin())];
                body.insert(body.end(), code.begin() + std::ptrdiff_t(own.first),
                            code.begin() + std::ptrdiff_t(own.past_last));
            }
        }
        open_.push_back(&macro);
        expand(body, own_line);
        open_.pop_back();
        return past;
    }

    const Macros& macros_;
    std::vector<const Macro*> open_;  ///< those being written out: none stands for itself
    std::vector<Token> out_;
};

}  // namespace

std::vector<Token> with_macros(const std::vector<Token>& code, const Macros& macros) {
    Expander expander(macros);
    expander.expand(code, 0);
    return expander.take();
}

}  // namespace lanescope::compile
