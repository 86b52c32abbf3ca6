#include "cli/options.h"

#include "cli/flags.h"
#include "cli/values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::cli {

namespace {

Result<void> read_launch(const LaunchFlags& flags, session::Request& request) {
    request.anyway = flags.anyway;
    if (flags.kernel) request.kernel = *flags.kernel;
    if (flags.input) request.input = *flags.input;
    if (flags.n) {
        const auto n = read_number("--n", *flags.n, {1, session::most_elements});
        if (!n) return std::unexpected(n.error());
        request.n = *n;
    }
    if (flags.block) {
        const auto block = read_extent("--block", *flags.block);
        if (!block) return std::unexpected(block.error());
        request.block_extent = *block;
    }
    if (flags.grid) {
        const auto grid = read_extent("--grid", *flags.grid);
        if (!grid) return std::unexpected(grid.error());
        request.grid_extent = *grid;
    }
    if (flags.shared) {
        const auto bytes = read_number("--shared", *flags.shared, {0, session::most_shared_bytes});
        if (!bytes) return std::unexpected(bytes.error());
        request.shared_bytes = *bytes;
    }
    if (flags.view) {
        const auto view = read_view(*flags.view);
        if (!view) return std::unexpected(view.error());
        request.view = *view;
    }
    if (flags.arch) {
        const auto arch = read_arch(*flags.arch);
        if (!arch) return std::unexpected(arch.error());
        request.arch = *arch;
    }
    if (flags.banks) {
        const auto banks = read_banks(*flags.banks);
        if (!banks) return std::unexpected(banks.error());
        request.banks = *banks;
    }
    if (flags.record) {
        const auto blocks = read_number("--record", *flags.record, {0, session::most_blocks});
        if (!blocks) return std::unexpected(blocks.error());
        request.record_blocks = *blocks;
    }
    for (const std::string& text : flags.arguments) {
        auto argument = read_argument(text);
        if (!argument) return std::unexpected(argument.error());
        request.arguments[argument->first] = argument->second;
    }
    return {};
}

std::string full_name(const CLI::App& command) {
    return command.get_parent() == nullptr ? "lanescope" : "lanescope " + command.get_name();
}

// --- What CLI11 refuses, in our words ------------------------------------------------------------------------------

std::vector<std::string> flags_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    return names;
}

UsageProblem unexpected_argument(CommandLine& line) {
    CLI::App& command = line.chosen();
    const std::vector<std::string> extras = line.app.remaining(true);
    const std::string extra = extras.empty() ? "" : extras.front();
    const std::string name = extra.substr(0, extra.find('='));
    Problem problem;
    if (name.starts_with('-')) {
        problem.what = fmt::format("there is no flag {}", name);
        problem.remedy = session::did_you_mean(name, flags_of(command));
        if (problem.remedy.empty()) problem.remedy = fmt::format("See `{} --help`.", full_name(command));
    } else {
        problem.what = fmt::format("\"{}\" is one argument too many", extra);
        problem.remedy = fmt::format("See `{} --help`; a value with spaces needs quotes.", full_name(command));
    }
    return {std::move(problem), full_name(command)};
}

UsageProblem missing_value(CommandLine& line, const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();  // "--block: 1 required B missing"
    return {Problem{.what = fmt::format("{} needs a value", text.substr(0, text.find(':'))),
                    .where = {},
                    .remedy = fmt::format("See `{} --help`.", full_name(line.chosen()))},
            full_name(line.chosen())};
}

UsageProblem not_understood(CommandLine& line, const CLI::ParseError& error) {
    CLI::App& command = line.chosen();
    return {Problem{.what = error.what(), .where = {}, .remedy = fmt::format("See `{} --help`.", full_name(command))},
            full_name(command)};
}

// --- Flags -> options ----------------------------------------------------------------------------------------------

