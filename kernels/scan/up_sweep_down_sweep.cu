__global__ void scan(const int* in, int* out)
{
    extern __shared__ int temp[];

    int t = threadIdx.x;
    int size = 2 * blockDim.x;
    int first = blockIdx.x * size;
    temp[t] = in[first + t];
    temp[t + blockDim.x] = in[first + t + blockDim.x];

    // up-sweep: a tree of sums; each right child takes in its left one
    for (int stride = 1; stride < size; stride *= 2) {
        __syncthreads();
        int right = (t + 1) * stride * 2 - 1;
        if (right < size)
            temp[right] += temp[right - stride];
    }

    // the root gives way to the sum of nothing
    if (t == 0) temp[size - 1] = 0;

    // down-sweep: a left child gets what its parent had, a right child that and the left one's sum
    for (int stride = size / 2; stride > 0; stride /= 2) {
        __syncthreads();
        int right = (t + 1) * stride * 2 - 1;
        if (right < size) {
            int left = temp[right - stride];
            temp[right - stride] = temp[right];
            temp[right] += left;
        }
    }

    __syncthreads();
    out[first + t] = temp[t];
    out[first + t + blockDim.x] = temp[t + blockDim.x];
}

// lanescope: title = Scan 5: exclusive, up-sweep and down-sweep
// lanescope: family = scan
// lanescope: order = 140
// lanescope: summary = Up the tree go sums; down it goes, to each element, the sum of everything to its left.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, local scan: version 2 (similar to code by Mark Harris, after Guy Blelloch)
// lanescope: words = "Similar to binary tree summation but with both downward and upward passes. O(N) operations so slightly more efficient."
// lanescope: words = "Not very easy to follow, maybe best to go through the example above to check it's doing the right thing": 4 2 1 3 2 6 5 1 becomes 0 4 6 7 10 12 18 23.
// lanescope: words = The textbooks count 2 (N - 1) additions and N - 1 swaps. Of these additions log2 N add to the 0 that the root became, and log2 N make sums that nobody needs, the root's among them: 2 (N - 1 - log2 N) remain in the results.
// lanescope: look = Follow the last column: 1, 6, 14, then in pass 3 the sum of all, 24, and at once 0 in its place. From there on every pass hands something down.
// lanescope: look = In passes 4 to 6 (1, 2 and 4 lanes), dotted lines are copies and solid ones additions: each pair swaps, and its right cell adds; not at the left edge, where only a 0 comes down.
// lanescope: look = What is hatched in column 7 goes into the root alone, and the root is thrown away: Counts has 11 ops and 8 work. Click 23, the last result: every input lies behind it but the last.
// lanescope: reading = Guy Blelloch, "Prefix Sums and Their Applications", Carnegie Mellon University, CMU-CS-90-190, 1990
// lanescope: reading = Mark Harris, Shubhabrata Sengupta and John D. Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, chapter 39, 2007, "A Work-Efficient Parallel Scan"
// lanescope: arg in = input(n, 2 * block * grid)
// lanescope: arg out = zeros(2 * block * grid)
// lanescope: grid = ceil(n / (2 * block))
// lanescope: block = 4
// lanescope: block rule = power of two, 1 to 1024
// lanescope: block reason = The tree has two elements a thread, and every one of its levels has to be full.
// lanescope: shared = 2 * block * sizeof(int)
// lanescope: n = 8
// lanescope: input = blelloch
// lanescope: oracle = exclusive-scan-by-block(2 * block)
// lanescope: output = out
// lanescope: elements = in, out, temp, left
// lanescope: work = 2 * (n - grid * (1 + log2(2 * block)))
