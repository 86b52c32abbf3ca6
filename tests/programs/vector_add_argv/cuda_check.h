// Is a CUDA call's result an error? Then it is printed with its place, and the program ends.
#ifndef CUDA_CHECK_H
#define CUDA_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#define CUDA_CHECK(call)                                                                               \
    do {                                                                                               \
        const cudaError_t error_ = (call);                                                             \
        if (error_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_)); \
            exit(EXIT_FAILURE);                                                                        \
        }                                                                                              \
    } while (0)

#define CUDA_CHECK_LAUNCH()                  \
    do {                                     \
        CUDA_CHECK(cudaGetLastError());      \
        CUDA_CHECK(cudaDeviceSynchronize()); \
    } while (0)

#endif
