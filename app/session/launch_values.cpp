#include "session/launch_values.h"

#include "base/command_line.h"
#include "base/grouped.h"
#include "compile/compiler_options.h"
#include "model/device_limits.h"
#include "session/launch_size.h"
#include "session/multiprocessors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <limits>

namespace lanescope::session {

namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(LaunchField::count)> names = {"program",
                                                                                              "kernel",
                                                                                              "template",
                                                                                              "block",
                                                                                              "grid",
                                                                                              "n",
                                                                                              "input",
                                                                                              "view",
                                                                                              "banks",
                                                                                              "shared",
                                                                                              "arch",
                                                                                              "record",
                                                                                              "multiprocessors",
                                                                                              "resident",
                                                                                              "order",
                                                                                              "schedule",
                                                                                              "command line",
                                                                                              "stdin",
                                                                                              "function",
                                                                                              "working-folder",
                                                                                              "time-limit",
                                                                                              "max-instructions",
                                                                                              "record-launch",
                                                                                              "compiler options"};

std::optional<std::uint64_t> number_up_to(std::string_view text, std::uint64_t least, std::uint64_t most) {
    const auto number = parse_number(text);
    return number && *number >= least && *number <= most ? number : std::nullopt;
}

std::optional<std::uint64_t> elements(std::string_view text) { return number_up_to(text, 1, most_elements); }
std::optional<std::uint64_t> shared_bytes(std::string_view text) {
    return number_up_to(text, 0, model::emulated_device().shared_bytes_per_block);
}
constexpr std::uint64_t most_seconds = 604'800;  // a week
std::optional<std::uint64_t> seconds(std::string_view text) { return number_up_to(text, 1, most_seconds); }
std::optional<std::uint64_t> instructions(std::string_view text) {
    return number_up_to(text, 1, std::uint64_t{1} << 40U);
}
std::optional<std::uint64_t> launch_number(std::string_view text) {
    return number_up_to(text, 0, std::numeric_limits<std::uint32_t>::max());
}
std::optional<std::uint64_t> recorded_blocks(std::string_view text) { return number_up_to(text, 0, most_blocks); }

std::optional<unsigned> banks(std::string_view text) {
    const auto number = parse_number(text);
    for (const unsigned known : {model::half_warp_banks(), model::emulated_device().banks}) {
        if (number == known) return known;
    }
    return std::nullopt;
}

/// "75", or as CUDA's tools write it: "sm_75", "compute_90".
std::optional<unsigned> arch(std::string_view text) {
    for (const std::string_view prefix : {"sm_", "compute_"}) {
        if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    }
    const auto number = number_up_to(text, least_arch, most_arch);
    return number && is_arch(static_cast<unsigned>(*number)) ? std::optional(static_cast<unsigned>(*number))
                                                             : std::nullopt;
}

Problem problem_of_option(const std::string& word) {
    if (word == "-I") return {.what = "-I names no folder", .where = {}, .remedy = "Write -I and a folder."};
    if (word.starts_with("-D"))
        return {.what = "-D names no macro", .where = {}, .remedy = "Write -D NAME or -D NAME=VALUE."};
    return {.what = fmt::format("\"{}\" is not among the compiler options that can be set", word),
            .where = {},
            .remedy =
                "Expected -I FOLDER, -D NAME=VALUE, -std=c++20, --use_fast_math, --extended-lambda, "
                "--expt-relaxed-constexpr or -rdc=true."};
}

constexpr std::string_view extents_allowed =
    "Expected one to three whole numbers from 1, such as 256, 2^8, 16x16 or 8x8x4.";

}  // namespace

std::string_view name_of(LaunchField field) {
    return field == LaunchField::count ? std::string_view() : names[static_cast<std::size_t>(field)];
}

std::optional<LaunchField> launch_field(std::string_view name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<LaunchField>(found - names.begin()));
}

