// Runs kernels for the execution tests: from the PTX files beside them, or from text.
#pragma once

#include "execute/emulator/emulator.h"
#include "places.h"

#include <gmock/gmock.h>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace lanescope::execute {

template <class T>
trace::Element element_for() {
    using trace::Element;
    if constexpr (std::is_same_v<T, float>)
        return Element::f32;
    else if constexpr (std::is_same_v<T, double>)
        return Element::f64;
    else if constexpr (sizeof(T) == 1)
        return std::is_signed_v<T> ? Element::s8 : Element::u8;
    else if constexpr (sizeof(T) == 2)
        return std::is_signed_v<T> ? Element::s16 : Element::u16;
    else if constexpr (sizeof(T) == 4)
        return std::is_signed_v<T> ? Element::s32 : Element::u32;
    else
        return std::is_signed_v<T> ? Element::s64 : Element::u64;
}

template <class T>
std::vector<std::byte> bytes_of_values(const std::vector<T>& values) {
    std::vector<std::byte> bytes(values.size() * sizeof(T));
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

/// The PTX file of that name, "sequential.compiled".
inline std::string ptx_of(const std::string& name) {
    std::ifstream in(std::string(LANESCOPE_SOURCE_DIR) + "/tests/unit/execute/data/" + name + ".ptx");
    EXPECT_TRUE(in.good()) << name;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// One launch, its arguments given one after the other.
class Kernel {
  public:
    explicit Kernel(const std::string& text, const std::string& name = {}) {
        Result<ptx::Module> module = ptx::parse(text, "test.ptx");
        if (!module) throw std::runtime_error(module.error().message());
        module_ = std::make_shared<const ptx::Module>(std::move(*module));
        request_.kernel = name.empty() ? module_->entries().front()->name : name;
        program_.origin.ptx = text;
        program_.origin.program = request_.kernel;
    }

    Kernel& grid(unsigned x, unsigned y = 1, unsigned z = 1) { return request_.grid = {x, y, z}, *this; }
    Kernel& block(unsigned x, unsigned y = 1, unsigned z = 1) { return request_.block = {x, y, z}, *this; }
    Kernel& shared(std::uint64_t bytes) { return request_.dynamic_shared_bytes = bytes, *this; }
    Kernel& limits(const Limits& limits) { return limits_ = limits, *this; }
    Kernel& banks(const model::BankModel& banks) { return program_.banks = banks, *this; }

    template <class T>
    Kernel& buffer(const std::string& name, const std::vector<T>& values) {
        trace::Buffer buffer;
        buffer.name = name;
        buffer.element = element_for<T>();
        buffer.initial = bytes_of_values(values);
        buffer.bytes = buffer.initial.size();
        trace::Argument argument;
        argument.name = name;
        argument.buffer = static_cast<std::uint32_t>(program_.buffers.size());
        program_.buffers.push_back(std::move(buffer));
        request_.arguments.push_back(std::move(argument));
        return *this;
    }
    template <class T>
    Kernel& value(const std::string& name, T given) {
        trace::Argument argument;
        argument.name = name;
        argument.value = bytes_of_values(std::vector<T>{given});
        request_.arguments.push_back(std::move(argument));
        return *this;
    }

    [[nodiscard]] Result<std::shared_ptr<const trace::Trace>> try_run() const {
        Progress progress;
        return try_run(progress);
    }
    [[nodiscard]] Result<std::shared_ptr<const trace::Trace>> try_run(Progress& progress) const {
        Program program = program_;
        program.launches.push_back(request_);
        return emulate(*module_, program, limits_, progress);
    }
    [[nodiscard]] std::shared_ptr<const trace::Trace> run() const {
        Result<std::shared_ptr<const trace::Trace>> trace = try_run();
        if (!trace) throw std::runtime_error(trace.error().message());
        return *trace;
    }

    [[nodiscard]] const ptx::Module& module() const { return *module_; }
    [[nodiscard]] Program program() const {
        Program program = program_;
        program.launches.push_back(request_);
        return program;
    }

  private:
    std::shared_ptr<const ptx::Module> module_;
    Program program_;
    LaunchRequest request_;
    Limits limits_;
};

/// The final contents of a buffer.
template <class T>
std::vector<T> final_of(const trace::Trace& trace, const std::string& name) {
    for (const trace::Buffer& buffer : trace.buffers) {
        if (buffer.name != name) continue;
        std::vector<T> values(buffer.final.size() / sizeof(T));
        if (!values.empty()) std::memcpy(values.data(), buffer.final.data(), values.size() * sizeof(T));
        return values;
    }
    ADD_FAILURE() << "no buffer " << name;
    return {};
}

/// A kernel of this body, in which %r_in and %r_out hold the generic addresses of two buffers' elements for the thread
/// (8 bytes each), and %thread the thread's number. Registers: %p0-9, %h0-9 (16 bits), %r0-19, %d0-19 (64 bits), %f0-9,
/// %g0-9.
inline std::string kernel_of(const std::string& body) {
    return R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry test(.param .u64 test_in, .param .u64 test_out)
{
.reg .pred %p<10>;
.reg .b16 %h<10>;
.reg .b32 %r<20>;
.reg .b64 %d<20>;
.reg .f32 %f<10>;
.reg .f64 %g<10>;
.reg .u32 %thread;
.reg .u64 %in, %out, %offset;
ld.param.u64 %in, [test_in];
ld.param.u64 %out, [test_out];
mov.u32 %thread, %tid.x;
mul.wide.u32 %offset, %thread, 8;
add.u64 %in, %in, %offset;
add.u64 %out, %out, %offset;
)" + body + "\nret;\n}\n";
}

}  // namespace lanescope::execute
