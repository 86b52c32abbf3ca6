__global__ void scan_blocks(const int* in, int* out, int* sums, int n)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0;

    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? temp[tid - d] : 0;
        __syncthreads();
        temp[tid] += left;
    }

    if (i < n) out[i] = temp[tid];
    if (sums != nullptr && tid == blockDim.x - 1) sums[blockIdx.x] = temp[tid];
}

__global__ void add_sums(int* out, const int* sums, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += sums[blockIdx.x - 1];
}

// scan the blocks, scan their sums, add to each block the sum of those before it
void scan(const int* in, int* out, int n, int block)
{
    int blocks = (n + block - 1) / block;
    int shared = block * sizeof(int);
    int *sums, *scanned;
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMalloc(&scanned, blocks * sizeof(int));

    scan_blocks<<<blocks, block, shared>>>(in, out, sums, n);
    scan_blocks<<<1, block, shared>>>(sums, scanned, nullptr, blocks);
    add_sums<<<blocks, block>>>(out, scanned, n);

    cudaFree(sums);
    cudaFree(scanned);
}

// lanescope: program = scan
// lanescope: title = Scan of many blocks: three launches
// lanescope: family = scan
// lanescope: order = 170
// lanescope: summary = One launch scans the blocks, one scans their sums, one adds to each block the sum of those before it.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, scan algorithm: the top-level strategy; Lecture 9 scans each block "without propagating the result further in the array"
// lanescope: words = "Similar to the global reduction, the top-level strategy is: perform local scan within each block; add on sum of all preceding blocks."
// lanescope: words = "Why is this important? A key part of many sorting routines (quicksort: apply/partition; radix sort). Arises also in: sparse matrix-vector multiplication, minimum spanning tree construction, particle filter methods. Related to solving long recurrence equations (apply/recurrence). A good example that looks impossible to parallelise."
// lanescope: look = The second launch scans 36, 40, 36, 40, what the four blocks of the first have left, to 36, 76, 112, 152. The 152 is hatched: no block comes after the last.
// lanescope: look = In the third launch block 0 touches no memory, and Passes says so; the other three each add one sum, 36, 76 or 112, to four elements.
// lanescope: look = lanescope trace with --block 32 --n 512 counts 141 sectors loaded and 142 stored in all launches: the array about twice each way. scan/look-back gets by with 67 and 72.
// lanescope: reading = Mark Harris, Shubhabrata Sengupta and John D. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, chapter 39, 2007, "Arrays of Arbitrary Size"
// lanescope: reading = David Kirk, Wen-mei Hwu and Izzat El Hajj, "Programming Massively Parallel Processors", 4th edition, chapter 11: Prefix sum (scan), 2022
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: arg n = n
// lanescope: arg block = block
// lanescope: grid = ceil(n / block)
// lanescope: block = 4
// lanescope: block rule = 2 to 1024
// lanescope: n limit = block * block
// lanescope: n reason = The sums of the blocks are scanned by one block.
// lanescope: n = 16
// lanescope: input = lecture-scan
// lanescope: oracle = inclusive-scan
// lanescope: output = out
// lanescope: elements = in, out, sums, temp, left
