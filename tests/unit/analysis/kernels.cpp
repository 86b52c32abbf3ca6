#include "unit/analysis/kernels.h"

#include "base/embedded.h"
#include "execute/emulator/emulator.h"
#include "places.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <sstream>
#include <stdexcept>

namespace lanescope::analysis {
namespace {

trace::Buffer buffer_of(const std::string& name, const std::vector<int>& values, bool floats, bool output) {
    trace::Buffer buffer;
    buffer.name = name;
    buffer.element = floats ? trace::Element::f32 : trace::Element::s32;
    buffer.bytes = 4 * values.size();
    buffer.output = output;
    buffer.initial.resize(buffer.bytes);
    std::byte* const initial = buffer.initial.writable();
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto as_float = static_cast<float>(values[i]);
        if (floats) {
            std::memcpy(initial + 4 * i, &as_float, 4);
        } else {
            std::memcpy(initial + 4 * i, &values[i], 4);
        }
    }
    return buffer;
}

trace::Argument pointer_to(const std::string& name, std::uint32_t buffer) {
    trace::Argument argument;
    argument.name = name;
    argument.buffer = buffer;
    return argument;
}

constexpr std::string_view two_slots = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 k_in, .param .u64 k_out)
{
.reg .pred %p<10>;
.reg .b32 %r<20>;
.reg .b64 %d<20>;
.shared .align 8 .b64 full[2];
.shared .align 4 .b32 ring[64];
ld.param.u64 %d1, [k_in];
ld.param.u64 %d2, [k_out];
mov.u32 %r1, %tid.x;
setp.eq.u32 %p1, %r1, 0;
@%p1 mbarrier.init.shared.b64 [full], 32;
@%p1 mbarrier.init.shared.b64 [full+8], 32;
bar.sync 0;
and.b32 %r2, %r1, 31;
mul.wide.u32 %d3, %r2, 4;
cvt.u32.u64 %r3, %d3;
mov.u32 %r4, ring;
add.u32 %r4, %r4, %r3;
add.u64 %d1, %d1, %d3;
add.u64 %d2, %d2, %d3;
setp.ge.u32 %p2, %r1, 32;
@%p2 bra ADD;
cp.async.ca.shared.global [%r4], [%d1], 4;
cp.async.mbarrier.arrive.noinc.shared.b64 [full];
cp.async.ca.shared.global [%r4+128], [%d1+128], 4;
cp.async.mbarrier.arrive.noinc.shared.b64 [full+8];
ret;
ADD:
xor.b32 %r5, %r3, 4;
mov.u32 %r6, ring;
add.u32 %r5, %r5, %r6;
FIRST:
mbarrier.test_wait.parity.shared.b64 %p3, [full], 0;
@!%p3 bra FIRST;
ld.shared.u32 %r7, [%r4];
ld.shared.u32 %r8, [%r5];
add.s32 %r9, %r7, %r8;
st.global.u32 [%d2], %r9;
SECOND:
mbarrier.test_wait.parity.shared.b64 %p4, [full+8], 0;
@!%p4 bra SECOND;
ld.shared.u32 %r10, [%r4+128];
ld.shared.u32 %r11, [%r5+128];
add.s32 %r12, %r10, %r11;
st.global.u32 [%d2+128], %r12;
ret;
}
)";

}  // namespace

std::vector<int> iota(std::size_t n) {
    std::vector<int> values(n);
    std::iota(values.begin(), values.end(), 1);
    return values;
}

KernelRun kernel_run(const std::string& name, trace::View view, std::uint32_t threads, std::vector<int> input) {
    KernelRun run;
    run.name = name;
    run.view = view;
    run.threads = threads;
    run.input = std::move(input);
    run.shared_elements = threads;
    if (name == "reduce/two_elements" || name == "scan/double_buffered") run.shared_elements = std::size_t{2} * threads;
    run.floats = name == "reduce/two_elements" || name == "scan/double_buffered";
    if (name == "scan/double_buffered") run.outputs = run.input.size();
    return run;
}

std::shared_ptr<const Analysis> analysis_of(const KernelRun& run) {
    const std::string path = "kernels/" + run.name;
    const auto ptx = embedded_file(path + (run.view == trace::View::written ? ".written.ptx" : ".compiled.ptx"));
    if (!ptx) throw std::runtime_error("no PTX is kept for " + run.name);
    return analysis_of(run, std::string(*ptx));
}

