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

using TexturePrograms = NeedsHostCode;

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
    const ScratchFolder folder;
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
    const ScratchFolder folder;
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
    std::string narration;
    for (std::size_t i = 0; i < passes.steps.size(); ++i)
        narration += analysis::narrate(run->analysis->view(passes), i, 2) + "\n";
    const auto access = analysis::access_near(run->analysis->view(passes), 0, WarpId(0), trace::Space::global);
    ASSERT_TRUE(access);
    EXPECT_EQ(run->analysis->view(passes).instruction_at(*access)->instruction->action(), ptx::Action::store)
        << "the sectors of a texture are not known";
    EXPECT_THAT(narration, HasSubstr("fetches 2.25 from a texture, which reads pixels[2] = 2 and pixels[3] = 3."));
}

TEST_F(TexturePrograms, AreNotVerifiedOrTimedOnAGpu) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("sample.cu", program_of(sample_kernel, filter_body))});
    ASSERT_NE(run, nullptr);
    const auto plan = plan_for_gpu(*run, {});
    ASSERT_FALSE(plan);
    EXPECT_THAT(plan.error().what, HasSubstr("sample accesses textures or surfaces"));
}

TEST_F(TexturePrograms, EndAtASurfaceAccessThatTraps) {
    const ScratchFolder folder;
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
    const ScratchFolder folder;
    std::string body = filter_body;
    const std::string launch = "    sample<<<1, 8>>>(smooth, result);\n";
    body.insert(body.find(launch) + launch.size(), "    cudaFreeArray(pixels);\n" + launch + "    pixels = nullptr;\n");
    const auto run = run_of({.program = folder.add("freed.cu", program_of(sample_kernel, body))});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(run->trace().findings, Contains(Field(&trace::Finding::kind, trace::Finding::Kind::use_after_free)));
}

