// A vector whose functions are compiled in a file of their own.
#pragma once

struct Vec3 {
    float x, y, z;
    __host__ __device__ Vec3(float x = 0, float y = 0, float z = 0);
    __host__ __device__ Vec3& operator+=(const Vec3& other);
    __host__ __device__ Vec3 operator*(float by) const;
    __host__ __device__ bool operator==(const Vec3& other) const;
};
