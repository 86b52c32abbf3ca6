// The contents of memory at a position, and the pass under way: both compared with the whole trace.
#include "unit/analysis/kernels.h"

#include "analysis/panels/counts_picture.h"
#include "analysis/panels/memory_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <span>

namespace lanescope::analysis {
namespace {

std::shared_ptr<const Analysis> modulo(trace::View view) {
    return analysis_of(kernel_run("reduce/interleaved_modulo", view, 16, classic));
}

TEST(Memory, EveryElementIsWhatTheCursorHolds) {
    const auto analysis = modulo(trace::View::written);
    MemoryTable table(analysis, 0, BlockId(0));
    trace::Cursor cursor(analysis->trace);
    for (std::size_t position = 0; position < table.block().passes.steps.size(); position += 3) {
        table.seek(memory_moment(analysis->view(table.block().passes), position));
        cursor.seek(table.block().passes.steps[position].index());
        for (std::size_t area = 0; area < table.areas().size(); ++area) {
            const MemoryArea& of = table.areas()[area];
            ASSERT_NE(of.space, trace::Space::local);
            std::uint32_t buffer = 0;
            std::uint64_t begin = 0;
            if (of.space == trace::Space::global) {
                while (analysis->trace->buffers[buffer].address != of.address) ++buffer;
                begin = of.address;
            }
            const trace::MemoryImage& image =
                of.space == trace::Space::shared ? cursor.shared(BlockId(0)) : cursor.global(buffer);
            for (std::uint64_t element = 0; element < of.count; ++element) {
                const MemoryCell cell = table.cell(area, element);
                const std::uint64_t at = of.address - begin + 4 * element;
                EXPECT_EQ(cell.bits, trace::bits_at(of.element, std::span(image.bytes).subspan(at, 4), 0))
                    << of.name << '[' << element << "] at " << position;
                EXPECT_EQ(cell.state == MemoryCell::State::written, image.writes[at] > 0);
            }
        }
    }
}

TEST(Memory, NeverWrittenIsNotZero) {
    const auto analysis = modulo(trace::View::written);
    const MemoryTable table(analysis, 0, BlockId(0));
    const auto place = table.place_of(trace::Space::shared, 8);
    ASSERT_TRUE(place.has_value());
    EXPECT_EQ(place->element, 2U);
    EXPECT_EQ(table.cell(place->area, 2).state, MemoryCell::State::never_written);
    const auto output = std::ranges::find(table.areas(), true, &MemoryArea::output) - table.areas().begin();
    EXPECT_EQ(table.cell(static_cast<std::size_t>(output), 0).state, MemoryCell::State::initial);
}

TEST(Memory, WhatTheLastStepWroteIsNewAndWhatTheNextOneTouchesIsMarked) {
    const auto analysis = modulo(trace::View::written);
    MemoryTable table(analysis, 0, BlockId(0));
    const BlockPasses& passes = table.block().passes;
    for (std::size_t position = 0; position < passes.steps.size(); ++position) {
        for (const trace::Effect& effect : analysis->trace->effects(analysis->trace->step(passes.steps[position]))) {
            if (effect.kind != trace::EffectKind::store || effect.space != trace::Space::shared) continue;
            const auto place = table.place_of(effect.space, analysis->trace->address(effect, effect.lanes.lowest()));
            ASSERT_TRUE(place.has_value());
            table.seek(memory_moment(analysis->view(passes), position));
            EXPECT_TRUE(table.cell(place->area, place->element).written_next) << position;
            EXPECT_EQ(table.focus()->element, place->element);
            table.seek(memory_moment(analysis->view(passes), position + 1));
            const MemoryCell cell = table.cell(place->area, place->element);
            EXPECT_TRUE(cell.changed) << position;
            EXPECT_TRUE(cell.in_pass);
            EXPECT_EQ(cell.writer, passes.steps[position]);
            EXPECT_EQ(cell.lane, effect.lanes.lowest());
        }
    }
}

TEST(Memory, ALanesVariablesHaveTheirNamesAsWrittenAndAreRegistersAsCompiled) {
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        const auto analysis = modulo(view);
        MemoryTable table(analysis, 0, BlockId(0));
        const std::size_t position = table.block().passes.passes[2].first + 2;
        table.seek(memory_moment(analysis->view(table.block().passes), position, WarpId(0), 6));
        EXPECT_EQ(table.named(), view == trace::View::written);
        const auto tid = std::ranges::find(table.variables(), "tid", &LaneVariable::name);
        if (view == trace::View::written) {
            ASSERT_NE(tid, table.variables().end());
            EXPECT_TRUE(tid->written);
            EXPECT_EQ(tid->bits, 6U);
            EXPECT_EQ(tid->type, "unsigned int");
        } else {
            ASSERT_FALSE(table.variables().empty());
            for (const LaneVariable& variable : table.variables()) EXPECT_EQ(variable.name[0], '%');
        }
    }
}

TEST(Memory, NoVariablesAreLeftOfALaneThatHasReturned) {
    const auto analysis = modulo(trace::View::written);
    MemoryTable table(analysis, 0, BlockId(0));
    table.seek(memory_moment(analysis->view(table.block().passes), table.block().passes.steps.size()));
    EXPECT_TRUE(table.variables().empty());
}

TEST(Counts, ThePassUnderWayGrowsToTheWholePassInAnyOrder) {
    const auto analysis = modulo(trace::View::written);
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    PassUnderWay under_way(analysis->view(passes));
    const Pass& pass = passes.passes[2];
    const auto instructions = [&](std::size_t position) { return under_way.at(position).counts.warp_instructions; };
    EXPECT_EQ(instructions(pass.first), 0U);
    EXPECT_EQ(instructions(pass.first + 5), 5U);
    EXPECT_EQ(instructions(pass.past_last - 1), pass.counts.warp_instructions - 1);
    EXPECT_EQ(instructions(pass.first + 2), 2U) << "going back";
    EXPECT_EQ(instructions(passes.passes[4].first + 1), 1U) << "another pass";
    EXPECT_EQ(under_way.at(passes.steps.size()).counts, passes.passes.back().counts)
        << "at the end, the last as a whole";

    const CountsPicture picture =
        counts_picture(analysis->view(passes), under_way, ExcessCounts(analysis->view(passes)), passes.steps.size());
    EXPECT_EQ(picture.total.counts.operations, 15U);
    EXPECT_EQ(picture.total.work, 15U);
    for (const CountRow& row : picture.rows) EXPECT_EQ(row.state, CountRow::State::done);
}

TEST(Counts, CsvHoldsEveryPassWhateverItsName) {
    const auto analysis = modulo(trace::View::written);
    const std::string csv = counts_csv(analysis->view(0, BlockId(0)));
    EXPECT_THAT(csv, testing::HasSubstr("\r\n2,\"s = 2\",16,4,4,1,4,"));
    EXPECT_EQ(std::ranges::count(csv, '\n'), 7);
}

}  // namespace
}  // namespace lanescope::analysis
