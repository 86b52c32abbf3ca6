__global__ void partition(const int* in, int* out, int n)
{
    extern __shared__ int position[];

    // the first element is the pivot: which ones are less?
    int tid = threadIdx.x;
    int pivot = in[0];
    int value = tid < n ? in[tid] : 0;
    int less = tid < n && value < pivot;
    position[tid] = less;

    // a scan counts those up to and with each element
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? position[tid - d] : 0;
        __syncthreads();
        position[tid] += left;
    }
    __syncthreads();

    // the smaller ones go to the front, the others behind them, both in their order
    int smaller = position[blockDim.x - 1];
    if (tid < n) out[less ? position[tid] - 1 : smaller + tid - position[tid]] = value;
}

// lanescope: title = Partition, a step of quicksort
// lanescope: family = apply
// lanescope: order = 220
// lanescope: summary = A scan of flags tells each element where it goes: those less than the first element to the front, the others behind them.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, scan operation in quicksort
// lanescope: words = "Pick a pivot element. Partition all the data into: the elements less than the pivot (scan operation), the pivot, the elements greater than the pivot (scan operation). Recursively sort A and C."
// lanescope: words = The arcs from input to output are copies; the scan decides where they end, by the address.
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: arg n = n
// lanescope: grid = 1
// lanescope: block = 16
// lanescope: block rule = 2 to 1024
// lanescope: n limit = block
// lanescope: n reason = One block sorts out as many elements as it has threads.
// lanescope: shared = block * sizeof(int)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = partition
// lanescope: output = out
// lanescope: elements = in, out, pivot, value