Result<std::pair<std::uint32_t, std::uint32_t>> read_pair(const std::string& flag, const std::string& text,
                                                          char between, NumberRange range) {
    const std::size_t middle = text.find(between);
    const auto first = read_number(flag, text.substr(0, middle), range);
    const auto second = middle == std::string::npos ? first : read_number(flag, text.substr(middle + 1), range);
    if (middle == std::string::npos || !first || !second) {
        return fail(fmt::format("{} cannot be \"{}\"", flag, text), {},
                    fmt::format("It takes two whole numbers from {} to {}, as {}{}{}.", range.least, range.most,
                                range.least + 1, between, range.least + 2));
    }
    return std::pair(static_cast<std::uint32_t>(*first), static_cast<std::uint32_t>(*second));
}

Result<Options> read_window(const WindowFlags& flags) {
    WindowRequest window;
    window.open = flags.open;
    window.kernel = flags.kernel.value_or("");
    window.input = flags.input.value_or("");
    window.screenshot = flags.screenshot.value_or("");
    window.remember = !flags.fresh;
    if (flags.n) {
        const auto n = read_number("--n", *flags.n, {1, session::most_elements});
        if (!n) return std::unexpected(n.error());
        window.n = *n;
    }
    if (flags.block) {
        const auto block = read_number("--block", *flags.block, {1, session::most_threads});
        if (!block) return std::unexpected(block.error());
        window.block = static_cast<std::uint32_t>(*block);
    }
    if (flags.grid) {
        const auto grid = read_number("--grid", *flags.grid, {1, session::most_blocks});
        if (!grid) return std::unexpected(grid.error());
        window.grid = *grid;
    }
    if (flags.view) {
        const auto view = read_view(*flags.view);
        if (!view) return std::unexpected(view.error());
        window.compiled = *view == trace::View::compiled;
    }
    if (flags.theme) {
        const auto theme = read_theme(*flags.theme);
        if (!theme) return std::unexpected(theme.error());
        window.light = *theme == scene::Theme::light;
    }
    if (flags.scale) {
        const auto scale = read_real("--scale", *flags.scale, 0.75, 3);
        if (!scale) return std::unexpected(scale.error());
        window.scale = static_cast<float>(*scale);
    }
    if (flags.size) {
        const auto size = read_pair("--size", *flags.size, 'x', {320, 16384});
        if (!size) return std::unexpected(size.error());
        window.width = static_cast<int>(size->first);
        window.height = static_cast<int>(size->second);
    }
    if (flags.pass) {
        const auto pass = read_number("--pass", *flags.pass, {0, ~0U});
        if (!pass) return std::unexpected(pass.error());
        window.pass = static_cast<std::uint32_t>(*pass);
    }
    if (flags.progress) {
        const auto progress = read_real("--progress", *flags.progress, 0, 1);
        if (!progress) return std::unexpected(progress.error());
        window.progress = *progress;
    }
    if (flags.select) {
        const auto cell = read_pair("--select", *flags.select, ',', {0, ~0U});
        if (!cell) return std::unexpected(cell.error());
        window.select_row = cell->first;
        window.select_column = cell->second;
    }
    return window;
}

