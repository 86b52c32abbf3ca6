// A whole text: header, module-scope variables, functions; then control flow, layout, names (PTX ISA 4, 5.4, 11).
// Several translation units may follow each other, each with a header of its own: they become one module, linked by
// name.
#include "base/grouped.h"
#include "model/device_limits.h"
#include "ptx/control_flow.h"
#include "ptx/dwarf.h"
#include "ptx/function_parser.h"
#include "ptx/layout.h"
#include "ptx/limits.h"
#include "ptx/linkage.h"

#include <fmt/format.h>
#include <algorithm>
#include <map>
#include <utility>

namespace lanescope::ptx {
namespace {

class ModuleParser {
  public:
    ModuleParser(Module& module, const std::string& file, const OpcodeMeanings& meanings)
        : module_(module), meanings_(meanings), tokens_(module.text, file), names_(module, tokens_), places_(module) {}

    void parse() {
        do {
            unit();
        } while (tokens_.peek().kind != Token::Kind::end);
        names_.check_all_defined();
        lay_out_shared(module_);
        name_shared_arrays(module_);
    }

    /// Offsets at which the text needs a line break, so that every instruction has a line of its own.
    [[nodiscard]] const std::vector<std::size_t>& shared_lines() const { return shared_lines_; }

  private:
    static constexpr std::uint64_t most_32_bits = 0xffff'ffff;

    // --- Translation units -----------------------------------------------------------------------------------------

    /// From its .version to the next, or to the end of the text.
    void unit() {
        if (++units_ > limits::units)
            tokens_.refuse(tokens_.peek(),
                           fmt::format("the text has more than {}", counted(limits::units, "translation unit")));
        names_.begin_unit();
        header();
        while (tokens_.peek().kind != Token::Kind::end && !tokens_.peek().is(".version")) top_level();
        places_.end_unit(std::exchange(unit_files_, {}), debug_strings(sections_));
        read_dwarf(module_, {.sections = sections_, .functions = unit_functions_, .names = names_.of_unit()}, known_);
        sections_.clear();
        unit_functions_.clear();
    }

    // --- Header -----------------------------------------------------------------------------------------------

    void header() {
        if (!tokens_.peek().is(".version"))
            tokens_.refuse(tokens_.peek(), fmt::format("expected .version, not {}", quoted(tokens_.peek())),
                           "PTX begins with .version, .target and .address_size.");
        tokens_.take();
        version(tokens_.take());
        if (!tokens_.accept(".target")) tokens_.unexpected(".target after .version");
        target();
    }

    void version(const Token& token) {
        const std::size_t dot = token.text.find('.');
        Constant major, minor;
        if (token.kind != Token::Kind::number || dot == std::string_view::npos ||
            !decode_constant(token.text.substr(0, dot), major) || !decode_constant(token.text.substr(dot + 1), minor) ||
            major.floating || minor.floating || major.bits > 99 || minor.bits > 9)
            tokens_.refuse(token, fmt::format("{} is not a version of PTX", quoted(token)));
        module_.version = std::max(module_.version, static_cast<std::uint32_t>(10 * major.bits + minor.bits));
    }

    /// sm_75, debug
    void target() {
        do {
            const Token name = tokens_.expect_name("a target such as sm_75");
            if (!name.text.starts_with("sm_")) continue;  // debug, texmode_independent
            std::uint32_t number = 0;
            for (const char c : name.text.substr(3))
                if (c >= '0' && c <= '9' && number < 1000) number = 10 * number + static_cast<std::uint32_t>(c - '0');
            module_.target = std::max(module_.target, number);
        } while (tokens_.accept(','));
    }

    // --- Module scope -----------------------------------------------------------------------------------------

    void top_level() {
        const Token word = tokens_.peek();
        if (tokens_.accept(';')) return;
        if (word.kind != Token::Kind::word || !word.text.starts_with('.')) tokens_.unexpected("a directive");
        tokens_.take();
        if (word.text == ".address_size") {
            const Token size = tokens_.peek();
            if (tokens_.expect_count("an address size", 64) != 64)
                tokens_.refuse(size, "only 64-bit addresses are supported");
        } else if (word.text == ".file") {
            file();
        } else if (word.text == ".section") {
            section();
        } else if (word.text == ".pragma" || word.text == ".alias") {
            if (word.text == ".alias") tokens_.refuse(word, "the directive \".alias\" is not supported");
            tokens_.skip_statement();
        } else if (word.text == ".loc") {
            places_.parse(tokens_);
        } else {
            declaration(word);
        }
    }