std::optional<Problem> problem_of(LaunchField field, std::string_view text) {
    const auto unless = [&](bool readable, std::string_view what, std::string allowed) -> std::optional<Problem> {
        if (readable) return std::nullopt;
        return Problem{
            .what = fmt::format("{} cannot be \"{}\"", what, text), .where = {}, .remedy = std::move(allowed)};
    };
    switch (field) {
        case LaunchField::block:
            return unless(parse_extent(text).has_value(), "the block size", std::string(extents_allowed));
        case LaunchField::grid:
            return unless(parse_extent(text).has_value(), "the grid size", std::string(extents_allowed));
        case LaunchField::n:
            return unless(elements(text).has_value(), "the number of elements", numbers_allowed(1, most_elements));
        case LaunchField::shared:
            return unless(shared_bytes(text).has_value(), "the size of shared memory",
                          numbers_allowed(0, model::emulated_device().shared_bytes_per_block));
        case LaunchField::record:
            return unless(recorded_blocks(text).has_value(), "the number of recorded blocks",
                          numbers_allowed(0, most_blocks));
        case LaunchField::time_limit:
            return unless(seconds(text).has_value(), "the limit of CPU time", numbers_allowed(1, most_seconds));
        case LaunchField::max_instructions:
            return unless(instructions(text).has_value(), "the limit of instructions",
                          numbers_allowed(1, std::uint64_t{1} << 40U));
        case LaunchField::record_launch:
            return unless(launch_number(text).has_value(), "the number of the launch",
                          numbers_allowed(0, std::numeric_limits<std::uint32_t>::max()));
        case LaunchField::view:
            return unless(view_of(text).has_value(), "the view",
                          "Expected `written` (every access of the source) or `compiled` (what the hardware runs).");
        case LaunchField::banks:
            return unless(banks(text).has_value(), "the number of banks",
                          fmt::format("Expected {}, or {} for compute capability 1.x.", model::emulated_device().banks,
                                      model::half_warp_banks()));
        case LaunchField::arch:
            return unless(arch(text).has_value(), "the compute capability",
                          fmt::format("Expected a compute capability: {}.", fmt::join(arches(), ", ")));
        case LaunchField::multiprocessors:
            return unless(multiprocessors_named(text).has_value(), "the number of multiprocessors",
                          fmt::format("Expected a whole number from 1 to {}, or a GPU: {}.",
                                      grouped(trace::most_multiprocessors), gpu_names()));
        case LaunchField::resident:
            return unless(resident_blocks_named(text).has_value(), "the number of blocks on a multiprocessor",
                          numbers_allowed(1, trace::most_multiprocessors));
        case LaunchField::order: {
            const auto order = trace::read_block_order(text);
            return order ? std::nullopt : std::optional(order.error());
        }
        case LaunchField::schedule: {
            const auto schedule = execute::read_schedule(text);
            return schedule ? std::nullopt : std::optional(schedule.error());
        }
        case LaunchField::command_line:
            return unless(command_words(text).has_value(), "the command line", "A quote in it has no end.");
        case LaunchField::compiler: {
            const auto words = command_words(text);
            if (!words) return unless(false, "the compiler options", "A quote in them has no end.");
            const std::vector<std::string> others = compile::read_compiler_options(*words).passed_over;
            return others.empty() ? std::nullopt : std::optional(problem_of_option(others.front()));
        }
        default: return std::nullopt;
    }
}

Result<std::pair<std::string, std::string>> read_argument(std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string_view::npos || equals + 1 == text.size())
        return fail(fmt::format("an argument cannot be \"{}\"", text), {},
                    "Expected a parameter and its plan, such as --arg \"out=zeros(grid)\" or --arg n=100.");
    return std::pair(std::string(text.substr(0, equals)), std::string(text.substr(equals + 1)));
}

Request request_of(const LaunchValues& values) {
    using enum LaunchField;
    Request request;
    request.program = values[program];
    request.kernel = values[kernel];
    if (!values[type].empty()) request.kernel = fmt::format("{}<{}>", request.kernel, values[type]);
    const auto sizes = [](const std::string& text, auto& number, std::optional<trace::Dim3>& extent) {
        extent = parse_extent(text);
        if (!extent || extent->y != 1 || extent->z != 1) return;
        number = extent->x;
        extent.reset();
    };
    sizes(values[block], request.block, request.block_extent);
    sizes(values[grid], request.grid, request.grid_extent);
    request.n = elements(values[n]);
    request.shared_bytes = shared_bytes(values[shared]);
    request.input = values[input];
    request.view = view_of(values[view]).value_or(trace::View::written);
    if (const auto number = session::banks(values[LaunchField::banks])) request.banks = *number;
    request.arch = session::arch(values[LaunchField::arch]);
    if (const auto blocks = recorded_blocks(values[record])) request.record_blocks = *blocks;
    const auto valid = [&](LaunchField field) {
        return values[field].empty() || problem_of(field, values[field]) ? std::string() : values[field];
    };
    request.placement = {.multiprocessors = valid(multiprocessors),
                         .resident = valid(resident),
                         .order = valid(order),
                         .schedule = valid(schedule)};
    request.arguments = values.arguments;
    request.anyway = values.anyway;
    request.sanitize = values.sanitize;
    request.command_line = command_words(values[LaunchField::command_line]).value_or(std::vector<std::string>());
    request.standard_input = values[LaunchField::standard_input];
    request.host_function = values[LaunchField::function];
    request.working_folder = values[LaunchField::working_folder];
    request.time_limit = seconds(values[LaunchField::time_limit]);
    request.max_instructions = instructions(values[LaunchField::max_instructions]);
    request.record_launch = launch_number(values[LaunchField::record_launch]);
    request.compiler_options = command_words(values[compiler]).value_or(std::vector<std::string>());
    return request;
}

