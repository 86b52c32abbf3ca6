// Strings, and tables filled along their diagonals.

__global__ void find_all(const char* text, int n, const char* pattern, int length, int* found) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int k = 0;
    while (k < length && i + k < n && text[i + k] == pattern[k]) ++k;
    found[i] = k == length;
}

__global__ void to_upper(char* text, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && text[i] >= 'a' && text[i] <= 'z') text[i] -= 'a' - 'A';
}

__global__ void count_words(const char* text, int n, int* words) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool begins = i < n && text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
    int count = __syncthreads_count(begins);
    if (threadIdx.x == 0) atomicAdd(words, count);
}

// Longest common subsequence: the cells of a diagonal do not depend on each other. One block.
__global__ void longest_common_subsequence(const char* a, int n, const char* b, int m, int* table) {
    for (int diagonal = 0; diagonal <= n + m; ++diagonal) {
        for (int i = threadIdx.x; i <= n; i += blockDim.x) {
            int j = diagonal - i;
            if (j < 0 || j > m) continue;
            int* row = table + i * (m + 1);
            const int* above = row - (m + 1);
            if (i == 0 || j == 0) {
                row[j] = 0;
            } else if (a[i - 1] == b[j - 1]) {
                row[j] = above[j - 1] + 1;
            } else {
                row[j] = max(above[j], row[j - 1]);
            }
        }
        __syncthreads();
    }
}

// Edit distance with three diagonals in shared memory. One block of more than n threads.
__global__ void edit_distance(const char* a, int n, const char* b, int m, int* distance) {
    extern __shared__ int diagonals[];
    int width = n + 1, i = threadIdx.x;
    for (int diagonal = 0; diagonal <= n + m; ++diagonal) {
        int* now = diagonals + diagonal % 3 * width;
        int* before = diagonals + (diagonal + 2) % 3 * width;
        int* earlier = diagonals + (diagonal + 1) % 3 * width;
        int j = diagonal - i;
        if (i <= n && j >= 0 && j <= m) {
            if (i == 0) {
                now[i] = j;
            } else if (j == 0) {
                now[i] = i;
            } else {
                int change = earlier[i - 1] + (a[i - 1] != b[j - 1]);
                now[i] = min(change, min(before[i - 1], before[i]) + 1);
            }
            if (i == n && j == m) *distance = now[i];
        }
        __syncthreads();
    }
}

// Which sums can be made of some of the weights? A launch a weight.
__global__ void knapsack(const int* in, int* out, int weight, int value, int capacity) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c > capacity) return;
    int best = in[c];
    if (c >= weight) best = max(best, in[c - weight] + value);
    out[c] = best;
}

__global__ void make_crc_table(unsigned* table) {
    unsigned crc = threadIdx.x;
    for (int bit = 0; bit < 8; ++bit) crc = crc & 1 ? 0xEDB88320u ^ (crc >> 1) : crc >> 1;
    table[threadIdx.x] = crc;
}

// A record a thread.
__global__ void crc32(const unsigned char* records, int length, const unsigned* table, unsigned* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned crc = 0xFFFFFFFFu;
    for (int k = 0; k < length; ++k) crc = table[(crc ^ records[i * length + k]) & 0xFF] ^ (crc >> 8);
    sums[i] = ~crc;
}
