#include "cli/help.h"

#include "cli/table.h"
#include "timing/counters.h"

#include <cctype>
#include <sstream>

namespace lanescope::cli {

// --- The words ---------------------------------------------------------------------------------------------------

const std::string_view about =
    "Lanescope shows how a CUDA kernel executes: the tree of a reduction, the passes of\n"
    "a scan, idle lanes, bank conflicts, and what each of them costs. It runs plain\n"
    "CUDA C++ on an emulator; no GPU is needed. Without a command it opens a window;\n"
    "without a display it writes pictures and prints their paths.";
const std::string_view main_footer =
    "EXAMPLES\n"
    "  lanescope                                  the first lesson, in the window\n"
    "  lanescope my_kernel.cu                     a kernel of your own\n"
    "  lanescope trace reduce/sequential --block 256 --n 256 --view compiled\n"
    "  lanescope render scan/double-buffered --pass 2 -o pass2.svg\n"
    "  lanescope COMMAND --help                   the help of a command\n"
    "\n"
    "EXIT STATUS\n"
    "  0 success, 1 wrong result or findings other than leaks, 2 invalid request";

const std::string_view list_about = "Show the kernels that come with Lanescope";
const std::string_view list_footer =
    "EXAMPLES\n"
    "  lanescope list\n"
    "  lanescope list --json | jq -r '.[].name'\n"
    "  lanescope list --instructions\n"
    "  lanescope list --inputs\n"
    "\n"
    "EXIT STATUS\n"
    "  0 success, 2 invalid request";

const std::string_view trace_about =
    "Run a kernel and report it pass by pass: lanes, wavefronts, sectors, work, result";
const std::string_view trace_footer =
    "A file with a main() runs unmodified: nvcc compiles it, and it runs on this\n"
    "machine in a sandbox: no network access, writes to a scratch folder only, limited\n"
    "memory and time. Its launches run on the emulator, with their own sizes and data.\n"
    "Arguments after -- are passed to main(), --stdin is its standard input.\n"
    "\n"
    "Only one kernel runs if a `lanescope:` comment describes a launch, if --kernel or\n"
    "launch flags select it, if there is no main(), or if host code cannot run here; the\n"
    "report says so. Missing parameters come from the file's `lanescope:` comments, then\n"
    "from the launch in the file; otherwise they are guessed (a pointer: a buffer of N\n"
    "elements; an integer: N), and every guess is printed.\n"
    "\n"
    "EXAMPLES\n"
    "  lanescope trace reduce/interleaved-modulo\n"
    "  lanescope trace reduce/sequential --block 256 --n 256 --view compiled --json\n"
    "  lanescope trace my_scan.cu --kernel scan --n 1000 --arg \"in=random 3\" --arg len=n\n"
    "  lanescope trace scan/double-buffered --n 1024 --block 1024 --out scan.lanescope\n"
    "  lanescope trace program.cu --stdin numbers.txt -- --size 1000\n"
    "\n"
    "EXIT STATUS\n"
    "  0 success: no findings other than leaks, the result equals that of the CPU\n"
    "    reference where there is one, and the program's own exit status is 0\n"
    "  1 wrong result or findings, or the program's own exit status is not 0\n"
    "  2 invalid request: no such kernel, an impossible launch, a source that does not\n"
    "    compile";

const std::string_view sass_about = "Show the machine code (SASS) of a kernel beside its PTX and source lines";
const std::string_view sass_footer =
    "The PTX that the emulator executes is assembled by ptxas, as the driver does when it\n"
    "loads PTX, and disassembled by nvdisasm; no GPU is needed. A driver of another\n"
    "version may assemble it differently. A SASS instruction stands beside the line of\n"
    "the PTX that ptxas made it for, and beside the source line of that PTX. Registers,\n"
    "spills, stack and static shared memory are those that ptxas reports; the occupancy\n"
    "is what they allow in blocks as launched.\n"
    "\n"
    "EXAMPLES\n"
    "  lanescope sass reduce/sequential --view compiled\n"
    "  lanescope sass reduce/sequential --view compiled --sm 120 --json\n"
    "  lanescope sass my_kernel.cu --kernel scan --block 1024\n"
    "\n"
    "EXIT STATUS\n"
    "  0 success\n"
    "  2 invalid request, ptxas or nvdisasm is missing, or ptxas rejects the PTX";

const std::string_view schedule_about = "Find a schedule under which a race spoils the result of a kernel";
const std::string_view schedule_footer =
    "For each race that the emulator finds, the kernel runs again: first one of the two\n"
    "threads of the race waits before its line, then the other; then its store is seen\n"
    "late, as the memory model allows without a fence; then other threads at these lines;\n"
    "then warps and blocks take turns at random. The first schedule under which the CPU\n"
    "reference rejects the result is printed. Where there is no reference, it is the\n"
    "first under which the result differs from that of the usual run. Where atomics,\n"
    "volatile accesses, the active mask or clocks may change a result, too, such a\n"
    "difference is open (\"open\" in JSON): it proves no race. A kernel that stops itself\n"
    "under the first schedules as well is not tried further. The search is the same each\n"
    "time. `lanescope trace --schedule` runs the kernel under the schedule.\n"
    "\n"
    "EXAMPLES\n"
    "  lanescope schedule faulty/missing-barrier\n"
    "  lanescope schedule my_scan.cu --n 1000 --block 128 --tries 500 --json\n"
    "\n"
    "EXIT STATUS\n"
    "  0 no race, no schedule that was tried spoils the result, or it is open whether one does\n"
    "  1 a schedule spoils the result, or it is wrong already\n"
    "  2 invalid request";

const std::string_view render_about = "Draw a panel of the window into a file, without a display";
const std::string_view render_footer =
    "EXAMPLES\n"
    "  lanescope render reduce/interleaved-modulo -o tree.svg\n"
    "  lanescope render scan/double-buffered --pass 2 --theme light -o pass2.png\n"
    "  lanescope render run.lanescope --step 120 -o now.svg -o now.png\n"
    "  lanescope render scan/double-buffered --animate passes.gif --frame-seconds 1.5\n"
    "\n"
    "EXIT STATUS\n"
    "  0 success, 1 wrong result or findings (the files are written), 2 invalid request";

const std::string_view compare_about =
    "Compare two to four kernels, or launches of one, pass by pass: lanes, wavefronts, sectors,\n"
    "instructions, time";
const std::string_view compare_footer =
    "A flag describes all launches. Several values with commas are one for each:\n"
    "--block 128,256; --banks 16,32; --view written,compiled; then one kernel is enough.\n"
    "A, B, C and D may also have flags of their own, within quotes. All are compared with A.\n"
    "\n"
    "Counts are of all blocks. Times are those of the code as compiled: measured, if a\n"
    "recording has both, and estimated from the counts, with the error of the estimate.\n"
    "\n"
    "EXAMPLES\n"
    "  lanescope compare reduce/interleaved-modulo reduce/sequential --block 256\n"
    "  lanescope compare reduce/strided-index --banks 16,32 --block 128\n"
    "  lanescope compare reduce/sequential --view written,compiled\n"
    "  lanescope compare reduce/sequential --block 64,128,256,512 -o blocks.svg\n"
    "  lanescope compare \"my.cu --kernel a\" \"my.cu --kernel b\" -o difference.svg\n"
    "\n"
    "EXIT STATUS\n"
    "  0 success, 1 one of them has a wrong result or findings, 2 invalid request";

const std::string_view open_about = "Open the window at the place of a link";
const std::string_view open_footer =
    "Copy link (Ctrl + Shift + C) in the window writes such a link: the program, its launch,\n"
    "the block, the step that executes next, the selected cell. A file that it names is\n"
    "compiled; before its main() runs, the window asks. `lanescope LINK` does the same.\n"
    "\n"
    "EXAMPLES\n"
    "  lanescope open 'lanescope:reduce/sequential?block=128&n=128#launch/0/block/0/step/41'\n"
    "\n"
    "EXIT STATUS\n"
    "  0 success, 2 invalid request";

const std::string_view lecture_about = "Run the steps of a lecture, and print it as a handout";
const std::string_view lecture_footer =
    "A lecture is a Markdown file: each step has a heading, what the window shows, a\n"
    "caption, speaker's notes and questions. `lanescope FILE.md` presents it in the\n"
    "window. kernels/README.md describes the format.\n"
    "\n"
    "EXAMPLES\n"
    "  lanescope lecture\n"
    "  lanescope lecture to-the-limit -o handout.pdf\n"
    "  lanescope lecture my_lecture.md --step 3 -o pages\n"
    "\n"
    "EXIT STATUS\n"
    "  0 success, 1 a step does not open, or its place does not exist, 2 invalid request";

const std::string_view check_about =
    "Compare every kernel with its CPU reference, in both views, with blocks of 1 to 1,024";
const std::string_view check_footer =
    "Sizes that a kernel's own rule excludes are skipped. A faulty kernel shows its fault\n"
    "where its description says so; elsewhere it shows it or is right: \"none\".\n"
    "\n"
    "--thorough also runs blocks of 3, 96, 100 and 1,000 threads where the kernel takes\n"
    "them. It runs each block size with n = 1, a block less one, a block, a block and one,\n"
    "three blocks less one and 4,099, one block size also with 2²⁰ - 1 and 2²⁰; and all of\n"
    "it for int, float, double and the template arguments that a lesson claims. It takes\n"
    "minutes; each core carries out runs of its own.\n"
    "\n"
    "EXAMPLES\n"
    "  lanescope check\n"
    "  lanescope check reduce/sequential my_reduction.cu --n 1000\n"
    "  lanescope check reduce/values-per-thread --thorough\n"
    "\n"
    "EXIT STATUS\n"
    "  0 success, 1 wrong result or findings, 2 invalid request";

const std::string_view time_about = "Time kernels on this machine's NVIDIA GPU";
const std::string_view time_footer =
    "Measures the PTX that the emulator runs, unmodified, with CUDA events: the median of\n"
    "many runs after a warm-up. Each run uses another copy of the inputs, so that none of\n"
    "them is in the L2 cache. A reduction that leaves one value per block is launched\n"
    "again until one is left. Only kernels without findings are measured. Up to 2²²\n"
    "elements the GPU's result must equal the emulator's, above that the CPU's. Each kernel\n"
    "has a process of its own: one that faults or hangs is reported, and the others\n"
    "continue. The same run measures the launch of an empty kernel, a copy from device\n"
    "memory to device memory, and a kernel that only reads.\n"
    "\n"
    "EXAMPLES\n"
    "  lanescope time reduce/sequential --n 2^20,2^22 --block 128,256\n"
    "  lanescope time my_reduction.cu --json\n"
    "  lanescope time --n 2^10,2^20,2^30 --cub --out h200.json\n"
    "  lanescope time --resume h200.json\n"
    "  lanescope time --recount h200.json\n"
    "  lanescope time reduce/grid-stride --n 2^24 --per-thread 4,16,64,256\n"
    "  lanescope time reduce/one-launch scan/look-back --element int,float\n"
    "\n"
    "EXIT STATUS\n"
    "  0 success, 1 findings, or the GPU's result is wrong, 2 invalid request, no GPU, or\n"
    "  nothing could be measured";

const std::string_view verify_about = "Run kernels on this machine's NVIDIA GPU and on the emulator, and compare";
const std::string_view verify_footer =
    "The PTX is rewritten so that each thread logs its shared and global accesses,\n"
    "copies, barriers, mbarriers, branches, and what it receives from other lanes; every\n"
    "entry is compared with the emulator's. Where the order of blocks or warps determines\n"
    "a value, the emulator takes it from the GPU's log, and everything else is compared.\n"
    "So it does with the result of an approximate instruction such as ex2.approx, within\n"
    "the error that the PTX ISA states for it. How often a thread tests an mbarrier until\n"
    "its phase is complete is a question of time, and is counted only. Addresses of\n"
    "functions are the machine's own: they are compared by function.\n"
    "\n"
    "EXAMPLES\n"
    "  lanescope verify --all\n"
    "  lanescope verify reduce/sequential my_reduction.cu --view compiled --json\n"
    "  lanescope verify scan/padded --save recorded\n"
    "\n"
    "EXIT STATUS\n"
    "  0 success: all agree or are skipped with a reason, 1 a kernel differs or could not\n"
    "  run, 2 invalid request, or no GPU";

const std::string_view timeline_about = "Record when the GPU ran each block, and on which multiprocessor";
const std::string_view timeline_footer =
    "The PTX is rewritten so that each warp stamps %globaltimer, %clock64 and %smid when it\n"
    "begins and when it ends. The one of median length of seven runs is kept. The time of the\n"
    "kernel with and without stamps is measured. %globaltimer advances in steps, which are\n"
    "measured, too; %clock64 counts the cycles of one multiprocessor. Iterations of a loop\n"
    "that polls global memory and finds nothing new are counted as waiting. With --warps each\n"
    "warp also stamps the first 64 times that it waits at a block barrier or an mbarrier.\n"
    "Waiting for memory is not measured.\n"
    "\n"
    "EXAMPLES\n"
    "  lanescope timeline scan/look-back --n 1048576 --block 256 --as-timed\n"
    "  lanescope timeline reduce/sequential my_reduction.cu --warps --json\n"
    "  lanescope timeline --all --out timelines.json\n"
    "\n"
    "EXIT STATUS\n"
    "  0 success, 1 a kernel could not run, 2 invalid request, or no GPU";

const std::string_view counters_about = "Compare the GPU's hardware counters with the emulator's counts";
namespace {

/// The ncu command whose output `lanescope counters --import` reads, wrapped into lines.
std::string ncu_command() {
    constexpr std::size_t most_columns = 80;
    std::string command = "  ncu --csv --metrics ";
    std::size_t begin = 0;
    const auto add = [&](std::string_view name, bool first) {
        if (!first) command += ',';
        if (command.size() - begin + name.size() + 3 > most_columns) {
            command += "\\\n  ";
            begin = command.size() - 2;
        }
        command += name;
    };
    for (const timing::Metric& metric : timing::metrics()) add(metric.name, &metric == &timing::metrics().front());
    for (const timing::OptionalMetric& metric : timing::optional_metrics()) add(metric.name, false);
    return command + " \\\n  ./program > counters.csv\n";
}

}  // namespace

std::string counters_footer() {
    return std::string(
               "Nsight Compute (ncu, of the CUDA toolkit) counts each kernel as written, and as\n"
               "compiled by the driver's compiler at -O0 and at -O3. Wavefronts of shared\n"
               "memory and sectors of global memory equal the emulator's where the compiler keeps\n"
               "the accesses of the PTX; -O0 shows where it does not. Without ncu or a GPU, the\n"
               "counters that ship with Lanescope are compared, under their device and date.\n"
               "Where counts differ and ptxas and nvdisasm are installed, the SASS instructions that\n"
               "show why are cited, with their lines of PTX and source.\n"
               "\n"
               "For --import, on any machine (it also reads what --out saved):\n") +
           ncu_command() +
           "\n"
           "EXAMPLES\n"
           "  lanescope counters --all --out h200-counters.json\n"
           "  lanescope counters reduce/interleaved-modulo --view compiled --jit O0\n"
           "  lanescope counters my_reduction.cu --n 4096 --import counters.csv\n"
           "\n"
           "EXIT STATUS\n"
           "  0 success, 1 a kernel faulted or did not end on the GPU, 2 invalid request, or there\n"
           "  are no counters of it";
}

const std::string_view version_about = "Show the version, and the CUDA compiler that is found";
const std::string_view version_footer =
    "EXIT STATUS\n"
    "  0 success";

// --- The layout --------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t page_width = 84;
constexpr std::size_t name_column = 26;

/// Wraps `text` to the page's width. The first line starts at `column`; the others are indented to it.
std::string wrapped(const std::string& text, std::size_t column) {
    std::string result;
    std::size_t at = column;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::size_t width = columns_of(word);
        if (at > column && at + 1 + width > page_width) {
            result += '\n' + std::string(column, ' ');
            at = column;
        } else if (at > column) {
            result += ' ';
            ++at;
        }
        result += word;
        at += width;
    }
    return result;
}

