// Objects that live in managed memory: operator new, strings with deep copies, and a list that a kernel walks.
#include <cstdio>
#include <cstring>

class Managed {
  public:
    void* operator new(size_t size) {
        void* p = nullptr;
        cudaMallocManaged(&p, size);
        cudaDeviceSynchronize();
        return p;
    }
    void operator delete(void* p) {
        cudaDeviceSynchronize();
        cudaFree(p);
    }
};

class String : public Managed {
    int length = 0;
    char* data = nullptr;

    void assign(const char* s) {
        length = (int)strlen(s);
        cudaMallocManaged(&data, length + 1);
        memcpy(data, s, length + 1);
    }

  public:
    String(const char* s) { assign(s); }
    String(const String& other) { assign(other.data); }
    String& operator=(const String& other) {
        if (this != &other) {
            cudaFree(data);
            assign(other.data);
        }
        return *this;
    }
    ~String() { cudaFree(data); }
    __host__ __device__ char& operator[](int i) { return data[i]; }
    __host__ __device__ int size() const { return length; }
    const char* c_str() const { return data; }
};

struct Node : public Managed {
    String name;
    int weight;
    Node* next;
    Node(const char* name, int weight, Node* next) : name(name), weight(weight), next(next) {}
};

__managed__ int total_weight;

__global__ void upper_case(String* s) {
    for (int i = threadIdx.x; i < s->size(); i += blockDim.x) {
        char& c = (*s)[i];
        if (c >= 'a' && c <= 'z') c -= 32;
    }
}

__global__ void visit(Node* list) {
    int position = 0;
    for (Node* node = list; node; node = node->next, ++position) {
        if (position != threadIdx.x) continue;
        atomicAdd(&total_weight, node->weight);
        node->name[0] = 'a' + threadIdx.x;
    }
}

int main() {
    String* title = new String("unified memory, explicit synchronization");
    String copy = *title;
    upper_case<<<1, 32>>>(title);
    cudaDeviceSynchronize();
    printf("%s\n%s\n", title->c_str(), copy.c_str());
    delete title;

    Node* list = nullptr;
    const char* names[] = {"?lpha", "?eta", "?amma", "?elta"};
    for (int i = 3; i >= 0; --i) list = new Node(i == 2 ? "?harlie" : names[i], 10 * (i + 1), list);
    total_weight = 1;
    visit<<<1, 8>>>(list);
    if (cudaDeviceSynchronize() != cudaSuccess) return 2;
    const int total = total_weight;
    while (list) {
        printf("%s %d\n", list->name.c_str(), list->weight);
        Node* next = list->next;
        delete list;
        list = next;
    }
    printf("total %d\n", total);
    return total == 101 ? 0 : 1;
}
