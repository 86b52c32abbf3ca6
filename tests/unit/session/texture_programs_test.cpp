// Programs whose kernels read CUDA arrays through textures and write them through surfaces.
#include "analysis/narration/narration.h"
#include "analysis/panels/access_near.h"
#include "session/gpu_plan.h"
#include "session/verification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "run_support.h"
#include "session/verdict.h"
#include "session/whole_program.h"

namespace lanescope::session {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;

class TexturePrograms : public testing::Test {
  protected:
    void SetUp() override {
        if (const auto problem = cannot_run_programs()) GTEST_SKIP() << problem->message();
    }
};

/// `body` has an array of 8 x 1 floats, 0 to 7, and a buffer of 8 floats.
std::string program_of(const std::string& kernel, const std::string& body) {
    return "#include <cstdio>\n" + kernel +
           "int main() {\n"
           "    float values[8] = {0, 1, 2, 3, 4, 5, 6, 7}, *result;\n"
           "    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();\n"
           "    cudaArray_t pixels;\n"
           "    cudaMallocArray(&pixels, &floats, 8, 1, cudaArraySurfaceLoadStore);\n"
           "    cudaMemcpy2DToArray(pixels, 0, 0, values, 32, 32, 1, cudaMemcpyHostToDevice);\n"
           "    cudaMalloc(&result, sizeof values);\n"
           "    cudaResourceDesc resource = {};\n"
           "    resource.res.array.array = pixels;\n"
           "    cudaTextureDesc description = {};\n" +
           body + "    cudaFreeArray(pixels); cudaFree(result);\n}\n";
}

const std::string sample_kernel =
    "__global__ void sample(cudaTextureObject_t texture, float* out) {\n"
    "    out[threadIdx.x] = tex2D<float>(texture, threadIdx.x + 0.75f, 0.5f);\n"
    "}\n";
const std::string filter_body =
    "    description.filterMode = cudaFilterModeLinear;\n"
    "    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;\n"
    "    cudaTextureObject_t smooth;\n"
    "    cudaCreateTextureObject(&smooth, &resource, &description, nullptr);\n"
    "    sample<<<1, 8>>>(smooth, result);\n"
    "    cudaMemcpy(values, result, 32, cudaMemcpyDeviceToHost);\n"
    "    cudaDestroyTextureObject(smooth);\n";

const trace::Buffer* buffer_named(const trace::Trace& trace, const std::string& name) {
    const auto found = std::ranges::find(trace.buffers, name, &trace::Buffer::name);
    return found == trace.buffers.end() ? nullptr : &*found;
}

TEST_F(TexturePrograms, ReadAnArrayThroughALinearFilter) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("sample.cu", program_of(sample_kernel, filter_body))});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(run->trace().findings, IsEmpty());
    const trace::Buffer* const pixels = buffer_named(run->trace(), "pixels");
    ASSERT_NE(pixels, nullptr);
    EXPECT_EQ(pixels->element, trace::Element::f32) << "by the array's channels";
    EXPECT_NE(buffer_named(run->trace(), "smooth"), nullptr) << "the object has the name of its handle";
    const trace::Buffer* const result = buffer_named(run->trace(), "result");
    ASSERT_NE(result, nullptr);
    EXPECT_EQ(trace::text_of(result->element, trace::bits_at(result->element, result->final, 2)), "2.25");
    EXPECT_THAT(run->trace().host_steps,
                Contains(Field(&trace::HostStep::text, HasSubstr("their sectors are not counted"))));
}

TEST_F(TexturePrograms, DependOnEveryTexelThatTheFilterReads) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("sample.cu", program_of(sample_kernel, filter_body))});
    ASSERT_NE(run, nullptr);
    const trace::Trace& trace = run->trace();
    const trace::Buffer* const pixels = buffer_named(trace, "pixels");
    ASSERT_NE(pixels, nullptr);
    std::vector<std::uint64_t> read;
    for (const trace::Step& step : trace.steps()) {
        for (const trace::Effect& effect : trace.effects(step)) {
            if (effect.kind == trace::EffectKind::load && effect.space == trace::Space::global && effect.lanes.has(2))
                read.push_back((trace.address(effect, 2) - pixels->address) / sizeof(float));
        }
    }
    EXPECT_THAT(read, ElementsAre(2, 3));

    const auto& passes = run->analysis->block_passes(0, BlockId(0));
    std::string told;
    for (std::size_t i = 0; i < passes.steps.size(); ++i)
        told += analysis::narrate(run->analysis->view(passes), i, 2) + "\n";
    const auto access = analysis::access_near(run->analysis->view(passes), 0, WarpId(0), trace::Space::global);
    ASSERT_TRUE(access);
    EXPECT_EQ(run->analysis->view(passes).instruction_at(*access)->instruction->action(), ptx::Action::store)
        << "the sectors of a texture are not known";
    EXPECT_THAT(told, HasSubstr("fetches 2.25 from a texture, which reads pixels[2] = 2 and pixels[3] = 3."));
}

