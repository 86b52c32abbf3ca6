// A particle in a box: it bounces off the walls.
#pragma once

#include "vec3.h"

class Particle {
  public:
    __host__ __device__ Particle(const Vec3& position = Vec3(), const Vec3& velocity = Vec3());
    __host__ __device__ void advance(float dt);
    __host__ __device__ const Vec3& position() const;

  private:
    Vec3 position_, velocity_;
};
