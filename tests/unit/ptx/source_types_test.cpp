// Types of the CUDA source are determined by DWARF, never by their names.
#include "compile/compile.h"
#include "support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <algorithm>
#include <array>

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;

const std::string source = R"(#include <cuda_fp16.h>
struct Point { short x, y; };
struct integer { float value; };
typedef unsigned int word;
typedef Point Corner;
enum Color { red, green };
union Either { int whole; float real; };
template <class T> struct Pair { T first; T second; };
struct Base { int id; };
struct Whole : Base {
    Pair<float> pair;
    short corner[2][2];
    unsigned low : 3, high : 5;
    bool set;
    Either either;
    __half half;
    word last;
};
__device__ Point tile[4];
__device__ integer values[4];
__device__ int grid[2][3];
__device__ bool flags[8];
__device__ Either either[4];
__device__ __half halves[4];
__global__ void k(const Corner* points, const Whole* wholes, word count, Color color, bool flag, int* out) {
    word mine = count + 1;
    Color other = color == red ? green : red;
    bool known = flag && mine > 2;
    tile[threadIdx.x] = points[threadIdx.x];
    values[threadIdx.x].value = wholes[0].pair.first;
    grid[1][threadIdx.x] = int(mine) + other + known;
    flags[threadIdx.x] = known;
    either[threadIdx.x].whole = 3;
    halves[threadIdx.x] = wholes[1].half;
    __syncthreads();
    out[0] = tile[1].x + int(values[1].value) + grid[1][1] + flags[1] + either[1].whole + int(__half2float(halves[0]));
}
)";

/// The module of the view as written, or nothing where there is no compiler.
const Module* module() {
    static const std::optional<Module> compiled = []() -> std::optional<Module> {
        const auto output = compile::compile({.source = source, .view = compile::View::written});
        if (!output) return std::nullopt;
        return parsed(output->ptx);
    }();
    return compiled ? &*compiled : nullptr;
}

#define NEEDS_COMPILER() \
    if (module() == nullptr) GTEST_SKIP() << "no CUDA compiler is there"

std::string_view kind_name(TypeKind kind) {
    constexpr std::array<std::string_view, 6> names{"unknown",     "number",  "boolean",
                                                    "enumeration", "pointer", "structure"};
    return names[static_cast<std::size_t>(kind)];
}

std::string array(std::string_view name) {
    const auto found = std::ranges::find(module()->arrays, name, &SourceArray::name);
    if (found == module()->arrays.end()) return "none";
    return fmt::format("{} {} {} of {} bytes [{}]", found->element_type, kind_name(found->kind),
                       name_of(found->element), found->element_bytes, fmt::join(found->extents, ", "));
}

std::string variable(std::string_view name) {
    for (const SourceVariable& found : module()->find("_Z1kPK5PointPK5Wholej5ColorbPi")->source_variables)
        if (found.name == name) return fmt::format("{} {} {}", found.type, kind_name(found.kind), name_of(found.value));
    return "none";
}

std::vector<std::string> members(std::string_view name) {
    std::vector<std::string> all;
    const auto found = std::ranges::find(module()->structures, name, &SourceStructure::name);
    if (found == module()->structures.end()) return all;
    for (const SourceMember& member : found->members) {
        const char kind = "suif"[static_cast<std::size_t>(member.number.kind)];
        all.push_back(fmt::format("{} {}{} at {}", member.name, kind, 8 * member.number.bytes, member.offset));
    }
    return all;
}

TEST(SourceTypes, AStructureIsNoNumberWhateverItsName) {
    NEEDS_COMPILER();
    EXPECT_EQ(array("tile"), "Point structure  of 4 bytes [4]") << "not an int of 4 bytes";
    EXPECT_EQ(array("values"), "integer structure  of 4 bytes [4]");
    EXPECT_EQ(array("either"), "Either structure  of 4 bytes [4]");
}

TEST(SourceTypes, NumbersAreSeenThroughTypedefsAndArraysOfArrays) {
    NEEDS_COMPILER();
    EXPECT_EQ(array("grid"), "int number s32 of 4 bytes [2, 3]");
    EXPECT_EQ(array("halves"), "__half number f16 of 2 bytes [4]");
    EXPECT_EQ(variable("mine"), "word number u32");
}

TEST(SourceTypes, BooleansEnumerationsAndPointersAreTheirOwnKinds) {
    NEEDS_COMPILER();
    EXPECT_EQ(array("flags"), "bool boolean u8 of 1 bytes [8]");
    EXPECT_EQ(variable("other"), "Color enumeration s32");
    EXPECT_EQ(variable("out"), "int* pointer u64");
}

TEST(SourceTypes, StructuresHaveTheMembersOfTheirBasesTemplatesAndArrays) {
    NEEDS_COMPILER();
    EXPECT_THAT(members("Point"), ElementsAre("x s16 at 0", "y s16 at 2"));
    EXPECT_THAT(members("Corner"), ElementsAre("x s16 at 0", "y s16 at 2")) << "what a parameter points to";
    EXPECT_THAT(members("Whole"),
                ElementsAre("id s32 at 0", "pair.first i32 at 4", "pair.second i32 at 8", "corner[0][0] s16 at 12",
                            "corner[0][1] s16 at 14", "corner[1][0] s16 at 16", "corner[1][1] s16 at 18",
                            "set u8 at 21", "half i16 at 28", "last u32 at 32"))
        << "bit fields and unions are left out";
    EXPECT_THAT(members("Either"), ElementsAre());
}

TEST(SourceTypes, WithoutDwarfNothingIsClaimed) {
    NEEDS_COMPILER();
    const auto output = compile::compile({.source = source, .view = compile::View::compiled});
    ASSERT_TRUE(output);
    const Module compiled = parsed(output->ptx);
    EXPECT_TRUE(compiled.structures.empty());
    for (const SourceArray& array : compiled.arrays) EXPECT_EQ(array.kind, TypeKind::unknown) << array.name;
}

}  // namespace
}  // namespace lanescope::ptx