    /// 1 "name.cu", timestamp, size
    void file() {
        const auto number = static_cast<std::uint32_t>(tokens_.expect_count("a file number", most_32_bits));
        if (tokens_.peek().kind != Token::Kind::string) tokens_.unexpected("a file name");
        unit_files_[number] = tokens_.take().text;
        while (tokens_.accept(',')) tokens_.expect_constant("a time or size");
    }

    void section() {
        const Token name = tokens_.expect_word("a section's name");
        if (!tokens_.peek().is('{')) tokens_.unexpected("\"{\" after the section's name");
        sections_.push_back({name.text, tokens_.take_braced()});
    }

    /// .visible .entry name(...) {...}   .extern .shared .align 16 .b8 name[];
    void declaration(Token word) {
        Linkage linkage = Linkage::local;
        for (Linkage given = linkage_directive(word.text); given != Linkage::local;
             given = linkage_directive(word.text)) {
            linkage = linkage == Linkage::external ? linkage : given;
            word = tokens_.expect_word("a declaration");
        }
        if (word.text == ".entry" || word.text == ".func") {
            function(word.text == ".entry", linkage);
        } else if (const Space space = space_directive(word.text);
                   space == Space::shared || space == Space::global || space == Space::constant) {
            variables(space, linkage);
        } else {
            tokens_.refuse(word, fmt::format("the directive {} is not supported here{}", quoted(word),
                                             because_of_family(word.text)));
        }
    }

    void variables(Space space, Linkage linkage) {
        for (Declaration& declaration : parse_variables(tokens_, space, names_.of_unit())) {
            const Token& name = declaration.name;
            if (declaration.variable.dynamic() && linkage != Linkage::external)
                tokens_.refuse(name, fmt::format("{} has no size", quoted(name)));
            count_variable(name, space);
            names_.place(name, linkage, std::move(declaration.variable));
        }
    }

    void count_variable(const Token& at, Space space) {
        if (++usage_.variables > limits::variables)
            tokens_.refuse(at, fmt::format("the module has more than {}", counted(limits::variables, "variable")));
        if (space == Space::shared && ++shared_variables_ > limits::shared_variables)
            tokens_.refuse(
                at, fmt::format("the module has more than {}", counted(limits::shared_variables, "shared variable")));
    }

    // --- Functions --------------------------------------------------------------------------------------------

    void function(bool entry, Linkage linkage) {
        Function function;
        function.entry = entry;
        if (!entry && tokens_.peek().is('(')) function.results = parameters();
        const Token name = tokens_.expect_name("the function's name");
        function.name = name.text;
        function.line = PtxLine(name.line);
        if (tokens_.peek().is('(')) function.parameters = parameters();
        attributes(function);
        lay_out_frame(function);
        if (const auto most = model::emulated_device().parameter_bytes; entry && function.parameter_bytes > most)
            tokens_.refuse(name, fmt::format("the parameters take {}; the limit is {}",
                                             counted(function.parameter_bytes, "byte"), grouped(most)));

        const bool definition = tokens_.peek().is('{');
        const Names::Place place = names_.place(name, linkage, definition, std::move(function));
        if (tokens_.accept(';')) return;
        tokens_.expect('{', "to begin the function");
        if (place.duplicate) {
            skip_body(name);
            return;
        }
        Function& placed = module_.functions[place.index];
        placed.defined = true;
        unit_functions_.push_back(place.index);
        FunctionParser body(tokens_, module_, names_.of_unit(), places_, usage_, place.index);
        body.parse();
        for (Instruction& instruction : placed.instructions)
            instruction.row = &meanings_[static_cast<std::size_t>(instruction.opcode)];
        shared_lines_.insert(shared_lines_.end(), body.shared_lines().begin(), body.shared_lines().end());

        for (const Variable& variable : placed.variables)
            if (variable.space == Space::shared && ++shared_variables_ > limits::shared_variables)
                tokens_.refuse(name, fmt::format("the module has more than {}",
                                                 counted(limits::shared_variables, "shared variable")));
        lay_out_frame(placed);
        if (const auto most = model::emulated_device().local_bytes_per_thread; placed.local_bytes > most)
            tokens_.refuse(name, fmt::format("{} needs {} of local memory per thread; the limit is {}", quoted(name),
                                             counted(placed.local_bytes, "byte"), grouped(most)));
        analyse_control_flow(placed);
    }

