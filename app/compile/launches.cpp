#include "compile/launches.h"

#include <algorithm>

namespace lanescope::compile {

namespace {

using Extent = LaunchHint::Extent;
using Extents = std::map<std::string, Extent, std::less<>>;

class Reader {
  public:
    Reader(const std::vector<Token>& code, const std::vector<Declaration>& declarations, const Constants& constants)
        : code_(code), declarations_(declarations), constants_(constants) {}

    std::vector<LaunchHint> run() {
        std::size_t seen = 0;
        for (std::size_t i = 1; i < code_.size() && seen < most_launches; ++i) {
            if (code_[i].kind != TokenKind::launch) continue;
            launch(i);
            ++seen;
        }
        return std::move(launches_);
    }

  private:
    [[nodiscard]] bool is(std::size_t at, std::string_view text) const {
        return at < code_.size() && code_[at].is(text);
    }

    void launch(std::size_t open) {
        const std::size_t close = past_configuration(open);
        LaunchHint hint;
        hint.line = code_[open].line;
        if (!name_before(open, hint)) return;
        const TokenRange before = statements_before(open);
        hint.repeated = in_loop(before);
        Constants constants = constants_;
        add_locals(code_, before, constants);
        Extents extents;
        add_extents({0, code_.size()}, false, constants, extents);
        add_extents(before, true, constants, extents);

        const std::vector<TokenRange> parts = split_commas(code_, {open + 1, close}, false);
        const auto part = [&](std::size_t index) { return index < parts.size() ? parts[index] : TokenRange{}; };
        hint.grid = as_written(code_, part(0));
        hint.block = as_written(code_, part(1));
        hint.shared = as_written(code_, part(2));
        hint.grid_extent = extent_of(part(0), constants, extents);
        hint.block_extent = extent_of(part(1), constants, extents);
        hint.grid_value = one_dimensional(hint.grid_extent);
        hint.block_value = one_dimensional(hint.block_extent);
        if (const auto shared = evaluate_constant(code_, part(2), constants); shared && shared->value() >= 0)
            hint.shared_value = std::uint64_t(shared->value());
        if (is(close + 3, "(")) {
            const std::size_t past = past_bracket(code_, close + 3, code_.size());
            for (const TokenRange& argument : split_commas(code_, {close + 4, past - 1}, false)) {
                hint.arguments.push_back(as_written(code_, argument));
                const std::optional<Number> value = evaluate_constant(code_, argument, constants);
                hint.argument_values.push_back(value ? std::optional(value->value()) : std::nullopt);
            }
        }
        launches_.push_back(std::move(hint));
    }

    /// Index of the `>>>` that ends the configuration, or the end of the code.
    [[nodiscard]] std::size_t past_configuration(std::size_t open) const {
        std::size_t i = open + 1;
        while (i < code_.size() && !is(i, ";")) {
            if (is(i, ">") && is(i + 1, ">") && is(i + 2, ">")) return i;
            const bool bracket = is(i, "(") || is(i, "[") || is(i, "{");
            i = bracket ? past_bracket(code_, i, code_.size()) : i + 1;
        }
        return std::min(i, code_.size());
    }

    /// `ns::kernel<float, 128>` before the `<<<`.
    bool name_before(std::size_t open, LaunchHint& hint) const {
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
                hint.template_arguments.push_back(as_written(code_, part));
            last = i - 1;
        }
        if (code_[last].kind != TokenKind::identifier) return false;
        hint.kernel = code_[last].text;
        while (last >= 2 && is(last - 1, "::") && code_[last - 2].kind == TokenKind::identifier) {
            last -= 2;
            hint.kernel = std::string(code_[last].text) + "::" + hint.kernel;
        }
        return true;
    }

    /// The statements of the function around a launch, up to it.
    [[nodiscard]] TokenRange statements_before(std::size_t at) const {
        for (const Declaration& declaration : declarations_) {
            if (declaration.kind != Declaration::Kind::type && declaration.has_body() && declaration.body_first < at &&
                at < declaration.body_past_last)
                return {declaration.body_first, at};
        }
        return {at, at};
    }

