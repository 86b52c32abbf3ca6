#include "cli/flags.h"

#include "base/command_line.h"
#include "base/files.h"
#include "base/grouped.h"
#include "cli/help.h"
#include "cli/panel_picture.h"
#include "cli/validators.h"
#include "execute/emulator/emulator.h"
#include "host/sandbox.h"
#include "model/device_limits.h"
#include "sass/sass.h"
#include "session/element_types.h"
#include "session/multiprocessors.h"
#include "session/place_link.h"
#include "session/schedule_search.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <filesystem>
#include <ranges>
#include <sstream>

namespace lanescope::cli {

namespace {

using session::LaunchField;
using session::LaunchValues;

constexpr std::uint64_t most_seconds = 86'400, most_index = ~0U;

/// An enumerator in the form that CLI11 reads.
template <class Enum>
std::string number_of(Enum value) {
    return std::to_string(static_cast<int>(value));
}

CLI::Validator views() {
    Words words;
    for (const trace::View view : {trace::View::written, trace::View::compiled})
        words.emplace_back(session::name_of(view), number_of(view));
    return one_of(std::move(words), session::problem_of(LaunchField::view, "")->remedy);
}

CLI::Validator themes(std::string dark, std::string light) {
    return one_of({{"dark", std::move(dark)}, {"light", std::move(light)}});
}

CLI::Option* add_launch_flag(CLI::App& command, LaunchValues& values, LaunchField field, const char* type,
                             std::string description) {
    return command.add_option(fmt::format("--{}", session::name_of(field)), values[field], std::move(description))
        ->check(launch_value(field))
        ->type_name(type);
}

auto launch_flags_of(CLI::App& command, LaunchValues& values) {
    return [&command, &values](LaunchField field, const char* type, std::string description) {
        add_launch_flag(command, values, field, type, std::move(description));
    };
}

CLI::Option* add_arguments(CLI::App& command, LaunchValues& values, std::string description) {
    const auto read = [&values](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) {
            auto argument = session::read_argument(text);
            if (!argument) throw CLI::ValidationError("--arg", refused(text, argument.error().remedy));
            values.arguments.insert_or_assign(std::move(argument->first), std::move(argument->second));
        }
    };
    return command.add_option_function<std::vector<std::string>>("--arg", read, std::move(description))
        ->type_name("NAME=PLAN")
        ->expected(1)
        ->take_all();
}

/// The positional argument of commands that take one program.
constexpr const char* what_is_shown = "A kernel by name, a .cu or .ptx file, the folder of a program, or a saved trace";

void add_what(CLI::App& command, LaunchValues& values, const char* what) {
    command.add_option("WHAT", values[LaunchField::program], what)->required();
}

/// The standard input of main. The words of its command line follow `--`.
void add_standard_input(CLI::App& command, LaunchValues& values) {
    const auto read = [&values](const std::string& file) {
        auto text = read_file(file);
        if (!text) throw CLI::ValidationError("--stdin", refused(file, text.error().message()));
        values[LaunchField::standard_input] = std::move(*text);
    };
    CLI::Option* const file =
        command.add_option_function<std::string>("--stdin", read, "Standard input of the program (default: empty)")
            ->type_name("FILE");
    command.add_option("--stdin-text", values[LaunchField::standard_input], "Standard input of the program, as text")
        ->type_name("TEXT")
        ->excludes(file);
}

/// The same, with the folder in which main runs and its time limit.
void add_run_of_main(CLI::App& command, LaunchValues& values) {
    add_standard_input(command, values);
    const auto read = [&values](const std::string& folder) {
        std::error_code error;
        if (!std::filesystem::is_directory(folder, error))
            throw CLI::ValidationError("--working-folder", refused(folder, "There is no such folder."));
        values[LaunchField::working_folder] = std::filesystem::absolute(folder, error).lexically_normal().string();
    };
    command
        .add_option_function<std::string>("--working-folder", read,
                                          "Folder in a copy of which the program runs (default: the folder opened, or "
                                          "that of the file)")
        ->type_name("FOLDER");
    add_launch_flag(command, values, LaunchField::time_limit, "SECONDS",
                    fmt::format("Limit of the host code's CPU time (default: {})", host::SandboxLimits().cpu.count()));
}

/// The same, with options for building main.
void add_program_input(CLI::App& command, LaunchValues& values) {
    add_run_of_main(command, values);
    command.add_flag("--sanitize", values.sanitize,
                     "Build the host code with AddressSanitizer, which finds overruns of host memory");
}

/// Each flag adds options in nvcc's form to the field.
void add_compiler_flags(CLI::App& command, LaunchValues& values) {
    const auto add = [&](const char* flag, const char* type, std::string description, auto word_of) {
        const auto read = [&values, flag, word_of](const std::vector<std::string>& texts) {
            std::string& field = values[LaunchField::compiler];
            for (const std::string& text : texts) {
                const std::string word = command_text({word_of(text)});
                if (const auto problem = session::problem_of(LaunchField::compiler, word))
                    throw CLI::ValidationError(flag, refused(text, problem->remedy));
                field += (field.empty() ? "" : " ") + word;
            }
        };
        command.add_option_function<std::vector<std::string>>(flag, read, std::move(description))
            ->type_name(type)
            ->expected(1)
            ->take_all();
    };
    add("-I,--include", "FOLDER", "Look for the source's headers in FOLDER, too", [](const std::string& folder) {
        std::error_code error;
        return "-I" + std::filesystem::absolute(folder, error).string();
    });
    add("-D,--define", "NAME[=VALUE]", "Define a macro for the source",
        [](const std::string& macro) { return "-D" + macro; });
    add("--std", "STANDARD", "Standard of C++ to compile for, such as c++20 (default: c++17)",
        [](const std::string& standard) { return "-std=" + standard; });
}

std::string threads_of_a_block() {
    return fmt::format("Threads per block, 1 to {}, or an extent such as 16x16",
                       grouped(model::emulated_device().threads_per_block));
}

/// `compared`: for a comparison of several launches, each of which may have its own value.
void add_launch_flags(CLI::App& command, LaunchValues& values, bool compared = false) {
    const char* const group = "Launch";
    const auto add = [&](LaunchField field, const char* type, std::string description) {
        if (!compared || !has_value_for_each(field)) {
            add_launch_flag(command, values, field, type, std::move(description))->group(group);
            return;
        }
        command.add_option(fmt::format("--{}", session::name_of(field)), values[field], std::move(description))
            ->check(one_to_four(launch_value(field)))
            ->type_name(fmt::format("{0}[,{0}...]", type))
            ->group(group);
    };
    add(LaunchField::kernel, "NAME", "Kernel to run; a template instance as scan<float>");
    add(LaunchField::block, "B", threads_of_a_block());
    add(LaunchField::grid, "G", "Blocks in the grid, or an extent such as 4x4");
    add(LaunchField::n, "N", fmt::format("Number of elements, 1 to {}", size_text(session::most_elements)));
    add(LaunchField::shared, "BYTES", "Dynamic shared memory per block, in bytes");
    add(LaunchField::input, "INPUT",
        "A name that `lanescope list --inputs` shows (iota, ones, random SEED, classic, ...), or values: \"6 4 16 "
        "10\"");
    add_arguments(
        command, values,
        "The argument of a parameter; may be given several times: in=iota, \"out=zeros(grid)\", len=n, scale=0.5")
        ->group(group);
    add(LaunchField::view, "VIEW",
        "written: every access of the source, compiled with -G (default); compiled: what the hardware runs, compiled "
        "with "
        "-lineinfo");
    add(LaunchField::banks, "BANKS",
        fmt::format("Banks of shared memory: {} (default), or {} that serve half-warps, as on compute capability 1.x",
                    model::emulated_device().banks, model::half_warp_banks()));
    add(LaunchField::arch, "CC",
        fmt::format("Compute capability to compile for: {}", fmt::join(session::arches(), ", ")));
    add(LaunchField::multiprocessors, "COUNT",
        fmt::format("Multiprocessors that blocks run on: a number, or a GPU with its limits ({}); default: the "
                    "emulator chooses, within an {}'s",
                    session::gpu_names(), model::emulated_gpu));
    add(LaunchField::resident, "BLOCKS", "Blocks on each multiprocessor at once, at most (default: as many as fit)");
    add(LaunchField::order, "ORDER",
        "The order in which blocks start: ascending, descending or shuffled SEED; also late BLOCK ... (they start "
        "last) and stall BLOCK ... (they stop at their first block barrier while other blocks execute): \"descending, "
        "stall 3\"");
    add(LaunchField::schedule, "SCHEDULE",
        "Which threads wait while others execute: hold BLOCK:WARP:LANE at LINE (of the PTX), delay BLOCK:WARP:LANE at "
        "LINE (its store is seen late), stale BLOCK:WARP:LANE at LINE (its load returns an old value), shuffled SEED; "
        "`lanescope schedule` searches for one that makes a race spoil the result");
    add(LaunchField::function, "NAME",
        "The __host__ __device__ function of a program whose first call by host code is run as a launch of one thread "
        "and shown");
    add(LaunchField::max_instructions, "N",
        fmt::format(
            "Warp instructions that the launches may execute (default: {}; {} before a block ends, in loops that "
            "do not count towards an exit)",
            size_text(execute::Limits().warp_instructions), size_text(execute::Limits().uncounted_instructions)));
    add(LaunchField::record, "BLOCKS", "Record the first BLOCKS blocks step by step, and count the others");
    add(LaunchField::record_launch, "NUMBER",
        "Of a program that makes more launches than the record has room for: the launch to record, from 0");
    command
        .add_flag("--anyway", values.anyway, "Run sizes that the kernel's own limit excludes, to see what goes wrong")
        ->group(group);
    add_compiler_flags(command, values);
    add_program_input(command, values);
}

void add_picture_look(CLI::App& command, scene::Theme& theme, float& width, float& scale, const char* group) {
    command.add_option("--theme", theme, "dark (default) or light")
        ->transform(themes(number_of(scene::Theme::dark), number_of(scene::Theme::light)))
        ->type_name("THEME")
        ->group(group);
    constexpr RealRange widths{200, 8000}, scales{0.5, 8};
    command.add_option("--width", width, fmt::format("Width in points, {} (default: {})", text_of(widths), width))
        ->check(real_number(widths))
        ->type_name("W")
        ->group(group);
    command
        .add_option("--scale", scale,
                    fmt::format("Pixels per point, except in SVG, {} (default: {})", text_of(scales), scale))
        ->check(real_number(scales))
        ->type_name("S")
        ->group(group);
}

void add_compare_flags(CLI::App& command, CompareOptions& options, std::vector<std::string>& what,
                       LaunchValues& values) {
    command
        .add_option(
            "WHAT", what,
            "A, B and up to two more: kernels by name, .cu or .ptx files, or saved traces; one, if a flag has several "
            "values")
        ->required()
        ->expected(1, static_cast<int>(most_compared));
    const char* const group = "Output";
    command.add_option("-o,--out", options.files, "Also draw it, into .svg or .png; may be given several times")
        ->type_name("X.svg|X.png")
        ->expected(1)
        ->take_all()
        ->group(group);
    command.add_flag("--json", options.json, "Print one JSON object")->group(group);
    add_picture_look(command, options.theme, options.width, options.scale, group);
    add_launch_flags(command, values, true);
}

void add_window_flags(CLI::App& app, session::WindowOptions& options) {
    LaunchValues& launch = options.launch;
    app.add_option(
        "WHAT", launch[LaunchField::program],
        "A kernel or a lecture by name, a .cu or .ptx file, the folder of a program, a saved trace, a .json recording, "
        "or a .md, a lecture (default: the first kernel)");
    add_launch_flag(app, launch, LaunchField::kernel, "NAME", "The kernel of the file to run");
    add_launch_flag(app, launch, LaunchField::block, "B", "Threads per block");
    add_launch_flag(app, launch, LaunchField::grid, "G", "Blocks in the grid");
    add_launch_flag(app, launch, LaunchField::n, "N", "Number of elements");
    add_launch_flag(app, launch, LaunchField::input, "INPUT", "As in `lanescope trace`");
    add_launch_flag(app, launch, LaunchField::view, "VIEW", "written or compiled");
    for (const auto& [field, type] :
         {std::pair(LaunchField::multiprocessors, "COUNT"), std::pair(LaunchField::resident, "BLOCKS"),
          std::pair(LaunchField::order, "ORDER"), std::pair(LaunchField::schedule, "SCHEDULE")})
        add_launch_flag(app, launch, field, type, "As in `lanescope trace`");
    add_compiler_flags(app, launch);
    add_program_input(app, launch);
    app.add_option("--theme", options.light, "dark or light")->transform(themes("false", "true"))->type_name("THEME");
    constexpr RealRange scales{0.75, 3};
    app.add_option("--scale", options.scale, fmt::format("Size of the interface, {}", text_of(scales)))
        ->check(real_number(scales))
        ->type_name("FACTOR");
    const auto pair_of = [](const std::string& text) {
        std::istringstream in(text);
        std::pair<std::uint32_t, std::uint32_t> pair;
        in >> pair.first >> pair.second;
        return pair;
    };
    app.add_option_function<std::string>(
           "--size",
           [&options, pair_of](const std::string& text) {
               const auto [width, height] = pair_of(text);
               options.width = static_cast<int>(width);
               options.height = static_cast<int>(height);
           },
           "Size of the window")
        ->transform(number_pair('x', {320, 16384}))
        ->type_name("WxH");
    app.add_flag_callback(
        "--fresh", [&options] { options.remember = false; }, "Neither read nor write settings and layout");
    const char* const group = "Screenshot instead of a window";
    app.add_option("--screenshot", options.screenshot, "Draw the window once, write it and exit")
        ->type_name("FILE.png")
        ->group(group);
    app.add_option("--pass", options.pass, "Start at the end of this pass, the first is 0")
        ->transform(whole_number({0, most_index}))
        ->type_name("P")
        ->group(group);
    app.add_option("--progress", options.progress, "Start at this share of the run, 0 to 1")
        ->check(real_number({0, 1}))
        ->type_name("SHARE")
        ->group(group);
    app.add_option_function<std::string>(
           "--select", [&options, pair_of](const std::string& text) { options.select = pair_of(text); },
           "Select this cell of the Passes picture")
        ->transform(number_pair(',', {0, most_index}))
        ->type_name("ROW,COLUMN")
        ->group(group);
}

void add_render_flags(CLI::App& command, RenderOptions& options) {
    const char* const group = "Picture";
    command.add_option("-o,--out", options.files, "File to write, .svg or .png; may be given several times")
        ->type_name("X.svg|X.png")
        ->expected(1)
        ->take_all()
        ->group(group);
    std::vector<std::string> panels;
    for (const DrawnPanel& panel : drawn_panels()) panels.emplace_back(panel.name);
    panels.emplace_back("timing");
    Words panel_words;
    for (const std::string& panel : panels) panel_words.emplace_back(panel, panel);
    command.add_option("--panel", options.panel, fmt::format("The picture: {}", fmt::join(panels, ", ")))
        ->transform(one_of(std::move(panel_words)))
        ->type_name("PANEL")
        ->group(group);
    Words charts;
    for (const scene::TimingChart chart : scene::timing_charts)
        charts.emplace_back(scene::name_of(chart), number_of(chart));
    command
        .add_option("--chart", options.chart,
                    fmt::format("Chart of the timing panel: {}", fmt::join(charts | std::views::keys, ", ")))
        ->transform(one_of(charts))
        ->type_name("CHART")
        ->group(group);
    const auto index = [&](const char* flag, auto& into, const char* type, const char* description,
                           std::uint64_t most = most_index) {
        return command.add_option(flag, into, description)
            ->transform(whole_number({0, most}))
            ->type_name(type)
            ->group(group);
    };
    CLI::Option* const animate =
        command
            .add_option("--animate", options.animation, "Animation to write, .gif, or .mp4 where ffmpeg is installed")
            ->check([](const std::string& file) {
                return file.empty() ? std::string("needs the name of a file, X.gif or X.mp4") : std::string();
            })
            ->type_name("X.gif|X.mp4")
            ->group(group);
    command
        .add_option("--per", options.frame_unit,
                    "One frame for each pass (default), or for each step: the next memory access, branch, shuffle or "
                    "barrier of warp 0; a frame shows its end")
        ->transform(one_of({{"pass", number_of(FrameUnit::pass)}, {"step", number_of(FrameUnit::step)}}))
        ->type_name("UNIT")
        ->needs(animate)
        ->group(group);
    constexpr RealRange durations{0.04, 60};
    command
        .add_option("--frame-seconds", options.frame_seconds,
                    fmt::format("Seconds per frame, {} (default: 1 per pass, 0.25 per step)", text_of(durations)))
        ->check(real_number(durations))
        ->type_name("S")
        ->needs(animate)
        ->group(group);
    CLI::Option* const pass =
        index("--pass", options.pass, "P",
              "The state at the end of this pass, counted from 0 (default: at the end of the run)");
    index("--step", options.step, "K", "The state before this step of the block, the first is 0")->excludes(pass);
    index("--in-launch", options.in_launch, "L", "The launch of a program with several, the first is 0");
    index("--in-block", options.in_block, "I", "The recorded block (default: the first)", session::most_blocks - 1);
    command.add_flag("--json", options.json, "Print the drawn state as one JSON object")->group(group);
    command
        .add_option("--pairs", options.pairs,
                    "Passes: arrays that form one value, such as slope and offset, share cells: on (default) or off")
        ->transform(one_of({{"on", "true"}, {"off", "false"}}))
        ->type_name("ON|OFF")
        ->group(group);
    add_picture_look(command, options.theme, options.width, options.scale, group);
}

void add_lecture_flags(CLI::App& command, LectureOptions& options) {
    constexpr std::uint64_t most_steps = 10'000;
    command.add_option("WHAT", options.lecture,
                       "A lecture that comes with Lanescope, or a .md file (default: list those that come with it)");
    command.add_option("--step", options.step, "This step alone, the first is 1")
        ->transform(whole_number({1, most_steps}))
        ->type_name("K");
    command
        .add_option("-o,--out", options.out,
                    "A .pdf, with a page for each step, or a folder, in which each step becomes an SVG")
        ->type_name("X.pdf|FOLDER");
    command.add_flag("--notes", options.notes, "Also print the speaker's notes");
    command.add_option("--theme", options.theme, "light (default) or dark")
        ->transform(themes(number_of(scene::Theme::dark), number_of(scene::Theme::light)))
        ->type_name("THEME");
    command.add_flag("--json", options.json, "Print one JSON object");
}

void add_time_flags(CLI::App& command, TimeOptions& options, LaunchValues& launch) {
    const auto list = [&](const char* flag, auto& into, const CLI::Validator& each, const char* type,
                          std::string description) {
        command.add_option(flag, into, std::move(description))
            ->delimiter(',')
            ->expected(1)
            ->take_all()
            ->transform(each)
            ->type_name(type);
    };
    const auto number = [&](const char* flag, auto& into, std::uint64_t most, const char* type,
                            const char* description) {
        command.add_option(flag, into, description)->transform(whole_number({1, most}))->type_name(type);
    };
    Words element_types;
    for (const std::string_view type : session::element_types) element_types.emplace_back(type, type);
    constexpr std::uint64_t most_samples = 10000, most_milliseconds = 1'000'000;
    command.add_option("WHAT", options.programs, "Kernels by name, or files (default: all sound built-in kernels)");
    command.add_option("--kernel", options.kernel, "The kernel, of a file that has several")->type_name("NAME");
    list("--n", options.n, whole_number({1, session::most_gpu_elements}), "N,N,...",
         fmt::format("Numbers of elements, {} at most (default: {})", size_text(session::most_gpu_elements),
                     size_text(options.n.front())));
    list("--block", options.blocks, whole_number({1, model::emulated_device().threads_per_block}), "B,B,...",
         "Threads per block (default: 256)");
    list("--grid", options.grids, whole_number({1, session::most_blocks}), "G,G,...",
         "Blocks, for kernels with a grid-stride loop");
    list("--per-thread", options.per_thread, whole_number({1, session::most_gpu_elements}), "E,E,...",
         "The same as elements for each thread");
    list("--element", options.types,
         one_of(element_types,
                fmt::format("Expected `{}` or several: `int,float`.", fmt::join(session::element_types, "`, `"))),
         "TYPE,...", "int, float, double or several (default: each kernel's own)");
    command
        .add_option("--input", options.input, "Contents of the buffers, as in `lanescope trace` (default: random 7)")
        ->type_name("INPUT");
    command.add_option("--view", options.view, "written or compiled (default: compiled)")
        ->transform(views())
        ->type_name("VIEW");
    add_launch_flag(command, launch, LaunchField::shared, "BYTES", "Dynamic shared memory per block, in bytes");
    add_launch_flag(command, launch, LaunchField::arch, "CC",
                    "Compute capability to compile for, as in `lanescope trace`");
    add_arguments(command, launch, "The argument of a parameter, as in `lanescope trace`");
    add_compiler_flags(command, launch);
    number("--samples", options.samples, most_samples, "COUNT", "Runs of each measurement (default: 31)");
    number("--spend", options.spend, most_milliseconds, "MILLISECONDS",
           "Limit of all runs together, at least 5 runs (default: 1,000)");
    number("--limit", options.limit_seconds, most_seconds, "SECONDS",
           "Terminate a measurement that takes longer on the GPU (default: 60)");
    command.add_flag("--one-launch", options.one_launch,
                     "Leave one value per block (default: launch until one is left)");
    command.add_flag("--cub", options.cub, "Also cub::DeviceReduce and cub::DeviceScan (needs nvcc)");
    command.add_flag(
        "--residency", options.residency,
        "Also a kernel that only reads, with 1 to 64 warps resident on each multiprocessor and 1 to 8 loads "
        "in flight; without WHAT, this alone");
    command.add_flag("--anyway", options.anyway, "Also kernels in which the emulator has findings");
    command.add_option("-o,--out", options.out, "Save the recording in this file, after each measurement")
        ->type_name("FILE.json");
    CLI::Option* const resume =
        command.add_option("--resume", options.resume, "Continue a recording that was stopped")->type_name("FILE.json");
    command
        .add_option("--recount", options.recount,
                    "Count each point of a recording again, with the emulator; measures nothing, and "
                    "needs no GPU")
        ->type_name("FILE.json")
        ->excludes(resume);
    command.add_flag("--json", options.json, "Print the recording as one JSON object");
    command.add_flag("--stream", options.stream, "Print JSON lines, each measurement as it is made");
    // For the worker processes of the command.
    command.add_flag("--worker", options.worker)->group("");
    command.add_option("--jobs", options.jobs)->delimiter(',')->expected(1)->take_all()->group("");
    command.add_option("--cub-library", options.cub_library)->group("");
}

/// The kernel, its grid, arguments and compiler options.
void add_program_flags(CLI::App& command, LaunchValues& launch) {
    const auto add = launch_flags_of(command, launch);
    add(LaunchField::kernel, "NAME", "The kernel of the file, as in `lanescope trace`");
    add(LaunchField::grid, "G", "Blocks in the grid (default: as many as n needs)");
    add(LaunchField::shared, "BYTES", "Dynamic shared memory per block, in bytes");
    add(LaunchField::arch, "CC", "Compute capability to compile for, as in `lanescope trace`");
    add_arguments(command, launch, "The argument of a parameter, as in `lanescope trace`");
    add_compiler_flags(command, launch);
    add_run_of_main(command, launch);
}

/// The common flags of `verify` and `counters`.
template <class Options>
void add_comparison_flags(CLI::App& command, Options& options, LaunchValues& launch, bool& all) {
    CLI::Option* const programs =
        command.add_option("WHAT", options.programs, "Kernels by name, or files (default: all built-in kernels)");
    command.add_flag("--all", all, "All built-in kernels")->excludes(programs);
    const auto add = launch_flags_of(command, launch);
    add(LaunchField::view, "VIEW", "written or compiled (default: both)");
    add(LaunchField::n, "N", "Number of elements (default: four blocks less one)");
    add(LaunchField::block, "B", "Threads per block (default: 256, if the kernel supports it)");
    add(LaunchField::input, "INPUT", "As in `lanescope trace` (default: random 7)");
    add_program_flags(command, launch);
}

template <class Options>
void add_limit(CLI::App& command, Options& options) {
    command
        .add_option("--limit", options.limit_seconds,
                    fmt::format("Terminate a kernel that takes longer on the GPU (default: {})", options.limit_seconds))
        ->transform(whole_number({1, most_seconds}))
        ->type_name("SECONDS");
}

constexpr std::uint64_t most_trials = 100'000;

/// For the worker processes of a command.
template <class Options>
void add_worker_flags(CLI::App& command, Options& options) {
    command.add_flag("--worker", options.worker)->group("");
    command.add_option("--skip", options.skip)->transform(whole_number({0, most_trials}))->group("");
}

void add_verify_flags(CLI::App& command, VerifyOptions& options, LaunchValues& launch, bool& all) {
    add_comparison_flags(command, options, launch, all);
    command.add_option("--record", options.record, "Record and compare the first BLOCKS blocks (default: all)")
        ->transform(whole_number({1, session::most_blocks}))
        ->type_name("BLOCKS");
    add_limit(command, options);
    command.add_option("--save", options.save, "Save the recorded traces in this folder")->type_name("FOLDER");
    command.add_flag("--json", options.json, "Print one JSON object");
    add_worker_flags(command, options);
    command.add_option("--command", options.command)->group("");
}

void add_counters_flags(CLI::App& command, CountersOptions& options, LaunchValues& launch, bool& all) {
    add_comparison_flags(command, options, launch, all);
    command.add_option("--jit", options.jit, "Driver compiler levels for the compiled view: O0 or O3 (default: both)")
        ->transform(one_of({{"O0", "false"}, {"O3", "true"}}))
        ->type_name("LEVEL");
    command
        .add_option("--import", options.import, "Read the output of `ncu --csv` for this kernel, instead of counting")
        ->type_name("FILE.csv");
    add_limit(command, options);
    command.add_option("-o,--out", options.out, "Save the counters in this file")->type_name("FILE.json");
    command.add_flag("--json", options.json, "Print one JSON object, with the emulator's counts");
    add_worker_flags(command, options);
    command.add_option("--take", options.take)->transform(whole_number({0, most_trials}))->group("");
}

void add_timeline_flags(CLI::App& command, TimelineOptions& options, LaunchValues& launch, bool& all) {
    CLI::Option* const programs = command.add_option(
        "WHAT", options.programs, "Kernels by name, or files (default: all built-in kernels without an error)");
    command.add_flag("--all", all, "All built-in kernels without an error")->excludes(programs);
    const auto add = launch_flags_of(command, launch);
    add(LaunchField::view, "VIEW", "written or compiled (default: compiled)");
    add(LaunchField::n, "N", "Number of elements (default: the kernel's own)");
    add(LaunchField::block, "B", "Threads per block (default: the kernel's own)");
    add(LaunchField::input, "INPUT", "As in `lanescope trace`");
    add_program_flags(command, launch);
    add_limit(command, options);
    command.add_flag("--as-timed", options.as_timed,
                     "The launch that `lanescope time` measures: it fills the GPU where the kernel allows it");
    command.add_flag("--warps", options.warps, "Record when each warp waits at block barriers and mbarriers, too");
    command.add_option("-o,--out", options.out, "Save the recording in this file")->type_name("FILE.json");
    command.add_flag("--json", options.json, "Print the recording as one JSON object");
    add_worker_flags(command, options);
    command.add_option("--command", options.command)->group("");
}

}  // namespace

