// What a .cu file says of itself, read without a compiler: its kernels and their parameters, the launches its host code
// makes, the `lanescope` comment; and the same text with the host code masked, line numbers kept, so that NVRTC takes it.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::compile {

struct Parameter {
    std::string type;        ///< "const int*", "unsigned", "float"
    std::string name;
    bool pointer = false;
    std::string element;     ///< pointers: what they point to, without const: "int"
    bool read_only = false;  ///< const T*
};

struct KernelDeclaration {
    std::string name;
    std::vector<Parameter> parameters;
    std::vector<std::string> template_parameters;  ///< "unsigned int blockSize"; empty: no template
    unsigned line = 0;
};

/// A `kernel<<<grid, block, shared, stream>>>(...)` of the host code, as written.
struct LaunchHint {
    std::string kernel;
    std::string grid, block, shared;   ///< expressions as written; empty where not given
    std::optional<std::uint64_t> grid_value, block_value, shared_value;  ///< where they are constants of the file
    unsigned line = 0;
};

/// The `// lanescope:` lines of a file, key by key, in order; the grammar is in README "Your own kernel".
struct Directive {
    std::string key;         ///< "title", "arg", "shared", "block", "grid", "oracle", ...
    std::string value;
    unsigned line = 0, column = 0;
};

struct SourceScan {
    std::vector<KernelDeclaration> kernels;
    std::vector<LaunchHint> launches;
    std::vector<Directive> directives;
    std::string device_text; ///< for NVRTC: host functions, host-only includes and <<<>>> blanked, lines and columns kept
};

/// Never fails on strange text: what it does not understand it leaves to the compiler.
[[nodiscard]] SourceScan scan_source(const std::string& source);

}  // namespace lanescope::compile
