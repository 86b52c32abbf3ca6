// The text of a .cu file, read without a compiler: its kernels, the kernels that its host code launches, the
// `lanescope` comment, and the text with host code masked for NVRTC at unchanged line numbers.
// Parameters as spelled are used for the catalog, for host functions that it runs, and for sources that do not compile;
// those of other kernels come from the compiler (session/compiled_kernel.h).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace lanescope::compile {

struct Parameter {
    std::string type;  ///< "const int*", "unsigned", "float"
    std::string name;
    bool pointer = false;
    std::string element;     ///< of a pointer: the type it points to, without const: "int"
    bool read_only = false;  ///< const T*
};

struct KernelDeclaration {
    std::string name;  ///< with its namespaces, "demo::reduce"
    std::vector<Parameter> parameters;
    std::vector<std::string> template_parameters;  ///< "unsigned int blockSize"; empty: no template
    unsigned line = 0;
};

/// A `kernel<<<...>>>(...)` of the host code. Its configuration and arguments are known only when the host code runs.
struct NamedLaunch {
    std::string kernel;
    std::vector<std::string> template_arguments;  ///< `kernel<float, 128><<<`: "float", "128", for the compiler
    bool repeated = false;                        ///< it is in a loop
    unsigned line = 0;
};

/// One key of the `// lanescope:` lines of a file; session/catalog.h defines the keys.
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
    std::vector<KernelDeclaration> hosts;  ///< host functions, main among them
    std::vector<NamedLaunch> launches;
    std::vector<Directive> directives;
    /// For NVRTC: host functions and host includes replaced by spaces, so that lines and columns stay the same.
    std::string device_text;
    /// Headers in <> that may be the user's own, with the places of their masked directives.
    std::vector<std::pair<std::string, TextRange>> blanked_includes;
    /// Declarations that device code may not need, outer ones before inner ones: if the compiler rejects one, it is
    /// blanked, and the rest is compiled again.
    std::vector<TextRange> droppable;
};

/// Replaces the bytes of `range` by spaces, except newlines, `#define`, `#undef` and conditional directives.
void blank(std::string& text, TextRange range);

/// Blanks every `__shared__` except those of `extern` arrays, for which NVRTC writes DWARF.
void blank_static_shared(std::string& text);

/// Never fails: text that it cannot parse is left unchanged for the compiler.
[[nodiscard]] SourceScan scan_source(const std::string& source);

}  // namespace lanescope::compile
