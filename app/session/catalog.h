// The programs that Lanescope knows, and how a .cu file describes itself: title, family, arguments, launch, oracle.
//
// A file describes itself in `// lanescope: key = value` lines, anywhere in it:
//
//   title, family, summary, lecture      a line of text each; `words` may stand several times, a paragraph each
//   order = NUMBER                       place among the built-in programs
//   work, span                           the closed forms, expressions of n, block and grid
//   kernel = NAME                        the lines that follow hold for this kernel alone; the first named is the default
//   program = NAME                       the same for a host function, whose code is followed: several launches
//   constant NAME = INPUT                what a __constant__ array holds
//   arg NAME = PLAN                      how an argument is made, see ArgumentPlan
//   template = LIST                      template arguments, types or expressions: "int, block"
//   timed template, timed grid           the same two where the program is timed on a GPU of so many multiprocessors: a
//                                        picture wants few elements a thread, the hardware many
//   shared = BYTES, grid = EXTENT, block = EXTENT, n = COUNT, input = INPUT      what is taken where nobody says otherwise
//   arch = NUMBER                        compute capability that the kernel needs at least, "80"
//   block rule = RULE                    what block sizes the kernel can take, see check_block
//   n limit = EXPRESSION                 the largest n that it can take, "block"
//   block reason, n reason               why, a sentence each
//   fault = WHAT                         what is wrong with a kernel that shows a fault: a finding's name ("race"), or
//                                        "wrong result"
//   oracle = NAME or NAME(SLICE)         session/oracle.h; SLICE: elements of the input that one block takes
//   output = NAME                        the parameter that the oracle checks
#pragma once

#include "base/result.h"
#include "compile/source.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::session {

/// What a structure holds and where it lies.
struct Structure {
    /// A number or a pointer; inner ones as "inner.member", those of arrays as "array[0]".
    struct Member {
        std::string name;
        trace::Element element = trace::Element::s32;  ///< of pointers: what they point to
        std::uint64_t offset = 0;                      ///< bytes from the structure's begin
        bool pointer = false;
        unsigned components =
            1;  ///< of what a pointer points to: 4 of float4*; 0: to no numbers, so only null is known
    };
    /// One as it is declared.
    struct Field {
        std::string name, type;                      ///< the type without stars: "float", "Node"
        std::optional<trace::Element> element;       ///< a number's, or of what a pointer points to
        std::shared_ptr<const Structure> structure;  ///< an inner one; of pointers see `type`
        unsigned pointers = 0;                       ///< stars
        std::vector<std::int64_t> extents;           ///< of an array
        std::uint64_t offset = 0;
    };
    std::string type;
    std::vector<Member> members;
    std::vector<Field> fields;
    std::uint64_t bytes = 0;
    std::uint64_t alignment = 1;
};

/// How one argument of a kernel is made. From the `arg` lines of the file, from flags, or guessed from the parameter:
///
///   input(COUNT)            a buffer of COUNT elements, filled with the run's input
///   input(COUNT, SIZE)      the same, followed by zeros up to SIZE elements, as host code pads
///   input(COUNT) as INPUT   filled with an input of its own: "input(n) as random 3"
///   zeros(SIZE)             a buffer of zeros
///   EXPRESSION              a number: "n", "2 * block", "-3", "0.5"
///   {EXPRESSION, ...}       a structure, member by member; those behind the last one given are 0. A member that is a
///                           pointer takes input(...) or zeros(...), and its buffer is called "argument.member"
///
/// A pointer to structures takes the plans of a pointer; the input goes through their numbers one by one.
struct ArgumentPlan {
    enum class Kind : std::uint8_t { input, zeros, value };

    std::string parameter;
    std::string plan;  ///< as written or guessed: "input(n, grid * block)", "zeros(grid)", "n", "3.5"
    bool guessed = false;
    Kind kind = Kind::value;
    trace::Element element = trace::Element::s32;  ///< of the buffer, or of the number
    unsigned components = 1;                       ///< elements in one of the source's: 4 for float4*
    std::string count, size;             ///< expressions, in the source's elements; buffers only. zeros: count is "0"
    std::string fill;                    ///< INPUT; empty: the run's own
    std::optional<Structure> structure;  ///< a value that is one, or of buffers, what they hold
    std::vector<ArgumentPlan> members;   ///< of a structure's pointers, as buffers, in their order
    Place where;                         ///< of the directive; unknown where guessed
};

