/* Finds every place of several patterns in the text on standard input. The patterns are the arguments. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PATTERN 32
#define MAX_MATCHES 64

__constant__ char pattern[MAX_PATTERN];
__constant__ int pattern_length;

struct matches {
    int count;
    int where[MAX_MATCHES];
};

__global__ void search(const char *text, int length, struct matches *found)
{
    int start = blockIdx.x * blockDim.x + threadIdx.x;
    if (start + pattern_length > length) return;
    for (int i = 0; i < pattern_length; i++)
        if (pattern[i] != '?' && pattern[i] != text[start + i]) return;
    int slot = atomicAdd(&found->count, 1);
    if (slot < MAX_MATCHES) found->where[slot] = start;
}

static int compare_ints(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static int count_on_host(const char *text, const char *p)
{
    int count = 0, m = (int)strlen(p);
    for (int i = 0; i + m <= (int)strlen(text); i++) {
        int j = 0;
        while (j < m && (p[j] == '?' || p[j] == text[i + j])) j++;
        count += j == m;
    }
    return count;
}

int main(int argc, char *argv[])
{
    static char text[4096];
    int length = (int)fread(text, 1, sizeof(text) - 1, stdin);
    if (argc < 2 || length == 0) {
        fprintf(stderr, "usage: %s pattern... < text\n", argv[0]);
        return 1;
    }

    char *d_text;
    struct matches *d_found, found;
    cudaMalloc((void **)&d_text, length);
    cudaMalloc((void **)&d_found, sizeof(struct matches));
    cudaMemcpy(d_text, text, length, cudaMemcpyHostToDevice);

    int status = 0;
    for (int i = 1; i < argc; i++) {
        int m = (int)strlen(argv[i]);
        if (m == 0 || m > MAX_PATTERN) continue;
        cudaMemcpyToSymbol(pattern, argv[i], m);
        cudaMemcpyToSymbol(pattern_length, &m, sizeof(int));
        cudaMemset(d_found, 0, sizeof(struct matches));
        search<<<(length + 63) / 64, 64>>>(d_text, length, d_found);
        cudaMemcpy(&found, d_found, sizeof(found), cudaMemcpyDeviceToHost);
        qsort(found.where, found.count, sizeof(int), compare_ints);
        printf("\"%s\":", argv[i]);
        for (int k = 0; k < found.count; k++) printf(" %d", found.where[k]);
        printf(" (%d)\n", found.count);
        if (found.count != count_on_host(text, argv[i])) status = 1;
    }
    cudaFree(d_text);
    cudaFree(d_found);
    puts(status ? "MISMATCH" : "ok");
    return status;
}
