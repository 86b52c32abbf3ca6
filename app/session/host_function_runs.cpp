#include "session/host_function_runs.h"

#include "base/demangle.h"
#include "base/grouped.h"
#include "model/model.h"
#include "session/kept_sources.h"
#include "session/launched_module.h"
#include "trace/element.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

namespace lanescope::session {

namespace {

using host::HostValue;

constexpr std::size_t most_pieces = 64;
constexpr const char* returned_name = "returned";  ///< of the written kernel's last parameter, and of its buffer
constexpr std::uint64_t most_piece_bytes = std::uint64_t{256} << 20;  ///< of all pieces

/// A mangled name that no function of the program has, of the same name in the source: `z` adds the parameter "..."
/// (Itanium C++ ABI, builtin types).
std::string entry_name(const std::string& function) {
    const bool mangled = function.starts_with("_Z");
    return mangled ? function + "z" : fmt::format("_Z{}{}z", function.size(), function);
}

std::uint64_t register_bytes(const ptx::Variable& value) { return std::max<std::uint64_t>(value.bytes, 1); }

/// A kernel that passes its parameters to the function, and stores what that returns at its last parameter.
std::string entry_text(const ptx::Module& module, const ptx::Function& function) {
    const std::string name = entry_name(function.name);
    std::string parameters, loads, call_arguments, names;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const std::uint64_t bits = 8 * register_bytes(function.parameters[i]);
        parameters += fmt::format("\t.param .b{} {}_param_{},\n", bits, name, i);
        loads += fmt::format("\tld.param.b{0} \t%a{1}, [{2}_param_{1}];\n", bits, i, name);
        call_arguments += fmt::format("\t.param .b{0} param{1};\n\tst.param.b{0} \t[param{1}+0], %a{1};\n", bits, i);
        names += fmt::format("{}param{}", i == 0 ? "" : ", ", i);
    }
    std::string registers;
    for (std::size_t i = 0; i < function.parameters.size(); ++i)
        registers += fmt::format("\t.reg .b{} %a{};\n", 8 * register_bytes(function.parameters[i]), i);
    std::string result_name, store;
    const std::size_t last = function.parameters.size();
    if (!function.results.empty()) {
        const std::uint64_t bits = 8 * register_bytes(function.results.front());
        registers += fmt::format("\t.reg .b{} %result;\n", bits);
        call_arguments += fmt::format("\t.param .b{} retval0;\n", bits);
        result_name = "(retval0), ";
        store =
            fmt::format("\tld.param.b{0} \t%result, [retval0+0];\n\tst.global.b{0} \t[%returned], %result;\n", bits);
    }
    // Its instructions are those of the line that the function begins in.
    std::string place;
    const std::size_t begin = module.line_starts[function.line.value - 1],
                      body_end = std::min(module.text.find("\n}", begin), module.text.size()),
                      loc = module.text.find(".loc\t", begin);
    if (loc < body_end) place = "\t" + module.text.substr(loc, module.text.find('\n', loc) - loc) + "\n";
    return fmt::format(
        "\n.visible .entry {0}(\n{1}\t.param .b64 {0}_param_{2}\n)\n{{\n{3}\t.reg .b64 %returned;\n{4}{5}"
        "\tld.param.b64 \t%returned, [{0}_param_{2}];\n\t{{\n{6}\tcall.uni {7}{8}, ({9});\n{10}\t}}\n\tret;\n}}\n",
        name, parameters, last, registers, place, loads, call_arguments, result_name, function.name, names, store);
}

/// The PTX with the kernel at the end of the translation unit that defines the function.
std::string with_entry(const ptx::Module& module, const ptx::Function& function) {
    std::string text = module.text;
    const std::size_t next = text.find("\n.version ", module.line_starts[function.line.value - 1]);
    text.insert(next == std::string::npos ? text.size() : next + 1, entry_text(module, function));
    return text;
}

trace::Element element_of(const HostValue& value) {
    std::string_view type = value.type;
    if (type.starts_with("const ")) type.remove_prefix(6);
    if (type.ends_with('*') || type.ends_with('&')) type.remove_suffix(1);
    if (const auto named = trace::element_named(type)) return *named;
    if (value.kind == HostValue::Kind::floating)
        return value.bytes == sizeof(double) ? trace::Element::f64 : trace::Element::f32;
    if (value.kind == HostValue::Kind::pointer) return trace::Element::u8;
    switch (value.bytes) {
        case 1: return value.is_signed ? trace::Element::s8 : trace::Element::u8;
        case 2: return value.is_signed ? trace::Element::s16 : trace::Element::u16;
        case 4: return value.is_signed ? trace::Element::s32 : trace::Element::u32;
        default: return value.is_signed ? trace::Element::s64 : trace::Element::u64;
    }
}

/// "n = 16", "136", "0x7ffc...".
std::string text_of(const HostValue& value, std::uint64_t bits) {
    if (value.kind == HostValue::Kind::none) return {};
    if (value.kind == HostValue::Kind::pointer) return fmt::format("{:#x}", bits);
    if (value.kind == HostValue::Kind::floating) {
        float narrow = 0;
        double wide = 0;
        std::memcpy(&narrow, &bits, sizeof narrow);
        std::memcpy(&wide, &bits, sizeof wide);
        return value.bytes == sizeof narrow ? fmt::format("{}", narrow) : fmt::format("{}", wide);
    }
    const unsigned unused = 64 - 8 * std::min<unsigned>(value.bytes, 8);
    if (value.is_signed) return fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
    return fmt::format("{}", bits << unused >> unused);
}

/// The value in as many bytes as the PTX takes: narrower whole numbers keep their sign.
std::vector<std::byte> widened(const HostValue& value, std::uint64_t bits, std::uint64_t bytes) {
    if (value.kind == HostValue::Kind::integer && value.bytes < sizeof bits) {
        const unsigned unused = 64 - 8 * value.bytes;
        bits = value.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused)
                               : bits << unused >> unused;
    }
    std::vector<std::byte> result(bytes);
    std::memcpy(result.data(), &bits, std::min<std::uint64_t>(bytes, sizeof bits));
    return result;
}

