// Wraps NVIDIA's NVRTC: adds debug information to what the program compiles, as nvcc code has it, and sends the source
// to Lanescope, which then shows lines and variable names.
//
// Does not include NVRTC's header, which may not be installed: handles are pointers, enumerations int (nvrtc.h).
#include "host/runtime/runtime.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

using namespace lanescope::host;

namespace {

constexpr int nvrtc_success = 0;

/// Calls the function of NVIDIA's library.
template <class... Arguments>
int call(const char* function, Arguments... arguments) {
    using Function = int (*)(Arguments...);
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, function))(arguments...);
}

struct Source {
    std::string path, text;  ///< `path` as in the PTX: NVRTC prepends the current folder to a relative one
};

std::map<void*, Source>& sources() {
    static auto* const all = new std::map<void*, Source>;
    return *all;
}

bool is_one_of(const char* option, std::initializer_list<const char*> names) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return std::strcmp(option, name) == 0; });
}

bool compiles_with(void* program, const std::vector<const char*>& own, const char* more) {
    std::vector<const char*> options = own;
    options.push_back(more);
    return call("nvrtcCompileProgram", program, int(options.size()), options.data()) == nvrtc_success;
}

void send(Call what, const std::string& text) {
    Header question;
    question.call = what;
    Runtime::get().ask(question, text.data(), text.size());
}

/// The PTX of the program's last compilation; empty if there is none.
std::string ptx_of(void* program) {
    std::size_t bytes = 0;
    if (call("nvrtcGetPTXSize", program, &bytes) != nvrtc_success || bytes < 2) return {};
    std::string ptx(bytes, '\0');
    if (call("nvrtcGetPTX", program, &ptx[0]) != nvrtc_success) return {};
    ptx.resize(std::strlen(ptx.c_str()));
    return ptx;
}

}  // namespace

extern "C" {

int nvrtcCreateProgram(void** program, const char* text, const char* name, int header_count, const char* const* headers,
                       const char* const* include_names) {
    const int result = call("nvrtcCreateProgram", program, text, name, header_count, headers, include_names);
    if (result != nvrtc_success || text == nullptr) return result;
    const std::lock_guard<std::recursive_mutex> lock(Runtime::get().mutex);
    std::string path = name != nullptr && *name != '\0' ? name : "default_program";
    if (path.front() != '/') {
        char folder[4096];
        if (getcwd(folder, sizeof folder) != nullptr) path = std::string(folder) + "/" + path;
    }
    sources()[*program] = {path, text};
    return result;
}

int nvrtcDestroyProgram(void** program) {
    if (program != nullptr) {
        const std::lock_guard<std::recursive_mutex> lock(Runtime::get().mutex);
        sources().erase(*program);
    }
    return call("nvrtcDestroyProgram", program);
}

/// Adds the view's option unless the program's own options exclude it. If that does not compile, compiles with the
/// program's own options alone.
int nvrtcCompileProgram(void* program, int count, const char* const* options) {
    static const char* const view = std::getenv(nvrtc_variable);
    std::vector<const char*> own;
    bool open = view != nullptr;
    for (int i = 0; i < count; ++i) {
        const char* const option = options[i];
        if (is_one_of(option, {"-G", "--device-debug", "-dlto", "--dlink-time-opt"})) open = false;
        if (!is_one_of(option, {"-lineinfo", "--generate-line-info"})) own.push_back(option);
    }
    const bool is_written = open && std::strcmp(view, "-G") == 0;
    if (open && !is_written && compiles_with(program, own, "-G")) {
        const std::lock_guard<std::recursive_mutex> lock(Runtime::get().mutex);
        if (const std::string ptx = ptx_of(program); !ptx.empty()) send(Call::as_written, ptx);
    }
    int result = nvrtc_success;
    if (!open || !compiles_with(program, own, view)) result = call("nvrtcCompileProgram", program, count, options);
    if (result != nvrtc_success) return result;
    const std::lock_guard<std::recursive_mutex> lock(Runtime::get().mutex);
    const auto found = sources().find(program);
    if (found != sources().end()) send(Call::source, found->second.path + '\0' + found->second.text);
    return result;
}

}  // extern "C"
