// Black-Scholes prices of European options, one kernel template for two precisions.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

template <typename Real>
struct Option {
    Real spot, strike, years;
};
template <typename Real>
struct Prices {
    Real call, put;
};

template <typename Real>
__host__ __device__ Real cnd(Real d) {
    const Real A1 = Real(0.31938153), A2 = Real(-0.356563782), A3 = Real(1.781477937), A4 = Real(-1.821255978),
               A5 = Real(1.330274429), RSQRT2PI = Real(0.39894228040143267793994605993438);
    const Real K = Real(1) / (Real(1) + Real(0.2316419) * fabs(d));
    Real value = RSQRT2PI * exp(Real(-0.5) * d * d) * (K * (A1 + K * (A2 + K * (A3 + K * (A4 + K * A5)))));
    if (d > 0) value = Real(1) - value;
    return value;
}

template <typename Real>
__host__ __device__ Prices<Real> price(const Option<Real>& o, Real riskfree, Real volatility) {
    const Real root = sqrt(o.years);
    const Real d1 =
        (log(o.spot / o.strike) + (riskfree + Real(0.5) * volatility * volatility) * o.years) / (volatility * root);
    const Real d2 = d1 - volatility * root;
    const Real discount = exp(-riskfree * o.years);
    Prices<Real> p;
    p.call = o.spot * cnd(d1) - o.strike * discount * cnd(d2);
    p.put = o.strike * discount * (Real(1) - cnd(d2)) - o.spot * (Real(1) - cnd(d1));
    return p;
}

template <typename Real>
__launch_bounds__(128) __global__
    void black_scholes(const Option<Real>* options, Prices<Real>* prices, Real riskfree, Real volatility, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) prices[i] = price(options[i], riskfree, volatility);
}

template <typename Real>
bool run(int n, double tolerance) {
    const Real riskfree = Real(0.02), volatility = Real(0.30);
    auto* options = static_cast<Option<Real>*>(std::malloc(n * sizeof(Option<Real>)));
    auto* prices = static_cast<Prices<Real>*>(std::malloc(n * sizeof(Prices<Real>)));
    for (int i = 0; i < n; ++i)
        options[i] = {Real(5 + (i * 7) % 26), Real(1 + (i * 13) % 100), Real(0.25 + (i % 40) * 0.25)};
    Option<Real>* d_options;
    Prices<Real>* d_prices;
    cudaMalloc(&d_options, n * sizeof(Option<Real>));
    cudaMalloc(&d_prices, n * sizeof(Prices<Real>));
    cudaMemcpy(d_options, options, n * sizeof(Option<Real>), cudaMemcpyHostToDevice);
    black_scholes<Real><<<(n + 127) / 128, 128>>>(d_options, d_prices, riskfree, volatility, n);
    cudaMemcpy(prices, d_prices, n * sizeof(Prices<Real>), cudaMemcpyDeviceToHost);
    double largest = 0;
    for (int i = 0; i < n; ++i) {
        const auto expected = price(options[i], riskfree, volatility);
        largest = std::fmax(largest, std::fabs(double(expected.call - prices[i].call)));
        largest = std::fmax(largest, std::fabs(double(expected.put - prices[i].put)));
    }
    std::printf("%s: call %.2f, put %.2f, %s\n", std::is_same<Real, float>::value ? "float" : "double",
                double(prices[3].call), double(prices[3].put), largest < tolerance ? "PASSED" : "FAILED");
    cudaFree(d_options);
    cudaFree(d_prices);
    std::free(options);
    std::free(prices);
    return largest < tolerance;
}

int main() { return run<float>(1000, 1e-4) && run<double>(500, 1e-10) ? 0 : 1; }
