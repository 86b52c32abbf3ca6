__global__ void rms_change(const float* u_new, const float* u_old, float* rms, int n)
{
    extern __shared__ float sdata[];

    // each thread sums the squares of its changes
    int tid = threadIdx.x;
    sdata[tid] = 0;
    for (int i = tid; i < n; i += blockDim.x) {
        float change = u_new[i] - u_old[i];
        sdata[tid] += change * change;
    }
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) *rms = sqrtf(sdata[0] / n);
}

// lanescope: title = Root mean square change
// lanescope: family = apply
// lanescope: order = 210
// lanescope: summary = How far two iterates are apart: the square root of the mean of the squared differences, by one block.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, Reduction; Lab 4 asks for it in laplace3d
// lanescope: words = "Computing RMS (root mean square) change in finite difference computation or an iterative solver."
// lanescope: look = The load row of Passes is sums of squares, of two changes each. Counts has 40 operations there: 16 differences, 16 squares and 8 additions; the tree behind it has only 7.
// lanescope: look = After pass 3 sdata[0] is 749. In the store pass thread 0 alone divides it by 16 and takes the root, 6.841966, while the other lanes have nothing to do.
// lanescope: look = Switch to as compiled: the load pass has 32 operations for the 40, since a square and its addition become one instruction, and no wavefront to load: the sum stays in a register.
// lanescope: reading = James L. Blue, A Portable Fortran Program to Find the Euclidean Norm of a Vector, ACM Transactions on Mathematical Software 4(1), 1978
// lanescope: reading = Nicholas J. Higham, The Accuracy of Floating Point Summation, SIAM Journal on Scientific Computing 14(4), 1993
// lanescope: arg u_new = input(n)
// lanescope: arg u_old = input(n) as random 3
// lanescope: arg rms = zeros(1)
// lanescope: arg n = n
// lanescope: grid = 1
// lanescope: block = 8
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = In each step the lower half of the block adds the upper half; an odd number of elements would leave one out.
// lanescope: shared = block * sizeof(float)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = root-mean-square-change
// lanescope: output = rms
// lanescope: element reason = A root of whole numbers is seldom a whole number.
