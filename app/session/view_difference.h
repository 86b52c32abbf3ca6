// Without an oracle: compares the results of a program's two views, and tells whether these may differ by rounding.
#pragma once

#include "ptx/module.h"
#include "trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// The first element in which they differ.
struct ViewDifference {
    std::string buffer;
    std::size_t element = 0;
    std::string written, compiled;  ///< the values
};

/// The results of a run for the host: its output buffers, without their initial contents.
[[nodiscard]] std::vector<trace::Buffer> outputs_of(const trace::Trace& trace);

/// Floating-point numbers may differ by some roundings: as compiled, multiplications and additions are contracted.
[[nodiscard]] std::optional<ViewDifference> difference_of_views(const std::vector<trace::Buffer>& written,
                                                                const std::vector<trace::Buffer>& compiled);

/// Whether a launched kernel, as written, or a function of its module adds or subtracts a floating-point product: an
/// optimizing compiler fuses the two, which rounds once (CUDA C++ Programming Guide, "Floating-Point Standard").
[[nodiscard]] bool rounds_products(const ptx::Module& module, const std::vector<trace::Launch>& launches);

}  // namespace lanescope::session
