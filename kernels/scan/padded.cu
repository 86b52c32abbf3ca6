#define LOG_NUM_BANKS 5
#define CONFLICT_FREE_OFFSET(i) ((i) >> LOG_NUM_BANKS)
#define PADDED(i) ((i) + CONFLICT_FREE_OFFSET(i))

__global__ void scan(const int* in, int* out)
{
    extern __shared__ int temp[];

    int t = threadIdx.x;
    int size = 2 * blockDim.x;
    int first = blockIdx.x * size;
    temp[PADDED(t)] = in[first + t];
    temp[PADDED(t + blockDim.x)] = in[first + t + blockDim.x];

    // up-sweep
    for (int stride = 1; stride < size; stride *= 2) {
        __syncthreads();
        int right = (t + 1) * stride * 2 - 1;
        if (right < size)
            temp[PADDED(right)] += temp[PADDED(right - stride)];
    }

    if (t == 0) temp[PADDED(size - 1)] = 0;

    // down-sweep
    for (int stride = size / 2; stride > 0; stride /= 2) {
        __syncthreads();
        int right = (t + 1) * stride * 2 - 1;
        if (right < size) {
            int left = temp[PADDED(right - stride)];
            temp[PADDED(right - stride)] = temp[PADDED(right)];
            temp[PADDED(right)] += left;
        }
    }

    __syncthreads();
    out[first + t] = temp[PADDED(t)];
    out[first + t + blockDim.x] = temp[PADDED(t + blockDim.x)];
}

// lanescope: title = Scan 6: exclusive, padded against bank conflicts
// lanescope: family = scan
// lanescope: order = 150
// lanescope: summary = One unused word after every 32 moves the elements that the sweeps touch together into different banks.
// lanescope: lecture = What Lec 6 Reduction and Scan, local scan: version 2, points to (Mark Harris; CUDA samples): the same sweeps with CONFLICT_FREE_OFFSET
// lanescope: words = Strides of 2, 4, 8, ... words fall into 16, 8, 4, ... banks. With an offset of i / 32 the elements of one step spread over the banks again.
// lanescope: look = Column 32 of Passes stays empty in all rows: this is the word of padding. In Memory temp[32] stays hatched to the end, as nobody ever writes it.
// lanescope: look = Banks in pass 5, stride = 16 on the way up: threads 0 and 1 take words 31 and 64, banks 31 and 0, one wavefront. In Scan 5 with Block 32 and N 64 these are words 31 and 63 of the same bank: two.
// lanescope: look = Counts: 32 wavefronts to load where Scan 5 needs 57 in this launch, for 621 instructions instead of 516. With Block 256 and N 512 it is 116 against 491.
// lanescope: reading = Mark Harris, Shubhabrata Sengupta and John D. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, chapter 39, 2007, "Avoiding Bank Conflicts"
// lanescope: reading = NVIDIA, CUDA C++ Best Practices Guide: "Shared Memory and Memory Banks"
// lanescope: arg in = input(n, 2 * block * grid)
// lanescope: arg out = zeros(2 * block * grid)
// lanescope: grid = ceil(n / (2 * block))
// lanescope: block = 32
// lanescope: block rule = power of two, 1 to 1024
// lanescope: block reason = The tree has two elements a thread, and every one of its levels has to be full.
// lanescope: shared = (2 * block + 2 * block / 32) * sizeof(int)
// lanescope: n = 64
// lanescope: input = blelloch
// lanescope: oracle = exclusive-scan-by-block(2 * block)
// lanescope: output = out
// lanescope: elements = in, out, temp, left
// lanescope: work = 2 * (n - grid * (1 + log2(2 * block)))