TEST_F(TexturePrograms, AreNotVerifiedOrTimedOnAGpu) {
    const Folder folder;
    const auto run = run_of({.program = folder.add("sample.cu", program_of(sample_kernel, filter_body))});
    ASSERT_NE(run, nullptr);
    const auto plan = plan_for_gpu(*run, {});
    ASSERT_FALSE(plan);
    EXPECT_THAT(plan.error().what, HasSubstr("sample accesses textures or surfaces"));
}

TEST_F(TexturePrograms, EndAtASurfaceAccessThatTraps) {
    const Folder folder;
    const auto run = run_of(
        {.program = folder.add("outside.cu", program_of("__global__ void outside(cudaSurfaceObject_t surface) {\n"
                                                        "    surf2Dwrite(1.0f, surface, 4 * threadIdx.x, 0);\n"
                                                        "}\n",
                                                        "    cudaSurfaceObject_t surface;\n"
                                                        "    cudaCreateSurfaceObject(&surface, &resource);\n"
                                                        "    outside<<<1, 9>>>(surface);\n"
                                                        "    puts(cudaGetErrorName(cudaDeviceSynchronize()));\n"))});
    ASSERT_NE(run, nullptr);
    ASSERT_THAT(run->trace().findings, testing::Not(IsEmpty()));
    EXPECT_EQ(run->trace().findings[0].kind, trace::Finding::Kind::out_of_bounds);
    EXPECT_THAT(run->trace().findings[0].message, HasSubstr("writes 4 bytes of a surface at x = 32 (bytes), y = 0"));
    EXPECT_EQ(run->trace().findings[0].source_line, 3U);
    EXPECT_THAT(run->trace().host_steps, Contains(Field(&trace::HostStep::text, HasSubstr("cudaErrorIllegalAddress"))));
}

TEST_F(TexturePrograms, FindAnArrayThatIsFreedBeforeItIsRead) {
    const Folder folder;
    std::string body = filter_body;
    const std::string launch = "    sample<<<1, 8>>>(smooth, result);\n";
    body.insert(body.find(launch) + launch.size(), "    cudaFreeArray(pixels);\n" + launch + "    pixels = nullptr;\n");
    const auto run = run_of({.program = folder.add("freed.cu", program_of(sample_kernel, body))});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(run->trace().findings, Contains(Field(&trace::Finding::kind, trace::Finding::Kind::use_after_free)));
}

TEST_F(TexturePrograms, AreToldWhatIsNotImplemented) {
    const Folder folder;
    const auto run =
        run_of({.program = folder.add(
                    "layers.cu", program_of(sample_kernel,
                                            "    cudaArray_t layers;\n"
                                            "    cudaExtent size = make_cudaExtent(8, 8, 2);\n"
                                            "    puts(cudaGetErrorName(cudaMalloc3DArray(&layers, &floats, size, "
                                            "cudaArrayLayered)));\n"
                                            "    description.sRGB = 1;\n"
                                            "    cudaTextureObject_t texture;\n"
                                            "    puts(cudaGetErrorName(cudaCreateTextureObject(&texture, &resource, "
                                            "&description, nullptr)));\n"
                                            "    description.sRGB = 0;\n"
                                            "    cudaCreateTextureObject(&texture, &resource, &description, nullptr);\n"
                                            "    sample<<<1, 8>>>(texture, result);\n"
                                            "    cudaDestroyTextureObject(texture);\n"
                                            "    puts(cudaGetErrorName(cudaDestroyTextureObject(texture)));\n"))});
    ASSERT_NE(run, nullptr);
    std::string printed;
    for (const trace::HostStep& step : run->trace().host_steps)
        if (step.kind == trace::HostStep::Kind::print) printed += step.text;
    EXPECT_EQ(printed, "cudaErrorNotSupported\ncudaErrorNotSupported\ncudaErrorInvalidValue\n");
    EXPECT_THAT(run->trace().host_steps,
                Contains(Field(&trace::HostStep::text, HasSubstr("layered, cubemap, gather and sparse arrays are not "
                                                                 "implemented"))));
}

}  // namespace
}  // namespace lanescope::session
