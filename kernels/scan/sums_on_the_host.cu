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
    if (tid == blockDim.x - 1) sums[blockIdx.x] = temp[tid];
}

__global__ void add_before(int* out, const int* before, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += before[blockIdx.x];
}

// the host scans the partial sums, between two launches
void scan(const int* in, int* out, int n, int block)
{
    int blocks = (n + block - 1) / block;
    int* sums;
    cudaMalloc(&sums, blocks * sizeof(int));
    scan_blocks<<<blocks, block, block * sizeof(int)>>>(in, out, sums, n);

    int* partial = new int[blocks];
    cudaMemcpy(partial, sums, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    int before = 0;
    for (int b = 0; b < blocks; ++b) {
        int sum = partial[b];
        partial[b] = before;
        before += sum;
    }
    cudaMemcpy(sums, partial, blocks * sizeof(int), cudaMemcpyHostToDevice);

    add_before<<<blocks, block>>>(out, sums, n);
    cudaFree(sums);
    delete[] partial;
}

// lanescope: program = scan
// lanescope: title = Scan of many blocks: the host scans the sums
// lanescope: family = scan
// lanescope: order = 180
// lanescope: summary = Between two launches the host makes an exclusive scan of the blocks' sums, which the second launch adds.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, global scan: version 1
// lanescope: words = "Use one kernel to do local scan and compute partial sum for each block. Use host code to perform a scan of the partial sums. Use another kernel to add sums of preceding blocks."
// lanescope: look = Memory at the start of the second launch: sums is 0, 36, 76, 112. The blocks had left 36, 40, 36, 40; in between the host has scanned them, and copied them back in line 42.
// lanescope: look = The second launch is a single pass: block 2 adds its 76 to 6, 10, 26, 36 and gets 82, 86, 102, 112. All four lanes read the same word of sums.
// lanescope: look = Counts of block 0 in the second launch: 4 ops and 3 sectors, to add a 0 to each element. In scan/three-launches block 0 touches no memory there.
// lanescope: reading = Dong Li and Tonghua Su, Lec 6 Reduction and Scan: global scan: version 1
// lanescope: reading = NVIDIA, CUDA C++ Best Practices Guide: "Data Transfer Between Host and Device"
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: arg n = n
// lanescope: arg block = block
// lanescope: grid = ceil(n / block)
// lanescope: block = 4
// lanescope: block rule = 2 to 1024
// lanescope: n = 16
// lanescope: input = lecture-scan
// lanescope: oracle = inclusive-scan
// lanescope: output = out
// lanescope: elements = in, out, sums, temp, left, partial, before, sum
