// The PTX that the rewriter writes, for small kernels.
#include "execute/gpu/rewrite.h"

#include "harness.h"

#include <string_view>

namespace lanescope::execute {
namespace {

using testing::HasSubstr;
using testing::Not;

struct Case {
    ptx::Module module;
    Rewritten rewritten;

    explicit Case(const std::string& body)
        : module(*ptx::parse(kernel_of(body), "test.ptx")), rewritten(*rewrite(module)) {}

    [[nodiscard]] const Site& site(std::size_t number) const { return rewritten.sites[number]; }
};

/// The lines from the one that holds `first` to the one that holds `last`, without indentation and empty ones.
std::string between(const std::string& text, std::string_view first, std::string_view last) {
    std::istringstream lines(text);
    std::string found;
    bool inside = false;
    for (std::string line; std::getline(lines, line);) {
        inside = inside || line.find(first) != std::string::npos;
        const std::size_t begin = line.find_first_not_of(" \t");
        if (inside && begin != std::string::npos) found += line.substr(begin) + '\n';
        if (inside && line.find(last) != std::string::npos) break;
    }
    return found;
}

TEST(Rewriter, LogsALoadAfterItWithTheAddressFromBeforeIt) {
    const Case load("ld.global.u64 %d1, [%in+8];");
    EXPECT_EQ(between(load.rewritten.ptx, "add.s64 %lanescope_x, %in", "add.s64 %lanescope_cursor"),
              "add.s64 %lanescope_x, %in, 8;\n"
              "mov.u64 %lanescope_entry, 281474976710656;\n"
              "and.b64 %lanescope_x, %lanescope_x, 281474976710655;\n"
              "or.b64 %lanescope_entry, %lanescope_entry, %lanescope_x;\n"
              "ld.global.u64 %d1, [%in+8];\n"
              "mov.b64 %lanescope_value, %d1;\n"
              "setp.lt.u64 %lanescope_go, %lanescope_cursor, %lanescope_end;\n"
              "@%lanescope_go st.global.v2.b64 [%lanescope_cursor], {%lanescope_entry, %lanescope_value};\n"
              "add.s64 %lanescope_cursor, %lanescope_cursor, 512;\n");
    EXPECT_EQ(load.site(1).logged, Logged::load);
    EXPECT_EQ(load.site(1).space, ptx::Space::global);
}

TEST(Rewriter, LogsOnlyWhereTheGuardHolds) {
    const Case store("@!%p1 st.shared.u32 [%r1], %r2;");
    EXPECT_EQ(between(store.rewritten.ptx, "add.s32 %lanescope_a, %r1", "st.shared"),
              "add.s32 %lanescope_a, %r1, 0;\n"
              "cvt.u64.u32 %lanescope_x, %lanescope_a;\n"
              "mov.u64 %lanescope_entry, 281474976710656;\n"
              "and.b64 %lanescope_x, %lanescope_x, 281474976710655;\n"
              "or.b64 %lanescope_entry, %lanescope_entry, %lanescope_x;\n"
              "cvt.u64.u32 %lanescope_value, %r2;\n"
              "setp.lt.and.u64 %lanescope_go, %lanescope_cursor, %lanescope_end, !%p1;\n"
              "@%lanescope_go st.global.v2.b64 [%lanescope_cursor], {%lanescope_entry, %lanescope_value};\n"
              "@!%p1 add.s64 %lanescope_cursor, %lanescope_cursor, 512;\n"
              "@!%p1 st.shared.u32 [%r1], %r2;\n");
}

TEST(Rewriter, FindsTheSpaceOfAGenericAddressAndLeavesOutLocalMemory) {
    const Case load("@%p1 ld.u32 %r1, [%in];");
    EXPECT_EQ(between(load.rewritten.ptx, "isspacep.local", "selp.b64 %lanescope_entry"),
              "isspacep.local %lanescope_is, %lanescope_x;\n"
              "not.pred %lanescope_if, %lanescope_is;\n"
              "and.pred %lanescope_if, %lanescope_if, %p1;\n"
              "isspacep.shared %lanescope_is, %lanescope_x;\n"
              "cvta.to.shared.u64 %lanescope_y, %lanescope_x;\n"
              "selp.b64 %lanescope_x, %lanescope_y, %lanescope_x, %lanescope_is;\n"
              "selp.b64 %lanescope_entry, 562949953421312, 281474976710656, %lanescope_is;\n");
    EXPECT_EQ(load.site(1).space, ptx::Space::global);
    EXPECT_EQ(load.site(2).space, ptx::Space::shared);
}

TEST(Rewriter, LogsAVectorElementByElement) {
    const Case load("ld.global.v2.u32 {%r1, _}, [%in];");
    ASSERT_EQ(load.rewritten.sites.size(), 3U);
    EXPECT_TRUE(load.site(1).known);
    EXPECT_FALSE(load.site(2).known) << "what goes to the sink";
    EXPECT_EQ(load.site(2).element, 1);
    EXPECT_THAT(load.rewritten.ptx, HasSubstr("add.s64 %lanescope_x, %lanescope_entry, 281474976710660;"))
        << "the next site, 4 bytes on";
}

TEST(Rewriter, LogsAnAtomicsOperandsBeforeItAndItsResultAfterIt) {
    const Case swap("atom.global.cas.b32 %r1, [%in], %r2, %r3;");
    ASSERT_EQ(swap.rewritten.sites.size(), 4U);
    EXPECT_EQ(swap.site(1).logged, Logged::compare);
    EXPECT_EQ(swap.site(2).logged, Logged::operand);
    EXPECT_EQ(swap.site(3).logged, Logged::old);
    const Case add("red.global.add.u32 [%in], 1;");
    ASSERT_EQ(add.rewritten.sites.size(), 2U);
    EXPECT_EQ(add.site(1).logged, Logged::operand);
    EXPECT_THAT(add.rewritten.ptx, HasSubstr("mov.u64 %lanescope_value, 1;"));
}

TEST(Rewriter, LogsWhetherEachLaneTakesABranch) {
    const Case branch("@!%p1 bra $there;\nadd.u32 %r1, %r1, 1;\n$there:");
    EXPECT_EQ(between(branch.rewritten.ptx, "selp.u64 %lanescope_value", "bra"),
              "selp.u64 %lanescope_value, 0, 1, %p1;\n"
              "setp.lt.u64 %lanescope_go, %lanescope_cursor, %lanescope_end;\n"
              "@%lanescope_go st.global.v2.b64 [%lanescope_cursor], {%lanescope_entry, %lanescope_value};\n"
              "add.s64 %lanescope_cursor, %lanescope_cursor, 512;\n"
              "@!%p1 bra $there;\n");
}

TEST(Rewriter, LogsTheIndexOfATableBranchAndWhereEachGoes) {
    const Case table("$ts: .branchtargets $a, $b, $a;\nbrx.idx %r1, $ts;\n$a:\nmov.u32 %r2, 1;\n$b:\nmov.u32 %r2, 2;");
    EXPECT_THAT(between(table.rewritten.ptx, "cvt.u64.u32 %lanescope_value, %r1", "brx.idx"),
                HasSubstr("mov.u64 %lanescope_entry, 281474976710656;\n"));
    EXPECT_EQ(table.site(1).logged, Logged::target);
    const std::vector<PtxLine>& lines = table.rewritten.tables.at(1);
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0], lines[2]);
    EXPECT_EQ(lines[1].value, lines[0].value + 2);
}

