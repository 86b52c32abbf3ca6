// A list without an end check: the null link of the last node is followed.
struct Node {
    const Node* next;
    int value;
};

__device__ Node nodes[2];

__global__ void faulty(int* out) {
    nodes[0].value = 1;
    nodes[0].next = &nodes[1];
    nodes[1].value = 2;
    int sum = 0;
    const Node* node = nodes;
    for (int i = 0; i < 3; ++i, node = node->next) sum += node->value;
    out[0] = sum;
}

__global__ void sound(int* out) {
    nodes[0].value = 1;
    nodes[0].next = &nodes[1];
    nodes[1].value = 2;
    int sum = 0;
    for (const Node* node = nodes; node != nullptr; node = node->next) sum += node->value;
    out[0] = sum;
}
// lanescope: n = 1
// lanescope: block = 1
// lanescope: grid = 1
// lanescope: arg out = zeros(1)
