#include "session/closed_forms.h"

#include "session/input.h"

namespace lanescope::session {

std::vector<analysis::ClosedForm> closed_forms(const Run& run) {
    std::vector<analysis::ClosedForm> forms;
    // The formulas assume full blocks: zeros that fill the last one are added, too.
    for (const trace::Buffer& buffer : run.trace().buffers) {
        if (buffer.bytes / trace::bytes_of(buffer.element) > run.n && holds_input(buffer)) return forms;
    }
    // They assume as many blocks as N needs: with fewer, some elements are left out.
    if (const auto usual = evaluate_extent(run.program.recipe.grid, {.n = run.n, .block = run.block, .grid = run.grid});
        !run.program.recipe.grid.empty() && usual && usual->count() != run.grid)
        return forms;
    const auto add = [&](const char* name, const std::string& expression, std::optional<std::uint64_t> measured) {
        if (expression.empty()) return;
        if (const auto value = evaluate(expression, {.n = run.n, .block = run.block, .grid = run.grid}))
            forms.push_back({name, expression, *value, measured});
    };
    add("work", run.program.lesson.work, run.analysis->work);
    add("span", run.program.lesson.span, run.analysis->span);
    return forms;
}

}  // namespace lanescope::session