Result<void> read_picture(const RenderFlags& flags, RenderOptions& options) {
    options.files.assign(flags.files.begin(), flags.files.end());
    options.json = flags.json;
    if (options.files.empty()) {
        return fail("there is no file to write", {}, "Name one with -o, as -o passes.svg or -o passes.png.");
    }
    options.panel = flags.panel.value_or("passes");
    constexpr std::array panels = {"passes", "banks", "warps", "warp-passes", "memory", "counts", "timing"};
    if (std::ranges::find(panels, options.panel) == panels.end()) {
        return fail(fmt::format("--panel cannot be \"{}\"", options.panel), {},
                    "It takes `passes`, `banks`, `warps`, `warp-passes`, `memory`, `counts` or `timing`.");
    }
    if (flags.chart) {
        const auto chart = std::ranges::find(scene::timing_charts, *flags.chart, scene::name_of);
        if (chart == scene::timing_charts.end()) {
            return fail(fmt::format("--chart cannot be \"{}\"", *flags.chart), {},
                        "It takes `bandwidth`, `time`, `steps`, `block`, `per-thread`, `roofline` or `claims`.");
        }
        options.panel = "timing";
        options.chart = *chart;
    }
    if (flags.pass && flags.step) return fail("--pass and --step contradict each other", {}, "Give one of them.");
    if (flags.pass) {
        const auto pass = read_number("--pass", *flags.pass, {0, ~0U});
        if (!pass) return std::unexpected(pass.error());
        options.pass = static_cast<std::uint32_t>(*pass);
    }
    if (flags.step) {
        const auto step = read_number("--step", *flags.step, {0, ~0U});
        if (!step) return std::unexpected(step.error());
        options.step = *step;
    }
    if (flags.in_launch) {
        const auto launch = read_number("--in-launch", *flags.in_launch, {0, ~0U});
        if (!launch) return std::unexpected(launch.error());
        options.in_launch = static_cast<std::uint32_t>(*launch);
    }
    if (flags.in_block) {
        const auto block = read_number("--in-block", *flags.in_block, {0, session::most_blocks - 1});
        if (!block) return std::unexpected(block.error());
        options.in_block = static_cast<std::uint32_t>(*block);
    }
    if (flags.theme) {
        const auto theme = read_theme(*flags.theme);
        if (!theme) return std::unexpected(theme.error());
        options.theme = *theme;
    }
    if (flags.width) {
        const auto width = read_real("--width", *flags.width, 200, 8000);
        if (!width) return std::unexpected(width.error());
        options.width = static_cast<float>(*width);
    }
    if (flags.scale) {
        const auto scale = read_real("--scale", *flags.scale, 0.5, 8);
        if (!scale) return std::unexpected(scale.error());
        options.scale = static_cast<float>(*scale);
    }
    return {};
}

Problem nothing_named() {
    return {.what = "it needs a kernel, a .cu or .ptx file, or a saved trace",
            .where = {},
            .remedy = "`lanescope list` shows the kernels."};
}

Result<Options> read_trace(const Flags& flags) {
    if (flags.trace_program.empty()) return std::unexpected(nothing_named());
    TraceOptions options;
    options.request.program = flags.trace_program;
    options.json = flags.trace_json;
    options.request.check_all_blocks = flags.trace_check;
    options.out = flags.trace_out.value_or("");
    if (const auto read = read_launch(flags.trace_launch, options.request); !read) return std::unexpected(read.error());
    return options;
}

Result<Options> read_render(const Flags& flags) {
    if (flags.render_program.empty()) return std::unexpected(nothing_named());
    RenderOptions options;
    options.request.program = flags.render_program;
    if (const auto read = read_picture(flags.render, options); !read) return std::unexpected(read.error());
    if (const auto read = read_launch(flags.render_launch, options.request); !read)
        return std::unexpected(read.error());
    return options;
}

Result<Options> read_check(const Flags& flags) {
    CheckOptions options{.programs = flags.check_programs, .n = {}, .input = flags.check_input.value_or("")};
    options.json = flags.check_json;
    if (flags.check_n) {
        const auto n = read_number("--n", *flags.check_n, {1, session::most_elements});
        if (!n) return std::unexpected(n.error());
        options.n = *n;
    }
    return options;
}

/// "2^20,2^22"
template <class Number>
Result<std::vector<Number>> read_numbers(const std::string& flag, const std::string& text, NumberRange range) {
    std::vector<Number> numbers;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const auto number = read_number(flag, text.substr(begin, end - begin), range);
        if (!number) return std::unexpected(number.error());
        numbers.push_back(static_cast<Number>(*number));
        begin = end + 1;
    }
    return numbers;
}

