// what a level sorts on its own: keys[begin] to keys[end - 1]; its first key is the pivot
struct Segment {
    int begin, end;
};

// how many keys are less than the pivot of their segment, and how many are equal to it
struct Count {
    int less, equal;
};

__device__ void scan(Count* temp)
{
    int tid = threadIdx.x;
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        Count left = tid >= d ? temp[tid - d] : Count{0, 0};
        __syncthreads();
        temp[tid].less += left.less;
        temp[tid].equal += left.equal;
    }
}

__global__ void count(const int* keys, const Segment* segments, Count* counts, Count* sums, int n)
{
    extern __shared__ Count temp[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    temp[tid] = {0, 0};
    if (i < n) {
        int pivot = keys[segments[i].begin];
        temp[tid] = {keys[i] < pivot, keys[i] == pivot};
    }
    scan(temp);

    if (i < n) counts[i] = temp[tid];
    if (tid == blockDim.x - 1) sums[blockIdx.x] = temp[tid];
}

__global__ void scan_sums(Count* sums, int blocks)
{
    extern __shared__ Count temp[];

    int tid = threadIdx.x;
    temp[tid] = tid < blocks ? sums[tid] : Count{0, 0};
    scan(temp);

    if (tid < blocks) sums[tid] = temp[tid];
}

// the counts of all elements up to i, in all blocks
__device__ Count up_to(int i, const Count* counts, const Count* sums)
{
    Count count;
    count.less = i < 0 ? 0 : counts[i].less;
    count.equal = i < 0 ? 0 : counts[i].equal;
    if (i >= (int)blockDim.x) {
        count.less += sums[i / blockDim.x - 1].less;
        count.equal += sums[i / blockDim.x - 1].equal;
    }
    return count;
}

// a segment becomes three: less than the pivot, equal to it, greater
__global__ void partition(const int* keys, const Segment* segments, const Count* counts,
                          const Count* sums, int* new_keys, Segment* new_segments,
                          int* unsorted, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;

    Segment s = segments[i];
    Count before = up_to(s.begin - 1, counts, sums);
    Count all = up_to(s.end - 1, counts, sums);
    Count left = up_to(i - 1, counts, sums);
    int less = left.less - before.less;
    int equal = left.equal - before.equal;
    int greater = i - s.begin - less - equal;

    int key = keys[i];
    int pivot = keys[s.begin];
    int first_equal = s.begin + all.less - before.less;
    int first_greater = first_equal + all.equal - before.equal;
    int to;
    if (key < pivot) {
        to = s.begin + less;
        s.end = first_equal;
    } else if (key == pivot) {
        to = first_equal + equal;
        s = {to, to + 1};
    } else {
        to = first_greater + greater;
        s.begin = first_greater;
    }

    new_keys[to] = key;
    new_segments[to] = s;
    if (s.end - s.begin > 1) atomicOr(unsorted, 1);
}

__global__ void one_segment(Segment* segments, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    segments[i].begin = 0;
    segments[i].end = n;
}

// a level partitions all segments at once; levels follow until every segment is one key
void quicksort(int* keys, int n, int block)
{
    int blocks = (n + block - 1) / block;
    int shared = block * sizeof(Count);
    int *new_keys, *unsorted;
    Segment *segments, *new_segments;
    Count *counts, *sums;
    cudaMalloc(&new_keys, n * sizeof(int));
    cudaMalloc(&unsorted, sizeof(int));
    cudaMalloc(&segments, n * sizeof(Segment));
    cudaMalloc(&new_segments, n * sizeof(Segment));
    cudaMalloc(&counts, n * sizeof(Count));
    cudaMalloc(&sums, blocks * sizeof(Count));

    one_segment<<<blocks, block>>>(segments, n);
    int more = n > 1;
    while (more) {
        cudaMemset(unsorted, 0, sizeof(int));
        count<<<blocks, block, shared>>>(keys, segments, counts, sums, n);
        scan_sums<<<1, block, shared>>>(sums, blocks);
        partition<<<blocks, block>>>(keys, segments, counts, sums, new_keys, new_segments,
                                     unsorted, n);
        cudaMemcpy(keys, new_keys, n * sizeof(int), cudaMemcpyDeviceToDevice);
        cudaMemcpy(segments, new_segments, n * sizeof(Segment), cudaMemcpyDeviceToDevice);
        cudaMemcpy(&more, unsorted, sizeof(int), cudaMemcpyDeviceToHost);
    }

    cudaFree(new_keys);
    cudaFree(unsorted);
    cudaFree(segments);
    cudaFree(new_segments);
    cudaFree(counts);
    cudaFree(sums);
}
