// Vectors of three floats, for host and device.
#pragma once

#include <cmath>

#ifdef __CUDACC__
#define HD __host__ __device__ inline
#else
#define HD inline
#endif

struct vec3 {
    float x, y, z;
    vec3() = default;
    HD vec3(float x, float y, float z) : x(x), y(y), z(z) {}
};

HD vec3 operator+(vec3 a, vec3 b) { return vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
HD vec3 operator-(vec3 a, vec3 b) { return vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
HD vec3 operator*(vec3 a, float s) { return vec3(a.x * s, a.y * s, a.z * s); }
HD float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
HD float length(vec3 a) { return sqrtf(dot(a, a)); }
HD vec3 normalize(vec3 a) { return a * (1.0f / length(a)); }
