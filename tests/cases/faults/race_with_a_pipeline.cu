// cuda::pipeline: threads that do not wait for a stage read it while it is being copied. Where the pipeline ends,
// libcu++ elects a lane of each warp and the last of them invalidates the stages' mbarriers: that is no race with the
// others.
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;

constexpr int stages = 2;
using State = cuda::pipeline_shared_state<cuda::thread_scope_block, stages>;

__global__ void faulty(int* out, const int* in) {
    __shared__ int tile[64];
    __shared__ State state;
    auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    pipeline.producer_acquire();
    cuda::memcpy_async(block, tile, in, sizeof(tile), pipeline);
    pipeline.producer_commit();
    out[threadIdx.x] = tile[63 - threadIdx.x];
    pipeline.consumer_wait();
    pipeline.consumer_release();
}

// Another thread may still wait at the mbarrier.
__global__ void faulty_end(int* out) {
    __shared__ unsigned long long barrier;
    unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(blockDim.x) : "memory");
    __syncthreads();
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared.b64 state, [%0]; }" ::"r"(at) : "memory");
    for (int complete = 0; complete == 0;)
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.s32 %0, 1, 0, p; }"
                     : "=r"(complete)
                     : "r"(at)
                     : "memory");
    if (threadIdx.x == 0) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(at) : "memory");
    out[threadIdx.x] = 1;
}

__global__ void sound(int* out, const int* in) {
    __shared__ int tile[stages][64];
    __shared__ State state;
    auto block = cg::this_thread_block();
    auto pipeline = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int copied = 0, added = 0; added < 4; ++added) {
        for (; copied < 4 && copied < added + stages; ++copied) {
            pipeline.producer_acquire();
            cuda::memcpy_async(block, tile[copied % stages], in + 64 * copied, sizeof(tile[0]), pipeline);
            pipeline.producer_commit();
        }
        pipeline.consumer_wait();
        sum += tile[added % stages][63 - threadIdx.x];
        pipeline.consumer_release();
    }
    out[threadIdx.x] = sum;
}

// One warp copies, the other adds.
__global__ void sound_roles(int* out, const int* in) {
    __shared__ int tile[stages][64];
    __shared__ State state;
    const bool copies = threadIdx.x < 32;
    const int lane = threadIdx.x % 32;
    auto pipeline = cuda::make_pipeline(cg::this_thread_block(), &state,
                                        copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    int sum = 0;
    for (int k = 0; k < 4; ++k) {
        if (copies) {
            pipeline.producer_acquire();
            for (int i = lane; i < 64; i += 32)
                cuda::memcpy_async(&tile[k % stages][i], &in[64 * k + i], sizeof(int), pipeline);
            pipeline.producer_commit();
        } else {
            pipeline.consumer_wait();
            sum += tile[k % stages][lane] + tile[k % stages][63 - lane];
            pipeline.consumer_release();
        }
    }
    out[threadIdx.x] = sum;
}
// lanescope: n = 256
// lanescope: block = 64
// lanescope: grid = 1
// lanescope: arch = 80
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(64)
