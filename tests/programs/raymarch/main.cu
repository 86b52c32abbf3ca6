// Ray marching of a signed distance field: two spheres above a plane, shaded in characters.
#include <cmath>
#include <iostream>
#include <string>
#include <vector>

#include "vec3.h"

struct Sphere {
    vec3 center;
    float radius;
};
struct Scene {
    Sphere spheres[2];
    float floor;
};
__constant__ Scene c_scene;

HD float distance_to(const Scene& scene, vec3 p) {
    float nearest = p.y - scene.floor;
    for (const Sphere& sphere : scene.spheres) nearest = fminf(nearest, length(p - sphere.center) - sphere.radius);
    return nearest;
}

HD unsigned char shade(const Scene& scene, vec3 from, vec3 direction) {
    float t = 0;
    for (int step = 0; step < 64; ++step) {
        const vec3 p = from + direction * t;
        const float d = distance_to(scene, p);
        if (d < 0.01f) {
            const float e = 0.01f;
            const vec3 normal = normalize(vec3(distance_to(scene, p + vec3(e, 0, 0)) - d,
                                               distance_to(scene, p + vec3(0, e, 0)) - d,
                                               distance_to(scene, p + vec3(0, 0, e)) - d));
            const float light = dot(normal, normalize(vec3(-0.6f, 1.0f, -0.8f)));
            return static_cast<unsigned char>(1 + 6 * fmaxf(light, 0.0f));
        }
        t += d;
        if (t > 20) break;
    }
    return 0;
}

HD vec3 ray_of(int x, int y, int width, int height) {
    return normalize(vec3((x + 0.5f - width / 2) / width * 2, (height / 2 - y - 0.5f) / height * 1.2f, 1.5f));
}

__global__ void render(unsigned char* picture, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        picture[y * width + x] = shade(c_scene, vec3(0, 0, -4), ray_of(x, y, width, height));
}

int main() {
    const int width = 64, height = 24;
    Scene scene;
    scene.spheres[0] = {vec3(-0.9f, 0.0f, 0.5f), 0.9f};
    scene.spheres[1] = {vec3(1.1f, -0.3f, 0.0f), 0.6f};
    scene.floor = -1.1f;
    cudaMemcpyToSymbol(c_scene, &scene, sizeof(Scene));
    unsigned char* d_picture;
    cudaMalloc(&d_picture, width * height);
    render<<<dim3(width / 16, height / 8), dim3(16, 8)>>>(d_picture, width, height);
    std::vector<unsigned char> picture(width * height);
    cudaMemcpy(picture.data(), d_picture, picture.size(), cudaMemcpyDeviceToHost);
    cudaFree(d_picture);

    int differ = 0, covered = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const unsigned char expected = shade(scene, vec3(0, 0, -4), ray_of(x, y, width, height));
            const unsigned char got = picture[y * width + x];
            differ += std::abs(int(expected) - int(got)) > 1;
            covered += got != 0;
        }
    // a coarse view of it: every pixel of a shape, not its exact tone, which hangs on the last bit of a square root
    for (int y = 1; y < height; y += 3) {
        for (int x = 0; x < width; x += 2) std::cout << (picture[y * width + x] > 1 ? '#' : '.');
        std::cout << '\n';
    }
    std::cout << (covered > width * height / 3 && covered < width * height ? "covered in part" : "NOTHING") << ", "
              << (differ <= width * height / 100 ? "as on the CPU" : "NOT AS ON THE CPU") << '\n';
    return differ > width * height / 100;
}
