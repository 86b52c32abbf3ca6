#include "model/device_limits.h"
#include "support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace lanescope::ptx {
namespace {

using testing::HasSubstr;

TEST(Refusal, NamesAnUnknownInstructionWithItsPlace) {
    EXPECT_EQ(refused_body("mov.u32 %r1, 1;\n  frobnicate.u32 %r1;"),
              "2:3: instruction \"frobnicate.u32\" is not supported");
}

TEST(Refusal, NamesTheFamilyOfWhatIsLeftOut) {
    EXPECT_EQ(refused_body("tex.a2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%r1,%f1,%f2,%f3}];"),
              "1:1: \"tex.a2d.v4.f32.f32\" is not supported: layered textures");
    EXPECT_EQ(refused_body("tld4.r.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1,%f2}];"),
              "1:1: \"tld4.r.2d.v4.f32.f32\" is not supported: texture gather");
    EXPECT_EQ(refused_body("sust.p.2d.b32.trap [%rd1, {%r1,%r2}], {%r3};"),
              "1:1: \"sust.p.2d.b32.trap\" is not supported: formatted surface stores");
    EXPECT_EQ(refused_body("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%r1}, [%rd1];"),
              "1:1: \"wmma.load.a.sync.aligned.row.m16n16k16.f16\" is not supported: tensor cores");
    EXPECT_EQ(refused_body("barrier.cluster.arrive;"),
              "1:1: \"barrier.cluster.arrive\" is not supported: thread block clusters");
    EXPECT_EQ(refused_body("cp.async.bulk.commit_group;"),
              "1:1: \"cp.async.bulk.commit_group\" is not supported: bulk copies (the tensor memory accelerator)");
    EXPECT_EQ(refused_body("vabsdiff4.u32.u32.u32 %r1, %r2, %r3, %r4;"),
              "1:1: \"vabsdiff4.u32.u32.u32\" is not supported: video instructions");
}

TEST(Refusal, NamesTheSuffixThatDoesNotFit) {
    EXPECT_EQ(refused_body("add.rn.u32 %r1, %r2, 1;"), "1:1: \".u32\" in \"add.rn.u32\" is not supported");
    EXPECT_EQ(refused_body("ld.global.e4m3x2 %r1, [%rd1];"),
              "1:1: \".e4m3x2\" in \"ld.global.e4m3x2\" is not supported");
    EXPECT_EQ(refused_body("mul.s32 %r1, %r2, 1;"), "1:1: \".s32\" in \"mul.s32\" is not supported");
    EXPECT_EQ(refused_body("setp.eq %p1, %r2, 1;"), "1:1: \"setp.eq\" lacks a suffix");
    EXPECT_EQ(refused_body("atom.relaxed.add.acquire.u32 %r1, [%rd1], 1;"),
              "1:1: \".acquire\" in \"atom.relaxed.add.acquire.u32\" is not supported");
}

TEST(Refusal, SaysWhereToFindWhatIsSupported) {
    EXPECT_THAT(refused(kernel("frob;")).message(),
                HasSubstr("kernel.ptx:7:1: instruction \"frob\" is not supported. `lanescope list"));
}

TEST(Refusal, CountsOperands) {
    EXPECT_EQ(refused_body("add.u32 %r1, %r2;"), "1:1: \"add.u32\" takes 3 operands, not 2");
    EXPECT_EQ(refused_body("bar.sync;"), "1:1: \"bar.sync\" takes 1 to 2 operands, not 0");
    EXPECT_EQ(refused_body("ret %r1;"), "1:1: \"ret\" takes 0 operands, not 1");
}

TEST(Refusal, ChecksRegisters) {
    EXPECT_EQ(refused_body("add.u32 %r1, %r2, %r99;"), "1:19: \"%r99\" is not declared");
    EXPECT_EQ(refused_body("add.u32 %r1, %r02, 1;"), "1:14: \"%r02\" is not declared");
    EXPECT_EQ(refused_body("add.u32 %rd1, %r2, 1;"), "1:9: \"%rd1\" is a .b64 register where .u32 is expected");
    EXPECT_EQ(refused_body("add.u32 %r1, %f2, 1;"), "1:14: \"%f2\" is a .f32 register where .u32 is expected");
    EXPECT_EQ(refused_body("add.u32 %r1, %p2, 1;"), "1:14: \"%p2\" is a .pred register where .u32 is expected");
    EXPECT_EQ(refused_body("@%r1 mov.u32 %r1, 1;"), "1:2: \"%r1\" is a .b32 register where .pred is expected");
    EXPECT_EQ(refused_body("ld.global.u64 %r1, [%rd1];"), "1:15: \"%r1\" is a .b32 register where .u64 is expected");
    EXPECT_EQ(refused_body("ld.global.u32 %r1, [%h1];"),
              "1:20: \"%h1\" is a .b16 register, which cannot hold an address");
    EXPECT_EQ(refused_body(".reg .b32 %r1; .reg .b32 %r<3>;"), "1:26: \"%r\" is declared twice");
}

TEST(Refusal, ChecksOperands) {
    EXPECT_EQ(refused_body("add.u32 5, %r2, 1;"), "1:9: a constant cannot be a destination");
    EXPECT_EQ(refused_body("add.u32 %r1, %r2, [%rd1];"), "1:19: unexpected address in brackets");
    EXPECT_EQ(refused_body("ld.global.u32 %r1, %rd1;"), "1:20: expected an address in brackets");
    EXPECT_EQ(refused_body("add.u32 %r1, %r2, %tid.x;"), "1:19: \"%tid.x\" can only be read by mov");
    EXPECT_EQ(refused_body("mov.u32 %r1, %cluster_ctaid.x;"),
              "1:14: the special register \"%cluster_ctaid.x\" is not supported");
    EXPECT_EQ(refused_body("mov.u64 %rd1, %tid.x;"), "1:15: \"%tid.x\" has 32 bits");
    EXPECT_EQ(refused_body("add.f32 %f1, %f2, 1;"), "1:19: \"1\" is an integer where .f32 is expected");
    EXPECT_EQ(refused_body("add.u32 %r1, %r2, 1.5;"), "1:19: \"1.5\" is not a value of type .u32");
    EXPECT_EQ(refused_body("add.u32 %r1, !%r2, 1;"), "1:14: only a predicate can be negated by \"!\"");
    EXPECT_EQ(refused_body("add.u32 _, %r2, _;"), "1:17: \"_\" is only allowed as an unused result");
    EXPECT_EQ(refused_body("add.u32 %r1|%p1, %r2, 1;"), "1:13: unexpected \"|\" and second result");
    EXPECT_EQ(refused_body("lop3.b32 %r1, %r2, %r3, %r4, %r5;"), "1:30: expected a constant");
    EXPECT_EQ(refused_body("mov.u64 %rd1, nowhere;"), "1:15: \"nowhere\" is not declared");
}

TEST(Refusal, ChecksVectors) {
    EXPECT_EQ(refused_body("ld.global.v4.u32 {%r1, %r2}, [%rd1];"), "1:18: 2 elements where 4 are expected");
    EXPECT_EQ(refused_body("ld.global.v2.u32 %r1, [%rd1];"), "1:18: expected a vector in braces");
    EXPECT_EQ(refused_body("ld.global.u32 {%r1}, [%rd1];"), "1:15: unexpected vector in braces");
    EXPECT_EQ(refused_body("mov.b64 {%r1, %r2, %r3}, %rd1;"), "1:9: mov.b64 does not take 3 parts");
    EXPECT_EQ(refused_body("mov.b64 {%r1, %rd2}, %rd1;"), "1:15: \"%rd2\" is a .b64 register where .b32 is expected");
}

TEST(Refusal, ChecksLabels) {
    EXPECT_EQ(refused_body("bra NOWHERE;"), "1:5: the label \"NOWHERE\" is not defined");
    EXPECT_EQ(refused_body("L: L: ret;"), "1:4: the label \"L\" is defined twice");
    EXPECT_EQ(refused_body("brx.idx %r1, T;"), "1:14: the branch targets \"T\" are not defined");
    EXPECT_EQ(refused_body("{ L: ret; } bra L;"), "1:17: the label \"L\" is not defined");
}

TEST(Refusal, ChecksTheShapeOfTheText) {
    const std::string header = ".version 9.0\n.target sm_75\n";
    EXPECT_EQ(refused("").message(),
              "kernel.ptx:1:1: expected .version, not the end of the text. PTX begins with .version, .target and "
              ".address_size.");
    EXPECT_THAT(refused("int main() {}").message(), HasSubstr("1:1: expected .version, not \"int\""));
    EXPECT_THAT(refused(".version x\n").message(), HasSubstr("1:10: \"x\" is not a version of PTX"));
    EXPECT_THAT(refused(header + ".address_size 32\n").message(),
                HasSubstr("3:15: only 64-bit addresses are supported"));
    EXPECT_THAT(refused(header + ".entry k() {").message(),
                HasSubstr("3:13: the text ends inside \"k\". Is the file complete?"));
    EXPECT_THAT(refused(header + ".entry k() { ret }").message(), HasSubstr("3:18: expected an operand, not \"}\""));
    EXPECT_THAT(refused(header + ".tex .u32 t;").message(),
                HasSubstr("3:1: the directive \".tex\" is not supported here"));
    EXPECT_THAT(refused(header + ".global .texref t;").message(),
                HasSubstr("3:9: the type \".texref\" is not supported"));
    EXPECT_THAT(refused(header + ".entry k() .reqnctapercluster 2 {}").message(),
                HasSubstr("3:12: the directive \".reqnctapercluster\" of a function is not supported"));
    EXPECT_THAT(refused(header + "\x01").message(), HasSubstr("3:1: unexpected byte 0x01"));
    EXPECT_THAT(refused(header + "/* open").message(), HasSubstr("3:1: this comment is never closed"));
    EXPECT_THAT(refused(header + ".file 1 \"open\n").message(), HasSubstr("3:9: this string is never closed"));
}

TEST(Refusal, ChecksDeclarations) {
    const std::string header = ".version 9.0\n.target sm_75\n";
    EXPECT_THAT(refused(header + ".shared .align 3 .b8 s[4];").message(),
                HasSubstr("3:16: the alignment 3 is not a power of two"));
    EXPECT_THAT(refused(header + ".shared .b8 s[];").message(), HasSubstr("3:13: \"s\" has no size"));
    EXPECT_THAT(refused(header + ".shared .b32 s[4] = {1};").message(),
                HasSubstr("3:19: only .global and .const variables have initial values"));
    EXPECT_THAT(refused(header + ".global .b32 s[1] = {1, 2};").message(),
                HasSubstr("3:25: \"s\" has more initial values than elements"));
    EXPECT_THAT(refused(header + ".global .b32 s;\n.global .b32 s;").message(),
                HasSubstr("4:14: \"s\" is declared twice"));
    EXPECT_THAT(refused(header + ".entry k() { ret; }\n.entry k() { ret; }").message(),
                HasSubstr("4:8: \"k\" is defined twice"));
    EXPECT_THAT(refused(header + ".func f(.param .b32 a);\n.func f(.param .b64 a) { ret; }").message(),
                HasSubstr("4:7: \"f\" is declared differently on line 3"));
    EXPECT_THAT(refused(header + ".entry k(.param .b8 a[40000]) { ret; }").message(),
                HasSubstr("the parameters take 40,000 bytes"));
    EXPECT_THAT(refused(header + ".entry k() { .local .b8 a[1000000]; ret; }").message(),
                HasSubstr("\"k\" needs 1,000,000 bytes of local memory"));
}

TEST(Refusal, ReadsTheLimitsOfTheEmulatedDevice) {
    const std::string text =
        ".version 8.0\n.target sm_75\n.address_size 64\n"
        ".entry k(.param .b8 a[100]) { .local .b8 b[200]; ret; }";
    model::DeviceLimits limits = model::limits_of(90);
    limits.local_bytes_per_thread = 199;
    {
        const model::EmulateDevice device(limits);
        EXPECT_THAT(refused(text).message(),
                    HasSubstr("\"k\" needs 200 bytes of local memory per thread; the limit is 199"));
    }
    limits.parameter_bytes = 99;
    const model::EmulateDevice device(limits);
    EXPECT_THAT(refused(text).message(), HasSubstr("the parameters take 100 bytes; the limit is 99"));
}

TEST(Refusal, ChecksCalls) {
    const std::string header =
        ".version 9.0\n.target sm_75\n.func (.param .b32 r) f(.param .b64 a);\n.entry k() {\n.param .b32 x;\n.param "
        ".b64 y;\n";
    const auto call = [&](const std::string& text) { return refused(header + text + "\nret;\n}\n").what; };
    EXPECT_EQ(call("call f, (y);"), "\"f\" has 1 result, the call 0");
    EXPECT_EQ(call("call (x), f, (y, y);"), "\"f\" has 1 argument, the call 2");
    EXPECT_EQ(call("call (x), f, (x);"), "argument 1 of \"f\" has 8 bytes, \"x\" has 4");
    EXPECT_EQ(call("call (x), g, (y);"), "\"g\" is not declared");
    EXPECT_EQ(call("call (x), k, (y);"), "\"k\" is a kernel and cannot be called");
}

TEST(Refusal, StopsAtHugeNumbers) {
    EXPECT_EQ(refused_body(".reg .b32 %z<4000000000>;"),
              "1:14: a number of registers 4000000000 is too large: the limit is 1,048,576");
    EXPECT_EQ(refused_body(".reg .b32 %z<1000000>; .reg .b32 %y<1000000>;"),
              "1:37: the module has more than 1,048,576 registers");
    EXPECT_EQ(refused_body("mov.u32 %r1, 99999999999999999999999;"),
              "1:14: \"99999999999999999999999\" is not a number of PTX");
    EXPECT_THAT(refused(".version 9.0\n.target sm_75\n.global .b8 a[99999999999][99999999999];").what,
                HasSubstr("is too large"));
    EXPECT_THAT(refused(".version 9.0\n.target sm_75\n.global .b64 a[65536][65536][65536];").what,
                HasSubstr("the variable is larger than"));
}

TEST(Refusal, StopsAtDeepBraces) {
    EXPECT_THAT(refused_body(std::string(100'000, '{')), HasSubstr("{ } are nested too deeply"));
}

TEST(Refusal, StopsAtHugeTexts) {
    EXPECT_EQ(refused(std::string((std::size_t{32} << 20U) + 1, ' ')).what, "the PTX is larger than 32 MiB");
}

}  // namespace
}  // namespace lanescope::ptx
