// cuBLAS on device memory, by a BLAS of the host: both are column-major and take the same arguments. Implements the
// functions of single and double precision that courses call. Sums are computed in a different order than on a GPU.
//
// Does not include cuBLAS's header, which may not be installed: handles are pointers, enumerations int (cublas_api.h).
#include "host/runtime/library.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace lanescope::host;

struct cublasContext {
    cudaStream_t stream = nullptr;
    bool device_scalars = false;  ///< CUBLAS_POINTER_MODE_DEVICE
    int math_mode = 0, atomics_mode = 0;
};

namespace {

using Handle = cublasContext*;

enum Status {
    success = 0,
    not_initialized = 1,
    invalid_value = 7,
    mapping_error = 11,
    execution_failed = 13,
    not_supported = 15
};

struct StatusText {
    int status;
    const char *name, *text;
};
constexpr StatusText statuses[] = {
    {0, "CUBLAS_STATUS_SUCCESS", "success"},
    {1, "CUBLAS_STATUS_NOT_INITIALIZED", "the library was not initialized"},
    {3, "CUBLAS_STATUS_ALLOC_FAILED", "the resource allocation failed"},
    {7, "CUBLAS_STATUS_INVALID_VALUE", "an unsupported value or parameter was passed to the function"},
    {8, "CUBLAS_STATUS_ARCH_MISMATCH", "the function requires an architectural feature absent from the device"},
    {11, "CUBLAS_STATUS_MAPPING_ERROR", "an access to GPU memory space failed"},
    {13, "CUBLAS_STATUS_EXECUTION_FAILED", "the function failed to launch on the GPU"},
    {14, "CUBLAS_STATUS_INTERNAL_ERROR", "an internal operation failed"},
    {15, "CUBLAS_STATUS_NOT_SUPPORTED", "the requested functionality is not supported"},
    {16, "CUBLAS_STATUS_LICENSE_ERROR", "the license check failed"},
};

const StatusText* find(int status) {
    for (const StatusText& known : statuses)
        if (known.status == status) return &known;
    return nullptr;
}

int report(int status, const char* function, const std::string& why) {
    Runtime::get().report_error(status, find(status)->name, function, why);
    return status;
}

/// BLAS's own functions are named as FORTRAN compilers do: "sgemm_".
template <class Result, class... Arguments>
Result blas(const std::string& name, Arguments... arguments) {
    using Function = Result (*)(Arguments...);
    return reinterpret_cast<Function>(library_function(blas_variable, "BLAS", name.c_str()))(arguments...);
}

template <class T>
constexpr const char* letter = "s";
template <>
constexpr const char* letter<double> = "d";
template <class T>
constexpr char capital = 'S';
template <>
constexpr char capital<double> = 'D';

/// "cublasSgemm" of "cublasSgemm_v2"
std::string called(const char* function) {
    std::string name = function;
    if (name.size() > 3 && name.compare(name.size() - 3, 3, "_v2") == 0) name.resize(name.size() - 3);
    return name;
}

template <class T>
DeviceRange vector_of(const T* x, int n, int increment, const char* which) {
    const std::size_t elements = n <= 0 ? 0 : 1 + std::size_t(n - 1) * std::size_t(std::abs(increment));
    return {x, elements * sizeof(T), which};
}
template <class T>
DeviceRange matrix_of(const T* a, int rows, int columns, int leading, const char* which) {
    const bool empty = rows <= 0 || columns <= 0;
    return {a, empty ? 0 : (std::size_t(columns - 1) * std::size_t(leading) + std::size_t(rows)) * sizeof(T), which};
}

/// A scalar argument, in host or device memory as the handle's pointer mode says.
template <class T>
T scalar(Handle handle, const T* pointer) {
    return handle->device_scalars ? *on_host(pointer) : *pointer;
}

/// Does the work in the handle's stream, as one step. `scalars_read`: alpha and beta, where they are in device memory.
template <class Work>
int run(Handle handle, const char* function, std::vector<DeviceRange> reads, std::vector<DeviceRange> writes,
        std::vector<DeviceRange> scalars_read, Work work, bool waits = false) {
    Runtime& runtime = Runtime::get();
    const std::string name = called(function);
    if (runtime.has_failed()) return execution_failed;
    if (captures(handle->stream)) {
        runtime.refuse((name + " in a capturing stream").c_str());
        return not_supported;
    }
    if (handle->device_scalars) reads.insert(reads.end(), scalars_read.begin(), scalars_read.end());
    int status = success;
    Operation operation;
    operation.run = [&] {
        std::vector<DeviceRange> all = reads;
        all.insert(all.end(), writes.begin(), writes.end());
        if (!are_accessible(all, name.c_str())) {
            status = execution_failed;
            return cudaSuccess;
        }
        const LibraryStep step(name + ", BLAS on the host", reads, writes, waits);
        work();
        return cudaSuccess;
    };
    if (enqueue(handle->stream, name.c_str(), std::move(operation)) != cudaSuccess) return execution_failed;
    return status;
}

/// A call whose result is one number, in device memory or in host memory; in the latter case the host waits for it.
template <class T, class Work>
int reduce(Handle handle, const char* function, std::vector<DeviceRange> reads, T* result, Work work) {
    if (!handle->device_scalars)
        return run(
            handle, function, std::move(reads), {}, {}, [&] { *result = work(); }, true);
    return run(handle, function, std::move(reads), {{result, sizeof(T), "result"}}, {},
               [&] { *on_host(result) = work(); });
}

/// The beginning of every call.
#define LANESCOPE_BLAS_ENTRY                                                      \
    const std::lock_guard<std::recursive_mutex> entry_lock(Runtime::get().mutex); \
    if (handle == nullptr)                                                        \
    return report(not_initialized, called(function).c_str(), "the handle was not created by cublasCreate")

int negative(const char* function) {
    return report(invalid_value, called(function).c_str(), "a size is negative, or a leading dimension too small");
}

const char* transposed(int operation) { return operation == 0 ? "N" : operation == 1 ? "T" : "C"; }
bool is_operation(int operation) { return operation >= 0 && operation <= 2; }

// --- Level 1: vectors ----------------------------------------------------------------------------------------------

template <class T>
int axpy(const char* function, Handle handle, int n, const T* alpha, const T* x, int incx, T* y, int incy) {
    LANESCOPE_BLAS_ENTRY;
    if (n <= 0) return success;
    const DeviceRange out = vector_of(y, n, incy, "y");
    return run(handle, function, {vector_of(x, n, incx, "x"), out}, {out}, {{alpha, sizeof(T), "alpha"}}, [&] {
        const T factor = scalar(handle, alpha);
        blas<void>(std::string(letter<T>) + "axpy_", &n, &factor, on_host(x), &incx, on_host(y), &incy);
    });
}

template <class T>
int scal(const char* function, Handle handle, int n, const T* alpha, T* x, int incx) {
    LANESCOPE_BLAS_ENTRY;
    if (n <= 0 || incx <= 0) return success;
    const DeviceRange out = vector_of(x, n, incx, "x");
    return run(handle, function, {out}, {out}, {{alpha, sizeof(T), "alpha"}}, [&] {
        const T factor = scalar(handle, alpha);
        blas<void>(std::string(letter<T>) + "scal_", &n, &factor, on_host(x), &incx);
    });
}

template <class T>
int copy_vector(const char* function, Handle handle, int n, const T* x, int incx, T* y, int incy) {
    LANESCOPE_BLAS_ENTRY;
    if (n <= 0) return success;
    return run(handle, function, {vector_of(x, n, incx, "x")}, {vector_of(y, n, incy, "y")}, {},
               [&] { blas<void>(std::string(letter<T>) + "copy_", &n, on_host(x), &incx, on_host(y), &incy); });
}

template <class T>
int swap_vectors(const char* function, Handle handle, int n, T* x, int incx, T* y, int incy) {
    LANESCOPE_BLAS_ENTRY;
    if (n <= 0) return success;
    const std::vector<DeviceRange> both{vector_of(x, n, incx, "x"), vector_of(y, n, incy, "y")};
    return run(handle, function, both, both, {},
               [&] { blas<void>(std::string(letter<T>) + "swap_", &n, on_host(x), &incx, on_host(y), &incy); });
}

template <class T>
int dot(const char* function, Handle handle, int n, const T* x, int incx, const T* y, int incy, T* result) {
    LANESCOPE_BLAS_ENTRY;
    return reduce(handle, function, {vector_of(x, n, incx, "x"), vector_of(y, n, incy, "y")}, result, [&]() -> T {
        if (n <= 0) return T{0};
        return blas<T>(std::string(letter<T>) + "dot_", &n, on_host(x), &incx, on_host(y), &incy);
    });
}

/// nrm2 or asum.
template <class T>
int norm(const char* function, const char* name, Handle handle, int n, const T* x, int incx, T* result) {
    LANESCOPE_BLAS_ENTRY;
    return reduce(handle, function, {vector_of(x, n, incx, "x")}, result, [&]() -> T {
        if (n <= 0 || incx <= 0) return T{0};
        return blas<T>(std::string(letter<T>) + name, &n, on_host(x), &incx);
    });
}

/// The first element of the largest or smallest absolute value, counted from 1.
template <class T>
int extreme(const char* function, bool largest, Handle handle, int n, const T* x, int incx, int* result) {
    LANESCOPE_BLAS_ENTRY;
    return reduce(handle, function, {vector_of(x, n, incx, "x")}, result, [&] {
        if (n <= 0 || incx <= 0) return 0;
        if (largest) return blas<int>(std::string("i") + letter<T> + "amax_", &n, on_host(x), &incx);
        int found = 0;  // BLAS has no such function
        const T* const values = on_host(x);
        for (int i = 1; i < n; ++i)
            if (std::abs(values[std::size_t(i) * incx]) < std::abs(values[std::size_t(found) * incx])) found = i;
        return found + 1;
    });
}

/// The number of the first invalid argument, from 1, as BLAS numbers them; 0: all are valid.
int first_wrong(std::initializer_list<std::pair<int, bool>> arguments) {
    for (const auto& [number, sound] : arguments)
        if (!sound) return number;
    return 0;
}

/// cuBLAS prints this before it returns CUBLAS_STATUS_INVALID_VALUE, in these functions (seen on an H100, CUDA 13.0).
void print_illegal(const std::string& routine, int number) {
    std::printf(" ** On entry to %-6s parameter number %d had an illegal value\n", routine.c_str(), number);
}

// --- Level 2: a matrix and vectors ---------------------------------------------------------------------------------

template <class T>
int gemv(const char* function, Handle handle, int operation, int m, int n, const T* alpha, const T* a, int lda,
         const T* x, int incx, const T* beta, T* y, int incy) {
    LANESCOPE_BLAS_ENTRY;
    if (!is_operation(operation) || m < 0 || n < 0 || lda < std::max(1, m) || incx == 0 || incy == 0)
        return negative(function);
    if (m == 0 || n == 0) return success;
    const int in = operation == 0 ? n : m, out = operation == 0 ? m : n;
    const DeviceRange written = vector_of(y, out, incy, "y");
    return run(handle, function, {matrix_of(a, m, n, lda, "A"), vector_of(x, in, incx, "x"), written}, {written},
               {{alpha, sizeof(T), "alpha"}, {beta, sizeof(T), "beta"}}, [&] {
                   const T factor = scalar(handle, alpha), kept = scalar(handle, beta);
                   blas<void>(std::string(letter<T>) + "gemv_", transposed(operation), &m, &n, &factor, on_host(a),
                              &lda, on_host(x), &incx, &kept, on_host(y), &incy, std::size_t{1});
               });
}

template <class T>
int ger(const char* function, Handle handle, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy,
        T* a, int lda) {
    LANESCOPE_BLAS_ENTRY;
    if (const int wrong =
            first_wrong({{1, m >= 0}, {2, n >= 0}, {5, incx != 0}, {7, incy != 0}, {9, lda >= std::max(1, m)}})) {
        print_illegal(std::string(1, capital<T>) + "GER", wrong);
        return negative(function);
    }
    if (m == 0 || n == 0) return success;
    const DeviceRange written = matrix_of(a, m, n, lda, "A");
    return run(handle, function, {vector_of(x, m, incx, "x"), vector_of(y, n, incy, "y"), written}, {written},
               {{alpha, sizeof(T), "alpha"}}, [&] {
                   const T factor = scalar(handle, alpha);
                   blas<void>(std::string(letter<T>) + "ger_", &m, &n, &factor, on_host(x), &incx, on_host(y), &incy,
                              on_host(a), &lda);
               });
}

// --- Level 3: matrices -----------------------------------------------------------------------------------------------

/// `batch` products, each `stride` elements after the one before.
template <class T>
int gemm(const char* function, Handle handle, int operation_a, int operation_b, int m, int n, int k, const T* alpha,
         const T* a, int lda, long long stride_a, const T* b, int ldb, long long stride_b, const T* beta, T* c, int ldc,
         long long stride_c, int batch) {
    LANESCOPE_BLAS_ENTRY;
    const int rows_a = operation_a == 0 ? m : k, columns_a = operation_a == 0 ? k : m;
    const int rows_b = operation_b == 0 ? k : n, columns_b = operation_b == 0 ? n : k;
    const bool good_a = lda >= std::max(1, rows_a), good_b = ldb >= std::max(1, rows_b), good_c = ldc >= std::max(1, m);
    const bool batched = std::string_view(function).find("Batched") != std::string_view::npos;
    const int wrong = first_wrong({{1, is_operation(operation_a)},
                                   {2, is_operation(operation_b)},
                                   {3, m >= 0},
                                   {4, n >= 0},
                                   {5, k >= 0},
                                   {8, good_a},
                                   {batched ? 11 : 10, good_b},
                                   {batched ? 15 : 13, good_c}});
    if (wrong != 0) print_illegal(std::string(1, capital<T>) + (batched ? "gemmStridedBatched" : "GEMM"), wrong);
    if (wrong != 0 || batch < 0 || stride_a < 0 || stride_b < 0 || stride_c < 0) return negative(function);
    if (m == 0 || n == 0 || batch == 0) return success;
    const auto of_batch = [&](DeviceRange one, long long stride) {
        one.bytes += std::size_t(batch - 1) * std::size_t(stride) * sizeof(T);
        return one;
    };
    const DeviceRange written = of_batch(matrix_of(c, m, n, ldc, "C"), stride_c);
    return run(handle, function,
               {of_batch(matrix_of(a, rows_a, columns_a, lda, "A"), stride_a),
                of_batch(matrix_of(b, rows_b, columns_b, ldb, "B"), stride_b), written},
               {written}, {{alpha, sizeof(T), "alpha"}, {beta, sizeof(T), "beta"}}, [&] {
                   const T factor = scalar(handle, alpha), kept = scalar(handle, beta);
                   for (int i = 0; i < batch; ++i)
                       blas<void>(std::string(letter<T>) + "gemm_", transposed(operation_a), transposed(operation_b),
                                  &m, &n, &k, &factor, on_host(a) + i * stride_a, &lda, on_host(b) + i * stride_b, &ldb,
                                  &kept, on_host(c) + i * stride_c, &ldc, std::size_t{1}, std::size_t{1});
               });
}

// --- Copies between host and device ---------------------------------------------------------------------------------

int copy_columns(const char* function, int rows, int columns, int element, const void* from, int from_leading, void* to,
                 int to_leading, cudaMemcpyKind kind) {
    if (rows < 0 || columns < 0 || element <= 0 || from_leading < rows || to_leading < rows) return negative(function);
    const auto bytes = [&](int elements) { return std::size_t(elements) * std::size_t(element); };
    const cudaError_t error =
        copy_rows(to, bytes(to_leading), from, bytes(from_leading), bytes(rows), std::size_t(columns), kind, function);
    return error == cudaSuccess ? success : mapping_error;
}

/// A vector is a matrix of one row: its increment is the leading dimension.
int copy_elements(const char* function, int n, int element, const void* from, int from_increment, void* to,
                  int to_increment, cudaMemcpyKind kind) {
    if (from_increment == 1 && to_increment == 1)
        return copy_columns(function, n, 1, element, from, std::max(n, 1), to, std::max(n, 1), kind);
    return copy_columns(function, 1, n, element, from, from_increment, to, to_increment, kind);
}

}  // namespace

