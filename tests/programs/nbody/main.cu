// All-pairs n-body, tiles of bodies in shared memory, a step a launch. A two-body orbit is part of it.
#include <cmath>
#include <cstdio>
#include <vector>

#include "body_system.h"

#define SOFTENING 0.01f
#define TILE 64

__device__ float3 body_body(float3 a, float4 from, float4 to) {
    const float x = to.x - from.x, y = to.y - from.y, z = to.z - from.z;
    const float square = x * x + y * y + z * z + SOFTENING;
    const float inverse = 1.0f / sqrtf(square);
    const float s = to.w * inverse * inverse * inverse;
    a.x += x * s;
    a.y += y * s;
    a.z += z * s;
    return a;
}

__global__ void step(const float4* now, float4* next, float4* velocity, int n, float dt) {
    __shared__ float4 tile[TILE];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = i < n ? now[i] : make_float4(0, 0, 0, 0);
    float3 acceleration = make_float3(0, 0, 0);
    for (int start = 0; start < n; start += TILE) {
        tile[threadIdx.x] = start + threadIdx.x < n ? now[start + threadIdx.x] : make_float4(0, 0, 0, 0);
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < TILE; ++j) acceleration = body_body(acceleration, me, tile[j]);
        __syncthreads();
    }
    if (i >= n) return;
    float4 v = velocity[i];
    v.x += acceleration.x * dt;
    v.y += acceleration.y * dt;
    v.z += acceleration.z * dt;
    velocity[i] = v;
    next[i] = make_float4(me.x + v.x * dt, me.y + v.y * dt, me.z + v.z * dt, me.w);
}

void step_cpu(std::vector<float4>& p, std::vector<float4>& v, float dt) {
    const std::vector<float4> now = p;
    for (size_t i = 0; i < p.size(); ++i) {
        double ax = 0, ay = 0, az = 0;
        for (const float4& other : now) {
            const double x = other.x - now[i].x, y = other.y - now[i].y, z = other.z - now[i].z;
            const double square = x * x + y * y + z * z + SOFTENING;
            const double s = other.w / (square * std::sqrt(square));
            ax += x * s, ay += y * s, az += z * s;
        }
        v[i].x += float(ax) * dt, v[i].y += float(ay) * dt, v[i].z += float(az) * dt;
        p[i].x += v[i].x * dt, p[i].y += v[i].y * dt, p[i].z += v[i].z * dt;
    }
}

int main() {
    const int n = 150, steps = 10;
    const float dt = 0.01f;
    std::vector<float4> position, velocity;
    initial_shells(n, position, velocity);

    BodySystem bodies(position, velocity);
    for (int i = 0; i < steps; ++i) {
        step<<<(n + TILE - 1) / TILE, TILE>>>(bodies.read(), bodies.write(), bodies.velocity(), n, dt);
        bodies.flip();
    }
    const std::vector<float4> result = bodies.positions();
    for (int i = 0; i < steps; ++i) step_cpu(position, velocity, dt);

    float largest = 0, px = 0, mass = 0;
    for (int i = 0; i < n; ++i) {
        largest = std::fmax(largest, std::fabs(result[i].x - position[i].x));
        largest = std::fmax(largest, std::fabs(result[i].y - position[i].y));
        largest = std::fmax(largest, std::fabs(result[i].z - position[i].z));
        px += result[i].w * result[i].x;
        mass += result[i].w;
    }
    printf("%d bodies, %d steps\n", n, steps);
    printf("body 1 is at (%.2f, %.2f, %.2f)\n", result[1].x, result[1].y, result[1].z);
    printf("centre of mass x %.2f\n", px / mass);
    printf("%s\n", largest < 1e-3f ? "PASSED" : "FAILED");
    return largest < 1e-3f ? 0 : 1;
}