/// A .cu (or .ptx) file as a program: what to launch and how.
struct Program {
    std::string name;                  ///< "reduce/interleaved-modulo", or the file's name
    std::string title;                 ///< "Reduction 1: interleaved, modulo"
    std::string family;                ///< "reduce", "scan", ...; "file" for a user's
    std::string summary;               ///< one sentence
    std::string lecture;               ///< the lecture's own name and number for it
    std::vector<std::string> words;    ///< the lecture's words about it, a paragraph each
    std::vector<std::string> look;     ///< what to look at in the window, a sentence each
    std::vector<std::string> reading;  ///< where to read on, a title each
    std::string work, span;            ///< closed forms, as the lecture gives them
    std::string source, source_name;
    bool built_in = false;
    compile::SourceScan scan;
    std::vector<ArgumentPlan> arguments;  ///< of `kernel`, in the order of its parameters
    std::string kernel;                   ///< the default one
    bool host = false;                    ///< `kernel` is a host function, and its launches are the program's
    std::vector<std::pair<std::string, std::string>> constants;  ///< __constant__ arrays and their inputs
    std::vector<std::string> template_arguments;  ///< of `kernel`: types, or expressions of n, block and grid
    std::string shared;                           ///< expression for the dynamic shared bytes, "block * 4"; empty: 0
    std::string grid;                             ///< extent, "ceil(n / block)"
    std::vector<std::string> timed_template_arguments;    ///< what is timed on hardware; empty: the same
    std::string timed_grid;                               ///< extent, may name `multiprocessors`; empty: the same
    std::string default_n, default_block, default_input;  ///< default_block is an extent, "16" or "16, 16"
    std::string block_rule;    ///< "power of two, 2 to 1024", ...: what the kernel can take, checked before running
    std::string block_reason;  ///< why, a sentence
    std::string n_limit;       ///< expression: the largest n it can take; empty: any
    std::string n_reason;      ///< why, a sentence
    std::string arch;          ///< compute capability it needs at least, "80"; empty: the least there is
    std::string fault;         ///< "race", ..., "wrong result": what a faulty kernel shows; empty: it is sound
    std::string oracle;        ///< name of the CPU oracle, "block-sum"
    std::string slice;         ///< expression: elements of the input that one block takes, for the oracle; "block"
    std::string output;        ///< parameter that the oracle checks
    std::string ptx;           ///< when opened from .ptx
    std::vector<std::string> notes;  ///< what was guessed or taken from the file's own launches, a sentence each
};

[[nodiscard]] const std::vector<Program>& catalog();  ///< built in, in teaching order
[[nodiscard]] const Program* find_program(
    std::string_view name);  ///< by name, or by its last part where that is unique
[[nodiscard]] Result<Program> read_program(const std::filesystem::path& path);
[[nodiscard]] Result<Program> program_from_source(std::string source, const std::string& name);

/// The same file with another of its kernels as the one to run: "scan", or an instance of a template, "scan<float>".
[[nodiscard]] Result<Program> with_kernel(const Program& program, std::string_view kernel);

/// An expression of the comment or of a flag: n, block, grid, multiprocessors, whole numbers, + - * / %, ( ), min(a, b), max(a, b),
/// ceil(a / b), floor(a / b), log2(a) (rounded up) and sizeof(type). Division rounds towards zero.
struct Variables {
    std::uint64_t n = 0, block = 0, grid = 0;
    std::uint64_t multiprocessors = 0;  ///< of the GPU that is timed; 0: none is, and no expression may name them
};
[[nodiscard]] Result<std::uint64_t> evaluate(std::string_view expression, const Variables& variables);

/// An extent: one to three expressions, "ceil(n / block)", "16, 16" or "16x16". Each is at least 1.
[[nodiscard]] Result<trace::Dim3> evaluate_extent(std::string_view extent, const Variables& variables);

/// What NVRTC is to instantiate, "reduce<128>", for the block size at hand; the kernel's own name where it is no template.
[[nodiscard]] Result<std::string> instance_of(const Program& program, const Variables& variables);

/// A plan for a parameter, read from a comment or from a flag. For a pointer a flag may also name an INPUT alone ("iota",
/// "1 2 3"): then sizes stay as in `before`.
[[nodiscard]] Result<ArgumentPlan> parse_plan(const Program& program, const compile::Parameter& parameter,
                                              std::string_view plan, const Place& where,
                                              const ArgumentPlan* before = nullptr);

/// One argument, made: what the buffer holds, or the number's bytes.
struct ArgumentValue {
    bool buffer = false;
    trace::Element element = trace::Element::s32;
    std::vector<std::byte> bytes;
    std::uint64_t count = 0;             ///< elements that came from the input, before the padding
    std::vector<std::string> notes;      ///< "the 3 values typed are followed by zeros", ...
    std::vector<ArgumentValue> members;  ///< of a structure's pointers, in their order; no buffer: null
};
/// `input` is the run's own, see session/input.h.
[[nodiscard]] Result<ArgumentValue> make_argument(const ArgumentPlan& plan, std::string_view input,
                                                  const Variables& variables);

/// May the kernel run in blocks of that many threads? Rules: "power of two", "power of four", "multiple of K", "A to B",
/// joined by commas.
[[nodiscard]] Result<void> check_block(const Program& program, std::uint64_t block);

/// The threads of a block that a file of somebody's own is run with, by its launch, its directive or a guess; nothing of one that
/// is built in, or where a rule says what else it can take.
[[nodiscard]] std::optional<std::uint32_t> own_block(const Program& program);

/// The largest n that it can take by its `n limit`, for the block size at hand; the largest number there is without one.
[[nodiscard]] Result<std::uint64_t> largest_n(const Program& program, const Variables& variables);
/// May it take that many elements?
[[nodiscard]] Result<void> check_n(const Program& program, const Variables& variables);

}  // namespace lanescope::session
