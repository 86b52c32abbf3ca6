// How a program is launched, and the result that it must have. From the lines of its description (source_file.h):
//
//   kernel = NAME                   the lines that follow hold for this kernel alone; the first named is the default
//   program = NAME                  a host function, compiled by nvcc and run: its launches are one program
//   constant NAME = INPUT           the contents of a __constant__ array
//   arg NAME = PLAN                 how an argument is made, see argument_plan.h
//   template = LIST                 template arguments, types or expressions: "int, block"
//   instances = LIST; LIST          others that it claims, for `lanescope check`: "block, 7; block, 11"
//   shared = BYTES, grid = EXTENT, block = EXTENT, n = COUNT, input = INPUT      the defaults
//   multiprocessors = COUNT or GPU, resident = BLOCKS, start order = ORDER, schedule = SCHEDULE   (multiprocessors.h)
//   timed template, timed grid,     the same three for timing on a GPU with its number of multiprocessors: a picture
//   timed shared                    needs few elements a thread, the hardware many
//   arch = NUMBER                   the least compute capability that the kernel needs, "80"
//   block rule = RULE               the block sizes that the kernel supports, see check_block
//   n limit = EXPRESSION            the largest n that it supports, "block"
//   block reason, n reason          why, a sentence each
//   fault = WHAT                    the fault that the kernel demonstrates: a finding ("race") or "wrong result"
//   fault when = CONDITION          the launches in which it occurs, "grid > 1"; in others it does, or they are right
//   fault reason                    why they may be right, a sentence
//   oracle = NAME or NAME(SLICE)    session/oracle.h; SLICE: elements of the input that one block processes
//   output = NAME                   the parameter that the oracle checks
//   elements = LIST                 names declared int that may as well be float, or the other way round
//   element reason                  why there is no other type, a sentence
//
// Expressions may name the template's parameters, for the arguments of the launch (instance.h).
// A lesson lists arg and constant below `arguments:` and `constants:`.
#pragma once

#include "base/result.h"
#include "session/argument_plan.h"
#include "session/expression.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::session {

struct Program;

/// The parts of the launch that are guessed: neither the description nor a launch of the file's host code states them.
struct GuessedParts {
    bool block = false, n = false, grid = false, shared = false, input = false;
    std::vector<std::pair<bool GuessedParts::*, std::string>> reasons;  ///< notes, each where its part stays guessed
};

/// The grid of a recipe that names none.
inline constexpr std::string_view usual_grid = "ceil(n / block)";

/// Where the blocks of a launch run, as text; empty: the emulator chooses, within the limits of an H200.
struct PlacementText {
    std::string multiprocessors;  ///< "16", or a GPU: "G80"
    std::string resident;         ///< blocks on each multiprocessor, at most
    std::string order;            ///< trace::read_block_order: "descending, stall 3"
    std::string schedule;         ///< execute::read_schedule: "hold 0:1:3 at 57"
    friend bool operator==(const PlacementText&, const PlacementText&) = default;
};

/// The values of a launch that is timed on hardware: a picture needs few elements a thread, the hardware many. Empty:
/// the same.
struct TimedLaunch {
    std::vector<std::string> template_arguments;
    std::string grid;    ///< extent, may name `multiprocessors`
    std::string shared;  ///< expression
};

/// The launches that the kernel supports, checked before it runs. The reasons are sentences.
struct LaunchLimits {
    std::string block;  ///< rule of check_block(): "power of two, 2 to 1024"
    std::string block_reason;
    std::string n;  ///< expression: the largest n; empty: any
    std::string n_reason;
    std::string arch;  ///< compute capability that it needs at least, "80"; empty: the least there is
};

/// The result that the launch must have.
struct ExpectedResult {
    std::string fault;         ///< "race", ..., "wrong result": what a faulty kernel shows; empty: it is sound
    std::string fault_when;    ///< condition: launches in which it occurs in any case; empty: all
    std::string fault_reason;  ///< why it need not in the others, a sentence
    std::string oracle;        ///< name of the CPU oracle, "block-sum"
    std::string slice;         ///< expression: elements of the input that one block takes, for the oracle; "block"
    std::string output;        ///< parameter that the oracle checks
    std::vector<std::string> slice_names;  ///< what the brackets of the oracle name
};

