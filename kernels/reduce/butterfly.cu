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
