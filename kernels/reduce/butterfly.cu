__global__ void totals(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = i < n ? in[i] : 0;

    // partners exchange values: after the last step every lane has the sum of its warp
    for (int mask = 1; mask < 32; mask *= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, mask);

    if (i < n) out[i] = sum;
}

// lanescope: title = Reduction: butterfly
// lanescope: family = reduce
// lanescope: order = 92
// lanescope: summary = Lanes exchange their values with a partner 1, 2, 4, 8, 16 away; all of them work, and all of them end with the sum of the warp.
// lanescope: lecture = The shuffle of GPU Programming - Reduce (moderngpu) with an exclusive or for the partner: what is not in the lecture, and every lane needs
// lanescope: words = A shuffle tree leaves the sum in lane 0 and takes 31 useful additions. The butterfly takes 160, in the same five steps, and saves telling the others.
// lanescope: look = The arcs of Passes cross: in xor 1 neighbours exchange values, in xor 16 the halves of the warp do. After xor 8 every lane has 41, the sum of its half; after xor 16 all 32 have 82.
// lanescope: look = Warps stays full, 32 of 32 in every pass, and Counts has 32 ops and a work of 32 in each: nothing is hatched. Warp-shuffle has 32 ops a pass as well, but a work of 31 in all instead of 160.
// lanescope: look = Banks has nothing to show, and Counts no wavefronts: not a word of shared memory, not a barrier.
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: Warp Shuffle Functions, reduction across a warp
// lanescope: reading = Yuan Lin and Vinod Grover, Using CUDA Warp-Level Primitives, NVIDIA Developer Blog, 2018
// lanescope: reading = F. Thomson Leighton, Introduction to Parallel Algorithms and Architectures: Arrays, Trees, Hypercubes, Morgan Kaufmann, 1992, chapter 3: the butterfly
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: arg n = n
// lanescope: grid = ceil(n / block)
// lanescope: block = 32
// lanescope: block rule = multiple of 32, 32 to 1024
// lanescope: block reason = The shuffles name all 32 lanes of a warp, so every warp has to be whole.
// lanescope: n = 32
// lanescope: input = classic
// lanescope: oracle = total-for-each(32)
// lanescope: output = out
// lanescope: elements = in, out, sum
// lanescope: work = 5 * n
// lanescope: span = 5