bool is_access(const trace::Finding& finding) {
    using Kind = trace::Finding::Kind;
    return finding.address && (finding.kind == Kind::out_of_bounds || finding.kind == Kind::null_access ||
                               finding.kind == Kind::use_after_free);
}

}  // namespace

DeviceFunctions device_functions(const std::string& ptx, const std::string& name, const std::string& source) {
    DeviceFunctions found;
    if (ptx.empty()) return found;
    auto module = runnable_module(ptx, name, source);
    if (!module) return found;
    for (const ptx::Function& function : module->module.functions)
        if (!function.entry && function.defined) found.names.push_back(function.name);
    for (const auto& [refused, why] : module->refused) found.names.push_back(refused);
    found.refused = std::move(module->refused);
    found.text = module->module.text;
    return found;
}

HostFunctionRuns::HostFunctionRuns(Setup setup, Progress& progress) : setup_(std::move(setup)), progress_(progress) {
    for (const host::HostFunction& function : setup_.functions) {
        Run& run = runs_.emplace_back();
        run.name = source_name_of(function.name);
        run.refused = function.refused;
        if (const auto why = setup_.device.refused.find(function.device_name); why != setup_.device.refused.end())
            run.refused = why->second.what;
    }
}

std::optional<std::uint64_t> HostFunctionRuns::give_up(std::string why) {
    runs_[function_].refused = std::move(why);
    module_.reset();
    pieces_.clear();
    return std::nullopt;
}