    /// Skips a definition that another unit has provided, through the '}' that ends it.
    void skip_body(const Token& name) {
        for (std::uint32_t depth = 1; depth > 0;) {
            const Token token = tokens_.take();
            if (token.kind == Token::Kind::end)
                tokens_.refuse(token, fmt::format("the text ends inside {}", quoted(name)), "Is the file complete?");
            if (token.is('{')) ++depth;
            if (token.is('}')) --depth;
        }
    }

    /// (.param .u64 a, .param .align 8 .b8 b[16])
    std::vector<Variable> parameters() {
        std::vector<Variable> parameters;
        tokens_.expect('(', "before the parameters");
        if (tokens_.accept(')')) return parameters;
        do {
            const Token word = tokens_.peek();
            if (!tokens_.accept(".param")) tokens_.unexpected(".param");
            Declaration parameter = parse_variable(tokens_, Space::param, names_.of_unit());
            if (parameter.variable.dynamic()) tokens_.refuse(parameter.name, "a parameter needs a size");
            count_variable(word, Space::param);
            parameters.push_back(std::move(parameter.variable));
        } while (tokens_.accept(','));
        tokens_.expect(')', "after the parameters");
        return parameters;
    }

    /// Performance directives between the parameters and the body (PTX ISA 11.4).
    void attributes(Function& function) {
        for (;;) {
            const Token word = tokens_.peek();
            if (word.kind != Token::Kind::word) return;
            tokens_.take();
            if (word.text == ".reqntid") {
                function.required_block = triple();
            } else if (word.text == ".maxntid") {
                function.most_block = triple();
            } else if (word.text == ".minnctapersm" || word.text == ".maxnctapersm" || word.text == ".maxnreg") {
                tokens_.expect_count("a number", most_32_bits);
            } else if (word.text == ".noreturn") {
                function.returns = false;
            } else if (word.text == ".pragma") {
                tokens_.skip_statement();
            } else {
                tokens_.refuse(word, fmt::format("the directive {} of a function is not supported{}", quoted(word),
                                                 because_of_family(word.text)));
            }
        }
    }

    std::array<std::uint32_t, 3> triple() {
        std::array<std::uint32_t, 3> numbers{1, 1, 1};
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (i > 0 && !tokens_.accept(',')) break;
            numbers[i] = static_cast<std::uint32_t>(tokens_.expect_count("a number of threads", most_32_bits));
        }
        return numbers;
    }

    Module& module_;
    const OpcodeMeanings& meanings_;
    TokenStream tokens_;
    Names names_;
    Places places_;
    Usage usage_;
    std::size_t shared_variables_ = 0;
    std::uint32_t units_ = 0;
    std::map<std::uint32_t, std::string> unit_files_;
    std::vector<std::uint32_t> unit_functions_;  ///< defined in the unit: indices in Module::functions
    std::vector<SectionText> sections_;          ///< of the unit
    DwarfKnown known_;
    std::vector<std::size_t> shared_lines_;
};

void find_lines(Module& module) {
    module.line_starts = {0};
    for (std::size_t i = 0; i < module.text.size(); ++i)
        if (module.text[i] == '\n') module.line_starts.push_back(static_cast<std::uint32_t>(i + 1));
}

/// The text with a line break before each of the offsets, which ascend.
std::string with_line_breaks(const std::string& text, const std::vector<std::size_t>& offsets) {
    std::string broken;
    std::size_t begin = 0;
    for (const std::size_t offset : offsets) {
        broken.append(text, begin, offset - begin);
        broken += '\n';
        begin = offset;
    }
    return broken.append(text, begin);
}

}  // namespace

Result<Module> parse(std::string text, const std::string& file, const OpcodeMeanings& meanings) {
    if (text.size() > limits::text_bytes)
        return fail(fmt::format("the PTX is larger than {} MiB", limits::text_bytes >> 20U), Place{file, 0, 0});
    try {
        std::vector<std::size_t> shared_lines;
        do {
            Module module;
            module.text = std::move(text);
            find_lines(module);
            ModuleParser parser(module, file, meanings);
            parser.parse();
            shared_lines = parser.shared_lines();
            if (shared_lines.empty()) return module;
            // Inline assembly puts several instructions on a line, but a trace names an instruction by its line.
            text = with_line_breaks(module.text, shared_lines);
        } while (true);
    } catch (Refusal& refusal) {
        return std::unexpected(std::move(refusal.problem));
    }
}

}  // namespace lanescope::ptx