TEST_F(TexturePrograms, ReportWhatIsNotImplemented) {
    const ScratchFolder folder;
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

/// The results of calls of the driver API, each by its name, in a program that has an image of 4 x 2 floats, a row of 4
/// of them, a volume of 4 x 3 x 2 elements of four bytes, and 64 bytes of host and of device memory.
std::string driver_results(const std::string& calls) {
    const ScratchFolder folder;
    const auto run = run_of(
        {.program = folder.add("driver.cu",
                               "#include <cuda.h>\n#include <cstdio>\n#include <cstring>\n" + sample_kernel +
                                   "static void say(CUresult result) {\n"
                                   "    const char* name = \"?\";\n"
                                   "    cuGetErrorName(result, &name);\n"
                                   "    printf(\"%s\\n\", name + strlen(\"CUDA_\"));\n"
                                   "}\n"
                                   "int main() {\n"
                                   "    cuInit(0);\n"
                                   "    CUarray image, row, volume, none = nullptr;\n"
                                   "    CUDA_ARRAY_DESCRIPTOR flat = {4, 2, CU_AD_FORMAT_FLOAT, 1};\n"
                                   "    CUDA_ARRAY3D_DESCRIPTOR solid = {4, 3, 2, CU_AD_FORMAT_UNSIGNED_INT8, 4, 0};\n"
                                   "    cuArrayCreate(&image, &flat);\n"
                                   "    flat.Height = 0;\n"
                                   "    cuArrayCreate(&row, &flat);\n"
                                   "    cuArray3DCreate(&volume, &solid);\n"
                                   "    float host[16] = {};\n"
                                   "    CUdeviceptr device;\n"
                                   "    cuMemAlloc(&device, sizeof host);\n" +
                                   calls +
                                   "    cuArrayDestroy(image); cuArrayDestroy(row); cuArrayDestroy(volume);\n"
                                   "    cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();\n"
                                   "    cudaArray_t pixels;\n"
                                   "    cudaMallocArray(&pixels, &floats, 8, 1);\n"
                                   "    cudaResourceDesc resource = {};\n"
                                   "    resource.res.array.array = pixels;\n"
                                   "    cudaTextureDesc description = {};\n"
                                   "    cudaTextureObject_t sampled;\n"
                                   "    cudaCreateTextureObject(&sampled, &resource, &description, nullptr);\n"
                                   "    sample<<<1, 8>>>(sampled, (float*)device);\n"
                                   "    cudaDeviceSynchronize();\n"
                                   "}\n")});
    if (run == nullptr) return "";
    std::string printed;
    for (const trace::HostStep& step : run->trace().host_steps)
        if (step.kind == trace::HostStep::Kind::print) printed += step.text;
    return printed;
}

TEST_F(TexturePrograms, GetTheDriversErrorsOfArraysAndTheirCopies) {
    EXPECT_EQ(
        driver_results("    flat.NumChannels = 3;\n"
                       "    say(cuArrayCreate(&none, &flat));\n"
                       "    flat.NumChannels = 1; flat.Format = CU_AD_FORMAT_NV12;\n"
                       "    say(cuArrayCreate(&none, &flat));\n"
                       "    flat.Format = (CUarray_format)0x77;\n"
                       "    say(cuArrayCreate(&none, &flat));\n"
                       "    say(cuArrayCreate(nullptr, &flat));\n"
                       "    solid.Height = 0;\n"
                       "    say(cuArray3DCreate(&none, &solid));\n"
                       "    say(cuArray3DGetDescriptor(&solid, row));\n"
                       "    printf(\"%zu %zu %zu\\n\", solid.Width, solid.Height, solid.Depth);\n"
                       "    say(cuArrayGetDescriptor(nullptr, row));\n"
                       "    say(cuArrayGetDescriptor(&flat, none));\n"),
        "ERROR_INVALID_VALUE\nERROR_NOT_SUPPORTED\nERROR_INVALID_VALUE\nERROR_INVALID_VALUE\nERROR_INVALID_VALUE\n"
        "SUCCESS\n4 0 0\nERROR_INVALID_VALUE\nERROR_INVALID_HANDLE\n");
    EXPECT_EQ(driver_results("    say(cuMemcpyHtoA(row, 0, host, 16));\n"
                             "    say(cuMemcpyHtoA(row, 8, host, 16));\n"    // past its end
                             "    say(cuMemcpyHtoA(row, 2, host, 7));\n"     // parts of elements, as on an H100
                             "    say(cuMemcpyHtoA(image, 8, host, 16));\n"  // on into the next row
                             "    say(cuMemcpyAtoH(host, none, 0, 8));\n"    // null
                             "    say(cuMemcpyAtoD(device, row, 4, 12));\n"
                             "    say(cuMemcpyDtoA(row, 0, device + 56, 16));\n"  // past the end of the memory
                             "    flat.NumChannels = 2;\n"
                             "    say(cuArrayCreate(&none, &flat));\n"
                             "    say(cuMemcpyAtoA(none, 0, row, 0, 8));\n"  // elements of 8 and of 4 bytes
                             "    say(cuArrayDestroy(none));\n"
                             "    say(cuArrayDestroy(none));\n"
                             "    say(cuMemcpyAtoH(host, none, 0, 8));\n"),
              "SUCCESS\nERROR_INVALID_VALUE\nSUCCESS\nERROR_INVALID_VALUE\nERROR_INVALID_VALUE\nSUCCESS\n"
              "ERROR_INVALID_VALUE\nSUCCESS\nERROR_INVALID_VALUE\nSUCCESS\nERROR_INVALID_HANDLE\n"
              "ERROR_INVALID_HANDLE\n");
    EXPECT_EQ(driver_results("    CUDA_MEMCPY3D p = {};\n"
                             "    p.srcMemoryType = CU_MEMORYTYPE_HOST; p.srcHost = host;\n"
                             "    p.dstMemoryType = CU_MEMORYTYPE_ARRAY; p.dstArray = volume;\n"
                             "    p.WidthInBytes = 8; p.Height = 2; p.Depth = 2;\n"
                             "    say(cuMemcpy3D(&p));\n"  // slices of no height, as on an H100
                             "    p.srcHeight = 1; say(cuMemcpy3D(&p));\n"
                             "    p.srcHeight = 2;\n"
                             "    p.dstZ = 1; say(cuMemcpy3D(&p));\n"  // past its last slice
                             "    p.dstZ = 0; p.srcPitch = 4; say(cuMemcpy3D(&p));\n"
                             "    p.srcPitch = 8; p.srcLOD = 1; say(cuMemcpy3D(&p));\n"
                             "    p.srcLOD = 0; p.srcMemoryType = (CUmemorytype)9; say(cuMemcpy3D(&p));\n"
                             "    say(cuMemcpy3D(nullptr));\n"),
              "SUCCESS\nERROR_INVALID_VALUE\nERROR_INVALID_VALUE\nERROR_INVALID_VALUE\nERROR_INVALID_VALUE\n"
              "ERROR_INVALID_VALUE\nERROR_INVALID_VALUE\n");
}

TEST_F(TexturePrograms, GetTheDriversErrorsOfTextureAndSurfaceObjects) {
    EXPECT_EQ(
        driver_results("    CUDA_RESOURCE_DESC of = {};\n"
                       "    of.resType = CU_RESOURCE_TYPE_ARRAY; of.res.array.hArray = volume;\n"
                       "    CUDA_TEXTURE_DESC how = {};\n"
                       "    how.filterMode = CU_TR_FILTER_MODE_LINEAR; how.maxAnisotropy = 3;\n"
                       "    how.flags = CU_TRSF_NORMALIZED_COORDINATES;\n"
                       "    how.addressMode[1] = CU_TR_ADDRESS_MODE_MIRROR;\n"
                       "    CUtexObject texture = 0, integers = 0;\n"
                       "    say(cuTexObjectCreate(&texture, &of, &how, nullptr));\n"
                       "    CUDA_TEXTURE_DESC told;\n"
                       "    CUDA_RESOURCE_DESC resource_told;\n"
                       "    say(cuTexObjectGetTextureDesc(&told, texture));\n"
                       "    say(cuTexObjectGetResourceDesc(&resource_told, texture));\n"
                       "    printf(\"%d %d\\n\", memcmp(&how, &told, sizeof how), memcmp(&of, &resource_told, 16));\n"
                       "    how.flags = CU_TRSF_READ_AS_INTEGER;\n"
                       "    say(cuTexObjectCreate(&integers, &of, &how, nullptr));\n"  // a filter of integers
                       "    how.flags = 0x4000; say(cuTexObjectCreate(&integers, &of, &how, nullptr));\n"
                       "    how = {}; of.flags = 1; say(cuTexObjectCreate(&integers, &of, &how, nullptr));\n"
                       "    of = {}; of.resType = CU_RESOURCE_TYPE_LINEAR;\n"
                       "    of.res.linear.devPtr = device; of.res.linear.format = CU_AD_FORMAT_SIGNED_INT32;\n"
                       "    of.res.linear.numChannels = 1; of.res.linear.sizeInBytes = 64;\n"
                       "    say(cuTexObjectCreate(&integers, &of, &how, nullptr));\n"  // kept integers
                       "    CUsurfObject surface = 0;\n"
                       "    say(cuSurfObjectCreate(&surface, &of));\n"  // of no array
                       "    say(cuSurfObjectDestroy(texture));\n"
                       "    say(cuTexObjectDestroy(texture));\n"
                       "    say(cuTexObjectDestroy(texture));\n"
                       "    say(cuTexObjectDestroy(integers));\n"),
        "SUCCESS\nSUCCESS\nSUCCESS\n0 0\nERROR_INVALID_VALUE\nERROR_INVALID_VALUE\nERROR_INVALID_VALUE\n"
        "SUCCESS\nERROR_INVALID_VALUE\nERROR_INVALID_VALUE\nSUCCESS\nERROR_INVALID_VALUE\nSUCCESS\n");
}

}  // namespace
}  // namespace lanescope::session
