#include "sass/sass.h"

#include "base/files.h"
#include "base/grouped.h"
#include "host/tool.h"
#include "host/toolchain.h"
#include "model/device_limits.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace lanescope::sass {

namespace fs = std::filesystem;

namespace {

struct Tool {
    std::string name, variable, missing;
    std::optional<fs::path> program;
};

Tool assembler() {
    return {.name = "ptxas",
            .variable = "LANESCOPE_PTXAS",
            .missing =
                "Install the CUDA Toolkit, or run ./run.sh once with network access, which installs it with nvcc into "
                ".venv; LANESCOPE_PTXAS=/path/to/ptxas names one that lies elsewhere.",
            .program = host::toolkit_program("ptxas", "LANESCOPE_PTXAS")};
}

Tool disassembler() {
    return {.name = "nvdisasm",
            .variable = "LANESCOPE_NVDISASM",
            .missing =
                "Run ./run.sh once with network access, which installs the Python package nvidia-cuda-nvdisasm (5 MB) "
                "into .venv, or install the CUDA Toolkit; LANESCOPE_NVDISASM=/path/to/nvdisasm names one that lies "
                "elsewhere.",
            .program = host::toolkit_program("nvdisasm", "LANESCOPE_NVDISASM")};
}

std::unexpected<Problem> missing(const Tool& tool) {
    return fail(fmt::format("SASS needs {}, which is not installed", tool.name), {}, tool.missing);
}

class ScratchFolder {
  public:
    ScratchFolder() {
        std::error_code error;
        path_ = (fs::temp_directory_path(error) / "lanescope-sass-XXXXXX").string();
        if (error || mkdtemp(path_.data()) == nullptr) path_.clear();
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code error;
        if (!path_.empty()) fs::remove_all(path_, error);
    }
    [[nodiscard]] bool made() const { return !path_.empty(); }
    [[nodiscard]] std::string file(std::string_view name) const { return (fs::path(path_) / name).string(); }

  private:
    std::string path_;
};

/// The output of a tool that must succeed.
Result<std::string> output_of(const std::vector<std::string>& command, Progress& progress) {
    const std::string name = fs::path(command.front()).filename();
    const auto output = host::run_tool(command, &progress);
    if (!output) return std::unexpected(output.error());
    if (!*output) return fail(fmt::format("{} was cancelled", name));
    if ((*output)->ending.fine()) return (*output)->text;
    std::string text = (*output)->text;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return fail(text.empty() ? fmt::format("{}: {}", name, text_of((*output)->ending))
                             : fmt::format("{} reports an error: {}", name, text.substr(0, text.find('\n'))));
}

/// "ptxas 13.0.88", of "Cuda compilation tools, release 13.0, V13.0.88"; the name alone if it states none.
std::string version_of(const Tool& tool, Progress& progress) {
    const auto text = output_of({tool.program->string(), "--version"}, progress);
    const std::size_t at = text ? text->find(", V") : std::string::npos;
    if (at == std::string::npos) return tool.name;
    return fmt::format("{} {}", tool.name, text->substr(at + 3, text->find_first_of("\r\n", at) - at - 3));
}

/// Each translation unit begins with its .version. In its text, the lines of other units are empty, so that lines keep
/// their numbers.
std::vector<std::string> units_of(const std::string& ptx) {
    std::vector<std::size_t> begins;
    for (std::size_t at = 0; at < ptx.size(); at = std::min(ptx.find('\n', at), ptx.size() - 1) + 1)
        if (std::string_view(ptx).substr(at).starts_with(".version")) begins.push_back(at);
    if (begins.size() < 2) return {ptx};
    std::vector<std::string> units;
    for (std::size_t unit = 0; unit < begins.size(); ++unit) {
        const std::size_t first = unit == 0 ? 0 : begins[unit];
        const std::size_t end = unit + 1 < begins.size() ? begins[unit + 1] : ptx.size();
        units.push_back(std::string(static_cast<std::size_t>(std::count(
                                        ptx.begin(), ptx.begin() + static_cast<std::ptrdiff_t>(first), '\n')),
                                    '\n') +
                        ptx.substr(first, end - first));
    }
    return units;
}

}  // namespace

const Function* Listing::function(std::string_view name) const {
    const auto found = std::ranges::find(functions, name, &Function::name);
    return found != functions.end() ? &*found : nullptr;
}