/// The types that the elements of its arrays may have.
struct ElementChoice {
    std::vector<std::string> names;  ///< of variables that may be int or float
    std::string reason;              ///< why it is written for one type, a sentence
};

struct Recipe {
    std::string kernel;                                          ///< the one to run
    bool host = false;                                           ///< it is a host function, whose launches are run
    std::vector<ArgumentPlan> arguments;                         ///< in the order of its parameters
    std::vector<std::pair<std::string, std::string>> constants;  ///< __constant__ arrays and their inputs
    std::vector<std::string> template_arguments;                 ///< types, or expressions of n, block and grid
    bool instance_named = false;  ///< a request names the template arguments, which override the description's
    std::vector<std::string> described_instance, timed_instance;  ///< the description's, where overridden
    std::vector<std::vector<std::string>> instances;  ///< further template arguments that the description claims
    std::string shared;           ///< expression for the dynamic shared bytes, "block * 4"; empty: 0
    std::string grid;             ///< extent, "ceil(n / block)"; empty: usual_grid
    std::string n, block, input;  ///< defaults; block is an extent, "16" or "16, 16"
    TimedLaunch timed;
    PlacementText placement;  ///< where its blocks run
    GuessedParts guessed;     ///< set by guess_launch()
    LaunchLimits limits;
    ExpectedResult expected;
    ElementChoice elements;

    [[nodiscard]] std::string grid_rule() const { return grid.empty() ? std::string(usual_grid) : grid; }
    [[nodiscard]] const std::vector<std::string>& template_rule(bool is_timed) const {
        return is_timed && !timed.template_arguments.empty() ? timed.template_arguments : template_arguments;
    }
    [[nodiscard]] const std::string& shared_rule(bool is_timed) const {
        return is_timed && !timed.shared.empty() ? timed.shared : shared;
    }
};

[[nodiscard]] bool is_recipe_key(std::string_view key);
/// Adds a line of the description, with such a key, to the program's recipe.
[[nodiscard]] Result<void> read_recipe_line(Program& program, const compile::Directive& line);
/// The checks that need all lines: whether the output is a pointer.
[[nodiscard]] Result<void> check_recipe(const Program& program);
/// "constant NAME", "arg NAME", "template", ...
[[nodiscard]] std::vector<std::string> recipe_keys();

/// The allowed values of `fault`: the findings, and "wrong result".
[[nodiscard]] const std::vector<std::string>& fault_names();

/// The place of a line's key or value, and a problem of the value (`offset` bytes after its start) with its place in
/// the file.
[[nodiscard]] Place key_place(const Program& program, const compile::Directive& line);
[[nodiscard]] Place value_place(const Program& program, const compile::Directive& line);
[[nodiscard]] std::unexpected<Problem> placed(Problem problem, const Program& program, const compile::Directive& line,
                                              std::size_t offset = 0);

/// Fails if the kernel does not support blocks of that many threads. Rules: "power of two", "power of four", "multiple
/// of K", "A to B", joined by commas.
[[nodiscard]] Result<void> check_block(const Program& program, std::uint64_t block);

/// Why the fault that the kernel demonstrates need not occur in such a launch; nothing where it does in any case.
[[nodiscard]] std::optional<std::string> why_no_fault(const Program& program, const Variables& variables);

/// The threads a block of a user's file, by its launch, its description or a guess; nothing for a built-in program, or
/// where a rule lists other block sizes.
[[nodiscard]] std::optional<std::uint32_t> own_block(const Program& program);

/// The largest n by its `n limit`, for the given block size; the largest number without one.
[[nodiscard]] Result<std::uint64_t> largest_n(const Program& program, const Variables& variables);
/// Fails if the kernel does not support that many elements.
[[nodiscard]] Result<void> check_n(const Program& program, const Variables& variables);

}  // namespace lanescope::session
