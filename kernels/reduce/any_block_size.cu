__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + threadIdx.x];

    // the upper half joins the lower; where their number is odd, the middle one waits for the next step
    for (unsigned int left = blockDim.x; left > 1; left = (left + 1) / 2) {
        unsigned int half = (left + 1) / 2;
        __syncthreads();
        if (tid + half < left)
            sdata[tid] += sdata[tid + half];
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Reduction: any block size
// lanescope: family = reduce
// lanescope: order = 45
// lanescope: summary = Rounding the half up lets any number of threads reduce: an element without a partner waits for the next step.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, Lab 4: a reduction for any block size
// lanescope: words = The lab asks for a reduction that works for any size of block; the lecture's own loop, d = blockDim.x >> 1, drops elements where the size is no power of two.
// lanescope: look = Pass 1 (left = 11): threads 0 to 4 add, and the -2 of element 5 finds no partner. It waits; in pass 2 (left = 6) thread 2 takes it. Element 1 waits likewise in pass 3.
// lanescope: look = Follow left in the names of the passes: 11, 6, 3, 2. They are four, as for 16 elements, and in Counts they add 5, 3, 1 and 1 times: 10, one less than there are elements.
// lanescope: look = Set Block and N to 100: left goes 100, 50, 25, 13, 7, 4, 2, and the seven passes add 99 times.
// lanescope: reading = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, Lab 4, Reduction Algorithm
// lanescope: reading = David B. Kirk, Wen-mei W. Hwu and Izzat El Hajj, Programming Massively Parallel Processors, 4th edition, 2022, chapter 10, Reduction: Hierarchical Reduction for Arbitrary Input Length
// lanescope: arg in = input(n, grid * block)
// lanescope: arg out = zeros(grid)
// lanescope: grid = ceil(n / block)
// lanescope: block = 11
// lanescope: block rule = 1 to 1024
// lanescope: shared = block * sizeof(int)
// lanescope: n = 11
// lanescope: input = classic
// lanescope: oracle = block-sum
// lanescope: output = out
// lanescope: elements = in, out, sdata
// lanescope: work = n - grid
// lanescope: span = log2(block)