bool has_value_for_each(LaunchField field) {
    using enum LaunchField;
    constexpr std::array fields{block, grid, n, view, banks, shared, arch, record, multiprocessors, resident};
    return std::ranges::find(fields, field) != fields.end();
}

void add_own_flags(CLI::App& app, LaunchValues& values) { add_launch_flags(app, values); }

CommandLine::CommandLine() {
    app.description(std::string(about));
    app.footer(std::string(main_footer));
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_help_flag("-h,--help", "This text");
    app.add_flag("--version", asks_version, "The version, and the CUDA compiler that is found");
    add_window_flags(app, window);

    list = add("list", list_about, list_footer);
    list->add_flag("--json", list_options.json, "Print a JSON array of objects: name, family, summary, ...");
    list->add_flag("--instructions", list_options.instructions, "The supported PTX instructions instead");
    list->add_flag("--inputs", list_options.inputs, "The named inputs instead");

    trace = add("trace", trace_about, trace_footer);
    add_what(*trace, trace_launch, what_is_shown);
    add_launch_flags(*trace, trace_launch);
    trace->add_flag("--check", trace_checks_all_blocks,
                    "Check all blocks for races and uninitialized reads, not only the recorded ones");
    trace->add_option("-o,--out", trace_options.out, "Save the trace in this file, for the window or another machine")
        ->type_name("FILE");
    trace->add_flag("--theory", trace_options.theory,
                    "Report cost, Brent's bound, work at other sizes, bytes and occupancy as well");
    trace->add_flag("--json", trace_options.json, "Print one JSON object");

    sass = add("sass", sass_about, sass_footer);
    add_what(*sass, sass_launch, what_is_shown);
    Words architectures;
    for (const unsigned arch : sass::arches())
        architectures.emplace_back(fmt::format("{}", arch), fmt::format("{}", arch));
    sass->add_option("--sm", sass_options.sm,
                     fmt::format("Architecture of the machine code: {} (default: --arch, else {})",
                                 fmt::join(architectures | std::views::keys, ", "), sass::usual_arch()))
        ->transform(one_of(architectures))
        ->type_name("CC");
    sass->add_flag("--json", sass_options.json, "Print one JSON object");
    add_launch_flags(*sass, sass_launch);

    schedule = add("schedule", schedule_about, schedule_footer);
    add_what(*schedule, schedule_launch, what_is_shown);
    schedule
        ->add_option("--tries", schedule_options.tries,
                     fmt::format("Schedules to try, at most (default: {})", session::usual_tries))
        ->transform(whole_number({1, session::most_tries}))
        ->type_name("COUNT");
    schedule->add_flag("--json", schedule_options.json, "Print one JSON object");
    add_launch_flags(*schedule, schedule_launch);

    render = add("render", render_about, render_footer);
    add_what(*render, render_launch,
             "A kernel by name, a .cu or .ptx file, the folder of a program, a saved trace, or a recording of timings");
    add_render_flags(*render, render_options);
    add_launch_flags(*render, render_launch);

    compare = add("compare", compare_about, compare_footer);
    add_compare_flags(*compare, compare_options, compare_what, compare_launch);

    open = add("open", open_about, open_footer);
    open->add_option("LINK", link, "lanescope:PROGRAM?block=128#launch/0/block/0/step/41")
        ->required()
        ->check([](const std::string& text) {
            return session::is_link(text)
                       ? std::string()
                       : fmt::format("cannot be \"{}\"\nA link begins with lanescope:, as Copy link writes it.", text);
        });
    open->fallthrough();  // the window's flags may follow the link

    lecture = add("lecture", lecture_about, lecture_footer);
    add_lecture_flags(*lecture, lecture_options);

    check = add("check", check_about, check_footer);
    check->add_option("WHAT", check_options.programs, "Kernels by name, or files (default: all built-in kernels)");
    check->add_option("--n", check_options.n, "Number of elements (default: three blocks less one)")
        ->transform(whole_number({1, session::most_elements}))
        ->type_name("N");
    check->add_option("--input", check_options.input, "As in `lanescope trace` (default: random 7)")
        ->type_name("INPUT");
    check->add_flag("--thorough", check_options.thorough,
                    "Also n from 1 to 2²⁰, and every type and instance that a lesson claims");
    check->add_flag("--json", check_options.json, "Print one JSON object");

    time = add("time", time_about, time_footer);
    add_time_flags(*time, time_options, time_launch);

    verify = add("verify", verify_about, verify_footer);
    add_verify_flags(*verify, verify_options, verify_launch, asks_all);

    counters = add("counters", counters_about, counters_footer());
    add_counters_flags(*counters, counters_options, counters_launch, asks_all);

    timeline = add("timeline", timeline_about, timeline_footer);
    add_timeline_flags(*timeline, timeline_options, timeline_launch, asks_all);

    version = add("version", version_about, version_footer);
    version->add_flag("--json", version_options.json, "Print one JSON object");
}

CLI::App* CommandLine::add(const char* name, std::string_view description, std::string_view footer) {
    CLI::App* command = app.add_subcommand(name, std::string(description));
    command->footer(std::string(footer));
    return command;
}

CLI::App& CommandLine::chosen() {
    const auto commands = app.get_subcommands();
    return commands.empty() ? app : *commands.front();
}

}  // namespace lanescope::cli