extern "C" {

// --- The library ----------------------------------------------------------------------------------------------------

int cublasCreate_v2(Handle* out) {
    Runtime& runtime = Runtime::get();
    const std::lock_guard<std::recursive_mutex> lock(runtime.mutex);
    *out = new cublasContext;
    runtime.remark("cuBLAS is computed by a BLAS of the host, which adds in a different order than a GPU");
    return success;
}
int cublasDestroy_v2(Handle handle) {
    if (handle == nullptr)
        return report(not_initialized, "cublasDestroy", "the handle was not created by cublasCreate");
    delete handle;
    return success;
}
int cublasGetVersion_v2(Handle, int* out) {
    *out = CUDART_VERSION / 1000 * 10000 + CUDART_VERSION % 1000 * 10;
    return success;
}
const char* cublasGetStatusName(int status) {
    const StatusText* known = find(status);
    return known != nullptr ? known->name : "unrecognized status";
}
const char* cublasGetStatusString(int status) {
    const StatusText* known = find(status);
    return known != nullptr ? known->text : "unrecognized status";
}
int cublasSetStream_v2(Handle handle, cudaStream_t stream) {
    handle->stream = stream;
    return success;
}
int cublasGetStream_v2(Handle handle, cudaStream_t* out) {
    *out = handle->stream;
    return success;
}
int cublasSetPointerMode_v2(Handle handle, int mode) {
    handle->device_scalars = mode == 1;
    return success;
}
int cublasGetPointerMode_v2(Handle handle, int* out) {
    *out = handle->device_scalars ? 1 : 0;
    return success;
}
// Hints: single precision stays single precision.
int cublasSetMathMode(Handle handle, int mode) {
    handle->math_mode = mode;
    return success;
}
int cublasGetMathMode(Handle handle, int* out) {
    *out = handle->math_mode;
    return success;
}
int cublasSetAtomicsMode(Handle handle, int mode) {
    handle->atomics_mode = mode;
    return success;
}
int cublasGetAtomicsMode(Handle handle, int* out) {
    *out = handle->atomics_mode;
    return success;
}
int cublasSetWorkspace_v2(Handle, void*, size_t) { return success; }

int cublasSetVector(int n, int element, const void* x, int incx, void* y, int incy) {
    return copy_elements(__func__, n, element, x, incx, y, incy, cudaMemcpyHostToDevice);
}
int cublasGetVector(int n, int element, const void* x, int incx, void* y, int incy) {
    return copy_elements(__func__, n, element, x, incx, y, incy, cudaMemcpyDeviceToHost);
}
int cublasSetMatrix(int rows, int columns, int element, const void* a, int lda, void* b, int ldb) {
    return copy_columns(__func__, rows, columns, element, a, lda, b, ldb, cudaMemcpyHostToDevice);
}
int cublasGetMatrix(int rows, int columns, int element, const void* a, int lda, void* b, int ldb) {
    return copy_columns(__func__, rows, columns, element, a, lda, b, ldb, cudaMemcpyDeviceToHost);
}
int cublasSetVectorAsync(int n, int element, const void* x, int incx, void* y, int incy, cudaStream_t stream) {
    if (captures(stream)) return Runtime::get().refuse(__func__), not_supported;
    return copy_elements(__func__, n, element, x, incx, y, incy, cudaMemcpyHostToDevice);
}
int cublasGetVectorAsync(int n, int element, const void* x, int incx, void* y, int incy, cudaStream_t stream) {
    if (captures(stream)) return Runtime::get().refuse(__func__), not_supported;
    return copy_elements(__func__, n, element, x, incx, y, incy, cudaMemcpyDeviceToHost);
}

// --- Single and double precision ------------------------------------------------------------------------------------

#define LANESCOPE_BLAS_OF(T, X)                                                                                        \
    int cublas##X##axpy_v2(Handle h, int n, const T* alpha, const T* x, int incx, T* y, int incy) {                    \
        return axpy(__func__, h, n, alpha, x, incx, y, incy);                                                          \
    }                                                                                                                  \
    int cublas##X##scal_v2(Handle h, int n, const T* alpha, T* x, int incx) {                                          \
        return scal(__func__, h, n, alpha, x, incx);                                                                   \
    }                                                                                                                  \
    int cublas##X##copy_v2(Handle h, int n, const T* x, int incx, T* y, int incy) {                                    \
        return copy_vector(__func__, h, n, x, incx, y, incy);                                                          \
    }                                                                                                                  \
    int cublas##X##swap_v2(Handle h, int n, T* x, int incx, T* y, int incy) {                                          \
        return swap_vectors(__func__, h, n, x, incx, y, incy);                                                         \
    }                                                                                                                  \
    int cublas##X##dot_v2(Handle h, int n, const T* x, int incx, const T* y, int incy, T* result) {                    \
        return dot(__func__, h, n, x, incx, y, incy, result);                                                          \
    }                                                                                                                  \
    int cublas##X##nrm2_v2(Handle h, int n, const T* x, int incx, T* result) {                                         \
        return norm(__func__, "nrm2_", h, n, x, incx, result);                                                         \
    }                                                                                                                  \
    int cublas##X##asum_v2(Handle h, int n, const T* x, int incx, T* result) {                                         \
        return norm(__func__, "asum_", h, n, x, incx, result);                                                         \
    }                                                                                                                  \
    int cublas##X##gemv_v2(Handle h, int trans, int m, int n, const T* alpha, const T* a, int lda, const T* x,         \
                           int incx, const T* beta, T* y, int incy) {                                                  \
        return gemv(__func__, h, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);                                  \
    }                                                                                                                  \
    int cublas##X##ger_v2(Handle h, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a,    \
                          int lda) {                                                                                   \
        return ger(__func__, h, m, n, alpha, x, incx, y, incy, a, lda);                                                \
    }                                                                                                                  \
    int cublas##X##gemm_v2(Handle h, int transa, int transb, int m, int n, int k, const T* alpha, const T* a, int lda, \
                           const T* b, int ldb, const T* beta, T* c, int ldc) {                                        \
        return gemm(__func__, h, transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, c, ldc, 0, 1);            \
    }                                                                                                                  \
    int cublas##X##gemmStridedBatched(Handle h, int transa, int transb, int m, int n, int k, const T* alpha,           \
                                      const T* a, int lda, long long stride_a, const T* b, int ldb,                    \
                                      long long stride_b, const T* beta, T* c, int ldc, long long stride_c,            \
                                      int batch) {                                                                     \
        return gemm(__func__, h, transa, transb, m, n, k, alpha, a, lda, stride_a, b, ldb, stride_b, beta, c, ldc,     \
                    stride_c, batch);                                                                                  \
    }

LANESCOPE_BLAS_OF(float, S)
LANESCOPE_BLAS_OF(double, D)

int cublasIsamax_v2(Handle h, int n, const float* x, int incx, int* result) {
    return extreme(__func__, true, h, n, x, incx, result);
}
int cublasIdamax_v2(Handle h, int n, const double* x, int incx, int* result) {
    return extreme(__func__, true, h, n, x, incx, result);
}
int cublasIsamin_v2(Handle h, int n, const float* x, int incx, int* result) {
    return extreme(__func__, false, h, n, x, incx, result);
}
int cublasIdamin_v2(Handle h, int n, const double* x, int incx, int* result) {
    return extreme(__func__, false, h, n, x, incx, result);
}

}  // extern "C"
