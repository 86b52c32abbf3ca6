// All shortest paths, one launch a vertex; the distances come from a file of edges beside the program.
#include <climits>
#include <cstdio>
#include <cstring>
#include <vector>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
enum { INFINITE = INT_MAX / 2 };

__global__ void relax(int *dist, int *via, int n, int k)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.y;
    if (j >= n) return;
    const int through = dist[i * n + k] + dist[k * n + j];
    if (through < dist[i * n + j]) {
        dist[i * n + j] = through;
        via[i * n + j] = k;
    }
}

static void print_path(const std::vector<int> &via, int n, int from, int to)
{
    const int k = via[from * n + to];
    if (k < 0) {
        printf(" %d", to);
        return;
    }
    print_path(via, n, from, k);
    print_path(via, n, k, to);
}

int main(int argc, char **argv)
{
    FILE *file = fopen(argc > 1 ? argv[1] : "roads.txt", "r");
    if (file == NULL) {
        perror("roads");
        return 1;
    }
    int n = 0, a, b, length;
    if (fscanf(file, "%d", &n) != 1) return 1;
    std::vector<int> dist(n * n, INFINITE), via(n * n, -1);
    for (int i = 0; i < n; i++) dist[i * n + i] = 0;
    while (fscanf(file, "%d %d %d", &a, &b, &length) == 3) dist[a * n + b] = dist[b * n + a] = length;
    fclose(file);
    std::vector<int> expected = dist;

    int *d_dist, *d_via;
    const size_t bytes = n * n * sizeof(int);
    cudaMalloc(&d_dist, bytes);
    cudaMalloc(&d_via, bytes);
    cudaMemcpy(d_dist, dist.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_via, via.data(), bytes, cudaMemcpyHostToDevice);
    const dim3 grid((n + 31) / 32, n);
    for (int k = 0; k < n; k++) relax<<<grid, 32>>>(d_dist, d_via, n, k);
    cudaMemcpy(dist.data(), d_dist, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(via.data(), d_via, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_dist);
    cudaFree(d_via);

    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                expected[i * n + j] = MIN(expected[i * n + j], expected[i * n + k] + expected[k * n + j]);
    printf("from 0 to %d: %d by 0", n - 1, dist[n - 1]);
    print_path(via, n, 0, n - 1);
    printf("\n%s\n", memcmp(dist.data(), expected.data(), bytes) == 0 ? "PASSED" : "FAILED");
    return dist == expected ? 0 : 1;
}