std::string row(const std::string& name, const std::string& description) {
    std::string line = "  " + name;
    if (line.size() + 2 > name_column) {
        line += '\n' + std::string(name_column, ' ');
    } else {
        line.resize(name_column, ' ');
    }
    return line + wrapped(description, name_column) + '\n';
}

}  // namespace

std::string HelpFormatter::make_usage(const CLI::App* app, std::string name) const {
    const bool command = app->get_parent() != nullptr;
    std::string usage = "USAGE\n  lanescope";
    if (command) usage += " " + name;
    for (const CLI::Option* option : app->get_options([](const CLI::Option* o) { return o->get_positional(); })) {
        const bool several = option->get_items_expected_max() > 1;
        const std::string what = option->get_name(true);
        usage += several ? " [" + what + "...]" : command ? " " + what : " [" + what + "]";
    }
    // Commands that run a program pass the words after "--" to it.
    const bool runs = app->get_option_no_throw("--stdin") != nullptr;
    usage += runs ? " [OPTIONS] [-- ARG...]\n" : " [OPTIONS]\n";
    return command ? usage : usage + "  lanescope COMMAND ...\n";
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string, CLI::AppFormatMode mode) const {
    if (mode == CLI::AppFormatMode::Sub) return make_subcommand(app);
    std::string help = app->get_description() + (app->get_parent() != nullptr ? ".\n\n" : "\n\n");
    help += make_usage(app, app->get_name());
    const auto section = [&](const std::string& title, const std::string& rows) {
        if (!rows.empty()) help += '\n' + title + '\n' + rows;
    };
    const auto rows_of = [&](bool positional, const std::string& group) {
        std::string rows;
        for (const CLI::Option* option : app->get_options()) {
            const bool here = option->get_positional() == positional && (positional || option->get_group() == group);
            if (here) rows += make_option(option, positional);
        }
        return rows;
    };
    section("ARGUMENTS", rows_of(true, {}));
    for (const std::string& group : app->get_groups()) {
        if (group.empty()) continue;  // flags for its own workers
        std::string title = group;
        for (char& letter : title) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        section(title, rows_of(false, group));
    }
    std::string commands;
    for (const CLI::App* command : app->get_subcommands([](const CLI::App*) { return true; })) {
        commands += make_subcommand(command);
    }
    section("COMMANDS", commands);
    return help + '\n' + app->get_footer() + '\n';
}

std::string HelpFormatter::make_option(const CLI::Option* option, bool is_positional) const {
    std::string name = is_positional ? option->get_name(true) : option->get_name(false, true);
    if (const auto comma = name.find(",--"); comma != std::string::npos) name.insert(comma + 1, " ");
    if (!is_positional && option->get_type_size() != 0) name += " " + option->get_type_name();
    return row(name, option->get_description());
}

std::string HelpFormatter::make_subcommand(const CLI::App* command) const {
    return row(command->get_name(), command->get_description());
}

}  // namespace lanescope::cli
