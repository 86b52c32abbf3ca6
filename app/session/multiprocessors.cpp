#include "session/multiprocessors.h"

#include "base/text.h"
#include "model/device_limits.h"
#include "session/launch_size.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

namespace lanescope::session {

namespace {

std::optional<std::uint32_t> up_to_most(std::string_view text) {
    const auto number = parse_number(text);
    return number && *number >= 1 && *number <= trace::most_multiprocessors
               ? std::optional(static_cast<std::uint32_t>(*number))
               : std::nullopt;
}

}  // namespace

std::optional<execute::Multiprocessors> multiprocessors_named(std::string_view text) {
    for (const model::GpuModel& gpu : model::gpu_models()) {
        if (in_small_letters(gpu.name) == in_small_letters(text))
            return execute::Multiprocessors{
                .device = &model::limits_of(gpu.capability), .count = gpu.multiprocessors, .order = {}};
    }
    const auto count = up_to_most(text);
    if (!count) return std::nullopt;
    execute::Multiprocessors found;
    found.count = *count;
    return found;
}

std::optional<std::uint32_t> resident_blocks_named(std::string_view text) { return up_to_most(text); }

std::string gpu_names() {
    return fmt::format("{}", fmt::join(model::gpu_models() | std::views::transform(&model::GpuModel::name), ", "));
}

std::optional<execute::Multiprocessors> multiprocessors_of(const Request& request, const Recipe& recipe) {
    const auto either = [](const std::string& asked, const std::string& usual) {
        return asked.empty() ? usual : asked;
    };
    const std::string count = either(request.placement.multiprocessors, recipe.placement.multiprocessors);
    // The recipe's number of resident blocks is meant for the recipe's multiprocessors.
    const bool own = request.placement.multiprocessors.empty();
    const std::string each = either(request.placement.resident, own ? recipe.placement.resident : std::string());
    const std::string order = either(request.placement.order, recipe.placement.order);
    if (count.empty() && each.empty() && order.empty()) return std::nullopt;
    execute::Multiprocessors found = multiprocessors_named(count).value_or(execute::Multiprocessors());
    found.blocks_each = resident_blocks_named(each).value_or(0);
    if (auto read = trace::read_block_order(order)) found.order = *std::move(read);
    return found;
}

std::string schedule_of(const Request& request, const Recipe& recipe) {
    return request.placement.schedule.empty() ? recipe.placement.schedule : request.placement.schedule;
}

}  // namespace lanescope::session
