#include "compile/declarations.h"

#include "base/number_type.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace lanescope::compile {

namespace {

template <std::size_t N>
bool one_of(std::string_view text, const std::array<std::string_view, N>& set) {
    return std::ranges::find(set, text) != set.end();
}

/// Names before a parenthesis that are not function names.
constexpr std::array<std::string_view, 11> attributes{
    "__launch_bounds__", "__attribute__",    "__align__",   "alignas",        "decltype", "__declspec",
    "noexcept",          "__cluster_dims__", "__maxnreg__", "__block_size__", "explicit"};

/// The words between a function's parameters and its body.
constexpr std::array<std::string_view, 5> after_parameters{"const", "noexcept", "override", "final", "volatile"};

/// CUDA specifiers in a declaration: execution spaces and memory spaces.
struct Marks {
    bool global = false, device = false, constant_evaluated = false, memory = false;
};

/// Index past the `>` that closes the template arguments at `open`; `end` if there is none.
std::size_t past_angle(const std::vector<Token>& code, std::size_t open, std::size_t end) {
    std::size_t depth = 0;
    for (std::size_t i = open; i < end; ++i) {
        if (code[i].is("(") || code[i].is("[") || code[i].is("{")) {
            i = past_bracket(code, i, end) - 1;
        } else if (code[i].is("<")) {
            ++depth;
        } else if (code[i].is(">") && --depth == 0) {
            return i + 1;
        } else if (code[i].is(";")) {
            break;  // `<` is a comparison
        }
    }
    return end;
}

class Parser {
  public:
    Parser(const std::vector<Token>& code, const Macros& macros) : code_(code), macros_(macros) {}

    std::vector<Declaration> run() {
        scope(0, code_.size(), "", false);
        return std::move(declarations_);
    }

  private:
    [[nodiscard]] bool is(std::size_t at, std::string_view text) const {
        return at < code_.size() && code_[at].is(text);
    }

    void scope(std::size_t at, std::size_t end, const std::string& name, bool member) {
        while (at < end) {
            if (is(at, ";") || is(at, "}") || is(at, ")") || is(at, "]")) {
                ++at;
            } else if (const std::optional<std::size_t> past = nested(at, end, name)) {
                at = *past;
            } else if (member && is(at + 1, ":") && (is(at, "public") || is(at, "private") || is(at, "protected"))) {
                at += 2;
            } else {
                at = declaration(at, end, name, member);
            }
        }
    }

    /// Reads the declarations inside `namespace a::b {` or `extern "C" {`; returns the index past it.
    std::optional<std::size_t> nested(std::size_t at, std::size_t end, const std::string& outer) {
        std::size_t open = at;
        std::string name = outer;
        if (is(at, "extern") && at + 1 < end && code_[at + 1].kind == TokenKind::string) {
            open = at + 2;
        } else {
            if (is(at, "inline")) ++open;
            if (!is(open, "namespace")) return std::nullopt;
            for (++open; open < end && !is(open, "{") && !is(open, ";") && !is(open, "="); ++open) {
                if (code_[open].kind == TokenKind::identifier) name += std::string(code_[open].text) + "::";
            }
        }
        if (!is(open, "{") || depth_ == max_depth) return std::nullopt;
        const std::size_t past = past_bracket(code_, open, end);
        ++depth_;
        scope(open + 1, is(past - 1, "}") ? past - 1 : past, name, false);
        --depth_;
        return past;
    }

