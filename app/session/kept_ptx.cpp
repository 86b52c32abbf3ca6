#include "session/kept_ptx.h"

#include "session/session.h"
#include "session/session_plan.h"

namespace lanescope::session {

Result<compile::CompileRequest> kept_request(const Program& program, compile::View view) {
    const auto planned = plan({.program = program.name});
    if (!planned) return std::unexpected(planned.error().problem);
    return compile::CompileRequest{
        .source = program.source.text,
        .name = program.source.name,
        .view = view,
        .arch = planned->arch,
        .include = {},
        .defines = {},
        .instantiate = program.recipe.host ? std::vector<std::string>{} : std::vector{planned->instance}};
}

std::string kept_path(const Program& program, compile::View view) {
    const std::string stem = program.source.name.substr(0, program.source.name.rfind('.'));
    return stem + (view == compile::View::written ? ".written.ptx" : ".compiled.ptx");
}

}  // namespace lanescope::session
