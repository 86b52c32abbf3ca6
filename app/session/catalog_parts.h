// What the catalog is made of: shared by catalog*.cpp only.
#pragma once

#include "compile/source.h"
#include "session/catalog.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// A C++ type as buffers hold it: "float4" is four f32.
struct ElementType {
    trace::Element element = trace::Element::s32;
    unsigned components = 1;
};
/// Follows the file's aliases and the chosen template arguments; nothing for types that are no numbers.
[[nodiscard]] std::optional<ElementType> element_type(const Program& program, std::string_view type);

[[nodiscard]] const compile::KernelDeclaration* declaration_of(const compile::SourceScan& scan,
                                                               std::string_view kernel);

/// Launch and arguments where the comment is silent: from the file's own launch of the kernel, its copies and its
/// constants, else from the parameters. Fills only what is empty, and says in `notes` what it took or guessed.
void guess_launch(Program& program);
/// One plan for each parameter that has none yet; an empty one where the parameter's type says nothing, which
/// make_argument refuses.
void guess_arguments(Program& program);

/// The file's constants put in for their names, so that a comment may use them.
[[nodiscard]] std::string with_constants(std::string_view expression, const compile::SourceScan& scan);

/// What is declared int and may as well be float, or the other way round, and nothing else: the line `elements = in, out, sdata`.
/// Of a kernel that is no template over a type, "reduce<float>" is then the kernel with that type in their declarations.
[[nodiscard]] std::vector<std::string> elements_of(const Program& program);
/// "int" or "float".
[[nodiscard]] bool is_element_type(std::string_view type);
/// Is it a template over a type?
[[nodiscard]] bool takes_types(const compile::KernelDeclaration& kernel);
/// The source with `type`, "int" or "float", in the declarations of elements_of; nothing else changes. Fails where a name
/// that is listed is declared nowhere.
[[nodiscard]] Result<std::string> with_elements_of(const Program& program, std::string_view type);

/// What `fault =` may name: the findings, and "wrong result".
[[nodiscard]] const std::vector<std::string>& fault_names();

/// Values with which an expression is tried when a file is read.
inline constexpr Variables trial{.n = 64, .block = 32, .grid = 2, .multiprocessors = 8};

/// The kernels and parameters of a PTX text, as if a source had declared them.
[[nodiscard]] Result<compile::SourceScan> scan_ptx(const std::string& ptx, const std::string& name);

}  // namespace lanescope::session
