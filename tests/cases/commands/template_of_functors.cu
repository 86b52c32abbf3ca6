// A number cannot replace the functor as a template argument.
template <class Op>
__global__ void apply(float* values, Op op) {
    values[threadIdx.x] = op(values[threadIdx.x]);
}
