// Comparisons of elements, of a flag and of bits: one step of a bitonic sort of structures.
struct Card {
    int rank, weight;
};
__global__ void flags(const int* in, int* out)
{
    __shared__ Card hand[16];
    int t = threadIdx.x;
    hand[t].rank = in[t];
    hand[t + 8].rank = in[t + 8];
    __syncthreads();
    int i = 2 * t - (t & 1);
    bool up = (i & 4) == 0;
    if ((hand[i].rank > hand[i + 2].rank) == up) {
        int keep = hand[i].rank;
        hand[i].rank = hand[i + 2].rank;
        hand[i + 2].rank = keep;
    }
    __syncthreads();
    if (t < 1) out[0] = hand[0].rank;
}