TEST(Rewriter, LogsBothAddressesOfACopyAndTheSourceOnlyWhereItIsRead) {
    const Case copy("@%p1 cp.async.ca.shared.global [%r1], [%in+4], 4, %r2;");
    EXPECT_EQ(copy.site(1).logged, Logged::copy_to);
    EXPECT_EQ(copy.site(1).space, ptx::Space::shared);
    EXPECT_EQ(copy.site(2).logged, Logged::copy_from);
    EXPECT_EQ(copy.site(2).space, ptx::Space::global);
    EXPECT_EQ(between(copy.rewritten.ptx, "setp.ne.u64 %lanescope_if", "cp.async"),
              "setp.ne.u64 %lanescope_if, %lanescope_value, 0;\n"
              "mov.pred %lanescope_is, %p1;\n"
              "and.pred %lanescope_if, %lanescope_if, %lanescope_is;\n"
              "add.s64 %lanescope_x, %in, 4;\n"
              "mov.u64 %lanescope_entry, 562949953421312;\n"
              "and.b64 %lanescope_x, %lanescope_x, 281474976710655;\n"
              "or.b64 %lanescope_entry, %lanescope_entry, %lanescope_x;\n"
              "setp.lt.and.u64 %lanescope_go, %lanescope_cursor, %lanescope_end, %lanescope_if;\n"
              "@%lanescope_go st.global.v2.b64 [%lanescope_cursor], {%lanescope_entry, %lanescope_value};\n"
              "@%lanescope_if add.s64 %lanescope_cursor, %lanescope_cursor, 512;\n"
              "@%p1 cp.async.ca.shared.global [%r1], [%in+4], 4, %r2;\n");
}

TEST(Rewriter, LogsAnArrivalsCountAndATestsParityAndResult) {
    const Case arrival("mbarrier.init.shared.b64 [%r1], %r2;\nmbarrier.arrive.shared.b64 %d1, [%r1];");
    EXPECT_EQ(arrival.site(1).logged, Logged::arrival);
    EXPECT_EQ(arrival.site(2).logged, Logged::arrival);
    EXPECT_THAT(arrival.rewritten.ptx, HasSubstr("cvt.u64.u32 %lanescope_value, %r2;"));
    EXPECT_THAT(arrival.rewritten.ptx, HasSubstr("mov.u64 %lanescope_value, 1;"));
    const Case wait("mbarrier.test_wait.parity.shared.b64 %p1, [%r1], %r2;");
    EXPECT_EQ(wait.site(1).logged, Logged::wait);
    EXPECT_THAT(between(wait.rewritten.ptx, "mbarrier.test_wait", "st.global"),
                HasSubstr("selp.u64 %lanescope_x, 4294967296, 0, %p1;\n"
                          "or.b64 %lanescope_value, %lanescope_value, %lanescope_x;\n"));
    EXPECT_THAT(between(wait.rewritten.ptx, "or.b64 %lanescope_entry", "mbarrier.test_wait"),
                HasSubstr("cvt.u64.u32 %lanescope_value, %r2;\n"));
}

