__global__ void dot(const float* a, const float* b, float* out, int n)
{
    extern __shared__ float sdata[];

    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? a[i] * b[i] : 0;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Dot product
// lanescope: family = apply
// lanescope: order = 200
// lanescope: summary = The products of two vectors, element by element, and the sum of each block's.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, Reduction
// lanescope: words = "Computing a vector dot product in a CG (conjugate gradient) or GMRES iteration."
// lanescope: look = The load row of Passes is the products, 24, 8, 112, 30, ...: each is made of one element of a and one of b. From pass 1 on it is the tree of a sum, to 128.
// lanescope: look = In Counts the load pass has 8 multiplications and 2 sectors, one of each vector: twice the memory of a sum for as many elements. The tree adds 4, 2 and 1 times; work is 15.
// lanescope: reading = Jason Sanders and Edward Kandrot, CUDA by Example, Addison-Wesley, 2010, chapter 5, Thread Cooperation: Dot Product
// lanescope: reading = Nathan Whitehead and Alex Fit-Florea, Precision and Performance: Floating Point and IEEE 754 Compliance for NVIDIA GPUs, NVIDIA, 2011
// lanescope: reading = Takeshi Ogita, Siegfried M. Rump and Shin'ichi Oishi, Accurate Sum and Dot Product, SIAM Journal on Scientific Computing 26(6), 2005
// lanescope: arg a = input(n)
// lanescope: arg b = input(n) as random 3
// lanescope: arg out = zeros(grid)
// lanescope: arg n = n
// lanescope: grid = ceil(n / block)
// lanescope: block = 8
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = In each step the lower half of the block adds the upper half; an odd number of elements would leave one out.
// lanescope: shared = block * sizeof(float)
// lanescope: n = 8
// lanescope: input = lecture-scan
// lanescope: oracle = block-dot-product
// lanescope: output = out
// lanescope: elements = a, b, out, sdata