LaunchValues values_of(const Request& request) {
    using enum LaunchField;
    LaunchValues values{
        .text = {}, .arguments = request.arguments, .anyway = request.anyway, .sanitize = request.sanitize};
    const auto number = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string(); };
    values[program] = request.program;
    values[kernel] = request.kernel;
    values[block] = request.block_extent ? extent_text(*request.block_extent) : number(request.block);
    values[grid] = request.grid_extent ? extent_text(*request.grid_extent) : number(request.grid);
    values[n] = number(request.n);
    values[shared] = number(request.shared_bytes);
    values[input] = request.input;
    values[LaunchField::arch] = number(request.arch);
    values[LaunchField::command_line] = command_text(request.command_line);
    values[LaunchField::standard_input] = request.standard_input;
    values[LaunchField::function] = request.host_function;
    values[LaunchField::working_folder] = request.working_folder;
    values[LaunchField::time_limit] = number(request.time_limit);
    values[LaunchField::max_instructions] = number(request.max_instructions);
    values[LaunchField::record_launch] = number(request.record_launch);
    values[compiler] = command_text(request.compiler_options);
    values[multiprocessors] = request.placement.multiprocessors;
    values[resident] = request.placement.resident;
    values[order] = request.placement.order;
    values[schedule] = request.placement.schedule;
    const Request usual;
    if (request.view != usual.view) values[view] = name_of(request.view);
    if (request.banks != usual.banks) values[LaunchField::banks] = fmt::format("{}", request.banks);
    if (request.record_blocks != usual.record_blocks) values[record] = fmt::format("{}", request.record_blocks);
    return values;
}

std::vector<std::string> launch_flags(const Request& request) {
    using enum LaunchField;
    std::vector<std::string> flags;
    const LaunchValues values = values_of(request);
    for (const LaunchField field : {kernel, n, block, grid, shared, input, arch, function, LaunchField::working_folder,
                                    LaunchField::time_limit, LaunchField::max_instructions}) {
        if (values[field].empty()) continue;
        flags.push_back(fmt::format("--{}", name_of(field)));
        flags.push_back(values[field]);
    }
    constexpr std::string_view standard = "-std=";
    for (const std::string& option : request.compiler_options)
        flags.push_back(option.starts_with(standard) ? "--std=" + option.substr(standard.size()) : option);
    for (const auto& [parameter, plan] : values.arguments) {
        flags.emplace_back("--arg");
        flags.push_back(fmt::format("{}={}", parameter, plan));
    }
    if (!request.standard_input.empty()) {
        flags.emplace_back("--stdin-text");
        flags.push_back(request.standard_input);
    }
    return flags;
}

std::vector<std::string> words_for_main(const Request& request) {
    std::vector<std::string> words;
    if (request.command_line.empty()) return words;
    words.emplace_back("--");
    words.insert(words.end(), request.command_line.begin(), request.command_line.end());
    return words;
}

void add_launch(std::vector<std::string>& command_line, const Request& request,
                const std::vector<std::string>& options) {
    std::ranges::copy(launch_flags(request), std::back_inserter(command_line));
    command_line.insert(command_line.end(), options.begin(), options.end());
    std::ranges::copy(words_for_main(request), std::back_inserter(command_line));
}

const char* name_of(trace::View view) { return view == trace::View::written ? "written" : "compiled"; }

std::optional<trace::View> view_of(std::string_view name) {
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        if (name == name_of(view)) return view;
    }
    return std::nullopt;
}

}  // namespace lanescope::session
