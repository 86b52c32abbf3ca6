// No number can stand for the functor.
template <class Op>
__global__ void apply(float* values, Op op) {
    values[threadIdx.x] = op(values[threadIdx.x]);
}