/// "int,float"
std::vector<std::string> words_of(const std::string& text) {
    std::vector<std::string> words;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        words.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

Result<void> read_time_launches(const TimeFlags& flags, TimeOptions& options) {
    const auto numbers = [](const char* flag, const Text& text, NumberRange range, auto& into) -> Result<void> {
        if (!text) return {};
        auto read = read_numbers<typename std::remove_reference_t<decltype(into)>::value_type>(flag, *text, range);
        if (!read) return std::unexpected(read.error());
        into = std::move(*read);
        return {};
    };
    Result<void> done = numbers("--n", flags.n, {1, session::most_gpu_elements}, options.n);
    if (done) done = numbers("--block", flags.block, {1, session::most_threads}, options.blocks);
    if (done) done = numbers("--grid", flags.grid, {1, session::most_blocks}, options.grids);
    if (done) done = numbers("--per-thread", flags.per_thread, {1, session::most_gpu_elements}, options.per_thread);
    if (!done || !flags.element) return done;
    options.types = words_of(*flags.element);
    for (const std::string& type : options.types) {
        if (type != "int" && type != "float")
            return fail(fmt::format("--element cannot be \"{}\"", type), {}, "It takes `int`, `float` or `int,float`.");
    }
    return {};
}

Result<Options> read_time(const TimeFlags& flags, const std::vector<std::string>& arguments) {
    TimeOptions options;
    options.programs = flags.programs;
    options.json = flags.json;
    options.stream = flags.stream;
    options.out = flags.out.value_or("");
    options.resume = flags.resume.value_or("");
    options.input = flags.input.value_or("");
    options.one_launch = flags.one_launch;
    options.cub = flags.cub;
    options.anyway = flags.anyway;
    options.worker = flags.worker;
    options.kernel = flags.kernel.value_or("");
    if (flags.jobs) options.jobs = words_of(*flags.jobs);
    if (const auto read = read_time_launches(flags, options); !read) return std::unexpected(read.error());
    if (flags.view) {
        const auto view = read_view(*flags.view);
        if (!view) return std::unexpected(view.error());
        options.view = *view;
    }
    const auto number = [](const char* flag, const Text& text, NumberRange range, auto& into) -> Result<void> {
        if (!text) return {};
        const auto read = read_number(flag, *text, range);
        if (!read) return std::unexpected(read.error());
        into = static_cast<std::remove_reference_t<decltype(into)>>(*read);
        return {};
    };
    constexpr std::uint64_t most_samples = 10000, most_milliseconds = 1'000'000, most_seconds = 86'400;
    Result<void> done = number("--samples", flags.samples, {1, most_samples}, options.samples);
    if (done) done = number("--spend", flags.spend, {1, most_milliseconds}, options.spend);
    if (done) done = number("--limit", flags.limit, {1, most_seconds}, options.limit_seconds);
    if (!done) return std::unexpected(done.error());
    options.command = "lanescope";
    for (const std::string& argument : arguments) {
        const bool file = argument == flags.out || argument == flags.resume;  // no machine's paths
        options.command += " " + (file ? std::filesystem::path(argument).filename().string() : argument);
    }
    return options;
}

Result<void> read_sizes(const LaunchFlags& flags, UsualSizes& sizes) {
    if (const auto read = read_launch(flags, sizes.launch); !read) return read;
    if (flags.view) sizes.view = sizes.launch.view;
    return {};
}

/// What verify and counters have in common.
template <class Options, class Flags>
Result<void> read_held_against(const Flags& flags, const std::vector<std::string>& arguments, const Text& file,
                               Options& options) {
    constexpr std::uint64_t most_seconds = 86'400;
    options.programs = flags.programs;
    options.json = flags.json;
    options.worker = flags.worker;
    if (flags.all && !flags.programs.empty())
        return fail("--all and a kernel's name contradict each other", {}, "Give one of them.");
    if (const auto read = read_sizes(flags.sizes, options.sizes); !read) return read;
    if (flags.limit) {
        const auto limit = read_number("--limit", *flags.limit, {1, most_seconds});
        if (!limit) return std::unexpected(limit.error());
        options.limit_seconds = static_cast<unsigned>(*limit);
    }
    options.command = "lanescope";
    for (const std::string& argument : arguments) {
        const bool path = argument == file;  // no machine's paths
        options.command += " " + (path ? std::filesystem::path(argument).filename().string() : argument);
    }
    return {};
}

Result<Options> read_verify(const VerifyFlags& flags, const std::vector<std::string>& arguments) {
    constexpr std::uint64_t most_trials = 100'000;
    VerifyOptions options{.save = flags.save.value_or("")};
    if (const auto read = read_held_against(flags, arguments, flags.save, options); !read)
        return std::unexpected(read.error());
    if (flags.sizes.record) {
        const auto blocks = read_number("--record", *flags.sizes.record, {1, session::most_blocks});
        if (!blocks) return std::unexpected(blocks.error());
        options.record = *blocks;
    }
    if (flags.skip) {
        const auto skip = read_number("--skip", *flags.skip, {0, most_trials});
        if (!skip) return std::unexpected(skip.error());
        options.skip = *skip;
    }
    if (flags.command) options.command = *flags.command;
    return options;
}

Result<Options> read_counters(const CountersFlags& flags, const std::vector<std::string>& arguments) {
    CountersOptions options{.import = flags.import.value_or(""), .out = flags.out.value_or("")};
    if (const auto read = read_held_against(flags, arguments, flags.out, options); !read)
        return std::unexpected(read.error());
    if (flags.jit && *flags.jit != "O0" && *flags.jit != "O3")
        return fail(fmt::format("--jit cannot be \"{}\"", *flags.jit), {}, "It takes `O0` or `O3`.");
    if (flags.jit) options.jit = *flags.jit == "O3";
    return options;
}

}  // namespace

