#include "ui/sass_text.h"

#include "base/demangle.h"
#include "base/grouped.h"
#include "base/newest_asked.h"

#include <fmt/format.h>

#include <utility>

namespace lanescope::ui {

struct SassText::Work {
    struct Question {
        std::shared_ptr<const trace::Trace> trace;
        unsigned arch = 0;
    };
    NewestAsked<Question, Result<sass::Listing>> asked{
        [](const Question& question, Progress& progress, const auto& give) {
            give(sass::disassemble(question.trace->origin.ptx, question.arch, progress));
        }};
};

SassText::SassText() : work_(std::make_unique<Work>()) {}
SassText::~SassText() = default;

void SassText::follow(const std::shared_ptr<const trace::Trace>& trace, unsigned arch) {
    if (asked_for_ == trace && asked_arch_ == arch) return;
    // Another launch or input of the same PTX has the same SASS.
    const bool same = asked_for_ && asked_arch_ == arch && asked_for_->origin.ptx == trace->origin.ptx;
    asked_for_ = trace;
    if (same) return;
    asked_arch_ = arch;
    listing_.reset();
    problem_.reset();
    rows_.clear();
    lines_.clear();
    work_->asked.ask({.trace = trace, .arch = arch});
}

bool SassText::busy() const { return work_->asked.is_pending(); }

bool SassText::poll() {
    std::vector<Result<sass::Listing>> answers = work_->asked.take();
    if (answers.empty()) return false;
    take(std::move(answers.back()));
    return true;
}

void SassText::take(Result<sass::Listing> answer) {
    ++version_;
    if (!answer) {
        problem_ = std::move(answer.error());
        return;
    }
    listing_ = std::move(*answer);
    for (const sass::Function& function : listing_->functions) {
        rows_.push_back({.text = source_name_of(function.name) + ":", .address = {}, .line = {}});
        for (const sass::Instruction& instruction : function.instructions) {
            for (const std::string& label : instruction.labels)
                rows_.push_back({.text = label + ":", .address = {}, .line = {}});
            rows_.push_back({.text = "  " + instruction.text,
                             .address = fmt::format("{:04x}", instruction.address),
                             .line = instruction.line});
            if (instruction.line.valid()) lines_[instruction.line].push_back(static_cast<std::uint32_t>(rows_.size()));
        }
    }
}

std::span<const std::uint32_t> SassText::lines_of(PtxLine line) const {
    const auto found = lines_.find(line);
    return found != lines_.end() ? std::span<const std::uint32_t>(found->second) : std::span<const std::uint32_t>();
}

std::string SassText::resources_of(const trace::Launch& launch) const {
    const sass::Function* function = listing_ ? listing_->function(launch.kernel) : nullptr;
    if (function == nullptr || !function->resources) return "ptxas reports no resources for this kernel.";
    const sass::Resources& resources = *function->resources;
    const model::Extent block{launch.block.x, launch.block.y, launch.block.z};
    const model::Occupancy occupancy =
        sass::occupancy_of(listing_->arch, resources, block, launch.dynamic_shared_bytes);
    const std::string dynamic =
        launch.dynamic_shared_bytes > 0
            ? fmt::format(" and {} of dynamic shared memory", counted(launch.dynamic_shared_bytes, "byte"))
            : std::string();
    return fmt::format("{}: {}. In blocks of {}{}: {}.", source_name_of(launch.kernel), sass::resources_text(resources),
                       counted(launch.block.count(), "thread"), dynamic,
                       sass::occupancy_sentence(occupancy, resources));
}

std::string SassText::sentence_of(PtxLine line) const {
    if (!line.valid()) return {};
    const std::span<const std::uint32_t> lines = lines_of(line);
    if (lines.empty())
        return fmt::format(
            "PTX line {}: the line table names no SASS instruction (merged, removed, or attributed to another line).",
            line.value);
    return fmt::format("PTX line {}: {}.", line.value, counted(lines.size(), "SASS instruction"));
}

}  // namespace lanescope::ui
