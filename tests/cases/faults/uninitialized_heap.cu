// Memory of malloc is uninitialized: a list whose nodes are read before they are written.
struct Node {
    int value;
    int next;
};

__global__ void faulty(const int* in, int* out) {
    Node* node = (Node*)malloc(sizeof(Node));
    if (threadIdx.x != 2) node->value = in[threadIdx.x];
    node->next = 0;
    out[threadIdx.x] = node->value;
    free(node);
}

__global__ void sound(const int* in, int* out) {
    Node* node = (Node*)malloc(sizeof(Node));
    node->value = in[threadIdx.x];
    node->next = 0;
    Node copy = *node;
    out[threadIdx.x] = copy.value;
    free(node);
}
// lanescope: n = 4
// lanescope: block = 4
// lanescope: grid = 1
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