std::optional<std::uint64_t> HostFunctionRuns::call(const host::HostCall& call) {
    if (call.facts.function >= runs_.size()) return std::nullopt;
    function_ = call.facts.function;
    module_.reset();
    values_.clear();
    pieces_.clear();
    asked_.clear();
    const host::HostFunction& function = setup_.functions[function_];
    Run& run = runs_[function_];
    if (!run.refused.empty()) return std::nullopt;
    progress_.say(fmt::format("{}, as one thread", run.name));

    const auto plain = ptx::parse(setup_.device.text, setup_.ptx_name);
    const auto find = [&](const ptx::Module& module) {
        return std::ranges::find_if(module.functions, [&](const ptx::Function& other) {
            return other.name == function.device_name && other.defined && !other.entry;
        });
    };
    if (!plain) return give_up(plain.error().what);
    const auto device = find(*plain);
    if (device == plain->functions.end()) return give_up("the compiler has not kept its device version");
    if (device->parameters.size() != function.parameters.size() ||
        device->results.empty() != (function.result.kind == HostValue::Kind::none))
        return give_up("its device version takes or returns other values");
    std::size_t general = 0, vector = 0, memory = 0;
    std::string texts;
    for (std::size_t i = 0; i < function.parameters.size(); ++i) {
        const HostValue& parameter = function.parameters[i];
        const bool floating = parameter.kind == HostValue::Kind::floating;
        std::uint64_t bits = 0;
        if (floating && vector < std::size(call.facts.vector))
            bits = call.facts.vector[vector++];
        else if (!floating && general < std::size(call.facts.general))
            bits = call.facts.general[general++];
        else if (memory < std::size(call.facts.stack))
            bits = call.facts.stack[memory++];
        else
            return give_up("it takes more arguments than are read");
        const ptx::Variable& given = device->parameters[i];
        if (given.bytes > sizeof bits || given.bytes < parameter.bytes)
            return give_up("its device version takes other values");
        values_.push_back(widened(parameter, bits, given.bytes));
        texts += fmt::format("{}{} = {}", i == 0 ? "" : ", ", parameter.name, text_of(parameter, bits));
    }
    run.arguments = std::move(texts);
    auto module = ptx::parse(with_entry(*plain, *device), setup_.ptx_name);
    if (!module) return give_up(module.error().what);
    module_ = std::make_shared<const ptx::Module>(*std::move(module));
    entry_ = entry_name(function.device_name);
    return attempt();
}

std::optional<std::uint64_t> HostFunctionRuns::memory(host::HostMemory memory) {
    if (module_ == nullptr) return std::nullopt;
    if (memory.bytes.empty()) return attempt();
    std::uint64_t held = memory.bytes.size();
    for (const host::HostMemory& piece : pieces_) held += piece.bytes.size();
    if (pieces_.size() == most_pieces)
        return give_up(fmt::format("it reaches more than {} pieces of host memory", most_pieces));
    if (held > most_piece_bytes)
        return give_up(fmt::format("it reaches more than {} MiB of host memory", most_piece_bytes >> 20U));
    // Memory that is there already stays; the rest of the new piece around the wanted address is added.
    for (const host::HostMemory& piece : pieces_) {
        const std::uint64_t begin = piece.address, end = begin + piece.bytes.size();
        const std::uint64_t own_end = memory.address + memory.bytes.size();
        if (end <= memory.address || begin >= own_end) continue;
        if (begin > wanted_) {
            memory.bytes.resize(begin - memory.address);
        } else {
            memory.bytes.erase(memory.bytes.begin(), memory.bytes.begin() + std::ptrdiff_t(end - memory.address));
            memory.address = end;
        }
    }
    const bool holds = wanted_ - memory.address < memory.bytes.size();
    if (holds) {
        const auto after = std::ranges::upper_bound(pieces_, memory.address, {}, &host::HostMemory::address);
        pieces_.insert(after, std::move(memory));
    }
    return attempt();
}

const host::HostMemory* HostFunctionRuns::piece_at(std::uint64_t address) const {
    const auto found = std::ranges::find_if(
        pieces_, [&](const host::HostMemory& piece) { return address - piece.address < piece.bytes.size(); });
    return found == pieces_.end() ? nullptr : &*found;
}