    /// Reads the declaration at `at`; returns the index past it.
    std::size_t declaration(std::size_t at, std::size_t end, const std::string& name, bool member) {
        Declaration result;
        result.first = at;
        result.scope = name;
        result.member = member;
        if (const std::optional<std::size_t> past = past_macro(at, end)) return written_by_macro(result, *past);
        std::size_t parameters = 0;  // the parenthesis of a function's parameters
        bool assigned = false;
        bool function_body = false;
        bool type = false;
        bool angles_close = true;  // false after a `<` without `>`: it is a comparison, and so are later ones
        std::string type_name;
        std::size_t i = at;
        while (i < end && is(i, "template") && is(i + 1, "<")) i = past_angle(code_, i + 1, end);
        const bool alias = is(i, "using") || is(i, "typedef");
        for (; i < end && !is(i, ";"); ++i) {
            const Token& token = code_[i];
            if (token.is("struct") || token.is("class") || token.is("union") || token.is("enum")) {
                if (parameters == 0 && !assigned) type = true;
            } else if (token.is("=")) {
                assigned = assigned || parameters == 0;
            } else if (token.is("<") && i > at && code_[i - 1].kind == TokenKind::identifier && !assigned &&
                       parameters == 0 && angles_close) {
                const std::size_t past = past_angle(code_, i, end);
                angles_close = is(past - 1, ">");
                if (angles_close) i = past - 1;
            } else if (token.is("(")) {
                if (parameters == 0 && !assigned && !alias && is_function_name(i, at)) parameters = i;
                i = past_bracket(code_, i, end) - 1;
            } else if (token.is("[")) {
                i = past_bracket(code_, i, end) - 1;
            } else if (token.is("{")) {
                const std::size_t past = past_bracket(code_, i, end);
                function_body = parameters != 0 && begins_body(i);
                if (function_body || (type && !assigned && !result.has_body() && parameters == 0)) {
                    result.body_first = i;
                    result.body_past_last = past;
                }
                i = past - 1;
                if (function_body) break;
            } else if (type && type_name.empty() && token.kind == TokenKind::identifier &&
                       !one_of(token.text, attributes)) {
                type_name = token.text;
            }
        }
        result.past_last = std::min(i + 1, end);

        const Marks marks = marks_of(at, result.has_body() ? result.body_first : result.past_last);
        const bool function = parameters != 0 && (function_body || is_prototype(at, parameters));
        if (function && marks.global) {
            result.kind = Declaration::Kind::kernel;
        } else if (function && (marks.device || marks.constant_evaluated)) {
            result.kind = Declaration::Kind::device;
        } else if (function && !marks.memory) {
            result.kind = Declaration::Kind::host;
        } else if (type && result.has_body()) {
            result.kind = Declaration::Kind::type;
        }
        const Marks all = marks_of(at, result.past_last);
        result.mentions_device = all.global || all.device || all.memory;
        declarations_.push_back(result);
        if (result.kind == Declaration::Kind::type && !is(at, "enum") && depth_ < max_depth) {
            ++depth_;
            scope(result.body_first + 1, result.body_past_last - 1, name + type_name + "::", true);
            --depth_;
        }
        return result.past_last;
    }

    /// Index past `DEFINE(int)` if that is a macro whose body consists of whole declarations, which need no semicolon.
    [[nodiscard]] std::optional<std::size_t> past_macro(std::size_t at, std::size_t end) const {
        const auto macro = macros_.find(code_[at].text);
        if (macro == macros_.end() || !macro->second.function || macro->second.body.empty() || !is(at + 1, "("))
            return std::nullopt;
        const Token& last = macro->second.body.back();
        const std::size_t past = past_bracket(code_, at + 1, end);
        if (!(last.is("}") || last.is(";")) || is(past, "{")) return std::nullopt;
        return past;
    }

    /// Adds declarations that a macro writes, which are masked as a whole. Kernels among them are not listed.
    std::size_t written_by_macro(Declaration result, std::size_t past) {
        result.past_last = past;
        const std::vector<Token>& body = macros_.find(code_[result.first].text)->second.body;
        const Marks marks = marks_of(result.first, past);
        result.mentions_device = marks.global || marks.device || marks.memory;
        if (result.mentions_device || marks.constant_evaluated) {
            result.kind = Declaration::Kind::device;
        } else {
            const bool type = std::ranges::any_of(
                body, [](const Token& token) { return token.is("struct") || token.is("class") || token.is("enum"); });
            result.kind = type ? Declaration::Kind::other : Declaration::Kind::host;
        }
        declarations_.push_back(result);
        return past;
    }

    /// Whether the parenthesis at `at` opens the parameters of the function named before it.
    [[nodiscard]] bool is_function_name(std::size_t at, std::size_t first) const {
        if (at == first) return false;
        const Token& before = code_[at - 1];
        if (before.kind == TokenKind::identifier) return !one_of(before.text, attributes) && !before.is("operator");
        if (at >= first + 2 && is(at - 2, "operator")) return true;  // operator+ (
        return at >= first + 3 && is(at - 3, "operator");            // operator() (, operator[] (
    }

