#include "particle.h"

__host__ __device__ Particle::Particle(const Vec3& position, const Vec3& velocity)
    : position_(position), velocity_(velocity) {}

static __host__ __device__ void bounce(float& x, float& v) {
    if (x < 0) {
        x = -x;
        v = -v;
    } else if (x > 10) {
        x = 20 - x;
        v = -v;
    }
}

__host__ __device__ void Particle::advance(float dt) {
    position_ += velocity_ * dt;
    bounce(position_.x, velocity_.x);
    bounce(position_.y, velocity_.y);
    bounce(position_.z, velocity_.z);
}

__host__ __device__ const Vec3& Particle::position() const { return position_; }
