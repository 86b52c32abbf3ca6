// Functions of a library that is loaded while the program runs, by their names.
#pragma once

#include <dlfcn.h>

#include <string>

namespace lanescope {

/// Stays loaded until the process ends: drivers and compilers have threads and state of their own.
class SharedLibrary {
  public:
    explicit SharedLibrary(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (handle_ != nullptr) return;
        const char* const reason = dlerror();
        error_ = reason != nullptr ? reason : "unknown error";
    }

    [[nodiscard]] bool is_loaded() const { return handle_ != nullptr; }
    /// Why the library is not loaded.
    [[nodiscard]] const std::string& error() const { return error_; }

    template <class F>
    void resolve(F*& function, const char* name) {
        function = handle_ == nullptr ? nullptr : reinterpret_cast<F*>(dlsym(handle_, name));
        if (function == nullptr && missing_.empty()) missing_ = name;
    }
    /// The first function that the library lacks; empty if it has all that were asked for.
    [[nodiscard]] const std::string& missing() const { return missing_; }

  private:
    void* handle_;
    std::string error_, missing_;
};

}  // namespace lanescope