std::shared_ptr<const Analysis> analysis_of(const KernelRun& run, const std::string& ptx, const std::string& source,
                                            const ptx::OpcodeMeanings& meanings) {
    auto module = ptx::parse(ptx, "kernel.ptx", meanings);
    if (!module) throw std::runtime_error(module.error().message());
    execute::Program program;
    program.origin.view = run.view;
    program.origin.ptx = ptx;
    program.origin.source = source;
    if (const auto kept = embedded_file("kernels/" + run.name + ".cu"); kept && source.empty())
        program.origin.source = *kept;
    program.buffers = {buffer_of("in", run.input, run.floats, false),
                       buffer_of("out", std::vector<int>(run.outputs), run.floats, true)};
    execute::LaunchRequest launch;
    const ptx::Function& kernel = *module->entries().at(0);
    launch.kernel = kernel.name;
    launch.grid = {run.blocks, 1, 1};
    launch.block = {run.threads, run.threads_y, 1};
    launch.dynamic_shared_bytes = 4 * run.shared_elements;
    launch.arguments = {pointer_to("in", 0), pointer_to("out", 1)};
    if (run.input_last) std::swap(launch.arguments[0], launch.arguments[1]);
    if (kernel.parameters.size() > 2) {
        trace::Argument length;
        length.name = "len";
        length.type = "int";
        length.value.resize(4);
        const auto n = static_cast<int>(run.input.size());
        std::memcpy(length.value.data(), &n, 4);
        launch.arguments.push_back(length);
    }
    program.launches.push_back(std::move(launch));
    Progress progress;
    auto trace = execute::emulate(*module, program, {}, progress);
    if (!trace) throw std::runtime_error(trace.error().message());
    return analyze(*trace, std::make_shared<const ptx::Module>(std::move(*module)), progress);
}

std::string text_of(const Picture& picture) {
    std::string text;
    for (const ColumnGroup& group : picture.groups) {
        text += fmt::format("{}: {} {} from {}", group.name, group.count, name_of(group.element), group.address);
        if (group.folded) text += fmt::format(", folded with {}", group.folded_address);
        if (group.lanes) text += ", lanes";
        text += "\n";
    }
    for (std::size_t r = 0; r < picture.rows.size(); ++r) {
        const PictureRow& row = picture.rows[r];
        for (const Node& node : row.nodes) {
            text += fmt::format("    {}{} <- thread {}:", node.combines ? "+" : " ", node.column, node.thread);
            for (const Source& source : node.sources) {
                text += fmt::format(" {}{}", source.column, source.own ? " (own)" : "");
                if (source.same_row) text += " (same row)";
                if (!source.same_row && source.row + 1 != r) text += fmt::format(" (row {})", source.row);
            }
            if (node.from_global) text += " global";
            for (const FromBlock& from : node.from_blocks) text += fmt::format(" from block {}", from.block.value);
            if (!node.useful) text += " wasted";
            text += "\n";
        }
        text += row.label + (row.sublabel.empty() ? "" : ", " + row.sublabel) +
                fmt::format(", {} of {} threads:", row.lanes, row.threads);
        for (std::uint32_t c = 0; c < row.cells.size(); ++c) {
            const Cell& cell = row.cells[c];
            const trace::Element element = picture.group_of(c).element;
            text += " ";
            if (cell.written) text += cell.copied ? "=" : "*";
            text += cell.known ? trace::text_of(element, cell.bits) : "_";
            if (cell.known && !cell.read_again) text += "~";
            if (cell.known && !cell.useful) text += "!";
        }
        text += "\n";
    }
    return text;
}

std::string narration_of(const Analysis& analysis) {
    const BlockPasses& passes = analysis.block_passes(0, BlockId(0));
    std::string text, before;
    for (std::size_t i = 0; i <= passes.steps.size(); ++i) {
        const std::string sentence = narrate(analysis.view(passes), i);
        if (sentence != before) text += sentence + "\n";
        before = sentence;
    }
    return text;
}

std::string difference_to_golden(const std::string& name, const std::string& actual) {
    const std::filesystem::path path = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "tests/unit/analysis/data" / name;
    if (std::getenv("LANESCOPE_REBASELINE") != nullptr) {
        std::ofstream(path) << actual;
        return {};
    }
    std::ifstream file(path);
    std::stringstream golden;
    golden << file.rdbuf();
    if (golden.str() == actual) return {};
    const std::filesystem::path kept = std::filesystem::temp_directory_path() / (name + ".actual");
    std::ofstream(kept) << actual;
    std::istringstream one(golden.str()), other(actual);
    std::string expected_line, actual_line;
    for (unsigned line = 1;; ++line) {
        const bool more = static_cast<bool>(std::getline(one, expected_line));
        const bool other_more = static_cast<bool>(std::getline(other, actual_line));
        if (more && other_more && expected_line == actual_line) continue;
        return fmt::format("{}, line {}:\n  golden: {}\n  actual: {}\nall of it: {}", name, line,
                           more ? expected_line : "(end)", other_more ? actual_line : "(end)", kept.string());
    }
}

std::shared_ptr<const Analysis> analysis_of_two_slots() {
    KernelRun run;
    run.threads = 64;
    run.input = iota(64);
    run.outputs = 64;
    return analysis_of(run, std::string(two_slots));
}

}  // namespace lanescope::analysis