    /// Does a loop that begins in the range reach past its end?
    [[nodiscard]] bool in_loop(TokenRange before) const {
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

    /// dim3 variables of a range: `dim3 block(16, 16), grid = dim3(4);`, `grid = dim3(8);`, `block.y = 4;`.
    void add_extents(TokenRange range, bool assignments, const Constants& constants, Extents& extents) const {
        for (std::size_t i = range.first; i + 2 < range.past_last; ++i) {
            if (is(i, "dim3") && code_[i + 1].kind == TokenKind::identifier) {
                std::size_t end = i + 1;
                while (end < range.past_last && !is(end, ";"))
                    end = is(end, "(") || is(end, "{") ? past_bracket(code_, end, range.past_last) : end + 1;
                for (const TokenRange& part : split_commas(code_, {i + 1, end}, false)) {
                    if (part.empty()) continue;
                    const std::size_t value = is(part.first + 1, "=") ? part.first + 2 : part.first + 1;
                    if (const auto extent = extent_of({value, part.past_last}, constants, extents))
                        extents.insert_or_assign(std::string(code_[part.first].text), *extent);
                }
                i = end;
            } else if (assignments && code_[i].kind == TokenKind::identifier && is(i + 1, "=") && is(i + 2, "dim3")) {
                std::size_t end = i + 3;
                while (end < range.past_last && !is(end, ";")) ++end;
                if (const auto extent = extent_of({i + 2, end}, constants, extents))
                    extents.insert_or_assign(std::string(code_[i].text), *extent);
            } else if (assignments && is(i + 1, ".") && i + 3 < range.past_last && is(i + 3, "=")) {
                const auto found = extents.find(code_[i].text);
                const std::size_t axis = is(i + 2, "x") ? 0 : is(i + 2, "y") ? 1 : is(i + 2, "z") ? 2 : 3;
                std::size_t end = i + 4;
                while (end < range.past_last && !is(end, ";")) ++end;
                const auto value = evaluate_constant(code_, {i + 4, end}, constants);
                if (found != extents.end() && axis < 3 && value && value->value() >= 1)
                    found->second[axis] = std::uint64_t(value->value());
            }
        }
    }

    /// The extent that tokens stand for: a dim3 variable, `dim3(a, b)`, `(a, b)`, `{a, b}` or a number.
    [[nodiscard]] std::optional<Extent> extent_of(TokenRange range, const Constants& constants,
                                                  const Extents& extents) const {
        if (range.empty() || range.first >= code_.size()) return std::nullopt;
        if (range.past_last == range.first + 1) {
            if (const auto found = extents.find(code_[range.first].text); found != extents.end()) return found->second;
        }
        if (is(range.first, "dim3")) ++range.first;
        const bool listed = (is(range.first, "(") || is(range.first, "{")) &&
                            past_bracket(code_, range.first, range.past_last) == range.past_last &&
                            range.past_last > range.first + 1;
        const std::vector<TokenRange> parts = listed
                                                  ? split_commas(code_, {range.first + 1, range.past_last - 1}, false)
                                                  : std::vector<TokenRange>{range};
        if (parts.empty() || parts.size() > 3) return std::nullopt;
        Extent extent{1, 1, 1};
        for (std::size_t axis = 0; axis < parts.size(); ++axis) {
            const auto value = evaluate_constant(code_, parts[axis], constants);
            if (!value || !(value->value() >= 1) || value->value() > 4.3e9) return std::nullopt;
            extent[axis] = std::uint64_t(value->value());
        }
        return extent;
    }

    static std::optional<std::uint64_t> one_dimensional(const std::optional<Extent>& extent) {
        if (!extent || (*extent)[1] != 1 || (*extent)[2] != 1) return std::nullopt;
        return (*extent)[0];
    }

    static constexpr std::size_t most_launches = 200;  // each reads its whole function

    const std::vector<Token>& code_;
    const std::vector<Declaration>& declarations_;
    const Constants& constants_;
    std::vector<LaunchHint> launches_;
};

}  // namespace

std::vector<LaunchHint> launches_of(const std::vector<Token>& code, const std::vector<Declaration>& declarations,
                                    const Constants& constants) {
    return Reader(code, declarations, constants).run();
}

Copies copies_of(const std::vector<Token>& code) {
    Copies copies;
    for (std::size_t i = 0; i + 1 < code.size(); ++i) {
        if (!code[i].text.starts_with("cudaMemcpy") || !code[i + 1].is("(")) continue;
        const std::size_t past = past_bracket(code, i + 1, code.size());
        const std::vector<TokenRange> arguments = split_commas(code, {i + 2, past - 1}, false);
        if (arguments.size() < 4) continue;
        const std::string direction = as_written(code, arguments[3]);
        if (direction.ends_with("HostToDevice")) copies.in.push_back(as_written(code, arguments[0]));
        if (direction.ends_with("DeviceToHost")) copies.out.push_back(as_written(code, arguments[1]));
    }
    return copies;
}

std::map<std::string, std::uint64_t> allocations_of(const std::vector<Token>& code,
                                                    const std::vector<Declaration>& declarations,
                                                    const Constants& constants) {
    std::map<std::string, std::uint64_t> allocations;
    for (const Declaration& declaration : declarations) {
        if (declaration.kind != Declaration::Kind::host || !declaration.has_body()) continue;
        Constants local = constants;
        add_locals(code, {declaration.body_first, declaration.body_past_last}, local);
        for (std::size_t i = declaration.body_first; i + 1 < declaration.body_past_last; ++i) {
            if ((!code[i].is("cudaMalloc") && !code[i].is("cudaMallocManaged")) || !code[i + 1].is("(")) continue;
            const std::size_t past = past_bracket(code, i + 1, declaration.body_past_last);
            const std::vector<TokenRange> arguments = split_commas(code, {i + 2, past - 1}, false);
            if (arguments.size() < 2 || arguments[0].empty()) continue;
            const auto bytes = evaluate_constant(code, arguments[1], local);
            if (bytes && bytes->value() >= 1 && bytes->value() < 1e15)
                allocations.emplace(code[arguments[0].past_last - 1].text, std::uint64_t(bytes->value()));
        }
    }
    return allocations;
}

}  // namespace lanescope::compile
