// `lanescope verify` with a fake GPU (tests/fake/cuda_driver.cpp): each failure ends one worker process and is reported
// in a plain sentence, and the other kernels continue.
#include "places.h"
#include "unit/cli/command_answer.h"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <cstdlib>

namespace lanescope::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

struct VerifyAnswer {
    int code = 0;
    std::string err;
    nlohmann::json json;
};

class VerifyCommand : public testing::Test {
  protected:
    static VerifyAnswer verify(const std::string& wrong, std::vector<std::string> arguments) {
        setenv("LANESCOPE_DRIVER", LANESCOPE_FAKE_DRIVER, 1);
        setenv("FAKE_CUDA", wrong.c_str(), 1);
        arguments.insert(arguments.begin(), "verify");
        arguments.insert(arguments.end(), {"--view", "compiled", "--json"});
        const CommandAnswer answer = answer_of(arguments);
        return {.code = answer.code, .err = answer.err, .json = nlohmann::json::parse(answer.out, nullptr, false)};
    }

    /// Runs two kernels; each must fail with the reason.
    static void expect_failures(const std::string& wrong, const std::string& why, const std::string& limit = "60") {
        const VerifyAnswer answer =
            verify(wrong, {"reduce/sequential", "scan/in-place", "--n", "17000", "--block", "256", "--limit", limit});
        EXPECT_EQ(answer.code, kernel_wrong) << answer.err;
        ASSERT_TRUE(answer.json.is_object()) << answer.err;
        EXPECT_EQ(answer.json["device"], "NVIDIA Fake");
        ASSERT_THAT(answer.json["kernels"], SizeIs(2U));
        for (const nlohmann::json& kernel : answer.json["kernels"]) {
            EXPECT_EQ(kernel["verdict"], "failed");
            EXPECT_THAT(kernel["why"].get<std::string>(), HasSubstr(why));
        }
        EXPECT_EQ(answer.json["kernels"][1]["kernel"], "scan/in-place") << "the rest went on";
    }
};

TEST_F(VerifyCommand, FindsThatAGpuWhoseKernelsDoNothingDiffers) {
    const VerifyAnswer answer = verify("", {"reduce/sequential", "--n", "64", "--block", "32"});
    EXPECT_EQ(answer.code, kernel_wrong);
    ASSERT_TRUE(answer.json.is_object()) << answer.err;
    EXPECT_EQ(answer.json["kernels"][0]["verdict"], "differ");
    EXPECT_TRUE(answer.json["kernels"][0].contains("first_difference")) << answer.json.dump();
}

TEST_F(VerifyCommand, RecordsTheBlocksThatAreAskedFor) {
    for (const auto& [record, blocks] : {std::pair("2", 2U), std::pair("99", 4U)}) {
        const VerifyAnswer answer = verify("", {"scan/padded", "--n", "256", "--block", "32", "--record", record});
        ASSERT_TRUE(answer.json.is_object()) << answer.err;
        EXPECT_EQ(answer.json["kernels"][0]["blocks"], blocks);
        EXPECT_EQ(answer.json["kernels"][0]["verdict"], "differ") << "the kernel does nothing there";
    }
    const VerifyAnswer none = verify("", {"scan/padded", "--record", "0"});
    EXPECT_EQ(none.code, request_wrong);
    EXPECT_THAT(none.err, HasSubstr("--record"));
}

TEST_F(VerifyCommand, SaysThatThereIsNoGpu) {
    const VerifyAnswer answer = verify("none", {"reduce/sequential"});
    EXPECT_EQ(answer.code, request_wrong);
    EXPECT_THAT(answer.err, HasSubstr("finds no GPU"));
}

TEST_F(VerifyCommand, SaysWhatToDoAboutAnOldDriverAndNamesNoCompilerTwice) {
    const VerifyAnswer answer = verify("old", {"reduce/sequential"});
    EXPECT_EQ(answer.code, request_wrong);
    EXPECT_THAT(answer.err, AllOf(HasSubstr("the driver supports CUDA 12.2"), HasSubstr("550 or later"),
                                  Not(HasSubstr("NVRTC 12.2"))));
    for (std::size_t at = answer.err.find("is NVRTC"); at != std::string::npos;) {
        const std::size_t path = answer.err.rfind(' ', at - 2);
        const std::string named = answer.err.substr(path, at - path);
        at = answer.err.find("is NVRTC", at + 1);
        EXPECT_EQ(answer.err.find(named, path + 1), std::string::npos) << answer.err;
    }
}

TEST_F(VerifyCommand, SaysThatAGpuIsTooOld) { expect_failures("ancient", "this GPU has 5.0"); }

TEST_F(VerifyCommand, SaysThatThePtxIsTooNew) { expect_failures("reject", "the PTX is newer than the driver"); }

TEST_F(VerifyCommand, SaysThatMemoryIsFull) { expect_failures("full", "out of memory (CUDA_ERROR_OUT_OF_MEMORY)"); }

TEST_F(VerifyCommand, SaysThatAKernelTouchedWhatIsNotItsOwn) {
    expect_failures("fault", "illegal address (CUDA_ERROR_ILLEGAL_ADDRESS)");
}

TEST_F(VerifyCommand, SaysThatTheGpuIsLost) { expect_failures("lost", "the GPU is lost"); }

TEST_F(VerifyCommand, OutlivesAKernelThatEndsItsProcess) {
    ::setenv("ASAN_OPTIONS", "handle_segv=0", 1);  // the signal itself, also under a sanitizer
    expect_failures("crash", "ended by signal 11");
}

TEST_F(VerifyCommand, EndsAKernelThatNeverEnds) { expect_failures("hang", "did not end on the GPU within 5 s", "5"); }

}  // namespace
}  // namespace lanescope::cli
