// A row of n classes for each of n samples: the first guess, n elements, is too small.
__global__ void softmax(const float* scores, float* shares, int samples, int classes) {
    int sample = blockIdx.x * blockDim.x + threadIdx.x;
    if (sample >= samples) return;
    const float* row = scores + sample * classes;
    float most = row[0];
    for (int c = 1; c < classes; ++c) most = fmaxf(most, row[c]);
    float sum = 0;
    for (int c = 0; c < classes; ++c) sum += expf(row[c] - most);
    for (int c = 0; c < classes; ++c) shares[sample * classes + c] = expf(row[c] - most) / sum;
}
