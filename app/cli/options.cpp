#include "cli/options.h"

#include "cli/help.h"
#include "cli/values.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::cli {

namespace {

using Text = std::optional<std::string>;

/// What a launch is described by, as typed.
struct LaunchFlags {
    Text kernel, n, block, grid, shared, input, view, arch, banks, record;
    std::vector<std::string> arguments;
    bool anyway = false;
};

struct WindowFlags {
    std::string open;
    Text kernel, n, block, grid, input, view, theme, scale, size, screenshot, pass, progress, select;
    bool fresh = false;
};

struct RenderFlags {
    Text panel, pass, step, in_launch, in_block, theme, width, scale;
    std::vector<std::string> files;
    bool json = false;
};

/// The text of every flag of every command; CLI11 fills it.
struct Flags {
    WindowFlags window;
    LaunchFlags trace_launch, render_launch;
    RenderFlags render;
    std::string trace_program, render_program;
    Text trace_out, check_n, check_input;
    std::vector<std::string> check_programs;
    bool trace_check = false;
    bool list_json = false, list_instructions = false, list_inputs = false, trace_json = false, check_json = false,
         version_json = false;
    bool version_flag = false;
};

void add_launch_flags(CLI::App& command, LaunchFlags& flags) {
    const char* const group = "Launch";
    command.add_option("--kernel", flags.kernel, "Which kernel of the file; a template's instance as scan<float>")
        ->type_name("NAME")
        ->group(group);
    command.add_option("--block", flags.block, "Threads in a block, 1 to 1024; or as 16x16")
        ->type_name("B")
        ->group(group);
    command.add_option("--grid", flags.grid, "Blocks in the grid; or as 4x4")->type_name("G")->group(group);
    command.add_option("--n", flags.n, "Number of elements, 1 to 2^24")->type_name("N")->group(group);
    command.add_option("--shared", flags.shared, "Dynamic shared memory of a block in bytes")
        ->type_name("BYTES")
        ->group(group);
    command
        .add_option("--input", flags.input,
                    "A name that `lanescope list --inputs` shows (iota, ones, random SEED, classic, ...), or values: "
                    "\"6 4 16 10\"")
        ->type_name("INPUT")
        ->group(group);
    command
        .add_option("--arg", flags.arguments,
                    "What a parameter gets, for each in turn: in=iota, \"out=zeros(grid)\", len=n, scale=0.5")
        ->type_name("NAME=PLAN")
        ->expected(1)
        ->take_all()
        ->group(group);
    command
        .add_option("--view", flags.view,
                    "written: every access of the source (default); compiled: what the hardware runs")
        ->type_name("VIEW")
        ->group(group);
    command
        .add_option("--banks", flags.banks,
                    "Banks of shared memory: 32 (default), or 16 that serve half-warps, as on the compute capability "
                    "1.x of older lectures")
        ->type_name("BANKS")
        ->group(group);
    command.add_option("--arch", flags.arch, "Compute capability to compile for, 75 to 90")
        ->type_name("CC")
        ->group(group);
    command.add_option("--record", flags.record, "Blocks to record step by step, the first ones; the rest is counted")
        ->type_name("BLOCKS")
        ->group(group);
    command
        .add_flag("--anyway", flags.anyway,
                  "Run it also where the kernel's own rule says that it cannot, to see what goes wrong")
        ->group(group);
}

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

// --- The commands, as CLI11 knows them ---------------------------------------------------------------------------

void add_window_flags(CLI::App& app, WindowFlags& flags) {
    app.add_option("WHAT", flags.open,
                   "A kernel by name, a .cu or .ptx file, or a saved trace; the first kernel otherwise");
    app.add_option("--kernel", flags.kernel, "Which kernel of the file")->type_name("NAME");
    app.add_option("--block", flags.block, "Threads in a block")->type_name("B");
    app.add_option("--grid", flags.grid, "Blocks in the grid")->type_name("G");
    app.add_option("--n", flags.n, "Number of elements")->type_name("N");
    app.add_option("--input", flags.input, "As in `lanescope trace`")->type_name("INPUT");
    app.add_option("--view", flags.view, "written or compiled")->type_name("VIEW");
    app.add_option("--theme", flags.theme, "dark or light")->type_name("THEME");
    app.add_option("--scale", flags.scale, "Size of the interface, 0.75 to 3")->type_name("FACTOR");
    app.add_option("--size", flags.size, "Size of the window")->type_name("WxH");
    app.add_flag("--fresh", flags.fresh, "Neither read nor keep settings and layout");
    const char* const group = "A picture of the window instead of the window";
    app.add_option("--screenshot", flags.screenshot, "Draw the window once, write it and exit")
        ->type_name("FILE.png")
        ->group(group);
    app.add_option("--pass", flags.pass, "Stand at the end of this pass, the first is 0")->type_name("P")->group(group);
    app.add_option("--progress", flags.progress, "Stand at this share of the run, 0 to 1")
        ->type_name("SHARE")
        ->group(group);
    app.add_option("--select", flags.select, "Select this cell of the Passes picture")
        ->type_name("ROW,COLUMN")
        ->group(group);
}

void add_render_flags(CLI::App& command, RenderFlags& flags) {
    const char* const group = "Picture";
    command.add_option("-o,--out", flags.files, "File to write, .svg or .png; may be given several times")
        ->type_name("X.svg|X.png")
        ->expected(1)
        ->take_all()
        ->group(group);
    command.add_option("--panel", flags.panel, "Which picture: passes, banks, warps")->type_name("PANEL")->group(group);
    command.add_option("--pass", flags.pass, "The state at the end of this pass, the first is 0; of the run otherwise")
        ->type_name("P")
        ->group(group);
    command.add_option("--step", flags.step, "The state before this step of the block, the first is 0")
        ->type_name("K")
        ->group(group);
    command.add_option("--in-launch", flags.in_launch, "Which launch of a program of several, the first is 0")
        ->type_name("L")
        ->group(group);
    command.add_option("--in-block", flags.in_block, "Which of the recorded blocks; the first otherwise")
        ->type_name("I")
        ->group(group);
    command.add_flag("--json", flags.json, "Say what was drawn as one JSON object")->group(group);
    command.add_option("--theme", flags.theme, "dark (default) or light")->type_name("THEME")->group(group);
    command.add_option("--width", flags.width, "Width in points, 200 to 8000; 900 otherwise")
        ->type_name("W")
        ->group(group);
    command.add_option("--scale", flags.scale, "Pixels a point in a PNG, 0.5 to 8; 2 otherwise")
        ->type_name("S")
        ->group(group);
}

/// The application and its commands; `flags` outlives it.
struct CommandLine {
    explicit CommandLine(Flags& flags) {
        app.description(std::string(about));
        app.footer(std::string(main_footer));
        app.formatter(std::make_shared<HelpFormatter>());
        app.set_help_flag("-h,--help", "This text");
        app.add_flag("--version", flags.version_flag, "The version, and which CUDA compiler is found");
        add_window_flags(app, flags.window);

        list = add("list", list_about, list_footer);
        list->add_flag("--json", flags.list_json, "As a JSON array of objects: name, family, summary, ...");
        list->add_flag("--instructions", flags.list_instructions, "The PTX instructions that are supported, instead");
        list->add_flag("--inputs", flags.list_inputs, "The inputs that have a name, instead");

        trace = add("trace", trace_about, trace_footer);
        trace->add_option("WHAT", flags.trace_program, "A kernel by name, a .cu or .ptx file, or a saved trace");
        add_launch_flags(*trace, flags.trace_launch);
        trace->add_flag("--check", flags.trace_check,
                        "Look for races and unwritten reads in all blocks, not only in the recorded ones");
        trace->add_option("-o,--out", flags.trace_out, "Save the trace in this file, for the window or another machine")
            ->type_name("FILE");
        trace->add_flag("--json", flags.trace_json, "As one JSON object");

        render = add("render", render_about, render_footer);
        render->add_option("WHAT", flags.render_program, "A kernel by name, a .cu or .ptx file, or a saved trace");
        add_render_flags(*render, flags.render);
        add_launch_flags(*render, flags.render_launch);

        check = add("check", check_about, check_footer);
        check->add_option("WHAT", flags.check_programs, "Kernels by name, or files; all built-in kernels otherwise");
        check->add_option("--n", flags.check_n, "Number of elements; three blocks less one otherwise")->type_name("N");
        check->add_option("--input", flags.check_input, "As in `lanescope trace`; random 7 otherwise")
            ->type_name("INPUT");
        check->add_flag("--json", flags.check_json, "As one JSON object");

        version = add("version", version_about, version_footer);
        version->add_flag("--json", flags.version_json, "As one JSON object");
    }

