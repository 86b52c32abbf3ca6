__global__ void scan(float* d_sum, const float* d_data)
{
    extern __shared__ float temp[];

    int tid = threadIdx.x;
    int idx = tid + blockIdx.x * blockDim.x;
    temp[tid] = d_data[idx];

    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        float temp2 = (tid >= d) ? temp[tid - d] : 0;
        __syncthreads();
        temp[tid] += temp2;
    }

    d_sum[idx] = temp[tid];
}

// lanescope: title = Scan 2: in place, two barriers
// lanescope: family = scan
// lanescope: order = 110
// lanescope: summary = One buffer is enough where everybody has read before anybody writes: that takes a second barrier in each step.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, local scan: version 1 (code due to Oswaldo Cadenas)
// lanescope: words = "Much simpler than version 2. At most only 40% slower. Increment is set to zero if no element to the left. Both __syncthreads() are needed."
// lanescope: words = "After n passes, each sum has local plus preceding 2^n - 1 values. log2 N passes, and O(N) operations per pass: O(N log N) operations in total."
// lanescope: words = The slide prints the loop's last part as d <= 1, which never advances it: d <<= 1 is meant. It says 2^(n-1) preceding values; after n passes it is 2^n - 1. Without the second barrier it is faulty/one-barrier-scan.
// lanescope: look = Passes 1 to 3 have 7, 6 and 4 additions, and yet 8 of 8 lanes at work: those below d read nothing, add 0 and write back what was there, dotted.
// lanescope: look = Go through pass 2 with Right, Memory beside it: all lanes take their temp2 first, and only behind the second barrier does temp change. Once every lane has read, one array is enough.
// lanescope: look = With Block 256 and N 256, no pass has a bank conflict: neighbours read neighbours, however large d is.
// lanescope: reading = Dong Li and Tonghua Su, Lec 6 Reduction and Scan: local scan: version 1
// lanescope: reading = Daniel Hillis and Guy Steele, "Data Parallel Algorithms", Communications of the ACM 29(12), 1986
// lanescope: reading = NVIDIA, CUDA C++ Programming Guide: "Synchronization Functions"
// lanescope: arg d_sum = zeros(grid * block)
// lanescope: arg d_data = input(n, grid * block)
// lanescope: grid = ceil(n / block)
// lanescope: block = 8
// lanescope: block rule = 2 to 1024
// lanescope: shared = block * sizeof(float)
// lanescope: n = 8
// lanescope: input = lecture-scan
// lanescope: oracle = inclusive-scan-by-block
// lanescope: output = d_sum
// lanescope: elements = d_sum, d_data, temp, temp2
// lanescope: work = n * log2(block) - grid * (block - 1)
// lanescope: span = log2(block)