    /// Whether the `{` at `at` begins a function's body: it follows `)` or specifiers after that. After a name it
    /// begins an initializer.
    [[nodiscard]] bool begins_body(std::size_t at) const {
        const Token& before = code_[at - 1];
        if (before.is(")") || before.is("}") || before.is("try") || one_of(before.text, after_parameters)) return true;
        for (std::size_t i = at; i-- > 0 && !is(i, ")");) {
            if (is(i, "->")) return true;  // a trailing return type
        }
        return false;
    }

    /// Whether it declares a function, `int f(int);`, rather than a variable, `dim3 block(16, 16);`. Without types the
    /// two cannot always be distinguished; a wrong answer only concerns host code.
    [[nodiscard]] bool is_prototype(std::size_t first, std::size_t parameters) const {
        return !is(first, "static_assert") && !is(first, "asm") && parameters > first;
    }

    [[nodiscard]] Marks marks_of(std::size_t first, std::size_t past_last) const {
        Marks marks;
        std::set<std::string_view> written;  // macros already expanded: each is read once
        for (std::size_t i = first; i < past_last; ++i)
            if (code_[i].kind == TokenKind::identifier) mark_written(marks, code_[i].text, written, max_depth);
        return marks;
    }

    /// Adds the specifier of a name, also if it is a macro, possibly nested: MGPU_DEVICE for __device__.
    void mark_written(Marks& marks, std::string_view name, std::set<std::string_view>& written, unsigned deep) const {
        mark(marks, name);
        const auto macro = macros_.find(name);
        if (macro == macros_.end() || deep == 0 || !written.insert(macro->first).second) return;
        for (const Token& token : macro->second.body)
            if (token.kind == TokenKind::identifier) mark_written(marks, token.text, written, deep - 1);
    }

    static void mark(Marks& marks, std::string_view name) {
        if (name == "__global__") marks.global = true;
        if (name == "__device__") marks.device = true;
        if (name == "constexpr" || name == "consteval") marks.constant_evaluated = true;
        if (name == "__constant__" || name == "__shared__" || name == "__managed__") marks.memory = true;
    }

    static constexpr unsigned max_depth = 64;  // real programs do not nest deeper

    const std::vector<Token>& code_;
    const Macros& macros_;
    std::vector<Declaration> declarations_;
    unsigned depth_ = 0;
};

/// Whether a space belongs between two adjacent tokens of a type or a template parameter.
bool spaced(const Token& left, const Token& right) {
    const auto word = [](const Token& token) {
        return token.kind == TokenKind::identifier || token.kind == TokenKind::number ||
               token.kind == TokenKind::string;
    };
    if (left.is(",") || left.is("=") || right.is("=")) return true;
    return word(right) && (word(left) || left.is("*") || left.is("&") || left.is(">"));
}

constexpr std::array<std::string_view, 4> restricts{"__restrict__", "__restrict", "restrict", "__grid_constant__"};

/// Whether the word is a type: it distinguishes an unnamed parameter from a named one.
bool is_type_word(std::string_view word) {
    constexpr std::array<std::string_view, 3> others{"size_t", "void", "const"};
    return is_number_keyword(word) || one_of(word, others);
}

Parameter parameter_of(const std::vector<Token>& code, TokenRange range, std::size_t index) {
    std::vector<Token> tokens;
    bool array = false;
    for (std::size_t i = range.first; i < range.past_last && !code[i].is("="); ++i) {
        if (code[i].is("[")) {
            array = true;
            i = past_bracket(code, i, range.past_last) - 1;
        } else if (!one_of(code[i].text, restricts)) {
            tokens.push_back(code[i]);
        }
    }
    Parameter result;
    const bool named =
        tokens.size() > 1 && tokens.back().kind == TokenKind::identifier && !is_type_word(tokens.back().text);
    if (named) {
        result.name = tokens.back().text;
        tokens.pop_back();
    } else {
        result.name = "parameter" + std::to_string(index + 1);
    }
    const auto last_star =
        std::ranges::find_if(tokens.rbegin(), tokens.rend(), [](const Token& t) { return t.is("*"); });
    result.pointer = array || last_star != tokens.rend();
    const std::size_t pointee = last_star == tokens.rend() ? tokens.size() : std::size_t(tokens.rend() - last_star) - 1;
    const std::size_t element_end = array ? tokens.size() : pointee;
    std::vector<Token> element;
    for (std::size_t i = 0; i < element_end; ++i) {
        if (tokens[i].is("const")) result.read_only = result.pointer;
        if (!tokens[i].is("const") && !tokens[i].is("volatile") && !tokens[i].is("struct"))
            element.push_back(tokens[i]);
    }
    if (result.pointer) result.element = spelling(element, {0, element.size()});
    result.type = spelling(tokens, {0, tokens.size()}) + (array ? "*" : "");
    return result;
}

}  // namespace

