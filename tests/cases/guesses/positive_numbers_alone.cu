// The loop ends only for positive numbers.
__global__ void collatz(const int* start, int* steps) {
    int i = threadIdx.x;
    int value = start[i], count = 0;
    while (value != 1) {
        value = value % 2 != 0 ? 3 * value + 1 : value / 2;
        ++count;
    }
    steps[i] = count;
}