std::expected<Options, UsageProblem> parse(const std::vector<std::string>& arguments) {
    Flags flags;
    CommandLine line(flags);
    try {
        line.app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them last first
    } catch (const CLI::CallForHelp&) {
        return TextOptions{line.app.help()};
    } catch (const CLI::ExtrasError&) {
        return std::unexpected(unexpected_argument(line));
    } catch (const CLI::ArgumentMismatch& error) {
        return std::unexpected(missing_value(line, error));
    } catch (const CLI::ParseError& error) {
        return std::unexpected(not_understood(line, error));
    }
    CLI::App& command = line.chosen();
    Result<Options> options = TextOptions{};
    if (&command == line.list) {
        options =
            ListOptions{.json = flags.list_json, .instructions = flags.list_instructions, .inputs = flags.list_inputs};
    } else if (&command == line.trace) {
        options = read_trace(flags);
    } else if (&command == line.render) {
        options = read_render(flags);
    } else if (&command == line.check) {
        options = read_check(flags);
    } else if (&command == line.time) {
        options = read_time(flags.time, arguments);
    } else if (&command == line.verify) {
        options = read_verify(flags.verify, arguments);
    } else if (&command == line.counters) {
        options = read_counters(flags.counters, arguments);
    } else if (&command == line.version || flags.version_flag) {
        options = VersionOptions{.json = flags.version_json};
    } else {
        options = read_window(flags.window);
    }
    if (!options) return std::unexpected(UsageProblem{options.error(), full_name(command)});
    return std::move(*options);
}

std::vector<std::string> command_names() {
    return {"list", "trace", "render", "check", "time", "verify", "counters", "version"};
}

std::string flag_of(const std::string& field) {
    for (const char* flag : {"kernel", "block", "grid", "n", "shared", "input", "arch"}) {
        if (field == flag) return "--" + field;
    }
    return field == "argument" ? "--arg" : "";
}

}  // namespace lanescope::cli
