// The chosen kernel as the compiler sees it: its module as written, whose DWARF names its parameters, and what it reads
// of the launch. Nothing here is read from the text of the source.
#pragma once

#include "ptx/module.h"
#include "session/element_types.h"
#include "session/program.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::session {

struct CompiledKernel {
    ptx::Module module;       ///< as written
    std::string instance;     ///< "reduce<128>", or the kernel's own name
    std::string linked_name;  ///< its name in the module

    [[nodiscard]] const ptx::Function& function() const { return *module.find(linked_name); }
};

/// Null where the source does not compile, where there is no compiler, or where a host function is chosen. The template
/// arguments are those of the recipe, at its own launch. Compiled once for each state of the source.
[[nodiscard]] std::shared_ptr<const CompiledKernel> compiled_kernel(const Program& program);

/// The progress text of a compilation: "compiling sort.cu", or "compiling sort.cu with Thrust, whose headers take
/// seconds the first time" where the text or a header beside the file includes such a library.
[[nodiscard]] std::string compiling_text(const std::filesystem::path& file, const std::string& text);

/// Whether the text is that of a built-in kernel.
[[nodiscard]] bool is_of_the_catalog(const SourceFile& source);

/// The parameters of the chosen kernel become those of its DWARF (described_parameters()). Unchanged are kernels of
/// the catalog, which a test compares with DWARF, and sources that do not compile, which the compiler refuses later.
void resolve_parameters(Program& program);

/// The `extern __shared__` array that the kernel uses, or a function that it calls.
struct DynamicShared {
    std::string name, type;
    std::uint32_t element_bytes = 0;  ///< 0: not known
};
[[nodiscard]] std::optional<DynamicShared> dynamic_shared_of(const CompiledKernel& kernel);

/// A `__constant__` or `__device__` variable of the file that its device code uses: the compiler writes no other.
struct DeviceVariable {
    std::string type;
    std::optional<ElementType> element;  ///< nothing where it does not have numbers
};
[[nodiscard]] std::optional<DeviceVariable> device_variable(const CompiledKernel& kernel, std::string_view name);

}  // namespace lanescope::session