/// By the variable that is there, else by the parameter that points there.
void HostFunctionRuns::name_pieces(std::vector<trace::Buffer>& buffers) const {
    const host::HostFunction& function = setup_.functions[function_];
    for (trace::Buffer& buffer : buffers) {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const HostValue& parameter = function.parameters[i];
            std::uint64_t address = 0;
            if (parameter.kind != HostValue::Kind::pointer || values_[i].size() != sizeof address) continue;
            std::memcpy(&address, values_[i].data(), sizeof address);
            if (address - buffer.address >= buffer.bytes) continue;
            if (buffer.name.empty()) buffer.name = parameter.name;
            buffer.element = element_of(parameter);
            buffer.output = buffer.output || parameter.written;
            break;
        }
        if (buffer.name.empty()) buffer.name = "host memory";
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        unsigned same = 1;
        for (std::size_t k = 0; k < i; ++k)
            same += buffers[k].name == buffers[i].name || buffers[k].name.starts_with(buffers[i].name + " (") ? 1 : 0;
        if (same > 1) buffers[i].name += fmt::format(" ({})", same);
    }
}

std::optional<std::uint64_t> HostFunctionRuns::pointer_of(std::size_t argument) const {
    if (setup_.functions[function_].parameters[argument].kind != HostValue::Kind::pointer) return std::nullopt;
    std::uint64_t address = 0;
    std::memcpy(&address, values_[argument].data(), sizeof address);
    return address;
}

bool HostFunctionRuns::is_missing(std::uint64_t address) const {
    return piece_at(address) == nullptr && !asked_.contains(address);
}

std::uint64_t HostFunctionRuns::ask_for(std::uint64_t address) {
    asked_.insert(address);
    return wanted_ = address;
}

std::vector<trace::Buffer> HostFunctionRuns::buffers_of_pieces() const {
    std::vector<trace::Buffer> buffers;
    buffers.reserve(pieces_.size());
    for (const host::HostMemory& piece : pieces_) {
        trace::Buffer& buffer = buffers.emplace_back();
        buffer.name = piece.name;
        buffer.address = piece.address;
        buffer.bytes = piece.bytes.size();
        buffer.initial = SparseBytes(std::span<const std::byte>(piece.bytes));
    }
    name_pieces(buffers);
    return buffers;
}

Result<execute::LaunchRequest> HostFunctionRuns::launch_of_call(execute::Emulation& emulation) const {
    const host::HostFunction& function = setup_.functions[function_];
    execute::LaunchRequest request;
    request.kernel = entry_;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        trace::Argument& argument = request.arguments.emplace_back();
        argument.name = function.parameters[i].name;
        argument.type = function.parameters[i].type;
        argument.value = values_[i];
        const std::optional<std::uint64_t> address = pointer_of(i);
        const host::HostMemory* const piece = address ? piece_at(*address) : nullptr;
        if (piece != nullptr) argument.buffer = static_cast<std::uint32_t>(piece - pieces_.data());
    }
    trace::Argument& last = request.arguments.emplace_back();
    last.name = returned_name;
    last.value.resize(sizeof(std::uint64_t));
    if (function.result.kind == HostValue::Kind::none) return request;
    trace::Buffer result;
    result.name = returned_name;
    result.element = element_of(function.result);
    result.bytes = std::max<std::uint64_t>(function.result.bytes, 4);
    result.output = true;
    const auto added = emulation.add(std::move(result));
    if (!added) return std::unexpected(added.error());
    last.type = function.result.type + "*";
    last.buffer = *added;
    last.value.clear();
    return request;
}

