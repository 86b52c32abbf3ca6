// What the lanes of a warp do together.

__global__ void votes(const int* in, int n, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = in[i];
    int all = __all_sync(0xffffffff, x > -3);
    int any = __any_sync(0xffffffff, x > 8);
    unsigned ballot = __ballot_sync(0xffffffff, x % 2 == 0);
    out[i] = all * 1000 + any * 100 + __popc(ballot);
}

// How many lanes hold the same value, and does the whole warp?
__global__ void matches(const int* in, int* same, int* whole) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    same[i] = __popc(__match_any_sync(0xffffffff, in[i]));
    int all;
    __match_all_sync(0xffffffff, in[i] / 100, &all);
    whole[i] = all;
}

__global__ void shuffles(const int* in, int* rotated, int* swapped, int* broadcast, double* wide) {
    int i = threadIdx.x, lane = i % 32;
    rotated[i] = __shfl_sync(0xffffffff, in[i], lane + 1);
    swapped[i] = __shfl_xor_sync(0xffffffff, in[i], 5);
    broadcast[i] = __shfl_sync(0xffffffff, in[i], 3, 8);
    wide[i] = __shfl_up_sync(0xffffffff, in[i] * 0.5, 2);
}

// 32 elements by compare and exchange between lanes, without memory.
__global__ void sort_in_a_warp(int* x) {
    int lane = threadIdx.x;
    int value = x[lane];
    for (int size = 2; size <= 32; size *= 2) {
        for (int distance = size / 2; distance > 0; distance /= 2) {
            int other = __shfl_xor_sync(0xffffffff, value, distance);
            bool ascending = (lane & size) == 0;
            bool lower = (lane & distance) == 0;
            value = lower == ascending ? min(value, other) : max(value, other);
        }
    }
    x[lane] = value;
}

// 8 x 4 in registers: each lane has four elements of a column and wants four of a row.
__global__ void sum_over_groups(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = i < n ? in[i] : 0.0f;
    for (int distance = 4; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffff, value, distance, 8);
    if (i < n && i % 8 == 0) out[i / 8] = value;
}

// The lower half of the warp works with a mask of its own, then the upper.
__global__ void halves(const int* in, int* out) {
    int lane = threadIdx.x;
    int value = in[lane];
    if (lane < 16) {
        value += __shfl_xor_sync(0x0000ffff, value, 8);
        __syncwarp(0x0000ffff);
    } else {
        value *= __shfl_down_sync(0xffff0000, value, 1, 16);
    }
    __syncwarp();
    out[lane] = value;
}

// Over the whole block, by __syncthreads_count and its relatives.
__global__ void block_votes(const int* in, int n, int* counts, int* flags) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i < n ? in[i] : 0;
    int positive = __syncthreads_count(x > 0);
    int any = __syncthreads_or(x > 90);
    int all = __syncthreads_and(x > -95);
    if (threadIdx.x == 0) {
        counts[blockIdx.x] = positive;
        flags[blockIdx.x] = 2 * any + all;
    }
}

// Lanes by their special registers.
__global__ void registers(unsigned* out) {
    unsigned lane, warp, below;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
    out[threadIdx.x] = lane * 100000 + warp * 1000 + __popc(below);
}

// moderngpu, intrinsics.hxx: a shuffle and the operator in one piece of PTX. The predicate says whether the other lane
// is there.
#define MGPU_DEVICE __device__
enum { warp_size = 32 };
template <typename T>
struct plus_t {};
template <typename T>
struct maximum_t {};

#define SHFL_OP_MACRO(dir, is_up, ptx_type, r, c_type, ptx_op, c_op) \
MGPU_DEVICE inline c_type shfl_##dir##_op(c_type x, int offset, \
  c_op<c_type> op, int width = warp_size) { \
  c_type result = x; \
  int mask = (warp_size - width)<< 8 | (is_up ? 0 : (width - 1)); \
  int lane = threadIdx.x & (warp_size - 1); \
  if (lane < width) { \
  unsigned threadmask = __activemask(); \
  asm( \
    "{.reg ."#ptx_type" r0;" \
    ".reg .pred p;" \
    "shfl.sync."#dir".b32 r0|p, %1, %2, %3, %4;" \
    "@p "#ptx_op"."#ptx_type" r0, r0, %5;" \
    "mov."#ptx_type" %0, r0; }" \
    : "="#r(result) : #r(x), "r"(offset), "r"(mask), "r"(threadmask), #r(x)); \
  } \
  return result; \
}

SHFL_OP_MACRO(up, true, s32, r, int, add, plus_t)
SHFL_OP_MACRO(down, false, s32, r, int, add, plus_t)
SHFL_OP_MACRO(down, false, f32, f, float, add, plus_t)
SHFL_OP_MACRO(down, false, s32, r, int, max, maximum_t)

__global__ void fused(const int* in, int* scanned, int* sums, float* halves, int* largest)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int up = in[i], down = in[i], most = in[i];
    float half = in[i] * 0.5f;
    for (int offset = 1; offset < warp_size; offset *= 2) {
        up = shfl_up_op(up, offset, plus_t<int>());
        down = shfl_down_op(down, offset, plus_t<int>());
        half = shfl_down_op(half, offset, plus_t<float>());
        most = shfl_down_op(most, offset, maximum_t<int>());
    }
    scanned[i] = up;
    sums[i] = down;
    halves[i] = half;
    largest[i] = most;
}
