#include "noise.cuh"

__device__ float clamp_height(float h) { return h > 1.0f ? 1.0f : h; }
