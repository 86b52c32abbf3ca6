__global__ void maximum(const int* in, int* out, int n)
{
    extern __shared__ int sdata[];

    // a thread without an element of its own takes the last one, which changes no maximum
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = in[min(i, n - 1)];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] = max(sdata[tid], sdata[tid + s]);
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}

// lanescope: title = Reduction: the maximum
// lanescope: family = reduce
// lanescope: order = 48
// lanescope: summary = The same tree with another operator: any that is associative and commutative will do.
// lanescope: lecture = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, Concept: Reduction
// lanescope: words = "Key requirements for a reduction operator are: binary operator, commutative, associative. Together, they mean that the elements can be re-arranged and combined in any order."
// lanescope: words = "Other common reduction operations are to compute a minimum or maximum."
// lanescope: words = The lectures name more of the kind: ADD, MUL, AND, OR; averages in Monte Carlo simulation, the RMS change of an iterative solver (apply/root-mean-square), dot products in CG and GMRES (apply/dot-product). Their quiz asks for multiplication, which is one, and division, which is not: it is neither commutative nor associative.
// lanescope: look = Follow the 11 through Passes: it starts as element 13, wins at element 5 in pass 1, at element 1 in passes 2 and 3, and stands at element 0 after pass 4.
// lanescope: look = Point at that last 11: not only the element that won lights up but all 16 inputs, since each was compared on the way.
// lanescope: look = Set N to 11 and look at the load row: elements 11 to 15 hold the 2 of element 10 again. It changes no maximum, and needs no number that is less than all others.
// lanescope: reading = David B. Kirk, Wen-mei W. Hwu and Izzat El Hajj, Programming Massively Parallel Processors, 4th edition, 2022, chapter 10, Reduction: Reduction Trees
// lanescope: reading = Dong Li and Tonghua Su, Lec 6 Reduction and Scan, Concept: Reduction
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(grid)
// lanescope: arg n = n
// lanescope: grid = ceil(n / block)
// lanescope: block = 16
// lanescope: block rule = power of two, 2 to 1024
// lanescope: block reason = In each step the lower half of the block meets the upper half; an odd number of elements would leave one out.
// lanescope: shared = block * sizeof(int)
// lanescope: n = 16
// lanescope: input = classic
// lanescope: oracle = block-max
// lanescope: output = out
// lanescope: elements = in, out, sdata
// lanescope: span = log2(block)