std::vector<unsigned> arches() {
    std::vector<unsigned> found;
    for (const model::DeviceLimits& limits : model::device_limits())
        if (limits.capability >= model::least_capability) found.push_back(limits.capability);
    return found;
}

unsigned usual_arch() { return model::emulated_device().capability; }

Result<void> tools_found() {
    for (const Tool& tool : {assembler(), disassembler()})
        if (!tool.program) return missing(tool);
    return {};
}

Result<Listing> disassemble(const std::string& ptx, unsigned arch, Progress& progress, Optimization optimization) {
    const Tool ptxas = assembler(), nvdisasm = disassembler();
    if (!ptxas.program) return missing(ptxas);
    if (!nvdisasm.program) return missing(nvdisasm);
    const ScratchFolder folder;
    if (!folder.made()) return fail("a temporary folder cannot be created");
    Listing listing{.arch = arch,
                    .assembler = version_of(ptxas, progress),
                    .disassembler = version_of(nvdisasm, progress),
                    .functions = {}};
    for (const std::string& unit : units_of(ptx)) {
        const std::string text = folder.file("kernel.ptx"), code = folder.file("kernel.cubin");
        if (const auto written = write_file(text, unit); !written)
            return fail("the PTX cannot be written: " + written.error());
        std::vector<std::string> assemble{ptxas.program->string(), fmt::format("--gpu-name=sm_{}", arch), "--verbose",
                                          "--generate-line-info"};
        if (optimization == Optimization::none) assemble.insert(assemble.end(), {"--opt-level", "0"});
        assemble.insert(assemble.end(), {"--output-file", code, text});
        const auto report = output_of(assemble, progress);
        if (!report) return std::unexpected(report.error());
        const auto disassembly =
            output_of({nvdisasm.program->string(), "--print-line-info-ptx", "--print-code", code}, progress);
        if (!disassembly) return std::unexpected(disassembly.error());
        const std::map<std::string, Resources> resources = read_resources(*report);
        for (Function& function : read_disassembly(*disassembly)) {
            if (const auto known = resources.find(function.name); known != resources.end())
                function.resources = known->second;
            listing.functions.push_back(std::move(function));
        }
    }
    if (listing.functions.empty()) return fail("the PTX has no function");
    return listing;
}

model::Occupancy occupancy_of(unsigned arch, const Resources& resources, const model::Extent& block,
                              std::uint64_t dynamic_shared_bytes) {
    return model::occupancy(model::limits_of(arch), block, resources.static_shared_bytes + dynamic_shared_bytes,
                            resources.registers.value_or(0));
}

std::string occupancy_sentence(const model::Occupancy& occupancy, const Resources& resources) {
    if (!occupancy.excess.empty()) return "the device cannot launch the block: " + occupancy.excess;
    if (occupancy.blocks == 0)
        return fmt::format("the device cannot launch the block: {} per thread exceed its registers",
                           counted(resources.registers.value_or(0), "register"));
    std::string limits;
    for (const model::Occupancy::Limit limit : occupancy.limits)
        limits += (limits.empty() ? "" : ", ") + std::string(model::name_of(limit));
    return fmt::format("{} of {} resident ({:.0f} %), limited by {}", occupancy.warps,
                       counted(occupancy.most_warps, "warp"), 100 * occupancy.share(), limits);
}

std::string resources_text(const Resources& resources) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (resources.registers) add(counted(*resources.registers, "register") + " per thread");
    if (resources.spill_store_bytes + resources.spill_load_bytes == 0) {
        add(resources.cumulative_stack_bytes ? "no spills of its own" : "no spills");
    } else {
        add(fmt::format("spills: {} stored, {} loaded", counted(resources.spill_store_bytes, "byte"),
                        counted(resources.spill_load_bytes, "byte")));
    }
    const std::uint64_t stack = resources.cumulative_stack_bytes.value_or(resources.stack_bytes);
    add(stack == 0
            ? "no stack"
            : counted(stack, "byte") + (resources.cumulative_stack_bytes ? " of stack with its calls" : " of stack"));
    if (resources.registers) {
        add(resources.static_shared_bytes == 0
                ? "no static shared memory"
                : counted(resources.static_shared_bytes, "byte") + " of static shared memory");
        add(counted(resources.barriers, "barrier"));
    }
    return text;
}

}  // namespace lanescope::sass
