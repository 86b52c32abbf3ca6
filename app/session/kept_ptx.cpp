#include "session/kept_ptx.h"

#include "session/kept_steps.h"
#include "session/launch_plan.h"
#include "session/run.h"
#include "session/whole_program.h"

#include <fmt/format.h>

namespace lanescope::session {

Result<compile::CompileRequest> kept_request(const Program& program, compile::View view) {
    const auto planned = plan({.program = program.name});
    if (!planned) return std::unexpected(planned.error().problem);
    return compile::CompileRequest{.source = program.source.text,
                                   .name = program.source.name,
                                   .view = view,
                                   .arch = planned->arch,
                                   .include = {},
                                   .defines = {},
                                   .instantiate = {planned->instance}};
}

Result<KeptProgram> kept_program(const Program& program, compile::View view) {
    if (auto problem = cannot_run_programs()) return std::unexpected(*std::move(problem));
    Request request{.program = program.name};
    request.view = view == compile::View::written ? trace::View::written : trace::View::compiled;
    const auto planned = plan(request);
    if (!planned) return std::unexpected(planned.error().problem);
    Progress progress;
    const auto run = run_whole_program(request, *planned, {}, progress);
    if (!run) return std::unexpected(run.error().problem);
    auto steps = steps_text(*planned, *run->module, run->host);
    if (!steps) return std::unexpected(std::move(steps.error()));
    return KeptProgram{.ptx = run->module->text, .steps = *std::move(steps)};
}

std::string kept_path(const Program& program, compile::View view) {
    const std::string stem = program.source.name.substr(0, program.source.name.rfind('.'));
    return fmt::format("{}{}", stem, compile::kept_suffix(view));
}

}  // namespace lanescope::session
