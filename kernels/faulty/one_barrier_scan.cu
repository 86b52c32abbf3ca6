__global__ void scan(float* d_sum, const float* d_data)
{
    extern __shared__ float temp[];

    int tid = threadIdx.x;
    int idx = tid + blockIdx.x * blockDim.x;
    temp[tid] = d_data[idx];

    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        if (tid >= d)
            temp[tid] += temp[tid - d];
    }

    d_sum[idx] = temp[tid];
}

// lanescope: title = Faulty: a scan in place with one barrier
// lanescope: family = faulty
// lanescope: order = 320
// lanescope: summary = One thread writes the element that another still has to read: without a second barrier or a second buffer the sums depend on who is faster.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, local scan: version 1, what its note warns of
// lanescope: words = "Both __syncthreads() are needed." The sound twins are scan/in-place, with two barriers, and scan/double-buffered, with two buffers.
// lanescope: words = A block of one warp comes out right as long as its lanes move together; larger blocks need not.
// lanescope: look = Click the mark at cell 1 of pass 1: thread 1 writes 10 there, while thread 2 still needs the 4 of before. If thread 1 were first, cell 2 would be 26, not 20.
// lanescope: look = Findings counts 10 such races, all in line 12. With Block 64 and N 64 there are 258, and still the sums come out right in the emulator: no proof of anything.
// lanescope: look = scan/in-place shows the same values in every row, without a finding. The second barrier and temp2 cost it 146 instructions in Counts instead of 122.
// lanescope: reading = Dong Li and Tonghua Su, Lec 6 Reduction and Scan: local scan: version 1
// lanescope: reading = Mark Harris, Shubhabrata Sengupta and John D. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, chapter 39, 2007, "A Naive Parallel Scan", on why it takes two buffers
// lanescope: reading = NVIDIA, compute-sanitizer, its documentation: "Racecheck"
// lanescope: arg d_sum = zeros(grid * block)
// lanescope: arg d_data = input(n, grid * block)
// lanescope: grid = ceil(n / block)
// lanescope: block = 8
// lanescope: block rule = 3 to 1024
// lanescope: block reason = With two threads no one writes what another reads.
// lanescope: shared = block * sizeof(float)
// lanescope: n = 8
// lanescope: input = lecture-scan
// lanescope: oracle = inclusive-scan-by-block
// lanescope: output = d_sum
// lanescope: fault = race
