// cuRAND's host API on device memory: a host generator of NVIDIA's own library, which has the same sequence as the
// device generator, writes the numbers to the emulated device memory.
//
// Does not include cuRAND's header, which may not be installed: handles are pointers, enumerations int (curand.h).
#include "host/runtime/library.h"

#include <string>
#include <utility>

using namespace lanescope::host;

namespace {

struct Generator {
    void* real = nullptr;  ///< the library's
    bool of_host = false;  ///< the program asked for one that writes host memory
    cudaStream_t stream = nullptr;
};

constexpr int status_success = 0, status_not_initialized = 101, status_launch_failure = 201;

template <class... Arguments>
int call(const char* function, Arguments... arguments) {
    using Function = int (*)(Arguments...);
    void* const found = library_function(curand_variable, "NVIDIA cuRAND", function);
    return reinterpret_cast<Function>(found)(arguments...);
}

int checked(int status, const char* function) {
    if (status != status_success) {
        const std::string name = "curandStatus_t " + std::to_string(status);
        Runtime::get().report_error(status, name.c_str(), function,
                                    "NVIDIA cuRAND returned status " + std::to_string(status));
    }
    return status;
}

int create(Generator** out, int type, bool of_host, const char* function) {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    auto* generator = new Generator;
    generator->of_host = of_host;
    const int status = checked(call("curandCreateGeneratorHost", &generator->real, type), function);
    *out = generator;
    return status;
}

template <class T, class... Arguments>
int generate(const char* function, Generator* generator, T* out, std::size_t count, Arguments... arguments) {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    if (generator == nullptr) return checked(status_not_initialized, function);
    if (generator->of_host) return checked(call(function, generator->real, out, count, arguments...), function);
    if (runtime.has_failed()) return status_launch_failure;
    int status = status_success;
    Operation operation;
    operation.type = cudaGraphNodeTypeKernel;
    operation.run = [=, &status] {
        const DeviceRange output{out, count * sizeof(T), "output"};
        if (!are_accessible({output}, function)) {
            status = status_launch_failure;
            return cudaSuccess;
        }
        const LibraryStep step(std::string(function) + ", NVIDIA cuRAND, host generator", {}, {output});
        status = call(function, generator->real, on_host(out), count, arguments...);
        return cudaSuccess;
    };
    if (captures(generator->stream)) {
        runtime.refuse((std::string(function) + " in a capturing stream").c_str());
        return status_launch_failure;
    }
    if (enqueue(generator->stream, function, std::move(operation)) != cudaSuccess) return status_launch_failure;
    return checked(status, function);
}

}  // namespace

extern "C" {

int curandCreateGenerator(Generator** out, int type) { return create(out, type, false, __func__); }
int curandCreateGeneratorHost(Generator** out, int type) { return create(out, type, true, __func__); }
int curandDestroyGenerator(Generator* generator) {
    if (generator == nullptr) return checked(status_not_initialized, __func__);
    const int status = checked(call(__func__, generator->real), __func__);
    delete generator;
    return status;
}

int curandGetVersion(int* out) { return call(__func__, out); }
int curandGetProperty(int type, int* out) { return call(__func__, type, out); }

int curandSetStream(Generator* generator, cudaStream_t stream) {
    if (generator == nullptr) return checked(status_not_initialized, __func__);
    generator->stream = stream;
    return status_success;
}
int curandSetPseudoRandomGeneratorSeed(Generator* generator, unsigned long long seed) {
    if (generator == nullptr) return checked(status_not_initialized, __func__);
    return checked(call(__func__, generator->real, seed), __func__);
}
int curandSetGeneratorOffset(Generator* generator, unsigned long long offset) {
    if (generator == nullptr) return checked(status_not_initialized, __func__);
    return checked(call(__func__, generator->real, offset), __func__);
}
int curandSetGeneratorOrdering(Generator* generator, int order) {
    if (generator == nullptr) return checked(status_not_initialized, __func__);
    return checked(call(__func__, generator->real, order), __func__);
}
int curandSetQuasiRandomGeneratorDimensions(Generator* generator, unsigned int dimensions) {
    if (generator == nullptr) return checked(status_not_initialized, __func__);
    return checked(call(__func__, generator->real, dimensions), __func__);
}
int curandGenerateSeeds(Generator* generator) {
    if (generator == nullptr) return checked(status_not_initialized, __func__);
    return checked(call(__func__, generator->real), __func__);
}

int curandGenerate(Generator* generator, unsigned int* out, size_t count) {
    return generate(__func__, generator, out, count);
}
int curandGenerateLongLong(Generator* generator, unsigned long long* out, size_t count) {
    return generate(__func__, generator, out, count);
}
int curandGenerateUniform(Generator* generator, float* out, size_t count) {
    return generate(__func__, generator, out, count);
}
int curandGenerateUniformDouble(Generator* generator, double* out, size_t count) {
    return generate(__func__, generator, out, count);
}
int curandGenerateNormal(Generator* generator, float* out, size_t count, float mean, float deviation) {
    return generate(__func__, generator, out, count, mean, deviation);
}
int curandGenerateNormalDouble(Generator* generator, double* out, size_t count, double mean, double deviation) {
    return generate(__func__, generator, out, count, mean, deviation);
}
int curandGenerateLogNormal(Generator* generator, float* out, size_t count, float mean, float deviation) {
    return generate(__func__, generator, out, count, mean, deviation);
}
int curandGenerateLogNormalDouble(Generator* generator, double* out, size_t count, double mean, double deviation) {
    return generate(__func__, generator, out, count, mean, deviation);
}
int curandGeneratePoisson(Generator* generator, unsigned int* out, size_t count, double lambda) {
    return generate(__func__, generator, out, count, lambda);
}
int curandGenerateBinomial(Generator* generator, unsigned int* out, size_t count, unsigned int trials, double p) {
    return generate(__func__, generator, out, count, trials, p);
}

// Tables in host memory, for kernels that generate quasirandom numbers themselves.
int curandGetDirectionVectors32(void** out, int set) { return call(__func__, out, set); }
int curandGetDirectionVectors64(void** out, int set) { return call(__func__, out, set); }
int curandGetScrambleConstants32(unsigned int** out) { return call(__func__, out); }
int curandGetScrambleConstants64(unsigned long long** out) { return call(__func__, out); }

}  // extern "C"
