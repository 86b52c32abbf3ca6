#include "cli/flags.h"

#include "cli/help.h"

namespace lanescope::cli {

namespace {

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
    command
        .add_option("--panel", flags.panel, "Which picture: passes, banks, warps, warp-passes, memory, counts, timing")
        ->type_name("PANEL")
        ->group(group);
    command
        .add_option("--chart", flags.chart, "Of timing: bandwidth, time, steps, block, per-thread, roofline, claims")
        ->type_name("CHART")
        ->group(group);
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

void add_time_flags(CLI::App& command, TimeFlags& flags) {
    command.add_option("WHAT", flags.programs, "Kernels by name, or files; all sound built-in kernels otherwise");
    command.add_option("--kernel", flags.kernel, "Which kernel of a file that has several")->type_name("NAME");
    command.add_option("--n", flags.n, "Numbers of elements, 2^22 otherwise, 2^30 at most")->type_name("N,N,...");
    command.add_option("--block", flags.block, "Threads in a block, 256 otherwise")->type_name("B,B,...");
    command.add_option("--grid", flags.grid, "Blocks, of kernels whose threads take as many elements as there are")
        ->type_name("G,G,...");
    command.add_option("--per-thread", flags.per_thread, "The same, as elements for each thread")->type_name("E,E,...");
    command.add_option("--element", flags.element, "int, float or both; each kernel's own otherwise")
        ->type_name("TYPE,...");
    command.add_option("--input", flags.input, "What the buffers hold, as in trace; random 7 otherwise")
        ->type_name("INPUT");
    command.add_option("--view", flags.view, "written or compiled; compiled otherwise, which is what counts")
        ->type_name("VIEW");
    command.add_option("--samples", flags.samples, "Runs of each, 31 otherwise")->type_name("COUNT");
    command.add_option("--spend", flags.spend, "Fewer runs, but 5, where they take longer together; 1000 otherwise")
        ->type_name("MILLISECONDS");
    command.add_option("--limit", flags.limit, "End a measurement that takes longer; 60 otherwise")
        ->type_name("SECONDS");
    command.add_flag("--one-launch", flags.one_launch, "Leave one value a block; otherwise launch until one is left");
    command.add_flag("--cub", flags.cub, "Also cub::DeviceReduce and cub::DeviceScan (needs nvcc)");
    command.add_flag("--anyway", flags.anyway, "Also what the emulator finds a fault in");
    command.add_option("-o,--out", flags.out, "Save the recording in this file, after each measurement")
        ->type_name("FILE.json");
    command.add_option("--resume", flags.resume, "Go on with a recording that was stopped")->type_name("FILE.json");
    command.add_flag("--json", flags.json, "As one JSON object, a recording");
    command.add_flag("--stream", flags.stream, "As JSON lines, each measurement as it is made");
    // What the command tells the processes that it starts.
    command.add_flag("--worker", flags.worker)->group("");
    command.add_option("--jobs", flags.jobs)->group("");
}

/// What is run, where a GPU is held against the emulator.
void add_size_flags(CLI::App& command, LaunchFlags& flags) {
    command.add_option("--view", flags.view, "written or compiled; both otherwise")->type_name("VIEW");
    command.add_option("--n", flags.n, "Number of elements; four blocks less one otherwise")->type_name("N");
    command.add_option("--block", flags.block, "Threads in a block; 256 otherwise, where the kernel can take it")
        ->type_name("B");
    command.add_option("--input", flags.input, "As in `lanescope trace`; random 7 otherwise")->type_name("INPUT");
    command.add_option("--kernel", flags.kernel, "Which kernel of the file, as in `lanescope trace`")
        ->type_name("NAME");
    command.add_option("--grid", flags.grid, "Blocks in the grid; what n needs otherwise")->type_name("G");
    command.add_option("--shared", flags.shared, "Dynamic shared memory of a block in bytes")->type_name("BYTES");
    command.add_option("--arg", flags.arguments, "What a parameter gets, as in `lanescope trace`")
        ->type_name("NAME=PLAN")
        ->expected(1)
        ->take_all();
}

void add_verify_flags(CLI::App& command, VerifyFlags& flags) {
    command.add_option("WHAT", flags.programs, "Kernels by name, or files; all built-in kernels otherwise");
    command.add_flag("--all", flags.all, "All built-in kernels");
    add_size_flags(command, flags.sizes);
    command.add_option("--record", flags.sizes.record, "Blocks to record and compare, the first ones; all otherwise")
        ->type_name("BLOCKS");
    command.add_option("--limit", flags.limit, "End a kernel that takes longer; 60 otherwise")->type_name("SECONDS");
    command.add_option("--save", flags.save, "Keep the traces of what was recorded in this folder")
        ->type_name("FOLDER");
    command.add_flag("--json", flags.json, "As one JSON object");
    // What the command tells the processes that it starts.
    command.add_flag("--worker", flags.worker)->group("");
    command.add_option("--skip", flags.skip)->group("");
    command.add_option("--command", flags.command)->group("");
}

void add_counters_flags(CLI::App& command, CountersFlags& flags) {
    command.add_option("WHAT", flags.programs, "Kernels by name, or files; all built-in kernels otherwise");
    command.add_flag("--all", flags.all, "All built-in kernels");
    add_size_flags(command, flags.sizes);
    command.add_option("--jit", flags.jit, "As compiled, the driver's compiler at O0 or O3; both otherwise")
        ->type_name("LEVEL");
    command.add_option("--import", flags.import, "Read what `ncu --csv` wrote for this kernel, instead of counting")
        ->type_name("FILE.csv");
    command.add_option("--limit", flags.limit, "End a kernel that takes longer; 120 otherwise")->type_name("SECONDS");
    command.add_option("-o,--out", flags.out, "Keep the counters in this file")->type_name("FILE.json");
    command.add_flag("--json", flags.json, "As one JSON object, beside the emulator's");
    command.add_flag("--worker", flags.worker)->group("");
}

}  // namespace

CommandLine::CommandLine(Flags& flags) {
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
                    "Look for races and uninitialized reads in all blocks, not only in the recorded ones");
    trace->add_option("-o,--out", flags.trace_out, "Save the trace in this file, for the window or another machine")
        ->type_name("FILE");
    trace->add_flag("--json", flags.trace_json, "As one JSON object");

    render = add("render", render_about, render_footer);
    render->add_option("WHAT", flags.render_program,
                       "A kernel by name, a .cu or .ptx file, a saved trace, or a recording of timings");
    add_render_flags(*render, flags.render);
    add_launch_flags(*render, flags.render_launch);

    check = add("check", check_about, check_footer);
    check->add_option("WHAT", flags.check_programs, "Kernels by name, or files; all built-in kernels otherwise");
    check->add_option("--n", flags.check_n, "Number of elements; three blocks less one otherwise")->type_name("N");
    check->add_option("--input", flags.check_input, "As in `lanescope trace`; random 7 otherwise")->type_name("INPUT");
    check->add_flag("--json", flags.check_json, "As one JSON object");

    time = add("time", time_about, time_footer);
    add_time_flags(*time, flags.time);

    verify = add("verify", verify_about, verify_footer);
    add_verify_flags(*verify, flags.verify);

    counters = add("counters", counters_about, counters_footer);
    add_counters_flags(*counters, flags.counters);

    version = add("version", version_about, version_footer);
    version->add_flag("--json", flags.version_json, "As one JSON object");
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