Macros macros_of(const std::vector<Token>& tokens) {
    Macros macros;
    for (const Token& token : tokens) {
        if (token.kind != TokenKind::directive) continue;
        const auto [name, rest] = directive_text(token.text);
        if (name != "define") continue;
        const std::vector<Token> body = code_of(tokenize(rest), Branch::first);
        if (body.empty()) continue;
        Macro macro{.function = body.size() > 1 && body[1].is("(") && body[1].offset == body[0].end()};
        std::size_t begin = 1;
        if (macro.function) begin = past_bracket(body, 1, body.size());
        macro.body.assign(body.begin() + std::ptrdiff_t(begin), body.end());
        macros.insert_or_assign(std::string(body[0].text), std::move(macro));
    }
    return macros;
}

std::vector<Declaration> declarations_of(const std::vector<Token>& code, const Macros& macros) {
    return Parser(code, macros).run();
}

std::size_t past_bracket(const std::vector<Token>& code, std::size_t open, std::size_t end) {
    std::size_t depth = 0;
    for (std::size_t i = open; i < end; ++i) {
        if (code[i].is("(") || code[i].is("[") || code[i].is("{")) {
            ++depth;
        } else if ((code[i].is(")") || code[i].is("]") || code[i].is("}")) && --depth == 0) {
            return i + 1;
        }
    }
    return end;
}

std::vector<TokenRange> split_commas(const std::vector<Token>& code, TokenRange range, bool angles) {
    std::vector<TokenRange> parts;
    std::size_t begin = range.first;
    for (std::size_t i = range.first; i < range.past_last; ++i) {
        if (code[i].is("(") || code[i].is("[") || code[i].is("{")) {
            i = past_bracket(code, i, range.past_last) - 1;
        } else if (angles && code[i].is("<")) {
            i = past_angle(code, i, range.past_last) - 1;
        } else if (code[i].is(",")) {
            parts.push_back({begin, i});
            begin = i + 1;
        }
    }
    if (begin < range.past_last || !parts.empty()) parts.push_back({begin, range.past_last});
    return parts;
}

std::string spelling(const std::vector<Token>& code, TokenRange range) {
    std::string text;
    for (std::size_t i = range.first; i < range.past_last; ++i) {
        if (i > range.first && spaced(code[i - 1], code[i])) text += ' ';
        text += code[i].text;
    }
    return text;
}

std::string as_written(const std::vector<Token>& code, TokenRange range) {
    if (range.empty()) return {};
    const Token& last = code[range.past_last - 1];
    const std::string_view text(code[range.first].text.data(), last.end() - code[range.first].offset);
    std::string result;
    for (const char c : text) {
        const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\\';
        if (!space) result += c;
        if (space && !result.empty() && result.back() != ' ') result += ' ';
    }
    return result;
}

KernelDeclaration kernel_of(const std::vector<Token>& code, const Declaration& declaration) {
    KernelDeclaration kernel;
    std::size_t i = declaration.first;
    if (code[i].is("template") && code[i + 1].is("<")) {
        const std::size_t past = past_angle(code, i + 1, declaration.body_first);
        for (const TokenRange& part : split_commas(code, {i + 2, past - 1}, true))
            kernel.template_parameters.push_back(spelling(code, part));
        i = past;
    }
    for (; i + 1 < declaration.body_first; ++i) {
        if (code[i].kind != TokenKind::identifier || !code[i + 1].is("(")) continue;
        const std::size_t past = past_bracket(code, i + 1, declaration.body_first);
        if (one_of(code[i].text, attributes)) {
            i = past - 1;
            continue;
        }
        kernel.name = declaration.scope + std::string(code[i].text);
        kernel.line = code[i].line;
        const std::vector<TokenRange> parts = split_commas(code, {i + 2, past - 1}, true);
        for (const TokenRange& part : parts) {
            if (parts.size() == 1 && spelling(code, part) == "void") break;
            kernel.parameters.push_back(parameter_of(code, part, kernel.parameters.size()));
        }
        break;
    }
    return kernel;
}

}  // namespace lanescope::compile
