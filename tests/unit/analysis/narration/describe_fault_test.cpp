// The narration of a faulty step names the thread, the place, and the correct behavior.
#include "analysis/narration/narration.h"

#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>

namespace lanescope::analysis {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using Kind = trace::Finding::Kind;

class FaultOfAStep : public testing::Test {
  protected:
    /// The reduction of 16 numbers; `store_` stores sdata for s = 4, `load_` is the first load of that pass.
    void SetUp() override {
        whole_ = analysis_of(kernel_run("reduce/interleaved_modulo", trace::View::written, 16, iota(16)));
        trace_ = *whole_->trace;
        pass_ = &passes().passes[3];
        for (std::size_t index = pass_->first; index < pass_->past_last; ++index) {
            for (const trace::Effect& effect : trace_.effects(trace_.step(passes().steps[index]))) {
                if (effect.space != trace::Space::shared) continue;
                if (effect.kind == trace::EffectKind::load && load_ == 0) load_ = index;
                if (effect.kind == trace::EffectKind::store) store_ = index;
            }
        }
        ASSERT_GT(load_, 0U);
        ASSERT_GT(store_, load_);
        finding_.block = BlockId(0);
        finding_.step = passes().steps[store_];
        finding_.warp = WarpId(0);
        finding_.lane = LaneId(8);
        finding_.variable = "sdata";
    }
    const BlockPasses& passes() const { return whole_->block_passes(0, BlockId(0)); }
    [[nodiscard]] BlockView view() const { return {trace_, *whole_->module, *whole_->provenance, passes()}; }
    std::string narration_of(std::size_t index, unsigned lane = warp_size) {
        trace_.findings = {finding_};
        return narrate(view(), index, lane);
    }
    std::shared_ptr<const Analysis> whole_;
    trace::Trace trace_;
    const Pass* pass_ = nullptr;
    std::size_t load_ = 0, store_ = 0;
    trace::Finding finding_;
};

TEST_F(FaultOfAStep, IsStatedInItsOwnWordsOfItsOwnLane) {
    finding_.kind = Kind::out_of_bounds;
    finding_.message = "block 0, thread 8 writes sdata[16], 1 element past the end of sdata (16 elements)";
    EXPECT_EQ(narration_of(store_),
              "Pass 3, s = 4. Out of bounds: thread 8 writes sdata[16], 1 element past the end of sdata (16 elements). "
              "Guard the access with a bounds check on the index. Lane 8 writes 100 to sdata[8], replacing 42.");
    EXPECT_THAT(narration_of(load_), Not(HasSubstr("Out of bounds")));
    EXPECT_THAT(narration_of(store_, 0), AllOf(HasSubstr("Lane 0 writes"), HasSubstr("Out of bounds: thread 8")))
        << "who chose another lane hears of that, and of the fault";
}

TEST_F(FaultOfAStep, OfARaceIsStatedAtBothSidesWithWhatWouldOrderThem) {
    finding_.kind = Kind::race;
    finding_.message =
        "block 0, thread 8 writes sdata[8] in line 14 and thread 0 reads it in line 14, without synchronization "
        "between the two warps";
    finding_.other =
        trace::Finding::Side{.block = BlockId(0), .warp = WarpId(0), .lane = LaneId(0), .step = passes().steps[load_]};
    EXPECT_THAT(narration_of(store_), HasSubstr("Race: thread 8 writes sdata[8]"));
    EXPECT_THAT(narration_of(store_),
                HasSubstr("Order the two with a __syncthreads() or __syncwarp() that every thread reaches. Lane 8"));
    EXPECT_THAT(narration_of(load_),
                AllOf(HasSubstr("Lane 0 reads"), HasSubstr("First access of a race: thread 8 writes sdata[8]")));
    finding_.other->warp = WarpId(1);
    EXPECT_THAT(narration_of(store_),
                HasSubstr("Order the two with a __syncthreads() that every thread reaches. Lane 8"));
    finding_.other->block = BlockId(1);
    EXPECT_THAT(narration_of(store_),
                HasSubstr("Blocks need an atomic operation here, or a launch each; with a lock or a flag, a "
                          "__threadfence() as well."));
}

TEST_F(FaultOfAStep, SaysThatABarrierIsForAll) {
    finding_.kind = Kind::barrier_divergence;
    finding_.message = "block 0: threads 0 to 7 in line 6; threads 8 to 15 not";
    EXPECT_THAT(narration_of(store_),
                EndsWith("threads 8 to 15 not. All threads of the block must reach the same barrier."));
    EXPECT_THAT(narration_of(store_), HasSubstr("s = 4. Barrier divergence: block 0")) << "and not that they met";
}

TEST_F(FaultOfAStep, IsStatedBrieflyForItsPass) {
    finding_.kind = Kind::race;
    trace_.findings = {finding_, finding_};
    EXPECT_THAT(narrate_pass(view(), pass_->id), EndsWith("Fault in this pass: race (sdata)."));
    EXPECT_THAT(narrate_pass(view(), PassId(1)), Not(HasSubstr("Fault")));
}

TEST_F(FaultOfAStep, EveryKindHasATitle) {
    for (const Kind kind : trace::Finding::kinds) {
        finding_.kind = kind;
        trace_.findings = {finding_};
        EXPECT_THAT(describe_fault(view(), passes().steps[store_]), Not(testing::StartsWith("Fault")));
    }
}

}  // namespace
}  // namespace lanescope::analysis
