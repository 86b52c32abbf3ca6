// Runs the tokens of host functions. Statements are in host_code.cpp, declarations in host_declarations.cpp, expressions in
// host_expression.cpp, calls in host_calls.cpp, those of the CUDA runtime in host_runtime.cpp, launches in host_launch.cpp,
// places in host_places.cpp, memory in host_memory.cpp, what the host does wrong in host_faults.cpp.
#pragma once

#include "session/host_machine.h"
#include "session/host_random.h"
#include "session/structure.h"

#include "compile/constants.h"

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace lanescope::session {

class HostInterpreter {
  public:
    HostInterpreter(const std::string& source, const DeviceContents& contents, std::uint64_t most_work);

    void call(const HostCall& call);
    [[nodiscard]] HostRun result() { return std::move(run_); }

  private:
    using Range = compile::TokenRange;
    enum class Home : std::uint8_t { host, device, managed };
    using Code = std::vector<compile::Token>;

    enum class Flow : std::uint8_t { on, broken, continued, returned };

    /// A value and, where it has one, the place it was read from.
    struct Operand {
        HostValue value;
        HostVariable* variable = nullptr;
        std::optional<std::uint32_t> memory;
        std::int64_t offset = 0;
        HostCell cell;  ///< of the place; while a sizeof is read, of what it would be
        int axis = -1;  ///< of an extent variable: .x, .y, .z
    };

    struct Function {
        Range body;          ///< without its braces
        Range initialisers;  ///< of a constructor: what follows the colon
        compile::KernelDeclaration declaration;
    };
    using Functions = std::map<std::string, std::vector<Function>, std::less<>>;
    /// Where a structure lies whose function is run.
    struct Place {
        std::uint32_t memory = 0;
        std::int64_t offset = 0;
        const Structure* structure = nullptr;
    };

    /// One more statement in another, as long as it lives.
    struct Nested {
        explicit Nested(unsigned& depth) : depth_(depth) { ++depth_; }
        ~Nested() { --depth_; }
        Nested(const Nested&) = delete;
        Nested& operator=(const Nested&) = delete;
        unsigned& depth_;
    };

    struct TextHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    using Scope = std::map<std::string, HostVariable, std::less<>>;

    // --- Statements ---
    void add_function(const compile::Declaration& declaration);
    void find_launchers();
    void globals(const std::vector<compile::Declaration>& declarations);
    std::size_t statement(std::size_t at, std::size_t end);  ///< index past it
    void statements(Range range);
    [[nodiscard]] std::size_t past_statement(std::size_t at, std::size_t end, unsigned depth = 0) const;
    [[nodiscard]] std::size_t semicolon(std::size_t at, std::size_t end) const;
    void loop(std::size_t at, Range condition, Range step, Range body, bool body_first);
    std::size_t for_loop(std::size_t at, std::size_t end);
    void range_loop(Range head, Range body);
    std::size_t switch_over(std::size_t at, std::size_t end);
    /// Cut at the commas that stand in no bracket, nor between the angles of a template that the host knows.
    [[nodiscard]] std::vector<Range> by_commas(Range range) const;
    [[nodiscard]] std::size_t past_label(std::size_t at, std::size_t end) const;
    [[nodiscard]] bool is_declaration(std::size_t at, std::size_t end) const;
    void declare(std::size_t at, std::size_t end);
    void declare_all(const HostType& type, Range declarators);
    bool define_structure(std::size_t at, std::size_t end, std::string name);
    void count_unknown(Range declarators);
    void name_type(Range range);
    void declare_one(HostType type, bool reference, Range declarator);
    void declare_array(HostVariable& variable, const std::string& name, Range declarator);
    void declare_vector(HostVariable& variable, const std::string& name, Range declarator);
    void declare_structure(HostVariable& variable, const std::string& name, Range declarator);
    void initialise(std::uint32_t memory, std::int64_t offset, const HostCell& whole, Range list);
    [[nodiscard]] std::optional<std::string> text_at(Range value, const HostCell& cell) const;
    void write_text(std::uint32_t memory, std::int64_t offset, const HostCell& cell, const std::string& text);
    void construct(const Place& place, const std::vector<Operand>& arguments);
    void launch(std::size_t at, std::size_t open, std::size_t end);
    void launch_call(const std::vector<Range>& arguments);
    void name_instance(Range list, HostLaunch& launch);
    trace::Dim3 launch_extent(Range part);
    void pass(const std::string& spelled, const HostValue& value, HostLaunch& launch);
    void add(HostLaunch launch);
    void pass_pointer(const std::string& kernel, const std::string& spelled, const HostValue& value,
                      HostArgument& argument);
    [[nodiscard]] bool launches_later(std::size_t at) const;
    [[nodiscard]] static bool is_launch(const compile::Token& token);

    bool declare_source(std::size_t at, std::size_t end);
    std::optional<HostValue> source_call(const HostValue& called, const std::vector<Range>& arguments);
    HostValue lambda();
    HostValue lambda_call(const HostValue& called, const std::vector<Operand>& arguments);
    struct ParameterType {
        HostType type;
        bool refers = false;  ///< by &
    };
    [[nodiscard]] ParameterType type_of_parameter(const std::string& spelled);
    void bind(Scope& scope, const compile::Parameter& parameter, const Operand* given);
    void bind_templates(const Function& function, const std::vector<Operand>& arguments,
                        const std::vector<Range>& explicitly);

    // --- Types ---
    /// The type that tokens from `at` on spell, without declarators; `at` is moved past it.
    /// The element that a type of numbers has, by its name in the source.
    [[nodiscard]] static std::optional<trace::Element> element_of(const std::string& type);
    [[nodiscard]] std::optional<HostType> type_at(std::size_t& at, std::size_t end) const;
    [[nodiscard]] std::optional<HostType> type_named(const std::string& name) const;
    [[nodiscard]] const std::optional<HostType>& type_of_name(std::string_view name) const;  ///< the same, remembered
    [[nodiscard]] StructureNames structure_names() const;
    [[nodiscard]] const Structure* structure_named(const std::string& name) const;  ///< null: there is none

    // --- Expressions ---
    HostValue evaluate(Range range);
    Operand assignment();
    Operand conditional();
    Operand binary(int least);
    Operand unary();
    Operand postfix(Operand operand);
    Operand primary();
    HostValue make_owned();
    Operand dereference(const HostValue& pointer);
    Operand at(std::uint32_t memory, std::int64_t offset, const HostCell& cell);
    Operand member(const Operand& structure, const std::string& name);
    HostValue vector_call(const Operand& operand, const std::string& name, const std::vector<Range>& arguments);
    Operand housed(HostVariable& variable, std::string_view name);
    [[nodiscard]] Operand of_variable(HostVariable& variable);
    Operand operand_of(Range range);  ///< of a whole expression, as something that can be referred to
    std::int64_t size_of();
    void assign(const Operand& target, const HostValue& value);
    Operand assigned(const Operand& target, const HostValue& value);
    [[nodiscard]] HostValue apply(std::string_view op, const HostValue& a, const HostValue& b);

    // --- Calls ---
    Operand called(const std::string& name, Range arguments);
    Operand called_there(const std::string& name, Range arguments);
    std::optional<HostValue> freeing_call(const std::string& name, const std::vector<Range>& arguments);
    std::optional<HostValue> known_call(const std::string& name, const std::vector<Range>& arguments);
    std::optional<HostValue> mathematical_call(const std::string& name, const std::vector<Range>& arguments);
    std::optional<HostValue> device_call(const std::string& name, const std::vector<Range>& arguments);
    std::optional<HostValue> algorithm_call(const std::string& name, const std::vector<Range>& arguments);
    HostValue function_call(const Function& function, const std::vector<Operand>& arguments,
                            const std::optional<Place>& self = {});
    [[nodiscard]] const Function* function_of(const Functions& functions, std::string_view name,
                                              std::size_t arguments) const;
    enum class Side : std::uint8_t { reads, writes };
    /// Do the bytes lie in one memory that is still there? Where not, it is a fault of who does it, "cudaMemcpy".
    bool holds(const std::string& who, Side side, const HostValue& pointer, std::int64_t bytes);
    void fault(trace::Finding::Kind kind, std::string message, std::string variable);
    void wild(const std::string& who);
    void copy_as_told(const std::string& who, const HostValue& to, const HostValue& from, std::int64_t bytes,
                      const std::vector<Range>& arguments, std::size_t direction);
    void release(const std::string& who, Home home, const HostValue& pointer);
    void synchronise();  ///< the host waits for the launches so far
    void read_on();
    void forget_assigned(Range range);
    void allocate(const std::string& by, Home home, const Range& target, std::int64_t bytes);
    void copy(const std::string& who, const HostValue& to, const HostValue& from, std::int64_t bytes);
    void copy_rows(const std::string& who, const HostValue& to, std::int64_t to_pitch, const HostValue& from,
                   std::int64_t from_pitch, std::int64_t width, std::int64_t height);
    void copy_to_symbol(const std::vector<Range>& arguments);
    void fill(const std::string& who, const HostValue& to, int byte, std::int64_t bytes);
    void note(std::string text);

    // --- Memory ---
    std::uint32_t make_memory(std::string name, std::int64_t bytes, bool device, const HostCell& cell,
                              bool grows = false);
    [[nodiscard]] HostValue load(std::uint32_t memory, std::int64_t offset, const HostCell& cell) const;
    void store(std::uint32_t memory, std::int64_t offset, const HostCell& cell, const HostValue& value);
    [[nodiscard]] std::uint64_t address_of(const HostValue& pointer) const;
    [[nodiscard]] HostValue pointer_to(std::uint64_t address, HostCell cell) const;
    void resize(std::uint32_t memory, std::int64_t bytes);
    [[nodiscard]] std::string kernel_named_in(const Range& function) const;
    void put(const HostValue& pointer, const HostValue& value);  ///< where a runtime function leaves a result
    void refresh();  ///< the device's memories hold what the launches so far left
    void write_device(HostMemory& memory, std::int64_t offset, const std::vector<std::byte>& bytes);
    [[nodiscard]] std::vector<std::byte> read(const HostValue& from, std::int64_t bytes);
    HostMemory& checked(const HostValue& pointer, std::int64_t bytes);
    [[nodiscard]] bool reachable(const HostValue& pointer);

    [[nodiscard]] HostVariable* find(std::string_view name);
    [[nodiscard]] const compile::Token& token() const { return (*code_)[at_]; }
    [[nodiscard]] bool next_is(std::string_view text) const { return at_ < end_ && (*code_)[at_].is(text); }
    bool take(std::string_view text);
    void expect(std::string_view text);
    [[nodiscard]] std::uint32_t line_here() const { return at_ < code_->size() ? (*code_)[at_].line : 0; }
    [[noreturn]] void refuse(const std::string& what, bool too_much = false) const;
    [[nodiscard]] bool is(std::size_t at, std::string_view text) const {
        return at < code_->size() && (*code_)[at].is(text);
    }
    void spend();

    Code whole_;  ///< of the file
    const Code* code_ = &whole_;
    Functions functions_, methods_;  ///< methods by "Structure::name"
    std::map<std::string, compile::KernelDeclaration, std::less<>> kernels_;
    std::vector<std::string> launchers_;  ///< functions that launch, or call one that does
    mutable std::map<std::string, std::unique_ptr<const Structure>, std::less<>>
        structures_;                                              ///< null: none of that name
    std::map<std::string, std::size_t, std::less<>> defined_at_;  ///< those of functions: a loop comes by them often
    std::vector<std::unique_ptr<const Structure>>
        older_;  ///< of a name that a function gave anew: values are still theirs
    mutable std::unordered_map<std::string, std::optional<HostType>, TextHash, std::equal_to<>> types_;  ///< looked up
    std::unordered_map<const char*, HostValue> literals_;  ///< by where they stand
    std::optional<Place> self_;                            ///< of the member function being run
    std::map<std::string, std::string> aliases_;
    compile::Constants constants_;
    const DeviceContents& contents_;
    std::uint64_t most_work_;

    std::vector<Scope> scopes_;  ///< of the function being run, outermost first; [0] is the file's
    std::deque<HostMemory> memories_;
    std::map<std::uint64_t, std::uint32_t> by_address_;  ///< where each memory begins
    std::uint64_t next_host_address_;
    std::uint64_t device_end_ = 0;
    std::int64_t all_bytes_ = 0;
    std::vector<execute::HostWrite> writes_;           ///< for the next launch
    std::set<std::string, std::less<>> large_shared_;  ///< kernels that may have it; "": one that is not known
    bool stale_ = false;                               ///< a launch ran since the device's memories were looked at
    HostRun run_;
    bool waits_unseen_ = false;  ///< a macro that is passed over waits for the device
    bool after_ = false;         ///< behind main's last launch: read on for faults alone, and no result is known

    std::size_t at_ = 0, end_ = 0;  ///< of the expression being read
    int addressing_ = 0;            ///< > 0: in what & is applied to: it need not be read
    int sizing_ = 0;                ///< > 0: in a sizeof
    int idle_ = 0;                  ///< > 0: read without effect, as what && and ?: leave out
    Flow flow_ = Flow::on;
    HostValue returned_;
    unsigned depth_ = 0;   ///< of expressions in one another
    unsigned nested_ = 0;  ///< statements in one another
    unsigned calls_ = 0;   ///< of functions in one another
    std::uint64_t spent_ = 0;
    HostRandom random_;
    std::deque<HostSource> sources_;
    struct Lambda {
        Range body;
        std::vector<compile::Parameter> parameters;
    };
    std::vector<Lambda> lambdas_;
    std::map<std::string, HostType, std::less<>> template_types_;  ///< of the function templates being run
    std::vector<Range> explicitly_;                                ///< template arguments of the next call
};

}  // namespace lanescope::session
