// The name of an error of the CUDA runtime API -> its number, for code that answers a program without its headers.
#pragma once

#include <array>
#include <string_view>

namespace lanescope::host {

struct CudaError {
    int number;
    std::string_view name, text;
};
inline constexpr std::array cuda_errors = std::to_array<CudaError>({
#include "host/runtime/errors.inc"
});

/// A name that the table lacks does not compile.
consteval int cuda_error(std::string_view name) {
    for (const CudaError& error : cuda_errors)
        if (error.name == name) return error.number;
    throw "no such error";
}

/// The name of an error by its number; empty where the table has none.
constexpr std::string_view name_of_cuda_error(int number) {
    for (const CudaError& error : cuda_errors)
        if (error.number == number) return error.name;
    return {};
}

}  // namespace lanescope::host
