#include "course/cuda.h"

namespace lanescope::course {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

/// The message instead of a run of the file, in both views.
void expect_refused(const std::string& subject, const std::string& what) {
    for (const trace::View view : {trace::View::written, trace::View::compiled}) {
        try {
            const Cuda cuda(subject, view, {});
            ADD_FAILURE() << subject << ".cu is not refused";
        } catch (const std::runtime_error& refusal) {
            EXPECT_THAT(refusal.what(), AllOf(ContainsRegex("ptx:[0-9]+:[0-9]+: "), HasSubstr(what)));
        }
    }
}

TEST(Refusals, NameLayeredTextures) { expect_refused("refused_textures", "is not supported: layered textures"); }
TEST(Refusals, NameLayeredSurfaces) { expect_refused("refused_surfaces", "is not supported: layered surfaces"); }
TEST(Refusals, NameTensorCores) { expect_refused("refused_tensor_cores", "is not supported: tensor cores"); }
TEST(Refusals, NameClusters) { expect_refused("refused_clusters", "thread block clusters"); }

}  // namespace
}  // namespace lanescope::course
