#include "compile/launches.h"

#include <algorithm>

namespace lanescope::compile {

namespace {

class Reader {
  public:
    Reader(const std::vector<Token>& code, const std::vector<Declaration>& declarations)
        : code_(code), declarations_(declarations) {}

    std::vector<NamedLaunch> run() {
        std::vector<NamedLaunch> launches;
        for (std::size_t i = 1; i < code_.size() && launches.size() < most_launches; ++i) {
            if (code_[i].kind != TokenKind::launch) continue;
            NamedLaunch launch{.line = code_[i].line};
            if (!name_before(i, launch)) continue;
            launch.repeated = is_in_loop(statements_before(i));
            launches.push_back(std::move(launch));
        }
        return launches;
    }

  private:
    [[nodiscard]] bool is(std::size_t at, std::string_view text) const {
        return at < code_.size() && code_[at].is(text);
    }

    /// `ns::kernel<float, 128>` before the `<<<`.
    bool name_before(std::size_t open, NamedLaunch& launch) const {
        std::size_t last = open - 1;
        if (is(last, ">")) {
            std::size_t angles = 0, brackets = 0, i = open;
            while (i-- > 0 && !is(i, ";")) {
                if (is(i, ")") || is(i, "]")) ++brackets;
                if ((is(i, "(") || is(i, "[")) && brackets-- == 0) return false;
                if (brackets != 0) continue;
                if (is(i, ">")) ++angles;
                if (is(i, "<") && --angles == 0) break;
            }
            if (i >= open || i == 0 || !is(i, "<")) return false;
            for (const TokenRange& part : split_commas(code_, {i + 1, last}, true))
                launch.template_arguments.push_back(as_written(code_, part));
            last = i - 1;
        }
        if (code_[last].kind != TokenKind::identifier) return false;
        launch.kernel = code_[last].text;
        while (last >= 2 && is(last - 1, "::") && code_[last - 2].kind == TokenKind::identifier) {
            last -= 2;
            launch.kernel = std::string(code_[last].text) + "::" + launch.kernel;
        }
        return true;
    }

    /// The statements of the enclosing function before the launch.
    [[nodiscard]] TokenRange statements_before(std::size_t at) const {
        for (const Declaration& declaration : declarations_) {
            if (declaration.kind != Declaration::Kind::type && declaration.has_body() && declaration.body_first < at &&
                at < declaration.body_past_last)
                return {declaration.body_first, at};
        }
        return {at, at};
    }

    /// Whether a loop that begins in the range extends past its end.
    [[nodiscard]] bool is_in_loop(TokenRange before) const {
        for (std::size_t i = before.first; i < before.past_last; ++i) {
            if (!is(i, "for") && !is(i, "while") && !is(i, "do")) continue;
            std::size_t body = is(i, "do") ? i + 1 : past_bracket(code_, i + 1, code_.size());
            const bool reaches = is(body, "{") ? past_bracket(code_, body, code_.size()) > before.past_last
                                               : std::none_of(code_.begin() + std::ptrdiff_t(body),
                                                              code_.begin() + std::ptrdiff_t(before.past_last),
                                                              [](const Token& token) { return token.is(";"); });
            if (reaches && body < before.past_last + 1) return true;
        }
        return false;
    }

    static constexpr std::size_t most_launches = 200;  // each scans its whole function

    const std::vector<Token>& code_;
    const std::vector<Declaration>& declarations_;
};

}  // namespace

std::vector<NamedLaunch> launches_of(const std::vector<Token>& code, const std::vector<Declaration>& declarations) {
    return Reader(code, declarations).run();
}

}  // namespace lanescope::compile