    CLI::App* add(const char* name, std::string_view description, std::string_view footer) {
        CLI::App* command = app.add_subcommand(name, std::string(description));
        command->footer(std::string(footer));
        return command;
    }

    /// The command that was asked for; the application itself where none was.
    CLI::App& chosen() {
        const auto commands = app.get_subcommands();
        return commands.empty() ? app : *commands.front();
    }

    CLI::App app{"", "lanescope"};
    CLI::App *list = nullptr, *trace = nullptr, *render = nullptr, *check = nullptr, *version = nullptr;
};

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
    if (options.panel != "passes" && options.panel != "banks" && options.panel != "warps") {
        return fail(fmt::format("--panel cannot be \"{}\"", options.panel), {},
                    "It takes `passes`, `banks` or `warps`.");
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
    } else if (&command == line.version || flags.version_flag) {
        options = VersionOptions{.json = flags.version_json};
    } else {
        options = read_window(flags.window);
    }
    if (!options) return std::unexpected(UsageProblem{options.error(), full_name(command)});
    return std::move(*options);
}

std::vector<std::string> command_names() { return {"list", "trace", "render", "check", "version"}; }

std::string flag_of(const std::string& field) {
    for (const char* flag : {"kernel", "block", "grid", "n", "shared", "input", "arch"}) {
        if (field == flag) return "--" + field;
    }
    return field == "argument" ? "--arg" : "";
}

}  // namespace lanescope::cli
