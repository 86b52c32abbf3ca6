// Traces that no kernel would produce, as in a damaged or forged file: the analysis must accept them.
#include "unit/analysis/kernels.h"

#include "analysis/expressions/formula.h"
#include "base/embedded.h"
#include "trace/writer.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::analysis {
namespace {

/// Steps of any instruction with any effects that the file format can express; `global_only`: on global memory alone.
std::shared_ptr<const trace::Trace> nonsense(const ptx::Module& module, std::mt19937& random, bool global_only) {
    const auto below = [&](std::uint64_t n) { return static_cast<std::uint32_t>(random() % n); };
    const ptx::Function& kernel = *module.entries().front();
    trace::Writer writer(trace::Origin{});
    trace::Trace& trace = writer.trace();
    for (const ptx::Register& reg : kernel.registers) {
        trace.registers.push_back(
            {reg.name, static_cast<std::uint8_t>(reg.type == ptx::Type::pred ? 0 : bytes_of(reg.type))});
    }
    trace::Buffer buffer;
    buffer.name = "b";
    buffer.address = 0x1000;
    buffer.bytes = 250;
    buffer.output = below(2) == 0;
    buffer.element = static_cast<trace::Element>(below(12));
    buffer.initial.resize(buffer.bytes);
    buffer.final = buffer.initial;
    trace.buffers = {buffer};
    trace.shared_arrays = {{"one", 0, 60, {}}, {"two", 32, 100, trace::Element::f64}};
    for (unsigned l = 0; l < 2; ++l) {
        trace::Launch launch;
        launch.kernel = kernel.name;
        launch.grid = {3, 1, 1};
        launch.block = {70, 1, 1};
        launch.static_shared_bytes = below(2) == 0 ? 256 : ~0ULL / 2;
        launch.recorded = {BlockId(0), BlockId(2)};
        writer.begin_launch(launch);
        for (unsigned s = 0; s < 400; ++s) {
            const auto& instruction = kernel.instructions[below(kernel.instructions.size())];
            const LaneMask active(below(1ULL << 32U)), executed = active & LaneMask(below(1ULL << 32U) | 1U);
            writer.begin_step(BlockId(below(2) * 2), WarpId(below(3)), below(20) == 0 ? PtxLine(1) : instruction.line,
                              below(4), active, executed);
            for (unsigned e = below(4); e > 0; --e) {
                const LaneMask lanes = active & LaneMask(below(1ULL << 32U));
                std::array<std::uint64_t, 32> addresses{};
                std::vector<std::uint64_t> values(8 * 32);
                for (std::uint64_t& address : addresses) {
                    address = below(3) == 0   ? random()
                              : below(3) == 0 ? ~0ULL - below(64)
                                              : 0x1000 * below(2) + below(300);
                }
                for (std::uint64_t& value : values) value = random();
                const auto space = global_only ? trace::Space::global : static_cast<trace::Space>(below(5));
                const unsigned bytes = 1U << below(4), elements = 1 + below(4);
                switch (below(9)) {
                    case 0: writer.load(space, bytes, elements, lanes, addresses, values); break;
                    case 1: writer.store(space, bytes, elements, lanes, addresses, values, values); break;
                    case 2:
                        writer.atomic(space, 4U << below(2), below(12), lanes, addresses, std::span(values).first(32),
                                      std::span(values).last(32));
                        break;
                    case 3: {
                        std::array<std::uint32_t, 32> sources{};
                        for (std::uint32_t& source : sources) source = below(256);
                        if (!global_only) writer.shuffle(lanes, sources);
                        break;
                    }
                    case 4: writer.control(trace::EffectKind::branch, lanes); break;
                    case 5: writer.control(trace::EffectKind::barrier, lanes); break;
                    case 6: writer.control(trace::EffectKind::exit, lanes); break;
                    default: {
                        const RegisterId reg(below(trace.registers.size()));
                        const unsigned width = trace.registers[reg.index()].bytes;
                        if (width == 0) {
                            writer.predicate_write(reg, lanes, LaneMask(below(1ULL << 32U)));
                        } else {
                            writer.register_write(reg, width, lanes, addresses);
                        }
                    }
                }
            }
        }
        writer.end_launch();
    }
    trace.counts = {std::vector<trace::Counts>(4), std::vector<trace::Counts>(2)};
    return writer.finish();
}

TEST(Analysis, TakesAnyTraceThatAFileCanHold) {
    for (const char* path :
         {"kernels/scan/double_buffered.written.ptx", "kernels/reduce/interleaved_modulo.compiled.ptx"}) {
        const auto module =
            std::make_shared<const ptx::Module>(ptx::parse(std::string(embedded_file(path).value())).value());
        for (unsigned seed = 0; seed < 20; ++seed) {
            std::mt19937 random(seed);
            Progress progress;
            const auto analysis = analyze(nonsense(*module, random, seed % 2 == 1), module, progress);
            for (std::uint32_t launch = 0; launch < 2; ++launch) {
                for (const BlockId block : {BlockId(0), BlockId(2)}) {
                    const BlockPasses& passes = analysis->block_passes(launch, block);
                    const Picture& picture = analysis->picture(launch, block);
                    EXPECT_FALSE(passes.passes.empty());
                    for (const PictureRow& row : picture.rows) EXPECT_EQ(row.cells.size(), picture.columns);
                    for (std::size_t i = 0; i <= passes.steps.size(); i += 7) {
                        EXPECT_FALSE(narrate(analysis->view(passes), i, i % 33).empty());
                    }
                    for (std::uint32_t p = 0; p <= passes.passes.size(); ++p) {
                        EXPECT_FALSE(narrate_pass(analysis->view(passes), PassId(p)).empty());
                    }
                }
            }
            const Provenance& provenance = *analysis->provenance;
            for (std::uint32_t v = 0; v < provenance.size(); ++v) {
                for (const ValueId parent : provenance.parents(ValueId(v)))
                    EXPECT_LT(parent.value, v) << "parents are older";
            }
            for (std::uint32_t v = 0; v < provenance.size(); v += 50) {
                EXPECT_FALSE(expression_of(*analysis->trace, provenance, ValueId(v), trace::Element::s32).empty());
            }
        }
    }
}

TEST(Analysis, OfATraceWithoutStepsSaysSo) {
    const auto module = std::make_shared<const ptx::Module>(
        ptx::parse(std::string(embedded_file("kernels/reduce/sequential.written.ptx").value())).value());
    trace::Writer writer(trace::Origin{});
    trace::Launch launch;
    launch.kernel = module->entries().front()->name;
    writer.begin_launch(launch);
    writer.end_launch();
    Progress progress;
    const auto analysis = analyze(writer.finish(), module, progress);
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    EXPECT_TRUE(passes.passes.empty());
    EXPECT_TRUE(analysis->picture(0, BlockId(0)).rows.empty());
    EXPECT_EQ(narrate(analysis->view(passes), 0), "This block was not recorded.");
    EXPECT_FALSE(analysis->work.has_value());
}

}  // namespace
}  // namespace lanescope::analysis