void HostFunctionRuns::keep(execute::Emulation& emulation) {
    const HostValue& result = setup_.functions[function_].result;
    Run& run = runs_[function_];
    keep_sources(emulation.trace(), module_.get(), {setup_.folders.front()}, {});
    trace::Trace& trace = emulation.trace();
    for (const trace::Argument& argument : trace.launches.front().arguments) {
        if (!argument.buffer || trace.origin.n != 0) continue;
        const trace::Buffer& buffer = trace.buffers[*argument.buffer];
        trace.origin.n = trace::elements_of(trace, *module_, buffer);
    }
    trace.notes.push_back(
        fmt::format("The device version of {0} (__CUDA_ARCH__ is defined), run as one thread on the arguments of the "
                    "host's first call and on copies of the host memory that it reaches; the program ran {0} itself on "
                    "the CPU. This is not a GPU launch.",
                    run.name));
    run.trace = emulation.finish();
    run.module = module_;
    if (result.kind == HostValue::Kind::none) return;
    const auto buffer = std::ranges::find(run.trace->buffers, returned_name, &trace::Buffer::name);
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < std::min<std::uint64_t>(buffer->bytes, sizeof bits); ++i)
        bits |= std::uint64_t(buffer->final[i]) << 8U * i;
    run.computed = text_of(result, bits);
}

std::optional<std::uint64_t> HostFunctionRuns::attempt() {
    // The memory that the arguments point to is wanted in any case.
    for (std::size_t i = 0; i < values_.size(); ++i)
        if (const auto address = pointer_of(i); address.value_or(0) != 0 && is_missing(*address))
            return ask_for(*address);

    trace::Origin origin = setup_.origin;
    origin.ptx = module_->text;
    origin.input = trace::host_call_input;
    execute::Limits limits = setup_.limits;
    limits.record_blocks = std::max<std::uint64_t>(limits.record_blocks, 1);
    execute::Emulation emulation(*module_, std::move(origin), model::BankModel::of(setup_.banks), limits);
    for (trace::Buffer& buffer : buffers_of_pieces())
        if (const auto added = emulation.add(std::move(buffer)); !added) return give_up(added.error().what);
    const auto request = launch_of_call(emulation);
    if (!request) return give_up(request.error().what);
    if (const auto placed = emulation.place_variables(); !placed) return give_up(placed.error().what);
    const auto begin = std::chrono::steady_clock::now();
    const auto end = emulation.launch(*request, {.blocks = 1, .share = 1, .recorded = {}}, progress_);
    if (!end) return give_up(end.error().what);
    for (const trace::Finding& finding : emulation.trace().findings)
        if (is_access(finding) && is_missing(*finding.address)) return ask_for(*finding.address);
    emulation.end_launches();
    keep(emulation);
    runs_[function_].seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    module_.reset();
    pieces_.clear();
    return std::nullopt;
}

void HostFunctionRuns::returned(std::uint32_t function, std::uint64_t general, std::uint64_t vector) {
    if (function >= runs_.size()) return;
    const HostValue& result = setup_.functions[function].result;
    runs_[function].native = text_of(result, result.kind == HostValue::Kind::floating ? vector : general);
}

std::string HostFunctionRuns::sentence_of(std::uint32_t function, const std::vector<std::uint64_t>& calls) const {
    const Run& run = runs_[function];
    const std::string times = function < calls.size() ? counted(calls[function], "call") : "at least 1 call";
    std::string text = fmt::format("{}({}) on the CPU: {}", run.name, run.arguments, times);
    if (!run.refused.empty()) return fmt::format("{}, counted only: {}", text, run.refused);
    if (run.trace == nullptr) return text;
    const bool first = function < calls.size() && calls[function] == 1;
    text += first ? ", also run as a launch of one thread" : ", the first is also run as a launch of one thread";
    if (run.computed.empty()) return text;
    if (run.native.empty()) return fmt::format("{}, which returns {}", text, run.computed);
    if (run.native == run.computed) return fmt::format("{}: both return {}", text, run.native);
    return fmt::format("{}: the CPU returns {}, the device version {}", text, run.native, run.computed);
}

}  // namespace lanescope::session