TEST(Rewriter, LogsAShufflesResultWithItsPredicate) {
    const Case shuffle("@%p1 shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;");
    EXPECT_EQ(between(shuffle.rewritten.ptx, "mov.pred", "@%lanescope_go"),
              "mov.pred %lanescope_if, %p1;\n"
              "@%p1 shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;\n"
              "cvt.u64.u32 %lanescope_value, %r1;\n"
              "selp.u64 %lanescope_x, 4294967296, 0, %p1;\n"
              "or.b64 %lanescope_value, %lanescope_value, %lanescope_x;\n"
              "mov.u64 %lanescope_entry, 281474976710656;\n"
              "setp.lt.and.u64 %lanescope_go, %lanescope_cursor, %lanescope_end, %lanescope_if;\n"
              "@%lanescope_go st.global.v2.b64 [%lanescope_cursor], {%lanescope_entry, %lanescope_value};\n");
}

TEST(Rewriter, KeepsProductsAndSumsFromBeingFused) {
    const Case sums(
        "mul.f32 %f1, %f2, %f3;\nadd.ftz.f32 %f4, %f1, %f5;\nfma.rn.f32 %f1, %f2, %f3, %f4;\n"
        "sub.f64 %g1, %g2, %g3;\nadd.rz.f32 %f4, %f1, %f5;\nadd.u32 %r1, %r2, %r3;");
    for (const char* wanted :
         {"mul.rn.f32 %f1", "add.rn.ftz.f32 %f4", "fma.rn.f32 %f1", "sub.rn.f64 %g1", "add.rz.f32 %f4", "add.u32 %r1"})
        EXPECT_THAT(sums.rewritten.ptx, HasSubstr(wanted));
}

TEST(Rewriter, SavesTheCursorAroundCallsAndAtTheEnd) {
    const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.func helper()
{
ret;
}
.visible .entry test()
{
call.uni helper, ();
ret;
}
)";
    const ptx::Module module = *ptx::parse(text);
    const Rewritten rewritten = *rewrite(module);
    EXPECT_EQ(between(rewritten.ptx, ".visible .entry", "nothing").substr(0, 24), ".visible .entry test()\n{");
    const std::string around =
        between(rewritten.ptx.substr(rewritten.ptx.find(".visible .entry")), "@%lanescope_on st.global", "}");
    EXPECT_EQ(around,
              "@%lanescope_on st.global.b64 [%lanescope_slot], %lanescope_cursor;\n"
              "call.uni helper, ();\n"
              "@%lanescope_on ld.global.b64 %lanescope_cursor, [%lanescope_slot];\n"
              "@%lanescope_on st.global.b64 [%lanescope_slot], %lanescope_cursor;\n"
              "ret;\n"
              "}\n");
}

TEST(Rewriter, DeclaresItsRegistersForTheWholeBodyWhereTheFirstInstructionIsWithinBraces) {
    const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry test()
{ // { in a comment
{
bar.sync 0;
}
ret;
}
)";
    const Rewritten rewritten = *rewrite(*ptx::parse(text));
    EXPECT_TRUE(ptx::parse(rewritten.ptx)) << rewritten.ptx;
    EXPECT_EQ(between(rewritten.ptx, ".entry test", ".reg .pred"),
              ".visible .entry test()\n{\n.reg .pred %lanescope_on, %lanescope_go, %lanescope_if, %lanescope_is;\n");
}

TEST(Rewriter, LogsWhatAClockSays) {
    const Case clock("mov.u64 %d1, %clock64;\nmov.u32 %r1, %tid.x;");
    ASSERT_EQ(clock.rewritten.sites.size(), 2U);
    EXPECT_EQ(clock.site(1).logged, Logged::time);
}

TEST(Rewriter, LeavesTheLinesOfTheOriginalAsTheyWere) {
    for (const char* name : {"interleaved_modulo.written", "sequential.compiled"}) {
        const ptx::Module module = *ptx::parse(ptx_of(name));
        const Rewritten rewritten = *rewrite(module);
        std::istringstream original(module.text);
        std::size_t at = 0;
        for (std::string line; std::getline(original, line);) {
            line.erase(0, line.find_first_not_of(" \t"));
            at = rewritten.ptx.find(line, at);
            ASSERT_NE(at, std::string::npos) << name << ": " << line;
        }
        EXPECT_TRUE(ptx::parse(rewritten.ptx)) << name;
    }
}

}  // namespace
}  // namespace lanescope::execute
