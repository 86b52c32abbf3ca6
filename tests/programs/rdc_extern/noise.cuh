#pragma once

extern __constant__ int octaves;
extern __device__ int calls;

extern __device__ float noise(int x, int y);
__device__ float clamp_height(float h);

void set_octaves(int n);
float noise_on_host(int x, int y);
