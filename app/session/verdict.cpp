#include "session/verdict.h"

#include "session/oracle.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::session {

namespace {

const trace::Buffer* find_buffer(const trace::Trace& trace, const std::string& name) {
    const auto found = std::ranges::find(trace.buffers, name, &trace::Buffer::name);
    return found == trace.buffers.end() ? nullptr : &*found;
}

std::string text_at(trace::Element element, std::span<const std::byte> bytes, std::size_t index) {
    if ((index + 1) * trace::bytes_of(element) > bytes.size()) return {};
    return trace::text_of(element, trace::bits_at(element, bytes, index));
}

std::vector<std::string> texts(trace::Element element, std::span<const std::byte> bytes, std::size_t count) {
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < std::min(count, Verdict::most_shown); ++i) {
        if (std::string text = text_at(element, bytes, i); !text.empty()) shown.push_back(std::move(text));
    }
    return shown;
}

}  // namespace

Verdict judge(const Program& program, const std::vector<ArgumentPlan>& plans, const trace::Trace& trace,
              std::vector<std::string>& notes) {
    Verdict verdict;
    if (program.recipe.expected.oracle.empty() || trace.launches.empty() || trace.cancelled) return verdict;
    const auto not_checked = [&](const std::string& why) {
        notes.push_back(fmt::format("The result is not checked: {}.", why));
        return Verdict{};
    };
    if (trace.is_cut_short() && trace.findings.empty()) return not_checked("only a part of the launch ran");
    const auto oracle = find_oracle(program.recipe.expected.oracle);
    if (!oracle) return not_checked(oracle.error().what);
    const trace::Buffer* output = find_buffer(trace, program.recipe.expected.output);
    if (output == nullptr) return not_checked(fmt::format("there is no buffer \"{}\"", program.recipe.expected.output));

    const trace::Launch& launch = trace.launches.front();
    OracleInputs question;
    question.element = output->element;
    question.n = trace.origin.n;
    question.block = launch.block.count();
    question.grid = launch.grid.count();
    if (program.recipe.expected.slice != "block" &&
        !is_described_instance(program, {question.n, question.block, question.grid})) {
        return not_checked(fmt::format("its CPU reference is of {}", described_instances(program)));
    }
    if (!program.recipe.expected.slice.empty()) {
        const auto slice = evaluate(program.recipe.expected.slice, {question.n, question.block, question.grid});
        if (!slice) return not_checked(slice.error().what);
        question.slice = *slice;
    } else {
        question.slice = question.block;
    }
    bool kept = output->final.size() == output->bytes;
    const auto add_input = [&](const ArgumentPlan& plan) {
        const trace::Buffer* const input =
            plan.kind == ArgumentPlan::Kind::input ? find_buffer(trace, plan.parameter) : nullptr;
        if (input == nullptr) return;
        kept = kept && input->initial.size() == input->bytes;
        question.inputs.emplace_back(input->initial);
    };
    for (const ArgumentPlan& plan : plans) {
        add_input(plan);
        std::ranges::for_each(plan.members, add_input);
    }
    if (!kept) return not_checked("its input or output was freed before a kernel accessed it, and was not kept");
    const auto expected = expect(**oracle, question);
    if (!expected) return not_checked(expected.error().what);

    const ResultComparison comparison = compare(output->element, *expected, output->final);
    verdict.ok = comparison.ok;
    verdict.oracle = (*oracle)->description;
    verdict.output = output->name;
    verdict.element = output->element;
    verdict.compared = comparison.compared;
    verdict.first_difference = comparison.first_difference;
    const std::size_t count = expected->bytes.size() / trace::bytes_of(output->element);
    verdict.expected = texts(output->element, expected->bytes, count);
    verdict.actual = texts(output->element, output->final, count);
    if (!comparison.ok) {
        verdict.expected_there = text_at(output->element, expected->bytes, comparison.first_difference);
        verdict.actual_there = text_at(output->element, output->final, comparison.first_difference);
    }
    return verdict;
}

std::string emulator_found(const trace::Finding& fault) {
    return fmt::format("the emulator has a finding: {}", fault.message);
}

const trace::Finding* first_fault(const trace::Trace& trace) {
    const auto found = std::ranges::find_if(
        trace.findings, [](const trace::Finding& finding) { return finding.kind != trace::Finding::Kind::leak; });
    return found == trace.findings.end() ? nullptr : &*found;
}

}  // namespace lanescope::session
