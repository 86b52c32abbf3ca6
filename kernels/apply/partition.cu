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
// lanescope: look = The load row of Passes is flags: 0 for the 10 and the 11, which are not less than the pivot 10, and 1 for the other 14. After pass 4 each flag has become a place, and position[15] is 14.
// lanescope: look = Step through the store pass with Memory in view: out[0] to out[13] get the smaller ones in their order, the 10 goes to out[14] and the 11 to out[15].
// lanescope: look = Counts has no work, though the scan adds in four passes with every lane useful: its sums reach the output as addresses, never as values.
// lanescope: reading = Guy E. Blelloch, Prefix Sums and Their Applications, CMU-CS-90-190, 1990: quicksort by segmented scans
// lanescope: reading = Mark Harris, Shubhabrata Sengupta and John D. Owens, Parallel Prefix Sum (Scan) with CUDA, GPU Gems 3, chapter 39, 2007: Stream Compaction
// lanescope: reading = Daniel Cederman and Philippas Tsigas, GPU-Quicksort: A Practical Quicksort Algorithm for Graphics Processors, ACM Journal of Experimental Algorithmics 14, 2009
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
