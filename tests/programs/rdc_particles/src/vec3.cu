#include "vec3.h"

__host__ __device__ Vec3::Vec3(float x, float y, float z) : x(x), y(y), z(z) {}
__host__ __device__ Vec3& Vec3::operator+=(const Vec3& other) {
    x += other.x;
    y += other.y;
    z += other.z;
    return *this;
}
__host__ __device__ Vec3 Vec3::operator*(float by) const { return Vec3(x * by, y * by, z * by); }
__host__ __device__ bool Vec3::operator==(const Vec3& other) const {
    return x == other.x && y == other.y && z == other.z;
}
