#include "course/cuda.h"

#include "compile/compile.h"
#include "places.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace lanescope::course {
namespace {

/// The type of a cell does not matter here: findings name addresses.
constexpr trace::Element any_element = trace::Element::u8;

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::runtime_error("cannot read " + path.string());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::string name_of(trace::View view) { return view == trace::View::written ? "as written" : "as compiled"; }

}  // namespace

Cuda::Cuda(const std::string& subject, trace::View view, const std::vector<std::string>& instances)
    : subject_(subject), view_(view) {
    const std::filesystem::path path = std::filesystem::path(LANESCOPE_SOURCE_DIR) / "tests/course" / (subject + ".cu");
    compile::CompileRequest request;
    request.source = read_file(path);
    request.name = path.filename().string();
    request.view = view == trace::View::written ? compile::View::written : compile::View::compiled;
    request.instantiate = instances;
    auto compiled = compile::compile(request);
    if (!compiled) throw std::runtime_error(compiled.error().problem.message());
    Result<ptx::Module> module = ptx::parse(compiled->ptx, subject + ".ptx");
    if (!module) throw std::runtime_error(module.error().message());
    module_ = std::move(*module);
    names_.insert(compiled->names.begin(), compiled->names.end());
}

execute::LaunchRequest& Cuda::add(std::string_view kernel, const Shape& shape) {
    const auto name = names_.find(kernel);
    return program_.launches.emplace_back(
        execute::LaunchRequest{.kernel = name == names_.end() ? std::string(kernel) : name->second,
                               .grid = shape.grid,
                               .block = shape.block,
                               .dynamic_shared_bytes = shape.shared_bytes,
                               .arguments = {}});
}

std::uint32_t Cuda::buffer(const void* data, std::size_t bytes, void* read_back) {
    const auto [found, fresh] = buffers_.try_emplace(data, static_cast<std::uint32_t>(program_.buffers.size()));
    if (fresh) {
        trace::Buffer& buffer = program_.buffers.emplace_back();
        buffer.name = "argument " + std::to_string(found->second);
        buffer.element = any_element;
        buffer.bytes = bytes;
        buffer.output = read_back != nullptr;
        buffer.initial.resize(bytes);
        if (bytes > 0) std::memcpy(buffer.initial.writable(), data, bytes);
        read_back_.push_back(read_back);
    }
    return found->second;
}

std::shared_ptr<const trace::Trace> Cuda::emulate(std::uint64_t record_blocks) const {
    Progress progress;
    execute::Limits limits;
    limits.record_blocks = record_blocks;
    auto trace = execute::emulate(module_, program_, limits, progress);
    if (!trace) throw std::runtime_error(trace.error().message());
    for (const trace::Finding& finding : (*trace)->findings) {
        ADD_FAILURE() << trace::name_of(finding.kind) << " on line " << finding.source_line << " of " << subject_
                      << ".cu: " << finding.message;
    }
    return *trace;
}

void Cuda::run() {
    const auto recorded = emulate(execute::Limits{}.record_blocks);
    const auto counted = emulate(0);
    EXPECT_TRUE(order_shows_ || recorded->counts == counted->counts) << "recording changes the counts";
    for (std::size_t i = 0; i < read_back_.size(); ++i) {
        const SparseBytes& bytes = recorded->buffers[i].final;
        EXPECT_EQ(bytes, counted->buffers[i].final) << recorded->buffers[i].name;
        if (read_back_[i] != nullptr && !bytes.empty()) std::memcpy(read_back_[i], bytes.data(), bytes.size());
    }
    program_ = {};
    buffers_.clear();
    read_back_.clear();
}

void in_both_views(const std::string& subject, const std::function<void(Cuda&)>& check,
                   const std::vector<std::string>& instances) {
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        SCOPED_TRACE(subject + ".cu " + name_of(view));
        Cuda cuda(subject, view, instances);
        check(cuda);
    }
}

}  // namespace lanescope::course
