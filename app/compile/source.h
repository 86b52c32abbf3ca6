// What a .cu file says of itself, read without a compiler: its kernels and their parameters, the launches its host code
// makes, the `lanescope` comment; and the same text with the host code masked, line numbers kept, so that NVRTC takes it.
#pragma once

#include "base/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::compile {

struct Parameter {
    std::string type;  ///< "const int*", "unsigned", "float"
    std::string name;
    bool pointer = false;
    std::string element;     ///< pointers: what they point to, without const: "int"
    bool read_only = false;  ///< const T*
};

struct KernelDeclaration {
    std::string name;  ///< with its namespaces, "demo::reduce"
    std::vector<Parameter> parameters;
    std::vector<std::string> template_parameters;  ///< "unsigned int blockSize"; empty: no template
    unsigned line = 0;
};

/// A `kernel<<<grid, block, shared, stream>>>(...)` of the host code, as written.
struct LaunchHint {
    using Extent = std::array<std::uint64_t, 3>;

    std::string kernel;
    std::vector<std::string> template_arguments;  ///< `kernel<float, 128><<<`: "float", "128"
    std::string grid, block, shared;              ///< expressions as written; empty where not given
    std::optional<std::uint64_t> grid_value, block_value, shared_value;  ///< where they are constants of the file, 1-D
    std::optional<Extent> grid_extent, block_extent;                     ///< the same, dim3 variables followed
    std::vector<std::string> arguments;                                  ///< as written
    unsigned line = 0;
};

/// The `// lanescope:` lines of a file, key by key, in order; the keys are session/catalog.h's.
struct Directive {
    std::string key;  ///< "title", "shared", "block rule", ...; "arg" with the value "in = input(n)"
    std::string value;
    unsigned line = 0, column = 0;  ///< of the key
    unsigned value_column = 0;      ///< 0: there is no `=`, and the value is empty
};

/// Bytes [begin, end) of the source.
struct TextRange {
    std::size_t begin = 0, end = 0;
    friend bool operator==(const TextRange&, const TextRange&) = default;
};

struct SourceScan {
    std::vector<KernelDeclaration> kernels;
    std::vector<LaunchHint> launches;
    std::vector<Directive> directives;
    std::map<std::string, std::string>
        constants;  ///< `#define N 1024`, `const int N = 1 << 10`, enumerators: decimal values
    std::map<std::string, std::string> aliases;  ///< `typedef float real;`, `using real = float`, `#define real float`
    std::string
        device_text;  ///< for NVRTC: host functions, host-only includes and <<<>>> blanked, lines and columns kept
    std::vector<TextRange>
        droppable;  ///< declarations that device code may do without, inner ones after outer ones: where
                    ///< the compiler rejects one, it is blanked and the rest tried again
};

/// `text` with the bytes of `range` replaced by spaces; lines stay, and so do `#define`, `#undef` and the conditionals.
void blank(std::string& text, TextRange range);

/// Never fails on strange text: what it does not understand it leaves to the compiler.
[[nodiscard]] SourceScan scan_source(const std::string& source);

/// A constant expression of C as launch hints hold it, `(N + 255) / 256 * sizeof(float)`, over the file's constants;
/// nothing where it is none.
[[nodiscard]] std::optional<std::int64_t> constant_value(const std::string& expression,
                                                         const std::map<std::string, std::string>& constants);

}  // namespace lanescope::compile
