// A .ptx file as a program: its entries and what their parameters may be.

#include "session/catalog_parts.h"

#include "base/demangle.h"
#include "ptx/module.h"

#include <fmt/format.h>

namespace lanescope::session {

namespace {

/// The source's types, where the name carries them: "int const*" becomes "const int*".
std::vector<compile::Parameter> parameters_of(const std::string& signature) {
    const std::size_t open = signature.find('(');
    if (open == std::string::npos) return {};
    const std::string declaration = fmt::format("__global__ void f{} {{}}", signature.substr(open));
    const compile::SourceScan scan = compile::scan_source(declaration);
    return scan.kernels.empty() ? std::vector<compile::Parameter>{} : scan.kernels.front().parameters;
}

/// PTX tells widths only: 64 bits are most likely an address.
compile::Parameter parameter_of(const ptx::Variable& variable) {
    compile::Parameter parameter;
    parameter.pointer = variable.type == ptx::Type::u64 || variable.type == ptx::Type::b64;
    parameter.element = parameter.pointer ? "int" : "";
    switch (variable.type) {
        case ptx::Type::f32: parameter.type = "float"; break;
        case ptx::Type::f64: parameter.type = "double"; break;
        case ptx::Type::u16:
        case ptx::Type::b16:
        case ptx::Type::s16: parameter.type = "short"; break;
        case ptx::Type::u8:
        case ptx::Type::b8:
        case ptx::Type::s8: parameter.type = "char"; break;
        default: parameter.type = parameter.pointer ? "int*" : "int"; break;
    }
    return parameter;
}

}  // namespace

Result<compile::SourceScan> scan_ptx(const std::string& ptx, const std::string& name) {
    Result<ptx::Module> module = ptx::parse(ptx, name);
    if (!module) return std::unexpected(module.error());
    compile::SourceScan scan;
    scan.directives = compile::scan_source(ptx).directives;
    for (const ptx::Function* entry : module->entries()) {
        compile::KernelDeclaration kernel;
        kernel.name = entry->name;
        kernel.line = entry->line.value;
        const std::vector<compile::Parameter> known = parameters_of(demangled(entry->name).value_or(""));
        for (std::size_t i = 0; i < entry->parameters.size(); ++i) {
            compile::Parameter parameter =
                known.size() == entry->parameters.size() ? known[i] : parameter_of(entry->parameters[i]);
            parameter.name = fmt::format("parameter{}", i + 1);
            kernel.parameters.push_back(std::move(parameter));
        }
        scan.kernels.push_back(std::move(kernel));
    }
    return scan;
}

}  // namespace lanescope::session
